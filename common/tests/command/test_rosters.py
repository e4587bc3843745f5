"""A person of a class is a row of a roster: every key joins, everyone has one row, and rosters go back with the marks."""
import csv
import io
import pathlib
import random
import shutil
import unicodedata
import unittest
from decimal import Decimal

import graded as classes
import test_intake
from test_intake import LABS, STARTERS, Intake, work, zipped

from command.classroom import outputs, returned, roster
from command.classroom.model import Graded, Person
from command.classroom.rules import Rules
from command.problem import Problem

#: As the systems write them; where each column is described stands in roster.py.
WORKSHEET = ('Identifier,"Full name","ID number","Email address",Status,Grade,"Maximum Grade","Grade can be changed","Last modified (submission)",'
             '"Last modified (grade)","Feedback comments"\n'
             '"Participant 111","Wei Wang",s1,a@x.org,"Submitted for grading",,34.00,Yes,"Monday, 30 November 2026, 9:14 AM",-,\n'
             '"Participant 222","Wei Wang",s2,b@x.org,"Submitted for grading",,34.00,Yes,"Monday, 30 November 2026, 9:15 AM",-,\n'
             '"Participant 333","Nora None",s3,n@x.org,"No submission",,34.00,Yes,-,-,\n')
PARTICIPANTS = ('"First name","Last name","ID number","Email address",Groups\n'
                'Zoë,Müller,s9,zoe@x.org,"A, G1"\nJane,Doe,s5,jane@x.org,\n')
CANVAS = ("Student,ID,SIS User ID,SIS Login ID,Section,Lab 01: coalescing (4711),Assignments Current Score,Current Score,Final Score\r\n"
          "    Points Possible,,,,,34.00,(read only),(read only),(read only)\r\n"
          '"Doe, Jane",12345,s5,jane@x.org,CS 1,,,,\r\n"Müller, Zoë",12346,s9,zmueller,CS 1,3.00,,,\r\n"Student, Test",99,,f00,CS 1,,,,\r\n')
GITHUB = '"identifier","github_username","github_id","name"\n"jane@x.org","octojane","1",""\n"s9","zmu","2","Zoë M."\n"Nora None","","",""\n'
GRADESCOPE_ROSTER = ("First Name,Last Name,SID,Email,Role,Sections\n"
                     "Jane,Doe,s5,jane@x.org,Student,A\nZoë,Müller,s9,zoe@x.org,Student,\nIna,Structor,,ina@x.org,Instructor,\n")


class Rostered(Intake):
    def roster(self, name: str, text: str) -> pathlib.Path:
        file = self.folder / "rosters" / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text.encode())
        return file

    def with_rosters(self, **texts: str):
        """The class with rosters, each named by its file without .csv."""
        return self.take_in(rosters=[self.roster(f"{name}.csv", text) for name, text in texts.items()])

    def check(self, class_) -> None:
        super().check(class_)
        for key in roster.KEYS:
            values = [person.keys[key].casefold() for person in class_.people if key in person.keys]
            self.assertEqual(len(values), len(set(values)), f"each {key} is one person's")
        for each in class_.rosters:
            for row in each.rows.values():
                if row.names_person and not row.path:
                    self.assertIn(row.person, class_.people)

    def one(self, class_, name: str) -> Person:
        [person] = [person for person in class_.people if person.name == name]
        return person

    def refusal(self, **texts: str) -> str:
        with self.assertRaises(Problem) as caught:
            self.with_rosters(**texts)
        return str(caught.exception)


class Forms(Rostered):
    def test_each_system_s_roster_is_read(self):
        wanted = {"worksheet": (WORKSHEET, roster.WORKSHEET, [("Wei Wang", {"moodle_id": "111", "sid": "s1", "email": "a@x.org"})]),
                  "participants": (PARTICIPANTS, roster.PARTICIPANTS, [("Zoë Müller", {"sid": "s9", "email": "zoe@x.org"})]),
                  "canvas": (CANVAS, roster.CANVAS, [("Jane Doe", {"canvas_id": "12345", "sid": "s5", "login": "jane@x.org", "email": "jane@x.org"}),
                                                     ("Zoë Müller", {"canvas_id": "12346", "sid": "s9", "login": "zmueller"})]),
                  "github": (GITHUB, roster.GITHUB, [("jane@x.org", {"email": "jane@x.org", "github": "octojane"})]),
                  "gradescope": (GRADESCOPE_ROSTER, roster.GRADESCOPE, [("Jane Doe", {"sid": "s5", "email": "jane@x.org"})])}
        for name, (text, form, people) in wanted.items():
            found = roster.read(self.roster(f"{name}.csv", text))
            self.assertIs(found.form, form)
            rows = [(row.values["name"], row.keys) for row in found.rows.values()]
            self.assertEqual(rows[:len(people)], people)

    def test_rows_that_are_no_students_are_left_out(self):
        self.give("x/coalescing.cu", work())
        names = self.names(self.with_rosters(canvas=CANVAS, gradescope=GRADESCOPE_ROSTER))
        self.assertEqual(names, ["Jane Doe", "Zoë Müller", "x"])

    def test_a_list_for_gradescope_may_have_no_roles(self):
        found = roster.read(self.roster("g.csv", "First Name,Last Name,Email,SID,Section\nJane,Doe,jane@x.org,s5,A\n"))
        self.assertEqual([(row.values["name"], row.keys) for row in found.rows.values()], [("Jane Doe", {"sid": "s5", "email": "jane@x.org"})])

    def test_canvas_may_write_a_name_in_two_columns(self):
        text = "LastName,FirstName,ID,SIS Login ID,Section\n    Points Possible,,,,\nDoe,Jane,5,jd,A\n"
        [row] = roster.read(self.roster("c.csv", text)).rows.values()
        self.assertEqual((row.values["name"], row.keys), ("Jane Doe", {"canvas_id": "5", "login": "jd"}))

    def test_a_file_in_no_known_form_is_refused_with_the_column_and_the_forms(self):
        said = self.refusal(other="Vorname,Nachname\nA,B\n")
        self.assertIn("has the column 'vorname'", said)
        for text, words in (("", "is empty"), ("name,email\na,b,c\n", "line 2: more cells"), ('name\n"a\n', "line")):
            self.assertIn(words, self.refusal(other=text))


class Joined(Rostered):
    def test_a_row_with_the_ids_of_two_systems_joins_a_person(self):
        """34 points here and 34 there were two rows of one Canvas id, each with a 0 for the other lab."""
        self.give("Jane Doe_111_assignsubmission_file/coalescing.cu", work())
        self.give("doejane_12345_67890_nbody.cu", work("03"))
        class_ = self.with_rosters(own="name,moodle_id,canvas_id\nJane Doe,111,12345\n")
        self.assertEqual(self.found(class_), {"01.Jane-Doe": "Jane Doe_111_assignsubmission_file/coalescing.cu", "03.Jane-Doe": "doejane_12345_67890_nbody.cu"})
        self.assertEqual(class_.people[0].keys, {"moodle_id": "111", "canvas_id": "12345"})

    def test_every_key_joins(self):
        files = {"github": "lab-jd/coalescing.cu", "canvas_id": "doejane_12345_67890_shared_memory.cu", "name": "Jane Doe_111_assignsubmission_file/nbody.cu",
                 "login": "Lab 4_jdoe_attempt_2026-11-20-10-00-00_dot_product.cu", "sid": "30001/dynamic_parallelism.cu",
                 "path": "box/final version.cu"}
        for lab, path in enumerate(files.values(), 1):
            self.give(path, work(f"{lab:02}"))
        self.give("lab-jd/.git/HEAD", "x")
        self.give("lab-xy/.git/HEAD", "x")
        self.give("lab-xy/coalescing.cu", work())
        class_ = self.with_rosters(own="path,name,github,canvas_id,login,sid,email\n,Jane Doe,JD,12345,jdoe,30001,jane@x.org\n"
                                       "box/final version.cu,,,,,30001,\n")
        jane = self.one(class_, "Jane Doe")
        found = [hand_in.lab.number for hand_in in class_.hand_ins if hand_in.person == jane]
        self.assertEqual(found, ["01", "02", "03", "04", "05", "06"])
        self.assertEqual(self.names(class_), ["Jane Doe", "xy"])
        (self.folder / "assignment_1_export.zip").write_bytes(zipped({
            "submission_metadata.yml": "submission_1:\n  :submitters:\n  - :name: J. D.\n    :email: JANE@x.org\n", "submission_1/coalescing.cu": work()}))
        class_ = self.take_in(self.folder / "assignment_1_export.zip", rosters=[self.folder / "rosters/own.csv"])
        self.assertEqual([hand_in.person.name for hand_in in class_.hand_ins], ["Jane Doe"])

    def test_rosters_of_several_systems_join_by_what_they_share(self):
        self.give("x/coalescing.cu", work())
        class_ = self.with_rosters(canvas=CANVAS, participants=PARTICIPANTS, github=GITHUB, gradescope=GRADESCOPE_ROSTER)
        self.assertEqual(self.names(class_), ["Jane Doe", "Nora None", "Zoë Müller", "x"])
        self.assertEqual(self.one(class_, "Zoë Müller").keys, {"canvas_id": "12346", "sid": "s9", "login": "zmueller", "email": "zoe@x.org", "github": "zmu"})

    def test_the_githubs_name_in_a_clones_is_the_one_that_is_on_the_roster(self):
        """By the clones' names alone their common beginning is the assignment's, and a clone that lies alone is called as a whole."""
        roster_ = 'identifier,github_username,github_id,name\ns1,Octo-Ann,1,Ann\ns2,octo-bo,2,Bo\n'
        for who in ("octo-ann", "octo-bo"):
            self.give(f"lab-one-{who}/.git/HEAD")
            self.give(f"lab-one-{who}/coalescing.cu", work())
            self.assertEqual(self.names(self.with_rosters(github=roster_)), ["Ann", "Bo"])
        for who in ("octo-cy", "evil-octo-bo"):  # on no roster, and the one is called as if it were another one's
            self.give(f"lab-one-{who}/.git/HEAD")
            self.give(f"lab-one-{who}/coalescing.cu", work())
        class_ = self.with_rosters(github=roster_)
        self.assertEqual(self.names(class_), ["Ann", "Bo", "evil-octo-bo", "octo-cy"])
        self.assertEqual([hand_in.older for hand_in in class_.hand_ins], [[]] * 4)

    def test_worksheets_tell_namesakes_apart_in_each_assignment(self):
        """Two namesakes with two files each were four people."""
        for numbers, lab, kernel in ((("111", "222"), "01", "coalescing"), (("444", "555"), "03", "nbody")):
            for number in numbers:
                self.give(f"lab{lab}/Wei Wang_{number}_assignsubmission_file/{kernel}.cu", work(lab, number))
        self.assertEqual(len(self.take_in().people), 4)
        class_ = self.with_rosters(one=WORKSHEET, three=WORKSHEET.replace("111", "555").replace("222", "444").replace("333", "666"))
        by_mail = {person.keys["email"]: {hand_in.file.read_text(encoding="utf-8").split("// ")[-1].strip() for hand_in in class_.hand_ins
                                          if hand_in.person == person} for person in class_.people}
        self.assertEqual(by_mail, {"a@x.org": {"111", "555"}, "b@x.org": {"222", "444"}, "n@x.org": set()})
        self.assertFalse(any("Several people" in note for note in class_.notes))

    def test_two_rows_of_one_roster_are_two_people_though_only_their_name_is_known(self):
        self.give("x/coalescing.cu", work())
        class_ = self.with_rosters(worksheet="Identifier,Full name,Grade,Maximum Grade\nParticipant 1,Wei Wang,,1\nParticipant 2,Wei Wang,,1\n",
                                   own="name\nAnn Lee\nAnn Lee\n")
        self.assertEqual(self.names(class_), ["Ann Lee", "Ann Lee", "Wei Wang", "Wei Wang", "x"])

    def test_a_name_that_two_rows_have_joins_none_of_them_and_this_is_said(self):
        self.give("Wei Wang/coalescing.cu", work())
        class_ = self.with_rosters(worksheet=WORKSHEET)
        self.assertEqual(self.names(class_).count("Wei Wang"), 3)
        note = next(note for note in class_.notes if "Several people are called Wei Wang" in note)
        self.assertIn("2 of them are on a roster (worksheet.csv, line 2, worksheet.csv, line 3)", note)

    def test_two_people_of_one_name_where_one_is_listed_are_kept_apart(self):
        for number in ("777", "888"):
            self.give(f"Jane Doe_{number}_assignsubmission_file/coalescing.cu", work(mark=number))
        class_ = self.with_rosters(participants=PARTICIPANTS)
        self.assertEqual(self.names(class_), ["Jane Doe", "Jane Doe", "Jane Doe", "Zoë Müller"])
        self.assertTrue(any("Several people are called Jane Doe" in note for note in class_.notes))

    def test_who_calls_themselves_as_another_one_takes_no_hand_in_from_them(self):
        self.give("CUDA-Lab 1-4711/Jane Doe_1_assignsubmission_file/coalescing.cu", work(mark="honest"))
        self.give("assignment_1_export/submission_metadata.yml",
                  "submission_1:\n  :submitters:\n  - :name: Jane Doe\n    :sid: s9\nsubmission_2:\n  :submitters:\n  - :name: Jane Doe\n    :email: eve@x.org\n")
        for number in (1, 2):
            self.give(f"assignment_1_export/submission_{number}/coalescing (9).cu", work(mark="evil"), 9e9)
        class_ = self.with_rosters(participants=PARTICIPANTS)
        zoe = self.one(class_, "Zoë Müller")
        self.assertEqual([hand_in.person for hand_in in class_.hand_ins if "submission_1/" in hand_in.shown], [zoe])
        for hand_in in class_.hand_ins:
            self.assertEqual(hand_in.older, [])
        self.assertTrue(any("Several people are called Jane Doe" in note for note in class_.notes))

    def test_a_hand_in_with_keys_of_two_rows_is_given_to_neither_and_this_is_said(self):
        self.give("assignment_1_export/submission_metadata.yml",
                  "submission_1:\n  :submitters:\n  - :name: Jane Doe\n    :sid: s9\n    :email: jane@x.org\n")
        self.give("assignment_1_export/submission_1/coalescing.cu", work())
        class_ = self.with_rosters(participants=PARTICIPANTS)
        [hand_in] = [hand_in for hand_in in class_.hand_ins if hand_in.lab.number == "01"]
        self.assertEqual(hand_in.person.keys, {})
        [note] = [note for note in class_.notes if "was given to neither" in note]
        self.assertIn("participants.csv, line 3 (Jane Doe)", note)
        self.assertIn("participants.csv, line 2 (Zoë Müller)", note)

    def test_a_name_that_joins_what_two_systems_have_is_said(self):
        self.give("assignment_1_export/submission_metadata.yml", "submission_1:\n  :submitters:\n  - :name: Jane Doe\n    :email: jane@x.org\n")
        self.give("assignment_1_export/submission_1/coalescing.cu", work())
        self.give("CUDA-Lab 3-4711/Jane Doe_1_assignsubmission_file/nbody.cu", work("03"))
        class_ = self.take_in()
        self.assertEqual(self.names(class_), ["Jane Doe"])
        self.assertTrue(any("Jane Doe is one person here by the name alone" in note for note in class_.notes))

    def test_two_rows_of_one_roster_that_meet_are_refused_with_both_named(self):
        for second in ("jane@x.org,s6", "j@x.org,s5"):
            said = self.refusal(own=f"name,email,sid\nJane Doe,jane@x.org,s5\nZoë,z@x.org,s9\nJane D.,{second}\n")
            self.assertIn("own.csv, line 2 (Jane Doe) and own.csv, line 4 (Jane D.) are one person by", said)
        said = self.refusal(own="name,email,sid\nJane,jane@x.org,\nZoë,,s9\n", more="name,email,sid\nBoth,jane@x.org,s9\n")
        self.assertIn("own.csv, line 2 (Jane) and own.csv, line 3 (Zoë) are one person by email jane@x.org, sid s9 of more.csv, line 2 (Both)", said)


class Rows(Rostered):
    """Everyone who is seen has a row, and 0 points have a reason."""

    def why(self, class_, name: str, lab: str = "01") -> str:
        person = self.one(class_, name)
        self.assertNotIn((person, lab), [(hand_in.person, hand_in.lab.number) for hand_in in class_.hand_ins])
        return class_.why_missing(person, next(each for each in LABS if each.number == lab))

    def test_clones_that_nobody_has_worked_in_have_a_row(self):
        test_intake.Clones.workbook(self, "cuda-labs-alice", {"01": work()})
        test_intake.Clones.workbook(self, "cuda-labs-bob", {})
        self.give("cuda-labs-bob/main.cu", "// nothing yet")
        self.give("cuda-labs-carol/.git/HEAD", "x")
        class_ = self.take_in()
        self.assertEqual(self.names(class_), ["alice", "bob", "carol"])
        self.assertEqual(self.why(class_, "bob"), "No work on this lab was found. cuda-labs-bob/labs/01-coalescing/coalescing.cu: It is the starter, "
                                                  "unchanged. cuda-labs-bob/main.cu: It defines no function of a lab.")
        self.assertIn("cuda-labs-alice/labs/03-nbody-tiling/nbody.cu: It is the starter, unchanged.", self.why(class_, "alice", "03"))
        self.assertEqual(self.why(class_, "carol"), "No file was handed in.")

    def test_a_download_of_a_clone_that_nobody_has_worked_in_has_one_too(self):
        files = {f"lab-one-carol-main/labs/{lab.name}/{lab.starter.name}": STARTERS[lab.number] for lab in LABS}
        self.give("lab-one-carol-main.zip", zipped({**files, "lab-one-carol-main/warpbook": "x"}))
        self.give("lab-one-bob/.git/HEAD", "x")
        self.give("lab-one-bob/coalescing.cu", work())
        self.assertEqual(self.names(self.take_in()), ["bob", "carol"])

    def test_folders_without_a_hand_in_have_a_row_beside_those_with_one(self):
        self.give("alice/coalescing.cu", work())
        (self.given / "bob").mkdir()
        self.give("carol/homework.cu", "// nothing")
        self.give("dan/report.pdf", "%PDF")
        self.give("erin.7z", "7z")
        self.give("finn.zip", b"PK\3\4 broken")
        (self.given / "gus/deep/deeper").mkdir(parents=True)
        class_ = self.take_in()
        self.assertEqual({person.name: class_.why_missing(person, LABS[0]) for person in class_.people if person.name != "alice"}, {
            "bob": "No work on this lab was found. bob/: The folder is empty.",
            "carol": "No work on this lab was found. carol/homework.cu: Neither its name nor its folders name a lab, and it defines no function of one.",
            "dan": "No work on this lab was found. dan/report.pdf: It is not a .cu file.",
            "erin": "No work on this lab was found. erin.7z: Archives of this kind are not opened: unpack it, or pack it as a zip or a tar.",
            "finn": "No work on this lab was found. finn.zip: The archive is damaged or not an archive: File is not a zip file.",
            "gus": "No work on this lab was found. gus/deep/deeper/: The folder is empty."})

    def test_a_roster_says_whose_a_folder_without_a_hand_in_is_or_that_it_is_no_ones(self):
        self.give("alice/coalescing.cu", work())
        for folder in ("slides", unicodedata.normalize("NFD", "Büro 7/deep"), "box 8"):
            self.give(f"{folder}/notes.pdf", "%PDF")
        class_ = self.with_rosters(own="path,name,lab\nslides,,-\nBüro 7,Jane Doe,\n")
        self.assertEqual(self.names(class_), ["Jane Doe", "alice", "box 8"])
        self.assertIn("/deep/notes.pdf", self.why(class_, "Jane Doe"))

    def test_files_with_a_labs_name_that_are_no_source_have_one(self):
        self.give("alice_coalescing.cu", work())
        self.give("bob_coalescing.pdf", "%PDF")
        self.give("syllabus.pdf", "%PDF")
        self.assertEqual(self.names(self.take_in()), ["alice", "bob"])

    def test_what_a_system_names_has_one_with_what_was_seen(self):
        for name, data in (("Jane Doe_1_assignsubmission_file/work.rar", "Rar!"), ("Ann Lee_2_assignsubmission_file/coalescing.cu", work()),
                           ("roejohn_12346_67891_essay.pdf", "%PDF")):
            self.give(name, data)
        (self.given / "Bo Li_3_assignsubmission_file").mkdir()
        class_ = self.take_in()
        self.assertEqual(self.names(class_), ["Ann Lee", "Bo Li", "Jane Doe", "roejohn"])
        self.assertIn("unpack it", self.why(class_, "Jane Doe"))
        self.assertIn("The folder is empty", self.why(class_, "Bo Li"))

    def test_who_is_on_the_roster_alone_has_handed_in_nothing(self):
        self.give("Jane Doe/coalescing.cu", work())
        class_ = self.with_rosters(participants=PARTICIPANTS)
        self.assertEqual(self.why(class_, "Zoë Müller"), "Handed in nothing.")

    def test_a_file_is_taken_by_its_functions_whatever_it_is_called(self):
        for number, name in enumerate(("main", "kernel.cuda", "nbody.cu", "solution.h", "hand-in.bak")):
            self.give(f"s{number}x/{name}", work())
        class_ = self.take_in()
        self.assertEqual(sorted(self.found(class_)), [f"01.s{number}x" for number in range(5)])
        self.assertTrue(any("s2x/nbody.cu was recognised by what it defines" in note for note in class_.notes))

    def test_names_inside_of_one_persons_folder_or_archive_make_no_row(self):
        self.give("alice/coalescing.cu", work())
        (self.given / "alice/bob").mkdir()
        self.give("mallory.zip", zipped({"Bob Roe_2_assignsubmission_file/x.pdf": "x", "lab-bob/.git/HEAD": "x", "lab-carl/.git/HEAD": "x"}))
        self.assertEqual(self.names(self.take_in()), ["alice", "mallory"])


class Returned(Rostered):
    """Rosters with marks, read as the systems' importers read them."""

    def graded(self, class_, said: dict | None = None) -> Graded:
        """Marks that tell people and labs apart: the n-th person's are n and a half."""
        rules = Rules(LABS, said or {})
        labs = [lab for lab in LABS if any(hand_in.lab == lab for hand_in in class_.hand_ins)]
        marks = []
        for place, person in enumerate(class_.people):
            for lab in labs:
                rules.know(lab, [{"item": item, "points": 10 * points} for item, points, _, _ in classes.ITEMS])
                hand_in = next((each for each in class_.hand_ins if (each.person, each.lab) == (person, lab)), None)
                mark = rules.mark(person, lab, hand_in, None)
                mark.points = place + 1.5 if hand_in else 0
                mark.missing = class_.why_missing(person, lab)
                marks.append(mark)
        return Graded(class_, labs, marks, rules, "", 1, ["sim"])

    def filled(self, class_, name: str) -> tuple[list[dict[str, str]], list[str], Graded]:
        made = self.graded(class_)
        text, said = returned.filled(made, next(each for each in class_.rosters if each.file.stem == name))
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        return rows, said, made

    def test_a_grading_worksheet_gets_the_grades_of_its_assignment(self):
        for number in ("111", "222"):
            self.give(f"Wei Wang_{number}_assignsubmission_file/coalescing.cu", work(mark=number))
        self.give("x/nbody.cu", work("03"))
        rows, said, made = self.filled(self.with_rosters(worksheet=WORKSHEET), "worksheet")
        before = list(csv.DictReader(io.StringIO(WORKSHEET)))
        for old, new in zip(before, rows):
            self.assertEqual({key for key in old if old[key] != new[key]}, {"Grade", "Feedback comments"})
        by_mail = {mark.person.keys.get("email"): mark for mark in made.marks if mark.lab.number == "01"}
        self.assertEqual([float(row["Grade"]) for row in rows], [by_mail[row["Email address"]].points for row in rows])
        self.assertEqual(rows[2]["Feedback comments"], "Handed in nothing.")
        self.assertEqual(said, ["worksheet.csv has 34.00 as its Maximum Grade, and 01-coalescing has 60: make the assignment's maximum 60, or give the lab "
                                "34.00 points in course.json."])

    def test_a_worksheet_that_says_no_lab_gets_no_marks(self):
        for lab, kernel in (("01", "coalescing"), ("03", "nbody")):
            self.give(f"x/{kernel}.cu", work(lab))
        class_ = self.with_rosters(worksheet=WORKSHEET, **{"Grades-CUDA-Lab 3-77": WORKSHEET.replace("Participant ", "Participant 9")})
        made = self.graded(class_)
        text, said = returned.filled(made, class_.rosters[0])
        self.assertEqual(text, "")
        self.assertIn("does not say which lab", said[0])
        self.assertEqual(returned.lab_of_worksheet(made, class_.rosters[1]).number, "03")

    def test_a_gradebook_of_canvas_gets_the_marks_in_its_assignments(self):
        for name, lab in (("doejane_12345_1001_coalescing.cu", "01"), ("müllerzoë_12346_1002_nbody.cu", "03")):
            self.give(name, work(lab))
        rows, _, made = self.filled(self.with_rosters(canvas=CANVAS), "canvas")
        self.assertEqual(list(rows[0]), [*CANVAS.splitlines()[0].split(","), "Lab 03: " + LABS[2].facts.title])
        title = list(rows[0])[-1]
        self.assertEqual((rows[0]["Student"], rows[0]["Lab 01: coalescing (4711)"], rows[0][title]), ("    Points Possible", "34.00", "60"))
        marks = {(mark.person.keys["canvas_id"], mark.lab.number): mark.points for mark in made.marks}
        for row in rows[1:3]:
            self.assertEqual((float(row["Lab 01: coalescing (4711)"]), float(row[title])), (marks[row["ID"], "01"], marks[row["ID"], "03"]))
        self.assertEqual((rows[3]["Student"], rows[3]["Lab 01: coalescing (4711)"], rows[3][title]), ("Student, Test", "", ""))
        self.assertEqual(rows[0]["Current Score"], "(read only)")

    def test_who_is_excused_there_or_not_assigned_stays_so(self):
        self.give("doejane_12345_1001_coalescing.cu", work())
        rows, _, _ = self.filled(self.with_rosters(canvas=CANVAS.replace("CS 1,,", "CS 1,EX,").replace("CS 1,3.00,", "CS 1,N/A,")), "canvas")
        self.assertEqual([row["Lab 01: coalescing (4711)"] for row in rows], ["34.00", "EX", "N/A", "EX"])

    def test_two_columns_that_may_be_a_labs_are_not_guessed_between(self):
        self.give("doejane_12345_1001_coalescing.cu", work())
        rows, said, _ = self.filled(self.with_rosters(canvas=CANVAS.replace("Assignments Current Score", "Lab 1 resubmission (5)")), "canvas")
        self.assertEqual([row["Lab 01: coalescing (4711)"] for row in rows], ["34.00", "", "3.00", ""])
        self.assertIn("several columns", said[0])

    def test_the_other_rosters_get_a_column_for_each_lab(self):
        self.give("Jane Doe/coalescing.cu", work())
        for name, text in (("participants", PARTICIPANTS), ("github", GITHUB), ("gradescope", GRADESCOPE_ROSTER), ("own", "name;email\nJane Doe;jane@x.org\n")):
            class_ = self.with_rosters(**{name: text})
            made = self.graded(class_)
            text_back, _ = returned.filled(made, class_.rosters[0])
            self.assertEqual([line[:len(old.strip('"'))] for old, line in zip(text.replace('"', "").splitlines(), text_back.replace('"', "").splitlines())],
                             text.replace('"', "").splitlines())
            heading, *rows = csv.reader(io.StringIO(text_back), delimiter=class_.rosters[0].delimiter)
            self.assertTrue(heading[-1].startswith("Lab 01: "))
            self.assertEqual([row[-1] for index, row in enumerate(rows) if index not in class_.rosters[0].rows], [""] * (len(rows) - len(class_.rosters[0].rows)))

    def test_they_are_written_beside_the_other_files(self):
        self.give("Jane Doe_111_assignsubmission_file/coalescing.cu", work())
        other = self.folder / "other/participants.csv"
        other.parent.mkdir()
        other.write_text(PARTICIPANTS)
        class_ = self.take_in(rosters=[self.roster("participants.csv", PARTICIPANTS), other, self.roster("Kurs Ü (1).csv", PARTICIPANTS)])
        lines = outputs.write_all(self.graded(class_), self.folder / "out")
        self.assertEqual(sorted(path.name for path in (self.folder / "out/rosters").iterdir()), ["Kurs-U-1.csv", "participants-2.csv", "participants.csv"])
        self.assertIn('href="rosters/Kurs-U-1.csv"', (self.folder / "out/index.html").read_text(encoding="utf-8"))
        self.assertTrue(any("rosters/participants.csv: Moodle's list of participants as it was given, with the marks" in line for line in lines))
        outputs.write_all(self.graded(self.take_in()), self.folder / "out")
        self.assertFalse((self.folder / "out/rosters").exists())

    def test_an_export_that_would_have_an_id_twice_is_refused_with_both_rows_named(self):
        made = classes.graded(self.folder)
        outputs.write_all(made, self.folder / "out")
        made.class_.people[2].keys["canvas_id"] = "90"
        made.class_.people[4].keys["email"] = "U0@example.org"
        lines = outputs.write_all(made, self.folder / "out")
        self.assertIn("canvas.csv was not written: line 3 (Zoë Müller, 90) and line 5 (王小明, 90) have the same ID, 90, and an import would write one "
                      "over the other.", lines)
        self.assertTrue(any(line.startswith("moodle.csv was not written: line 2 (Zoë Müller, u0, u0@example.org) and line 6 (Paul") for line in lines), lines[:4])
        self.assertFalse((self.folder / "out/canvas.csv").exists() or (self.folder / "out/moodle.csv").exists())
        self.assertTrue((self.folder / "out/moodle-feedback-01.zip").exists())
        made.class_.people[2].keys["moodle_id"] = "70"
        lines = outputs.write_all(made, self.folder / "out")
        self.assertTrue(any("moodle-feedback-01.zip was not written" in line for line in lines))
        self.assertFalse((self.folder / "out/moodle-feedback-01.zip").exists())


class Student:
    """A made-up student, and what each system calls them."""

    def __init__(self, number: int, pick: random.Random):
        first, last = pick.choice(["Zoë", "Wei", "Jane", "Ann-Lee", "李", "O'Neil"]), pick.choice(["Müller", "Wang", "Doe", "van der Berg"])
        self.first, self.last = first, last if pick.random() < 0.3 else f"{last}{number}"  # some share their name
        self.name, self.email, self.sid, self.login = f"{self.first} {self.last}", f"u{number}@x.org", f"s{number:04}", f"login{number}"
        self.canvas, self.github = str(50_000 + number), f"octo{number}"
        self.moodle = {lab: str(10_000 * lab + number) for lab in (1, 3)}

    def row(self, form: str) -> list[str]:
        return {"one": [f"Participant {self.moodle[1]}", self.name, self.email, "", "", "60.00", "-", ""],
                "three": [f"Participant {self.moodle[3]}", self.name, self.email, "", "", "60.00", "-", ""],
                "canvas": [f"{self.last}, {self.first}", self.canvas, self.sid, self.login, "A", "7.5", ""],
                "github": [self.sid, self.github, "1", ""],
                "gradescope": [self.first, self.last, self.sid, self.email, "Student"],
                "own": [self.name, self.email, self.sid, self.canvas, self.github]}[form]


HEADINGS = {"one": ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments"],
            "canvas": ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab 3: nbody (77)", "Final Score"],
            "github": ["identifier", "github_username", "github_id", "name"], "gradescope": ["First Name", "Last Name", "SID", "Email", "Role"],
            "own": ["name", "email", "sid", "canvas_id", "github"]}
HEADINGS["three"] = HEADINGS["one"]


class Random(Rostered):
    """For random classes, rosters and rules: no person and no file is lost, or there twice."""

    def random_class(self, pick: random.Random) -> tuple[list[Student], dict[str, Student]]:
        """Students, and whose each file is."""
        shutil.rmtree(self.given)
        self.given.mkdir()
        students, files, attachment = [Student(number, pick) for number in range(pick.randint(2, 14))], {}, 900_000
        for student in students:
            for number, lab in ((1, "01"), (3, "03")):
                kernel, attachment = ("coalescing" if number == 1 else "nbody"), attachment + 1
                way = pick.choice(["moodle", "canvas", "clone", "sid", "login", "nothing", "empty", "untouched"])
                path = {"moodle": f"{student.name}_{student.moodle[number]}_assignsubmission_file/{kernel}.cu",
                        "canvas": f"x{student.sid}_{student.canvas}_{attachment}_{pick.choice([kernel, 'main', 'essay'])}.cu",
                        "clone": f"labs-{student.github}/{pick.choice(['', 'src/'])}{kernel}.cu",
                        "sid": f"{student.sid}/{kernel}.cu", "login": f"{student.email}/{pick.choice([kernel, 'main'])}.cu",
                        "empty": f"{student.sid}/notes.pdf", "untouched": f"labs-{student.github}/labs/{LABS[number - 1].name}/{kernel}.cu"}.get(way)
                if path:
                    self.give(path, STARTERS[lab] if way == "untouched" else work(lab, student.email))
                    files[path] = student
                    if way in ("clone", "untouched"):
                        self.give(f"labs-{student.github}/.git/HEAD", "x")
        for path in ("syllabus.pdf", "labs-stranger/.git/HEAD", "labs-guest/.git/HEAD"):
            self.give(path, "x")
        return students, files

    def random_rosters(self, students: list[Student], pick: random.Random, all_known: bool = True) -> list[pathlib.Path]:
        """`all_known`: each student is on each of them, so that each key is known; otherwise some are on some."""
        made = []
        forms = ["one", "three", "canvas", "github", "gradescope"]
        for form in [*(forms if all_known else pick.sample(forms, pick.randint(0, 4))), *pick.sample(["own"], pick.randint(0, 1))]:
            rows = [student.row(form) for student in pick.sample(students, len(students) if all_known else pick.randint(0, len(students)))]
            if form == "canvas":
                rows.insert(0, ["    Points Possible", "", "", "", "", "60", "(read only)"])
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows([HEADINGS[form], *rows])
            made.append(self.roster(f"{form}.csv", text.getvalue()))
        pick.shuffle(made)
        return made

    def test_every_file_and_every_person_of_the_rosters_is_in_one_row_and_every_export_gives_the_table(self):
        for seed in range(60):
            with self.subTest(seed=seed):
                pick = random.Random(seed)
                students, files = self.random_class(pick)
                rosters = self.random_rosters(students, pick)
                class_ = self.take_in(rosters=rosters)
                self.require_everyone(class_, students)
                self.require_every_file(class_, files)
                if class_.hand_ins:
                    self.require_tables(class_, pick)

    def test_rosters_that_do_not_know_everyone_join_no_two_students_of_different_names(self):
        for seed in range(60):
            with self.subTest(seed=seed):
                pick = random.Random(seed)
                students, files = self.random_class(pick)
                class_ = self.take_in(rosters=self.random_rosters(students, pick, all_known=False))
                self.require_every_file(class_, files, all_known=False)
                names: dict[str, set[str]] = {}
                for hand_in in class_.hand_ins:
                    for shown in (hand_in.shown, *hand_in.older):
                        names.setdefault(hand_in.person.id, set()).add(files[shown].name)
                self.assertEqual({id: found for id, found in names.items() if len(found) > 1}, {})
                listed = [row.person for each in class_.rosters for row in each.rows.values()]
                self.assertTrue(all(listed))
                for each in class_.rosters:
                    self.assertEqual(len({row.person.id for row in each.rows.values()}), len(each.rows))

    def require_everyone(self, class_, students: list[Student]) -> None:
        by_mail = {person.keys.get("email"): person for person in class_.people}
        self.assertEqual(set(by_mail) - {None}, {student.email for student in students})
        self.assertEqual(sorted(person.name for person in class_.people if "email" not in person.keys), ["guest", "stranger"])
        for student in students:
            keys = by_mail[student.email].keys
            self.assertEqual((keys["sid"], keys["login"], keys["canvas_id"], keys["github"]), (student.sid, student.login, student.canvas, student.github))

    def require_every_file(self, class_, files: dict[str, Student], all_known: bool = True) -> None:
        seen = [(shown, hand_in.person) for hand_in in class_.hand_ins for shown in (hand_in.shown, *hand_in.older)]
        self.assertEqual(len(seen), len({shown for shown, _ in seen}))
        others = {each.shown for each in class_.others}
        for path, student in files.items():
            owners = [person.keys.get("email") if all_known else student.email for shown, person in seen if shown == path]
            self.assertEqual((owners, path in others), ([student.email], False) if owners else ([], True), path)
        for person in class_.people:
            for lab in LABS:
                if not any((hand_in.person, hand_in.lab) == (person, lab) for hand_in in class_.hand_ins):
                    self.assertTrue(class_.why_missing(person, lab))

    def require_tables(self, class_, pick: random.Random) -> None:
        said = classes.random_rules(pick, ("01", "03"))
        rules = Rules(LABS, said)
        made = Graded(class_, [lab for lab in LABS if any(hand_in.lab == lab for hand_in in class_.hand_ins)], [], rules, "", 1, ["sim"])
        for lab in LABS:
            rules.know(lab, [{"item": item, "points": points} for item, points, _, _ in classes.ITEMS])
        for lab in made.labs:
            for person in class_.people:
                hand_in = next((each for each in class_.hand_ins if (each.person, each.lab) == (person, lab)), None)
                failed = {place: classes.UNCOALESCED for place in ("first", "second", "third") if pick.random() < 0.4}
                made.marks.append(rules.mark(person, lab, hand_in, classes.verdict(classes.results(**failed)) if hand_in else None))
                if hand_in and not failed:
                    self.assertEqual(made.marks[-1].points, made.marks[-1].max_points, said)  # full work is full
        if "total" in said:
            worth = [Decimal(str(rules.mark(class_.people[0], lab, None, None).max_points)) for lab in LABS]
            self.assertEqual(sum(worth), Decimal(str(said["total"])), said)
        table = {(mark.person.id, mark.lab): mark.points for mark in made.marks}
        own = self.table(outputs.csv_text(outputs.points_rows(made)))
        self.assertEqual([row["id"] for row in own], [person.id for person in class_.people])
        for row in own:
            self.assertEqual([float(row[lab.name]) for lab in made.labs], [table[row["id"], lab] for lab in made.labs])
            self.assertEqual(Decimal(row["total"]), sum(Decimal(row[lab.name]) for lab in made.labs), said)
        titles = {lab: f"Lab {lab.number}: {lab.facts.title}" for lab in made.labs}
        by_key = {(key, value): person.id for person in class_.people for key, value in person.keys.items()}
        canvas = self.table(outputs.csv_text(outputs.canvas_rows(made)))[1:]
        moodle = self.table(outputs.csv_text(outputs.moodle_rows(made)))
        for rows, column, key in ((canvas, "ID", "canvas_id"), (moodle, "Email address", "email")):
            self.assertEqual(len(rows), len(class_.people))
            known = [row for row in rows if row[column]]
            self.assertEqual({(by_key[key, row[column]], lab): float(row[titles[lab]]) for row in known for lab in made.labs},
                             {cell: points for cell, points in table.items() if any(person.id == cell[0] and key in person.keys for person in class_.people)})
        for each in class_.rosters:
            self.require_roster(made, each, table, titles)

    def require_roster(self, made: Graded, each: roster.Roster, table: dict, titles: dict) -> None:
        text, _ = returned.filled(made, each)
        columns = dict(titles)
        if each.form is roster.WORKSHEET:
            lab = next(lab for lab in LABS if lab.number == ("01" if each.file.stem == "one" else "03"))
            if returned.lab_of_worksheet(made, each) != lab:  # no hand-in has a number of it
                return
            columns = {lab: "Grade"}
        elif each.form is roster.CANVAS:
            columns = {lab: "Lab 3: nbody (77)" if lab.number == "03" else title for lab, title in titles.items()}
        rows = self.table(text)
        self.assertEqual({(each.rows[index].person.id, lab): float(rows[index][title]) for index in each.rows for lab, title in columns.items()},
                         {(each.rows[index].person.id, lab): table[each.rows[index].person.id, lab] for index in each.rows for lab in columns})

    @staticmethod
    def table(text: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(text, newline="")))


if __name__ == "__main__":
    unittest.main()
