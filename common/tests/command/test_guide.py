"""The instructor guide's two examples are what the command prints and writes."""
import io
import json
import re
import shlex
import unittest
import zipfile

from fakes import ROOT, facts
from small_workbook import GradedClass, needs_machine

from command.lab_facts import contract_functions

GUIDE = (ROOT / "docs/instructor-guide.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```\n(.*?)^```", GUIDE.partition("### Two examples")[2].partition("\n### ")[0], re.S | re.M)
CONTRACT = (ROOT / "labs/01-coalescing/lab.hpp").read_text(encoding="utf-8")
RIGHT = "// solved\n"
FIRST_ALONE = '// judge(2): {"status": "failed", "points": 0, "reason": "wrong"}\n// solved\n'
#: As mod/assign/gradingtable.php of Moodle writes it; the guide shows the columns in front.
WORKSHEET = ("Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments\n"
             'Participant 811,Jane Doe,jane@example.org,Submitted for grading,,34.00,Yes,"Saturday, 30 January 2027, 3:10 PM",-,\n'
             'Participant 812,Zoë Müller,zoe@example.org,Submitted for grading,,34.00,Yes,"Monday, 1 February 2027, 8:20 AM",-,\n'
             'Participant 813,Wei Wang,w.wang@example.org,Submitted for grading,,34.00,Yes,"Sunday, 31 January 2027, 11:05 PM",-,\n'
             'Participant 814,Wei Wang,wei@example.org,Submitted for grading,,34.00,Yes,"Sunday, 31 January 2027, 9:47 AM",-,\n'
             "Participant 815,Nora Olsen,nora@example.org,No submission,,34.00,Yes,-,-,\n")
CLASSROOM = ("identifier,github_username,github_id,name\njane@example.org,octojane,101,\nzoe@example.org,zmu,102,\nwei@example.org,wwang,103,\n"
             "nora@example.org,,,\n")


@needs_machine
class Examples(GradedClass):
    maxDiff = None

    def setUp(self) -> None:
        super().setUp()
        self.write("book/labs/01-coalescing/lab.json", json.dumps({**json.loads(facts("coalescing")), "title": "coalescing"}))
        self.write("book/labs/01-coalescing/lab.hpp", CONTRACT)
        self.rules: dict = {"labs": {"01": {"items": {"adds one": 14, "four sectors": 20}}}}  # what lab 01 comes to

    def example(self, place: int) -> tuple[list[str], str]:
        """Runs the command of a block of the guide; what the block says that it prints, and what it prints."""
        command, *said = EXAMPLES[place].splitlines()
        self.write("book/course.json", json.dumps(self.rules))
        words = shlex.split(command.removeprefix("$ ./warpbook "))
        status, out, err = self.warpbook(*words, "--no-likeness", cwd=self.folder / "here", COLUMNS="100")
        self.assertIn("Inputs were drawn", out, err)
        lines = [line.rstrip() for line in out.splitlines() if line.strip()]
        begin = next(index for index, line in enumerate(lines) if line.startswith(" Name"))
        end = next(index for index, line in enumerate(lines) if line.startswith("Inputs were drawn")) - 1  # before it stands how they were confined
        return [line for line in said if line], "\n".join(lines[begin:end])

    def require_table(self, place: int, file: str) -> None:
        """A file is a block of the guide, whose lines may end in an ellipsis."""
        lines = (self.folder / "here" / file).read_text(encoding="utf-8").splitlines()
        said = EXAMPLES[place].splitlines()
        self.assertEqual([line[:len(each) - 1] + "…" if each.endswith("…") else line for each, line in zip(said, lines)], said)
        self.assertEqual(len(said), len(lines))

    def test_moodle(self):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, text in (("Jane Doe_811_assignsubmission_file/coalescing.cu", RIGHT), ("Zoë Müller_812_assignsubmission_file/coalescing.cu", FIRST_ALONE),
                               ("Wei Wang_813_assignsubmission_file/work.rar", "Rar!"), ("Wei Wang_814_assignsubmission_file/coalescing.cu", self.starter.read_text())):
                archive.writestr(name, text)
        self.write("here/CUDA-Lab 1-4711.zip").write_bytes(packed.getvalue())
        self.write("here/Grades-CUDA-Lab 1-4711.csv", WORKSHEET)
        self.rules |= {"time_zone": "Europe/Berlin", "late": {"percent_per_day": 10}}
        self.rules["labs"]["01"]["deadline"] = "2027-01-31T23:59"
        said, out = self.example(0)
        self.assertEqual(out, "\n".join(said))
        self.require_table(1, "CUDA-Lab 1-4711-graded/rosters/Grades-CUDA-Lab-1-4711.csv")

    def test_github_classroom(self):
        clones = "here/cuda-labs-submissions/cuda-labs-"
        lab = "labs/01-coalescing/coalescing.cu"
        for user, text in (("octojane", RIGHT), ("zmu", self.starter.read_text()), ("wwang", self.starter.read_text())):
            for name, what in ((".git/HEAD", "ref: refs/heads/main\n"), ("warpbook", "#!/bin/sh\n"), (lab, text)):
                self.write(f"{clones}{user}/{name}", what)
        self.write(f"{clones}zmu/main.cu", FIRST_ALONE + "".join(f"void {name}() {{}}\n" for name in sorted(contract_functions(CONTRACT))))
        self.write("here/classroom_roster.csv", CLASSROOM)
        said, out = self.example(2)
        self.assertEqual(out, "\n".join(said))
        self.require_table(3, "cuda-labs-submissions-graded/rosters/classroom_roster.csv")
        self.assertEqual([line.split(",")[:3] for line in (self.folder / "here/cuda-labs-submissions-graded/moodle.csv").read_text().splitlines()],
                         [["Full name", "Email address", "Lab 01: coalescing"], *([f"{who}@example.org"] * 2 + [points] for who, points in
                          (("jane", "34"), ("nora", "0"), ("wei", "0"), ("zoe", "14")))])


if __name__ == "__main__":
    unittest.main()
