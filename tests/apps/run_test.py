#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the script ./run in a copy of the tree. Fake cmake, ctest and apt-get are used: nothing is built or installed.

  run_test.py
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TESTS = {
    "rope/hang_test.cpp": "TEST(Hang, ByOneEnd) {}\n",
    "world/ropes/winch_test.cpp": "TEST_F(Winch, Pays) {}\nTEST_P(EveryWinch, Pays) {}\n",
    "world/cloth/wind_threads_test.cpp": "TEST(WindThreads, Agree) {}\n",
    "apps/viewer_test.cpp": "TEST(Viewer, Opens) {}\n",
}
PROGRAMS = {"rope/hang_test.cpp": "test_rope", "world/ropes/winch_test.cpp": "test_world",
            "world/cloth/wind_threads_test.cpp": "test_world_threads", "apps/viewer_test.cpp": "test_apps"}
CMAKE = """#!/bin/sh
echo "cmake $*" >>"$LOG"
for preset; do :; done
case "$*" in
*--preset*)
    mkdir -p "$TREES/$preset/tests"
    touch "$TREES/$preset/build.ninja"
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$HOME_TREE" >"$TREES/$preset/CMakeCache.txt"
    cp "$PROGRAMS" "$TREES/$preset/tests/programs.txt"
esac
"""
HELLO = """#!/bin/sh
echo " 1.0 s  100 N"
"""
NOTED = """#!/bin/sh
echo "$(basename "$0") $*" >>"$LOG"
"""


def program_commands():
    """The subcommands of the program, read from its source, because nothing is built here."""
    return re.findall(r'add_subcommand\("(\w+)"', (ROOT / "apps/capstan/main.cpp").read_text())


class Run(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.temporary.name).resolve() / "tree"
        for path in ("run", "tools/test_parts.sh", "tools/platforms.sh", "apps/capstan/main.cpp", "CMakePresets.json"):
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, self.root / path)
        for path, text in TESTS.items():
            (self.root / "tests" / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / "tests" / path).write_text(text)
        beside = self.root.parent
        self.log = beside / "log"
        (beside / "programs").write_text("".join(f"{program} {path}\n" for path, program in PROGRAMS.items()))
        self.script(beside / "bin/cmake", CMAKE)
        for name in ("ctest", "apt-get", "sudo", "aarch64-linux-gnu-g++", "clang++"):
            self.script(beside / "bin" / name, NOTED)
        self.script(beside / "bin/qemu-aarch64-static", '#!/bin/sh\nexec "$@"\n')
        for path in ("build/release/capstan", "tools/same_bits", "tools/check_fusing.py"):
            self.script(self.root / path, NOTED)
        for tree in ("release", "aarch64", "clang"):
            self.script(self.root / "build" / tree / "examples/hello", HELLO)
        self.around = {**os.environ, "PATH": f"{beside}/bin:{os.environ['PATH']}", "LOG": str(self.log),
                       "TREES": str(self.root / "build"), "HOME_TREE": str(self.root), "PROGRAMS": str(beside / "programs")}

    def tearDown(self):
        self.temporary.cleanup()

    def script(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def run_script(self, *words, code=0):
        self.log.unlink(missing_ok=True)
        done = subprocess.run([self.root / "run", *words], capture_output=True, text=True, timeout=60, env=self.around,
                              cwd=self.root)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        done.log = self.log.read_text().splitlines() if self.log.exists() else []
        done.built = [line for line in done.log if "--build" in line]
        done.tested = [line for line in done.log if line.startswith("ctest")]
        return done

    def refused(self, *words, says):
        done = self.run_script(*words, code=2)
        self.assertEqual(done.log, [], "something was built or installed")
        self.assertFalse((self.root / "build/release/build.ninja").exists())
        self.assertIn(says, done.stderr)
        return done

    def test_a_word_that_is_no_command(self):
        for word, nearest in (("chekc", "check"), ("veiw", "view"), ("buidl", "build"), ("tests", "test"),
                              ("infos", "info"), ("validte", "validate"), ("ru", "run")):
            done = self.refused(word, says=f'"{word}" is no command; did you mean "{nearest}"?')
            for command in ("build", "test", *program_commands()):
                self.assertRegex(done.stderr, rf"\b{command}\b")

    def test_every_command_of_the_program_is_one_here(self):
        self.assertIn("run", program_commands())
        for command in program_commands():
            done = self.run_script(command, "word", "--option")
            self.assertEqual(done.log[-1], f"capstan {command} word --option")
            self.assertEqual(len(done.built), 1)
            self.assertIn("--target capstan_cli", done.built[0])

    def test_paths_and_options_go_to_the_program(self):
        (self.root / "scene").write_text("{}")
        for words in (("scenes/no_such.json",), ("a.json",), ("scene",), ("--version",), ("-x", "bild")):
            self.assertEqual(self.run_script(*words).log[-1], "capstan " + " ".join(words))

    def test_help_needs_nothing(self):
        for words in (("--help",), ("-h",), ("help",)):
            done = self.run_script(*words)
            self.assertEqual(done.log, [])
            for line in ("./run build", "./run test PART", "./run WORD"):
                self.assertIn(line, done.stdout)
        done = self.run_script("test", "--help")
        self.assertEqual(done.log, [])
        self.assertIn("ropes", done.stdout)

    def test_build(self):
        self.assertIn("--target capstan_cli", self.run_script("build").built[0])
        done = self.run_script("build", "all", "test_rope")
        self.assertIn("--target all test_rope", done.built[0])
        self.assertEqual([line for line in done.log if line.startswith("capstan")], [])

    def test_a_part_builds_what_it_needs(self):
        done = self.run_script("test", "rope")  # the folders rope and ropes
        self.assertEqual(len(done.built), 1)
        self.assertIn("--target test_rope test_world --parallel", done.built[0])
        self.assertEqual(len(done.tested), 1)
        expression = re.search(r"-R (\S+)", done.tested[0])[1]
        for name in ("Hang.ByOneEnd", "Winch.Pays", "All/EveryWinch.Pays/3"):
            self.assertRegex(name, expression)
        for name in ("WindThreads.Agree", "Viewer.Opens", "layers"):
            self.assertNotRegex(name, expression)
        self.assertIn("trees: release", done.stderr)

    def test_parts_that_are_no_folder(self):
        done = self.run_script("test", "house")
        self.assertIn("-L house", done.tested[0])
        self.assertNotIn("test_", done.built[0])
        done = self.run_script("test", "viewer")
        self.assertIn("test_apps capstan_cli", done.built[0])
        self.assertEqual(len(done.tested), 2)  # the program's tests, and the window's

    def test_trees(self):
        done = self.run_script("test", "asan", "wind")
        self.assertIn("build/asan --target test_world_threads", done.built[0])
        self.assertRegex(done.tested[0], r"--test-dir \S*/build/asan .*-R \^asan")
        done = self.run_script("test", "tsan")
        self.assertIn("build/tsan --target capstan_tests", done.built[0])
        self.assertNotIn("-R", done.tested[0])
        self.assertEqual(len(self.run_script("test").built), 5)  # with hello here and on ARM64

    def test_platforms(self):
        done = self.run_script("test", "clang")
        self.assertEqual([re.search(r"build/(\w+) --target (.*) --par", line).groups() for line in done.built],
                         [("release", "example_hello"), ("clang", "all")])
        self.assertEqual(done.tested, [])
        compared = next(line for line in done.log if line.startswith("same_bits"))
        self.assertIn("build/clang/tests/capstan_golden --under env --worlds tests/golden/platforms.txt", compared)
        self.assertIn("platform clang: the same bits", done.stderr)
        self.assertIn("all passed, trees: clang,", done.stderr)

    def test_a_platform_without_its_packages(self):
        script = self.root / "tools/platforms.sh"
        script.write_text(script.read_text().replace(" aarch64-linux-gnu-g++\n", " no-such-compiler\n"))
        done = self.run_script("test", "aarch64")
        self.assertTrue(any(line.startswith("apt-get") and "g++-aarch64-linux-gnu" in line for line in done.log), done.log)
        self.assertIn("platform aarch64: SKIPPED, these packages are missing: g++-aarch64-linux-gnu", done.stderr)
        self.assertEqual(done.built, [])

    def test_a_platform_with_other_bits(self):
        self.script(self.root / "build/clang/examples/hello", NOTED)  # prints nothing
        done = self.run_script("test", "clang", code=1)
        self.assertIn("examples/hello prints other numbers", done.stderr)
        self.script(self.root / "build/clang/examples/hello", HELLO)
        self.script(self.root / "tools/same_bits", "#!/bin/sh\nexit 1\n")
        self.assertIn("test: FAILED", self.run_script("test", "clang", code=1).stderr)

    def test_a_word_that_is_no_part(self):
        done = self.refused("test", "roep", says='"roep" is no part of the tests; did you mean "rope"?')
        for part in ("cloth", "house", "golden", "docs", "asan", "tsan"):
            self.assertRegex(done.stderr, rf"\b{part}\b")
        self.refused("test", "rope", "tsna", says='did you mean "tsan"?')

    def test_a_tree_without_such_a_test(self):
        done = self.run_script("test", "asan", "house", code=1)
        self.assertIn("has no test of: house", done.stderr)

    def test_failures_are_failures(self):
        programs = pathlib.Path(self.around["PATH"].split(":")[0])
        self.script(programs / "ctest", "#!/bin/sh\nexit 8\n")
        self.assertIn("test: FAILED", self.run_script("test", "rope", code=1).stderr)
        self.script(programs / "cmake", "#!/bin/sh\nexit 1\n")
        self.assertIn("building release failed", self.run_script("build", code=1).stderr)
        (self.root / "build/release/build.ninja").unlink()
        self.assertIn("configuring release failed", self.run_script("build", code=1).stderr)

    @unittest.skipUnless(shutil.which("shellcheck"), "no shellcheck here")
    def test_shellcheck(self):
        done = subprocess.run(["shellcheck", "-x", "run", "tools/test_parts.sh", "tools/platforms.sh"], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
