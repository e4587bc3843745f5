"""Collecting and adding up what graders wrote, and printing it."""
import json
import os
import unittest
from unittest import mock

from fakes import Scratch, captured, result, write_results

from command import results
from command.results import NOT_RUN

ITEMS = [{"item": "adds one", "points": 4, "backends": ["sim", "cuda"], "function": "offset_add_f32", "todo": 1},
         {"item": "four sectors", "points": 2, "backends": ["sim"], "function": "offset_add_f32", "todo": 1}]


class Collecting(Scratch):
    def collect(self, written, backends=("sim",), items=ITEMS):
        write_results(self.folder, written)
        found, failure = results.collect(self.folder, "01.starter", list(backends), items)
        return results.Verdict("01-coalescing", "starter", "coalescing.cu", found, failure)

    def test_everything_passed_is_full_points(self):
        verdict = self.collect([result("adds one", max_points=4), result("four sectors")])
        self.assertEqual((verdict.points, verdict.max_points, verdict.complete), (6, 6, True))

    def test_an_item_without_a_result_is_a_failed_item(self):
        verdict = self.collect([result("adds one", max_points=4)])
        self.assertEqual((verdict.points, verdict.max_points, verdict.complete), (4, 6, False))
        self.assertIn("without a verdict", verdict.failures[0].reason)

    def test_after_a_failed_build_no_item_ran(self):
        built = result("builds", "failed", max_points=0, diagnoses=["compile-error"], reason="error: expected ';'")
        verdict = self.collect([built])
        self.assertEqual(verdict.build_failure.diagnoses, ["compile-error"])
        self.assertEqual([item.reason for item in verdict.results], [NOT_RUN, NOT_RUN])
        self.assertEqual((verdict.points, verdict.max_points, verdict.complete), (0, 6, False))

    def test_a_missing_file_is_not_said_not_to_compile(self):
        verdict = self.collect([result("builds", "failed", max_points=0, diagnoses=["missing-file"])])
        self.assertEqual({item.reason for item in verdict.results}, {results.NOT_BUILT})

    def test_a_half_written_result_counts_as_none(self):
        verdict = self.collect([result("adds one", max_points=4), result("four sectors")])
        next(self.folder.glob("01.starter.sim/1.json")).write_text('{"item": "four sec')
        verdict = self.collect([])
        self.assertEqual(verdict.points, 4)

    def test_another_submissions_results_do_not_count(self):
        verdict = self.collect([result("adds one", submission="solution", max_points=4)])
        self.assertEqual(verdict.points, 0)

    def test_points_of_an_item_count_once_and_only_if_both_backends_pass(self):
        both = [result("adds one", max_points=4), result("four sectors"),
                result("adds one", "failed", max_points=4, backend="cuda", reason="NaN")]
        verdict = self.collect(both, ("sim", "cuda"))
        self.assertEqual((verdict.points, verdict.max_points), (2, 6))
        self.assertEqual([item.backend for item in verdict.failures], ["cuda"])

    def test_a_backend_is_not_asked_for_items_that_are_not_its_own(self):
        verdict = self.collect([result("adds one", max_points=4), result("adds one", max_points=4, backend="cuda"),
                                result("four sectors")], ("sim", "cuda"))
        self.assertTrue(verdict.complete)

    def test_a_skipped_item_earns_nothing_and_costs_nothing(self):
        verdict = self.collect([result("adds one", max_points=4), result("four sectors", "skipped", reason="no GPU")])
        self.assertEqual((verdict.points, verdict.max_points, verdict.complete), (4, 4, True))

    def test_nothing_but_skips_is_not_full_points(self):
        verdict = self.collect([result("adds one", "skipped"), result("four sectors", "skipped")])
        self.assertFalse(verdict.complete)

    def test_the_json_document_holds_everything(self):
        verdict = self.collect([result("adds one", "failed", reason="NaN", details=["a[3]"])])
        document = json.loads(json.dumps(verdict.to_json()))
        self.assertEqual((document["passed"], document["points"], document["max_points"]), (False, 0, 4))
        self.assertEqual(document["items"][0]["details"], ["a[3]"])
        self.assertEqual(document["items"][0]["function"], "offset_add_f32")

    def test_a_rubric_that_was_never_built_is_empty(self):
        self.assertEqual(results.read_items(self.folder / "items.jsonl"), [])


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
    def show(self, written, items=ITEMS):
        write_results(self.folder, written)
        found, failure = results.collect(self.folder, "01.starter", ["sim"], items)
        with captured() as (out, _), mock.patch.dict(os.environ, {"COLUMNS": "100"}):
            render.print_verdict(results.Verdict("01-coalescing", "starter", "coalescing.cu", found, failure))
        return out.getvalue()

    def test_a_failed_item_shows_reason_details_and_its_todo(self):
        text = self.show([result("adds one", "failed", max_points=4, reason="a[3] is 1.5 and should be 2.5",
                                 details=["index 3"], todo={"number": 1, "file": "labs/x.cu", "line": 17}),
                          result("four sectors")])
        for part in ("0/4", "2/2", "a[3] is 1.5 and should be 2.5", "| index 3", "TODO(1), labs/x.cu:17", "Points: 2/6"):
            self.assertIn(part, text)

    def test_items_that_wait_for_the_same_todo_are_told_once(self):
        waiting = {"diagnoses": ["unsolved"], "todo": {"number": 1, "file": "labs/x.cu", "line": 17}}
        text = self.show([result("adds one", "failed", reason="first reason", **waiting),
                          result("four sectors", "failed", reason="second reason", **waiting)])
        self.assertIn("✗ adds one\n✗ four sectors\n    first reason\n    TODO(1), labs/x.cu:17", text)
        self.assertNotIn("second reason", text)

    def test_what_one_todo_is_told_twice_is_told_once_and_only_its_first_failure_has_details(self):
        place = {"todo": {"number": 1, "file": "labs/x.cu", "line": 17}}
        text = self.show([result("adds one", "failed", reason="out of bounds", details=["line 3"], **place),
                          result("four sectors", "failed", reason="out of bounds", details=["line 3"], **place)])
        self.assertIn("✗ adds one\n✗ four sectors\n    out of bounds", text)
        self.assertEqual(text.count("| line 3"), 1)
        text = self.show([result("adds one", "failed", reason="out of bounds", details=["line 3"], **place),
                          result("four sectors", "failed", reason="too many sectors", details=["line 4"], **place)])
        self.assertIn("| line 3", text)
        self.assertIn("too many sectors", text)
        self.assertNotIn("line 4", text)

    def test_one_sentence_about_two_todos_is_told_for_each(self):
        def place(number):
            return {"todo": {"number": number, "file": "labs/x.cu", "line": 10 * number}}
        text = self.show([result("adds one", "failed", reason="out of bounds", **place(1)),
                          result("four sectors", "failed", reason="out of bounds", **place(2))])
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
        self.assertIn("88 more lines", text)
        self.assertNotIn("line 12\n", text)

    def test_a_file_that_does_not_compile_shows_the_error_once(self):
        text = self.show([result("builds", "failed", max_points=0, diagnoses=["compile-error"],
                                 reason="coalescing.cu does not compile. The compiler's first error: "
                                        "coalescing.cu:9:3: error: expected ';'",
                                 details=["coalescing.cu:9:3: error: expected ';'", "    9 | }"])])
        self.assertEqual(" ".join(text.split()).count("expected ';'"), 1)
        self.assertIn("    |     9 | }\n", text)
        self.assertNotIn("adds one", text)
        self.assertIn("2 items not run: the file does not compile", text)
        self.assertIn("Points: 0/6", text)

    def test_a_pipe_gets_no_colour_codes(self):
        self.assertNotIn("\033", self.show([result("adds one", "failed")]))


if __name__ == "__main__":
    unittest.main()
