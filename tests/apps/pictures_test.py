#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of pictures, films and glTF files of the command line. Tests without the GL or ffmpeg that they need are skipped.

  pictures_test.py PATH_OF_CAPSTAN
"""
import csv
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

CAPSTAN = ""
ROPE = """{"frames": 30, "rate": 60, "ropes": [{"name": "r", "from": [0, 2, 0], "to": [1, 2, 0], "segments": 6, "pins": [0]}],
 "bodies": [{"name": "b", "shape": {"kind": "box", "size": [0.3, 0.3, 0.3]}, "position": [2, 2, 0], "angularVelocity": [0, 3, 0]}]%s}"""

SOFT = """{"frames": 12, "rate": 60, "cloths": [{"name": "c", "cellsU": 4, "cellsV": 3, "pins": [0, 4]}],
 "hairs": [{"name": "h", "roots": [[2, 1, 0], [2.1, 1, 0]], "directions": [[1, 1, 0]], "vertices": 8, "length": 0.2}]}"""


class Pictures(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.scene = str(self.folder / "s.json")
        pathlib.Path(self.scene).write_text(ROPE % "")

    def tearDown(self):
        self.temporary.cleanup()

    def run_(self, *words, scene=None, **how):
        return subprocess.run([CAPSTAN, "run", scene or self.scene, *words], capture_output=True, text=True, timeout=120, **how)

    def made(self, name, *words, **how):
        out = self.folder / name
        done = self.run_("--out", str(out), *words, **how)
        if "OpenGL" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return out

    def refused(self, *words, says, scene=None, code=2, **how):
        done = self.run_(*words, scene=scene, **how)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertTrue(done.stderr.startswith("capstan: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for part in [says] if isinstance(says, str) else says:
            self.assertIn(part, done.stderr)

    def test_still(self):
        data = self.made("a.png", "--size", "64x48", "--quality", "low", "--at", "0.25").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (64, 48))
        # The scene's camera and an equal camera given by --camera must make the same picture.
        pathlib.Path(self.scene).write_text(ROPE % ', "camera": {"eye": [1, 2, 6], "target": [1, 1.5, 0]}')
        size = ("--size", "64x48", "--quality", "low")
        a = self.made("b.png", *size).read_bytes()
        b = self.made("c.png", *size, "--camera", "1,2,6,1,1.5,0").read_bytes()
        self.assertEqual(a, b)
        self.assertNotEqual(a, self.made("d.png", *size, "--camera", "1,4,6,1,1.5,0").read_bytes())
        self.assertNotEqual(a, self.made("e.png", *size, "--heat", "tension", "--debug").read_bytes())

    def test_film(self):
        if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
            self.skipTest("no ffmpeg")
        out = self.made("a.mp4", "--size", "64x48", "--quality", "low", "--fps", "20")
        told = json.loads(subprocess.run(["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(out)],
                                         capture_output=True, check=True).stdout)["streams"][0]
        self.assertEqual((told["codec_name"], told["pix_fmt"], told["width"], told["height"]), ("h264", "yuv420p", 64, 48))
        self.assertEqual(int(told["nb_frames"]), 11)  # half a second at 20 per second, and the first

    def gltf(self, path):
        data = path.read_bytes()
        magic, version, length, size, kind = struct.unpack("<IIIII", data[:20])
        self.assertEqual((magic, version, length, kind), (0x46546C67, 2, len(data), 0x4E4F534A))
        return json.loads(data[20:20 + size]), data[28 + size:]

    def test_animation_has_the_places_of_the_run(self):
        out, table = self.folder / "a.glb", self.folder / "a.csv"
        self.assertEqual(self.run_("--out", str(out), "--out", str(table), "--fps", "60").returncode, 0)
        tree, numbers = self.gltf(out)
        self.assertEqual(len(tree["skins"][0]["joints"]), 7)
        with table.open() as file:
            rows = list(csv.DictReader(file))
        want = [[float(r["xyz"[k]]) for k in range(3)] for r in rows if r["frame"] == "30" and r["rope"] == "r"]
        tracks = {}
        animation = tree["animations"][0]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            accessor = tree["accessors"][sampler["output"]]
            view = tree["bufferViews"][accessor["bufferView"]]
            width = {"VEC3": 3, "VEC4": 4}[accessor["type"]]
            at = view["byteOffset"] + accessor["byteOffset"] + 4 * width * (accessor["count"] - 1)
            key = channel["target"]["node"], channel["target"]["path"]
            tracks[key] = struct.unpack(f"<{width}f", numbers[at:at + 4 * width])
            self.assertEqual(accessor["count"], 31)
        for node, place in list(zip(tree["skins"][0]["joints"], want))[1:]:  # the first is pinned and does not move
            for k in range(3):
                self.assertAlmostEqual(tracks[node, "translation"][k], place[k], places=4)
        self.assertNotIn((tree["skins"][0]["joints"][0], "translation"), tracks)
        self.assertTrue(any(path == "rotation" for _, path in tracks))

    def test_animation_of_cloth_and_hair_has_the_places_of_the_run(self):
        """Each frame, computed as a player does from base, targets and weights, must equal the CSV table."""
        out, table = self.folder / "a.glb", self.folder / "a.csv"
        pathlib.Path(self.scene).write_text(SOFT)
        self.assertEqual(self.run_("--out", str(out), "--out", str(table), "--fps", "60").returncode, 0)
        tree, numbers = self.gltf(out)

        def read(index):
            accessor = tree["accessors"][index]
            view = tree["bufferViews"][accessor["bufferView"]]
            count = accessor["count"] * {"SCALAR": 1, "VEC3": 3}[accessor["type"]]
            at = view["byteOffset"] + accessor["byteOffset"]
            return struct.unpack(f"<{count}f", numbers[at:at + 4 * count])

        animation, tracks = tree["animations"][0], {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            tracks[channel["target"]["node"], channel["target"]["path"]] = read(sampler["input"]), read(sampler["output"])
        with table.open() as file:
            rows = list(csv.DictReader(file))
        for frame in (0, 1, 4, 7, 12):
            time = float(next(r["time"] for r in rows if r["frame"] == str(frame)))
            for kind, mode in (("cloth", 4), ("hair", 1)):
                shown = []  # by meshes that are not scaled to nothing
                for number, node in enumerate(tree["nodes"]):
                    primitive = tree["meshes"][node["mesh"]]["primitives"][0]
                    if primitive["mode"] != mode:
                        continue
                    times, scales = tracks.get((number, "scale"), ([0], [1]))
                    if scales[3 * max(i for i, t in enumerate(times) if t <= time + 1e-6)] == 0:
                        continue
                    times, weights = tracks[number, "weights"]
                    n = len(primitive["targets"])
                    at = min(range(len(times)), key=lambda i: abs(times[i] - time))
                    places = list(read(primitive["attributes"]["POSITION"]))
                    for k, target in enumerate(primitive["targets"]):
                        delta = read(target["POSITION"])
                        places = [p + weights[at * n + k] * d for p, d in zip(places, delta)]
                    shown.append(places)
                self.assertEqual(len(shown), 1, (frame, kind))
                want = [float(r[k]) for r in rows if r["frame"] == str(frame) and r[kind] for k in "xyz"]
                self.assertEqual(len(shown[0]), len(want))
                for a, b in zip(shown[0], want):
                    self.assertAlmostEqual(a, b, places=4)

    def test_animation_is_sound_gltf(self):
        node, folder = shutil.which("node"), os.environ.get("GLTF_VALIDATOR")  # a node_modules folder
        if not node or not folder:
            self.skipTest("GLTF_VALIDATOR names no node_modules folder with gltf-validator")
        script = ("require(process.argv[1] + '/gltf-validator').validateBytes(new Uint8Array(require('fs')"
                  ".readFileSync(process.argv[2]))).then(r => console.log(r.issues.numErrors + r.issues.numWarnings))")
        for text in (ROPE % "", SOFT):
            pathlib.Path(self.scene).write_text(text)
            out = self.made("a.glb")
            told = subprocess.run([node, "-e", script, folder, str(out)], capture_output=True, text=True, check=True)
            self.assertEqual(told.stdout.strip(), "0")

    def test_long_ropes_are_thinned_and_that_is_told(self):
        scene = self.folder / "long.json"
        scene.write_text('{"frames": 2, "world": {"contact": false}, "ropes": [' + ",".join(
            f'{{"from": [0, 2, {i}], "to": [9, 2, {i}], "segments": 4000, "pins": [0]}}' for i in range(6)) + "]}")
        out = self.folder / "long.glb"
        done = self.run_("--out", str(out), scene=str(scene))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: ", done.stderr)
        self.assertIn("20000 nodes", done.stderr)
        tree, _ = self.gltf(out)
        joints = sum(len(s["joints"]) for s in tree["skins"])
        self.assertLessEqual(joints, 20000)
        self.assertGreater(joints, 19900)

    def test_a_cut_rope_is_two_tracks(self):
        scene = self.folder / "cut.json"
        scene.write_text('{"frames": 30, "ropes": [{"name": "r", "from": [0, 2, 0], "to": [1, 2, 0], "segments": 6, "pins": [0]}],'
                         '"actions": [{"at": 0.2, "do": "cut", "rope": "r", "segment": 3}]}')
        out = self.folder / "cut.glb"
        done = self.run_("--out", str(out), scene=str(scene))
        if done.returncode != 0:
            self.fail(done.stderr)
        tree, _ = self.gltf(out)
        self.assertEqual(len(tree["skins"]), 2)
        self.assertTrue(any(c["target"]["path"] == "scale" for c in tree["animations"][0]["channels"]))

    def test_bad_words(self):
        png, mp4 = str(self.folder / "a.png"), str(self.folder / "a.mp4")
        for size in ("0x0", "1x1", "99999x99999", "640", "640x", "axb", "-5x100", "640x480x3"):
            self.refused("--out", png, "--size", size, says=["--size", size])
        self.refused("--out", mp4, "--size", "641x480", says="even")
        for camera in ("1,2,3", "1,2,3,4,5,x", "1,2,3,1,2,3", "nan,0,0,1,1,1", "1,2,3,4,5,6,7"):
            self.refused("--out", png, "--camera", camera, says="--camera")
        self.refused("--out", png, "--at", "100", says=["--at", "0.5 s"])
        self.refused("--out", png, "--quality", "best", says="--quality")
        self.refused("--out", png, "--fps", "0", says="--fps")
        self.refused("--out", str(self.folder / "a.gif"), says=".png, .mp4, .glb and .csv")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["s.json"])

    def test_unwritable(self):
        for name in ("a.png", "a.mp4", "a.glb", "a.csv"):
            self.refused("--out", str(self.folder / "nowhere" / name), says=[name, "No such file"], code=1)

    def test_nothing_to_see(self):
        scene = self.folder / "empty.json"
        scene.write_text("{}")
        for name in ("a.png", "a.mp4") if shutil.which("ffmpeg") else ("a.png",):
            self.refused("--out", str(self.folder / name), scene=str(scene), says="a picture needs an object")
        self.refused("--out", str(self.folder / "a.glb"), scene=str(scene), says="a glTF file needs an object", code=1)

    def test_without_ffmpeg(self):
        self.refused("--out", str(self.folder / "a.mp4"), says="install ffmpeg", env={"PATH": "/nowhere"})

    def test_without_gl(self):
        # An empty vendor list: EGL finds no driver.
        env = {**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere.json"}
        self.refused("--out", str(self.folder / "a.png"), says="libgl1-mesa-dri", env=env)


if __name__ == "__main__":
    CAPSTAN = os.path.abspath(sys.argv.pop(1))
    unittest.main()
