#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that private names of a file are unique within its folder, so that the folder's files may be compiled together
(CAPSTAN_UNITY). Private are the names in unnamed namespaces, and types, aliases and constants declared anywhere in it.

  check_unnamed.py [ROOT]       checks ROOT (default: this repository); names both files of each collision
  check_unnamed.py --selftest   plants collisions in a temporary tree and expects each to be found
"""
import pathlib
import re
import sys
import tempfile

ROOMS = ["src", "apps", "render", "tests", "worlds"]
# Comments, strings and character constants become blanks, so that braces in them do not count.
SILENT = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])\'', re.S)
BLANK = lambda m: re.sub(r"[^\n]", " ", m[0])
WORDS = {"const", "constexpr", "inline", "static", "template", "typename", "struct", "class", "enum", "using", "operator",
         "noexcept", "if", "for", "while", "return", "alignas", "decltype", "requires", "namespace", "TEST", "TEST_F", "TEST_P"}


def balanced(text, at, open_, close):
    """The index after the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == open_) - (text[i] == close)
        if depth == 0:
            return i + 1
    return len(text)


def statements(body, line):
    """(text, line) of each declaration of a namespace, without the bodies of functions and types."""
    at, start = 0, 0
    while at < len(body):
        c = body[at]
        if c == "(":
            at = balanced(body, at, "(", ")")
            continue
        if c == "#" and not body[start:at].strip():  # a line of the preprocessor
            at = start = (body.find("\n", at) + 1) or len(body)
            continue
        if c in ";{":
            text = body[start:at]
            first = start + len(text) - len(text.lstrip())
            yield text.strip() + (c if c == "{" else ""), line + body.count("\n", 0, first)
            if c == "{":
                end = balanced(body, at, "{", "}")
                if re.match(r"enum\s+(?!class\b)", text.strip()):  # its words are names beside it
                    for word in re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", body[at + 1:end - 1].strip()):
                        yield f"const int {word} = 0", line + body.count("\n", 0, first)
                at = end
                rest = re.match(r"\s*;", body[at:])
                if rest:
                    at += rest.end()
                elif re.search(r"=\s*$", text) or re.match(r"[\w:<>,\s*&]+\b\w+(\[[^\]]*\])*\s*$", text) and "(" not in text:
                    at = (body.find(";", at) + 1) or len(body)
            else:
                at += 1
            start = at
            continue
        at += 1


def types_of(text):
    """The types of a function's parameters, without their names: overloads differ in these."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "(<[{") - (c in ")>]}")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    types = []
    for part in parts:
        part = " ".join(part.split("=")[0].split())
        types.append(re.sub(r"(?<=[\w>&*] )\w+(?=(\[\w*\])?$)|(?<=[&*])\w+$", "", part).strip())
    return tuple(types)


def name_of(text):
    """The name in a declaration, with the types of a function's parameters; or None."""
    text = re.sub(r"^template\s*<[^{;]*?>\s*(?=[\w\[])", "", text).strip()
    text = re.sub(r"\[\[[^\]]*\]\]", "", text).strip()
    if match := re.match(r"(?:struct|class|union|enum(?:\s+class)?)\s+(?:alignas\([^)]*\)\s*)?(\w+)\s*(?:final\s*)?(?::[^:{][^{]*)?\{", text):
        return match[1], None
    if match := re.match(r"using\s+(\w+)\s*=\s*(.*)$", text, re.S):
        return match[1], ("using", " ".join(match[2].split()))
    if match := re.match(r"using\s+([\w:]+::(\w+))$", text):
        return match[2], ("using", match[1])
    if re.match(r"(using|namespace|struct|class|enum|friend|extern)\b", text) and "(" not in text or text.startswith("TEST"):
        return None
    head = text.split("=")[0]
    if match := re.match(r"[^(]*?\b(\w+)\s*\((?!\s*\))[^)]*\)?", head) or re.match(r"[^(]*?\b(\w+)\s*\(", head):
        if match[1] in WORDS or match[1].isupper():
            return None
        at = head.index("(", match.start(1))
        return match[1], types_of(head[at + 1:balanced(head, at, "(", ")") - 1])
    if match := re.search(r"\b(\w+)\s*(?:\[[^\]]*\]\s*)*\{?\s*$", head):
        return None if match[1] in WORDS or "operator" in head else (match[1], None)
    return None


def flat(text):
    """The text without the braces of its namespaces, and the positions of its unnamed namespaces."""
    hidden = []
    for match in re.finditer(r"\b(?:inline\s+)?namespace\b\s*([\w:]*)\s*\{", text):
        end = balanced(text, match.end() - 1, "{", "}")
        if not match[1]:
            hidden.append((match.end(), end))
        text = text[:match.start()] + BLANK(match) + text[match.end():end - 1] + " " + text[end:]
    return text, hidden


def own(text):
    """((name, types), line) of all private names of a file: those in unnamed namespaces, and types, aliases and constants
    declared anywhere."""
    text, hidden = flat(SILENT.sub(BLANK, text))
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for statement, number in statements(text, 1):
        inside = any(begin <= starts[number] - 1 and starts[number - 1] < end for begin, end in hidden)
        if inside or re.match(r"(template\s*<[^{;]*?>\s*)?(struct|class|enum|using|const|constexpr|static)\b", statement):
            if name := name_of(statement):
                yield name, number


def clash(one, other):
    """Returns whether two declarations of one name collide. Overloads and two uses of a shared name do not."""
    if one is None or other is None:
        return True
    if "using" in (*one[:1], *other[:1]):
        return one != other
    return one == other


def check(root):
    bad = []
    folders = {}
    for room in ROOMS:
        for file in sorted((root / room).rglob("*.cpp")):
            folders.setdefault(file.parent, []).append(file)
    for files in folders.values():
        seen = {}
        for file in files:
            path = file.relative_to(root).as_posix()
            for (name, types), number in own(file.read_text(encoding="utf-8")):
                for other, line, whose in seen.get(name, []):
                    if other != path and clash(types, whose):
                        bad.append(f"{path}:{number}: {name} is also declared in {other}:{line}")
                        break
                seen.setdefault(name, []).append((path, number, types))
    return bad


def selftest():
    sound = {"src/a/one.cpp": "namespace capstan {\nnamespace {\nconstexpr int kA = 1;\n// int two() {\nint own(int x) {\n    int two = x;\n    return two;\n}\n}\n}\n",
             "src/b/one.cpp": "namespace {\nint two() { return 2; }\nint own(int) { return 2; }\n}\n"}
    offences = ["int own(int y) { return 1; }", "constexpr double kA = 2;", "struct own {\n    int x;\n};", "using own = int;",
                "template <class T> T kA(T a) { return a; }", "int kA[2] = {1, 2};", "const char* const own = \"a { b\";",
                "std::vector<int> own{1};", "using std::own;", "enum Other { more, kA };"]
    outside = ["struct own {\n    int x;\n};", "using own = long;", "constexpr int kA = 3;"]
    failed = []
    for offence in [None, *offences, *outside]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            text = f"namespace {{\nint other = 3;\n{offence or 'void own(double a, int* b = nullptr);'}\n}}\n"
            if offence in outside:
                text = f"namespace capstan {{\n// here\n{offence}\nvoid World::two() {{}}\n}}\n"
            for path, content in {**sound, "src/a/two.cpp": text}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            found = check(root)
            if offence is None and found:
                failed.append(f"a sound tree is refused: {found}")
            if offence and not any(f.startswith("src/a/two.cpp:3: ") for f in found):
                failed.append(f"not caught: {offence}; found {found}")
    print("\n".join(failed) if failed else f"check_unnamed: {len(offences) + len(outside)} planted collisions caught")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    bad = check(root)
    print("\n".join(bad) if bad else "check_unnamed: no two files of a folder share a name")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
