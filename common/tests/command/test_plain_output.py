"""No escape codes where a terminal does not know them, its user does not want them, or there is no terminal."""
import errno
import os
import subprocess
import sys
import unittest

from fakes import pseudo_terminal
from small_workbook import SmallWorkbook, needs_machine

PLAIN = ({"TERM": "dumb"}, {"TERM": None}, {"TERM": "xterm-256color", "NO_COLOR": "1"})
COLOURFUL = {"TERM": "xterm-256color", "NO_COLOR": None}


@needs_machine
class PlainOutput(SmallWorkbook):
    def setUp(self):
        super().setUp()
        self.add_bench()
        (self.root / "labs/01-coalescing/plot.py").unlink()  # drawing says nothing of its own, and takes its time
        self.write("hand-ins/alice/coalescing.cu", "// broken\n")

    def command(self, environment: dict, words: tuple) -> tuple[list[str], dict]:
        settings = {**os.environ, "WARPBOOK_BACKEND": "sim", "PYTHONDONTWRITEBYTECODE": "", **environment}
        settings = {name: value for name, value in settings.items() if value is not None}
        return [sys.executable, str(self.root / "warpbook"), *words], settings

    def on_terminal(self, environment: dict, *words: str) -> str:
        """What a verb writes to a terminal, stdout and stderr."""
        leader, follower = pseudo_terminal()
        command, settings = self.command(environment, words)
        with subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, cwd=self.root, env=settings):
            os.close(follower)
            said = b""
            while True:
                try:
                    piece = os.read(leader, 65536)
                except OSError as error:
                    self.assertEqual(error.errno, errno.EIO)  # how Linux says that no process writes any more
                    piece = b""
                if not piece:
                    break
                said += piece
        os.close(leader)
        return said.decode(errors="replace").replace("\r\n", "\n")

    def assert_plain(self, said: str, words) -> None:
        self.assertTrue(said.strip(), words)
        self.assertNotIn("\x1b", said, words)
        self.assertNotIn("\r", said, words)

    def test_no_verb_writes_escape_codes_to_a_plain_terminal(self):
        verbs = (("check", "1"), ("test",), ("demo",), ("bench", "all"), ("grade", str(self.folder / "hand-ins")),
                 ("list",), ("doctor",), ("sim", "nowhere.cu"), ("chekc",))
        for environment, chosen in zip(PLAIN, (verbs, verbs[:1], verbs[:1])):
            for words in chosen:
                self.assert_plain(self.on_terminal(environment, *words), (environment, words))

    def test_a_build_that_fails_is_told_without_the_tools_colours(self):
        (self.root / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nnonsense()\n")
        self.assert_plain(self.on_terminal({"TERM": "dumb", "CLICOLOR_FORCE": "1"}, "check", "1"), "a broken workbook")

    def test_a_pipe_gets_none_even_where_colours_are_forced(self):
        for words in (("check", "1"), ("test",)):
            command, settings = self.command({**COLOURFUL, "CLICOLOR_FORCE": "1", "FORCE_COLOR": "1"}, words)
            done = subprocess.run(command, capture_output=True, text=True, cwd=self.root, env=settings, check=False)
            self.assert_plain(done.stdout + done.stderr, words)

    def test_another_terminal_gets_them(self):
        self.assertIn("\x1b[", self.on_terminal(COLOURFUL, "check", "1"))


if __name__ == "__main__":
    unittest.main()
