"""./warpbook see: which function and files are meant, what the trace file gets, and what a terminal shows."""
import contextlib
import io
import json
import pathlib
import tempfile
import unittest
from unittest import mock

import fakes  # noqa: F401 (the path to the command)

from command import see
from command.problem import Problem

ITEMS = [{"functions": ["first"], "todo": 1}, {"functions": ["second"], "todo": 2}, {"functions": ["second", "third"], "todo": 3}]


def line(**facts) -> str:
    return json.dumps({"line": {"file": 0, "line": 7, "space": "global", "access": "read", "requests": 4, "cost": 16, "least": 16,
                                "lanes": 128, "bytes": 512, **facts}}) + "\n"


class Words(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(contextlib.chdir(self.folder))
        for name in ("a.cu", "b.cu", "c.cu", "first"):
            pathlib.Path(name).touch()

    def test_functions_stand_in_the_order_of_their_items(self):
        self.assertEqual(see.functions_of(ITEMS), {"first": 1, "second": 2, "third": 3})

    def test_a_function_and_files_are_told_apart(self):
        known = see.functions_of(ITEMS)
        for words, meant in (([], (None, [])), (["second"], ("second", [])), (["a.cu"], (None, ["a.cu"])),
                             (["b.cu", "third", "a.cu"], ("third", ["b.cu", "a.cu"])), (["first", "first"], ("first", ["first"]))):
            function, files = see.sorted_words(words, known)
            self.assertEqual((function, [str(file) for file in files]), meant)

    def test_what_is_neither_is_named_with_the_functions(self):
        with self.assertRaises(Problem) as raised:
            see.sorted_words(["fourth"], see.functions_of(ITEMS))
        self.assertIn("'fourth' is neither", raised.exception.sentence)
        self.assertIn("first, second, third", raised.exception.details[0])

    def test_files_that_are_not_there_and_too_many_are_refused(self):
        for words, said in ((["no.cu"], "There is no file no.cu."), (["a.cu", "b.cu", "c.cu"], "two side by side")):
            with self.assertRaises(Problem) as raised:
                see.sorted_words(words, see.functions_of(ITEMS))
            self.assertIn(said, raised.exception.sentence)


class TraceFile(unittest.TestCase):
    def test_costs_outside_of_the_todos_of_a_file_that_is_right_are_given(self):
        text = "given\n// TODO(1): mine\nmine\n// END TODO(1)\n"
        file, header = (json.dumps({"file": {"path": "a", "text": each}}) + "\n" for each in (text, "#pragma once\n"))
        records = [line(line=1, cost=32), line(line=3, cost=32), line(file=1, line=1), json.dumps({"line": {"space": "global"}}) + "\n"]
        made = see.with_given([file, header, *records])
        self.assertEqual([json.loads(each)["line"].get("given", False) for each in made[2:]], [True, False, True, False])
        self.assertEqual(made[:2], [file, header])
        self.assertEqual(see.with_given([header, *records]), [header, *records])  # a file without TODOs is all one's own
        path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "trace"
        path.write_text("".join(made[2:4]))
        self.assertEqual([row[0] for row in see.cost_lines(path)], [" ", "!"])

    def array(self, name: str = "in", space: str = "global", count: int = 24, element_bytes: int = 4) -> str:
        return json.dumps({"array": {"name": name, "space": space, "bytes": 4 * count, "element_bytes": element_bytes}}) + "\n"

    def extents(self, text: str, lengths: dict, numbers: dict | None = None) -> list[int] | None:
        return json.loads(see.with_extents(text, lengths, numbers or {}))["array"].get("extents")

    def test_an_array_has_rows_of_the_length_that_an_argument_or_a_number_says(self):
        self.assertEqual(self.extents(self.array(), {"in": "cols"}, {"cols": "8"}), [3, 8])
        self.assertEqual(self.extents(self.array(), {"in": 6}), [4, 6])

    def test_other_arrays_and_rows_that_do_not_fit_stay_as_they_are(self):
        for text, lengths in ((self.array("out"), {"in": 6}), (self.array(space="shared"), {"in": 6}), (self.array(), {"in": 7}),
                              (self.array(), {"in": 0}), (self.array(element_bytes=0), {"in": 6})):
            self.assertEqual(see.with_extents(text, lengths, {}), text)

    def shown(self, *lines: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "t.jsonl")
            path.write_text('{"trace": {}}\n' + "".join(lines))
            return see.cost_lines(path)

    def test_a_terminal_gets_each_line_with_its_cost_and_the_least(self):
        self.assertEqual(self.shown(line(line=12, space="shared", access="write", cost=128, least=4), line()),
                         ["  line    7  global read         4 requests,   4.00 sectors per request, least 4.00",
                          "! line   12  shared write        4 requests,  32.00 wavefronts per request, least 1.00"])

    def test_accesses_to_other_blocks_have_no_cost(self):
        self.assertEqual(self.shown(line(space="shared", access="atomic", remote=True, cost=0, least=0)),
                         ["  line    7  shared atomic       4 requests, 128 lanes to other blocks' shared memory"])

    def test_sentences_are_wrapped_in_a_terminal_alone(self):
        long = "One sentence that is " + "very " * 30 + "long."
        for is_terminal, widest in ((True, 40), (False, len(long) + 2)):
            out = io.StringIO()
            out.isatty = lambda is_terminal=is_terminal: is_terminal
            with mock.patch("sys.stdout", out), mock.patch.dict("os.environ", {"COLUMNS": "40"}):
                see.say(long, 2)
            lines = out.getvalue().splitlines()
            self.assertEqual(max(map(len, lines)) <= widest, True)
            self.assertEqual(" ".join(line.strip() for line in lines), long)
            self.assertEqual(len(lines) > 1, is_terminal)

    def test_a_trace_without_lines_has_nothing_to_draw(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "t.jsonl")
            self.assertFalse(see.has_accesses(path))
            path.write_text('{"trace": {}}\n')
            self.assertFalse(see.has_accesses(path))
            path.write_text('{"trace": {}}\n' + line())
            self.assertTrue(see.has_accesses(path))


if __name__ == "__main__":
    unittest.main()
