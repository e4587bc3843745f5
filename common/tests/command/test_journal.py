"""The journal of a class: entries that are whole or not there, and a class that is killed again and again."""
from __future__ import annotations

import json
import os
import random
import signal
import time
import unittest
from unittest import mock

from fakes import Scratch, result
from small_workbook import GradedClass, needs_machine

from command import files, results
from command.classroom import journal


def verdict(points: float = 2) -> results.Verdict:
    said = result("adds one", "passed" if points else "failed", reason="\ud800 'ä\u2028", counters={"loads": 3})
    found = [results.ItemResult.from_json(said)]
    failure = results.ItemResult("builds", "sim", "failed", reason="no", diagnoses=["compile-error"])
    return results.Verdict("01-coalescing", "handin-alice", "alice/coalescing.cu", found, None if points else failure, 1.5, "sim")


class Entries(Scratch):
    def setUp(self) -> None:
        super().setUp()
        self.journal = journal.Journal(self.folder / "journal")
        self.key = {"file": "abc", "seed": 1, "programs": {"simtcc": "x"}}
        self.path = self.folder / "journal/01.alice.json"

    def keep(self, points: float = 2, final: bool = True) -> None:
        self.journal.keep("01.alice", journal.Entry(self.key, verdict(points), final))

    def test_what_is_kept_is_read_as_it_was(self):
        for points in (2, 0):
            self.keep(points)
            self.assertEqual(self.journal.read("01.alice"), journal.Entry(self.key, verdict(points), True))

    def test_only_a_final_verdict_under_the_same_key_counts(self):
        self.assertIsNone(self.journal.kept("01.alice", self.key))
        self.keep()
        self.assertEqual(self.journal.kept("01.alice", self.key), verdict())
        self.assertIsNone(self.journal.kept("01.alice", {**self.key, "seed": 2}))
        self.keep(final=False)
        self.assertIsNone(self.journal.kept("01.alice", self.key))

    def test_an_entry_that_is_torn_anywhere_or_changed_is_none(self):
        self.keep()
        whole = self.path.read_bytes()
        for length in range(len(whole)):
            self.path.write_bytes(whole[:length])
            self.assertIsNone(self.journal.read("01.alice"), length)
        for changed in (whole.replace(b"passed", b"failed"), whole.replace(b'"final":true', b'"final":false'), b"\0" * len(whole), b"[]",
                        b"{}",
                        b'{"format":1,"check":null,"entry":null}'):
            self.path.write_bytes(changed)
            self.assertIsNone(self.journal.read("01.alice"), changed[:40])
        self.path.unlink()
        self.path.mkdir()
        self.assertIsNone(self.journal.read("01.alice"))

    def test_an_entry_of_another_version_of_the_workbook_is_none(self):
        self.keep()
        document = json.loads(self.path.read_text())
        document["entry"]["verdict"]["items"][0]["a new field"] = 1
        document["check"] = files.digest_of(document["entry"])
        self.path.write_text(json.dumps(document))
        self.assertIsNone(self.journal.read("01.alice"))

    def test_a_disk_that_is_full_leaves_the_old_entry_and_nothing_beside_it(self):
        self.keep(0)
        with mock.patch("os.fsync", side_effect=OSError(28, "No space left on device")), self.assertRaises(OSError):
            self.keep(2)
        self.assertEqual(self.journal.read("01.alice").verdict, verdict(0))
        self.assertEqual([path.name for path in self.path.parent.iterdir()], ["01.alice.json"])

    def test_it_is_on_the_disk_before_it_has_its_name(self):
        calls = []
        with mock.patch("os.fsync", side_effect=lambda file: calls.append("fsync")), \
                mock.patch("os.replace", side_effect=lambda new, old: calls.append("replace")):
            self.keep()
        self.assertEqual(calls, ["fsync", "replace", "fsync"])


@needs_machine
class Killed(GradedClass):
    def entries(self) -> dict[str, tuple]:
        """The final ones, and what tells that an entry was written again."""
        found = {}
        for path in (self.out / "journal").glob("[0-9]*.json"):
            status = path.stat()
            if json.loads(path.read_text())["entry"]["final"]:  # whole, whenever it is looked at
                found[path.name.split(".")[1]] = (status.st_ino, status.st_mtime_ns)
        return found

    def test_an_item_that_takes_long_is_begun_anew_once(self):
        go = self.folder / "go"
        self.addCleanup(go.touch)
        self.hand_in("alice", f'// judge(1): {{"status": "failed", "reason": "wrong"}}\n// solved, waits for {go} \n')
        begun = self.out / "journal/begun/01.alice.json"
        for times in (1, 2):
            process = self.start_grading()
            self.wait_until(lambda: begun.exists() and json.loads(begun.read_text())["entry"]["times"] == {"four sectors": times})
            os.kill(process.pid, signal.SIGKILL)
            process.communicate(timeout=100)
            self.assertEqual([each["item"] for each in json.loads(begun.read_text())["entry"]["results"]], ["adds one"])
        status, out, err = self.grade()  # go is not there: nothing waits for it
        self.assertEqual(status, 1, out + err)
        self.assertIn("--fresh", out)
        self.assertEqual(self.graded(), {"alice"})
        go.touch()
        status, out, err = self.grade("--fresh")
        self.assertEqual((status, self.points()), (0, {"alice": "2"}), out + err)

    def test_a_class_that_is_killed_again_and_again_loses_nothing_and_does_nothing_twice(self):
        wanted = {}
        for number in range(40):
            text, points = random.Random(number).choice([("solved", 4), ("nothing", 0), ("broken", 0), ("solved, waits for /", 4)])
            self.hand_in(f"s{number:02}", f"// {text} {number}\n")
            wanted[f"s{number:02}"] = points
        seed = int.from_bytes(os.urandom(4), "big")
        chance = random.Random(seed)
        kept: dict[str, tuple] = {}
        kills = 0
        with self.subTest(seed=seed):
            while True:
                process = self.start_grading()
                before = len(self.graded())
                more = chance.randint(1, 4)  # counted in verdicts, so that a fast machine is killed as often
                while process.poll() is None and len(self.graded()) < before + more:
                    time.sleep(0.005)
                time.sleep(chance.uniform(0, 0.1))
                if kills < 8 and process.poll() is None:
                    os.kill(process.pid, signal.SIGKILL)
                    kills += 1
                _, err = process.communicate(timeout=100)
                now = self.entries()
                self.assertEqual({name: now.get(name) for name in kept}, kept, "an entry was lost, or written twice")
                kept = now
                if process.returncode != -signal.SIGKILL:
                    break
            self.assertEqual(process.returncode, 0, err)
            self.assertGreaterEqual(kills, 3)
            self.assertEqual({name: float(points) for name, points in self.points().items()}, wanted)
            self.assertEqual(len(kept), 40)
            self.assertEqual(list((self.out / "journal").glob(".*")), [], "a torn entry was left behind")


if __name__ == "__main__":
    unittest.main()
