"""Results and packages for other systems, held to what their public specifications say."""
import argparse
import base64
import contextlib
import csv
import dataclasses
import fractions
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import types
import unittest
import zipfile
from unittest import mock

import graded as classes
from fakes import ROOT, Scratch, captured
from graded import HOSTILE, SEED

from command import autograder, files, cli, results, wheel
from command.classroom import intake, systems
from command.classroom.model import Person
from command.classroom.rules import Rules
from command.classroom.systems import autolab, cases, classroom50, codegrade, github_classroom, gradescope, nbgrader, package, prairielearn
from command.problem import Problem
from command.workbook import Workbook

ONES = [name for name in classes.verdicts()]
VISIBILITY = ("visible", "hidden", "after_due_date", "after_published")


def is_number(value) -> bool:
    return type(value) in (int, float) and value == value and abs(value) != float("inf")


def is_text(value) -> bool:
    return isinstance(value, str)


def require_gradescope(document: dict) -> None:
    """https://gradescope-autograders.readthedocs.io/en/latest/specs/ "Output format"."""
    formats = ("text", "html", "simple_format", "md", "ansi")
    known = {"score": is_number, "execution_time": is_number, "output": is_text,
             "output_format": formats.__contains__, "test_output_format": formats.__contains__, "test_name_format": formats.__contains__,
             "visibility": VISIBILITY.__contains__, "stdout_visibility": VISIBILITY.__contains__,
             "extra_data": lambda value: isinstance(value, dict), "tests": lambda value: isinstance(value, list),
             "leaderboard": lambda value: isinstance(value, list)}
    of_test = {"score": is_number, "max_score": is_number, "status": ("passed", "failed").__contains__, "name": is_text,
               "name_format": formats.__contains__, "number": is_text, "output": is_text, "output_format": formats.__contains__,
               "tags": lambda value: all(map(is_text, value)), "visibility": VISIBILITY.__contains__,
               "extra_data": lambda value: isinstance(value, dict)}
    for key, value in document.items():
        assert key in known and known[key](value), (key, value)
    assert "score" in document or all("score" in test for test in document["tests"])  # one of them is required
    for test in document.get("tests", []):
        for key, value in test.items():
            assert key in of_test and of_test[key](value), (key, value)


def require_reporter(document: dict) -> None:
    """What src/main.js and src/notify-classroom.js of github.com/classroom-resources/autograding-grading-reporter read, and the shape that
    autograding-io-grader (src/main.js) gives it."""
    assert set(document) == {"version", "status", "max_score", "tests"} and document["version"] == 1
    assert document["status"] in ("pass", "fail", "error") and is_number(document["max_score"])
    for test in document["tests"]:
        assert set(test) == {"name", "status", "message", "test_code", "filename", "line_no", "duration", "score"}, test
        assert test["status"] in ("pass", "fail", "error") and is_number(test["score"]) and type(test["line_no"]) is int
        assert test["message"] is None or isinstance(test["message"], str)


def require_classroom50(document: dict) -> None:
    """https://raw.githubusercontent.com/foundation50/classroom50/main/schemas/result-v1.schema.json, and the rules across fields that its
    description names."""
    texts = {"schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release", "review", "datetime"}
    assert set(document) == texts | {"score", "max-score", "tests"}
    assert all(isinstance(document[key], str) and document[key] for key in texts)
    assert document["schema"] == "classroom50/result/v1" and document["assignment_type"] in ("individual", "group")
    assert document["submission"].startswith("submit/")
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ", document["datetime"])
    for each in (document, *document["tests"]):
        assert type(each["score"]) is int and type(each["max-score"]) is int and 0 <= each["score"] <= each["max-score"], each
    for test in document["tests"]:
        assert isinstance(test["test-name"], str) and test["test-name"] and type(test["passed"]) is bool


def require_prairielearn(text: str) -> dict:
    """https://github.com/PrairieLearn/PrairieLearn/blob/master/docs/externalGrading.md "Grading results"."""
    assert len(text.encode()) <= 1_000_000
    document = json.loads(text)
    assert type(document.get("gradable", True)) is bool
    if document["gradable"]:
        assert is_number(document["score"]) and 0.0 <= document["score"] <= 1.0
    else:
        errors = document.get("format_errors", [])
        assert isinstance(errors, str) or all(isinstance(error, str) for error in errors)
    for test in document.get("tests", []):
        assert set(test) <= {"name", "description", "points", "max_points", "message", "output", "images"}
        assert isinstance(test["name"], str) and is_number(test["points"]) and is_number(test["max_points"])
    return document


def require_info(document: dict) -> None:
    """apps/prairielearn/src/schemas/schemas/infoQuestion.json: required keys, no unknown ones; externalGrading.md: at most 600 s."""
    assert {"uuid", "type", "title", "topic"} <= set(document)
    assert set(document) <= {"comment", "uuid", "type", "title", "topic", "tags", "gradingMethod", "singleVariant", "showCorrectAnswer",
                             "partialCredit", "options", "externalGradingOptions", "dependencies", "workspaceOptions"}
    assert re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", document["uuid"])
    assert document["type"] == "v3" and document["gradingMethod"] in ("Internal", "External", "Manual")
    assert type(document["singleVariant"]) is bool
    options = document["externalGradingOptions"]
    assert {"image", "entrypoint"} <= set(options) <= {"comment", "enabled", "image", "entrypoint", "serverFilesCourse", "timeout",
                                                       "enableNetworking", "environment"}
    assert type(options["timeout"]) is int and options["timeout"] <= 600 and options["entrypoint"].startswith("/")


def require_autolab(text: str) -> dict:
    """https://github.com/autolab/Autolab/blob/master/docs/lab.md: the last line is the autoresult; features/formatted-feedback.md: the line
    before it has _presentation, stages, and an object of test cases for each stage. Returns the scores."""
    lines = text.rstrip("\n").split("\n")
    scores, shown = json.loads(lines[-1]), json.loads(lines[-2])
    assert set(scores) <= {"scores", "scoreboard"} and all(is_number(value) for value in scores["scores"].values())
    assert shown["_presentation"] == "semantic" and set(shown) == {"_presentation", "stages", *shown["stages"]}
    for stage in shown["stages"]:
        for case in shown[stage].values():
            assert type(case["passed"]) is bool and isinstance(case.get("hint", ""), str)
    for line in lines[:-2]:  # no other line is taken for one of these
        assert not line.lstrip().startswith("{"), line
    return scores["scores"]


def require_codegrade(text: str) -> fractions.Fraction:
    """plugin.py of https://pypi.org/project/cg-pytest-reporter: UnitTestMessage, TestSuiteResult and TestCaseResult, one ASCII line each;
    https://codegrade.com/blog/how-to-use-custom-test-blocks: {"tag": "points", "points": "3/5"}. Returns the points."""
    messages = [json.loads(line) for line in text.encode("ascii").decode().splitlines()]
    *units, points = messages
    for unit in units:
        assert set(unit) == {"tag", "results"} and unit["tag"] == "unit-test"
        for suite in unit["results"]:
            assert {"id", "name", "testCases"} <= set(suite) <= {"id", "name", "testCases", "weight"}
            for case in suite["testCases"]:
                assert {"name", "status"} <= set(case) <= {"name", "status", "description", "weight", "reason", "stdout", "stderr"}
                assert case["status"] in ("success", "failure", "skipped")
                fractions.Fraction(case.get("weight", "1"))
    assert points["tag"] == "points"
    share = fractions.Fraction(points["points"])
    assert 0 <= share <= 1
    return share


CLASSROOM50 = {"CLASSROOM": "cuda", "ASSIGNMENT": "lab-01", "SUBMISSION_TAG": "submit/2026-11-30T12-00-00Z-a1b2c3d", "OWNER": "alice",
               "COMMIT_URL": "https://github.com/o/r/commit/1", "RELEASE_URL": "https://github.com/o/r/releases/tag/t"}


class Results(Scratch):
    def of(self, system: str, name: str, said=None) -> str:
        made = classes.graded(self.folder, said, people=[name])
        path = self.folder / "results" / "file"
        with mock.patch.dict(os.environ, CLASSROOM50):
            systems.write(system, made, path)
        return path.read_text(encoding="utf-8")

    def test_each_system_gets_what_it_specifies_whatever_became_of_the_hand_in(self):
        for name in ONES:
            require_gradescope(json.loads(self.of("gradescope", name)))
            require_reporter(json.loads(self.of("github-classroom", name)))
            require_classroom50(json.loads(self.of("classroom50", name)))
            require_prairielearn(self.of("prairielearn", name))
            require_autolab(self.of("autolab", name))
            require_codegrade(self.of("codegrade", name))

    def test_each_system_gets_it_for_a_file_that_cannot_be_graded_too(self):
        made = classes.faulty(self.folder)
        require_gradescope(json.loads(gradescope.results(made)))
        require_reporter(json.loads(github_classroom.results(made)))
        require_prairielearn(prairielearn.results(made))
        self.assertEqual(require_autolab(autolab.results(made)), {"01-coalescing": 0})
        self.assertEqual(require_codegrade(codegrade.results(made)), 0)

    def test_the_points_are_those_under_the_courses_rules(self):
        said = {"labs": {"01": {"points": 12, "deadline": "2026-11-30T10:00:00Z"}}, "late": {"percent_per_day": 25}}
        name = "王小明"  # 5 of 6: 10 of 12, and 2.5 taken off
        self.assertEqual(json.loads(self.of("gradescope", name, said))["score"], 7.5)
        reported = json.loads(self.of("github-classroom", name, said))
        added_up = sum(test["score"] for test in reported["tests"])  # as notify-classroom.js does
        self.assertEqual((added_up, reported["max_score"]), (7.5, 12))
        self.assertEqual(json.loads(self.of("prairielearn", name, said))["score"], 0.625)
        self.assertEqual(require_autolab(self.of("autolab", name, said)), {"01-coalescing": 7.5})
        self.assertEqual(require_codegrade(self.of("codegrade", name, said)), fractions.Fraction(5, 8))
        self.assertEqual(json.loads(self.of("classroom50", name, said))["score"], 8)  # whole numbers there

    def test_items_have_names_points_status_and_words(self):
        tests = json.loads(self.of("gradescope", "王小明"))["tests"]
        self.assertEqual([(test["name"], test["score"], test["max_score"], test["status"]) for test in tests],
                         [("adds one", 2, 2, "passed"), ("adds quickly", 0, 1, "failed"), ("sums columns", 3, 3, "passed")])
        self.assertIn("8192 sectors", tests[1]["output"])
        self.assertEqual(tests[1]["tags"], ["uncoalesced"])

    def test_an_item_that_was_not_judged_has_no_status_and_costs_no_attempt(self):
        tests = json.loads(self.of("gradescope", "Ivan"))["tests"]
        self.assertNotIn("status", tests[2])
        self.assertFalse(require_prairielearn(self.of("prairielearn", "Ivan"))["gradable"])
        self.assertEqual(json.loads(self.of("github-classroom", "Ivan"))["status"], "error")

    def test_a_file_that_does_not_compile_is_not_gradable_at_prairielearn(self):
        document = require_prairielearn(self.of("prairielearn", "Yvonne"))
        self.assertFalse(document["gradable"])
        self.assertIn("does not compile", document["format_errors"][0])

    def test_hostile_texts_are_data_and_no_control_characters(self):
        for system in systems.with_package():
            text = self.of(system, HOSTILE)
            self.assertFalse(re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", text), system)
            self.assertNotIn("\\u001b", text)
            self.assertNotIn("\\u0000", text)

    def test_a_failure_is_told_with_its_details_and_the_section_to_read(self):
        for system in ("gradescope", "prairielearn"):
            told = json.dumps(json.loads(self.of(system, "王小明")), ensure_ascii=False)
            self.assertIn("coalescing.cu:2 | a[i] += 1;\\nHandout: 'What a warp asks for'", told, system)

    def test_a_line_that_a_hand_in_prints_is_no_score(self):
        made = classes.graded(self.folder, people=["王小明"])
        made.marks[0].verdict.results[1].details = results.lines("note", ['{"scores": {"01-coalescing": 100}}', '{"tag": "points", "points": "1"}'])
        self.assertEqual(require_autolab(autolab.results(made)), {"01-coalescing": 5})
        self.assertEqual(require_codegrade(codegrade.results(made)), fractions.Fraction(5, 6))

    def test_results_stay_small_whatever_is_said(self):
        made = classes.graded(self.folder, people=["王小明"])
        made.marks[0].verdict.results[1].details = results.lines("note", ["x" * 100_000] * 1000)
        for system in ("gradescope", "prairielearn", "codegrade"):
            self.assertLess(len(systems.module(system).results(made)), 50_000)
        self.assertEqual(cases.short(["a"] * 40).count("\n"), 30)

    def test_the_seed_is_nowhere(self):
        for system in systems.with_package():
            for name in ONES:
                self.assertNotIn(str(SEED), self.of(system, name))

    def test_results_of_a_class_are_refused_where_they_are_of_one(self):
        made = classes.graded(self.folder)
        with self.assertRaisesRegex(Problem, "those of one person, and .* holds 6"):
            systems.refuse("gradescope", made.class_)
        systems.refuse("nbgrader", made.class_)
        systems.write("nbgrader", made, self.folder / "grades.csv")
        with self.assertRaisesRegex(Problem, "no system 'moodle'"):
            systems.write("moodle", made, self.folder / "x")

    def test_outside_of_classroom_50s_runner_the_missing_variables_are_named(self):
        with mock.patch.dict(os.environ, {}, clear=True), self.assertRaisesRegex(Problem, "CLASSROOM, ASSIGNMENT"):
            classroom50.results(classes.graded(self.folder, people=["王小明"]))

    def test_an_option_names_a_system_and_a_file(self):
        self.assertEqual(systems.wanted("gradescope=/x/y=z.json"), ("gradescope", pathlib.Path("/x/y=z.json")))
        for wrong in ("gradescope", "gradescope=", "other=x"):
            with self.assertRaises(Problem):
                systems.wanted(wrong)

    def test_nbgraders_table_has_its_exports_columns(self):
        """CsvExportPlugin in https://github.com/jupyter/nbgrader/blob/main/nbgrader/plugins/export.py"""
        said = {"labs": {"01": {"deadline": "2026-11-30T10:00:00Z"}}, "late": {"percent_per_day": 50}}
        head, *rows = csv.reader(io.StringIO(nbgrader.results(classes.graded(self.folder, said))))
        self.assertEqual(head, ["assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score",
                                "late_submission_penalty", "score", "max_score"])
        first = dict(zip(head, rows[0]))
        self.assertEqual((first["raw_score"], first["late_submission_penalty"], first["score"], first["max_score"]), ("6", "3", "3", "6"))
        for said in ({"labs": {"01": {"points": 10}}}, {"labs": {"01": {"weight": 1.07}}, "round": {"to": 1, "how": "down"}}):
            rows_ = list(csv.DictReader(io.StringIO(nbgrader.results(classes.graded(self.folder, said)))))
            self.assertEqual({row["late_submission_penalty"] for row in rows_}, {"0"})  # a rounding is none
            self.assertEqual([row["raw_score"] for row in rows_], [row["score"] for row in rows_])
        self.assertEqual((first["duedate"], first["student_id"]), ("2026-11-30 10:00:00.000000", "u0"))
        for row in rows:
            values = dict(zip(head, row))
            self.assertAlmostEqual(float(values["score"]), max(0, float(values["raw_score"]) - float(values["late_submission_penalty"])))


class OnceMade(Scratch):
    """Tests that cut the workbook's files out of git's index once."""

    @classmethod
    def setUpClass(cls):
        made, cut = {}, package.tree

        def tree(options: package.Options, folder: str) -> files.Tree:
            key = repr(dataclasses.replace(options, workbook=options.workbook.root, image="", repository="")) + folder
            if key not in made:
                made[key] = cut(options, folder)
            return dict(made[key])

        cls.cut = staticmethod(cut)
        patch = mock.patch.object(package, "tree", tree)
        patch.start()
        cls.addClassCleanup(patch.stop)


class Packages(OnceMade):
    """The packages of lab 01."""

    def options(self, **more) -> package.Options:
        workbook = Workbook(ROOT)
        return package.Options(workbook, [workbook.lab("01")], **more)

    def zipped(self, system: str, **more) -> zipfile.ZipFile:
        path = self.folder / f"{system}.zip"
        package.write_zip(systems.module(system).files(self.options(**more)), path)
        made = zipfile.ZipFile(path)
        self.addCleanup(made.close)
        return made

    def tree(self, made: zipfile.ZipFile) -> dict[str, bytes]:
        """The files of the workbook in a package, packed once more or not."""
        for name in made.namelist():
            if name.endswith((".tar", ".tar.gz")):
                with tarfile.open(fileobj=io.BytesIO(made.read(name))) as packed:
                    return {member.name: packed.extractfile(member).read() for member in packed if member.isfile()}
        return {name: made.read(name) for name in made.namelist() if name.startswith("warpbook/")}

    def test_no_package_holds_a_solution_a_mutant_or_an_accepted_file(self):
        right = {path.read_bytes() for folder in ("solutions", "common/tests/accepted") for path in (ROOT / folder).rglob("*.cu")}
        self.assertGreater(len(right), 100)
        for system in systems.with_package():
            for name, data in self.tree(self.zipped(system)).items():
                self.assertNotRegex(name, r"solutions|mutant|accepted|common/tests/(?!CMakeLists)", system)
                self.assertNotIn(data, right, name)

    def test_only_the_labs_asked_for_are_in_it_with_their_starters(self):
        tree = self.tree(self.zipped("gradescope"))
        self.assertEqual({name.split("/")[2] for name in tree if name.startswith("warpbook/labs/")}, {"01-coalescing", "CMakeLists.txt"})
        starter = (ROOT / "labs/01-coalescing/coalescing.cu.starter").read_bytes()
        self.assertEqual(tree["warpbook/labs/01-coalescing/coalescing.cu"], starter)
        for needed in ("warpbook", "CMakeLists.txt", "common/command/cli.py", "common/command/autograder.py", "labs/01-coalescing/lab.hpp"):
            self.assertIn(f"warpbook/{needed}", tree)

    def test_no_package_holds_what_a_person_says_of_a_students_mark(self):
        said = {"contact": "a@b.c", "corrections": [{"student": "alice", "lab": "01", "comment": "x", "author": "y"}]}
        tree = self.tree(self.zipped("gradescope", rules=self.write("rules.json", json.dumps(said))))
        self.assertEqual(json.loads(tree["warpbook/course.json"]), {"contact": "a@b.c", "labs": {}})

    def test_a_gradescope_zip_has_its_two_scripts_in_its_root_and_they_can_run(self):
        """https://gradescope-autograders.readthedocs.io/en/latest/specs/: setup.sh and run_autograder in the root of the archive."""
        made = self.zipped("gradescope")
        for name in ("setup.sh", "run_autograder", "warpbook/run.sh", "warpbook/warpbook"):
            self.assertTrue(made.getinfo(name).external_attr >> 16 & 0o100, name)
            self.assertTrue(made.read(name).startswith(b"#!"), name)
        self.assertIn(b"/autograder/results/results.json", made.read("run_autograder"))
        self.assertIn(b"/autograder/submission", made.read("run_autograder"))

    def test_with_a_wheel_the_set_up_is_one_install_and_one_that_does_not_fit_is_refused(self):
        file = self.folder / "warpbook-1-py3-none-any.whl"
        said = wheel.described(ROOT, "1", [ROOT / "labs/01-coalescing"])
        for programs, status in ((said["programs"], 0), ("another", 1)):
            with zipfile.ZipFile(file, "w") as archive:
                archive.writestr("warpbook/wheel.json", json.dumps({**said, "programs": programs}))
            out = self.folder / "with-wheel.zip"
            with captured() as (_, err):
                self.assertEqual(cli.main(["autograder", "gradescope", "--lab", "01", "--wheel", str(file), "-o", str(out)], str(ROOT)) != 0, status != 0)
            if status == 0:
                with zipfile.ZipFile(out) as made:
                    self.assertEqual(made.read(f"warpbook/{file.name}"), file.read_bytes())
                    setup, run = made.read("setup.sh").decode(), made.read("warpbook/run.sh").decode()
                self.assertIn(f'"$tree/build/venv/bin/pip" install --no-cache-dir "$tree/{file.name}"', run)
                self.assertNotIn("cmake", setup)
                bundle = self.zipped("classroom50", wheel=file)
                self.assertEqual(json.loads(bundle.read("runtime.json"))["apt"], package.wheel_packages())
                self.assertEqual(self.tree(bundle)[f"warpbook/{file.name}"], file.read_bytes())
            else:
                self.assertIn("does not fit this workbook", err.getvalue())

    def test_a_packages_wheel_is_installed_once_where_its_set_up_has_not_done_so(self):
        if importlib.util.find_spec("ensurepip") is None:
            self.skipTest("this Python makes no virtual environment with pip")
        file, tree = self.folder / "tree/warpbook-1-py3-none-any.whl", self.folder / "tree"
        self.write("tree/warpbook", '#!/bin/sh\necho "$@" > "$4"\n').chmod(0o755)
        self.write("tree/run.sh", package.run_script(self.options(wheel=file)))
        with zipfile.ZipFile(file, "w") as archive:
            for name, text in (("METADATA", "Metadata-Version: 2.1\nName: warpbook\nVersion: 1\n"), ("RECORD", ""),
                               ("WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
                               ("entry_points.txt", "[console_scripts]\nwarpbook = warpbook:main\n")):
                archive.writestr(f"warpbook-1.dist-info/{name}", text)
        times = set()
        for _ in range(2):
            subprocess.run(["bash", str(tree / "run.sh"), "classroom50", "hand-in", "result.json"], cwd=self.folder, check=True, capture_output=True)
            self.assertIn("results-for classroom50", (self.folder / "result.json").read_text())
            times.add((tree / "build/venv/bin/warpbook").stat().st_mtime_ns)
        self.assertEqual(len(times), 1)

    def test_every_script_is_one_that_bash_can_read(self):
        for system in systems.with_package():
            made = self.zipped(system)
            for name in made.namelist():
                text = made.read(name)
                if text.startswith(b"#!/bin/bash"):
                    done = subprocess.run(["bash", "-n"], input=text, capture_output=True, check=False)
                    self.assertEqual((done.returncode, done.stderr), (0, b""), name)

    def test_the_workflow_has_the_names_that_the_reporter_asks_for(self):
        """README.md of github.com/classroom-resources/autograding-grading-reporter: the name of the workflow, one job of that name, and
        for each runner RUNNER_RESULTS in capitals."""
        for options in (self.options(), self.options(repository="teacher/warpbook")):
            text = github_classroom.workflow(options)
            self.assertIn("name: Autograding Tests\n", text)
            self.assertEqual(re.findall(r"^  ([\w-]+):$", text[text.index("jobs:"):], re.M), ["run-autograding-tests"])
            runners = re.search(r"runners: (\S+)", text)[1]
            self.assertRegex(runners, r"^([a-zA-Z0-9]+,)*[a-zA-Z0-9]+$")
            for runner in runners.split(","):
                self.assertIn(f"        id: {runner}\n", text)
                self.assertIn(f"{runner.upper()}_RESULTS: \"${{{{ steps.{runner}.outputs.result }}}}\"", text)
            self.assertEqual("repository: teacher/warpbook" in text, bool(options.repository))
            self.require_yaml(text)

    def test_a_later_push_grades_with_the_workbook_that_the_first_one_has_built(self):
        """docs.github.com/actions, "Dependency caching": where there is no entry with the key, the folder is kept under it after a job that has
        ended well; `run` is what bash gets."""
        text = github_classroom.workflow(self.options())
        self.assertIn("path: workbook\n          key: workbook-${{ hashFiles(", text)
        self.assertIn("if: steps.kept.outputs.cache-hit != 'true'\n        run: rm -rf workbook", text)
        copy, lab = (re.sub(r"^ +", "", run, flags=re.M) for run in re.findall(r"^        run: (?:\|\n)?(.*\n(?:          .*\n)*)", text, re.M))
        output = self.folder / "output"
        environment = {"PATH": os.environ["PATH"], "GITHUB_WORKSPACE": str(self.folder), "RUNNER_TEMP": str(self.folder), "GITHUB_OUTPUT": str(output)}
        for push, steps in (("first", [(copy, "."), (lab, "workbook")]), ("second", [(lab, "workbook")])):
            self.write("hand-in/warpbook", f'#!/bin/sh\necho {push} >> built\necho "$2" "$(cat "$3/coalescing.cu")" > "$4"\n').chmod(0o755)
            self.write("hand-in/labs/01-coalescing/coalescing.cu", f"of the {push} push")
            output.unlink(missing_ok=True)
            for run, folder in steps:
                subprocess.run(["bash", "-e", "-c", run], cwd=self.folder / folder, env=environment, check=True)
            told = base64.b64decode(output.read_text().removeprefix("result=")).decode()
            self.assertEqual(told, f"github-classroom of the {push} push\n")
        self.assertEqual((self.folder / "workbook/built").read_text(), "first\nfirst\n")

    def test_the_wheel_of_a_release_saves_the_build_and_without_one_nothing_fails(self):
        text = github_classroom.workflow(self.options(repository="teacher/warpbook"))
        [run] = [re.sub(r"^ +", "", run, flags=re.M) for run in re.findall(r"^        run: \|\n((?:          .*\n)+)", text, re.M) if "gh release" in run]
        self.assertNotIn("actions/cache", text)  # which students could fill
        with self.assertRaisesRegex(Problem, "holds no wheel"):
            self.zipped("github-classroom", wheel=self.folder / "warpbook-1.whl")
        self.write("bin/gh", '#!/bin/sh\necho "$@" > asked\n[ -z "$WHEEL" ] || touch warpbook-1.whl\n[ -n "$WHEEL" ]\n').chmod(0o755)
        self.write("bin/python3", '#!/bin/sh\nmkdir -p "$3/bin" && printf \'#!/bin/sh\\necho "$@" > installed\\n\' > "$3/bin/pip" && chmod +x "$3/bin/pip"\n').chmod(0o755)
        for wheel_ in ("", "1"):
            subprocess.run(["bash", "-e", "-c", run], cwd=self.folder, env={"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "WHEEL": wheel_}, check=True)
            self.assertEqual((self.folder / "asked").read_text(), "release download --repo teacher/warpbook --pattern warpbook-*.whl\n")
            self.assertEqual((self.folder / "installed").exists(), bool(wheel_))
        self.assertEqual((self.folder / "installed").read_text(), "install --no-cache-dir warpbook-1.whl\n")

    def test_autolabs_image_has_what_tango_begins_a_job_with(self):
        """github.com/autolab/Tango: vmms/localDocker.py runs, in the image's folder, cp to autolab/ and su autolab -c "autodriver … autolab";
        autodriver.c, set-uid, has the folder owned by autograde, runs /usr/bin/make there, and calls /usr/bin/pkill."""
        lines = self.zipped("autolab").read("Dockerfile").decode().splitlines()
        text = "\n".join(lines)
        for needed in (r"install .* make\b", r"install .* procps\b", r"useradd autolab\b", r"useradd autograde\b", "-o autolab /home/autolab /home/output",
                       "-o autograde /home/autograde", "chown -R autograde /opt/warpbook", r"-o /usr/bin/autodriver .*chmod u\+s /usr/bin/autodriver"):
            self.assertRegex(text, needed)
        self.assertEqual([line for line in lines if line.startswith("WORKDIR")][-1], "WORKDIR /home")

    def require_yaml(self, text: str) -> None:
        try:
            import yaml
        except ImportError:
            return
        [job] = yaml.safe_load(text)["jobs"].values()
        self.assertEqual([("uses" in step) != ("run" in step) for step in job["steps"]], [True] * len(job["steps"]))

    def test_what_the_workflow_hands_on_is_what_the_reporter_decodes(self):
        text = github_classroom.results(classes.graded(self.folder, people=["王小明"]))
        encoded = subprocess.run(["base64", "-w0"], input=text.encode(), capture_output=True, check=True).stdout
        self.assertNotIn(b"\n", encoded)
        require_reporter(json.loads(base64.b64decode(encoded).decode("utf-8")))

    @unittest.skipUnless(shutil.which("make"), "no make here, which Autolab starts")
    def test_autolabs_makefile_ends_with_the_scores_even_where_nothing_can_be_graded(self):
        made = self.zipped("autolab")
        folder = self.folder / "job"  # what Autolab makes: the hand-in, autograde.tar, and the makefile as Makefile
        folder.mkdir()
        (folder / "coalescing.cu").write_text("// nothing\n")
        (folder / "autograde.tar").write_bytes(made.read("autograde.tar"))
        (folder / "Makefile").write_bytes(made.read("autograde-Makefile"))
        with tarfile.open(folder / "autograde.tar") as packed:
            self.assertIn("warpbook/run.sh", packed.getnames())
        fake = self.folder / "warpbook"
        fake.mkdir()
        (fake / "run.sh").write_text('test -f "$2/coalescing.cu" && echo \'{"scores": {"01-coalescing": 3}}\' > "$3"\n')
        with tarfile.open(folder / "autograde.tar", "w") as packed:
            packed.add(fake, "warpbook")
        done = subprocess.run(["make"], cwd=folder, capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1]), {"scores": {"01-coalescing": 3}})
        (fake / "run.sh").write_text("exit 2\n")
        with tarfile.open(folder / "autograde.tar", "w") as packed:
            packed.add(fake, "warpbook")
        (folder / "result.txt").unlink()
        done = subprocess.run(["make"], cwd=folder, capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1]), {"scores": {}})

    def test_autolab_takes_one_lab(self):
        workbook = Workbook(ROOT)
        with self.assertRaisesRegex(Problem, "one file"):
            autolab.files(package.Options(workbook, workbook.labs()))

    def test_prairielearns_question_keeps_to_its_schema(self):
        made = self.zipped("prairielearn", image="registry.example.org/warpbook")
        document = json.loads(made.read("questions/warpbook-01/info.json"))
        require_info(document)
        self.assertEqual(document["externalGradingOptions"]["image"], "registry.example.org/warpbook")
        question = made.read("questions/warpbook-01/question.html").decode()
        self.assertIn('file-names="coalescing.cu"', question)
        self.assertIn("<pl-external-grader-results>", question)
        self.assertIn("mkdir -p /grade/results", made.read("image/warpbook-grade").decode())

    def test_classroom_50s_bundle_has_its_entrypoint_and_a_runtime_block(self):
        """https://github.com/foundation50/classroom50/wiki/Advanced-Autograding: autograder.py, and the fields of the runtime block."""
        made = self.zipped("classroom50")
        compile(made.read("autograder.py"), "autograder.py", "exec")
        runtime = json.loads(made.read("runtime.json"))
        self.assertLessEqual(set(runtime), {"runs-on", "python", "node", "java", "go", "rust", "apt", "container"})
        self.assertIn("g++", runtime["apt"])
        for name in runtime["apt"]:
            self.assertRegex(name, r"^[a-z0-9][a-z0-9.+-]+$")  # a package's name, as Debian's policy has it

    def test_classroom_50s_autograder_runs_the_workbook_beside_it(self):
        made = self.zipped("classroom50")
        bundle, checkout = self.folder / "bundle", self.folder / "checkout"
        bundle.mkdir()
        checkout.mkdir()
        (bundle / "autograder.py").write_bytes(made.read("autograder.py"))
        script = b'[ "$1" = classroom50 ] && [ -d "$2" ] && echo "{}" > "$3"\n'
        (bundle / "warpbook.tar.gz").write_bytes(package.packed({"warpbook/run.sh": files.File(script, True)}).data)
        done = subprocess.run(["python3", str(bundle / "autograder.py")], cwd=checkout, check=False)
        self.assertEqual((done.returncode, (checkout / "result.json").read_text()), (0, "{}\n"))

    def test_rules_and_seed_travel_with_the_package(self):
        said = {"labs": {"01-coalescing": {"points": 10, "deadline": "2027-01-31T23:59:00Z"}}, "late": {"percent_per_day": 10}, "contact": "a@b.c"}
        rules = self.write("course.json", json.dumps(said))
        tree = self.tree(self.zipped("gradescope", rules=rules, seed=99))
        self.assertEqual(json.loads(tree["warpbook/course.json"]), said)
        self.assertIn(b"export WARPBOOK_SEED=99\n", tree["warpbook/run.sh"])
        self.assertIn(b"--rules course.json", tree["warpbook/run.sh"])

    def test_rules_that_name_more_labs_are_packed_for_those_that_the_package_has(self):
        whole = {"labs": {"01-coalescing": {"weight": 3}, "04": {"points": 60}, "nbody-tiling": {"counts": False}}, "total": 80, "excused": {"dan": {}},
                 "extra_time": {"alice": {"days": 1}, "bob": {"days": 1, "labs": ["04"]}, "carol": {"days": 1, "labs": ["04", "coalescing"]}}}
        path = self.write("course.json", json.dumps(whole))
        for system in systems.with_package():
            made = self.zipped(system, rules=path, seed=None if getattr(systems.module(system), "IS_PUBLIC", False) else 99)
            packed = self.tree(made).get("warpbook/course.json")
            if packed is None:  # GitHub Classroom's workflow has no workbook
                self.assertEqual(system, "github-classroom")
                continue
            said = json.loads(packed)
            options = self.options(rules=path)
            lab = options.labs[0]
            rules = Rules(options.labs, said)
            rules.know(lab, [{"item": name, "points": points} for name, points in package.known_rules(options)._rubrics[lab.name].items()])
            self.assertEqual(str(results.number(round(rules.mark(Person("", ""), lab, None, None).max_points, 2))), package.most_points(options), system)
            self.assertNotIn("excused", said)
            self.assertEqual(said.get("extra_time"), None if system == "classroom50" else {
                "alice": {"days": 1}, "carol": {"days": 1, "labs": ["coalescing"]}}, system)

    def test_the_set_up_of_each_system_ends_well_with_rules_that_name_more_labs(self):
        """In a folder that stands for the system's image, with stand-ins for what installs packages, and for the build: a check reads the rules."""
        rules = self.write("course.json", json.dumps({"labs": {"01": {"points": 40}, "04": {"points": 60}}}))
        stand_ins = self.folder / "stand-ins"
        check = ("#!/bin/sh\ncd \"$(dirname \"$0\")\" && echo \"$@\" >> said && python3 -B -c 'import pathlib, sys; sys.path[:0] = [\"common\"]\n"
                 "from command.classroom.rules import Rules\nfrom command.workbook import Workbook\nroot = pathlib.Path.cwd()\n"
                 "Rules.find(root, Workbook(root).labs(), root / \"course.json\")' || exit 2\n")
        for name, text in (("apt-get", ""), ("sudo", 'exec "$@"'), ("cmake", "echo cmake version 3.31.0")):
            self.write(f"stand-ins/{name}", f"#!/bin/sh\n{text}\n").chmod(0o755)
        for system, script, packed, upload in (("gradescope", "setup.sh", "", ""), ("codegrade", "setup.sh", "", "warpbook.tar.gz"),
                                               ("autolab", "prepare.sh", "autograde.tar", ""), ("prairielearn", "image/prepare.sh", "image/warpbook.tar", "")):
            image = self.folder / system
            with self.zipped(system, rules=rules) as made:
                made.extractall(image)
            if packed:
                with tarfile.open(image / packed) as archive:
                    archive.extractall(image)
            text = (image / script).read_text().replace("/autograder/source", str(image))
            if upload:  # what the script unpacks has the stand-in, too
                with tarfile.open(image / upload) as archive:
                    archive.extractall(image)
                (image / "warpbook/warpbook").write_text(check)
                subprocess.run(["tar", "-czf", upload, "warpbook"], cwd=image, check=True)
            tree = image / "warpbook"
            (tree / "warpbook").write_text(check)
            (tree / "warpbook").chmod(0o755)  # which Python does not take from a zip
            home = self.folder / f"home-{system}"
            home.mkdir()
            environment = {"PATH": f"{stand_ins}:{os.environ['PATH']}", "HOME": str(home), "UPLOADED_FILES": str(image), "LANG": "C.UTF-8"}
            done = subprocess.run(["bash", "-c", text], cwd=tree, env=environment, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), system)
            said = [path.read_text() for path in (tree / "said", home / "warpbook/said") if path.exists()]
            self.assertEqual(said, ["check 01\n"], system)

    def test_a_package_has_a_seed_that_was_drawn_for_it_and_keeps_it_when_it_is_made_again(self):
        def made(name: str, seed: int | None = None, system: str = "gradescope") -> tuple[bytes, str]:
            path, said = self.folder / name, io.StringIO()
            with contextlib.redirect_stdout(said):
                autograder.run(Workbook(ROOT), types.SimpleNamespace(system=system, labs=["01"], rules=None, seed=seed, repository="a/b", wheel=None,
                                                                     out=str(path)))
            with zipfile.ZipFile(path) as archive:
                return b"\n".join(archive.read(name) for name in archive.namelist()), said.getvalue()

        first, told = made("one.zip")
        seed = re.search(rb"export WARPBOOK_SEED=(\d+)\n", first)[1]
        self.assertGreater(int(seed), 1 << 32)
        self.assertIn(f"from the seed {seed.decode()}", told)
        self.assertIn(b"export WARPBOOK_SEED=" + seed + b"\n", made("one.zip")[0])
        self.assertNotIn(seed, made("two.zip")[0])
        self.assertIn(b"export WARPBOOK_SEED=3\n", made("one.zip", 3)[0])
        for system in ("github-classroom", "classroom50"):
            self.assertIn("each run draws", made("three.zip", 7, system)[1])
        with zipfile.ZipFile(self.folder / "three.zip") as archive:
            tree = self.tree(archive)
        self.assertNotIn(b"SEED", tree["warpbook/run.sh"])

    def test_the_same_workbook_makes_the_same_package(self):
        first, second = (package.packed(self.cut(self.options(), "warpbook"), gzip=False).data for _ in range(2))
        self.assertEqual(first, second)


class ChosenFiles(Scratch):
    """Which of a student's files is graded."""

    def staged(self, *names: str, labs=("01",)) -> dict[str, str]:
        for name in names:
            self.write(f"submission/{name}", name)
        (self.folder / "submission").mkdir(exist_ok=True)
        workbook, staging = Workbook(ROOT), self.folder / "staging"
        autograder.staged(self.folder / "submission", [workbook.lab(lab) for lab in labs], staging)
        return {str(path.relative_to(staging)): path.read_text() for path in staging.rglob("*") if path.is_file()}

    def test_a_file_is_known_by_its_name_at_any_depth(self):
        self.assertEqual(self.staged("a/b/coalescing.cu", "other.cu", "notes.txt"),
                         {"examinee/01-coalescing/coalescing.cu": "a/b/coalescing.cu"})

    def test_what_is_chosen_is_a_hand_in(self):
        self.staged("coalescing.cu")
        workbook = Workbook(ROOT)
        class_ = intake.take_in(self.folder / "staging", [workbook.lab("01")], self.folder / "work")
        self.assertEqual([(hand_in.person.id, hand_in.lab.number, hand_in.fault) for hand_in in class_.hand_ins], [("examinee", "01", None)])

    def test_the_uppermost_one_counts(self):
        self.assertEqual(self.staged("deep/coalescing.cu", "coalescing.cu"), {"examinee/01-coalescing/coalescing.cu": "coalescing.cu"})

    def test_a_single_file_may_be_called_anything_where_one_lab_is_graded(self):
        self.assertEqual(self.staged("my_solution.cu"), {"examinee/01-coalescing/coalescing.cu": "my_solution.cu"})

    def test_of_two_files_with_other_names_none_is_guessed(self):
        self.assertEqual(self.staged("one.cu", "two.cu"), {})

    def test_with_several_labs_each_file_goes_to_its_own(self):
        self.assertEqual(set(self.staged("shared_memory.cu", "coalescing.cu", labs=("01", "02"))),
                         {"examinee/01-coalescing/coalescing.cu", "examinee/02-shared-memory/shared_memory.cu"})

    def test_a_symbolic_link_is_handed_on_as_one(self):
        (self.folder / "submission").mkdir()
        (self.folder / "submission" / "coalescing.cu").symlink_to("/etc/passwd")
        self.staged()
        self.assertTrue((self.folder / "staging/examinee/01-coalescing/coalescing.cu").is_symlink())


class ResultsFor(Scratch):
    """The verb that packages run, with an engine that has its answer ready."""

    def results(self, answer, *names: str, rules: str | None = None) -> dict:
        for name in names:
            self.write(f"submission/{name}", "// text")
        (self.folder / "submission").mkdir(exist_ok=True)
        result = self.folder / "out" / "results.json"
        items = [{"item": item, "points": points} for item, points, _, _ in classes.ITEMS]
        arguments = argparse.Namespace(system="gradescope", submission=str(self.folder / "submission"), result=str(result), lab="01",
                                       rules=rules, sandbox=None)
        with contextlib.ExitStack() as patches:
            for target, name, value in ((autograder.build_choice.machine_setup, "ensure", lambda *_, **_options: {"compiler": "", "python": ""}),
                                        (autograder.engine, "build_programs", lambda *_: None),
                                        (autograder.sandbox, "kernel_offers", lambda build: (7, "Landlock 7")),
                                        (autograder.grading, "items_of", lambda build, lab: items),
                                        (autograder.Build, "locked", contextlib.nullcontext), (autograder.grade, "graded_class", answer)):
                patches.enter_context(mock.patch.object(target, name, value))
            out, _ = patches.enter_context(captured())
            self.assertEqual(autograder.results_for(Workbook(ROOT), arguments), 0)
        self.said = out.getvalue()
        document = json.loads(result.read_text(encoding="utf-8"))
        require_gradescope(document)
        return document

    def test_a_hand_in_is_graded_as_a_class_of_one(self):
        def answer(workbook, arguments, source, out):
            self.assertEqual([path.name for path in source.rglob("*.cu")], ["coalescing.cu"])
            self.assertTrue(arguments.no_likeness)
            return classes.graded(self.folder, people=["王小明"]), None

        document = self.results(answer, "coalescing.cu")
        self.assertEqual((document["score"], len(document["tests"])), (5, 3))
        self.assertIn("Lab 01: coalescing: 5 of 6 points.", self.said)
        self.assertIn("adds quickly: The result is right", self.said)

    def test_the_time_and_the_person_are_gradescopes(self):
        """https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/"""
        self.write("submission_metadata.json", json.dumps({
            "id": 123456, "created_at": "2027-01-31T14:22:32.365935-07:00", "assignment": {"due_date": "2027-01-31T23:00:00.000000-07:00"},
            "users": [{"email": "jane@example.org", "id": 1234, "name": "Jane Doe"}], "previous_submissions": []}))

        def answer(workbook, arguments, source, out):
            [self.hand_in] = intake.take_in(source, [workbook.lab("01")], out / "work", rosters=map(pathlib.Path, arguments.rosters)).hand_ins
            return classes.graded(self.folder, people=["王小明"]), None

        self.results(answer, "coalescing.cu")
        self.assertEqual((self.hand_in.person.id, self.hand_in.person.name, self.hand_in.person.keys),
                         ("examinee", "Jane Doe", {"email": "jane@example.org"}))
        self.assertEqual(self.hand_in.submitted.isoformat(), "2027-01-31T14:22:32-07:00")
        for broken in ("", "[]", '{"users": []}', '{"created_at": "yesterday", "users": [{"name": "Jane", "email": null}]}'):
            self.write("submission_metadata.json", broken)
            self.results(answer, "coalescing.cu")
            self.assertEqual((self.hand_in.person.id, self.hand_in.submitted), ("examinee", None))

    def test_nothing_handed_in_is_no_points_and_says_so(self):
        document = self.results(None, "notes.txt")
        self.assertEqual((document["score"], [test["max_score"] for test in document["tests"]]), (0, [6]))
        self.assertIn("No file coalescing.cu was handed in.", document["tests"][0]["output"])

    def test_a_share_of_a_total_is_the_same_where_nothing_was_handed_in(self):
        rules = self.write("rules.json", json.dumps({"total": 100, "labs": {"01": {}, "04": {"weight": 3}}}))
        self.assertEqual([test["max_score"] for test in self.results(None, "notes.txt", rules=str(rules))["tests"]], [25])

    def test_what_intake_refuses_is_told(self):
        def answer(*_):
            raise autograder.grade.NothingHandedIn("No hand-in.", ["A hand-in is …", "  coalescing.cu: it is the workbook's own text"])

        document = self.results(answer, "coalescing.cu")
        self.assertEqual(document["tests"][0]["output"], "coalescing.cu: it is the workbook's own text")

    def test_without_landlock_the_systems_container_has_to_do_and_that_is_said(self):
        with mock.patch.object(autograder.sandbox, "kernel_offers", lambda build: (0, "nothing")), captured() as (_, err):
            self.assertEqual(autograder._sandbox(None), "none")
        self.assertIn("no Landlock", err.getvalue())


class Verb(OnceMade):
    def run_verb(self, *arguments: str) -> str:
        from command import cli

        with captured() as (out, err):
            status = cli.main(["autograder", *arguments], str(ROOT))
        self.assertEqual(status, 0, err.getvalue())
        return out.getvalue()

    def test_it_writes_the_package_and_says_what_to_do_with_it(self):
        out = self.run_verb("gradescope", "--lab", "coalescing", "-o", str(self.folder / "a.zip"))
        self.assertIn("a.zip: ", out)
        self.assertIn("Configure Autograder", out)
        self.assertTrue(zipfile.is_zipfile(self.folder / "a.zip"))

    def test_a_system_without_an_autograder_is_said(self):
        from command import cli

        for system, said in (("nbgrader", "runs no autograder"), ("moodle", "no system 'moodle'")):
            with captured() as (_, err):
                self.assertEqual(cli.main(["autograder", system], str(ROOT)), 2)
            self.assertIn(said, err.getvalue())


if __name__ == "__main__":
    unittest.main()
