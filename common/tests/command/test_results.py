"""Adding up what graders said, and printing it."""
import json
import os
import unittest
from unittest import mock

from fakes import Scratch, captured, result

from command import grading, language, record, results
from command.problem import Problem
from command.results import NOT_RUN
from command.student_file import BuildFailure
from command.workbook import Workbook

ITEMS = [{"item": "adds one", "points": 4, "backends": ["sim", "cuda"], "function": "offset_add_f32", "todo": 1, "labels": []},
         {"item": "four sectors", "points": 2, "backends": ["sim"], "function": "offset_add_f32", "todo": 1, "labels": []}]


def verdict_of(written, failure=None):
    found = [results.ItemResult.from_json(data) for data in written]
    return results.Verdict("01-coalescing", "starter", "coalescing.cu", found, failure)


def failed_build(diagnosis, reason="", details=(), error=""):
    """A verdict on a file that could not be built, as grading.judge_built() makes it."""
    with mock.patch("command.grading.items_of", return_value=ITEMS):
        workbook = Workbook("/nowhere")
        build = mock.Mock(workbook=workbook)
        submission = grading.Submission(mock.Mock(number="01"), "starter", workbook.root / "coalescing.cu")
        submission.lab.name = "01-coalescing"
        failure = BuildFailure(diagnosis, reason, list(details), error)
        return grading.judge_built(build, submission, ["sim"], {(submission, "sim"): failure})


class AddingUp(Scratch):
    def test_everything_passed_is_full_points(self):
        verdict = verdict_of([result("adds one", max_points=4), result("four sectors")])
        self.assertEqual((verdict.points, verdict.max_points, verdict.complete), (6, 6, True))

    def test_after_a_failed_build_no_item_ran(self):
        verdict = failed_build("compile-error", "error: expected ';'")
        self.assertEqual(verdict.build_failure.diagnoses, ["compile-error"])
        self.assertEqual([item.reason for item in verdict.results], [NOT_RUN, NOT_RUN])
        self.assertEqual((verdict.points, verdict.max_points, verdict.complete), (0, 6, False))

    def test_a_missing_file_is_not_said_not_to_compile(self):
        verdict = failed_build("missing-file")
        self.assertEqual({item.reason for item in verdict.results}, {results.NOT_BUILT})

    def test_points_of_an_item_count_once_and_only_if_both_backends_pass(self):
        verdict = verdict_of([result("adds one", max_points=4), result("four sectors"),
                              result("adds one", "failed", max_points=4, backend="cuda", reason="NaN")])
        self.assertEqual((verdict.points, verdict.max_points), (2, 6))
        self.assertEqual([item.backend for item in verdict.failures], ["cuda"])

    def test_a_skipped_item_earns_nothing_and_costs_nothing(self):
        verdict = verdict_of([result("adds one", max_points=4), result("four sectors", "skipped", reason="no GPU")])
        self.assertEqual((verdict.points, verdict.max_points, verdict.complete), (4, 4, True))

    def test_nothing_but_skips_is_not_full_points(self):
        verdict = verdict_of([result("adds one", "skipped"), result("four sectors", "skipped")])
        self.assertFalse(verdict.complete)

    def test_an_undecided_item_costs_no_points_and_keeps_the_verdict_incomplete(self):
        verdict = verdict_of([result("adds one", max_points=4), result("four sectors", "undecided", reason="busy")])
        self.assertEqual((verdict.points, verdict.max_points, verdict.complete), (4, 4, False))
        self.assertEqual(verdict.failures, [])

    def test_one_backend_that_could_not_decide_does_not_hide_that_the_other_failed(self):
        verdict = verdict_of([result("adds one", "undecided", max_points=4),
                              result("adds one", "failed", max_points=4, backend="cuda")])
        self.assertEqual((verdict.scores()[0].status, verdict.max_points), ("failed", 4))
        verdict = verdict_of([result("adds one", "undecided", max_points=4), result("adds one", max_points=4, backend="cuda")])
        self.assertEqual((verdict.scores()[0].status, verdict.points, verdict.max_points), ("undecided", 0, 0))

    def test_a_defect_of_the_grader_passes_nothing(self):
        verdict = verdict_of([result("adds one", "error", max_points=4), result("four sectors")])
        self.assertEqual((verdict.points, verdict.max_points, verdict.complete), (2, 6, False))
        self.assertFalse(verdict.failures[0].graded)

    def test_a_status_that_nobody_knows_is_no_result(self):
        for broken in (result("adds one", "great"), {"item": "adds one"}):
            with self.assertRaises((ValueError, KeyError)):
                results.ItemResult.from_json(broken)

    def test_the_json_document_holds_everything(self):
        verdict = verdict_of([result("adds one", "failed", reason="NaN", details=["a[3]"], function="offset_add_f32")])
        document = json.loads(json.dumps(verdict.to_json()))
        self.assertEqual((document["passed"], document["points"], document["max_points"]), (False, 0, 2))
        self.assertEqual(document["items"][0]["details"], [{"kind": "note", "text": "a[3]"}])
        self.assertEqual(document["items"][0]["function"], "offset_add_f32")

    def test_a_rubric_that_was_never_built_is_empty_and_no_verdict(self):
        build = mock.Mock(workbook=Workbook(self.folder))
        build.program = lambda name: self.folder / "bin" / name
        lab = mock.Mock(number="01")
        self.assertEqual(grading.items_of(build, lab), [])
        with self.assertRaisesRegex(Problem, "bin/grade-01 lists no items"):
            grading.judge_built(build, grading.Submission(lab, "starter", self.folder / "a.cu"), ["sim"], {})


class Noting(Scratch):
    """What `list` shows of the last check."""

    def setUp(self):
        super().setUp()
        self.write_lab("01-coalescing")
        self.write("labs/01-coalescing/coalescing.cu")
        (self.folder / "build").mkdir()
        self.workbook = Workbook(self.folder)
        self.lab = self.workbook.labs()[0]
        self.file = self.folder / "build/checks.json"

    def test_what_is_noted_is_read_again(self):
        with record.kept(self.workbook) as noted:
            noted.note(self.lab, verdict_of([result("adds one"), result("four sectors", "failed")]), 17, "")
        last = record.Record(self.workbook).of(self.lab)
        self.assertEqual((last["points"], last["max_points"], last["state"], last["edited"]), (2, 4, "started", 17))

    def test_what_others_write_meanwhile_is_lost(self):
        for nonsense in ("{}", "[]", "not JSON", '{"format": 1, "labs": {"01": {"points": 9, "max_points": 9, '
                         '"state": "solved", "edited": 0}}}'):
            with record.kept(self.workbook):
                self.file.write_text(nonsense)
            self.assertIsNone(record.Record(self.workbook).of(self.lab), nonsense)
            self.assertFalse(self.file.exists())
        with record.kept(self.workbook) as noted:
            noted.note(self.lab, verdict_of([result("adds one")]), 17, "")
        before = self.file.read_text()
        with self.assertRaises(Problem), record.kept(self.workbook):
            self.file.write_text(nonsense)
            raise Problem("the grader died")
        self.assertEqual(self.file.read_text(), before)

    def test_a_record_that_is_none_of_ours_counts_as_none(self):
        for nonsense in ("{}", "[]", "not JSON", '{"format": 9, "labs": {}}', '{"format": 1, "labs": {"01": 5}}',
                         '{"format": 1, "labs": {"01": {"points": "4"}}}'):
            self.file.write_text(nonsense)
            self.assertIsNone(record.Record(self.workbook).of(self.lab), nonsense)


class Hints(Scratch):
    def test_the_section_that_names_the_function_is_found(self):
        hints = self.write("hints.md", "# Hints\n\n## TODO(1): `offset_add`\n\n## TODO(2): copy_vectorized\n")
        self.assertEqual(results.hint_place(hints, "offset_add_f64"), "TODO(1): offset_add")
        self.assertEqual(results.hint_place(hints, "copy_vectorized"), "TODO(2): copy_vectorized")

    def test_a_function_of_several_tasks_has_the_hints_of_the_one_that_failed(self):
        hints = self.folder / "hints.md"
        hints.write_text("## TODO(1): sums, one pair\n## TODO(2): sums, tiles\n## TODO(3): other\n")
        self.assertEqual(results.hint_place(hints, "sums", 2), "TODO(2): sums, tiles")
        self.assertEqual(results.hint_place(hints, "sums", 1), "TODO(1): sums, one pair")
        self.assertEqual(results.hint_place(hints, "sums", 3), "TODO(1): sums, one pair")

    def test_a_section_about_another_function_is_not_taken(self):
        hints = self.write("hints.md", "## offset_add_strided\n")
        self.assertEqual(results.hint_place(hints, "offset_add"), "")

    def test_a_function_that_no_section_names_has_the_hints_of_its_todo(self):
        hints = self.write("hints.md", "## TODO(1): block_dots\n## TODO(2): a thread's `sum`\n")
        self.assertEqual(results.hint_place(hints, "dot_f32", 2), "TODO(2): a thread's sum")
        self.assertEqual(results.hint_place(hints, "dot_f32", 3), "")
        self.assertEqual(results.hint_place(hints, "dot_f32"), "")

    def test_without_hints_there_is_no_section(self):
        self.assertEqual(results.hint_place(self.folder / "hints.md", "offset_add"), "")


try:
    from command import render
except ImportError:
    render = None


@unittest.skipIf(render is None, "this interpreter has no rich")
class Rendering(Scratch):
    def show(self, written, **options):
        return self.shown(verdict_of(written), **options)

    def shown(self, verdict, **options):
        with captured() as (out, _), mock.patch.dict(os.environ, {"COLUMNS": "100"}):
            live = render.LiveVerdict("01-coalescing", "coalescing.cu", **options)
            if not verdict.build_failure:
                live.begin([score.item for score in verdict.scores()])
                for score in verdict.scores():
                    live.score(score)
            live.finish(verdict)
        return out.getvalue()

    def test_each_score_is_printed_when_it_is_known(self):
        with captured() as (out, _):
            live = render.LiveVerdict("01-coalescing", "coalescing.cu")
            live.begin(["adds one", "four sectors"])
            self.assertIn("01-coalescing: coalescing.cu", out.getvalue())
            self.assertNotIn("adds one", out.getvalue())
            live.score(results.ItemScore("adds one", "passed", 4, 4))
            self.assertRegex(out.getvalue(), r"\n adds one +4/4  passed\n$")
            live.score(results.ItemScore("four sectors", "undecided", 0, 0))
            self.assertRegex(out.getvalue(), r"\n four sectors +-  not judged\n$")

    def test_an_item_that_was_not_judged_says_why_and_is_no_failure(self):
        text = self.show([result("adds one", max_points=4), result("four sectors", "undecided", reason="The machine is busy.")])
        self.assertIn("not judged: four sectors (sim): The machine is busy.", text)
        self.assertNotIn("✗", text)
        self.assertIn("Points: 4/4", text)

    def test_a_failed_item_shows_reason_details_and_its_todo(self):
        text = self.show([result("adds one", "failed", max_points=4, reason="a[3] is 1.5 and should be 2.5",
                                 details=["index 3"], todo={"number": 1, "file": "labs/x.cu", "line": 17}),
                          result("four sectors")])
        for part in ("0/4", "2/2", "a[3] is 1.5 and should be 2.5", "| index 3", "TODO(1), labs/x.cu:17", "Points: 2/6"):
            self.assertIn(part, text)

    def test_items_that_wait_for_the_same_todo_are_told_once(self):
        waiting = {"diagnoses": ["unsolved"], "message": "unsolved/parts", "todo": {"number": 1, "file": "labs/x.cu", "line": 17}}
        text = self.show([result("adds one", "failed", reason="first reason", **waiting),
                          result("four sectors", "failed", reason="second reason", **waiting)])
        self.assertIn("✗ 2 of 2 items: adds one; four sectors\n    first reason\n    TODO(1), labs/x.cu:17", text)
        self.assertNotIn("second reason", text)
        text = self.show([result("adds one", "failed", reason="TODO(1) at labs/x.cu:17 is open", **{**waiting, "message": ""}), result("four sectors")])
        self.assertEqual(text.count("labs/x.cu:17"), 1)

    def test_a_function_with_other_parameters_is_told_once_for_the_items_of_all_its_todos(self):
        lacking = {"diagnoses": ["wrong-parameters", "missing-function"], "reason": "f has other parameters", "todo": None,
                   "places": [{"file": "x.cu", "line": 9}], "details": ["lab.hpp:3 declares void f(int)", "x.cu:9 defines void f(float)"]}
        verdict = verdict_of([result("adds one", "failed", **lacking), result("four sectors", "failed", **lacking),
                              result("many threads", "failed", reason="a[3] is wrong", todo={"number": 4, "file": "x.cu", "line": 17})])
        for task, failure in zip((2, 3, 4), verdict.failures):
            failure.task = task
        text = self.shown(verdict, right=(2,))
        self.assertIn("✗ 2 of 3 items: adds one; four sectors\n    f has other parameters\n    | lab.hpp:3", text)
        self.assertEqual(text.count("f has other parameters"), 1)
        self.assertNotIn("TODO(2)", text)
        self.assertIn("a[3] is wrong", text)

    def test_what_one_todo_is_told_twice_is_told_once_and_only_its_first_failure_has_details(self):
        place = {"todo": {"number": 1, "file": "labs/x.cu", "line": 17}, "diagnoses": ["out-of-bounds"]}
        text = self.show([result("adds one", "failed", reason="out of bounds", details=["line 3"], **place),
                          result("four sectors", "failed", reason="out of bounds", details=["line 3"], **place)])
        self.assertIn("✗ 2 of 2 items: adds one; four sectors\n    out of bounds", text)
        self.assertEqual(text.count("| line 3"), 1)
        text = self.show([result("adds one", "failed", reason="out of bounds", details=["line 3"], **place),
                          result("four sectors", "failed", reason="too many sectors", details=["line 4"], **{**place, "diagnoses": ["uncoalesced"]})])
        self.assertIn("| line 3", text)
        self.assertIn("too many sectors", text)
        self.assertNotIn("line 4", text)

    def test_one_diagnosis_at_one_line_is_told_once_whatever_the_items_numbers_are(self):
        bound = {"todo": {"number": 1, "file": "labs/x.cu", "line": 17}, "diagnoses": ["out-of-bounds"],
                 "places": [{"file": "labs/x.cu", "line": 19}]}
        text = self.show([result("adds one", "failed", reason="f32: 4 bytes beyond a, of 5010 elements", **bound),
                          result("four sectors", "failed", reason="f64: 8 bytes beyond a, of 16384 elements", **bound)])
        self.assertIn("✗ 2 of 2 items: adds one; four sectors\n    f32: 4 bytes beyond a", text)
        self.assertNotIn("f64", text)
        elsewhere = {**bound, "places": [{"file": "labs/x.cu", "line": 20}]}
        text = self.show([result("adds one", "failed", reason="f32: beyond a", **bound),
                          result("four sectors", "failed", reason="f32: beyond b", **elsewhere)])
        self.assertIn("f32: beyond a", text)
        self.assertIn("✗ four sectors\n    f32: beyond b", text)

    def test_one_message_with_other_numbers_is_told_once(self):
        place = {"todo": {"number": 1, "file": "labs/x.cu", "line": 17}, "diagnoses": ["tail-skipped"], "message": "tail-skipped/some"}
        text = self.show([result("adds one", "failed", reason="Of 5003 elements the last 139 are left: -1.5e-07.", **place),
                          result("four sectors", "failed", reason="Of 16384 elements the last 8 are left: 2.25.", **place)])
        self.assertIn("✗ 2 of 2 items: adds one; four sectors\n    Of 5003 elements", text)
        self.assertNotIn("16384", text)
        text = self.show([result("adds one", "failed", reason="Elements are left.", **place),
                          result("four sectors", "failed", reason="Elements are left.", **{**place, "message": "tail-skipped/all"})])
        self.assertIn("✗ four sectors\n    Elements are left.", text)

    def test_launches_that_are_refused_alike_have_their_details_once(self):
        def refused(number, function):
            return {"reason": f"{function}: a block of 2048 threads", "function": function, "diagnoses": ["invalid-launch"], "findings": [{"id": "invalid-launch", "refused": {"rule": "block-size"}}],
                    "details": [f"line {number}"], "places": [{"file": "labs/x.cu", "line": number}],
                    "todo": {"number": number, "file": "labs/x.cu", "line": 10 * number}}
        text = self.show([result("adds one", "failed", **refused(1, "add")), result("four sectors", "failed", **refused(2, "copy"))],
                         everything=True)
        self.assertIn("| line 1", text)
        self.assertIn("copy: a block of 2048 threads", text)
        self.assertNotIn("| line 2", text)

    def test_one_sentence_about_two_todos_is_told_for_each(self):
        def place(number):
            return {"todo": {"number": number, "file": "labs/x.cu", "line": 10 * number}}
        text = self.show([result("adds one", "failed", reason="out of bounds", **place(1)),
                          result("four sectors", "failed", reason="out of bounds", **place(2))], everything=True)
        for part in ("✗ adds one\n    out of bounds\n    TODO(1), labs/x.cu:10", "✗ four sectors\n    out of bounds\n    TODO(2), labs/x.cu:20"):
            self.assertIn(part, text)

    def test_where_one_of_several_todos_is_the_cause_all_are_named(self):
        places = {"todo": {"number": 2, "numbers": [2, 3, 4], "file": "labs/x.cu", "line": 17}}
        text = self.show([result("adds one", "failed", reason="wrong", **places), result("four sectors")])
        self.assertIn("    TODO(2), TODO(3) or TODO(4), labs/x.cu:17\n", text)
        self.assertEqual(results.todo_names({"numbers": [3, 4]}), "TODO(3) or TODO(4)")

    def test_brackets_and_colons_in_a_reason_are_not_markup(self):
        text = self.show([result("adds one", "failed", reason="[red]a[i][/] :warning: [bold]"), result("four sectors")])
        self.assertIn("[red]a[i][/] :warning: [bold]", text)

    def test_long_details_are_cut_with_a_count(self):
        details = [f"line {i}" for i in range(100)]
        text = self.show([result("adds one", "failed", details=details), result("four sectors")])
        self.assertIn("82 more lines", text)
        self.assertNotIn("line 18\n", text)

    def test_sections_come_below_the_details_and_the_page_is_named_unless_it_is_the_handout(self):
        folder = self.folder / "labs" / "01-coalescing"
        folder.mkdir(parents=True)
        (folder / "README.md").write_text("# Lab\n\n## Sectors\n")
        (folder / "more.md").write_text("# More\n\n## Far away\n")
        place = {"todo": {"number": 1, "file": "labs/x.cu", "line": 17}}
        told = {"details": [f"line {i}" for i in range(100)], "sections": ["Sectors", "Far away"]}
        with mock.patch.object(language._spoken, "root", self.folder):
            text = self.show([result("adds one", "failed", reason="out of bounds", **place, **told),
                              result("four sectors", "failed", reason="too many sectors", **place, **told)])
        self.assertIn("more lines; --json has them all\n    | Handout: 'Sectors'\n    | Handout: 'Far away', in labs/01-coalescing/more.md\n"
                      "    TODO(1), labs/x.cu:17\n", text)
        self.assertEqual(text.count("Handout"), 2)  # the second failure has neither details nor sections

    def test_a_file_that_does_not_compile_shows_the_error_once(self):
        text = self.shown(failed_build("compile-error", "coalescing.cu does not compile. The compiler's first error: "
                                       "coalescing.cu:9:3: error: expected ';'",
                                       ["    9 | }"], "coalescing.cu:9:3: error: expected ';'"))
        self.assertEqual(" ".join(text.split()).count("expected ';'"), 1)
        self.assertIn("    |     9 | }\n", text)
        self.assertNotIn("adds one", text)
        self.assertIn("2 items not run: the file does not compile", text)
        self.assertIn("Points: 0/6", text)

    def test_a_pipe_gets_no_colour_codes(self):
        self.assertNotIn("\033", self.show([result("adds one", "failed")]))


if __name__ == "__main__":
    unittest.main()
