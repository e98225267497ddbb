#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may include whom: reads every #include under capstan/ and fails, with file:line, on one that breaks the ladder.

  check_layers.py [ROOT]       checks ROOT/capstan (default: this repository)
  check_layers.py --selftest   plants one offence of each kind in a temporary tree and sees each caught

1. A file includes its own rung of the ladder and those below, never one above.
2. Core files include the standard library and Capstan, nothing else; CUDA's headers in .cu and .cuh, JSON in
   scene/*.cpp.
3. What capstan.hpp reaches are API headers and math/, without Pack: a user's file is compiled with the user's
   -march, and Pack is the one type whose calling convention depends on it.
"""
import pathlib
import re
import sys
import tempfile

# Low to high. "words" are the API's words: the files directly in capstan/ (result, check, id, ...) except World.
LADDER = ["math", "words", "constraints", "model", "collide", "topology", "step", "make", "world", "tangle", "debug",
          "leash", "scene"]
# Off the ladder: sees only these.
ASIDE = {"skin": ["math", "words"]}
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
    """'capstan/step/solve.hpp' -> 'step'; 'capstan/world.cpp' -> 'world'; 'capstan/id.hpp' -> 'words'."""
    parts = pathlib.PurePosixPath(path).parts
    if len(parts) > 2:
        return parts[1]
    name = parts[1]
    if name.startswith("debug_draw"):
        return "debug"  # beside the API's other headers, but it draws tangles
    return "world" if name.startswith("world") or name == "capstan.hpp" else "words"


def may_see(here, there):
    if here in ASIDE:
        return there == here or there in ASIDE[here]
    if there in ASIDE:
        return LADDER.index(here) >= LADDER.index("world")
    return LADDER.index(there) <= LADDER.index(here)


def complaint(path, quote, target):
    """Why `path` may not include `target`, or None when it may."""
    here = rung(path)
    if here not in LADDER and here not in ASIDE:
        return f"folder capstan/{here} is not on the ladder (tools/check_layers.py)"
    if quote == '"':
        return f'write #include <capstan/...>, not "{target}"'
    if target.startswith("capstan/"):
        there = rung(target)
        if there not in LADDER and there not in ASIDE:
            return f"{target}: folder capstan/{there} is not on the ladder (tools/check_layers.py)"
        return None if may_see(here, there) else f"{here} may not include {target}: that is up the ladder"
    if here == "math" and target not in MATH_STD:
        return f"math may include {' '.join(f'<{h}>' for h in sorted(MATH_STD))} only, not <{target}>"
    suffix = pathlib.PurePosixPath(path).suffix
    if target in STD or (target in CUDA and suffix in (".cu", ".cuh")):
        return None
    if here == "scene" and suffix == ".cpp" and target.startswith("nlohmann/"):
        return None
    return f"<{target}> is not a standard C++20 header; the core depends on nothing else"


def check(root):
    """Every complaint about root/capstan, as 'file:line: what'."""
    bad, includes = [], {}
    files = (p for p in (root / "capstan").rglob("*") if p.suffix in (".hpp", ".cpp", ".cu", ".cuh"))
    for file in sorted(files):
        path = file.relative_to(root).as_posix()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if not (match := INCLUDE.match(line)):
                continue
            includes.setdefault(path, []).append((number, match[2]))
            if why := complaint(path, match[1], match[2]):
                bad.append(f"{path}:{number}: {why}")
    reached, queue = set(), ["capstan/capstan.hpp"]
    while queue:
        path = queue.pop()
        for number, target in includes.get(path, []):
            if not target.startswith("capstan/") or target in reached:
                continue
            reached.add(target)
            if rung(target) not in ("math", "words", "world", "skin") or target == "capstan/math/pack.hpp":
                bad.append(f"{path}:{number}: users of capstan.hpp must not be made to include {target}")
            else:
                queue.append(target)
    return bad


def selftest():
    sound = {
        "capstan/math/vec.hpp": "#include <cmath>\n",
        "capstan/math/pack.hpp": "#include <capstan/math/vec.hpp>\n",
        "capstan/defs.hpp": "#include <capstan/math/vec.hpp>\n#include <string>\n",
        "capstan/constraints/distance.hpp": "#include <capstan/math/pack.hpp>\n",
        "capstan/step/step.hpp": "#include <capstan/constraints/distance.hpp>\n",
        "capstan/step/exec_cuda.cu": "#include <cuda_runtime.h>\n",
        "capstan/skin/tube.hpp": "#include <capstan/defs.hpp>\n",
        "capstan/world.hpp": "#include <capstan/defs.hpp>\n",
        "capstan/world.cpp": "#include <capstan/world.hpp>\n#include <capstan/step/step.hpp>\n",
        "capstan/capstan.hpp": "#include <capstan/world.hpp>\n",
        "capstan/scene/load.cpp": "#include <capstan/world.hpp>\n#include <nlohmann/json.hpp>\n",
    }
    offences = {  # file, its text, the line at fault
        "upward": ("capstan/constraints/bend.hpp", "\n#include <capstan/step/step.hpp>\n", 2),
        "world from below": ("capstan/make/rope.cpp", "#include <capstan/world.hpp>\n", 1),
        "engine from an API word": ("capstan/id.hpp", "#include <capstan/model/model.hpp>\n", 1),
        "skin looks at the engine": ("capstan/skin/hair.hpp", "#include <capstan/model/model.hpp>\n", 1),
        "quotes": ("capstan/model/state.hpp", '// a\n// b\n#  include "batch.hpp"\n', 3),
        "third party": ("capstan/collide/grid.cpp", "#include <Eigen/Core>\n", 1),
        "math and a container": ("capstan/math/mat.hpp", "#include <vector>\n", 1),
        "json in a header": ("capstan/scene/scene.hpp", "#include <nlohmann/json.hpp>\n", 1),
        "cuda in a .cpp": ("capstan/step/exec_simd.cpp", "#include <cuda_runtime.h>\n", 1),
        "unknown folder": ("capstan/misc/a.hpp", "#include <cmath>\n", 1),
        "pack in the API": ("capstan/check.hpp", "#include <capstan/math/pack.hpp>\n", 1),
    }

    def tree(extra):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in {**sound, **extra}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            return check(root)

    failed = [f"a sound tree is refused: {line}" for line in tree({})]
    for name, (path, text, line) in offences.items():
        extra = {path: text}
        if name == "pack in the API":
            extra["capstan/defs.hpp"] = "#include <capstan/check.hpp>\n"
        found = tree(extra)
        if not any(f.startswith(f"{path}:{line}: ") for f in found):
            failed.append(f"not caught: {name} ({path}:{line}); found {found}")
    print("\n".join(failed) if failed else f"check_layers: {len(offences)} planted offences caught")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    if not (root / "capstan").is_dir():
        print(f"check_layers: no folder capstan in {root}", file=sys.stderr)
        return 2
    bad = check(root)
    print("\n".join(bad) if bad else "check_layers: every include points down the ladder")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
