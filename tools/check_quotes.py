#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The documents that quote an example quote what compiles, less its opening comment, word for word."""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
quotes = {
    "examples/hello.cpp": ("README.md", "docs/hello.md"),
    "examples/mechanism.cpp": ("README.md", "docs/bodies.md"),
    "examples/capstan_haul.cpp": ("docs/contact.md",),
    "examples/three_dogs.cpp": ("docs/tangles.md",),
}
bad = 0
for example, documents in quotes.items():
    lines = (root / example).read_text().splitlines()
    code = "\n".join(line for line in lines if not line.startswith("//")).strip()
    for name in documents:
        if code not in (root / name).read_text():
            print(f"{name}: does not quote {example} as it is now", file=sys.stderr)
            bad = 1
sys.exit(bad)
