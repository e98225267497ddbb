#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds fused multiply-adds in the library's machine code. They round once less than the source code, so hashes would
differ between builds. The option -ffp-contract=off is not enough for GCC 12 (see CMakeLists.txt), so this tool reads the
machine code itself. Only the instructions that src/math/fused.hpp writes as assembly for hair are allowed."""
import re
import shutil
import subprocess
import sys

if not shutil.which("objdump"):
    print("objdump is not installed: nothing looked at")
    sys.exit(0)
bad = 0
for library in sys.argv[1:]:
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", library], capture_output=True, text=True, check=True).stdout
    where = ""
    for line in text.splitlines():
        if line.endswith(">:"):
            where = line.split("<", 1)[1][:-2]
        elif re.search(r"\s(vfn?m(add|sub)\w*|fmadd|fmsub|fmla|fmls)\s", line):
            if "capstan" in where and "Hair" in where and re.search(r"\s(vfn?madd231[ps]s|fn?madd|fmsub|fml[as])\s", line):
                continue
            print(f"{library}: {where}: {line.strip()}", file=sys.stderr)
            bad = 1
sys.exit(bad)
