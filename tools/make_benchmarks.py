#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/benchmarks.md from the files under bench/results/.

  make_benchmarks.py            writes the tables
  make_benchmarks.py --check    fails where a table differs from its file
  make_benchmarks.py --selftest

A table stands between two comments:

  <!-- table FILE: CASE...: QUALITY... -->
  <!-- end -->

A row of Capstan's backend `scalar` is left out if there is a `simd` row with the same bits. For files of
capstan_device the first list names scenes ("*": all), the second columns.
"""
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
MARK = re.compile(r"(<!-- table (\S+): (.*?): (.*?) -->\n)(.*?)(<!-- end -->)", re.S)


def microseconds(text):
    value = float(text or 0)
    return "" if value == 0 else f"{value:.1f}" if value < 100 else f"{value:.0f}" if value < 10000 else f"{value / 1000:.1f} ms"


def percent_or_number(text):
    return re.sub(r"e([+-])0*(\d)", r"e\1\2", text)


def table(lines, cases, wanted):
    told = [line[1:].strip() for line in lines if line.startswith("#")]
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    if rows and "device_median_us" in rows[0]:
        return device(rows, cases, wanted)
    rows = [r for r in rows if r["case"] in cases]
    wide = {(r["case"], r["variant"]) for r in rows if r["backend"] == "simd"}
    rows = [r for r in rows if r["backend"] != "scalar" or (r["case"], r["variant"]) not in wide]
    out = [f"`{told[0].split(', ')[0]}`, {', '.join(told[0].split(', ')[1:])}." if told else "", "",
           "| case | engine | variant | threads | µs a frame | median | " + " | ".join(f"`{w}`" for w in wanted) + " |",
           "|---" * (6 + len(wanted)) + "|"]
    for r in rows:
        quality = dict(word.split("=", 1) for word in r["quality"].split() if "=" in word)
        out.append(f"| {r['case']} | {r['engine']} | {r['variant']} | {r['threads']} | {microseconds(r['usPerFrame'])} | "
                   f"{microseconds(r['usMedian'])} | " + " | ".join(percent_or_number(quality.get(w, "")) for w in wanted) + " |")
    return out


def device(rows, scenes, wanted):
    out = ["| scene | backend | threads | " + " | ".join(f"`{w}`" for w in wanted) + " |", "|---" * (3 + len(wanted)) + "|"]
    for r in rows:
        if r["scene"] in scenes or scenes == ["*"]:
            out.append(f"| {r['scene']} | {r['backend']} | {r['threads']} | " + " | ".join(r[w] for w in wanted) + " |")
    return out


def filled(text, read):
    def put(match):
        cases = [c.strip() for c in match[3].split(",")]
        lines = table(read(match[2]).splitlines(), cases, match[4].split())
        return match[1] + "\n" + "\n".join(lines).strip() + "\n\n" + match[6]
    return MARK.sub(put, text)


def selftest():
    page = "a\n<!-- table x.csv: W1: peakStretch -->\nold\n<!-- end -->\nb\n"
    data = ("# capstan bench W1, a machine\ncase,engine,variant,backend,threads,usPerFrame,usMedian,quality,hash\n"
            'W1,capstan,"2, substeps",scalar,1,20,20,peakStretch=1.2e-05,0\nW1,capstan,"2, substeps",simd,1,10.15,12345,peakStretch=1.2e-05,0\n'
            "W4,capstan,x,simd,1,1,1,,0\n")
    got = filled(page, lambda _: data)
    good = ("| W1 | capstan | 2, substeps | 1 | 10.2 | 12.3 ms | 1.2e-5 |" in got or "| W1 | capstan | 2, substeps | 1 | 10.1 | 12.3 ms | 1.2e-5 |" in got
            ) and "W4" not in got and "old" not in got and got.count("| W1 ") == 1 and "`capstan bench W1`, a machine." in got
    print("make_benchmarks: the table is made" if good else got)
    return 0 if good and filled(got, lambda _: data) == got else 1


def main():
    if sys.argv[1:] == ["--selftest"]:
        return selftest()
    old = PAGE.read_text(encoding="utf-8")
    new = filled(old, lambda path: (ROOT / path).read_text(encoding="utf-8"))
    if sys.argv[1:] == ["--check"]:
        if old != new:
            print("docs/benchmarks.md is not what tools/make_benchmarks.py writes", file=sys.stderr)
        return int(old != new)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
