#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Outputs are whole or absent: a full disk, a limit, a signal and a missing folder leave nothing that is half written.

  outputs_test.py PATH_OF_CAPSTAN
"""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CAPSTAN = ""
SWING = """{"frames": 30, "ropes": [{"to": [1, 0, 0], "segments": 20, "mass": 0.1, "pins": [0]}]%s}"""
LONG = "100000000"  # frames: the run does not end before the signal


class Outputs(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.temporary.name)
        self.out = folder / "out"
        self.out.mkdir()
        self.scene = folder / "s.json"
        self.scene.write_text(SWING % "", encoding="utf-8")

    def tearDown(self):
        self.temporary.cleanup()

    def words(self, *files, frames="30", size="64x48"):
        outs = [w for f in files for w in ("--out", str(f))]
        return [CAPSTAN, "run", str(self.scene), "--frames", frames, "--size", size, "--quality", "low", *outs]

    def fails(self, *words, says, **how):
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, **how)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("capstan: "), done.stderr)
        self.assertIn(says, done.stderr)

    def left(self):
        return sorted(f.name for f in self.out.iterdir())

    def kinds(self):
        drawn = ["a.png"] + (["a.mp4"] if shutil.which("ffmpeg") else [])
        return ["a.csv", "a.glb"] + (drawn if self.draws() else [])

    def draws(self):
        probe = self.out.parent / "probe.png"
        done = subprocess.run(self.words(probe, frames="1"), capture_output=True, text=True, timeout=300)
        return done.returncode == 0 and probe.exists()

    def test_whole(self):
        for name in self.kinds():
            done = subprocess.run(self.words(self.out / name), capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.left(), sorted(self.kinds()))
        for name in self.kinds():
            self.assertGreater((self.out / name).stat().st_size, 100, name)

    def test_missing_folder(self):
        for name in self.kinds():
            self.fails(*self.words(self.out / "no" / name), says="cannot be written: No such file or directory")
        self.assertEqual(self.left(), [])

    # /dev/full is a disk without room. It is written directly, and must not be replaced.
    def test_full_disk(self):
        for name in ("a.csv", "a.glb", "a.png"):
            if name not in self.kinds():
                continue
            (self.out / name).symlink_to("/dev/full")
            self.fails(*self.words(self.out / name), says="No space left on device")
        self.assertTrue(pathlib.Path("/dev/full").is_char_device())
        self.fails(CAPSTAN, "validate", "K4", "--markdown", str(self.out / "a.csv"), says="No space left on device")

    def limited(self):
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    # A limit of size fails in the middle of a regular file, as a disk does that becomes full.
    def test_no_room_in_the_middle(self):
        for name in self.kinds():
            (self.out / name).write_text("old", encoding="utf-8")
            self.fails(*self.words(self.out / name, frames="200", size="640x480"), says=name, preexec_fn=self.limited)
            self.assertEqual((self.out / name).read_text(encoding="utf-8"), "old", name)
        self.assertEqual(self.left(), sorted(self.kinds()))

    def stopped(self, name, how):
        process = subprocess.Popen(self.words(self.out / name, frames=LONG), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 60
        # It is at work once the file beside the place is there and holds something.
        while not any(f.stat().st_size > 0 for f in self.out.glob("*.part-*")) and time.monotonic() < until:
            time.sleep(0.02)
        self.assertTrue(list(self.out.glob("*.part-*")), "the run has not begun")
        process.send_signal(how)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, said)
        self.assertEqual(said, "capstan: stopped by a signal, so what was being written was removed\n")

    def test_signals(self):
        names = [n for n in self.kinds() if n in ("a.csv", "a.mp4")]
        for name in names:
            for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                self.stopped(name, how)
                self.assertEqual(self.left(), [])
            (self.out / name).write_text("old", encoding="utf-8")
            self.stopped(name, signal.SIGINT)
            self.assertEqual((self.out / name).read_text(encoding="utf-8"), "old")
            (self.out / name).unlink()

    def test_an_ignored_signal_stays_ignored(self):
        file = self.out / "a.csv"
        process = subprocess.Popen(self.words(file, frames="20000"), stdout=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        while not self.left() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(timeout=300), 0)
        self.assertEqual(self.left(), ["a.csv"])

    def test_rights_stay(self):
        file = self.out / "a.csv"
        file.write_text("old", encoding="utf-8")
        file.chmod(0o640)
        link = self.out / "link.csv"
        link.symlink_to(file)
        subprocess.run(self.words(link), check=True, capture_output=True, timeout=300)
        self.assertTrue(link.is_symlink())
        self.assertEqual(file.stat().st_mode & 0o777, 0o640)
        self.assertIn("frame,time", file.read_text(encoding="utf-8"))

    def test_an_answer_that_cannot_be_printed(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([CAPSTAN, "info", str(self.scene)], stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=300)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("could be printed", done.stderr)


if __name__ == "__main__":
    CAPSTAN = os.path.abspath(sys.argv.pop(1))
    unittest.main()
