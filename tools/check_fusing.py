#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds fused multiply-adds in the library's machine code. They round once less than the source code, so hashes would
differ between builds. The option -ffp-contract=off is not enough for GCC 12 (see CMakeLists.txt), so this tool reads the
machine code itself. Only those that src/math/fused.hpp asks for by name, for hair, are allowed.

  check_fusing.py [--objdump PROGRAM] LIBRARY…    PROGRAM reads machine code of x86-64 or ARM64; objdump when left out
"""
import re
import shutil
import subprocess
import sys

libraries, objdump = sys.argv[1:], "objdump"
if libraries[:1] == ["--objdump"]:
    objdump, libraries = libraries[1], libraries[2:]
if not shutil.which(objdump):
    print(f"{objdump} is not installed: nothing looked at")
    sys.exit(0)
bad = 0
for library in libraries:
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", library], capture_output=True, text=True, check=True).stdout
    where = ""
    for line in text.splitlines():
        if line.endswith(">:"):
            where = line.split("<", 1)[1][:-2]
        elif re.search(r"\s(vfn?m(add|sub)\w*|fn?madd|fn?msub|fml[as])\s", line):
            if "capstan" in where and "Hair" in where and re.search(r"\s(vfn?madd231[ps]s|fn?madd|fn?msub|fml[as])\s", line):
                continue
            print(f"{library}: {where}: {line.strip()}", file=sys.stderr)
            bad = 1
sys.exit(bad)
