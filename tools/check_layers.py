#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks which folder includes which: reads every #include of the library and fails, with file:line, on one that breaks
the order of the folders ("ladder"). It also checks the sizes of folders and files.

  check_layers.py [ROOT]       checks ROOT (default: this repository)
  check_layers.py --selftest   plants one offence of each kind in a temporary tree and expects each to be found

1. A file includes only files of its own rung of the ladder and of lower rungs. A folder of include/capstan/ and the folder
   of the same name in src/ are one rung.
2. Public headers are written <capstan/...> and include public headers only. Everything in src/ is written in quotes, with
   its path from src/.
3. The library includes only the standard library and itself. Exceptions are CUDA's headers in .cu and .cuh files, and
   JSON in the .cpp files of scene/.
4. capstan.hpp reaches the headers of include/capstan/ and its math/. Pack is not among them, because Pack is the one
   type whose calling convention depends on -march. A user's file is compiled with the user's -march.
5. A folder has at most 20 sources. A .hpp and a .cpp of one name count once.
6. A source has at most 400 lines.
"""
import pathlib
import re
import sys
import tempfile

# From low to high; each line is one rung.
LADDER = """
math words core
collision/geometry collision/manifold
topology topology/diagram topology/knot topology/braid
model/constraints model
collision/contact
solver/rope solver/rope/iterative solver/joint solver/mechanism solver/impulse solver/coupled solver/coupled/bodies
solver/cloth solver/cloth/contact solver/hair
cuda step builder world
tangle debug_draw leash api
scene scene/format scene/play scene/check scene/import
""".split()
# Folders outside the ladder, and the only folders that they may include.
ASIDE = {"skin": ["math", "words"]}
# "words" are the basic public headers: those directly in include/capstan/ (result, check, id, ...), except these.
ABOVE_WORDS = {"capstan.hpp": "world", "world.hpp": "world", "debug_draw.hpp": "debug_draw"}
# Folders whose numbers of sources and lines are checked.
ROOMS = ["include", "src", "apps", "bench", "examples", "render", "validation", "tests", "worlds"]
MOST_SOURCES = 20
MOST_LINES = 400
CODE = (".hpp", ".cpp", ".cu", ".cuh")
MATH_STD = {"cmath", "cstdint", "cstring", "type_traits"}
STD = set("""
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes
climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal
cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception execution
filesystem forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream
iterator latch limits list locale map memory memory_resource mutex new numbers numeric optional ostream
queue random ranges ratio regex scoped_allocator semaphore set shared_mutex span sstream stack stdexcept
stop_token streambuf string string_view system_error thread tuple type_traits typeindex typeinfo
unordered_map unordered_set utility valarray variant vector version
""".split())
CUDA = {"cuda_runtime.h", "cooperative_groups.h"}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def rung(path):
    """'src/solver/rope/bend.hpp' -> 'solver/rope'; 'include/capstan/id.hpp' -> 'words'."""
    parts = pathlib.PurePosixPath(path).parts
    if parts[0] == "src":
        return "/".join(parts[1:-1])
    return "/".join(parts[2:-1]) or ABOVE_WORDS.get(parts[-1], "words")


def known(here):
    return here in LADDER or here in ASIDE


def may_see(here, there):
    if here in ASIDE:
        return there == here or there in ASIDE[here]
    if there in ASIDE:
        return LADDER.index(here) >= LADDER.index("world")
    return LADDER.index(there) <= LADDER.index(here)


def place(quote, target):
    """The file of this repository that an include names, or None for other files."""
    if quote == '"':
        return f"src/{target}"
    return f"include/{target}" if target.startswith("capstan/") else None


def complaint(root, path, quote, target):
    """The reason why `path` may not include `target`, or None if it may."""
    here, there = rung(path), place(quote, target)
    if not known(here):
        return f"folder {here or 'src itself'} is not on the ladder (tools/check_layers.py)"
    if there:
        if path.startswith("include/") and quote == '"':
            return f'a public header may include public headers only, not "{target}"'
        if not (root / there).is_file():
            how = "<capstan/...> names a public header" if quote == "<" else "quotes hold a path from src/"
            return f"{there} is not there; {how}"
        if not known(rung(there)):
            return f"{target}: folder {rung(there)} is not on the ladder (tools/check_layers.py)"
        return None if may_see(here, rung(there)) else f"{here} may not include {target}: that is up the ladder"
    if here == "math" and target not in MATH_STD:
        return f"math may include {' '.join(f'<{h}>' for h in sorted(MATH_STD))} only, not <{target}>"
    suffix = pathlib.PurePosixPath(path).suffix
    if target in STD or (target in CUDA and suffix in (".cu", ".cuh")):
        return None
    if here.startswith("scene/") and suffix == ".cpp" and target.startswith("nlohmann/"):
        return None
    return f"<{target}> is not a standard C++20 header; the library depends on nothing else"


def sizes(root):
    """Folders with too many sources, and sources with too many lines."""
    bad, names = [], {}
    for room in ROOMS:
        for file in sorted(p for p in (root / room).rglob("*") if p.suffix in (*CODE, ".py")):
            path = file.relative_to(root).as_posix()
            names.setdefault(str(pathlib.PurePosixPath(path).parent), set()).add(file.stem)
            count = len(file.read_text(encoding="utf-8").splitlines()) if file.suffix in CODE else 0
            if count > MOST_LINES:
                bad.append(f"{path}:{count}: a source has at most {MOST_LINES} lines")
    return bad + [f"{folder}:1: {len(stems)} sources; a folder has at most {MOST_SOURCES}"
                  for folder, stems in sorted(names.items()) if len(stems) > MOST_SOURCES]


def check(root):
    """All errors of the tree, as 'file:line: message'."""
    bad, includes = [], {}
    files = (p for room in ("include", "src") for p in (root / room).rglob("*") if p.suffix in CODE)
    for file in sorted(files):
        path = file.relative_to(root).as_posix()
        if not known(rung(path)):
            bad.append(f"{path}:1: folder {rung(path) or 'src itself'} is not on the ladder (tools/check_layers.py)")
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if not (match := INCLUDE.match(line)):
                continue
            includes.setdefault(path, []).append((number, match[1], match[2]))
            if why := complaint(root, path, match[1], match[2]):
                bad.append(f"{path}:{number}: {why}")
    reached, queue = set(), ["include/capstan/capstan.hpp"]
    while queue:
        path = queue.pop()
        for number, quote, target in includes.get(path, []):
            there = place(quote, target)
            if not there or there in reached:
                continue
            reached.add(there)
            if rung(there) not in ("math", "words", "world") or not there.startswith("include/"):
                bad.append(f"{path}:{number}: users of capstan.hpp must not be made to include {target}")
            else:
                queue.append(there)
    return bad + sizes(root)


def selftest():
    sound = {
        "include/capstan/math/vec.hpp": "#include <cmath>\n",
        "include/capstan/defs.hpp": "#include <capstan/math/vec.hpp>\n#include <string>\n",
        "include/capstan/world.hpp": "#include <capstan/defs.hpp>\n",
        "include/capstan/capstan.hpp": "#include <capstan/world.hpp>\n",
        "include/capstan/skin/tube.hpp": "#include <capstan/defs.hpp>\n",
        "include/capstan/topology/knot.hpp": "#include <capstan/math/vec.hpp>\n",
        "include/capstan/scene/scene.hpp": "#include <capstan/defs.hpp>\n",
        "src/math/pack.hpp": "#include <capstan/math/vec.hpp>\n",
        "src/topology/knot/knot.cpp": "#include <capstan/topology/knot.hpp>\n",
        "src/model/constraints/distance.hpp": '#include "math/pack.hpp"\n',
        "src/step/step.hpp": '#include "model/constraints/distance.hpp"\n',
        "src/cuda/ropes.cu": "#include <cuda_runtime.h>\n",
        "src/world/world.cpp": '#include <capstan/world.hpp>\n#include "step/step.hpp"\n',
        "src/scene/format/read.cpp": "#include <capstan/scene/scene.hpp>\n#include <nlohmann/json.hpp>\n",
    }
    many = {f"src/core/n{i}.{e}": "" for i in range(MOST_SOURCES) for e in ("hpp", "cpp")}
    offences = {  # file, its text, the line at fault, what else is there
        "upward": ("src/model/constraints/bend.hpp", '\n#include "step/step.hpp"\n', 2),
        "world from below": ("src/builder/rope.cpp", "#include <capstan/world.hpp>\n", 1),
        "engine from an API word": ("include/capstan/id.hpp", '#include "step/step.hpp"\n', 1),
        "a room of src/ from a public header": ("include/capstan/tangle/tangle.hpp", '#include "math/pack.hpp"\n', 1),
        "skin looks at the engine": ("src/skin/skin.cpp", '#include "step/step.hpp"\n', 1),
        "quotes for a neighbour": ("src/step/islands.hpp", '// a\n// b\n#  include "step.hpp"\n', 3),
        "src/ in angles": ("src/step/solve.hpp", "#include <capstan/step/step.hpp>\n", 1),
        "third party": ("src/collision/geometry/grid.cpp", "#include <Eigen/Core>\n", 1),
        "math and a container": ("src/math/mat.hpp", "#include <vector>\n", 1),
        "json in a header": ("include/capstan/scene/read.hpp", "#include <nlohmann/json.hpp>\n", 1),
        "cuda in a .cpp": ("src/cuda/device_none.cpp", "#include <cuda_runtime.h>\n", 1),
        "unknown folder": ("src/misc/a.hpp", "", 1),
        "unknown room of a known one": ("src/solver/gas/a.cpp", "#include <cmath>\n", 1),
        "a file that lies in no room": ("src/a.cpp", "", 1),
        "tangle in the API": ("include/capstan/check.hpp", "#include <capstan/tangle/tangles.hpp>\n", 1,
                              {"include/capstan/tangle/tangles.hpp": "",
                               "include/capstan/defs.hpp": "#include <capstan/check.hpp>\n"}),
        "21 sources in a folder": ("src/core", None, 1, {**many, "src/core/one_more.hpp": ""}),
        "a long file": ("src/core/long.cpp", "\n" * (MOST_LINES + 1), MOST_LINES + 1),
    }

    def tree(extra):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in {**sound, **extra}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            return check(root)

    failed = [f"a sound tree is refused: {line}" for line in tree({})]
    failed += [f"{MOST_SOURCES} pairs are refused: {line}" for line in tree(many)]
    for name, (path, text, line, *more) in offences.items():
        found = tree({**({} if text is None else {path: text}), **(more[0] if more else {})})
        if not any(f.startswith(f"{path}:{line}: ") for f in found):
            failed.append(f"not caught: {name} ({path}:{line}); found {found}")
    print("\n".join(failed) if failed else f"check_layers: {len(offences)} planted offences caught")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    if not (root / "src").is_dir():
        print(f"check_layers: no folder src in {root}", file=sys.stderr)
        return 2
    bad = check(root)
    print("\n".join(bad) if bad else "check_layers: every include points down the ladder")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
