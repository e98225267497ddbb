#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the pages under docs/reference/ that are not written by hand: scene.md, cli.md and api.md.

  make_reference.py [--capstan PROGRAM] [PAGE...]   writes them (PROGRAM: build/release/capstan)
  make_reference.py --check [PAGE...]               fails where a page is out of date
  make_reference.py --selftest                      tests the output for a small header

`capstan info --fields` prints scene.md, and --help prints cli.md. The page api.md comes from the comments of the public
headers. It contains the head of a file, the comment above or behind a declaration, and the help of a Def's fields().
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Headers in the order of api.md; all other headers follow by name. The folders have the same order.
FIRST = ["capstan.hpp", "world.hpp", "id.hpp", "anchor.hpp", "world_def.hpp", "rope_def.hpp", "defs.hpp", "material.hpp",
         "body_def.hpp", "joint_def.hpp", "cloth_def.hpp", "hair_def.hpp", "contact.hpp", "event.hpp", "query.hpp", "report.hpp",
         "step_times.hpp", "tasks.hpp", "transform.hpp", "point.hpp", "result.hpp", "check.hpp", "debug_draw.hpp"]
FOLDERS = ["", "scene", "tangle", "topology", "skin", "leash"]


# ---- Reading a header
def split(text):
    """The text as (kind, piece, column): comment, code or blank; code without preprocessor lines."""
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    for match in re.finditer(r"//[^\n]*|\n[ \t]*(?=\n)|\n|[^\S\n]+|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|[{}();]|[^\s{}();\"'/]+|/", text):
        piece = match[0]
        column = match.start() - (text.rfind("\n", 0, match.start()) + 1)
        if piece.startswith("//"):
            yield "comment", piece[2:].strip(), column
        elif piece.startswith("\n") and len(piece) > 1 or piece == "\n" and text[match.end():match.end() + 1] == "\n":
            yield "blank", "", 0
        elif piece == "\n":
            yield "line", "", 0
        else:
            yield "code", " " if piece.isspace() else piece, column


class Item:
    def __init__(self, text, above):
        self.text, self.above, self.behind, self.members = re.sub(r"\s+", " ", text).strip(), above, [], []


def read(pieces, i, depth_end):
    """Declarations from piece i to the brace that closes this scope: (items, next piece)."""
    items, above, text, nest, column = [], [], "", 0, None
    while i < len(pieces):
        kind, piece, at = pieces[i]
        if kind == "comment":
            if items and not text.strip() and column is not None and (column == at or column == -1):
                items[-1].behind.append(piece)
                column = at
            elif not text.strip():
                above.append(piece)
                column = None
            elif nest == 0 and "enum" not in text:
                text += " "
        elif kind == "blank":
            if not text.strip():
                above, column = ([], None) if above else (above, None)
        elif kind == "line":
            if column == -1:
                column = None
        elif piece == "{" and nest == 0:
            head = re.sub(r"\s+", " ", text).strip()
            if re.match(r"(namespace|extern)\b", head):
                inner, i = read(pieces, i + 1, True)
                items += inner
                text, above = "", []
                continue
            if re.match(r"(template ?<.*?> ?)?(struct|class|enum|union)\b", head) and "(" not in head:
                item = Item(head, above)
                if head.startswith("enum"):
                    item.members, i = enumerators(pieces, i + 1)
                else:
                    item.members, i = read(pieces, i + 1, True)
                items.append(item)
                text, above = "", []
                while i < len(pieces) and pieces[i][1] != ";":
                    i += 1
                i += 1
                column = -1
                continue
            end = matching(pieces, i)
            if head.endswith(("=", "return")) or not re.search(r"\)[^)]*$", head):
                text += "".join(p[1] if p[0] == "code" else " " for p in pieces[i:end])
                i = end
                continue
            items.append(Item(re.sub(r"\) : .*", ")", head), above))
            text, above, column, i = "", [], -1, end
            continue
        elif piece == "}" and nest == 0:
            return items, i + 1
        elif piece == ";" and nest == 0:
            if text.strip():
                items.append(Item(text, above))
            text, above, column = "", [], -1
        else:
            nest += (piece == "(") - (piece == ")")
            text += piece
            if re.fullmatch(r"\s*(public|private|protected):\s*", text):
                items.append(Item(text, []))
                text, column = "", None
        i += 1
    return items, i


def enumerators(pieces, i):
    items, text = [], ""
    while pieces[i][1] != "}":
        kind, piece, _ = pieces[i]
        if kind == "comment" and (text.strip(" ,") or items):
            for name in filter(None, (n.strip() for n in text.split(","))):
                items.append(Item(name, []))
            text = ""
            if items:
                items[-1].behind.append(piece)
        elif kind == "code":
            text += piece
        i += 1
    items += [Item(n.strip(), []) for n in text.split(",") if n.strip()]
    return items, i + 1


def matching(pieces, i):
    depth = 0
    while True:
        depth += (pieces[i][1] == "{") - (pieces[i][1] == "}") if pieces[i][0] == "code" else 0
        i += 1
        if depth == 0:
            return i


def field_help(text):
    """Of each visit("name", d.name, any("unit", "help")): name -> (unit, help), for each fields() function."""
    found = {}
    for owner, body in re.findall(r"DefOf<(\w+)>.*?void fields\([^)]*\) \{(.*?)\n\}", text, flags=re.S):
        for name, rest in re.findall(r'visit\(\s*"(\w+)",\s*d\.\w+,\s*(.*?)\);(?=\s*(?:visit|$))', body + "\n", flags=re.S):
            strings = [s for s in re.findall(r'"((?:\\.|[^"\\])*)"', rest)]
            found[owner, name] = (strings[0] if strings else "", "".join(strings[1:]))
    return found


# ---- Writing a page
def cell(text):
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;") if text else ""


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def hidden(item):
    text = item.text
    return bool(re.match(r"(friend|~|static_assert|using namespace|explicit operator|CAPSTAN_\w+\()|.*\boperator\b|.*= (default|delete)$", text)
                or re.search(r"\bvoid fields\(|_$|^template ?<[^>]*> ?void fields|\b(detail|Impl)\b", text))


def plain(text):
    text = re.sub(r"\b(CAPSTAN_API|CAPSTAN_HD|CAPSTAN_INLINE|\[\[nodiscard\]\]) ?", "", text)
    return re.sub(r"\s*:\s*\w+\(.*$", "", text) if re.search(r"\) : ", text) else text


def type_of(item):
    match = re.search(r"(struct|class|union|enum class|enum) (?:CAPSTAN_API )?(\w+)", item.text)
    return match and match[2]


def table(members, owner, helped, out):
    rows, public = [], True
    flush = lambda: (out.extend(["| declaration | meaning |", "|---|---|", *rows, ""]) if rows else None, rows.clear())
    for m in members:
        if m.text.strip() in ("public:", "private:", "protected:"):
            public = m.text.strip() == "public:"
            continue
        if not public or hidden(m):
            continue
        if m.above:
            flush()
            out += [cell(" ".join(m.above)), ""]
        name = re.match(r".*?(\w+)(?: =.*| \{.*|\[.*|$)", m.text)
        unit, words = helped.get((owner, name[1] if name else ""), ("", ""))
        words = " ".join(m.behind) or (f"{unit}; {words}" if unit and words else unit or words)
        if type_of(m) and m.members:
            words = words or ", ".join(n.text for n in m.members if not hidden(n))
        rows.append(f"| {code(plain(m.text))} | {cell(words)} |")
    flush()


def prose(lines):
    """A file's opening comment: its sentences as they are, and what is indented (formulas, lists) as it stands there."""
    out, inside = [], False
    for line in lines:
        indented = line.startswith("   ")
        if indented != inside:
            out += ["```", ""] if inside else ["", "```text"]
            inside = indented
        out.append(line[2:].rstrip() if indented else re.sub(r"<(?=[a-z/])", "&lt;", line.strip()))
    return [*out, "```"] if inside else out


def header_page(path, text, out):
    head = re.match(r"(?:// SPDX[^\n]*\n)?((?://[^\n]*\n)+)", text)
    items, _ = read(list(split(text)), 0, False)
    items = [m for m in items if not hidden(m) and not re.match(r"(template ?<[^>]*> ?)?(struct|class) \w+$", m.text) or m.members]
    if not items:
        return
    out += [f"## {path}", ""]
    if head:
        out += [*prose(line[2:] for line in head[1].splitlines()), ""]
    helped, loose = field_help(text), []
    for m in items:
        if type_of(m) and m.members:
            table(loose, "", helped, out)
            loose = []
            out += [f"### {type_of(m)}", "", code(plain(m.text)), ""]
            if m.above:
                out += [cell(" ".join(m.above)), ""]
            table(m.members, type_of(m), helped, out)
        elif not hidden(m):
            loose.append(m)
    table(loose, "", helped, out)


def api(_, root=ROOT):
    include = root / "include" / "capstan"
    out = ["# The API", "", "<!-- Made by tools/make_reference.py from the public headers; do not edit by hand. -->", "",
           "`#include <capstan/capstan.hpp>` has all that a program needs to simulate. The headers in folders are for those who use them.",
           "Every call says its unit. SI units, radians; [concepts](../concepts.md) has conventions and lifetimes.", ""]
    for folder in FOLDERS:
        found = sorted((include / folder).glob("*.hpp"), key=lambda p: (FIRST.index(p.name) if p.name in FIRST else 99, p.name))
        for path in found:
            header_page(path.relative_to(include.parent).as_posix(), path.read_text(encoding="utf-8"), out)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).rstrip() + "\n"


def asked_of(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def scene(program):
    return asked_of(program, "info", "--fields")


def cli(program):
    whole = asked_of(program, "--help")
    out = ["# The command line", "", "<!-- Made by tools/make_reference.py from --help; do not edit by hand. -->", "",
           "[Output](output.md) describes files, exit codes and `--json`. `./run` passes these commands on to the program.", "",
           "```text", whole.strip(), "```", ""]
    for word in re.findall(r"^  (\w+) {2,}\S", whole[whole.index("ommands:"):], flags=re.M):
        out += [f"## {word}", "", "```text", asked_of(program, word, "--help").strip(), "```", ""]
    return re.sub(r"[ \t]+$", "", "\n".join(out), flags=re.M)


SMALL = '''// SPDX-License-Identifier: MIT
// Small: a header to try this on.
#pragma once
namespace capstan {
// A place.
struct Spot {
    float x = 0; // m
    std::vector<int> ids = {}; // whose
    explicit Spot(int a) : x(float(a)) {}
private:
    int hidden_ = 0;
};
template <DefOf<Spot> D, class V> void fields(D& d, V&& visit) {
    visit("x", d.x, any("m", "where"));
}
enum class Way { Up, Down /*,*/ };
// Goes there.
void go(const Spot& to, float speed = 1); // m/s
class Walker {
public:
    int steps() const { return 1; } // so far
};
} // namespace capstan
'''


def selftest():
    out = []
    header_page("capstan/small.hpp", SMALL, out)
    text = "\n".join(out)
    wanted = ["Small: a header to try this on.", "### Spot", "A place.", "| `float x = 0` | m |", "whose", "### Way", "| `Up` |", "Goes there.",
              "| `void go(const Spot& to, float speed = 1)` | m/s |", "| `int steps() const` | so far |"]
    missing = [w for w in wanted if w not in text] + [f"not: {w}" for w in ("hidden_", "visit", "fields") if w in text]
    print("\n".join([f"make_reference: missing: {m}" for m in missing] + [text]) if missing else "make_reference: the small header is read")
    return 1 if missing else 0


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("pages", nargs="*", choices=[[], "scene", "cli", "api"])
    words.add_argument("--capstan", default=str(ROOT / "build" / "release" / "capstan"))
    words.add_argument("--check", action="store_true")
    words.add_argument("--selftest", action="store_true")
    asked = words.parse_args()
    if asked.selftest:
        return selftest()
    bad = 0
    for page in asked.pages or ["scene", "cli", "api"]:
        path = ROOT / "docs" / "reference" / f"{page}.md"
        text = globals()[page](asked.capstan)
        if not asked.check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"docs/reference/{page}.md is not what tools/make_reference.py {page} writes", file=sys.stderr)
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
