#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the command line program: exit codes, messages, and the structure of its output.

  cli_test.py PATH_OF_CAPSTAN
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CAPSTAN = ""
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SWING = """{"about": "a swing", "frames": 30,
"ropes": [{"name": "rope, long", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 4, "mass": 0.1, "pins": [0],
 "loads": [{"mass": 1}]}]%s}"""

BAR = """{"about": "a bar", "frames": 30,
"bodies": [{"name": "bar", "shape": {"kind": "box", "size": [1, 0.1, 0.1]}, "mass": 3, "position": [0.5, 2, 0]}],
"joints": [{"name": "pivot", "type": "hinge", "body1": "bar", "anchor": [0, 2, 0], "axis": [0, 0, 2], "turn": {"max": 2}}]%s}"""
MESHES = """{"meshes": [
{"name": "w", "properties": {"simType": "RigidBox"}, "vertices": [-1,-1,-1,1,1,1],
 "transform": {"position": [0,0,0], "rotation": [0,0,0,1]}},
{"name": "b", "properties": {"simType": "RigidBox", "density": 1000}, "vertices": [0.4,-0.2,-0.3,0.6,0.2,0.3],
 "transform": {"position": [0,-1,0], "rotation": [0,0,0,1]}},
{"name": "h", "properties": {"simType": "HingeJoint", "parent1": "w", "parent2": "b"},
 "transform": {"position": [0,0,0], "rotation": [0,0,0,1]}}]}"""


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def scene(self, text, name="s.json"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def capstan(self, *words, code=0):
        done = subprocess.run([CAPSTAN, *words], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        if code == 0:
            self.assertEqual(done.stderr, "")
        return done

    def refused(self, *words, says):
        done = self.capstan(*words, code=2)
        self.assertTrue(done.stderr.startswith("capstan: "), done.stderr)
        self.assertIn(says, done.stderr)
        return done

    # ---- words

    def test_help(self):
        self.assertIn("Subcommands", self.capstan().stdout)
        self.assertIn("Subcommands", self.capstan("--help").stdout)
        for word in ("run", "check", "validate", "bench", "fuzz", "info"):
            self.assertIn("Example: capstan " + word, self.capstan(word, "--help").stdout)

    def test_bad_words(self):
        self.refused("rnu", says="rnu")
        self.refused("--nonsense", says="--nonsense")
        self.refused("run", says="scene")
        self.refused("run", "a", "b", says="b")
        self.refused("check", says="paths")
        self.refused("info", says="info needs a scene file")
        s = self.scene(SWING % "")
        self.refused("run", s, "--frames", "0", says="--frames")
        self.refused("run", s, "--frames", "ten", says="--frames")
        self.refused("run", s, "--frames", "99999999999999", says="--frames")
        self.refused("run", s, "--backend", "gpu", says="scalar")
        self.refused("run", s, "--threads", "0", says="--threads")
        self.refused("run", s, "--substeps", "1001", says="--substeps")
        self.refused("run", s, "--hsah", says="--hsah")

    def test_unknown_cases(self):
        self.refused("validate", "XYZ", says="known are")
        self.refused("bench", "XYZ", says="known are")

    # ---- leashes

    def test_a_walk_on_leashes(self):
        s = self.scene('{"frames": 30, "leash": {"dogs": [{"name": "Rex"}, {"temperament": "pull"}]}}')
        done = self.capstan("run", s)
        self.assertIn("2 dogs, walking", done.stdout)
        self.assertNotIn("\r", done.stdout + done.stderr)  # the live line is for terminals
        leash = json.loads(self.capstan("run", s, "--json").stdout)["leash"]
        self.assertEqual(sorted(leash), sorted(
            ["dogs", "state", "word", "complexity", "peakComplexity", "moves", "readings", "refusals", "disagreements",
             "tanglesFormed", "tangles", "stuckBecause"]))
        self.assertEqual((leash["dogs"], leash["state"], leash["word"]), (2, "walking", "e"))
        plain = json.loads(self.capstan("run", self.scene(SWING % ""), "--frames", "1", "--json").stdout)
        self.assertIsNone(plain["leash"])

    # ---- bad scenes

    def test_bad_files(self):
        self.refused("run", str(self.folder / "none.json"), says="none.json: no such file")
        self.refused("run", str(self.folder), says="is a folder")
        self.refused("run", "/dev/null", says="not an ordinary file")
        self.refused("run", "", says="no such file")
        big = self.scene("")
        os.truncate(big, 100 << 20)
        self.refused("run", big, says="the file must have at most 64 MB, got 100 MB")
        if os.geteuid() != 0:
            secret = self.scene("{}", "secret.json")
            os.chmod(secret, 0)
            self.refused("run", secret, says="cannot be opened")

    def test_mistakes_have_a_place(self):
        for word in ("run", "check", "info"):
            for text, says in (
                ('{"ropes": [\n{"raduis": 1}]}', 's.json:2:2 /ropes/0: unknown key "raduis"; did you mean "radius"?'),
                ('{"ropes": [\n {"radius": -1}]}', "s.json:2:13 /ropes/0/radius: radius must be above 0, got -1"),
                ('{"ropes": [{"to": [1,0,0],\n"pins": [99]}]}', "s.json:2:10 /ropes/0/pins/0: there is no node 99"),
                ('{"ropes": [', "s.json:1:12: syntax error"),
                (b'{"about": "\xff"}', "s.json:1:12: syntax error"),
                ("[" * 100000, "nested at most"),
                ('{"rate": NaN}', "s.json:1:10: syntax error"),
                ("", "s.json:1:1: syntax error"),
            ):
                self.refused(word, self.scene(text), says=says)

    # ---- run

    def test_run_text(self):
        done = self.capstan("run", self.scene(SWING % ""), "--hash")
        for part in ("a swing", "peak stretch", "energy", "peak tension", "times as fast as real time"):
            self.assertIn(part, done.stdout)
        self.assertRegex(done.stdout, r"hash +[0-9a-f]{16}\n")
        self.assertNotIn("\033", done.stdout)

    def test_run_json(self):
        got = json.loads(self.capstan("run", self.scene(SWING % ""), "--json", "--frames", "12").stdout)
        self.assertEqual(got["frames"], 12)
        self.assertAlmostEqual(got["seconds"], 0.2)
        self.assertEqual(set(got), {"scene", "about", "leash", "frames", "seconds", "wallSeconds", "timesRealTime", "deviceSeconds", "phases", "maxStretch", "maxStrain",
                                    "maxGap", "bodies", "joints", "peakForce", "energy", "peakTension", "solves", "retries", "heldStill", "quarantined", "contacts", "truncated", "halvedSubsteps", "minSeparationRatio", "finite", "events",
                                    "hash"})
        self.assertEqual(list(got["phases"]), ["prepare", "broadPhase", "solveFree", "solveContact", "cloth", "hair", "finish"])
        self.assertLessEqual(0.5 * got["wallSeconds"], sum(got["phases"].values()))
        self.assertLessEqual(sum(got["phases"].values()), 1.001 * got["wallSeconds"])
        self.assertEqual(got["peakTension"]["rope"], "rope, long")
        self.assertIs(got["finite"], True)

    def test_hash_does_not_depend_on_how(self):
        s = self.scene(SWING % "")
        hashes = {json.loads(self.capstan("run", s, "--json", *how).stdout)["hash"]
                  for how in ([], ["--backend", "scalar"], ["--backend", "simd"], ["--threads", "3"])}
        self.assertEqual(len(hashes), 1)
        other = json.loads(self.capstan("run", s, "--json", "--substeps", "7").stdout)["hash"]
        self.assertNotIn(other, hashes)

    def test_run_csv(self):
        out = self.folder / "out.csv"
        self.capstan("run", self.scene(SWING % ""), "--frames", "3", "--out", str(out))
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["frame", "time", "rope", "node", "x", "y", "z", "tension"])
        self.assertEqual(len(rows), 4 * 5)
        self.assertEqual((rows[0]["frame"], rows[4]["x"], rows[4]["rope"], rows[4]["tension"]), ("0", "1", "rope, long", ""))
        self.assertEqual(rows[-1]["frame"], "3")

    def test_bodies(self):
        s = self.scene(BAR % "")
        done = self.capstan("run", s)
        for part in ("1, 1 of them free to move, 1 joint", "largest gap", "peak force", "energy"):
            self.assertIn(part, done.stdout)
        for part in ("rope", "stretch", "tension"):
            self.assertNotIn(part, done.stdout)
        got = json.loads(self.capstan("run", s, "--json").stdout)
        self.assertEqual((got["bodies"], got["joints"], got["peakForce"]["joint"]), (1, 1, "pivot"))
        self.assertLess(got["maxGap"], 1e-4)
        self.assertIn("(2 hold)", self.capstan("check", self.scene(BAR % ', "expect": {"maxGap": 0.001}')).stdout)

    def test_bodies_csv(self):
        out = self.folder / "out.csv"
        self.capstan("run", self.scene(BAR % ', "ropes": [{"to": [1, 0, 0], "segments": 2}]'), "--frames", "2", "--out", str(out))
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["frame", "time", "rope", "node", "x", "y", "z", "tension", "body", "qx", "qy", "qz", "qw",
                                         "vx", "vy", "vz", "wx", "wy", "wz"])
        self.assertEqual(len(rows), 3 * (3 + 1))
        self.assertEqual((rows[0]["rope"], rows[0]["body"], rows[0]["qw"]), ("#0", "", ""))
        bar = rows[3]
        self.assertEqual((bar["body"], bar["rope"], bar["x"], bar["y"], bar["qw"], bar["vx"]), ("bar", "", "0.5", "2", "1", "0"))
        self.assertNotIn(None, bar)

    def test_info_of_bodies(self):
        s = self.scene(BAR % "")
        text = self.capstan("info", s).stdout
        for part in ("bar", "pivot", "hinge", "turn.max 2", "world, bar"):
            self.assertIn(part, text)
        got = json.loads(self.capstan("info", s, "--json").stdout)
        bar, = got["bodies"]
        self.assertEqual((bar["name"], bar["type"], bar["static"], bar["shape"], bar["centerOfMass"]),
                         ("bar", "dynamic", False, "box", [0.5, 2, 0]))
        self.assertAlmostEqual(bar["mass"], 3)
        self.assertAlmostEqual(sorted(bar["inertia"])[2], 3 / 12 * (1 + 0.1 ** 2), places=6)
        pivot, = got["joints"]
        self.assertEqual((pivot["name"], pivot["type"], pivot["body0"], pivot["body1"], pivot["anchor"], pivot["axis"],
                          pivot["turn"]["max"]), ("pivot", "hinge", "", "bar", [0, 2, 0], [0, 0, 1], 2))

    def test_info_of_surfaces(self):
        s = self.scene("""{"world": {"contact": false}, "bodies": [
            {"name": "floor", "type": "static", "shape": {"kind": "plane"}, "material": {"friction": 0.7}, "filter": {"category": 16}},
            {"name": "hill", "type": "static", "filter": {"mask": 4294967247}, "shape": {"kind": "mesh",
             "points": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 1, 1]], "triangles": [[0, 2, 1], [1, 2, 3]]}}]}""")
        text = self.capstan("info", s).stdout
        for part in ("no contact", "plane", "mesh of 2"):
            self.assertIn(part, text)
        got = json.loads(self.capstan("info", s, "--json").stdout)
        self.assertIs(got["world"]["contact"], False)
        floor, hill = got["bodies"]
        self.assertEqual((floor["shape"], floor["material"]["friction"], floor["filter"]),
                         ("plane", 0.7, {"category": 16, "mask": 4294967295, "group": 0}))
        self.assertEqual((hill["shape"], hill["mass"], hill["filter"]["mask"]), ("mesh", 0, 4294967247))
        self.refused("info", self.scene('{"bodies": [\n {"shape": {"kind": "plane"}}]}'),
                     says="s.json:2:21 /bodies/0/shape/kind: a plane has no mass")

    # ---- Ten Minute Physics files

    def test_ten_minute(self):
        s = self.scene(MESHES)
        got = json.loads(self.capstan("info", s, "--json").stdout)
        self.assertEqual([b["static"] for b in got["bodies"]], [True, False])
        self.assertEqual(got["bodies"][1]["centerOfMass"], [0, -1, 0])
        self.assertAlmostEqual(got["bodies"][1]["mass"], 48, places=4)
        self.assertEqual((got["joints"][0]["type"], got["joints"][0]["axis"]), ("hinge", [1, 0, 0]))
        moved = json.loads(self.capstan("info", s, "--json", "--box-centers").stdout)
        self.assertEqual(moved["bodies"][1]["centerOfMass"], [0.5, -1, 0])
        self.assertIn("(2 hold)", self.capstan("check", s).stdout)
        for word in ("run", "check", "info"):
            self.refused(word, self.scene('{"meshes": []}'), says="s.json:1:12 /meshes: a scene needs meshes")

    def test_notes(self):
        s = self.scene(BAR.replace('"mass": 3', '"mass": 3, "rotation": [0, 0, 0, 2]') % "")
        for word in ("run", "check", "info"):
            done = subprocess.run([CAPSTAN, word, s], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("note: " + s + ":2:", done.stderr)
            self.assertIn("/bodies/0/rotation: the quaternion was normalised; its length was 2", done.stderr)

    def test_run_out_refused(self):
        s = self.scene(SWING % "")
        for name in ("a.gif", "a", "a.CSV.txt"):
            self.refused("run", s, "--out", str(self.folder / name), says="supported are .png, .mp4, .glb and .csv")
            self.assertFalse((self.folder / name).exists())
        self.capstan("run", s, "--out", str(self.folder / "no" / "such" / "a.csv"), code=1)

    def test_run_tells_what_could_not_be_done(self):
        s = self.scene(SWING % ', "actions": [{"do": "remove"}, {"at": 0.1, "do": "unpin", "node": 0}]')
        self.assertIn("/actions/1: the rope does not exist at 0.1 s", self.capstan("run", s, code=1).stderr)

    # ---- check

    def test_check(self):
        good = self.scene(SWING % ', "expect": {"maxStretch": 0.1}', "scenes/b/good.json")
        none = self.scene(SWING % "", "scenes/a/none.json")
        done = self.capstan("check", str(self.folder / "scenes"))
        self.assertEqual(done.stdout.splitlines(), [f"ok   {none} (no expectations)", f"ok   {good} (2 hold)"])
        bad = self.scene(SWING % ', "expect": {"length": [{"value": 2, "tolerance": 0.1}]}', "scenes/c/bad.json")
        done = self.capstan("check", str(self.folder / "scenes"), code=1)
        self.assertIn(f"FAIL {bad}: length: expected 2 m within 0.1 m, got 1 m", done.stdout)
        self.scene("{", "scenes/d/broken.json")
        done = self.capstan("check", str(self.folder / "scenes"), code=2)
        self.assertIn("FAIL", done.stdout)
        self.assertIn("broken.json:1:2", done.stderr)

    def test_check_folders(self):
        (self.folder / "empty").mkdir()
        self.refused("check", str(self.folder / "empty"), says="holds no scene")
        self.refused("check", str(self.folder / "gone"), says="no such file")

    # ---- info

    def test_info(self):
        s = self.scene(SWING % "")
        self.assertIn("rope, long", self.capstan("info", s).stdout)
        got = json.loads(self.capstan("info", s, "--json").stdout)
        self.assertEqual((got["about"], got["bodies"], got["joints"], len(got["ropes"])), ("a swing", [], [], 1))
        self.assertIs(got["world"]["contact"], True)
        self.assertNotIn("no contact", self.capstan("info", s).stdout)
        rope = got["ropes"][0]
        self.assertEqual((rope["nodes"], rope["segments"], rope["length"], rope["mass"], rope["pins"]), (5, 4, 1, 0.1, [0]))
        self.assertEqual(rope["loads"], [{"node": -1, "mass": 1}])

    def test_fields(self):
        documented = (ROOT / "docs" / "reference" / "scene.md").read_text(encoding="utf-8")
        self.assertEqual(self.capstan("info", "--fields").stdout, documented)

    # ---- validate

    def test_validate_json(self):
        cases = re.findall(r"^  (\w+) +\S", self.capstan("validate", "--help").stdout.split("Cases:\n")[1], re.M)
        self.assertIn("K4", cases)
        rows = json.loads(self.capstan("validate", "k4", "--json").stdout)
        self.assertTrue(rows)
        for row in rows:
            self.assertEqual(set(row), {"case", "claim", "expected", "got", "error", "tolerance", "ok"})
            self.assertEqual(row["case"], "K4")
        table = self.folder / "v.md"
        self.capstan("validate", "K4", "--markdown", str(table))
        self.assertIn("|", table.read_text(encoding="utf-8"))
        self.capstan("validate", "K4", "--markdown", str(self.folder / "no" / "v.md"), code=1)
        self.refused("validate", "K3", "--seeds", "0", says="--seeds")

    # ---- fuzz

    def test_fuzz(self):
        summary = json.loads(self.capstan("fuzz", "--worlds", "1", "--scenes", "20", "--keep", str(self.folder), "--json").stdout)
        self.assertEqual((summary["worlds"], summary["scenes"], summary["steps"]), (1, 20, 200))
        self.assertEqual(summary["failures"], [])
        self.assertEqual(summary["kinds"], {})
        listed = self.capstan("fuzz", "--worlds", "1", "--no-minimise").stdout
        self.assertIn("the next are 2 and 1", listed)
        recipe = self.capstan("fuzz", "--seed", "3", "--print").stdout
        self.assertTrue(recipe.startswith("capstan recipe 1\n"))
        self.assertEqual(recipe, self.capstan("fuzz", "--seed", "3", "--print").stdout)
        self.assertIn("no fault", self.capstan("fuzz", "--replay", self.scene(recipe, "s.recipe")).stdout)
        bad = self.scene("capstan recipe 2\n", "bad.recipe")
        self.assertIn("the first line must be", self.capstan("fuzz", "--replay", bad, code=1).stdout)
        self.refused("fuzz", "--scenes", "1", "--corpus", str(self.folder / "none"), says="--corpus")
        self.refused("fuzz", "--replay", str(self.folder / "none"), says="cannot be read")


if __name__ == "__main__":
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__)
    CAPSTAN = os.path.abspath(sys.argv.pop(1))
    unittest.main()
