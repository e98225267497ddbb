#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The documents that quote an example quote what compiles: README.md and docs/hello.md hold examples/hello.cpp,
less its opening comment, word for word."""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
lines = (root / "examples/hello.cpp").read_text().splitlines()
code = "\n".join(line for line in lines if not line.startswith("//")).strip()
bad = [name for name in ("README.md", "docs/hello.md") if code not in (root / name).read_text()]
for name in bad:
    print(f"{name}: does not quote examples/hello.cpp as it is now", file=sys.stderr)
sys.exit(1 if bad else 0)
