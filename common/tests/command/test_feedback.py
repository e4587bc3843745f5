"""The page that a student gets back, as HTML and as Markdown."""
import contextlib
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from types import SimpleNamespace

import graded as classes
from fakes import ROOT, Scratch
from graded import HOSTILE, SEED
from test_outputs import require_safe

from command import lab_facts
from command.classroom import feedback, outputs, pictures, texts
from command.classroom.pictures import Picture
from command.see import page_module
from command.workbook import Workbook

SVG = "PHN2Zz48L3N2Zz4="


def plain(text: str) -> str:
    """Markdown without its fenced blocks, in which nothing is markup."""
    return re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.M | re.S)


class Feedback(Scratch):
    def pages(self, person: int, made=None, pictures=None, **more) -> tuple[str, str]:
        """A student's page as the text of its HTML, and as Markdown."""
        made = made or classes.graded(self.folder, **more)
        who = made.class_.people[person]
        self.html = feedback.html_page(made, who, pictures or {})
        return require_safe(self, self.html).text, feedback.markdown_page(made, who, pictures or {})

    def test_points_are_told_by_item(self):
        for text in self.pages(2):
            for told in ("王小明", "5 of 6 points", "adds one", "adds quickly", "0 of 1", "sums columns", "3 of 3",
                         "1 of 3 items has failed."):
                self.assertIn(told, text)

    def test_a_failure_has_its_reason_details_place_and_reading(self):
        text, markdown = self.pages(2)
        for told in ("8192 sectors were read", "coalescing.cu:2 | a[i] += 1;", "uncoalesced",
                     "labs/01-coalescing/README.md, 'What a warp asks for'", "./warpbook hint 01 --todo 1",
                     "labs/01-coalescing/hints.md, 'TODO(1): offset_add'"):
            self.assertIn(told, text)
            self.assertIn(told, markdown)
        self.assertIn("<mark>2 |   a[i] += 1;</mark>", self.html)
        self.assertIn(">    2 |   a[i] += 1;", markdown)

    def test_reading_is_on_the_page_that_has_the_section(self):
        for pages, wanted in (({"README.md": "## What a warp asks for\n", "more.md": "## What a warp asks for\n"}, "README.md"),
                              ({"README.md": "## TODO(1)\n", "more.md": "### What a warp asks for\n"}, "more.md"), ({}, "README.md")):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                for page, text in pages.items():
                    (folder / page).write_text(text)
                self.assertEqual(lab_facts.page_of_section(folder, "What a warp asks for"), folder / wanted)

    def test_lines_that_the_file_does_not_have_are_not_quoted(self):
        made = classes.graded(self.folder, people=["王小明"])
        [mark] = made.marks
        for place in ({"file": "coalescing.cu", "line": 99}, {"file": "other.cu", "line": 1}, {"file": "coalescing.cu", "line": "1"}, {}):
            mark.verdict.results[1].places, mark.verdict.results[1].details = [place], []
            self.assertEqual(feedback.quotes_of(mark.verdict.results[1], mark.hand_in), [])

    def test_the_graded_copy_has_the_name_of_the_students_file(self):
        made = classes.graded(self.folder, people=["王小明"])
        hand_in = made.class_.hand_ins[0]
        copy = hand_in.file.with_name("01.person-0.cu")
        shutil.copy(hand_in.file, copy)
        hand_in.file, hand_in.shown = copy, "Wang/my coalescing (2).cu"
        made.marks[0].verdict.results[1].reason = f"{copy}:2 and 01.person-0.cu:2 are wrong."
        text, markdown = self.pages(0, made)
        for page in (text, markdown):
            self.assertNotIn(str(self.folder), page)
            self.assertIn("my coalescing (2).cu:2 and my coalescing (2).cu:2 are wrong.", page)

    def test_a_file_that_does_not_compile_shows_the_first_error_and_no_table(self):
        for text in self.pages(3):
            self.assertIn("none of the 3 items was run", text)
            self.assertIn("compile-error", text)
            self.assertNotIn("adds quickly", text)

    def test_a_fault_and_nothing_handed_in_are_told_in_a_sentence(self):
        for text in self.pages(0, classes.faulty(self.folder)):
            self.assertIn("is a symbolic link.", text)
        for text in self.pages(4):
            self.assertIn("No file was handed in.", text)

    def test_an_item_that_was_not_judged_is_nobodys_fault(self):
        for text in self.pages(5):
            self.assertIn("no fault of your file", text)
            self.assertIn("not judged", text)

    def test_the_rules_and_what_they_changed_are_told_and_whom_to_ask(self):
        said = {"contact": "cuda-course@example.org", "labs": {"01": {"deadline": "2026-11-30T10:00:00Z"}}, "late": {"percent_per_day": 50},
                "extra_time": {"u4": {"days": 3}}}
        text, markdown = self.pages(0, said=said)
        for told in ("3 of 6 points", "after the deadline", "50 %", "late"):
            self.assertIn(told, text)
            self.assertIn(told, markdown)
        self.assertIn("ask cuda-course@example.org", text)
        self.assertIn("ask cuda-course@example.org", markdown)
        for page in (text, markdown):  # who has extra time concerns no one else, nor that someone has
            self.assertNotIn("u4", page)
            self.assertNotIn("extra time", page)
        self.assertIn("1 person has extra time.", outputs.index_page(classes.graded(self.folder, said), []))

    def test_extra_time_is_told_to_whom_it_is_given_in_the_zone_of_all_times(self):
        said = {"time_zone": "Europe/Berlin", "labs": {"01": {"deadline": "2026-11-29T11:30"}}, "late": {"percent_per_day": 50}, "extra_time": {"u0": {"days": 1}}}
        own, markdown = self.pages(0, said=said)
        for page in (own, markdown):
            self.assertIn("2026-11-30 11:30 +0100, with 1 day of extra time", page)
            self.assertIn("2026-11-30 13:00 +0100, late", page)
            self.assertIn("1 hour and 30 minutes after your deadline of 2026-11-30 11:30 +0100 (1 day begun)", page)
            self.assertNotIn("UTC", page)
        for page in self.pages(2, said=said):
            self.assertNotIn("extra time", page)

    def test_items_left_out_are_not_told_as_failures(self):
        for text in self.pages(2, said={"labs": {"01": {"leave_out": ["adds quickly"]}}}):
            self.assertIn("Every item has passed.", text)
            self.assertIn("'adds quickly' does not count in this course.", text)
            for told in ("✗", "8192 sectors were read"):
                self.assertNotIn(told, text)

    def test_no_other_student_and_no_seed_is_told(self):
        made = classes.graded(self.folder)
        for place, person in enumerate(made.class_.people):
            text, markdown = self.pages(place, made)
            for page in (text, markdown, self.html):
                self.assertNotIn(str(SEED), page)
                for other in made.class_.people:
                    if other is not person and other.name != HOSTILE:
                        self.assertNotIn(other.name, page)
                        self.assertNotIn(other.id, page)

    def test_a_picture_stands_once_with_the_page_that_it_is_of(self):
        made = classes.graded(self.folder, people=["王小明"])
        other = {**classes.UNCOALESCED, "reason": "Other.", "diagnoses": ["field-by-field"]}
        made.marks[0].verdict = classes.verdict(classes.results(first=classes.UNCOALESCED, second=other))
        picture = Picture("add_one", "01-add_one.html", "add_one(a[8])", SVG, SVG)
        text, markdown = self.pages(0, made, {(made.class_.hand_ins[0].id, "add_one"): picture})
        self.assertEqual((self.html.count("<img"), self.html.count('href="01-add_one.html"')), (1, 1))
        self.assertIn("in the call add_one(a[8])", text)
        self.assertEqual(markdown.count("](01-add_one.svg)"), 1)
        self.assertEqual(markdown.count("](01-add_one.html)"), 1)

    def test_several_items_that_fail_for_one_cause_are_told_once(self):
        made = classes.graded(self.folder, people=["王小明"])
        made.marks[0].verdict = classes.verdict(classes.results(first=classes.UNCOALESCED, second=classes.UNCOALESCED))
        text, markdown = self.pages(0, made)
        self.assertEqual((text.count("8192 sectors"), markdown.count("8192 sectors")), (1, 1))

    def test_each_student_has_a_folder_of_their_own(self):
        made = classes.graded(self.folder)
        feedback.write(made, self.folder / "out", {})
        for person in made.class_.people:
            folder = self.folder / "out" / "feedback" / person.folder
            self.assertEqual({path.name for path in folder.iterdir()}, {"index.html", "feedback.md"})


class HarmlessMarkdown(Scratch):
    """CommonMark 0.31 (https://spec.commonmark.org) and GitHub's autolinks (https://github.github.com/gfm/#autolinks-extension-)."""

    def test_a_hostile_text_is_no_markup(self):
        made = classes.graded(self.folder)
        for place in (1, 3):
            text = plain(feedback.markdown_page(made, made.class_.people[place], {}))
            self.assertFalse(re.search(r"(?<!\\)<(?!!)", text))  # HTML
            self.assertFalse(re.search(r"(?<!\\)[\[\]`]", text))  # links, pictures, code
            self.assertFalse(re.search(r"(?i)[a-z]+://|\bwww\.|@", text))  # what GitHub makes links of

    def test_code_fences_are_longer_than_what_they_hold(self):
        block = texts.markdown_block(["``` and ````", "plain"])
        self.assertEqual((block[0], block[-1]), ("`````text", "`````"))

    def test_a_line_cannot_begin_a_list_a_heading_or_a_rule(self):
        for line in ("- x", "+ x", "* x", "1. x", "12) x", "# x", "=== x", "> x", "~~~", "--- ", "| a |"):
            self.assertRegex(texts.markdown(line), r"^(\\|&#|\d+&#8288;)", line)

    def test_names_of_functions_stay_readable(self):
        for text in ("offset_add_f32 adds one, (see 1.5)", "12.5 of 20 points!", "1 -> 2 is a > b"):
            self.assertEqual(texts.markdown(text), text)

    def test_a_parser_of_commonmark_agrees_where_one_is_installed(self):
        program = shutil.which("cmark-gfm") or shutil.which("cmark")
        if not program:
            self.skipTest("neither cmark-gfm nor cmark is installed")
        made = classes.graded(self.folder)
        options = ["--unsafe", "-e", "autolink", "-e", "table"] if program.endswith("gfm") else ["--unsafe"]
        for person in made.class_.people:
            page = feedback.markdown_page(made, person, {})
            made_of_it = subprocess.run([program, *options], input=page, capture_output=True, text=True, check=True).stdout
            self.assertFalse(re.search(r"<(a|img|script)\b", made_of_it), made_of_it)


class Pictures(unittest.TestCase):
    def test_functions_of_failures_that_can_be_seen_are_drawn_in_their_order(self):
        other = {**classes.UNCOALESCED, "function": "column_sums", "todo": {"number": 2}}
        mark = type("Mark", (), {"verdict": classes.verdict(classes.results(second=classes.UNCOALESCED, third=other))})
        self.assertEqual(pictures.functions_to_show(mark), ["add_one", "column_sums"])

    def test_of_several_functions_of_one_todo_the_first_is_drawn(self):
        twin = {**classes.UNCOALESCED, "function": "add_one_f64"}
        mark = type("Mark", (), {"verdict": classes.verdict(classes.results(first=classes.UNCOALESCED, second=twin))})
        self.assertEqual(pictures.functions_to_show(mark), ["add_one"])

    def test_what_cannot_be_seen_is_not_drawn(self):
        for more in ({"counters": {}}, {"diagnoses": ["unsolved"]}, {"diagnoses": ["missing-function"]}):
            mark = type("Mark", (), {"verdict": classes.verdict(classes.results(second={**classes.UNCOALESCED, **more}))})
            self.assertEqual(pictures.functions_to_show(mark), [], more)
        self.assertEqual(pictures.functions_to_show(type("Mark", (), {"verdict": classes.broken()})), [])
        self.assertEqual(pictures.functions_to_show(type("Mark", (), {"verdict": None})), [])

    def test_the_runner_that_draws_stands_in_the_classs_sandbox(self):
        from unittest import mock

        with tempfile.TemporaryDirectory() as place:
            out = pathlib.Path(place)
            made = classes.graded(out)
            for mark in made.marks:
                if mark.hand_in:
                    module = pictures.module_of(out, mark.hand_in)
                    module.parent.mkdir(parents=True, exist_ok=True)
                    module.write_bytes(b"")
            build = SimpleNamespace(workbook=Workbook(ROOT), compiler="", python="", program=lambda name: name, contract_options=lambda lab: [])
            seen = mock.Mock(return_value=SimpleNamespace(trace=None))
            sandbox = SimpleNamespace(kind="bwrap", runner_prefix=lambda build, folder, backend: contextlib.nullcontext(f"{folder}/{backend}.sh"))
            with mock.patch.object(pictures.see, "trace", seen):
                pictures.make(made, out, build, 60, sandbox)
                self.assertTrue(seen.called)
                for call in seen.call_args_list:
                    how = call.args[3]
                    self.assertEqual(how[how.index("--prefix") + 1], f"{call.args[1].modules}/sim.sh")
                seen.reset_mock()
                self.assertEqual(pictures.make(made, out, build, 60, SimpleNamespace(kind="docker")), {})
                self.assertFalse(seen.called)

    def test_the_classs_seed_has_no_part_in_a_picture(self):
        from unittest import mock

        from command.build import Build

        with mock.patch.dict("os.environ", {"WARPBOOK_SEED": str(SEED)}):
            public = pictures.public_build(Build(Workbook(ROOT), "sim", {"compiler": "", "python": ""}))
        self.assertNotIn("WARPBOOK_SEED", public.environment)

    def test_the_drawing_program_and_its_view_are_there(self):
        self.assertTrue((ROOT / "common" / "see" / "picture.js").is_file())
        self.assertIn(pictures.VIEW, page_module(Workbook(ROOT)).VIEWS)


if __name__ == "__main__":
    unittest.main()
