#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares docs/migration.md with the public headers of 0.1 and 0.2.

    tools/check_migration.py             checks that the page has every declaration of both versions, and no other
    tools/check_migration.py --list DIR  prints the declarations of the headers under DIR, one per line

The declarations of 0.1 are kept in tools/api_0_1.txt, those of 0.2 come from the headers. A table row of the page is
`| 0.1 | 0.2 |`. Its left cell is a declaration of 0.1; its right cell holds declarations of 0.2, or begins with "gone".
A line "Same: ..." names declarations that did not change. "Unchanged headers: ..." names whole headers.
"No longer public: ..." names headers that users cannot include any more. A table with the single heading "New in 0.2"
lists what 0.1 did not have.
"""

import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ["", "math", "skin", "topology", "tangle", "leash", "scene"]


def without_comments(text):
    pattern = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)
    return pattern.sub(lambda m: m.group(0) if m.group(0)[0] == '"' else " ", text)


def tidy(text):
    text = re.sub(r"\bCAPSTAN_API\b", "", text)
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s*([(),;<>])\s*", lambda m: m.group(1), text)
    text = re.sub(r",", ", ", text)
    return re.sub(r"([>)])(?=[A-Za-z_=])(?!=[=])", r"\1 ", text)


def closing(text, start):
    """The index behind the brace that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i + 1
    raise ValueError("unbalanced braces")


def at_top(text, wanted):
    """The indexes of the character `wanted` outside brackets of any kind."""
    depth, found = 0, []
    for i, c in enumerate(text):
        if c in "([{<" and not (c == "<" and text[i - 8 : i] == "operator"):
            depth += 1
        elif c in ")]}" or (c == ">" and depth > 0 and text[i - 1] != "-" and text[i - 1] != "="):
            depth -= 1
        elif c == wanted and depth == 0:
            found.append(i)
    return found


def is_function(text):
    head = text
    for i in at_top(text, "="):
        if text[i - 1] not in "=<>!+-*/" and text[i + 1 : i + 2] != "=" and "operator" not in text[:i]:
            head = text[:i]
            break
    return "(" in re.sub(r"alignas\s*\([^)]*\)|decltype\s*\([^)]*\)", "", head)


def split_variables(text):
    """Splits `int a = 0, b = 1` into `int a = 0` and `int b = 1`."""
    cuts = at_top(text, ",")
    if not cuts:
        return [text]
    parts = [text[a:b].strip() for a, b in zip([0] + [c + 1 for c in cuts], cuts + [len(text)])]
    found = re.match(r"(.*?[\s*&>])([A-Za-z_]\w*(?:\[[^\]]*\])?\s*(?:=.*)?)$", parts[0], re.S)
    if not found:
        return [text]
    kind = found.group(1).strip()
    return [parts[0]] + [kind + " " + p for p in parts[1:]]


def declarations(text, scope="", private=False):
    """(scope, declaration) of all public declarations in a header."""
    result, i, start = [], 0, 0
    while i < len(text):
        c = text[i]
        if c == "#" and text[start:i].strip() == "":
            end = i
            while True:
                end = text.find("\n", end)
                end = len(text) if end < 0 else end
                if text[end - 1] != "\\":
                    break
                end += 1
            define = re.match(r"#\s*define\s+(\w+(?:\([^)]*\))?)", text[i:end])
            if define:
                result.append(("", "#define " + define.group(1)))
            i = start = end
            continue
        if c == "(":
            depth = 0
            while True:
                depth += (text[i] == "(") - (text[i] == ")")
                i += 1
                if depth == 0:
                    break
            continue
        if c == ":" and text[i + 1 : i + 2] != ":" and text[i - 1] != ":":
            word = text[start:i].strip()
            if word in ("public", "private", "protected"):
                private = word != "public"
                start = i + 1
        elif c == ";":
            piece = text[start:i].strip()
            if piece and not private:
                if not is_function(piece) and not re.match(r"(using|template|friend|struct|class)\b", piece):
                    result += [(scope, tidy(p)) for p in split_variables(piece)]
                else:
                    result.append((scope, tidy(piece)))
            start = i + 1
        elif c == "{":
            head, end = text[start:i].strip(), closing(text, i)
            body = text[i + 1 : end - 1]
            if re.match(r"namespace\b", head):
                if "detail" not in head:
                    result += declarations(body, scope, False)
                i = start = end
                continue
            plain = re.sub(r"^template\s*<.*?>\s*(?=struct|class)", "", head, flags=re.S)
            if re.match(r"enum\b", plain):
                name = tidy(re.sub(r":.*", "", plain)).split()[-1]
                if not private:
                    result.append((scope, tidy("enum " + name)))
                    inner = scope + name + "::"
                    cuts = at_top(body, ",")
                    for a, b in zip([0] + [k + 1 for k in cuts], cuts + [len(body)]):
                        if body[a:b].strip():
                            result.append((inner, tidy(body[a:b])))
                start = i = end
                after = re.match(r"[^;]*;", text[i:])
                i = start = end + (after.end() if after else 0)
                continue
            if re.match(r"(struct|class|union)\b", plain) and not is_function(plain):
                name = re.match(r"(?:struct|class|union)\s+(?:alignas\s*\([^)]*\)\s*)?(?:CAPSTAN_API\s+)?(?:\[\[\w+\]\]\s*)?(\w+(?:\s*<[^{]*?>)?)", plain)
                if name and not private:
                    bare = tidy(name.group(1))
                    result.append((scope, "type " + bare))
                    result += declarations(body, scope + bare + "::", head.startswith("class"))
                after = re.match(r"[^;]*;", text[end:])
                i = start = end + (after.end() if after else 0)
                continue
            if is_function(head) or re.search(r"\boperator\b", head):
                cut = at_top(head, ":")
                cut = [k for k in cut if head[k - 1] != ":" and head[k + 1 : k + 2] != ":"]
                if not private:
                    result.append((scope, tidy(head[: cut[0]] if cut else head)))
                i = start = end
                if text[end : end + 1] == ";":
                    i = start = end + 1
                continue
            i = end
            continue
        i += 1
    return result


def clean(scope, text):
    text = re.sub(r"^(inline|explicit|static|constexpr|CAPSTAN_HD|CAPSTAN_INLINE)\s+", "", text)
    while True:
        shorter = re.sub(r"^((?:template<.*?> ?)?)(inline|static|constexpr|explicit|CAPSTAN_HD|CAPSTAN_INLINE|\[\[nodiscard\]\]|friend)\s+", r"\1", text)
        if shorter == text:
            break
        text = shorter
    # A position in the scope is put before the text: "World:: RopeId add(const RopeDef& def)".
    return (scope + " " if scope else "") + text


def public_headers(root):
    base = os.path.join(root, "include", "capstan")
    if not os.path.isdir(base):
        base = os.path.join(root, "capstan")
    found = {}
    for folder in FOLDERS:
        where = os.path.join(base, folder)
        if not os.path.isdir(where):
            continue
        for name in sorted(os.listdir(where)):
            if name.endswith(".hpp") and not name.startswith("world_"):
                found[os.path.join(folder, name)] = os.path.join(where, name)
    return found


def api(root):
    """{header: [declaration]} of the headers of a working tree."""
    result = {}
    for name, path in public_headers(root).items():
        with open(path) as file:
            text = without_comments(file.read())
        seen = []
        for scope, item in declarations(text):
            if not item.startswith(("static_assert", "namespace", "using namespace")):
                one = clean(scope, item)
                if one not in seen:
                    seen.append(one)
        result[name] = seen
    return result


def read_list(path):
    result, header = {}, None
    with open(path) as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("## "):
                header = line[3:]
                result[header] = []
            elif line and not line.startswith("#") or line.startswith("#define"):
                result[header].append(line)
    return result


def cells(line):
    return [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]]


def quoted(text):
    """The texts in single backticks. Double backticks hold hints, which are not declarations."""
    return re.findall(r"`([^`]+)`", re.sub(r"``.*?``", "", text))


def check(page, old, new):
    faults = []
    unchanged, internal, same, rows, fresh = [], [], [], [], []
    state = None
    with open(page) as file:
        lines = file.read().split("\n")
    header = None
    for number, line in enumerate(lines, 1):
        title = re.match(r"##+ .*`([\w/]+\.hpp)`", line)
        if title:
            header = title.group(1)
        if line.startswith("Unchanged headers:"):
            unchanged += [(number, q) for q in quoted(line)]
        elif line.startswith("No longer public:"):
            internal += [(number, q) for q in quoted(line)]
        elif line.startswith("Same:"):
            same += [(number, header, q) for q in quoted(line)]
        elif re.match(r"\|\s*0\.1\s*\|", line):
            state = "rows"
        elif re.match(r"\|\s*New in 0\.2\s*\|", line):
            state = "new"
        elif line.startswith("|") and not re.match(r"\|[-| ]+\|$", line):
            if state == "rows":
                rows.append((number, header, cells(line)))
            elif state == "new":
                fresh += [(number, header, q) for q in quoted(cells(line)[0])]
        elif not line.startswith("|"):
            state = None

    all_new = {d for found in new.values() for d in found}
    told_old = {h: set() for h in old}
    told_new = set()
    for number, name in unchanged:
        if name not in old or name not in new:
            faults.append(f"{page}:{number}: header {name}: must be in both versions")
            continue
        if old[name] != new[name]:
            differ = sorted(set(old[name]) ^ set(new[name]))
            faults.append(f"{page}:{number}: header {name}: is called unchanged, but differs: {differ[:8]}")
        told_old[name] |= set(old[name])
        told_new |= set(new[name])
    for number, name in internal:
        if name not in old or name in new:
            faults.append(f"{page}:{number}: header {name}: must be in 0.1 and not in 0.2")
        else:
            told_old[name] |= set(old[name])
    for number, where, item in same:
        if where not in old or item not in old[where]:
            faults.append(f"{page}:{number}: 0.1 has no `{item}` in {where}")
        elif item not in all_new:
            faults.append(f"{page}:{number}: `{item}` is called the same, but 0.2 does not have it")
        else:
            told_old[where].add(item)
            told_new.add(item)
    for number, where, row in rows:
        if len(row) < 2:
            faults.append(f"{page}:{number}: a row needs two cells")
            continue
        left = quoted(row[0])
        for item in left:
            if where not in old or item not in old[where]:
                faults.append(f"{page}:{number}: 0.1 has no `{item}` in {where}")
            else:
                told_old[where].add(item)
        right = quoted(row[1])
        if row[1].startswith("gone"):
            for item in left:
                if where in new and item in new[where]:
                    faults.append(f"{page}:{number}: `{item}` is called gone, but {where} has it")
            continue
        if not right:
            faults.append(f"{page}:{number}: the right cell names no declaration and does not begin with \"gone\"")
        for item in right:
            if item in all_new:
                told_new.add(item)
            else:
                faults.append(f"{page}:{number}: 0.2 has no `{item}`")
    for number, where, item in fresh:
        if where not in new or item not in new[where]:
            faults.append(f"{page}:{number}: 0.2 has no `{item}` in {where}")
        told_new.add(item)
    for name, items in old.items():
        faults += [f"{name}: `{d}` of 0.1 is missing" for d in items if d not in told_old[name]]
    for name, items in new.items():
        faults += [f"{name}: `{d}` of 0.2 is missing" for d in items if d not in told_new]
    return faults


SELFTEST_OLD = {"a.hpp": ["type A", "A:: int x = 0", "A:: void f(int a)"], "b.hpp": ["type B"], "c.hpp": ["type C"]}
SELFTEST_NEW = {"a.hpp": ["type A", "A:: int y = 0", "A:: void f(int a)", "A:: void g()"], "b.hpp": ["type B"]}
SELFTEST_PAGE = """## `a.hpp`

| 0.1 | 0.2 |
|---|---|
| `A:: int x = 0` | `A:: int y = 0`: ``a.y`` |

| New in 0.2 |
|---|
| `A:: void g()` |

Same: `type A`, `A:: void f(int a)`

Unchanged headers: `b.hpp`

No longer public: `c.hpp`
"""


def selftest():
    def faults(page, new=SELFTEST_NEW):
        with tempfile.NamedTemporaryFile("w", suffix=".md") as file:
            file.write(page)
            file.flush()
            return check(file.name, SELFTEST_OLD, new)

    assert faults(SELFTEST_PAGE) == [], faults(SELFTEST_PAGE)
    for line in ("| `A:: int x = 0` | `A:: int y = 0`: ``a.y`` |", "| `A:: void g()` |", ", `A:: void f(int a)`", "`b.hpp`", "`c.hpp`"):
        assert faults(SELFTEST_PAGE.replace(line, "")), line
    assert faults(SELFTEST_PAGE.replace("| `A:: int y = 0`: ``a.y`` |", "| gone |")), "a new declaration is not told"
    assert faults(SELFTEST_PAGE.replace("int y", "int z")), "a form that 0.2 does not have"
    assert faults(SELFTEST_PAGE, {**SELFTEST_NEW, "b.hpp": ["type B", "B:: int x"]}), "a header that did change"
    text = """namespace n { struct A : B { int a = 0, b[2] = {1, 2}; explicit A(int c) : a(c) {} private: int d; };
        template <class T> T twice(T t) { return t + t; } enum class E { One, Two }; class C { int e; public: void f() const; }; }"""
    found = [clean(s, d) for s, d in declarations(text)]
    wanted = ["type A", "A:: int a = 0", "A:: int b[2] = {1, 2}", "A:: A(int c)", "template<class T> T twice(T t)", "enum E", "E:: One", "E:: Two",
              "type C", "C:: void f() const"]
    assert found == wanted, found
    print("migration: the checker finds what it must")
    return 0


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    if len(sys.argv) == 3 and sys.argv[1] == "--list":
        for name, items in sorted(api(sys.argv[2]).items()):
            print("## " + name)
            print("\n".join(items))
        return 0
    page = os.path.join(ROOT, "docs", "migration.md")
    faults = check(page, read_list(os.path.join(ROOT, "tools", "api_0_1.txt")), api(ROOT))
    for fault in faults:
        print(fault)
    print(f"migration: {len(faults)} faults" if faults else "migration: every declaration of both versions is there")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
