"""The notebook docs/notebook.ipynb as a file, and what its cells do to files. common/tests/notebook runs it."""
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap
import time
import types
import unittest
from unittest import mock

from fakes import ROOT, Scratch
from learner import STARTER, LearnersWorkbook

from command import notebook, regions
from command.problem import Problem
from command.workbook import Workbook

NOTEBOOK = ROOT / "docs/notebook.ipynb"


class TheFile(unittest.TestCase):
    def setUp(self) -> None:
        self.document = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
        self.code = [cell for cell in self.document["cells"] if cell["cell_type"] == "code"]

    def test_no_output_is_committed_and_no_count_and_nothing_of_who_ran_it(self):
        self.assertGreater(len(self.code), 5)
        for cell in self.code:
            self.assertEqual((cell["outputs"], cell["execution_count"], cell["metadata"]), ([], None, {}), cell["id"])
        self.assertEqual(set(self.document["metadata"]), {"colab", "kernelspec", "language_info"})
        self.assertEqual(self.document["metadata"]["language_info"], {"name": "python"})
        self.assertEqual((self.document["nbformat"], self.document["nbformat_minor"]), (4, 5))

    def test_each_cell_has_a_name_of_its_own(self):
        names = [cell["id"] for cell in self.document["cells"]]
        self.assertEqual(len(set(names)), len(names))
        for name in names:
            self.assertRegex(name, r"^[a-z-]{1,64}$")

    def test_the_cell_to_be_written_holds_the_starter_s_text(self):
        source = "".join(next(cell for cell in self.code if cell["id"] == "write")["source"])
        first, _, rest = source.partition("\n")
        self.assertEqual(first, "%%todo 01 1")
        starter = (ROOT / "labs/01-coalescing/coalescing.cu.starter").read_text(encoding="utf-8")
        region = regions.regions(starter)[0]
        self.assertEqual(rest, textwrap.dedent("\n".join(starter.splitlines()[region.first:region.last])))

    def test_no_command_of_a_cell_or_a_table_is_unknown(self):
        from command import cli

        text = "".join("".join(cell["source"]) + "\n" for cell in self.document["cells"])
        commands = re.findall(r"%warpbook ([^`\n]*)|\./warpbook (\w[^`\n]*)", text)
        self.assertGreater(len(commands), 10)
        for words in commands:
            with self.subTest(command=words):
                cli.parser_of_all()[0].parse_args("".join(words).split())


class Cells(LearnersWorkbook):
    def setUp(self) -> None:
        super().setUp()
        self.todos = notebook.Todos(Workbook(self.root))
        self.lab = self.todos.workbook.lab("1")

    def put(self, cell: str, number: int = 1, file: "pathlib.Path | None" = None) -> str:
        return self.todos.put(self.lab, number, cell, file)

    def lines(self) -> list[str]:
        return self.starter.read_text().splitlines()

    def test_a_cell_goes_into_its_todo_and_nowhere_else(self):
        said = self.put("int a;\nint b;\n")
        self.assertEqual(self.starter.read_text(), STARTER.replace("// Write it here.\n", "int a;\nint b;\n"))
        self.assertEqual(said, "TODO(1) of labs/01-coalescing/coalescing.cu, lines 3 to 4: the text of this cell.")
        self.assertEqual(self.lines()[2:4], ["int a;", "int b;"])
        self.assertEqual(self.put("int c;", 2), "TODO(2) of labs/01-coalescing/coalescing.cu, line 8: the text of this cell.")
        self.assertEqual(self.lines()[7], "int c;")

    def test_it_is_indented_as_the_marker_and_may_be_empty(self):
        self.starter.write_text(textwrap.indent(STARTER, "    "))
        self.put("  if (i < n)\n    a[i] = 1;\n")
        self.assertEqual(self.lines()[2:4], ["    if (i < n)", "      a[i] = 1;"])
        self.assertEqual(self.put("\n\n"), "TODO(1) of labs/01-coalescing/coalescing.cu: the text of this cell.")
        self.assertEqual(self.lines()[2], "    // END TODO(1)")

    def test_a_file_of_windows_keeps_its_line_ends(self):
        self.starter.write_bytes(STARTER.replace("\n", "\r\n").encode())
        self.put("int a;\nint b;")
        data = self.starter.read_bytes()
        self.assertIn(b"\r\nint a;\r\nint b;\r\n", data)
        self.assertEqual(data.count(b"\n"), data.count(b"\r\n"))

    def test_a_cell_that_runs_twice_or_is_corrected_leaves_no_copies(self):
        for text in ("int a;", "int a;", "int b;", "int c;"):
            self.assertNotIn("What was there", self.put(text))
        self.assertEqual(self.backups(), [])

    def test_what_came_from_an_editor_is_kept(self):
        mine = STARTER.replace("// Write it here.", "int mine;")
        self.starter.write_text(mine)
        said = self.put("int a;")
        [backup] = self.backups()
        self.assertEqual(backup.read_text(), mine)
        self.assertTrue(said.endswith(f"\nWhat was there: labs/01-coalescing/{backup.name}"), said)

    def test_what_an_editor_has_changed_between_two_cells_is_kept(self):
        self.put("int a;")
        mine = self.starter.read_text().replace("int a;", "int better;")
        self.starter.write_text(mine)
        self.put("int b;")
        self.assertEqual([path.read_text() for path in self.backups()], [mine])

    def test_another_kernel_knows_nothing_of_the_cells_and_keeps_a_copy(self):
        self.put("int a;")
        self.todos = notebook.Todos(Workbook(self.root))
        self.put("int a;")
        self.assertEqual(self.backups(), [])  # the same text replaces nothing
        self.todos = notebook.Todos(Workbook(self.root))
        self.put("int b;")
        self.assertEqual(len(self.backups()), 1)

    def test_the_starter_s_text_does_not_replace_what_is_written(self):
        mine = STARTER.replace("// Write it here.", "int mine;")
        self.starter.write_text(mine)
        said = self.put("// Write it here.\n")
        self.assertEqual((self.starter.read_text(), self.backups()), (mine, []))
        self.assertIn("TODO(1) of labs/01-coalescing/coalescing.cu is written already: it stays as it is.", said)
        self.assertIn("%warpbook reset 01 --todo 1", said)

    def test_another_file_is_a_copy_with_this_todo_and_the_student_s_stays(self):
        mine = STARTER.replace("// Write it here, too.", "int mine;")
        self.starter.write_text(mine)
        other = self.root / "build" / "new" / "wrong.cu"
        said = self.put("int wrong;", file=other)
        self.assertEqual(self.starter.read_text(), mine)
        self.assertEqual(other.read_text(), mine.replace("// Write it here.", "int wrong;"))
        self.assertTrue(said.startswith(f"TODO(1) of {other}, line 3: "), said)
        self.put("int worse;", file=other)
        self.assertEqual(list(other.parent.iterdir()), [other])

    def test_a_file_of_others_is_kept_as_a_copy(self):
        other = self.root / "other.cu"
        other.write_text("int main() {}\n")
        self.put("int wrong;", file=other)
        self.assertEqual([path.read_text() for path in self.root.glob("other.*.bak")], ["int main() {}\n"])

    def test_a_cell_may_bring_its_markers(self):
        self.put("// TODO(1): the first half\nint a;\n// END TODO(1)\n")
        self.assertEqual(self.starter.read_text(), STARTER.replace("// Write it here.", "int a;"))

    def test_markers_of_another_todo_are_refused(self):
        for cell in ("// TODO(2): x\nint a;\n// END TODO(2)\n", "// END TODO(1)\n", "int a;\n// TODO(1): x\n"):
            with self.subTest(cell=cell), self.assertRaises(Problem) as raised:
                self.put(cell)
            self.assertIn("The cell has lines that mark TODOs, and they are not those of TODO(1)", raised.exception.sentence)
            self.assertEqual(self.starter.read_text(), STARTER)

    def test_what_is_in_the_file_comes_back_into_a_cell_and_changes_nothing_there(self):
        self.starter.write_text(textwrap.indent(STARTER.replace("// Write it here.", "if (i < n)\n  a[i] = 1;"), "  "))
        text = self.todos.text(self.lab, 1)
        self.assertEqual(text, "if (i < n)\n  a[i] = 1;\n")
        before = self.starter.read_bytes()
        self.put(text)
        self.assertEqual((self.starter.read_bytes(), self.backups()), (before, []))

    def test_bytes_that_are_no_utf_8_stay_as_they_are(self):
        self.starter.write_bytes(STARTER.encode() + b"// \xff\n")
        self.put("int a;  // ä")
        self.assertEqual(self.starter.read_bytes(), STARTER.replace("// Write it here.", "int a;  // ä").encode() + b"// \xff\n")

    def test_without_a_usable_file_it_says_what_to_do(self):
        for text, words in ((None, "labs/01-coalescing/coalescing.cu is missing."), ("// TODO(1): x\n", "cannot be read: TODO(1) has no end."),
                            ("int a;\n", "has no TODO(1).")):
            self.starter.unlink(missing_ok=True) if text is None else self.starter.write_text(text)
            with self.subTest(text=text), self.assertRaises(Problem) as raised:
                self.put("int a;")
            self.assertIn(words, raised.exception.sentence)

    def test_its_words(self):
        for line, words in (("", "needs a lab"), ("01", "needs a lab"), ("01 x", "'x' is not the number"), ("01 1 a b", "needs a lab"),
                            ("09 1", "There is no lab '09'"), ("01 'x", "No closing quotation")):
            with self.subTest(line=line), self.assertRaises(Problem) as raised:
                self.todos.asked(line)
            self.assertIn(words, raised.exception.sentence)
        lab, number, file = self.todos.asked("coalescing TODO(2) 'a b.cu'")
        self.assertEqual((lab.number, number, file), ("01", 2, pathlib.Path("a b.cu")))


class TheCommand(Scratch):
    """What ./warpbook gets from a notebook, with a script in its place."""

    def script(self, text: str) -> None:
        (self.folder / "warpbook").write_text(text)
        self.enterContext(mock.patch.object(notebook, "ROOT", self.folder))

    def run_words(self, *words: str) -> tuple[int, str]:
        lines: list[str] = []
        return notebook.run(list(words), lambda line: lines.append(f"{line}\n")), "".join(lines)

    def test_both_streams_come_in_their_order_with_the_status(self):
        self.script('echo "one $1"; echo two >&2; echo three; exit 7\n')
        self.assertEqual(self.run_words("a b"), (7, "one a b\ntwo\nthree\n"))

    def test_nothing_asks_for_colours_or_for_the_notebook_s_plots(self):
        self.script('echo "$FORCE_COLOR$CLICOLOR_FORCE$CLICOLOR$MPLBACKEND,$TERM,$KEPT"\n')
        with mock.patch.dict(os.environ, {"FORCE_COLOR": "1", "CLICOLOR": "1", "CLICOLOR_FORCE": "1", "MPLBACKEND": "module://x", "TERM": "xterm", "KEPT": "x"}):
            self.assertEqual(self.run_words(), (0, ",dumb,x\n"))

    def test_an_interrupted_cell_leaves_nothing_running(self):
        self.script("echo $$; exec sleep 1000\n")
        processes = []

        def interrupt(line: str) -> None:
            processes.append(int(line))
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            notebook.run([], interrupt)
        with self.assertRaises(ProcessLookupError):
            os.kill(processes[0], 0)

    def test_pages_are_those_that_were_written_since(self):
        old, new = self.folder / "old.html", self.folder / "new.html"
        for path in (old, new, self.folder / "new.jsonl"):
            path.write_text("x")
        now = time.time_ns()
        os.utime(old, ns=(now - 10**9, now - 10**9))
        os.utime(new, ns=(now, now))
        self.assertEqual(notebook.pages_since(self.folder, now), [new])
        self.assertEqual(notebook.pages_since(self.folder / "none", now), [])

    def test_a_page_is_whole_within_its_frame(self):
        import html.parser

        found = []
        parser = html.parser.HTMLParser()
        parser.handle_starttag = lambda tag, attributes: found.append((tag, dict(attributes)))
        page = "<p class=\"a\">it's &amp; \"that\" & 'this'</p><script>if (a && b < c) d('</div>')</script>"
        parser.feed(notebook.frame(page, "what's new"))
        [(_, _), (tag, attributes)] = found
        self.assertEqual((tag, attributes["srcdoc"], attributes["title"], attributes["sandbox"]), ("iframe", page, "what's new", "allow-scripts"))


class WithoutTheCommandsLibraries(unittest.TestCase):
    def test_a_bare_python_can_import_it(self):
        code = "import sys; sys.path.insert(0, sys.argv[1]); import command.notebook; print(*sorted({name.split('.')[0] for name in sys.modules}))"
        done = subprocess.run([sys.executable, "-I", "-S", "-B", "-c", code, str(ROOT / "common")], capture_output=True, text=True, check=True)
        self.assertTrue({"rich", "matplotlib", "IPython"}.isdisjoint(done.stdout.split()), done.stdout)


class TheMagics(LearnersWorkbook):
    """The extension with a shell and an IPython of a few lines."""

    def setUp(self) -> None:
        super().setUp()
        self.magics, self.next_input, self.shown = {}, [], []
        shell = types.SimpleNamespace(register_magic_function=lambda function, kind, name: self.magics.__setitem__(name, function),
                                      set_next_input=lambda text, replace: self.next_input.append(text))
        error = types.ModuleType("IPython.core.error")
        error.UsageError = type("UsageError", (Exception,), {})
        display = types.ModuleType("IPython.display")
        display.display = lambda data, raw: self.shown.append(data)
        self.enterContext(mock.patch.dict(sys.modules, {"IPython": types.ModuleType("IPython"), "IPython.core": types.ModuleType("IPython.core"),
                                                        "IPython.core.error": error, "IPython.display": display}))
        self.enterContext(mock.patch.object(notebook, "ROOT", self.root))
        self.enterContext(mock.patch.dict(os.environ, {"WARPBOOK_BUILD": str(self.root / "build")}))
        self.usage_error = error.UsageError
        notebook.load_ipython_extension(shell)

    def script(self, text: str) -> None:
        (self.root / "warpbook").write_text(text)

    def test_a_todo_goes_from_the_file_into_a_cell(self):
        self.magics["todo"]("01 1")
        self.assertEqual(self.next_input, ["%%todo 01 1\n// Write it here.\n"])

    def test_what_cannot_be_done_is_a_sentence(self):
        with self.assertRaisesRegex(self.usage_error, r"has no TODO\(9\)"):
            self.magics["todo"]("01 9", "int a;")
        self.script("exit 2\n")
        with self.assertRaisesRegex(self.usage_error, "./warpbook check 01 could not do its work"):
            self.magics["warpbook"]("check 01")
        with self.assertRaisesRegex(self.usage_error, "No closing quotation"):
            self.magics["warpbook"]("check '01")

    def test_missing_points_do_not_stop_the_notebook_nor_does_a_program_s_own_status(self):
        self.script("exit 1\n")
        self.magics["warpbook"]("check 01")
        self.script("exit 99\n")
        self.magics["warpbook"]("sim program.cu")

    def test_the_page_that_was_made_is_shown_and_no_older_one(self):
        pages = self.root / "build/see"
        pages.mkdir(parents=True)
        (pages / "old.html").write_text("old")
        os.utime(pages / "old.html", (1, 1))
        self.script(f"printf '<p>new</p>' > '{pages}/01-new.html'\n")
        self.magics["warpbook"]("see 01")
        [data] = self.shown
        self.assertIn("srcdoc='<p>new</p>'", data["text/html"])
        self.assertIn("01-new.html", data["text/plain"])


if __name__ == "__main__":
    unittest.main()
