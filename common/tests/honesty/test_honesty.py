"""Tests of the checks that keep a lab honest: each must fail on what it is there to find."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "honesty"))

import catalogue_page  # noqa: E402
import include_circles  # noqa: E402
import item_names  # noqa: E402
import items_covered  # noqa: E402
import lab_messages  # noqa: E402
import lab_tables  # noqa: E402
import mutation_run  # noqa: E402
import todo_regions  # noqa: E402
import unsolved_starter  # noqa: E402
from command import files  # noqa: E402
from grader import messages  # noqa: E402

STARTER = "int a;\n// TODO(1): the sum\n// hint\n// END TODO(1)\nint b;\n"
SOLUTION = "int a;\n// TODO(1): the sum\na = 1;\nb = 2;\n// END TODO(1)\nint b;\n"
MUTANT = {"mutant": ["m"], "item": ["one"], "diagnosis": ["wrong"], "The mistake": ["x"], "Read": ["y"]}

# Answers as a lab's grader does; what it was called with goes into the file `calls`.
GRADER = """#!{python}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
with open(here / "calls", "a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
answers = json.loads((here / "answers.json").read_text())
if "--list-items" in sys.argv:
    lines = answers["items"]
elif "--list-headers" in sys.argv:
    lines = [{{"file": file, "fields": answers["headers"]}} for file in sys.argv[2:]]
else:
    lines = [{{"event": "begin", "items": []}}, *({{"event": "result", "result": each}} for each in answers["results"]),
             {{"event": "end"}}]
print(*map(json.dumps, lines), sep="\\n")
sys.exit(0 if sys.argv[1].startswith("--list") else answers["status"])
"""


class WithGrader(unittest.TestCase):
    """Runs a check's main() on a grader that gives the answers of the test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpbook-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.grader = self.folder / "grade-01"
        self.grader.write_text(GRADER.format(python=sys.executable))
        self.grader.chmod(0o755)

    def answer(self, **answers):
        (self.folder / "answers.json").write_text(json.dumps(answers))

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def run_main(self, check, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = check.main(["--grader", str(self.grader), *map(str, arguments)])
        return status, out.getvalue()


def rubric_item(name, points=2, backends=("sim",), capability=""):
    return {"item": name, "points": points, "backends": list(backends), "capability": capability}


class LabTables(WithGrader):
    ROWS = "| `one adds` | 2 | simulator |\n| `two adds` | 3 | simulator, GPU from 9.0 |\n"

    def setUp(self):
        super().setUp()
        self.lab = self.folder / "labs/02-scan"
        self.lab.mkdir(parents=True)
        (self.lab / "lab.json").write_text('{"title": "scan", "about": "sums", "kernel": "scan"}')
        self.readme = self.folder / "README.md"
        self.answer(items=[rubric_item("one adds"), rubric_item("two adds", 3, ("sim", "cuda"), "9.0"), rubric_item("two is fast", 0, ("cuda",))])

    def tables(self, *arguments, points=ROWS, labs=""):
        (self.lab / "README.md").write_text("# Lab\n\nThe points are in [`more.md`](more.md#how-it-is-graded).\n")
        (self.lab / "more.md").write_text(f"# More\n\n## How it is graded\n\n{lab_tables.POINTS}{points}\nBehind.\n")
        self.readme.write_text(f"# Book\n\n{lab_tables.LABS}{labs}\nBehind.\n")
        return self.run_main(lab_tables, "--lab", self.lab, "--readme", self.readme, *arguments)

    def row(self, name="02-scan", about="sums", points=5):
        return f"| [{name}](labs/{name}/README.md) | {about} | {points} |\n"

    def test_the_rubrics_own_tables_pass(self):
        self.assertEqual(self.tables(labs=self.row("01-a") + self.row() + self.row("03-c")), (0, ""))

    def test_other_points_items_orders_and_words_are_found(self):
        good = self.row()
        for changed in (self.ROWS.replace("3", "4"), self.ROWS.replace("one", "three"), self.ROWS.replace(", GPU from 9.0", ""),
                        "".join(reversed(self.ROWS.splitlines(keepends=True))), self.ROWS + "| `more` | 1 | simulator |\n", ""):
            status, said = self.tables(points=changed, labs=good)
            self.assertEqual(status, 1, changed)
            self.assertIn("labs/02-scan/more.md", said)
        self.assertEqual(self.tables(labs=self.row())[0], 0)
        for changed in (self.row(points=6), self.row(about="products"), self.row("01-a"), good + good):
            self.assertEqual(self.tables(labs=changed)[0], 1, changed)

    def test_the_table_of_points_has_its_place_and_the_handout_says_where(self):
        self.tables(labs=self.row())
        page, handout = self.lab / "more.md", self.lab / "README.md"
        for path, old, new, wanted in ((page, "How it is graded", "Points", "labs/02-scan/more.md has no section 'How it is graded'"),
                                       (page, "graded\n\n|", "graded\n\nFirst this.\n\n|", "labs/02-scan/more.md has no section 'How it is graded'"),
                                       (page, "| item | points |", "| item | worth |", "labs/02-scan/more.md has no section 'How it is graded'"),
                                       (handout, "more.md#how-it-is-graded", "more.md", "labs/02-scan/README.md does not say where the points are")):
            with self.subTest(wanted=wanted, new=new):
                there = path.read_text()
                path.write_text(there.replace(old, new))
                status, said = self.run_main(lab_tables, "--lab", self.lab, "--readme", self.readme)
                self.assertEqual(status, 1)
                self.assertIn(wanted, said)
                path.write_text(there)
        page.unlink()
        self.assertEqual(self.run_main(lab_tables, "--lab", self.lab, "--readme", self.readme)[0], 1)

    def test_a_lab_that_says_nothing_about_itself_has_no_row_yet(self):
        (self.lab / "lab.json").write_text('{"title": "scan", "kernel": "scan"}')
        self.assertEqual(self.tables(labs=self.row("01-a")), (0, ""))
        self.assertEqual(self.tables(labs=self.row("01-a") + self.row())[0], 1)

    ROWS_IN_CHINESE = "| `one adds` | 2 | 模拟器 |\n| `two adds` | 3 | 模拟器、9.0 起的 GPU |\n"

    def translated(self, rows=ROWS_IN_CHINESE, head="| 评分项 | 分数 | 在哪里评 |\n| --- | --- | --- |\n", print_=""):
        messages = "".join(f'msgctxt "command"\nmsgid "{english}"\nmsgstr "{own}"\n\n'
                           for english, own in (("simulator", "模拟器"), ("GPU from {capability}", "{capability} 起的 GPU")))
        catalogue = self.folder / "common/languages/zh.po"
        catalogue.parent.mkdir(parents=True, exist_ok=True)
        catalogue.write_text(messages, encoding="utf-8")
        page = self.lab / "more.zh.md"
        page.write_text(f"<!-- Translation of more.md sha256:{print_ or '0' * 16} -->\n\n# 更多\n\n## 怎样评分\n\n{head}{rows}\n之后。\n", encoding="utf-8")
        return page

    def test_a_translated_page_has_the_same_table_in_its_language(self):
        page = self.translated()
        self.assertEqual(self.tables(labs=self.row()), (0, ""))
        for rows in (self.ROWS_IN_CHINESE.replace("3", "4"), self.ROWS, "", "".join(reversed(self.ROWS_IN_CHINESE.splitlines(keepends=True)))):
            self.translated(rows)
            status, said = self.tables(labs=self.row())
            self.assertEqual(status, 1, rows)
            self.assertIn(f"{page}: the table of points is not what the rubric says", said)
        self.translated(head="")
        self.assertIn(f"{page} has no table of points", self.tables(labs=self.row())[1])

    def test_writing_leaves_a_translation_as_up_to_date_as_it_was(self):
        for was_up_to_date in (True, False):
            self.tables(points="| `one adds` | 1 | simulator |\n", labs=self.row())
            original = self.lab / "more.md"
            page = self.translated("| `one adds` | 1 | 模拟器 |\n", print_=files.fingerprint(original.read_bytes()) if was_up_to_date else "")
            self.assertEqual(self.run_main(lab_tables, "--lab", self.lab, "--readme", self.readme, "--write")[0], 0)
            self.assertIn(self.ROWS_IN_CHINESE, page.read_text(encoding="utf-8"))
            self.assertEqual(files.fingerprint(original.read_bytes()) in page.read_text(encoding="utf-8"), was_up_to_date)
            self.assertEqual(self.run_main(lab_tables, "--lab", self.lab, "--readme", self.readme), (0, ""))

    def test_a_page_without_the_table_fails(self):
        self.tables(labs=self.row())
        self.readme.write_text("# Book\n")
        status, said = self.run_main(lab_tables, "--lab", self.lab, "--readme", self.readme, "--write")
        self.assertEqual(status, 1)
        self.assertIn("README.md has no table that begins with | lab | about | points |", said)

    def test_writing_makes_what_passes_and_touches_nothing_else(self):
        self.assertEqual(self.tables("--write", points="| `old` | 1 | GPU |\n", labs=self.row("03-c") + self.row("01-a"))[0], 0)
        self.assertEqual(self.readme.read_text(), f"# Book\n\n{lab_tables.LABS}{self.row('01-a')}{self.row()}{self.row('03-c')}\nBehind.\n")
        self.assertEqual((self.lab / "more.md").read_text(), f"# More\n\n## How it is graded\n\n{lab_tables.POINTS}{self.ROWS}\nBehind.\n")
        self.assertEqual(self.run_main(lab_tables, "--lab", self.lab, "--readme", self.readme), (0, ""))


class ItemNames(WithGrader):
    def test_the_grader_is_asked_for_the_names(self):
        self.answer(items=[{"item": "one adds"}, {"item": "two adds"}])
        self.assertEqual(self.run_main(item_names), (0, "2 items, 0 problems\n"))
        self.answer(items=[{"item": "one adds"}, {"item": "One adds"}])
        self.assertEqual(self.run_main(item_names)[0], 1)

    def test_plain_unique_names_pass(self):
        self.assertEqual(item_names.problems(["one adds", "two adds"]), [])

    def test_names_that_differ_in_case_only_are_found(self):
        self.assertEqual(len(item_names.problems(["One", "one"])), 1)

    def test_every_forbidden_character_is_found(self):
        for character in item_names.FORBIDDEN:
            self.assertEqual(len(item_names.problems([f"a {character} b"])), 1, character)

    def test_no_items_at_all_is_a_problem(self):
        self.assertEqual(len(item_names.problems([])), 1)


class TodoRegions(unittest.TestCase):
    def test_a_difference_inside_a_region_passes(self):
        self.assertIsNone(todo_regions.differences(STARTER, SOLUTION))

    def test_a_difference_outside_is_named_with_both_lines(self):
        difference = todo_regions.differences(STARTER, SOLUTION.replace("int b", "int c"))
        self.assertIn("starter line 5", difference)
        self.assertIn("solution line 6", difference)

    def test_a_line_too_many_at_the_end_is_found(self):
        self.assertIn("lines", todo_regions.differences(STARTER, SOLUTION + "int c;\n"))

    def test_a_starter_that_is_the_solution_is_found(self):
        self.assertIn("is the solution", todo_regions.differences(SOLUTION, SOLUTION))

    def test_markers_that_do_not_pair_are_malformed(self):
        for text in ("// TODO(1): x\n", "// END TODO(1)\n", "// TODO(2): x\n// END TODO(2)\n", "int a;\n",
                     "// TODO(1): x\n// TODO(2): y\n// END TODO(2)\n// END TODO(1)\n",
                     "// TODO(1): x\n// END TODO(2)\n"):
            with self.assertRaises(todo_regions.Malformed, msg=text):
                todo_regions.outside_regions(text)


class ItemsCovered(WithGrader):
    def test_a_covered_item_passes(self):
        self.assertEqual(items_covered.problems(["one"], {"m.cu": MUTANT}), [])

    def test_an_item_that_no_mutant_fails_is_found(self):
        self.assertEqual(items_covered.problems(["one", "two"], {"m.cu": MUTANT}), ["no mutant fails 'two'"])

    def test_a_mutant_of_an_unknown_item_is_found(self):
        self.assertIn("m.cu: there is no item 'one'", items_covered.problems(["two"], {"m.cu": MUTANT}))

    def test_a_header_without_a_field_is_found(self):
        for field in MUTANT:
            fields = {name: values for name, values in MUTANT.items() if name != field}
            self.assertNotEqual(items_covered.problems(["one"], {"m.cu": fields}), [], field)

    def test_a_header_with_a_field_twice_is_found(self):
        for field in items_covered.FIELDS:
            self.assertNotEqual(items_covered.problems(["one"], {"m.cu": {**MUTANT, field: MUTANT[field] * 2}}), [], field)

    def test_items_and_headers_are_the_graders(self):
        mutants = self.folder / "mutants"
        mutants.mkdir()
        self.answer(items=[{"item": "one"}], headers=MUTANT)
        self.assertEqual(self.run_main(items_covered, mutants)[0], 1)  # there is none
        for name in ("a.cu", "b.cu"):
            (mutants / name).touch()
        self.assertEqual(self.run_main(items_covered, mutants, "--least", "2"), (0, "1 items, 2 mutants, 0 problems\n"))
        self.assertEqual(self.calls()[-1], f"--list-headers {mutants}/a.cu {mutants}/b.cu")
        self.assertEqual(self.run_main(items_covered, mutants, "--least", "3")[0], 1)
        self.answer(items=[{"item": "one"}, {"item": "two"}], headers=MUTANT)
        status, out = self.run_main(items_covered, mutants, "--least", "2")
        self.assertEqual(status, 1)
        self.assertIn("no mutant fails 'two'", out)


class CataloguePage(WithGrader):
    CATALOGUE = {"findings": [{"id": "one", "kind": "", "message": "{who} lacks {n:byte}{ of <place>}: {why}.", "cures": ["a.", "{b}"]},
                              {"id": "one", "kind": "odd", "message": "Odd.", "cures": ["a."]}],
                 "refusals": [{"rule": "small", "reason": "{place|it} is small", "cures": ["c."]}],
                 "phrases": {"why": ["yes", "no"], "b": ["b."]}}
    PAGE = "x\n<!-- findings: one -->\n<!-- end -->\ny\n<!-- refusals -->\n<!-- end -->\n"
    CODE = 'report("one", site); report({"one", "odd"}, site); return {error, "small"};'

    def test_the_blocks_are_written_from_the_catalogue_and_nothing_else(self):
        wanted = catalogue_page.wanted_page(self.PAGE, self.CATALOGUE)
        self.assertEqual(wanted, "x\n<!-- findings: one -->\n```text\none\n  <who> lacks <n> bytes of <place>: (yes | no).\n  try: a.\n"
                                 "  or:  b.\none (odd)\n  Odd.\n  try: a.\n```\n<!-- end -->\ny\n<!-- refusals -->\n```text\nsmall\n"
                                 "  <place> is small\n  try: c.\n```\n<!-- end -->\n")
        self.assertEqual(catalogue_page.wanted_page(wanted, self.CATALOGUE), wanted)

    def test_an_id_without_a_block_and_a_block_without_an_id_are_found(self):
        self.assertEqual(catalogue_page.unlisted(self.PAGE, self.CATALOGUE), [])
        for page, problems in (("", 2), (self.PAGE + self.PAGE, 1), (self.PAGE.replace("one", "one two"), 1)):
            self.assertEqual(len(catalogue_page.unlisted(page, self.CATALOGUE)), problems, page)

    def test_an_entry_that_no_code_gives_is_found(self):
        self.assertEqual(catalogue_page.ungiven(self.CODE, self.CATALOGUE), [])
        for given, name in (('report("one", site);', "one"), ('{"one", "odd"}', "one odd"), (', "small"', "small")):
            code = self.CODE.replace(given, "") + 'already_recorded("one", site)'
            self.assertEqual(catalogue_page.ungiven(code, self.CATALOGUE), [f"no code gives {name}"])

    def test_a_page_that_differs_fails_until_it_is_written(self):
        (self.folder / "docs").mkdir()
        page = self.folder / catalogue_page.PAGE
        page.write_text(self.PAGE)
        for folder in catalogue_page.CODE:
            (self.folder / folder).mkdir(parents=True)
        (self.folder / catalogue_page.CODE[0] / "a.cpp").write_text(self.CODE)
        printer = self.folder / "print"
        printer.write_text(f"#!/bin/sh\ncat <<'END'\n{json.dumps(self.CATALOGUE)}\nEND\n")
        printer.chmod(0o755)
        def run(*more):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                return catalogue_page.main(["--catalogue", str(printer), "--root", str(self.folder), *more]), out.getvalue()
        status, out = run()
        self.assertEqual(status, 1)
        self.assertIn("--write", out)
        self.assertEqual(run("--write")[0], 0)
        self.assertEqual(run()[0], 0)


class IncludeCircles(WithGrader):
    def run_on(self, **files):
        for name, text in files.items():
            path = self.folder / "common" / name.replace("_dot_", ".").replace("_in_", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            return include_circles.main([str(self.folder)]), out.getvalue()

    def test_files_that_include_each_other_by_steps_are_found(self):
        files = {"x_in_a_dot_cpp": '#include "x/a.hpp"\n#include "x/b.hpp"\n', "x_in_a_dot_hpp": "",
                 "x_in_b_dot_hpp": '#include "c.hpp"\n', "x_in_c_dot_hpp": ""}
        self.assertEqual(self.run_on(**files), (0, "3 units, 0 circles\n"))
        status, out = self.run_on(x_in_c_dot_cpp='#include "x/a.hpp"\n')
        self.assertEqual(status, 1)
        self.assertIn("common/x/a -> common/x/b -> common/x/c -> common/x/a", out)

    def test_no_file_is_no_success(self):
        self.assertEqual(self.run_on()[0], 1)


class UnsolvedStarter(WithGrader):
    ITEM = {"item": "one", "todo": 1, "backends": ["sim"]}
    RESULT = {"item": "one", "status": "failed", "points": 0, "diagnoses": ["unsolved"], "todo": {"number": 1, "line": 3},
              "reason": "one is not done yet: TODO(1) in a.cu:3"}
    OPTIONS = ("--runner", "R", "--module", "M.so", "--source", "a.cu")

    def test_an_unsolved_item_passes(self):
        self.assertEqual(unsolved_starter.problems([self.ITEM], 1, {"one": self.RESULT}), [])

    def test_each_departure_is_found(self):
        for status, change in ((0, {}), (2, {}), (1, {"status": "passed"}), (1, {"points": 1}),
                               (1, {"diagnoses": ["crash"]}), (1, {"todo": None}), (1, {"reason": "wrong"}),
                               (1, {"todo": {"number": 2, "line": 3}})):
            results = {"one": {**self.RESULT, **change}}
            self.assertEqual(len(unsolved_starter.problems([self.ITEM], status, results)), 1, (status, change))

    def test_an_item_that_was_not_judged_is_found(self):
        self.assertEqual(len(unsolved_starter.problems([self.ITEM], 1, {})), 1)

    def test_one_grading_run_judges_all_items_of_the_simulator(self):
        gpu = {"item": "fast", "todo": 1, "backends": ["cuda"]}
        two = {"item": "two", "todo": 1, "backends": ["sim", "cuda"]}
        self.answer(items=[self.ITEM, two, gpu], status=1, results=[self.RESULT, {**self.RESULT, "item": "two"}])
        self.assertEqual(self.run_main(unsolved_starter, *self.OPTIONS), (0, "2 items, 0 problems\n"))
        self.assertEqual(self.calls(), ["--list-items", "--json --submission starter --kind starter --backend sim "
                                        "--module M.so --runner R --source a.cu"])
        self.answer(items=[self.ITEM, two, gpu], status=1, results=[self.RESULT])
        status, out = self.run_main(unsolved_starter, *self.OPTIONS)
        self.assertEqual(status, 1)
        self.assertIn("two: status None", out)
        self.answer(items=[gpu], status=1, results=[])
        self.assertEqual(self.run_main(unsolved_starter, *self.OPTIONS)[0], 1)


class LabMessages(unittest.TestCase):
    PAGE = "# What it says\n\n## tail-skipped (count, is_one?)\nSection: The tail\nTODO: 1, 2\n\nOf {count:sum}\n{is_one?one|two} are missing.\n"

    def problems(self, page=PAGE, rubric='fail(message("tail-skipped", 1, true))', handout="## The tail\n", starter="TODO(1) TODO(2)", shown=("tail-skipped",)):
        return lab_messages.problems(messages.parsed(page), rubric, handout, starter, None if shown is None else set(shown))

    def test_a_message_is_read_with_all_that_belongs_to_it(self):
        [message] = messages.parsed(self.PAGE)
        self.assertEqual((message.key, message.id, message.parameters, message.section, message.todos, message.text),
                         ("tail-skipped", "tail-skipped", ["count", "is_one?"], "The tail", [1, 2], "Of {count:sum} {is_one?one|two} are missing."))
        header = messages.header([message], Path("labs/01-sums/messages.md"))
        self.assertIn('return filled(*key.text, {MessageValue(values)...}, "lab 01");', header)
        self.assertIn('{"tail-skipped", "count:,is_one?", "Of {count:sum} {is_one?one|two} are missing.", "The tail", {1, 2}},', header)

    def test_what_is_malformed_is_named_with_its_line(self):
        for page, says in (("## Tail\n\nText.\n", "1: '## Tail' is no heading"), ("## a\n\nText.\n\n## a\n\nText.\n", "5: there are two messages 'a'"),
                           ("## a\n", "1: 'a' has no text"), ("## a\n\nOf {n}.\n", "1: 'a' has no parameter 'n'"),
                           ("## a (n)\n\nText.\n", "1: 'a' does not use 'n'"), ("## a (n)\n\nOf {n.\n", "1: '{n.' is no place"),
                           ("## a (n)\n\nOf {n} }.\n", "1: a } of 'a'"), ("## a (n?)\n\n{n?b|{m}}\n", "1: 'a' has no parameter 'm'"),
                           ("## a\nTODO: x\n\nText.\n", "2: invalid literal"), ("## a\nTODO: 1, 2, 3, 4, 5\n\nText.\n", "more than 4")):
            with self.subTest(page=page), self.assertRaises(messages.BadMessage) as caught:
                messages.parsed(page)
            self.assertIn(says, str(caught.exception))

    def test_a_message_that_is_used_and_shown_passes(self):
        self.assertEqual(self.problems(), [])
        self.assertEqual(self.problems(shown=None), [])

    def test_each_departure_is_found(self):
        self.assertIn("used by no file", self.problems(rubric='message("tail")')[0])
        self.assertIn("no such section", self.problems(handout="## Tails\n")[0])
        self.assertIn("is about TODO(2)", self.problems(starter="TODO(1)")[0])
        self.assertIn("no mutant has the diagnosis 'tail-skipped'", self.problems(shown=())[0])
        self.assertIn("sends its reader to 'Nowhere'", self.problems(rubric='"tail-skipped" reading_on("Nowhere", f)')[0])

    def test_sections_that_variables_hold_are_checked(self):
        for rubric in ('const std::string section = "Nowhere";', 'const std::string halo_section = "Nowhere";', 'says.section = "Nowhere";',
                       'refused.section = size > 8 ? "The tail"\n  : name == "x" ? "Nowhere" : "The tail";', 'read_in("Nowhere", [&] {});',
                       'std::string_view section = "Nowhere";'):
            with self.subTest(rubric=rubric):
                self.assertEqual(lab_messages.sections_of(rubric) - {"The tail"}, {"Nowhere"})
                self.assertEqual(len(self.problems(rubric='"tail-skipped" ' + rubric)), 1)
        self.assertEqual(lab_messages.sections_of('says.section = repeated.section;\nfail("Nowhere");'), set())

    def test_what_mutants_say_to_read_has_to_be_there(self):
        pages = {("01", "README.md"): {"The tail"}, ("02", "README.md"): {"Banks"}, ("02", "more.md"): {"Older books"}}

        def said(line):
            return lab_messages.unreadable("a.cu", f"// mutant: a\n// Read: {line}\n\n  // TODO(1)\n", "02", pages)

        for line in ('the handout, "Banks".', 'the handout, "Banks": words.', 'more.md, "Older books".', 'the handout of lab 01, "The tail".',
                     'lab 01\'s handout, "The tail".', 'labs/02-banks/lab.hpp: n is small.', 'the handout, "Banks", and\n// more.md, "Older books".',
                     'the handout, "Banks".\n// function: more.md, "Gone"'):
            self.assertEqual(said(line), [], line)
        for line, wanted in (('the handout, "Bank".', "README.md of lab 02 has no such section"), ('the handout, "Older books".', "README.md of lab 02"),
                             ('more.md, "Banks".', "more.md of lab 02"), ('the handout of lab 01, "Banks".', "README.md of lab 01"),
                             ('lab 01\'s handout, "Banks".', "README.md of lab 01"), ('the handout of lab 03, "Banks".', "README.md of lab 03"),
                             ('the book, "Banks".', "quotes what is no section"), ('the handout, "Banks", and\n// more.md, "Gone".', "'Gone'")):
            self.assertEqual(len(said(line)), 1, line)
            self.assertIn(wanted, said(line)[0])

    def test_ids_are_those_of_headers_and_unit_tests(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "a.cu").write_text("// mutant: a\n// diagnosis[sim]: one, two\n// diagnosis: three\n")
            (folder / "a.cpp").write_text('CHECK(id == "four");\n')
            self.assertEqual(lab_messages.ids_shown(folder, folder), {"one", "two", "three", "four"})


class MutationRun(unittest.TestCase):
    SOURCE = """#include <x+y>
// a + b
void f(int n, const char* text = "1 + 1") {
  const int i = n + 1; // not this + one
  if (i < n) a[i] = 2;
  __syncthreads();
}
"""

    def changed(self):
        return [change.applied_to(self.SOURCE) for change in mutation_run.changes_of(self.SOURCE)]

    def test_operators_constants_names_and_statements_change_one_at_a_time(self):
        changed = self.changed()
        for text in ("n - 1;", "n + 2;", "i <= n", "a[a]", "= 4;", "a[i] = 2;\n;\n"):
            self.assertTrue(any(text in each for each in changed), text)
        for each in changed:
            self.assertNotEqual(each, self.SOURCE)
            for kept in ("#include <x+y>", "// a + b", '"1 + 1"', "// not this + one"):
                if "i = n" in each:
                    self.assertIn(kept, each)

    def test_no_declaration_is_deleted(self):
        deleted = [self.SOURCE[c.begin:c.end].strip() for c in mutation_run.changes_of(self.SOURCE) if c.text == ";"]
        self.assertEqual(deleted, ["if (i < n) a[i] = 2;", "__syncthreads();"])

    def test_verdicts(self):
        passed = {"status": "passed", "diagnoses": []}
        bare = {"status": "failed", "diagnoses": ["wrong-result"]}
        told = {"status": "failed", "diagnoses": ["wrong-result", "wrong-arithmetic"]}
        self.assertEqual(mutation_run.verdict_of([passed]), ("unnoticed", ""))
        self.assertEqual(mutation_run.verdict_of([passed, bare, told]), ("bare", "wrong-result"))
        self.assertEqual(mutation_run.verdict_of([told, bare]), ("told", "wrong-result,wrong-arithmetic"))


if __name__ == "__main__":
    unittest.main()
