#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every source that git knows is built once, with the flags of its folder.

  check_sources.py LIST         LIST: sources.txt, as cmake/folders.cmake writes it into a build tree
  check_sources.py --selftest   plants one fault of each kind and expects each to be found

Sources that a build tree leaves out (for example without a CUDA compiler) are named in LIST with the reason. A file may differ from its folder
only where CMake says that its flags were measured.
"""
import collections
import fnmatch
import pathlib
import subprocess
import sys


def check(lines, tracked):
    """All errors in the lines of LIST, given the sources that git knows."""
    bad, built, without, measured = [], collections.defaultdict(list), [], set()
    for line in lines:
        kind, first, *rest = line.rstrip("\n").split("\t")
        if kind == "source":
            built[first].append((rest[0], rest[1] if len(rest) > 1 else ""))
        elif kind == "without":
            without.append(first)
        elif kind == "measured":
            measured.add(first)
            if not rest or not rest[0].strip():
                bad.append(f"{first}: flags of its own, and no reason is given")
        else:
            bad.append(f"unknown line: {line!r}")
    for file in sorted(tracked):
        if not built[file] and not any(fnmatch.fnmatch(file, pattern) for pattern in without):
            bad.append(f"{file}: no target builds it")
        if len(built[file]) > 1:
            bad.append(f"{file}: built by {' and by '.join(target for target, _ in built[file])}")
    folders = collections.defaultdict(lambda: collections.defaultdict(list))
    for file, targets in built.items():
        if file in tracked and file not in measured:
            for _, flags in targets:
                folders[str(pathlib.PurePosixPath(file).parent)][flags].append(file)
    for folder, flags in sorted(folders.items()):
        if len(flags) > 1:
            told = "; ".join(f"{own or 'none'}: {', '.join(sorted(files)[:3])}" for own, files in sorted(flags.items()))
            bad.append(f"{folder}: its files have different flags: {told}")
    return bad + [f"{file}: has measured flags, but git does not know it" for file in sorted(measured - tracked)]


def selftest():
    sound = ["source\ta/one.cpp\tx\t-O1", "source\ta/two.cpp\tx\t-O1", "source\ta/own.cpp\tx\t-O1;-m", "source\tb/k.cpp\ty\t",
             "measured\ta/own.cpp\ttwice as fast", "without\tc/*.cu\tno compiler"]
    tracked = {"a/one.cpp", "a/two.cpp", "a/own.cpp", "b/k.cpp", "c/k.cu"}
    faults = {"b/new.cpp: no target": (sound, tracked | {"b/new.cpp"}), "c/k.cu: no target": (sound[:-1], tracked),
              "b/k.cpp: built by": ([*sound, "source\tb/k.cpp\tz\t"], tracked),
              "a: its files": ([*sound[1:], "source\ta/one.cpp\tx\t-O2"], tracked),
              "a/own.cpp: flags": ([*sound, "measured\ta/own.cpp\t"], tracked),
              "a: its files have": ([line for line in sound if not line.startswith("measured")], tracked),
              "gone.cpp: has": ([*sound, "measured\tgone.cpp\twhy"], tracked)}
    failed = [f"a sound list is refused: {line}" for line in check(sound, tracked)]
    for start, (lines, files) in faults.items():
        if not any(line.startswith(start) for line in check(lines, files)):
            failed.append(f"not caught: {start}; found {check(lines, files)}")
    print("\n".join(failed) if failed else f"check_sources: {len(faults)} planted faults caught")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(__file__).resolve().parent.parent
    git = subprocess.run(["git", "-C", str(root), "ls-files", "*.cpp", "*.cu"], capture_output=True, text=True)
    if git.returncode or not git.stdout:
        print("check_sources: no files of git here: nothing to compare with")
        return 77
    bad = check(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines(), set(git.stdout.split()))
    print("\n".join(bad) if bad else "check_sources: every source is built once, with its folder's flags")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
