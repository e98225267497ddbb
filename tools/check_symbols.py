#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a shared library exports the names that CAPSTAN_API marks, and no others.

  check_symbols.py LIBRARY...   shared libraries of one build
  check_symbols.py --selftest   names that must pass and names that must not
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARK = re.compile(r"\b(?:class|struct)\s+CAPSTAN_API\s+(\w+)|^CAPSTAN_API\s[^;{]*?(\w+)\s*\(", re.M)


def marked(text):
    """The names of classes and functions that CAPSTAN_API marks."""
    return {match[1] or match[2] for match in MARK.finditer(text)}


def qualified(name):
    """The qualified name in a demangled symbol, without the return type that precedes a template."""
    depth, start = 0, 0
    for i, c in enumerate(name):
        depth += (c in "<[") - (c in ">]")
        if depth == 0 and c == "(":
            break
        if depth == 0 and c == " " and "operator" not in name[start:i]:
            start = i + 1
    return name[start:]


def stranger(name, names):
    """Returns whether a demangled symbol is neither one of these names nor a member of one."""
    name = re.sub(r"^(vtable for|typeinfo for|typeinfo name for|guard variable for|non-virtual thunk to) ", "", name)
    match = re.match(r"capstan::(\w+)", qualified(name))
    return not match or match[1] not in names


def selftest():
    names = marked("class CAPSTAN_API World {\n    void step();\n};\nCAPSTAN_API Result<int> linkingNumber(int a,\n    int b);\n"
                   "// CAPSTAN_API void told(int)\nstruct Plain { int a; };\n")
    wrong = [] if names == {"World", "linkingNumber"} else [f"marked: {names}"]
    wrong += [f"refused: {name}" for name in ("capstan::World::step(float)", "vtable for capstan::World",
              "capstan::linkingNumber(int, int)", "void capstan::World::look<int>(std::vector<int, A> const&)",
              "std::span<int const> capstan::World::at<capstan::Id<A> >(int) const", "capstan::World::operator bool() const", "capstan::linkingNumber[abi:cxx11](int)") if stranger(name, names)]
    wrong += [f"let through: {name}" for name in ("capstan::rebuild(capstan::Model&)", "capstan::World capstan::make<int>(int)", "std::vector<capstan::World>::size()", "helper",
              "capstan::WorldInside::a()") if not stranger(name, names)]
    print("\n".join(wrong) if wrong else "check_symbols: all names are told apart")
    return 1 if wrong else 0


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    if not sys.argv[1:] or not shutil.which("nm"):
        print(__doc__ if not sys.argv[1:] else "nm is not installed: nothing looked at", file=sys.stderr)
        return 2 if not sys.argv[1:] else 0
    names = set()
    for room in ("include", "src"):
        for header in (ROOT / room).rglob("*.hpp"):
            names |= marked(header.read_text(encoding="utf-8"))
    bad = []
    for library in sys.argv[1:]:
        text = subprocess.run(["nm", "-DC", "--defined-only", library], capture_output=True, text=True, check=True).stdout
        symbols = [line.split(None, 2)[2] for line in text.splitlines()]
        if not symbols:
            bad.append(f"{library}: shows nothing at all")
        bad += [f"{library}: {symbol}" for symbol in symbols if stranger(symbol, names)]
    print("\n".join(bad) if bad else "check_symbols: only CAPSTAN_API is shown")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
