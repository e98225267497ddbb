#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Words: a retired word must not come back in a name, and a sentence must be short and have a subject.

  check_words.py                    names and files of this repository against tools/words.tsv
  check_words.py --prose [PATH...]  comments, pages, errors and help (default: the whole repository)
  check_words.py --count            with either: how many in each folder, instead of the list
  check_words.py --root DIR         another repository
  check_words.py --selftest         plants one offence of each kind in a temporary tree and sees each caught

Names are identifiers (split at capitals), file names, and keys (scene files, the writers of JSON). Names of tests and
the words of comments are no names. tools/words.tsv has one row a meaning: old, new, kind, meaning, scope.
  kind type, identifier   `old` is a whole symbol, or `~word` for a word of any symbol
  kind file, key          `old` is a file's name without its ending, or a key
  kind prose              for readers only
  scope                   `all`, or globs that are separated by commas; `!glob` takes away
tools/words_allow.tsv lists symbols that keep a retired word: symbol, scope, reason.

Prose: a sentence has at most 25 words, does not open with What or Who (a question may), and never says "no number".
The help of a field or an option (visit() and CLI11 in C++, argparse in Python) names its subject too. It does not open
with How, Which, Where, When, Why, Of, Or, That or The same.
Code blocks, tables, formulas, addresses and the names of a citation do not count. A span in backticks is one word.
"""
import argparse
import collections
import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile

LONGEST = 25
HERE = pathlib.Path(__file__).resolve().parent
CPP = {".cpp", ".hpp", ".h", ".c", ".cc", ".cu", ".cuh", ".inl"}
HASH = {".py", ".sh", ".cmake", ".yml", ".yaml"}
HASH_NAMES = {"CMakeLists.txt", "run", ".gitignore", ".clang-format", ".clang-tidy"}
LEANS = re.compile(r"(What|Who|How|Which|Where|When|Why|Of|Or|That|The same)\b", re.I)
HELP_CALL = re.compile(r"\b(?:visit|add_option|add_flag|add_subcommand)\([^;{}]*$")
PYTHON_HELP = re.compile(r'\bhelp\s*=\s*\(?\s*((?:[rf]?"(?:\\.|[^"\\\n])*"\s*)+)')
TOKEN = re.compile(r'(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)|(?P<raw>\bR"(?P<d>[^(\s]*)\(.*?\)(?P=d)")'
                   r'|(?P<include>^[ \t]*#[ \t]*include[^\n]*)'
                   r'|(?P<text>"(?:\\.|[^"\\\n])*")|(?P<char>\'(?:\\.|[^\'\\\n])+\')|(?P<number>\b\d[\w\'.]*)'
                   r'|(?P<name>[A-Za-z_]\w*)|(?P<space>\s+)|(?P<other>.)', re.S | re.M)


# ---- Names

def words_of(name):
    return [w.lower() for w in re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+", name)]


def in_scope(path, scope):
    """True if the path is of a scope: `all`, or globs; with `!` in front, one that is taken away."""
    parts = [p.strip() for p in scope.split(",")]
    taken = [p[1:] for p in parts if p.startswith("!")]
    given = [p for p in parts if p and not p.startswith("!")]
    return ((not given or "all" in given or any(fnmatch.fnmatch(path, g) for g in given))
            and not any(fnmatch.fnmatch(path, g) for g in taken))


def read_table(path, columns):
    rows = []
    if path.exists():
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            cells = line.split("\t")
            if len(cells) != columns:
                raise SystemExit(f"{path}:{number}: {columns} columns expected, got {len(cells)}")
            if cells[0] != "old" and cells[0] != "symbol":
                rows.append(cells)
    return rows


class Words:
    def __init__(self, tools):
        self.symbols = collections.defaultdict(list)  # old -> rows
        self.words = collections.defaultdict(list)    # first of the words -> (words, row)
        self.files, self.keys = collections.defaultdict(list), collections.defaultdict(list)
        for old, new, kind, meaning, scope in read_table(tools / "words.tsv", 5):
            row = (old, new, scope)
            if kind == "file":
                self.files[old].append(row)
            elif kind == "key":
                self.keys[old].append(row)
            elif kind in ("identifier", "type"):
                if old.startswith("~"):
                    parts = old[1:].split()
                    self.words[parts[0]].append((parts, row))
                else:
                    self.symbols[old].append(row)
            elif kind != "prose":
                raise SystemExit(f"words.tsv: {old}: kind is one of identifier, type, file, key, prose, got {kind}")
        for new in {row[1] for rows in self.symbols.values() for row in rows}:
            self.symbols.pop(new, None)  # a word that is given up in one meaning may be the new word of another
        self.allow = collections.defaultdict(list)
        for symbol, scope, reason in read_table(tools / "words_allow.tsv", 3):
            if not reason.strip():
                raise SystemExit(f"words_allow.tsv: {symbol}: a reason is needed")
            self.allow[symbol].append(scope)

    def allowed(self, symbol, path):
        return any(in_scope(path, scope) for scope in self.allow.get(symbol, ()))

    def name(self, symbol, path):
        """The retired row that a symbol breaks, or None."""
        for row in self.symbols.get(symbol, ()):
            if in_scope(path, row[2]):
                return row
        words = words_of(symbol)
        for i, word in enumerate(words):
            for parts, row in self.words.get(word, ()):
                if words[i:i + len(parts)] == parts and in_scope(path, row[2]):
                    return row
        return None


TEST = re.compile(r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|INSTANTIATE_TEST_SUITE_P|BENCHMARK)\s*\([^)]*\)")
KEY = re.compile(r'"([A-Za-z][A-Za-z0-9_]*)"')
JSON_KEY = re.compile(r'"([A-Za-z][A-Za-z0-9_ ]*)"\s*:')


def check_names(root, files, table):
    """(path, line, message) of every retired name."""
    for path in files:
        stem = pathlib.PurePosixPath(path).name.split(".")[0]
        for old, new, scope in table.files.get(stem, ()):
            if in_scope(path, scope) and not table.allowed(stem, path):
                yield path, 1, f"file name `{old}` is retired; use `{new}`"
        suffix = pathlib.PurePosixPath(path).suffix
        if suffix == ".json":
            text = (root / path).read_text(errors="replace")
            for m in JSON_KEY.finditer(text):
                yield from key_offence(table, m.group(1), path, text.count("\n", 0, m.start()) + 1)
        if suffix not in CPP:
            continue
        text = (root / path).read_text(errors="replace")
        tests = [m.span() for m in TEST.finditer(text)]
        line, at_test = 1, 0
        for m in TOKEN.finditer(text):
            kind, token = m.lastgroup, m.group(0)
            if m.group("raw") is not None:
                kind = "raw"
            if kind == "name":
                while at_test < len(tests) and tests[at_test][1] <= m.start():
                    at_test += 1
                named = at_test < len(tests) and tests[at_test][0] <= m.start()
                row = None if named else table.name(token, path)
                if row and not table.allowed(token, path):
                    yield path, line, f"`{token}`: `{row[0].lstrip('~')}` is retired; use `{row[1]}`"
            elif kind == "text":
                key = KEY.fullmatch(token)
                if key:
                    yield from key_offence(table, key.group(1), path, line)
            line += token.count("\n")


def key_offence(table, key, path, line):
    for old, new, scope in table.keys.get(key, ()):
        if in_scope(path, scope) and not table.allowed(key, path):
            yield path, line, f"key `{old}` is retired; use `{new}`"


# ---- Prose

SKIP = re.compile(r"^\s*(SPDX-|Copyright|NOLINT|clang-format|!/|IWYU|-\*-|pylint|shellcheck|vim:|noqa|type:)")
FORMULA = re.compile(r"[=<>+*/^|~]|\w_\w*[({]|->|::")
LISTED = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")


class Block:
    """Neighbouring lines of prose: (line number, text)."""

    def __init__(self):
        self.lines = []

    def add(self, number, text):
        self.lines.append((number, text))


def paragraphs(lines, indent=2):
    """Splits the lines of a comment: an empty line, a list's next point, or a deeper indent ends a paragraph. Lines
    that are indented by more than `indent` are formulas, code or tables, and are left out."""
    now, out = [], []
    listed = False
    for number, text in lines:
        body = text.rstrip()
        deep = len(body) - len(body.lstrip())
        if not body.strip() or SKIP.match(body) or re.match(r"\s*[-=]{3,}", body):
            out.append(now)
            now, listed = [], False
            continue
        bullet = LISTED.match(body)
        if bullet:
            out.append(now)
            now, listed = [(number, body[bullet.end():])], True
            continue
        if deep > indent and not (listed and deep <= indent + 4):
            out.append(now)
            now, listed = [], False
            continue
        now.append((number, body.strip()))
    out.append(now)
    return [p for p in out if p]


def comment_blocks(text):
    """Paragraphs of the comments of a C++ or CUDA file, the strings that a person reads, and those that are a help."""
    lines = text.split("\n")
    comments, strings = [], []
    line, begins, column = 1, True, 0
    for m in TOKEN.finditer(text):
        token = m.group(0)
        start = m.start() - (text.rfind("\n", 0, m.start()) + 1)
        if m.group("line") is not None:
            alone = lines[line - 1][:start].strip() == ""
            comments.append((line, start, alone, token[2:].lstrip("/!")))
        elif m.group("block") is not None:
            comments.append((None, 0, True, ""))
            for k, part in enumerate(token[2:-2].split("\n")):
                comments.append((line + k, -1, True, re.sub(r"^\s*\*", "", part)))
            comments.append((None, 0, True, ""))
        elif m.group("raw") is None and m.group("text") is not None:
            strings.append((m.start(), m.end(), line, token[1:-1]))
        line += token.count("\n")
    now, last, found = [], None, []
    for number, column, alone, body in comments:
        joins = (last is not None and number is not None and number == last[0] + 1 and alone and column == last[1])
        if not joins:
            found.append(now)
            now = []
        if number is not None:
            now.append((number, body))
        last = (number, column) if number is not None else None
    found.append(now)
    blocks = []
    for comment in found:
        blocks += paragraphs(comment)
    return blocks, *joined_strings(text, strings)


def joined_strings(text, strings):
    """String literals that stand side by side are one. Returns those that hold a sentence, and helps: (line, help)."""
    out = []  # [begin, end, line, text]
    for begin, stop, line, body in strings:
        if out and text[out[-1][1]:begin].strip() == "":
            out[-1][1:] = [stop, out[-1][2], out[-1][3] + body]
        else:
            out.append([begin, stop, line, body])
    said, helps = [], []
    for begin, stop, number, body in out:
        body = body.replace('\\"', '"')
        if text[stop:].lstrip().startswith(")") and HELP_CALL.search(text[max(0, begin - 600):begin]):
            helps.append((number, body))
        for k, part in enumerate(re.split(r"\\n", body)):
            if len(re.findall(r"[A-Za-z]{2,}", part)) >= 4 and " " in part.strip() and not re.search(r"[;{]\s*$|#version", part):
                said.append([(number, part)])
    return said, helps


def hash_blocks(text, python):
    """Paragraphs of # comments, and of Python's docstrings."""
    blocks, now = [], []
    if python:
        for m in re.finditer(r'^[ \t]*"""(.*?)"""', text, re.S | re.M):
            first = text.count("\n", 0, m.start(1)) + 1
            body = [(first + k, part) for k, part in enumerate(m.group(1).split("\n"))]
            depth = min((len(t) - len(t.lstrip()) for _, t in body[1:] if t.strip()), default=0)
            body = [body[0]] + [(n, t[depth:]) for n, t in body[1:]]
            blocks += paragraphs(body, 1)
    last = None
    for number, line in enumerate(text.split("\n"), 1):
        m = re.match(r"^(\s*)#(?!!)(.*)$", line)
        if m and not (last and last == (number - 1, len(m.group(1)))):
            blocks += paragraphs(now)
            now = []
        if m:
            now.append((number, m.group(2)))
            last = (number, len(m.group(1)))
    return blocks + paragraphs(now)


def python_helps(text):
    """(line, help) of the options that a Python program declares with argparse."""
    for m in PYTHON_HELP.finditer(text):
        body = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', m.group(1)))
        yield text.count("\n", 0, m.start()) + 1, body


def page_blocks(text):
    """Paragraphs and points of lists of a Markdown page."""
    blocks, now, fence = [], [], None
    text = re.sub(r"<!--.*?-->", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S)
    for number, line in enumerate(text.split("\n"), 1):
        body = line.strip()
        mark = re.match(r"(```+|~~~+)", body)
        if fence:
            if mark and body.startswith(fence):
                fence = None
            continue
        if mark:
            fence = mark.group(1)
            body = ""
        code = line.startswith("    ") and not now
        if not body or code or body.startswith(("|", "#", "<", "![", "---", "===")) or re.match(r"^\$\$", body):
            blocks.append(now)
            now = []
            continue
        body = body.lstrip("> ")
        bullet = LISTED.match(body)
        if bullet:
            blocks.append(now)
            now, body = [], body[bullet.end():]
        now.append((number, body))
    blocks.append(now)
    return [b for b in blocks if b]


ABBREVIATION = re.compile(r"\b(e\.g|i\.e|cf|vs|etc|Fig|fig|Eq|eq|Sec|approx|No|St|et al|resp)\.\s")
STOP = re.compile(r"[.!?](?:[)\"'”]|\*\*|_)*(?=\s+(?:[A-Z0-9`\"'(“*_\[{]|[a-z]+[A-Z(]))")
CITED = re.compile(r"\([^()]*\b(?:1[6-9]\d\d|20\d\d)\b[^()]*\)")
NAMES = re.compile(r"(?:[A-Z][\w.’'-]+,\s+){2,}(?:and |& )?[A-Z][\w.’'-]+(?::[^.]*\((?:[^()]*\d{4})[^()]*\))?")


def sentences(block):
    """(line, sentence, as it is written) for each sentence of a paragraph. All have the same length."""
    text, starts = "", []
    for number, body in block:
        starts.append((len(text), number))
        text += body + " "
    said = text
    text = re.sub(r"`+[^`]+`+", lambda m: "`" + re.sub(r"[^\w`]", "_", m.group(0)[1:-1]) + "`", text)
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", lambda m: m.group(1).ljust(len(m.group(0))), text)
    text = re.sub(r"https?://\S+", lambda m: "U".ljust(len(m.group(0)), "_") if m.group(0)[-1] != "." else
                  "U".ljust(len(m.group(0)) - 1, "_") + ".", text)
    text = ABBREVIATION.sub(lambda m: m.group(0).replace(".", "_"), text)

    def line_of(at):
        here = starts[0][1]
        for begin, number in starts:
            if begin <= at:
                here = number
        return here

    begin = 0
    for stop in [m.end() for m in STOP.finditer(text)] + [len(text)]:
        piece = text[begin:stop]
        lead = len(piece) - len(piece.lstrip())
        if piece.strip():
            yield line_of(begin + lead), piece.strip(), said[begin:stop].strip()
        begin = stop


def count_words(sentence):
    sentence = CITED.sub(" ", sentence)
    sentence = NAMES.sub(" names ", sentence)
    count, formula = 0, False
    for token in sentence.split():
        core = token.strip(".,;:!?()[]{}\"'“”*")
        if not core or not re.search(r"\w", core):
            formula = formula or bool(FORMULA.search(token))
            continue
        if formula and len(core) == 1:
            continue
        symbol = "`" not in core and bool(FORMULA.search(core)) and not re.fullmatch(r"[A-Za-z]{2,}(/[A-Za-z]{2,})+", core)
        if symbol and formula:
            continue
        formula = symbol
        count += 1
    return count


def mostly_symbols(sentence):
    tokens = sentence.split()
    odd = sum(1 for t in tokens if not re.fullmatch(r"[\"'(“*]*[A-Za-z][a-z]*(?:[-’'][a-z]+)*[\"')”*.,;:!?]*", t))
    return len(tokens) > 0 and odd > 0.6 * len(tokens)


def check_prose(path, text):
    """(line, message) of every offence in a file's prose."""
    name = pathlib.PurePosixPath(str(path)).name
    suffix = pathlib.PurePosixPath(str(path)).suffix
    strings, helps = [], []
    if suffix in CPP:
        blocks, strings, helps = comment_blocks(text)
        if "tests" in pathlib.PurePosixPath(str(path)).parts:
            strings, helps = [], []
    elif suffix == ".md":
        blocks = page_blocks(text)
    elif suffix in HASH or name in HASH_NAMES or text.startswith("#!"):
        python = suffix == ".py" or "python" in text[:60]
        blocks = hash_blocks(text, python)
        if python:
            helps = list(python_helps(text))
            strings = [[h] for h in helps]
    else:
        return
    for line, body in helps:
        if LEANS.match(body):
            yield line, f"help opens with `{LEANS.match(body).group()}`; name the subject: {body[:87]}"
    for block in blocks + strings:
        for line, sentence, shown in sentences(block):
            shown = shown if len(shown) < 90 else shown[:87] + "..."
            count = count_words(sentence)
            if count > LONGEST and not mostly_symbols(sentence):
                yield line, f"{count} words (at most {LONGEST}): {shown}"
            if re.match(r"[\"'(“*]*(What|Who)\s", sentence, re.I) and not sentence.rstrip('"”*)').endswith("?"):
                yield line, f"opens with `{sentence.split()[0]}`; name the subject: {shown}"
            if re.search(r"(?<!\")\bno number\b", sentence, re.I):
                yield line, f"\"no number\"; say NaN or not finite: {shown}"


# ---- The whole

def tracked(root):
    out = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True)
    if out.returncode == 0:
        return [f for f in out.stdout.splitlines() if (root / f).is_file()]
    return sorted(str(p.relative_to(root)) for p in root.rglob("*") if p.is_file())


def prose_files(paths):
    for path in paths:
        if path.is_dir():
            yield from (p for p in sorted(path.rglob("*"))
                        if p.is_file() and ".git" not in p.parts and "build" not in p.parts)
        else:
            yield path


def report(found, count):
    """Prints what was found; returns the exit status."""
    if count:
        folders = collections.Counter(str(pathlib.PurePosixPath(str(path)).parent) for path, _, _ in found)
        for folder in sorted(folders):
            print(f"{folders[folder]:6} {folder}")
        print(f"{len(found):6} in all")
    else:
        for path, line, message in found:
            print(f"{path}:{line}: {message}")
    return 1 if found else 0


def prose(root, paths, count):
    found = []
    if paths:
        todo = [(p, p) for p in prose_files([pathlib.Path(p) for p in paths])]
    else:
        todo = [(f, root / f) for f in tracked(root)]
    for shown, path in todo:
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        found += [(shown, line, message) for line, message in check_prose(shown, text)]
    return report(found, count)


def names(root, tools, count):
    found = list(check_names(root, tracked(root), Words(tools)))
    status = report(found, count)
    if not status and not count:
        print("check_words: no retired word in a name")
    return status


# ---- Selftest

LONG = ("a rope that hangs from one pin and is held by another pin far away swings and sways to and fro until at last"
        " it comes to rest below")
OFFENCES = [
    ("a.cpp", "int tireSpeed = 0;\n", "names", "`tireSpeed`"),
    ("a.cpp", "struct Wheels {};\n", "names", "`Wheels`"),
    ("src/pushBack.hpp", "int rollBackAll;\n", "names", "`rollBackAll`"),
    ("src/old_name.cpp", "int a;\n", "names", "file name `old_name`"),
    ("scenes/a.json", '{"oldKey": 1}\n', "names", "key `oldKey`"),
    ("src/write.cpp", 'auto k = f("oldKey", x);\n', "names", "key `oldKey`"),
    ("a.cpp", f"// In the evening {LONG}.\nint a;\n", "prose", "words (at most 25)"),
    ("a.cpp", "int a; // What moves is\n       // not here.\n", "prose", "opens with `What`"),
    ("a.cpp", "// Good. Who touches goes first.\n", "prose", "opens with `Who`"),
    ("a.cpp", "// It holds no number there.\n", "prose", "no number"),
    ("a.cpp", f'auto e = error("In the evening "\n  "{LONG}");\n', "prose", "words (at most 25)"),
    ("a.hpp", 'visit("size", d.size, any("m", "of the whole"));\n', "prose", "help opens with `of`"),
    ("a.cpp", 'c.add_option("--at", o.at,\n  "how "\n  "long")->x();\n', "prose", "help opens with `how`"),
    ("a.py", 'p.add_argument("--at", help' + '="which file")\n', "prose", "help opens with `which`"),
    ("a.md", f"# Page\n\n- One point.\n- In the evening {LONG}.\n", "prose", "words (at most 25)"),
    ("a.py", f'"""First.\n\nIn the evening {LONG}.\n"""\n', "prose", "words (at most 25)"),
    ("CMakeLists.txt", "# What is built\n# comes first.\n", "prose", "opens with `What`"),
]
CLEAN = [
    ("b.cpp", "TEST(Tire, TheTireHolds) { int retired = 0; }\n// tireSpeed in a comment\n", "names"),
    ("b.cpp", "int wheelTire;\n", "names"),  # allowed
    ("other/old_name.cpp", "int a;\n", "names"),
    ("b.json", '{"newKey": "oldKey"}\n', "names"),
    ("b.cpp", f"//     In the evening {LONG}.\n// Short.\n", "prose"),
    ("b.cpp", "// Nodes move. They stop. " * 12 + "\n", "prose"),
    ("b.cpp", "// See x = a + b * c - d / e + f * g - h + i + j = k + l * m + n * o + p * q + r * s + t * u = v + w here.\n",
     "prose"),
    ("b.md", f"```\n{LONG}\n```\n\n| {LONG} | a |\n|---|---|\n\n## What it is\n\nWhat is a rope?\n", "prose"),
    ("b.hpp", 'visit("what", d.what, any("", "kind of thing"));\nauto s = f("of", "of it");\n', "prose"),
    ("b.py", 'p.add_argument("--what", help="file to read")\n', "prose"),
    ("b.cpp", f'auto s = R"({LONG} {LONG})";\n', "prose"),
    ("b.cpp", "// By planes (Chen, Hsu, Liu, Macklin, Yang, Yuksel, Wang, Li, Kim, Park, Sato, Ito, Abe, Ono, Mori, Ota, "
              "Ueda, Endo, Aoki, Goto, Kato, Hara, Wada, Imai, Maeda, Kudo 2025).\n", "prose"),
]


def selftest():
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        tools = root / "tools"
        tools.mkdir()
        (tools / "words.tsv").write_text(
            "old\tnew\tkind\tmeaning\tscope\n~tire\twheel\tidentifier\tm\tall\nWheels\tAxle\ttype\tm\tall\n"
            "~roll back\trestore\tidentifier\tm\tsrc/*\nold_name\tname\tfile\tm\tsrc/*\noldKey\tnewKey\tkey\tm\tall\n")
        (tools / "words_allow.tsv").write_text("symbol\tscope\treason\nwheelTire\tall\tthe maker's word\n")
        table = Words(tools)

        def run(name, text, kind):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            if kind == "names":
                return [m for _, _, m in check_names(root, [name], table)]
            return [m for _, m in check_prose(name, text)]

        for name, text, kind, expected in OFFENCES:
            found = run(name, text, kind)
            if not any(expected in m for m in found):
                failed.append(f"not caught in {name}: {text!r}: {found}")
        for name, text, kind in CLEAN:
            found = run(name, text, kind)
            if found:
                failed.append(f"wrongly caught in {name}: {text!r}: {found}")
    print("\n".join(failed) if failed else
          f"check_words: {len(OFFENCES)} planted offences caught, {len(CLEAN)} clean files passed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders, for --prose")
    parser.add_argument("--prose", action="store_true")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parent)
    parser.add_argument("--selftest", action="store_true")
    options = parser.parse_args()
    if options.selftest:
        return selftest()
    if options.prose:
        return prose(options.root, options.paths, options.count)
    if options.paths:
        parser.error("paths are for --prose; names are checked in the whole repository")
    return names(options.root, HERE, options.count)


if __name__ == "__main__":
    sys.exit(main())
