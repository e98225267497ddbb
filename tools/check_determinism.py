#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds functions whose results differ between machines. Fails, with file:line, on one in the folders that compute the state.

  check_determinism.py [ROOT]       checks ROOT (default: this repository)
  check_determinism.py --selftest   plants each kind of function and expects a failure

IEEE 754 fixes + - * / and sqrt to the bit. The rest of libm differs between C libraries, approximate reciprocals
between processors, fused multiply-adds between compilers, clocks and random devices between runs. Comments and
strings are ignored. Only src/math/fused.hpp may use the multiply-add, where a formula fuses on purpose.
"""
import pathlib
import re
import sys
import tempfile

FOLDERS = ["include/capstan/math", "src/math", "src/core", "src/collision", "src/model", "src/solver", "src/cuda",
           "src/step", "src/builder"]
NAMES = "|".join("""sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p
pow cbrt hypot fma fmod remainder erf erfc tgamma lgamma lerp""".split())
OWN = "the C library's own rounding: use <capstan/math/transcendental.hpp>"
DENIED = [
    (rf"\bstd\s*::\s*({NAMES})f?\b(?=\s*\()", OWN),
    (rf"(?<![\w>:])::\s*({NAMES})f?\s*\(", OWN),
    (rf"(?<![\w.>:])({NAMES})f\s*\(", OWN),
    (rf"\b__builtin_({NAMES})f?\b", OWN),
    (r"\b\w*(rsqrt|rcp)(_?[pf]?[sd]|f|14|28)?(_\w+)?\s*\(", "an approximation that differs between processors"),
    (r"\b(__fmaf?_r[nzud]|__fdividef|__(sin|cos|tan|exp|log|pow)f|__saturatef|_mm\w*_f?n?m(add|sub)\w*)\b",
     "an intrinsic that rounds in its own way"),
    (r"\bstd\s*::\s*atomic(_ref)?\s*<\s*(float|double|R)\s*>", "sums by float atomics depend on the order of threads"),
    (r"\bstd\s*::\s*(reduce|transform_reduce|execution)\b", "sums in no fixed order"),
    (r"\bstd\s*::\s*(random_device|mt19937\w*|\w+_distribution|rand|srand|chrono|clock|time)\b",
     "differs from run to run"),
    (r"#\s*pragma\s+(GCC\s+optimize|clang\s+fp|STDC\s+FP_CONTRACT|fast_math)|"
     r"__attribute__\s*\(\(\s*optimize|\[\[gnu::optimize", "changes the rounding rules of the build"),
]
PATTERNS = [(re.compile(pattern), why) for pattern, why in DENIED]
# Comments, strings and character constants become blanks, line by line, so that line numbers stay.
SILENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])\'', re.S)


def check(root):
    bad = []
    files = (p for folder in FOLDERS for p in (root / folder).rglob("*"))
    for file in sorted(p for p in files if p.suffix in (".hpp", ".cpp", ".cu", ".cuh")):
        text = SILENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), file.read_text(encoding="utf-8"))
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, why in PATTERNS:
                if (match := pattern.search(line)) and not (file.name == "fused.hpp" and "fma" in match[0]):
                    bad.append(f"{file.relative_to(root).as_posix()}:{number}: {match[0].strip()} is denied: {why}")
    return bad


def selftest():
    sound = """// std::sin(x) in a comment, and rsqrt(x)
/* std::fma(a, b, c)
   std::pow(a, b) */
float a = std::sqrt(x) + capstan::sin(x) + sin(x) + v.cosf(x) + std::floor(x) + std::fabs(x) + std::min(a, b);
const char* s = "std::sin(x)"; long n = 1'000'000; std::atomic<int> count; auto t = atan2(y, x); float timestep = time(s);
"""
    offences = """std::sin(x)
std::fma(a, b, c)
std :: powf(a, b)
::cos(x)
sinf(x)
__builtin_expf(x)
rsqrt(x)
_mm256_rsqrt_ps(x)
_mm_rcp_ss(x)
rsqrtf(x)
__fmaf_rn(a, b, c)
__fdividef(a, b)
__sinf(x)
_mm256_fmadd_ps(a, b, c)
std::atomic<float> sum
std::reduce(a, b)
std::mt19937 random
std::chrono::steady_clock::now()
#pragma GCC optimize("fast-math")""".splitlines()
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "src" / "step" / "planted.hpp"
        file.parent.mkdir(parents=True)
        file.write_text(sound)
        failed += [f"sound code is refused: {line}" for line in check(pathlib.Path(folder))]
        for word in offences:
            file.write_text(sound + word + "\n")
            if not any(f.startswith("src/step/planted.hpp:6: ") for f in check(pathlib.Path(folder))):
                failed.append(f"not caught: {word}")
    print("\n".join(failed) if failed else f"check_determinism: {len(offences)} planted words caught")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    if not (root / "src").is_dir():
        print(f"check_determinism: no folder src in {root}", file=sys.stderr)
        return 2
    bad = check(root)
    print("\n".join(bad) if bad else "check_determinism: no denied word")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
