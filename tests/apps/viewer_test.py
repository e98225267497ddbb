#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the real window on a virtual screen (Xvfb), with mouse and key events from xdotool.

  viewer_test.py PATH_OF_CAPSTAN

Whatever the viewer does is read from its --trace, one JSON line per picture. Exits 77, with the reason, where a program
that it needs is missing.
"""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

CAPSTAN = ""
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCENE = """{"about": "what a mouse can do", "world": {"gravity": [0, -9.81, 0]},
"bodies": [
 {"name": "crate", "shape": {"kind": "box", "size": [0.6, 0.6, 0.6]}, "mass": 2, "position": [-1, 1.5, 0]},
 {"name": "floor", "type": "static", "shape": {"kind": "plane"}},
 {"name": "arm", "shape": {"kind": "box", "size": [0.8, 0.1, 0.1]}, "mass": 1, "position": [0.4, 2.6, 0]}],
"joints": [{"name": "motor", "type": "motor", "body1": "arm", "anchor": [0, 2.6, 0], "axis": [0, 1, 0], "controlY": 5}],
"ropes": [{"name": "line", "from": [1, 1.5, 0], "to": [2, 1.5, 0], "segments": 20, "mass": 0.1, "pins": [0, -1]}]}
"""
BROKEN = '{"about": "a rope of no thickness",\n"ropes": [{"from": [0, 2, 0], "to": [1, 2, 0], "radius": -1}]}\n'


CLOTH = """{"cloths": [{"name": "sheet", "origin": [-0.6, 2.4, 0], "edgeU": [1.2, 0, 0], "edgeV": [0, -1.2, 0],
"cellsU": 14, "cellsV": 14, "damping": 1, "pins": [0, 14]}], "camera": {"eye": [2.4, 2.4, 3], "target": [0, 1.8, 0]}}
"""


class Screen:
    """An X server without a screen."""

    def __init__(self):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            self.name = ":" + pipe.readline().strip()
        self.environment = {**os.environ, "DISPLAY": self.name}

    def close(self):
        self.process.terminate()
        self.process.wait()


class Viewer:
    def __init__(self, screen, folder, *words):
        self.environment, self.folder, self.trace = screen.environment, folder, folder / "trace"
        self.trace.write_text("")
        self.process = subprocess.Popen(
            [CAPSTAN, "view", *words, "--trace", str(self.trace)], cwd=folder,
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def now(self):
        """The content of the last whole line of the trace, or None."""
        lines = self.trace.read_text().splitlines(keepends=True)
        lines = [line for line in lines[-2:] if line.endswith("\n")]
        return json.loads(lines[-1]) if lines else None

    def until(self, what, holds, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            state = self.now()
            if state and holds(state):
                return state
            if self.process.poll() is not None:
                raise AssertionError(f"the viewer ended while waiting for: {what}\n{self.process.stderr.read()}")
            time.sleep(0.03)
        raise AssertionError(f"waited in vain for: {what}\n{self.now()}")

    def do(self, *words):
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True)

    def move(self, x, y):
        self.do("mousemove", round(x), round(y))

    def drag(self, x0, y0, x1, y1, button=1):
        """Presses the button and moves to the second point in steps; the button stays down."""
        self.move(x0, y0)
        self.do("mousedown", button)
        for i in range(1, 9):
            self.move(x0 + (x1 - x0) * i / 8, y0 + (y1 - y0) * i / 8)

    def click(self, widget):
        self.move(*self.now()["widgets"][widget])
        self.until("a picture", lambda s, n=self.now()["picture"]: s["picture"] > n + 1)
        self.do("click", 1)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Window(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.screen = Screen()
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)

    @classmethod
    def tearDownClass(cls):
        cls.screen.close()
        cls.temporary.cleanup()

    def test_everything_by_hand(self):
        scene = self.folder / "scene.json"
        scene.write_text(SCENE)
        v = Viewer(self.screen, self.folder, str(scene), "--width", "800", "--height", "500")
        self.addCleanup(v.close)
        v.until("the first pictures", lambda s: s["picture"] > 2 and s["steps"] > 5)
        for part in (self.pulls, self.pauses_and_steps, self.steers, self.cuts, self.pins, self.turns,
                     self.keeps_the_last_good_scene, self.helps_and_takes_photos, self.films):
            part(v, scene)
        v.do("key", "ctrl+q")
        self.assertEqual(v.process.wait(10), 0)
        self.assertEqual(v.process.stderr.read(), "")

    def pulls(self, v, _):
        x, y = v.until("a crate at rest", lambda s: s["time"] > 1)["places"]["crate"][3:]
        v.drag(x, y, x - 40, y - 70)
        state = v.until("the crate in the air", lambda s: s["pulling"] and s["places"]["crate"][1] > 0.6)
        self.assertEqual(state["selected"], "crate")
        # At rest in the air, the crate is held by its weight. Its corner is at the cursor.
        state = v.until("a force of its weight", lambda s: abs(s["force"] - 2 * 9.81) < 0.5)
        self.assertLess(math.dist(state["held"], state["goal"]), 0.1)
        self.assertLess(abs(state["places"]["crate"][3] - x + 40), 40)
        v.do("mouseup", 1)
        v.until("the crate let go", lambda s: not s["pulling"])
        v.until("the crate on the floor", lambda s: s["places"]["crate"][1] < 0.33)

    def pauses_and_steps(self, v, _):
        v.do("key", "space")
        state = v.until("a pause", lambda s: not s["playing"])
        time.sleep(0.3)
        self.assertEqual(v.now()["steps"], state["steps"])
        v.do("key", "period")
        v.until("one step", lambda s: s["steps"] == state["steps"] + 1)
        v.click("step")
        v.until("another", lambda s: s["steps"] == state["steps"] + 2)
        v.click("pause")
        v.until("going on", lambda s: s["playing"] and s["steps"] > state["steps"] + 5)
        v.do("key", "bracketleft")
        v.until("half the speed", lambda s: s["speed"] == 0.5)
        v.do("key", "bracketright")
        v.until("full speed", lambda s: s["speed"] == 1)

    def steers(self, v, _):
        v.do("keydown", "Up")
        v.until("the arm on the other side", lambda s: s["control"][1] == 1 and s["places"]["arm"][0] < -0.2)
        v.until("and back", lambda s: s["places"]["arm"][0] > 0.2)
        v.do("keyup", "Up")
        v.until("no control", lambda s: s["control"] == [0, 0])

    def cuts(self, v, _):
        before = v.now()
        x, y = before["ropePlaces"]["line"][3:]
        v.do("key", "2")
        v.until("the tool", lambda s: s["tool"] == "cut")
        v.drag(x, y - 40, x, y + 40)
        v.do("mouseup", 1)
        v.until("two ropes", lambda s: s["ropes"] == before["ropes"] + 1)
        v.do("key", "1")
        v.until("the tool", lambda s: s["tool"] == "pull")

    def pins(self, v, _):
        x, y = v.now()["places"]["crate"][3:]
        v.drag(x, y, x, y - 60)
        v.until("the crate in the air", lambda s: s["pulling"] and s["places"]["crate"][1] > 0.5)
        v.do("key", "p")
        state = v.until("a pin", lambda s: s["pinned"] and not s["pulling"])
        v.do("mouseup", 1)
        later = v.until("half a second", lambda s: s["time"] > state["time"] + 0.5)
        self.assertLess(abs(later["places"]["crate"][1] - state["places"]["crate"][1]), 0.05)

    def turns(self, v, _):
        before = v.now()["camera"]
        v.drag(500, 150, 560, 150, button=3)
        v.do("mouseup", 3)
        v.until("another yaw", lambda s: abs(s["camera"][0] - before[0]) > 0.1)
        v.do("click", 4)
        v.until("a nearer camera", lambda s: s["camera"][2] < before[2])

    def keeps_the_last_good_scene(self, v, scene):
        before = v.now()
        scene.write_text(BROKEN)
        state = v.until("the problem", lambda s: s["problem"])
        self.assertIn("scene.json:2:", state["problem"])
        self.assertIn("radius", state["problem"])
        self.assertEqual(state["bodies"], before["bodies"])
        v.until("the scene going on", lambda s: s["steps"] > state["steps"] + 10)
        v.do("key", "o")
        v.until("the text field", lambda s: s["typing"])
        v.do("type", "--delay", "5", str(ROOT / "scenes/tangle/two_dogs.json"))
        v.do("key", "Return")
        state = v.until("the dogs", lambda s: s["scene"].endswith("two_dogs.json"))
        self.assertEqual(state["problem"], "")
        self.assertIsInstance(state["word"], str)
        v.until("keys to be keys again", lambda s: not s["typing"])

    def helps_and_takes_photos(self, v, _):
        v.do("key", "question")
        v.until("help", lambda s: s["help"])
        v.do("key", "Escape")
        v.until("no help", lambda s: not s["help"])
        v.do("key", "F12")
        v.until("a photo", lambda s: s["notice"].startswith("photo written"))
        photo = (self.folder / "capstan-001.png").read_bytes()
        self.assertEqual(photo[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual((int.from_bytes(photo[16:20], "big"), int.from_bytes(photo[20:24], "big")), (800, 500))

    def films(self, v, _):
        if not shutil.which("ffmpeg"):
            self.skipTest("no ffmpeg")
        v.do("key", "F9")
        state = v.until("filming", lambda s: s["filming"])
        # Each picture of a film advances 1/30 s of simulated time, however long drawing takes.
        later = v.until("some pictures", lambda s: s["picture"] >= state["picture"] + 6)
        self.assertAlmostEqual((later["time"] - state["time"]) / (later["picture"] - state["picture"]), 1 / 30,
                               delta=0.004)
        v.do("key", "F9")
        v.until("the film", lambda s: s["notice"].startswith("film written"))
        self.assertGreater((self.folder / "capstan-001.mp4").stat().st_size, 1000)

    def test_cloth_is_pulled_and_pinned(self):
        scene = self.folder / "cloth.json"
        scene.write_text(CLOTH)
        v = Viewer(self.screen, self.folder, str(scene), "--width", "800", "--height", "500")
        self.addCleanup(v.close)
        start = v.until("a sheet", lambda s: s["picture"] > 2 and s["steps"] > 60)["clothPlaces"]["sheet"]
        v.drag(*start[3:], start[3] + 30, start[4] - 40)
        state = v.until("the sheet after the cursor", lambda s: s["pulling"] and math.dist(s["held"], start[:3]) > 0.2)
        self.assertIn("sheet vertex", state["selected"])
        self.assertGreater(state["force"], 0.1)
        self.assertGreater(state["clothMs"], 0)
        v.do("key", "p")
        v.until("a pin", lambda s: s["pinned"] and not s["pulling"])
        v.do("mouseup", 1)
        v.do("key", "p")
        v.until("no pin", lambda s: not s["pinned"])
        v.until("the sheet back", lambda s: math.dist(s["clothPlaces"]["sheet"][:3], start[:3]) < 0.1)

    def test_ends_by_itself(self):
        v = Viewer(self.screen, self.folder, str(ROOT / "scenes/rope/hanging.json"), "--frames", "3", "--photo",
                   "last.png", "--width", "480", "--height", "320")
        self.addCleanup(v.close)
        self.assertEqual(v.process.wait(20), 0)
        self.assertEqual(v.now()["picture"], 3)
        self.assertTrue((self.folder / "last.png").exists())


class Refusals(unittest.TestCase):
    def refused(self, *words, says):
        bare = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run([CAPSTAN, "view", *words], capture_output=True, text=True, timeout=20, env=bare)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertTrue(done.stderr.startswith("capstan: "), done.stderr)
        self.assertIn(says, done.stderr)

    def test_bad_use(self):
        self.refused(str(ROOT / "scenes/rope/hanging.json"), says="a window needs a display")
        self.refused("no_such.json", says="no_such.json: there is no such file")
        self.refused("--width", "3", says="--width")


if __name__ == "__main__":
    CAPSTAN = os.path.abspath(sys.argv.pop(1))
    for program in ("Xvfb", "xdotool"):
        if not shutil.which(program):
            print(f"skipped: {program} is not installed (Debian: xvfb, xdotool)")
            sys.exit(77)
    unittest.main()
