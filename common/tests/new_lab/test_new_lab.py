"""A lab made by `./warpbook new-lab` builds, is tested and measured, and can be taken away.

Usage: test_new_lab.py CMAKE BUILD RUNNER [-DNAME=VALUE...]

The copy of the workbook that it is added to (book/) uses the libraries and simtcc of BUILD; the values are those that
BUILD was configured with.
"""
from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[3]
CMAKE, BUILT, RUNNER, *CHOICES = sys.argv[1:]
del sys.argv[1:]


def files_of(folder: pathlib.Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and not path.is_symlink() and path.relative_to(folder).parts[0] != "build"}


class NewLab(unittest.TestCase):
    """A lab is added and taken away once; the tests look at what happened."""

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="warpbook-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.book, cls.build = pathlib.Path(folder.name) / "book", pathlib.Path(folder.name) / "build"
        cls.make_book()
        highest = max(int(path.name[:2]) for path in cls.book.glob("labs/[0-9][0-9]-*"))
        cls.number = f"{highest + 1:02d}"
        cls.lab, cls.solution = cls.book / f"labs/{cls.number}-prefix-sum", cls.book / f"solutions/{cls.number}-prefix-sum"
        cls.run_here(CMAKE, "-G", "Ninja", "-S", str(cls.book), "-B", str(cls.build), f"-DWARPBOOK_BUILT={BUILT}", "-DWARPBOOK_JOIN_FILES=ON",
                     "-DWARPBOOK_TESTS=ON", "-DWARPBOOK_MUTANTS=ON", *CHOICES, "-DCMAKE_CXX_FLAGS_RELEASE=-O0")
        (cls.build / "bin").mkdir(exist_ok=True)
        for program in (pathlib.Path(RUNNER), pathlib.Path(RUNNER).with_name("simtcc")):
            (cls.build / "bin" / program.name).symlink_to(program)
        cls.before = files_of(cls.book)
        cls.said = cls.run_here(sys.executable, "-B", "warpbook", "new-lab", "prefix-sum")
        cls.after = files_of(cls.book)
        n = cls.number
        cls.run_here(CMAKE, "--build", str(cls.build), "--target", f"grade-{n}", f"bench-{n}", f"list-{n}",
                     *(f"{n}.{name}.sim" for name in ("solution", "mutant-tail_skipped")))
        cls.tests = cls.ctest()
        facts = cls.lab / "lab.json"
        facts.write_text(json.dumps({**json.loads(facts.read_text()), "about": "running sums"}))
        cls.tables = cls.run_here(sys.executable, "-B", "common/honesty/lab_tables.py", "--write", "--grader", str(cls.build / f"bin/grade-{n}"),
                                  "--lab", str(cls.lab), "--readme", "README.md")
        cls.bench = cls.run_here(str(cls.build / f"bin/bench-{n}"), "--backend", "sim", "--runner", RUNNER, "--modules",
                                 str(cls.build / f"modules/{n}/sim"), "--out", str(cls.build / "bench.csv"))
        shutil.rmtree(cls.lab)
        shutil.rmtree(cls.solution)
        cls.run_here(CMAKE, "--build", str(cls.build), "--target", "build.ninja")

    @classmethod
    def make_book(cls) -> None:
        """The workbook with its labs and without their solutions, which would only take time to configure."""
        (cls.book / "labs").mkdir(parents=True)
        shutil.copy(pathlib.Path(__file__).with_name("book") / "CMakeLists.txt", cls.book)
        for name in ("warpbook", "README.md"):
            shutil.copy(ROOT / name, cls.book)
        for path in [ROOT / "common", *(path for path in (ROOT / "labs").iterdir() if path.name != "__pycache__")]:
            (cls.book / path.relative_to(ROOT)).symlink_to(path)

    @classmethod
    def run_here(cls, *command: str, status: int = 0) -> str:
        done = subprocess.run(command, cwd=cls.book, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != status:
            raise AssertionError(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}")
        return done.stdout

    @classmethod
    def ctest(cls) -> dict[str, tuple[bool, str]]:
        """{test of the new lab, without its number: (whether it passed, what it said)}"""
        results = cls.build / "results.xml"
        subprocess.run([pathlib.Path(CMAKE).with_name("ctest"), "--test-dir", str(cls.build), "-L", f"lab{cls.number}", "--output-junit",
                        str(results)], stdout=subprocess.DEVNULL, check=False)
        return {case.get("name")[len(cls.number) + 1:]: (case.get("status") == "run", case.findtext("system-out") or "")
                for case in ElementTree.parse(results).iter("testcase")}

    def test_it_gets_the_next_number_and_touches_its_two_folders_alone(self) -> None:
        self.assertIn(f"Made labs/{self.number}-prefix-sum and solutions/{self.number}-prefix-sum", self.said)
        made = {name for name in self.after if self.after[name] != self.before.get(name)}
        prefixes = tuple(f"{folder}/{self.number}-prefix-sum/" for folder in ("labs", "solutions"))
        self.assertEqual([name for name in made if not name.startswith(prefixes)], [])
        self.assertEqual(set(self.before) - set(self.after), set())
        self.assertEqual({name.partition("prefix-sum/")[2] for name in made},
                         {"lab.json", "lab.hpp", "prefix_sum.cu", "prefix_sum.cu.starter", "grade.cpp", "bench.cpp", "scenes.cpp", "hints.md", "messages.md",
                          "README.md", "more.md", "questions.json", "mutants/tail_skipped.cu"})
        self.assertEqual([name for name in made if b"@" in self.after[name]], [])

    def test_its_solution_passes_its_mutant_is_caught_and_its_starter_is_unsolved(self) -> None:
        for name in ("solution.sim:prefix_sum_f32 doubles every element", "mutant-tail_skipped.sim:is caught", "starter.sim:builds",
                     "an unsolved starter earns nothing and reads its TODO", "starter and solution differ only inside TODO regions",
                     "item names are unique and plain"):
            passed, said = self.tests[name]
            self.assertTrue(passed, f"{name}: {said}")
        passed, said = self.tests["starter.sim:prefix_sum_f32 doubles every element"]
        self.assertFalse(passed)
        self.assertRegex(said, rf"TODO\(1\) at labs/{self.number}-prefix-sum/prefix_sum.cu:\d+ is still to be written")

    def test_of_its_other_tests_the_one_that_asks_for_more_mutants_fails_alone(self) -> None:
        red = {name: said for name, (passed, said) in self.tests.items() if not passed and not name.startswith("starter.")}
        self.assertEqual(set(red), {"every item is failed by a mutant"})
        self.assertIn("1 mutants; at least 4 are wanted", red["every item is failed by a mutant"])

    def test_with_a_text_about_it_the_lab_gets_its_row_in_the_readme(self) -> None:
        self.assertEqual(self.tables, "README.md\n")  # and no handout: its table is the rubric's already
        self.assertIn(f"| [{self.number}-prefix-sum](labs/{self.number}-prefix-sum/README.md) | running sums | 2 |\n",
                      (self.book / "README.md").read_text(encoding="utf-8"))

    def test_its_bench_counts_on_the_simulator(self) -> None:
        self.assertIn("4 sectors per load request", self.bench)
        self.assertIn("solution,prefix_sum_f32,65536,sectors_per_request_load,4,", (self.build / "bench.csv").read_text())

    def test_taken_away_it_leaves_the_build_as_it_was(self) -> None:
        self.assertNotIn(f"grade-{self.number}", (self.build / "build.ninja").read_text())
        said = self.run_here(str(pathlib.Path(CMAKE).with_name("ctest")), "--test-dir", str(self.build), "-N", "-L", f"lab{self.number}")
        self.assertIn("Total Tests: 0", said)
        del_row = [line for line in files_of(self.book)["README.md"].decode().splitlines(keepends=True) if f"[{self.number}-" not in line]
        left = {**files_of(self.book), "README.md": "".join(del_row).encode()}
        self.assertEqual(left, self.before)


if __name__ == "__main__":
    unittest.main()
