#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the documentation: every path, call, key and scene that a page names exists, and every block of code is tested.

  check_docs.py [--root ROOT] [--capstan PROGRAM] [--compiler CXX]   checks README.md, CONTRIBUTING.md and docs/
  check_docs.py --selftest                                           plants one fault of each kind and expects each to be found

Blocks of code, by the words behind the three backticks:
  cpp              a program (with a main), or lines of a function that has a world and one id of each kind. All pages
                   are compiled in one translation unit, syntax only
  cpp FILE         an exact quote of FILE, without its opening comment; cmake FILE, json FILE and so on are quotes, too
  cmake            refused: a block of CMake is quoted from a file that a test builds
  json             a scene, loaded by PROGRAM; "json output" is only parsed
  sh               its commands and their options exist; "sh run": it is run, in an empty folder, with PROGRAM on the path
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("include", "src", "docs", "tools", "scenes", "examples", "tests", "bench", "validation", "render", "apps", "cmake", "worlds")
README_LINES, README_NUMBERS, MANUAL_LINES = 100, 25, 150
# Pages about older versions, and pages that a program makes from the code.
OLD = ("docs/migration.md", "CHANGELOG.md")
MADE = ("docs/reference/", "docs/validation.md")
# Pages for readers of the engine's code: these may name internals.
INSIDE = ("docs/theory/", "docs/architecture.md", "docs/add_a", "CONTRIBUTING.md", "docs/benchmarks.md", "src/")
# Lines about other engines.
OTHERS = re.compile(r"\b(Box2D|Jolt|MuJoCo|PhysX|Bullet)\b")
# Words in backticks that are not Capstan's: names of other engines, of formulas, of shells.
FOREIGN = re.compile(r"^(bt|b2|mj|Jolt|JPH|std::|libegl|GL|NDEBUG|CMAKE_|CXX|PATH|LP_|UBSAN|GTEST|CLANG|EI$|EA$|OUT$)")


class Page:
    def __init__(self, root, path):
        self.path = path
        self.lines = (root / path).read_text(encoding="utf-8").splitlines()
        self.blocks = []  # (line of its first line, words, text)
        self.prose = []   # (line, text) outside blocks
        words, begin = None, 0
        for number, line in enumerate(self.lines, 1):
            if line.lstrip().startswith("```"):
                if words is None:
                    words, begin = line.strip().strip("`").split(), number + 1
                else:
                    self.blocks.append((begin, words, self.lines[begin - 1:number - 1]))
                    words = None
            elif words is None:
                self.prose.append((number, line))
        self.open = words is not None


def pages_of(root):
    found = [p for p in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md") if (root / p).exists()]
    found += sorted(p.relative_to(root).as_posix() for folder in ("docs", "src") for p in (root / folder).rglob("*.md"))
    return [Page(root, path) for path in found]


def words_in(root, folders, suffixes):
    words = set()
    for folder in folders:
        for path in (root / folder).rglob("*"):
            if path.suffix in suffixes and path.is_file():
                words |= set(re.findall(r"[A-Za-z_]\w*", path.read_text(encoding="utf-8", errors="replace")))
    return words


class Checker:
    def __init__(self, root, capstan=None, compiler=None):
        self.root, self.capstan, self.compiler = root, capstan, compiler
        self.bad = []
        self.public = words_in(root, ["include"], {".hpp"})
        self.inside = self.public | words_in(root, ["src", "apps", "bench", "validation", "render", "tests", "tools"],
                                             {".hpp", ".cpp", ".cu", ".cuh", ".py"})
        # Keys of scenes and of --json, words of enums, options of the build: strings in these folders.
        self.keys = words_in(root, ["src/scene", "src/builder", "apps", "bench", "validation"], {".hpp", ".cpp"}) | words_in(
            root, ["scenes"], {".json"})
        for path in ("CMakeLists.txt", "CMakePresets.json", "tests/CMakeLists.txt", "tests/consumer/fetchcontent/CMakeLists.txt",
                     "run", "tools/test_parts.sh"):
            if (root / path).exists():
                self.keys |= set(re.findall(r"[A-Za-z_]\w*", (root / path).read_text()))
        main = root / "apps/capstan/main.cpp"
        text = main.read_text() if main.exists() else ""
        self.commands = set(re.findall(r'add_subcommand\(\s*"(\w+)"', text))
        self.options = set(re.findall(r'"(--[a-z][\w-]*)', text)) | {"--help", "--version"}
        self.files = {p.name for folder in FOLDERS for p in (root / folder).rglob("*.*")}
        self.scenes = sorted(p for p in (root / "scenes").rglob("*.json"))

    def say(self, page, line, what):
        self.bad.append(f"{page.path}:{line}: {what}")

    def run(self):
        pages = pages_of(self.root)
        for page in pages:
            if page.open:
                self.say(page, len(page.lines), "a block of code is not closed")
            self.links(page)
            if page.path not in OLD:
                if not page.path.startswith(MADE):
                    self.named(page)
                self.counts(page)
            for line, words, text in page.blocks:
                self.block(page, line, words, text)
        self.compile(pages)
        for page in pages:
            if page.path == "README.md":
                self.readme(page)
            if page.path.startswith("docs/manual/"):
                self.manual(page)
        return self.bad

    # ---- names in a page
    def links(self, page):
        for line, text in page.prose:
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                file = (self.root / page.path).parent / path if path else self.root / page.path
                if not file.exists():
                    self.say(page, line, f"link: {target} does not exist")
                elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
                    self.say(page, line, f"link: {path or page.path} has no heading #{anchor}")

    def named(self, page):
        known = self.inside if page.path.startswith(INSIDE) else self.public
        for line, text in page.prose:
            if page.path.startswith("src/") and OTHERS.search(text):
                continue
            for code in re.findall(r"`([^`]+)`", text):
                self.code(page, line, code.strip(), known)

    def code(self, page, line, code, known):
        if FOREIGN.match(code) or "…" in code or "*" in code:
            return
        if re.match(rf"({'|'.join(FOLDERS)})/[\w./-]*$", code):
            if not (self.root / code).exists():
                self.say(page, line, f"path: {code} does not exist")
            return
        if re.match(r"[\w/.-]+\.(hpp|cpp|cu|cuh|py|csv|md)$", code):
            if not ((self.root / page.path).parent / code).exists() and code.rpartition("/")[2] not in self.files:
                self.say(page, line, f"path: there is no {code}")
            return
        if re.match(r"(\./run|capstan)( |$)", code):
            return self.shell(page, line, code)
        if match := re.match(r"([a-z]+)/(\w+)$", code):
            if (self.root / "scenes" / match[1]).is_dir() and not (self.root / "scenes" / f"{code}.json").exists():
                self.say(page, line, f"scene: scenes/{code}.json does not exist")
            return
        called = re.findall(r"([A-Za-z_]\w*)\s*(?:<[\w:, ]*>)?\(", code)
        for name in called:
            if name not in known and name not in ("sqrt", "sin", "cos", "exp", "if", "for", "min", "max"):
                self.say(page, line, f"call: {name} in `{code}` is not in {'the code' if known is self.inside else 'a public header'}")
        if not called and (match := re.match(r'"?((?:\w+(?:::|\.))*\w+)"?$', code)) and not code[0].isdigit():
            for name in re.split(r"::|\.", match[1]):
                looks = re.search(r"[a-z][A-Z]|_", name) or "::" in code
                if looks and name not in known and name not in self.keys:
                    self.say(page, line, f"name: {name} in `{code}` is neither in the headers nor a key")

    def counts(self, page):
        for line, text in page.prose:
            for number in re.findall(r"\b(\d+) (?:sample )?scenes\b", text):
                if page.path == "README.md" and int(number) != len(self.scenes):
                    self.say(page, line, f"count: {number} scenes; there are {len(self.scenes)}")

    # ---- blocks
    def block(self, page, line, words, text):
        language = words[0] if words else ""
        if len(words) > 1 and words[1] not in ("run", "output"):
            return self.quoted(page, line, words[1], text)
        if language == "cmake":
            self.say(page, line, "cmake: name the file behind the word cmake, so that what is shown is what a test builds")
        elif language == "json":
            self.json(page, line, text, "output" in words)
        elif language in ("sh", "shell", "bash", "console"):
            if "run" in words:
                self.run_shell(page, line, text)
            for offset, command in enumerate(text):
                self.shell(page, line + offset, command)

    def quoted(self, page, line, path, text):
        file = self.root / path
        if not file.exists():
            return self.say(page, line, f"quote: {path} does not exist")
        comment = "#" if file.suffix in (".txt", ".cmake", ".py", ".sh") else "//"
        whole = file.read_text(encoding="utf-8").splitlines()
        while whole and (whole[0].startswith(comment) or not whole[0].strip()):
            whole.pop(0)
        shown, lines = [t.strip() for t in text], [w.strip() for w in whole]
        while shown and not shown[-1]:
            shown.pop()
        for start in range(len(lines) - len(shown) + 1):
            if lines[start:start + len(shown)] == shown:
                return None
        return self.say(page, line, f"quote: these lines are not in {path} as it is now")

    def json(self, page, line, text, output):
        text = "\n".join(text)
        whole = text if text.lstrip().startswith("{") or output else "{" + text + "}"
        try:
            json.loads(re.sub(r"^\s*//.*$", "", whole, flags=re.M))
        except ValueError as error:
            return self.say(page, line, f"json: {error}")
        if self.capstan and not output:
            with tempfile.NamedTemporaryFile("w", suffix=".json") as scene:
                scene.write(whole)
                scene.flush()
                done = subprocess.run([self.capstan, "info", scene.name], capture_output=True, text=True)
            if done.returncode != 0:
                self.say(page, line, f"json: {done.stderr.strip()}")
        return None

    def shell(self, page, line, command):
        match = re.match(r"\s*(?:\$ )?(?:\./run|capstan) +(?!-)([A-Za-z]+)\b(.*)", command)
        if not match or match[1].isupper():
            return
        word, rest = match[1], match[2].split("  ")[0].split(" #")[0]
        if word not in self.commands | {"build", "test", "help"}:
            self.say(page, line, f"command: there is no {word} (in `{command.strip()}`)")
        for option in re.findall(r"(?<!\S)(--[a-z][\w-]*)", rest):
            if option not in self.options:
                self.say(page, line, f"command: no option {option} (in `{command.strip()}`)")
        for scene in re.findall(r"(?<!\S)(scenes/[\w/.-]+)", rest):
            if not (self.root / scene).exists():
                self.say(page, line, f"scene: {scene} does not exist")

    def run_shell(self, page, line, text):
        if not self.capstan:
            return
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "scenes").symlink_to(self.root / "scenes")
            (pathlib.Path(folder) / "capstan").symlink_to(pathlib.Path(self.capstan).resolve())
            around = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
            done = subprocess.run(["bash", "-eu", "-c", "\n".join(text)], cwd=folder, env=around, capture_output=True,
                                  text=True, timeout=300)
            if done.returncode != 0:
                self.say(page, line, f"shell: exit {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}")

    def compile(self, pages):
        if not self.compiler:
            return
        heads, bodies = ["#include <capstan/capstan.hpp>"], []
        for page in pages:
            for line, words, text in page.blocks:
                if words != ["cpp"]:
                    continue
                heads += [t for t in text if t.startswith("#include")]
                text = [("" if t.startswith("#include") else t) for t in text]
                place = f'#line {line} "{page.path}"'
                name = f"block{len(bodies)}"
                if any(re.match(r"int main\(", t) for t in text):
                    bodies.append("\n".join([f"namespace {name} {{", place, *text, "}"]))
                else:
                    ids = "RopeId rope, BodyId body, JointId joint, ClothId cloth, HairId hair, float dt"
                    bodies.append("\n".join([f"namespace {name} {{ using namespace capstan;",
                                             f"[[maybe_unused]] void f([[maybe_unused]] World& world, {ids}) {{", place, *text, "}}"]))
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "pages.cpp"
            source.write_text("\n".join([*dict.fromkeys(heads), *bodies, ""]))
            done = subprocess.run([self.compiler, "-std=c++20", "-fsyntax-only", "-I", str(self.root / "include"), str(source)],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                errors = [e for e in done.stderr.splitlines() if ": error: " in e or ": fatal error: " in e]
                self.bad += [f"cpp: {e}" for e in errors or done.stderr.splitlines()[:5]]

    # ---- limits of length
    def readme(self, page):
        if len(page.lines) > README_LINES:
            self.say(page, len(page.lines), f"length: at most {README_LINES} lines, got {len(page.lines)}")
        numbers, paragraph = [], []
        for line, text in [*page.prose, (0, "")]:
            if text.startswith("|") or text.strip():
                paragraph.append((line, text))
            if not text.strip() or text.startswith("|"):
                found = [(at, n) for at, t in paragraph for n in numbers_in(t)]
                if found and not any(re.search(r"`(\./run|capstan) \w+", t) for _, t in paragraph):
                    self.say(page, found[0][0], f"number: {found[0][1]} has no command beside it")
                numbers += found
                paragraph = []
        if len(numbers) > README_NUMBERS:
            self.say(page, 1, f"numbers: at most {README_NUMBERS}, got {len(numbers)}: {' '.join(n for _, n in numbers)}")

    def manual(self, page):
        if len(page.lines) > MANUAL_LINES:
            self.say(page, len(page.lines), f"length: at most {MANUAL_LINES} lines, got {len(page.lines)}")
        if sum(line.startswith("## Limits") for line in page.lines) != 1:
            self.say(page, 1, "limits: a manual page has one list of its limits, under the heading Limits")


def numbers_in(text):
    """Numbers of a line outside code and links."""
    text = re.sub(r"`[^`]*`|!?\[[^\]]*\]\([^)]*\)|<[^>]*>", " ", text)
    return re.findall(r"(?<![\w.+/-])\d[\d.,]*(?:\^\d+)?", text)


def anchors(text):
    found = set()
    for heading in re.findall(r"^#+ (.+)$", text, flags=re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        found.add(re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-"))
    return found


SOUND = {
    "README.md": "# A\n\n![p](docs/images/a.png)\n\nOne rope takes 3 ms (`./run bench W1`). `world.step(dt)` and [b](docs/b.md#part-two).\n\n"
                 "There are 1 scenes: `./run check scenes`.\n\n```sh\n./run view scenes/rope/a.json --size 3x3\n```\n",
    "docs/b.md": "# B\n\n## Part two\n\n`maxGap`, `rope/a`, `include/capstan/capstan.hpp`, `World::step`.\n\n"
                 "```cpp\nworld.step(dt);\n```\n\n```cpp examples/e.cpp\nint main() {}\n```\n\n"
                 "```cpp\n#include <cstdio>\nint main() { std::puts(\"x\"); }\n```\n\n"
                 "```json\n{\"maxGap\": 1}\n```\n\n```cmake tests/c/CMakeLists.txt\nproject(a)\n```\n\n```sh run\ncapstan info scenes/rope/a.json\n```\n",
    "docs/manual/m.md": "# M\n\n## Limits\n- none\n",
    "docs/theory/t.md": "# T\n\n`solveAll()` is inside.\n",
    "docs/images/a.png": "",
    "scenes/rope/a.json": "{\"maxGap\": 1}\n",
    "examples/e.cpp": "// SPDX\n// About.\nint main() {}\n",
    "tests/c/CMakeLists.txt": "# SPDX\nproject(a)\n",
    "src/solve.hpp": "void solveAll();\n",
    "apps/capstan/main.cpp": "add_subcommand(\"view\" \"\"); add_subcommand(\"bench\"); add_subcommand(\"check\"); add_subcommand(\"info\");\n\"--size\"\n",
    "include/capstan/capstan.hpp": "namespace capstan { struct World { void step(float); }; struct RopeId {}; struct BodyId {};\n"
                                   "struct JointId {}; struct ClothId {}; struct HairId {}; }\n",
}
# Planted faults: the page, the text that is replaced, its replacement, and words that the message must contain.
FAULTS = [
    ("README.md", "docs/b.md#part-two", "docs/c.md", "README.md:5: link: docs/c.md does not exist"),
    ("README.md", "part-two", "part-three", "has no heading #part-three"),
    ("README.md", "world.step(dt)", "world.leap(dt)", "README.md:5: call: leap"),
    ("README.md", "1 scenes", "2 scenes", "count: 2 scenes; there are 1"),
    ("README.md", " (`./run bench W1`)", "", "number: 3 has no command beside it"),
    ("README.md", "3 ms", "3 ms" + " 4" * 30, "numbers: at most 25"),
    ("README.md", "# A\n", "# A\n" + "\n" * 100, "length: at most 100 lines"),
    ("README.md", "./run view", "./run veiw", "command: there is no veiw"),
    ("README.md", "--size", "--sise", "command: no option --sise"),
    ("README.md", "rope/a.json", "rope/b.json", "scene: scenes/rope/b.json does not exist"),
    ("docs/b.md", "`maxGap`", "`maxGab`", "name: maxGab"),
    ("docs/b.md", "`rope/a`", "`rope/b`", "scene: scenes/rope/b.json"),
    ("docs/b.md", "`include/capstan/capstan.hpp`", "`include/capstan/no.hpp`", "path: include/capstan/no.hpp"),
    ("docs/b.md", "`World::step`", "`World::solveAll`", "name: solveAll"),
    ("docs/b.md", "```cpp\nworld.step(dt)", "```cpp\nworld.leap(dt)", "cpp: docs/b.md:8:"),
    ("docs/b.md", "std::puts(", "std::puds(", "cpp: docs/b.md:17:"),
    ("docs/b.md", "e.cpp\nint main() {}", "e.cpp\nint main() { }", "docs/b.md:12: quote: these lines are not in examples/e.cpp"),
    ("docs/b.md", "cpp examples/e.cpp", "cpp examples/f.cpp", "quote: examples/f.cpp does not exist"),
    ("docs/b.md", "{\"maxGap\": 1}", "{\"maxGap\": }", "json: "),
    ("docs/b.md", "{\"maxGap\": 1}", "{\"maxGab\": 1}", "json: no maxGab"),
    ("docs/b.md", "cmake tests/c/CMakeLists.txt", "cmake", "cmake: name the file"),
    ("docs/b.md", "capstan info scenes/rope/a.json\n", "capstan info scenes/rope/a.json\nfalse\n", "shell: exit 1"),
    ("docs/b.md", "scenes/rope/a.json\n```\n", "scenes/rope/a.json\n", "a block of code is not closed"),
    ("docs/manual/m.md", "## Limits", "## Bounds", "limits: a manual page"),
    ("docs/manual/m.md", "- none", "- none" + "\n" * 150, "length: at most 150 lines"),
    ("docs/theory/t.md", "inside.", "inside `solve.hpp` and `slove.hpp`.", "path: there is no slove.hpp"),
    ("docs/theory/t.md", "solveAll()", "solveNone()", "call: solveNone"),
]


def selftest():
    compiler = shutil.which("c++") or shutil.which("g++")

    def check(files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            program = root / "program"  # refuses a scene with a key that it does not know
            program.write_text("#!/bin/sh\nif grep -q maxGab \"$2\"; then echo no maxGab >&2; exit 2; fi\n")
            program.chmod(0o755)
            return Checker(root, str(program), compiler).run()

    failed = [f"sound pages are refused: {line}" for line in check(SOUND)]
    for path, old, new, says in FAULTS:
        if says.startswith("cpp:") and not compiler:
            continue
        assert old in SOUND[path], (path, old)
        found = check({**SOUND, path: SOUND[path].replace(old, new)})
        if not any(says in line for line in found):
            failed.append(f"not found in {path}: {says!r}; said {found}")
    print("\n".join(failed) if failed else f"check_docs: {len(FAULTS)} planted faults found")
    return 1 if failed else 0


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--root", type=pathlib.Path, default=HERE)
    words.add_argument("--capstan", help="the program, for scenes and shell blocks")
    words.add_argument("--compiler", default=shutil.which("c++"), help="compiles the blocks; empty: not tried")
    words.add_argument("--selftest", action="store_true")
    asked = words.parse_args()
    if asked.selftest:
        return selftest()
    bad = Checker(asked.root, asked.capstan, asked.compiler).run()
    print("\n".join(bad) if bad else f"check_docs: {len(pages_of(asked.root))} pages say what is so")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
