"""The command line: verbs, nearest matches, exit statuses, and never a traceback."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import unittest
from unittest import mock

from fakes import ROOT, Scratch, captured

from command import cli
from command.problem import Problem


class CommandLine(Scratch):
    def setUp(self):
        super().setUp()
        for name in ("01-coalescing", "02-shared-memory"):
            self.write_lab(name)

    def run_command(self, *arguments):
        with captured() as (out, err):
            status = cli.main(list(arguments), str(self.folder))
        self.assertNotIn("Traceback", out.getvalue() + err.getvalue())
        return status, out.getvalue(), err.getvalue()

    def test_without_a_verb_it_prints_short_help(self):
        status, out, _ = self.run_command()
        self.assertEqual(status, 0)
        self.assertIn("check LAB [FILE] [--todo N] [--all]", out)
        self.assertLess(len(out.splitlines()), 24)

    def test_help_names_every_verb(self):
        _, out, _ = self.run_command("--help")
        self.assertLess(out.index("  check LAB"), out.index("  grade DIR"))  # most who ask are students
        for verb in cli.parser_of_all()[1]:
            self.assertIn(f"\n  {verb} ", out)

    def test_every_verb_describes_what_it_takes(self):
        for verb, parser in cli.parser_of_all()[1].items():
            with captured() as (out, _), self.assertRaises(SystemExit) as ended:
                cli.main([verb, "--help"], str(self.folder))
            self.assertEqual(ended.exception.code, 0)
            self.assertIn(f"usage: ./warpbook {verb}", out.getvalue())
            for action in parser._actions:
                if action.help == argparse.SUPPRESS:  # not for users
                    continue
                self.assertIn(action.option_strings[-1] if action.option_strings else action.metavar, out.getvalue())
                self.assertTrue(action.help, f"{verb}: {action.dest}")

    def test_every_handler_exists(self):
        for verb, parser in cli.parser_of_all()[1].items():
            self.assertTrue(callable(cli.handler(parser.get_default("handler"))), verb)

    def test_an_unknown_verb_gets_the_nearest_one_and_status_2(self):
        status, out, err = self.run_command("chekc", "1")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("There is no verb 'chekc'. Did you mean check?", err)

    def test_an_unknown_verb_like_no_other_gets_the_list(self):
        status, _, err = self.run_command("xyzzy")
        self.assertEqual(status, 2)
        self.assertNotIn("Did you mean", err)
        self.assertIn("demo, check, watch, hint", err)

    def test_an_unknown_lab_gets_the_nearest_one_and_status_2(self):
        status, _, err = self.run_command("check", "coalesing")
        self.assertEqual(status, 2)
        self.assertIn("Did you mean coalescing?", err)

    def test_a_number_that_is_no_lab_gets_the_list_of_labs(self):
        status, out, err = self.run_command("check", "99")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("There is no lab '99'.", err)
        self.assertIn("The labs are: 01-coalescing, 02-shared-memory", err)

    def test_a_missing_lab_argument_is_a_sentence(self):
        status, _, err = self.run_command("check")
        self.assertEqual(status, 2)
        self.assertIn("LAB", err)

    def test_an_unknown_option_gets_the_nearest_one(self):
        status, _, err = self.run_command("check", "1", "--jsn")
        self.assertEqual(status, 2)
        self.assertIn("Did you mean --json?", err)

    def test_an_option_for_one_value_is_refused_twice(self):
        """The last one counted, without a word."""
        status, _, err = self.run_command("grade", ".", "--lab", "1", "--lab=2")
        self.assertEqual(status, 2)
        self.assertIn("--lab: given twice; it takes one value", err)

    def test_a_missing_file_is_said_before_anything_is_set_up(self):
        with mock.patch("command.machine_setup.ensure", side_effect=AssertionError("set-up ran")), \
                mock.patch("command.cli.restart_with_rich"):
            status, _, err = self.run_command("check", "1", "nowhere.cu")
        self.assertEqual(status, 2)
        self.assertIn("There is no file nowhere.cu.", err)

    def test_an_unexpected_error_is_a_sentence(self):
        with mock.patch("command.cli.dispatch", side_effect=RuntimeError("boom")):
            status, _, err = self.run_command("list")
        self.assertEqual(status, 2)
        self.assertIn("RuntimeError: boom", err)

    def test_the_debug_switch_lets_the_traceback_through(self):
        with mock.patch("command.cli.dispatch", side_effect=RuntimeError("boom")), \
                mock.patch.dict(os.environ, {"WARPBOOK_DEBUG": "1"}), self.assertRaises(RuntimeError):
            cli.main(["list"], str(self.folder))

    def test_an_interrupt_is_status_130(self):
        with mock.patch("command.cli.dispatch", side_effect=KeyboardInterrupt):
            status, _, err = self.run_command("list")
        self.assertEqual(status, 130)
        self.assertIn("Interrupted. Your files are as they were", err)

    def test_with_json_even_a_problem_is_one_document_on_stdout(self):
        with mock.patch("command.machine_setup.ensure", side_effect=Problem("No compiler.", ["install one"])):
            status, out, err = self.run_command("check", "1", "--json")
        self.assertEqual((status, err), (2, ""))
        self.assertEqual(json.loads(out), {"error": "No compiler.", "details": ["install one"]})

    def test_the_entry_script_stays_thin(self):
        self.assertLess(len((ROOT / "warpbook").read_text().splitlines()), 50)


class LabNames(Scratch):
    def setUp(self):
        super().setUp()
        for name in ("01-coalescing", "02-shared-memory"):
            self.write_lab(name)
        self.write("labs/CMakeLists.txt")

    def test_every_way_to_name_a_lab_finds_it(self):
        from command.workbook import Workbook

        workbook = Workbook(self.folder)
        for name in ("1", "01", "coalescing", "01-coalescing", "labs/01-coalescing/", "Coalescing"):
            self.assertEqual(workbook.lab(name).name, "01-coalescing", name)

    def test_a_number_that_is_no_lab_is_refused(self):
        from command.workbook import Workbook

        for name in ("0", "7", "011", "", "²"):
            with self.assertRaises(Problem, msg=name):
                Workbook(self.folder).lab(name)

    def test_files_in_labs_are_no_labs(self):
        from command.workbook import Workbook

        self.assertEqual([lab.number for lab in Workbook(self.folder).labs()], ["01", "02"])

    def test_a_tree_without_labs_is_a_sentence(self):
        from command.workbook import Workbook

        with self.assertRaises(Problem):
            Workbook(self.folder / "elsewhere").labs()


class Interpreter(Scratch):
    """Which Python the script goes on in, before any Python has started."""

    def setUp(self):
        super().setUp()
        shutil.copy(ROOT / "warpbook", self.folder / "warpbook")
        self.chosen = self.python("chosen")
        self.python("bin/python3")

    def python(self, name: str) -> pathlib.Path:
        """A Python that says which one it is, and with what it was started."""
        path = self.write(name, f'#!/bin/sh\necho "{name} [$WARPBOOK_RESTARTED]" "$@"\n')
        path.chmod(0o755)
        return path

    def started(self, *arguments: str, script: str = "./warpbook", **environment: str) -> str:
        settings = {"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", **environment}
        done = subprocess.run([script, *arguments], cwd=self.folder, env=settings, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    def survey(self, folder: str = "build") -> None:
        self.write(f"{folder}/setup.json", json.dumps({"format": 1, "watched": {"/usr/bin/python3": 1}, "python": str(self.chosen)},
                                                      indent=1))

    def test_the_python_of_the_last_survey_goes_on_with_the_same_arguments(self):
        self.survey()
        self.assertEqual(self.started("check", "1", "a file.cu"), "chosen [early] ./warpbook check 1 a file.cu")

    def test_the_survey_is_where_everything_built_is(self):
        self.survey("elsewhere")
        self.assertEqual(self.started("list", WARPBOOK_BUILD="elsewhere"), "chosen [early] ./warpbook list")
        self.assertEqual(self.started("list"), "bin/python3 [] ./warpbook list")

    def test_a_link_to_the_script_finds_the_survey_too(self):
        self.survey()
        (self.folder / "elsewhere").mkdir()
        (self.folder / "elsewhere/wb").symlink_to(self.folder / "warpbook")
        self.assertEqual(self.started("list", script="elsewhere/wb"), "chosen [early] elsewhere/wb list")

    def test_the_first_python3_goes_on_without_a_survey_or_where_its_python_is_gone_or_has_been_tried(self):
        self.assertEqual(self.started("list"), "bin/python3 [] ./warpbook list")
        self.survey()
        self.assertEqual(self.started("list", WARPBOOK_RESTARTED="1"), "bin/python3 [1] ./warpbook list")
        self.chosen.unlink()
        self.assertEqual(self.started("list"), "bin/python3 [] ./warpbook list")

    def test_without_any_python_one_sentence_says_so(self):
        done = subprocess.run(["/bin/sh", "./warpbook", "list"], cwd=self.folder, env={"PATH": "/nowhere"}, capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no python3 on PATH", done.stderr)


if __name__ == "__main__":
    unittest.main()
