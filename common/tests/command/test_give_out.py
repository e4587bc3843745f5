"""What students get: everything that they need, and no answer."""
import contextlib
import functools
import html
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types
import unittest
from unittest import mock

from fakes import ROOT, Scratch
from test_remarks import known_files

from command import compilation, course, files, give_out, lab_facts, language, regions, update
from command.build import Build
from command.classroom import engine
from command.classroom.model import HandIn, Person
from command.classroom.rules import Rules
from command.classroom.sandbox import Sandbox
from command.problem import Problem
from command.workbook import Lab, Workbook

WORKBOOK = Workbook(ROOT)
LABS = WORKBOOK.labs()


@functools.cache
def given() -> give_out.Tree:
    """What is given out of this workbook."""
    return give_out.made(WORKBOOK, None)[0]


def plain(line: str) -> str:
    """A line of code without blanks and comment."""
    return "".join(line.partition("//")[0].split())


@functools.cache
def secrets() -> dict[str, set[str]]:
    """The lines that only the TODO regions of solutions, steps, mutants and accepted files have, and the files that have them."""
    starters = {plain(line) for lab in LABS for line in lab.kept_starter.read_text(encoding="utf-8").splitlines()}
    found: dict[str, set[str]] = {}
    for lab, path, text in known_files():
        if path == lab.kept_starter:
            continue
        lines = text.splitlines()
        try:
            places = regions.regions(text)
        except regions.Malformed:
            places = []
        inside = [line for place in places for line in lines[place.first:place.last]] if places else lines
        for line in map(plain, inside):
            is_telling = len(line) >= 18 and re.search(r"[a-z]{2}", line) and not line.startswith(("template<", "#", "using"))
            if is_telling and line not in starters:
                found.setdefault(line, set()).add(str(path.relative_to(ROOT)))
    return found


def told(tree: give_out.Tree) -> dict[str, list[int]]:
    """The lines of secrets() in the files of `tree`, as the numbers of their lines."""
    found = {}
    for path, file in tree.items():
        text = file.data.decode("utf-8", errors="replace").replace("\\n", "\n").replace('\\"', '"')
        lines = html.unescape(text).splitlines() if path.endswith((".svg", ".html", ".md")) else text.splitlines()
        numbers = [number for number, line in enumerate(lines, 1) if plain(line) in secrets()]
        if numbers:
            found[path] = numbers
    return found


def closest(numbers: list[int], within: int = 12) -> int:
    """The most of `numbers` that lie within so many lines."""
    return max(sum(first <= number < first + within for number in numbers) for first in numbers)


def blocks(text: str) -> list[str]:
    """The code blocks of a Markdown page."""
    return re.findall(r"^```[^\n]*\n(.*?)^```", text, re.M | re.S)


class Given(unittest.TestCase):
    def test_it_has_what_builds_and_explains_the_labs(self):
        tree = given()
        for path in ("warpbook", "CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE", "labs/CMakeLists.txt", ".gitignore",
                     "docs/student-guide.md", "docs/README.md", "common/command/check.py", "common/simt/include/cuda_runtime.h",
                     "common/tests/CMakeLists.txt"):
            self.assertIn(path, tree)
        self.assertTrue(tree["warpbook"].runnable)
        for lab in LABS:
            for name in ("README.md", "lab.hpp", "lab.json", "hints.md", lab.starter.name, lab.kept_starter.name):
                self.assertIn(f"labs/{lab.name}/{name}", tree)

    def test_it_has_no_solution_step_mutant_accepted_file_test_or_instructors_page(self):
        for path in given():
            self.assertFalse(path.startswith(("solutions", "common/new_lab", ".ci", ".git/", "build")), path)
            self.assertNotIn(path, ("CONTRIBUTING.md", "docs/instructor-guide.md", "docs/course-rules.md", "docs/what-can-be-faked.md", "docs/adding-a-lab.md"))
        self.assertEqual([path for path in given() if path.startswith("common/tests/")], ["common/tests/CMakeLists.txt"])

    def test_no_lab_sends_students_to_a_file_that_they_do_not_have(self):
        for path, file in given().items():
            if path.startswith("labs/") and path.endswith(".md"):
                self.assertNotIn("solutions/", file.text, path)

    def test_each_labs_file_is_the_starter(self):
        for lab in LABS:
            self.assertEqual(given()[f"labs/{lab.name}/{lab.starter.name}"].data, given()[f"labs/{lab.name}/{lab.kept_starter.name}"].data)

    def test_no_link_is_broken_and_no_anchor(self):
        tree = given()
        count = 0
        for path, file in tree.items():
            if not path.endswith(".md"):
                continue
            text = re.sub(r"^```.*?^```", "", file.text, flags=re.M | re.S)
            for target, anchor in re.findall(r"\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]*))?\)", text):
                count += 1
                page = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
                self.assertTrue(page in tree or any(each.startswith(page + "/") for each in tree), f"{path}: {target}")
                if anchor and page.endswith(".md"):
                    headings = [re.sub(r"[^\w\- ]", "", each.lower().replace("`", "")).strip().replace(" ", "-")
                                for each in re.findall(r"^#+ (.*)$", tree[page].text, re.M)]
                    self.assertIn(anchor, headings, f"{path}: {target}#{anchor}")
        self.assertGreater(count, 100)

    def test_pages_speak_of_no_page_that_is_not_there(self):
        for path, file in given().items():
            if path.endswith(".md") and path.startswith("docs/"):
                for name in ("instructor-guide.md", "what-can-be-faked.md", "adding-a-lab.md", "CONTRIBUTING.md"):
                    self.assertNotIn(name, file.text, path)

    def test_every_picture_is_shown_and_there_are_few_megabytes(self):
        pages = "".join(file.text for path, file in given().items() if path.endswith(".md"))
        for path in given():
            if path.startswith("docs/images/"):
                self.assertIn(os.path.basename(path), pages)
        self.assertLess(sum(len(file.data) for file in given().values()), 15e6)

    def test_the_readme_lists_the_labs_and_their_points(self):
        text = given()["README.md"].text
        self.assertNotIn("@", re.sub(r"`[^`]*`", "", text))
        whole = (ROOT / "README.md").read_text(encoding="utf-8")
        for lab in LABS:
            row = next(line for line in text.splitlines() if line.startswith(f"| [{lab.name}]"))
            self.assertIn(row, whole)


class Answers(unittest.TestCase):
    def test_no_file_but_the_starters_defines_a_function_of_a_contract(self):
        self.assertEqual(give_out.answers(given(), [f"labs/{lab.name}" for lab in LABS]), [])

    def test_solutions_and_accepted_files_would_be_found_wherever_they_stand(self):
        for lab in LABS:
            folder = f"labs/{lab.name}"
            for path in [WORKBOOK.solution(lab), *(ROOT / "common/tests/accepted" / lab.name).glob("*.cu"),
                         *(ROOT / "solutions" / lab.name).glob("steps/*.cu")]:
                if not path.exists():
                    self.skipTest("there are no solutions here")
                text = path.read_text(encoding="utf-8")
                for name, held in (("docs/x.cu", text), ("plots/x.json", json.dumps({"source": text})),
                                   ("docs/x.md", f"# A\n\n```cpp\n{text}```\n"),
                                   ("docs/x.html", f"<pre>{html.escape(text)}</pre>"), (f"{folder}/mine.cu.starter2", text)):
                    with self.subTest(f"{path.relative_to(ROOT)} as {name}"):
                        tree = {f"{folder}/lab.hpp": given()[f"{folder}/lab.hpp"], name: give_out.File(held.encode())}
                        self.assertEqual(give_out.answers(tree, [folder]), [name])

    def test_a_declaration_a_call_and_a_comment_are_no_answer(self):
        lab = f"labs/{LABS[0].name}"
        for text in ("void offset_add_f32(float* a, std::size_t n, std::size_t offset);", "offset_add_f32(a, n, 1);",
                     "// offset_add_f32(a) { }",
                     "if (f(offset_add_f32)) { g(); }", "`offset_add_f32(a[16384], n)`, see (here) {x}"):
            tree = {f"{lab}/lab.hpp": given()[f"{lab}/lab.hpp"], "docs/x.md": give_out.File(text.encode())}
            self.assertEqual(give_out.answers(tree, [lab]), [], text)

    def test_every_contract_is_read_whole(self):
        for lab in LABS:
            functions = lab_facts.contract_functions((lab.folder / "lab.hpp").read_text(encoding="utf-8"))
            called = {name for path in lab.folder.glob("*.[ch]pp")
                      for name in re.findall(r"\bCONTRACT\((\w+)\)", path.read_text(encoding="utf-8"))}
            self.assertTrue(called, lab.name)
            self.assertLessEqual(called - {"f", "function"}, functions)

    def test_no_passage_of_a_task_is_told_but_by_the_hints(self):
        """Single lines such as a loop over n stand in many programs; two of them close together, in one file, do not."""
        if len(secrets()) < 1000:
            self.skipTest("there are no solutions here")
        for path, numbers in told(given()).items():
            if not path.endswith("/hints.md"):
                self.assertLess(closest(numbers), 3, f"{path}: lines {numbers}")

    def test_a_passage_of_a_task_would_be_found(self):
        lab = LABS[0]
        lines = WORKBOOK.solution(lab).read_text(encoding="utf-8").splitlines()
        for place in regions.regions("\n".join(lines)):
            body = lines[place.first:place.last]
            tree = {"docs/x.md": give_out.File("\n".join(["# A", *body]).encode())}
            with self.subTest(place.number):
                self.assertTrue(told(tree))

    def test_the_hints_leave_the_deciding_parts_out(self):
        """A hint is to be nearly the answer: each code block has a blank, or is a piece of the task that alone does nothing."""
        share = {}
        for lab in LABS:
            text = given()[f"labs/{lab.name}/hints.md"].text
            numbers = told({"hints.md": give_out.File(text.encode())}).get("hints.md", [])
            lines = WORKBOOK.solution(lab).read_text(encoding="utf-8").splitlines()
            own = {plain(line) for place in regions.regions("\n".join(lines)) for line in lines[place.first:place.last]} & set(secrets())
            quoted = {plain(text.splitlines()[number - 1]) for number in numbers} & own
            share[lab.name] = len(quoted) / len(own)
            # No TODO's body is in its hints whole.
            for place in regions.regions("\n".join(lines)):
                body = [plain(line) for line in lines[place.first:place.last] if len(plain(line)) > 3]
                for block in blocks(text):
                    there = {plain(line) for line in block.splitlines()}
                    self.assertFalse(set(body) <= there, f"{lab.name}, TODO({place.number})")
        self.assertLess(max(share.values()), 0.45, share)


class Graded(Scratch):
    """What is given out, handed in."""

    def points(self, hand_ins: dict[str, tuple[Lab, str]]) -> dict[str, float]:
        """What texts earn as hand-ins, on the simulator, by their names."""
        build = Build(WORKBOOK, "sim", {"compiler": "", "python": sys.executable})
        programs = [*(f"bin/grade-{lab.number}" for lab in LABS), "bin/simtcc", "bin/warpbook-runner-sim", compilation.FILE]
        if not all((build.folder / name).exists() for name in programs):
            self.skipTest("the graders are not built here")
        found = [HandIn(Person(name, name), lab, self.write(f"{name}.cu", text), f"{name}.cu") for name, (lab, text) in hand_ins.items()]
        at = engine.Engine(build, engine.Plan(self.folder / "out", ("sim",), 1, 2, Sandbox("kernel")))
        try:
            at.grade(found)
        except engine.Stopped as stopped:
            if "again" in stopped.sentence:
                self.skipTest(stopped.sentence)
            raise
        return {hand_in.person.id: at.verdict(hand_in).points for hand_in in found}

    def test_no_hint_earns_a_point_in_the_place_of_its_task(self):
        hand_ins = {}
        for lab in LABS:
            starter = given()[f"labs/{lab.name}/{lab.kept_starter.name}"].text
            parts = re.split(r"^## TODO\((\d+)\).*$", given()[f"labs/{lab.name}/hints.md"].text, flags=re.M)
            tasks = {int(number): blocks(text) for number, text in zip(parts[1::2], parts[2::2])}
            whole = starter
            for number, found in tasks.items():
                marked = f"// TODO({number}): x\n{found[-1] if found else ''}\n// END TODO({number})"
                hand_ins[f"{lab.number}-{number}"] = lab, regions.with_region(starter, number, marked)
                whole = regions.with_region(whole, number, marked)
            hand_ins[f"{lab.number}-all"] = lab, whole
            hand_ins[f"{lab.number}-starter"] = lab, starter
        self.assertGreater(len(hand_ins), 30)
        self.assertEqual({name: points for name, points in self.points(hand_ins).items() if points}, {})

    def test_the_solution_would_earn_its_points(self):
        if not WORKBOOK.solution(LABS[0]).exists():
            self.skipTest("there are no solutions here")
        self.assertGreater(self.points({"solved": (LABS[0], WORKBOOK.solution(LABS[0]).read_text(encoding="utf-8"))})["solved"], 20)


def small_book(folder: pathlib.Path) -> pathlib.Path:
    """A workbook with one lab and a few pages, as a plain copy: what give-out reads."""
    root = folder / "book"
    for path in ("warpbook", ".gitignore", "CMakeLists.txt", "README.md", "CONTRIBUTING.md", "docs/README.md", "docs/instructor-guide.md",
                 "docs/student-guide.md", "common/honesty/lab_tables.py", "common/honesty/item_names.py", "common/command/course.py",
                 "common/command/lab_facts.py", "labs/CMakeLists.txt"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, root / path)
    shutil.copytree(LABS[0].folder, root / "labs" / LABS[0].name, ignore=shutil.ignore_patterns("__pycache__", "*.bak"))
    (root / "solutions" / LABS[0].name).mkdir(parents=True)
    (root / "solutions" / LABS[0].name / LABS[0].starter.name).write_text("void offset_add_f32(float* a) {}\n")
    (root / "build").mkdir()
    (root / "build/secret.txt").write_text("built\n")
    return root


class Small(Scratch):
    def setUp(self) -> None:
        super().setUp()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        patch = mock.patch.dict(os.environ, environment, clear=True)
        patch.start()
        self.addCleanup(patch.stop)
        self.root = small_book(self.folder)
        self.workbook = Workbook(self.root)
        self.lab = self.workbook.labs()[0]
        self.target = self.folder / "given"

    def git(self, *arguments: str) -> None:
        command = ["git", "-C", str(self.root), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        subprocess.run(command, check=True, capture_output=True)

    def commit(self) -> None:
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all")

    def give(self, **options) -> str:
        arguments = types.SimpleNamespace(folder=str(self.target), rules=None, autograder=None, repository=None)
        vars(arguments).update(options)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(give_out.run(self.workbook, arguments), 0)
        return said.getvalue()

    def files(self) -> set[str]:
        return {path.relative_to(self.target).as_posix() for path in self.target.rglob("*") if path.is_file() and ".git" not in path.parts}


class Writing(Small):
    def test_from_a_plain_copy_and_from_git_comes_the_same(self):
        self.give()
        plain_copy = {path: (self.target / path).read_bytes() for path in self.files()}
        shutil.rmtree(self.target)
        self.commit()
        self.give()
        self.assertEqual({path: (self.target / path).read_bytes() for path in self.files()}, plain_copy)
        self.assertNotIn("build/secret.txt", plain_copy)
        self.assertFalse({path for path in plain_copy if "solutions" in path})

    def test_more_pages_and_questions_are_given_out(self):
        for name in ("more.md", "questions.json"):
            (self.lab.folder / name).write_text("{}\n")
        self.give()
        self.assertLessEqual({f"labs/{self.lab.name}/{name}" for name in ("more.md", "questions.json")}, self.files())

    def test_in_a_language_the_labs_files_are_its_starters(self):
        starter = self.lab.kept_starter.with_name(language.translated_name(self.lab.kept_starter.name, language.ALL["zh"]))
        starter.write_text("// 注释\n" + self.lab.kept_starter.read_text(encoding="utf-8"), encoding="utf-8")
        (self.lab.folder / "README.zh.md").write_text("# 实验\n", encoding="utf-8")
        self.addCleanup(language.speak, language.ENGLISH, self.root, self.folder)
        for code, wanted, handout in (("en", self.lab.kept_starter, "README.md"), ("zh", starter, "README.zh.md")):
            language.speak(language.ALL[code], self.root, self.folder)
            self.give()
            self.assertEqual((self.target / "labs" / self.lab.name / self.lab.starter.name).read_bytes(), wanted.read_bytes())
            self.assertIn(f"[first handout](labs/{self.lab.name}/{handout})", (self.target / "README.md").read_text(encoding="utf-8"))
            self.assertLessEqual({f"labs/{self.lab.name}/{name}" for name in ("README.zh.md", starter.name)}, self.files())

    def test_the_instructors_worked_file_is_not_given_out(self):
        self.lab.starter.write_text("void offset_add_f32(float* a) { solved(); }\n")
        self.give()
        self.assertEqual((self.target / "labs" / self.lab.name / self.lab.starter.name).read_bytes(), self.lab.kept_starter.read_bytes())
        shutil.rmtree(self.target)
        self.commit()
        self.give()
        self.assertEqual((self.target / "labs" / self.lab.name / self.lab.starter.name).read_bytes(), self.lab.kept_starter.read_bytes())

    def test_what_git_does_not_have_is_not_given_out_and_changes_are_told(self):
        self.commit()
        (self.root / "docs/notes-for-the-exam.md").write_text("secret\n")
        (self.root / "docs/student-guide.md").write_text("half a sentence\n")
        said = self.give()
        self.assertNotIn("docs/notes-for-the-exam.md", self.files())
        self.assertNotEqual((self.target / "docs/student-guide.md").read_text(), "half a sentence\n")
        self.assertIn("1 file has changes that are not in git's index; they are given out without them: docs/student-guide.md", said)

    def test_a_repository_in_which_the_workbook_is_a_folder_is_known(self):
        outer = self.root.parent
        subprocess.run(["git", "init", "-q", str(outer)], check=True)
        (outer / ".gitignore").write_text("given/\n")
        self.give()  # as a plain copy: the workbook's own root is no repository
        self.assertIn("README.md", self.files())

    def test_a_file_with_an_answer_stops_it(self):
        for name in ("labs/01-coalescing/mine.cu", "docs/lecture.md"):
            answer = "void column_sums(float* sums, const float* m, std::size_t r, std::size_t c) {\n}\n"
            file = self.write(f"book/{name}", f"```\n{answer}```\n")
            with self.assertRaises(Problem) as caught:
                self.give()
            self.assertIn(f"  {name}", caught.exception.details)
            self.assertFalse(self.target.exists())
            file.unlink()

    def test_a_folder_with_other_things_is_refused(self):
        self.target.mkdir()
        (self.target / "mine.txt").write_text("mine\n")
        with self.assertRaises(Problem):
            self.give()
        self.assertEqual(self.files(), {"mine.txt"})

    def test_a_folder_in_or_around_the_workbook_is_refused(self):
        for folder in (self.root, self.root / "labs/given", self.root.parent, self.root / "README.md"):
            with self.assertRaises(Problem, msg=str(folder)):
                self.give(folder=str(folder))
        self.give(folder=str(self.root / "build/given"))

    def test_again_it_brings_the_folder_up_to_date_and_keeps_git_and_other_files(self):
        self.give()
        (self.target / ".git").mkdir()
        (self.target / ".git/config").write_text("mine\n")
        (self.target / "syllabus.md").write_text("mine\n")
        (self.target / "labs/07-mine").mkdir()
        (self.target / "build").mkdir()
        (self.root / "docs/student-guide.md").write_text("# New\n")
        (self.root / "labs" / self.lab.name / "plot.py").unlink()
        said = self.give()
        self.assertEqual((self.target / ".git/config").read_text(), "mine\n")
        self.assertEqual((self.target / "docs/student-guide.md").read_text(), "# New\n")
        self.assertFalse((self.target / "labs" / self.lab.name / "plot.py").exists())
        self.assertTrue((self.target / "syllabus.md").exists())
        self.assertIn("Left as they were, because give-out did not write them: labs/07-mine, syllabus.md", said)

    def test_what_was_changed_there_by_hand_is_not_overwritten(self):
        self.give()
        (self.target / "README.md").write_text("# My course\n")
        with self.assertRaises(Problem) as caught:
            self.give()
        self.assertEqual(caught.exception.details[0], "  README.md")
        self.assertEqual((self.target / "README.md").read_text(), "# My course\n")
        (self.target / "README.md").unlink()
        self.give()

    def test_a_run_that_was_interrupted_is_taken_up_again(self):
        tree = give_out.made(self.workbook, None)[0]
        self.target.mkdir()
        give_out.mark(self.target, {path: files.fingerprint(file.data) for path, file in tree.items()})
        (self.target / "LICENSES").mkdir()
        self.give()
        self.assertIn("README.md", self.files())

    def test_nothing_is_written_or_deleted_outside_of_the_folder(self):
        victim = self.write("victim.txt", "mine\n")
        outside = self.folder / "outside"
        outside.mkdir()
        self.target.mkdir()
        give_out.mark(self.target, {"../victim.txt": files.fingerprint(victim.read_bytes())})
        self.give()
        self.assertEqual(victim.read_text(), "mine\n")

    def test_links_of_the_file_system_are_not_followed(self):
        (self.root / "docs/link.md").symlink_to(self.root / "solutions" / self.lab.name / self.lab.starter.name)
        self.give()
        self.assertNotIn("docs/link.md", self.files())
        shutil.rmtree(self.target)
        self.commit()
        with self.assertRaises(Problem) as caught:
            self.give()
        self.assertEqual(caught.exception.details, ["  docs/link.md"])


class CourseRules(Small):
    RULES = {"labs": {"01": {"leave_out": ["copy_vectorized copies n floats from any address to any address"],
                             "items": {"offset_add_f32 adds one to n elements from the offset on": 7},
                             "deadline": "2026-11-30T23:59:00+01:00"}},
             "extra_time": {"alice@example.org": {"days": 2}}, "excused": {"alice@example.org": {}},
             "corrections": [{"student": "alice", "lab": "01", "points": 3, "comment": "For alice alone.", "author": "T. Smith"}]}

    def rules(self) -> pathlib.Path:
        return self.write("course.json", json.dumps(self.RULES))

    def test_changed_points_are_in_more_md_the_readme_and_the_rules_of_the_tree(self):
        page = self.lab.folder / lab_facts.POINTS_PAGE
        before = sum(map(int, re.findall(r"^\| `.*` \| (\d+) \|", page.read_text(encoding="utf-8"), re.M)))
        self.give(rules=str(self.rules()))
        points_page = (self.target / "labs" / self.lab.name / page.name).read_text(encoding="utf-8")
        self.assertIn("| `offset_add_f32 adds one to n elements from the offset on` | 7 | simulator, GPU |", points_page)
        self.assertNotIn("| `copy_vectorized copies n floats from any address to any address` |", points_page)
        points = list(map(int, re.findall(r"^\| `.*` \| (\d+) \|", points_page, re.M)))
        self.assertNotEqual(sum(points), before)
        readme = (self.target / "README.md").read_text(encoding="utf-8")
        self.assertRegex(readme, rf"\[01-coalescing\]\(.*\| {sum(points)} \|\n")
        self.assertIn("## What counts", readme)
        self.assertIn("Lab 01 is due at 2026-11-30 23:59 +0100.", readme)

    def test_a_translation_has_the_same_points_and_stays_up_to_date(self):
        page = self.lab.folder / lab_facts.POINTS_PAGE
        own = page.with_name(language.translated_name(page.name, language.ALL["zh"]))
        own.write_text(f"<!-- Translation of {page.name} sha256:{files.fingerprint(page.read_bytes())} -->\n# 更多\n\n| 评分项 | 分数 | 在哪里评 |\n| --- | --- | --- |\n"
                       "| `offset_add_f32 adds one to n elements from the offset on` | 2 | 模拟器 |\n| `copy_vectorized copies n floats from any address to any address` | 4 | 模拟器 |\n"
                       "| `another` | 3 | 不是评分项 |\n", encoding="utf-8")
        self.give(rules=str(self.rules()))
        given = self.target / "labs" / self.lab.name
        text = (given / own.name).read_text(encoding="utf-8")
        self.assertIn("| `offset_add_f32 adds one to n elements from the offset on` | 7 | 模拟器 |\n| `another` | 3 | 不是评分项 |\n", text)
        self.assertNotIn("copy_vectorized", text)
        self.assertNotEqual((given / page.name).read_bytes(), page.read_bytes())
        self.assertTrue(text.startswith(f"<!-- Translation of {page.name} sha256:{files.fingerprint((given / page.name).read_bytes())} -->\n"))

    def test_a_translation_that_was_older_than_its_page_stays_so(self):
        page = self.lab.folder / lab_facts.POINTS_PAGE
        own = page.with_name(language.translated_name(page.name, language.ALL["zh"]))
        own.write_text(f"<!-- Translation of {page.name} sha256:0123456789abcdef -->\n# 更多\n", encoding="utf-8")
        self.give(rules=str(self.rules()))
        self.assertIn("sha256:0123456789abcdef", (self.target / "labs" / self.lab.name / own.name).read_text(encoding="utf-8"))

    def test_what_is_said_of_single_students_is_not_told(self):
        self.give(rules=str(self.rules()))
        for path in self.files():
            self.assertNotIn(b"alice", (self.target / path).read_bytes(), path)
        self.assertNotIn("extra time", (self.target / "README.md").read_text())
        self.assertIn("leave_out", (self.target / "course.json").read_text())

    def test_the_workbooks_own_course_json_is_taken_without_an_option(self):
        shutil.copy(self.rules(), self.root / "course.json")
        self.give()
        self.assertTrue((self.target / "course.json").exists())

    def test_without_rules_there_is_no_file_of_them(self):
        self.give()
        self.assertNotIn("course.json", self.files())
        self.assertNotIn("## What counts", (self.target / "README.md").read_text())

    def test_check_counts_by_the_rules_of_its_tree(self):
        self.give(rules=str(self.rules()))
        points = course.points(Workbook(self.target))
        items = [{"item": "offset_add_f32 adds one to n elements from the offset on", "points": 2}, {"item": "another", "points": 1},
                 {"item": "copy_vectorized copies n floats from any address to any address", "points": 4}]
        self.assertEqual([(item["item"], item["points"]) for item in points(self.lab, items)],
                         [("offset_add_f32 adds one to n elements from the offset on", 7), ("another", 1)])
        self.assertEqual(course.points(self.workbook)(self.lab, items), items)

    def test_a_rule_for_an_item_that_is_not_there_is_a_sentence(self):
        rules = self.write("course.json", json.dumps({"labs": {"01": {"leave_out": ["offset_add_f32 adds"]}}}))
        with self.assertRaises(Problem):
            self.give(rules=str(rules))

    def test_the_rules_can_be_read_again(self):
        self.give(rules=str(self.rules()))
        Rules.find(self.target, Workbook(self.target).labs())


class Updated(Small):
    """A given-out folder that ./warpbook update brings up to what the workbook gives out now."""

    def update(self) -> str:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(update.run(self.workbook, types.SimpleNamespace(folder=str(self.target), source=None, dry_run=False)), 0)
        return said.getvalue()

    def test_it_comes_to_what_a_fresh_one_has(self):
        self.give()
        self.assertEqual(len(self.update().splitlines()), 1)  # nothing to do
        (self.root / "docs/student-guide.md").write_text("# New, see the [guide](instructor-guide.md)\n")
        (self.lab.folder / "plot.py").unlink()
        self.lab.kept_starter.write_text("// new\n" + self.lab.kept_starter.read_text(encoding="utf-8"), encoding="utf-8")
        self.update()
        ours = {"build/.update-lock"}
        updated = {path: (self.target / path).read_bytes() for path in self.files() - ours}
        shutil.rmtree(self.target)
        self.give()
        self.assertEqual(updated, {path: (self.target / path).read_bytes() for path in self.files()})

    def test_the_courses_rules_are_in_the_new_texts(self):
        self.give(rules=str(self.write("course.json", json.dumps(CourseRules.RULES))))
        page = self.lab.folder / lab_facts.POINTS_PAGE
        page.write_text(page.read_text(encoding="utf-8") + "\nNew.\n", encoding="utf-8")
        self.assertIn(f"Updated:\n  labs/{self.lab.name}/{page.name}\n", self.update())
        text = (self.target / "labs" / self.lab.name / page.name).read_text(encoding="utf-8")
        self.assertIn("| `offset_add_f32 adds one to n elements from the offset on` | 7 | simulator, GPU |", text)
        self.assertTrue(text.endswith("\nNew.\n"))
        page.write_text(page.read_text(encoding="utf-8").replace("copy_vectorized copies", "copy_vectorized moves"), encoding="utf-8")
        with self.assertRaises(Problem) as caught:
            self.update()
        self.assertIn("The course's rules, course.json, do not fit this version: ", caught.exception.sentence)

    def test_it_stays_in_the_language_in_which_it_was_given_out(self):
        starter = self.lab.kept_starter.with_name(language.translated_name(self.lab.kept_starter.name, language.ALL["zh"]))
        starter.write_text("// 注释\n" + self.lab.kept_starter.read_text(encoding="utf-8"), encoding="utf-8")
        (self.lab.folder / "README.zh.md").write_text("# 实验\n", encoding="utf-8")
        self.addCleanup(language.speak, language.ENGLISH, self.root, self.folder)
        for given, spoken in (("en", "zh"), ("zh", "en")):
            language.speak(language.ALL[given], self.root, self.folder)
            self.give()
            before = {path: (self.target / path).read_bytes() for path in self.files()}
            language.speak(language.ALL[spoken], self.root, self.folder)
            self.update()
            self.assertEqual({path: (self.target / path).read_bytes() for path in self.files() - {"build/.update-lock"}}, before)
            self.assertEqual(language.current().code, spoken)
            shutil.rmtree(self.target)

    def test_who_gives_out_into_a_folder_in_use_is_told_of_it(self):
        self.give()
        (self.target / "docs/student-guide.md").write_text("mine\n")
        for workbook, folder in ((self.workbook, self.target), (Workbook(self.target), self.target)):
            with self.assertRaises(Problem) as caught:
                give_out.require_target(workbook, folder)
            self.assertIn("./warpbook update", "".join(caught.exception.details))


class Workflow(Small):
    def test_with_autograder_github_there_is_the_workflow_and_without_it_none(self):
        self.give()
        self.assertFalse((self.target / ".github").exists())
        self.give(autograder="github", repository="school/warpbook")
        text = (self.target / ".github/workflows/classroom.yml").read_text()
        self.assertIn("school/warpbook", text)
        self.assertIn("labs/01-coalescing", text)

    def test_a_repository_without_an_autograder_is_a_sentence(self):
        with self.assertRaises(Problem):
            self.give(repository="school/warpbook")


class Links(unittest.TestCase):
    def corrected(self, text: str) -> str:
        tree = {"docs/a.md": give_out.File(text.encode()), "docs/b.md": give_out.File(b"# B\n\n## Two words, `code`\n"),
                "docs/images/c.png": give_out.File(b"")}
        give_out.mend_links(tree)
        return tree["docs/a.md"].text

    def test_links_to_what_is_there_stay(self):
        for text in ("[b](b.md)\n", "[b](b.md#two-words-code)\n", "[a](../docs)\n", "![c](images/c.png)\n", "[x](https://x.y/z)\n",
                     "| [b](b.md) | x |\n"):
            self.assertEqual(self.corrected(text), text)

    def test_links_to_what_is_not_there_become_words(self):
        self.assertEqual(self.corrected("See [the [guide]](gone.md#x), and [b](b.md).\n"), "See the [guide], and [b](b.md).\n")
        self.assertEqual(self.corrected("See [b](b.md#gone).\n"), "See b.\n")

    def test_rows_and_entries_that_begin_with_one_go(self):
        self.assertEqual(self.corrected("| a |\n| --- |\n| [gone](gone.md) | x |\n| x | [gone](gone.md) |\n- [gone](gone.md): y\n- z\n"),
                         "| a |\n| --- |\n| x | gone |\n- z\n")


if __name__ == "__main__":
    unittest.main()
