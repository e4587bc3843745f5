"""common/command/files.py: what is written is there whole or not at all, and nothing is written through a link."""
from __future__ import annotations

import os
import unittest
from unittest import mock

from fakes import Scratch

from command import files


class Files(Scratch):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.folder / "a/b.json"

    def names(self) -> list[str]:
        return sorted(path.name for path in self.path.parent.iterdir())

    def test_it_is_written_whole_or_not_at_all(self):
        files.write(self.path, "old")
        with mock.patch("os.replace", side_effect=OSError(28, "No space left on device")), self.assertRaises(OSError):
            files.write(self.path, "new")
        self.assertEqual((self.path.read_text(), self.names()), ("old", ["b.json"]))
        with self.assertRaises(KeyboardInterrupt), files.replacing(self.path) as draft:
            draft.write_text("half")
            raise KeyboardInterrupt
        self.assertEqual((self.path.read_text(), self.names()), ("old", ["b.json"]))

    def test_a_link_in_the_place_of_a_draft_is_not_written_through(self):
        files.write(self.path, "old")
        other = self.folder / "other"
        other.write_text("mine")
        (self.path.parent / f".b.json.{os.getpid()}.part").symlink_to(other)
        files.write(self.path, b"new\n")
        self.assertEqual((other.read_text(), self.path.read_text(), self.names()), ("mine", "new\n", ["b.json"]))

    def test_a_document_that_was_changed_is_none(self):
        files.write_checked(self.path, {"points": 1})
        self.assertEqual(files.read_checked(self.path), {"points": 1})
        self.path.write_text(self.path.read_text().replace("1}", "2}"))
        self.assertIsNone(files.read_checked(self.path))
        for text in ("", "[]", "{}", '{"check": null, "entry": null}', "[" * 100_000):
            self.path.write_text(text)
            self.assertIsNone(files.read_checked(self.path), text[:40])

    def test_a_stamp_and_a_digest_are_those_of_what_is_there(self):
        self.assertEqual((files.stamp(self.path), files.digest(self.path), files.read_json(self.path)), ([], "", None))
        files.write(self.path, "{}\n")
        stamp, digest = files.stamp(self.path), files.digest(self.path)
        self.assertEqual((files.stamp(self.path), files.digest(self.path), files.read_json(self.path)), (stamp, digest, {}))
        files.write(self.path, "[]\n")
        self.assertNotEqual(files.stamp(self.path), stamp)
        self.assertNotEqual(files.digest(self.path), digest)

    def test_a_folders_digest_is_of_names_and_contents_and_not_of_line_ends(self):
        def digest() -> str:
            return files.digest_below(self.folder, [path for path in self.folder.rglob("*") if path.is_file()])

        files.write(self.path, "one\ntwo\n")
        before = digest()
        files.write(self.path, "one\r\ntwo\r\n")
        self.assertEqual(digest(), before)
        self.path.rename(self.path.with_name("c.json"))
        self.assertNotEqual(digest(), before)


if __name__ == "__main__":
    unittest.main()
