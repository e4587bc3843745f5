"""A class of 200 with every trouble at once: killed three times, and imported by each system's own rules without a difference."""
import csv
import dataclasses
import io
import json
import os
import signal
import unittest

from small_workbook import GradedClass, lines_matching, needs_machine

#: What becomes of a file's text: what the items "adds one" (worth 1 of 3) and "four sectors" (2 of 3) give of 100 points.
FIRST = '// judge(2): {"status": "failed", "points": 0, "reason": "wrong"}\n// solved\n'
SECOND = '// judge(1): {"status": "failed", "points": 0, "reason": "wrong"}\n// solved\n'
TEXTS = {"right": ("// solved\n", "100"), "first": (FIRST, "33.33"), "second": (SECOND, "66.67"), "wrong": ("// nothing\n", "0"),
         "broken": ("// broken\n", "0"), "empty": ("", "0"), "wide": ("// solved\n".encode("utf-16"), "0"), "silent": ("// silent\n", ""),
         "misnamed": ("void offset_add_f32(int n) {} // solved\n", "100")}
#: Instead of a source.
WITHOUT = ("untouched", "folder", "pdf", "archive", "nothing")
KINDS = (*TEXTS, *WITHOUT, "late", "late, with extra time", "twice", "corrected")
RULES = {"total": 100, "time_zone": "Europe/Berlin", "labs": {"01": {"items": {"adds one": 1}, "deadline": "2027-01-31T23:59"}},
         "late": {"percent_per_day": 10, "percent_if_marked": 20}}


@dataclasses.dataclass
class Student:
    number: int
    kind: str
    system: str

    @property
    def name(self) -> str:
        first = ("Zoë", "Wei", "李", "O'Neil", "=1+1", "محمد")[self.number % 6]
        return f"{first} Wang" if self.number % 25 < 2 else f"{first} Wang{self.number}"  # some share their name

    @property
    def email(self) -> str:
        return f"u{self.number}@example.org"

    @property
    def points(self) -> str:
        """By hand: "" is not judged, and no grade."""
        late = {"moodle": "90", "canvas": "80"}.get(self.system, "100")
        return {"late": late, "late, with extra time": "100", "twice": "100", "corrected": "12.5", **dict.fromkeys(WITHOUT, "0"),
                **{kind: points for kind, (_, points) in TEXTS.items()}}[self.kind]


@needs_machine
class AllTroubles(GradedClass):
    def students(self) -> list[Student]:
        """Every kind in every system, and more."""
        systems = ("moodle", "canvas", "clone", "hand")
        return [Student(number, KINDS[number // 4 % len(KINDS)], systems[number % 4]) for number in range(200)]

    def put(self, student: Student) -> None:
        """What the student's system has."""
        number, kind = student.number, student.kind
        text, _ = TEXTS.get(kind, ("// solved\n", ""))
        if kind == "nothing":
            return
        folder = {"moodle": f"{student.name}_{10_000 + number}_assignsubmission_file", "canvas": "", "clone": f"cuda-labs-octo{number}",
                  "hand": f"s{number:04}"}[student.system]
        late = "LATE_" if student.system == "canvas" and kind.startswith("late") else ""
        begin = f"class/{folder}/" if folder else f"class/wang{number}_{late}{50_000 + number}_{90_000 + number}_"
        if student.system == "clone":
            self.write(f"{begin}.git/HEAD", "x")
            begin += "labs/01-coalescing/"
            self.write(f"{begin}coalescing.cu", "// to do\n")
        if kind == "folder" and folder:
            (self.folder / begin).mkdir(parents=True, exist_ok=True)
        elif kind in ("pdf", "archive", "folder"):
            self.write(f"{begin}{'work.rar' if kind == 'archive' else 'report.pdf'}", "x")
        elif kind == "untouched":
            self.write(f"{begin}coalescing.cu", "// to do\n")
        elif kind == "misnamed":
            self.write(f"{begin.replace('labs/01-coalescing/', '')}main.cu", text)
        else:
            file = self.write(f"{begin}coalescing.cu")
            file.write_bytes(text if isinstance(text, bytes) else text.encode())
            if kind == "twice":
                os.utime(self.write(f"{begin}coalescing.cu" if not folder else f"{begin}coalescing (2).cu", text), (2e9, 2e9))
                os.utime(file, (1e9, 1e9))

    def rosters(self, students: list[Student]) -> dict[str, list[list[str]]]:
        """Each system's list of those who are there; Gradescope's has them all."""
        of = {system: [student for student in students if student.system == system] for system in ("moodle", "canvas", "clone")}
        return {
            "worksheet": [["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments"],
                          *([f"Participant {10_000 + each.number}", each.name, each.email, "", "", "100.00", "-", ""] for each in of["moodle"])],
            "gradebook": [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab 01 (77)", "Final Score"],
                          ["    Points Possible", "", "", "", "", "100", "(read only)"],
                          *([each.name, str(50_000 + each.number), f"s{each.number:04}", each.email, "A", "", ""] for each in of["canvas"])],
            "classroom_roster": [["identifier", "github_username", "github_id", "name"],
                                 *([each.email, f"octo{each.number}", "1", ""] for each in of["clone"])],
            "gradescope": [["Name", "SID", "Email", "Role"], *([each.name, f"s{each.number:04}", each.email, "Student"] for each in students)]}

    def options(self, students: list[Student]) -> list[str]:
        said = {**RULES, "extra_time": {each.email: {"days": 3} for each in students if each.kind == "late, with extra time"},
                "corrections": [{"student": each.email, "lab": "01", "points": 12.5, "comment": "Seen by hand.", "author": "T. Smith"}
                                for each in students if each.kind == "corrected"]}
        options = ["--rules", str(self.write("rules.json", json.dumps(said)))]
        for name, rows in self.rosters(students).items():
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(rows)
            options += ["--roster", str(self.write(f"{name}.csv", text.getvalue()))]
        names = [each.name for each in students]
        self.named_once = {name for name in names if names.count(name) == 1}
        log = ["Time,User full name,Affected user,Event context,Component,Event name,Description,Origin,IP address"]
        for each in students:
            if each.system == "moodle" and each.kind != "nothing":
                day = "01/02/27" if each.kind.startswith("late") else "30/01/27"
                log.append(f'"{day}, 10:00:00",{each.name},-,Assignment: Lab 01,Assignment,A submission has been submitted.,The user with id \'9\' has '
                           f"submitted the submission with id '7' for the assignment with course module id '12'.,web,192.0.2.1")
        return [*options, "--times", str(self.write("log.csv", "\n".join(log) + "\n"))]

    def test_it_is_killed_three_times_and_each_system_imports_the_table(self):
        self.write("book/labs/01-coalescing/lab.hpp", "void offset_add_f32(int n);\n")
        students = self.students()
        for student in students:
            self.put(student)
        options = self.options(students)
        kept: dict[str, tuple[int, int]] = {}
        for count in (20, 60, 100):
            process = self.start_grading(*options)
            self.wait_until(lambda: len(self.graded()) >= count or process.poll() is not None, 120)
            os.killpg(process.pid, signal.SIGKILL)
            self.assertEqual(process.wait(), -signal.SIGKILL)
            self.changed()
            final = {name: stamp for name, stamp in self.before.items() if json.loads((self.out / "journal" / name).read_text())["entry"]["final"]}
            self.assertEqual({name: final.get(name) for name in kept}, kept)  # no verdict is lost, or made twice
            kept = final
        status, out, err = self.grade(*options, "--results", f"nbgrader={self.out}/nbgrader.csv")
        self.assertEqual(status, 1, out + err)  # some archives cannot be read, and some files were not judged
        self.changed()
        self.assertEqual({name: self.before[name] for name in kept}, kept)
        wanted = {each.email: each.points for each in students}
        rows = self.rows("points.csv")
        self.assertEqual(len(rows), len(students))
        self.assertEqual({row["email"]: "" if row["not judged"] else row["total"] for row in rows}, wanted)
        self.assertEqual({row["email"]: row["name"].removeprefix("'") for row in rows}, {each.email: each.name for each in students})
        for row in rows:
            self.assertEqual(row["total"], row["01-coalescing"])
        self.require_imports(students, wanted)
        self.assertNotIn("was not written", out)
        self.assertEqual([path.name for path in self.out.glob("*.csv") if path.name.startswith(("moodle", "canvas"))], [])  # their lists were given
        late = {row["email"] for row in rows if row["late"]}
        self.assertEqual(late, {each.email for each in students if each.kind == "late" and each.system in ("moodle", "canvas")}
                         | {each.email for each in students if each.kind == "late, with extra time" and each.system == "canvas"})
        handed_in = [each for each in students if each.kind not in WITHOUT or (each.kind == "untouched" and each.system != "clone")]
        told = [each for each in handed_in if (each.system == "moodle" and each.name in self.named_once) or (each.system == "canvas" and each.kind == "late")]
        words = f"Lab 01 has a deadline, and of {len(handed_in) - len(told)} of {len(handed_in)} hand-ins the time is not known"
        self.assertTrue(lines_matching(words, out), out)
        self.assertEqual(len(list((self.out / "feedback").iterdir())), len(students))

    def require_imports(self, students: list[Student], wanted: dict[str, str]) -> None:
        """What each system would take from its file: the columns that its importer looks for, and the student whom it finds by them."""
        by = {"moodle": {10_000 + each.number: each.email for each in students}, "canvas": {str(50_000 + each.number): each.email for each in students},
              "clone": {f"octo{each.number}": each.email for each in students}, "hand": {f"s{each.number:04}": each.email for each in students}}
        of = {system: {each.email: wanted[each.email] for each in students if each.system == system} for system in by}
        # mod/assign/feedback/offline/importgradeslib.php: Identifier without "Participant ", Grade, Last modified (grade).
        rows = self.rows("rosters/worksheet.csv")
        self.assertLessEqual({"Identifier", "Grade", "Last modified (grade)"}, set(rows[0]))
        self.assertEqual({by["moodle"][int(row["Identifier"].removeprefix("Participant "))]: row["Grade"] for row in rows}, of["moodle"])
        self.assertEqual(len(rows), len(of["moodle"]))
        # lib/gradebook_importer.rb of Canvas: a row of what is possible, then students by ID; an assignment by the number in its title.
        possible, *rows = self.rows("rosters/gradebook.csv")
        self.assertEqual((possible["Student"].strip(), possible["Lab 01 (77)"]), ("Points Possible", "100"))
        self.assertEqual({by["canvas"][row["ID"]]: row["Lab 01 (77)"] for row in rows}, of["canvas"])
        self.assertEqual(len(rows), len(of["canvas"]))
        title = "Lab 01: a lab"
        self.assertEqual({by["clone"][row["github_username"]]: row[title] for row in self.rows("rosters/classroom_roster.csv")}, of["clone"])
        self.assertEqual({by["hand"][row["SID"]]: row[title] for row in self.rows("rosters/gradescope.csv")}, wanted)
        # nbgrader/plugins/export.py: a row of each student and assignment; what was not judged has no points in it.
        rows = self.rows("nbgrader.csv")
        self.assertEqual({row["email"]: row["score"] for row in rows}, {email: points or "0" for email, points in wanted.items()})
        self.assertEqual(len(rows), len(wanted))


if __name__ == "__main__":
    unittest.main()
