"""A person of a class is a row of a roster: every key joins, everyone has one row, and rosters go back with the marks."""
import csv
import io
import json
import pathlib
import random
import shutil
import unicodedata
import unittest
import zipfile
from decimal import Decimal

import graded as classes
import test_intake
from test_intake import LABS, STARTERS, Intake, work, zipped

from fakes import captured

from command import grade
from command.classroom import outputs, returned, roster
from command.classroom.model import Correction, Graded, Person
from command.classroom.rules import Rules
from command.classroom.systems import nbgrader
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

    @staticmethod
    def table(text: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(text, newline="")))



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

    def test_what_those_who_are_no_students_have_handed_in_is_that_of_no_stranger(self):
        self.give("studenttest_99_700001_coalescing.cu", work())
        class_ = self.with_rosters(canvas=CANVAS)
        self.assertEqual((class_.on_no_roster, class_.asks, class_.notes), (set(), [], ["studenttest is no student by canvas.csv, line 5."]))
        (self.given / "studenttest_99_700001_coalescing.cu").unlink()
        self.give("assignment_1_export/submission_metadata.yml", "submission_1:\n  :submitters:\n  - :name: Ina Structor\n    :email: INA@x.org\n")
        self.give("assignment_1_export/submission_1/coalescing.cu", work())
        class_ = self.with_rosters(gradescope=GRADESCOPE_ROSTER)
        self.assertEqual((class_.on_no_roster, class_.asks, class_.notes), (set(), [], ["Ina Structor is no student by gradescope.csv, line 4."]))

    def test_what_excel_saves_as_unicode_text_is_read_and_comes_back_in_utf8(self):
        self.give("doejane_12345_1001_coalescing.cu", work())
        rows = list(csv.reader(io.StringIO(CANVAS)))
        made = io.StringIO()
        csv.writer(made, delimiter="\t").writerows(rows)
        file = self.folder / "excel.txt"
        for encoding in ("utf-16", "utf-16-be", "utf-8-sig"):
            file.write_bytes((b"\xfe\xff" * (encoding == "utf-16-be")) + made.getvalue().encode(encoding))
            class_ = self.take_in(rosters=[file])
            self.assertEqual(self.names(class_), ["Jane Doe", "Zoë Müller"])
            text = class_.rosters[0].text(*csv.reader(["Student"]), [["Zoë"]])
            self.assertEqual((text, class_.rosters[0].delimiter), ("\ufeffStudent\r\nZoë\r\n", "\t"))
        for encoding in ("cp1252", "utf-16-le"):
            file.write_bytes(made.getvalue().encode(encoding))
            with self.assertRaisesRegex(Problem, "excel.txt is not UTF-8|has the column") as caught:
                self.take_in(rosters=[file])
        file.write_bytes(made.getvalue().encode("cp1252"))
        for more in ({"rosters": [file]}, {"times": [file]}):
            with self.assertRaisesRegex(Problem, "excel.txt is not UTF-8") as caught:
                self.take_in(**more)
            self.assertIn("In Excel it is saved as 'CSV UTF-8'", caught.exception.details[0])

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

    def test_a_number_as_a_table_of_excel_has_it_is_the_number(self):
        """One person was two, of whom one had handed in nothing: 1001 and 1001.0, and 0011 and 11."""
        self.give("Jane Doe_111_assignsubmission_file/coalescing.cu", work())
        self.give("1001/nbody.cu", work("03"))
        for one, other in (("1001", "1001.0"), ("1001.00", "1001"), ("1001,0", "1001"), ("001001", "1001")):
            class_ = self.with_rosters(sheet=f'Identifier,Full name,ID number,Grade,Maximum Grade\nParticipant 111,Jane Doe,"{one}",,34\n', people=f'Name,SID,Email\nJane Doe,"{other}",j@x.org\n')
            said = ["Jane Doe is one person here by the student's number, which is written 001001 and 1001."] if one == "001001" else []
            self.assertEqual((self.names(class_), class_.notes, class_.asks), (["Jane Doe"], said, []), one)
        class_ = self.with_rosters(sheet='Identifier,Full name,ID number,Grade,Maximum Grade\nParticipant 111,Jane Doe,001001,,34\n', people="Name,SID,Email\nJ. Doe,1001,j@x.org\n")
        self.assertEqual(self.names(class_), ["Jane Doe"])  # who is called otherwise in the other list
        class_ = self.with_rosters(sheet='Identifier,Full name,ID number,Grade,Maximum Grade\nParticipant 111,Jane Doe,0011,,34\nParticipant 112,Bo Li,11,,34\n')
        self.assertEqual(self.names(class_), ["1001", "Bo Li", "Jane Doe"])  # two rows of one list are two people
        self.give("doejane_12345_777_dot_product.cu", work("04"))
        class_ = self.with_rosters(own="name,moodle_id,canvas_id,sid\nJane Doe,111.0,12345.0,1001.0\n")
        self.assertEqual([hand_in.person.name for hand_in in class_.hand_ins], ["Jane Doe"] * 3)
        class_ = self.with_rosters(one="name,sid,email\nJane Doe,12,a@x.org\n", other="name,sid,login\nJane Doe,13,jd\n")  # numbers that speak against it
        self.assertEqual(len([person for person in class_.people if person.name == "Jane Doe" and "sid" in person.keys]), 2)

    def test_a_number_in_gradescopes_export_and_githubs_grades_is_read_as_in_lists(self):
        self.give("submission_metadata.yml", "---\nsubmission_1:\n  :submitters:\n  - :name: J. D.\n    :sid: '1001.0'\n")
        self.give("submission_1/coalescing.cu", work())
        self.assertEqual(self.names(self.with_rosters(own="name,sid\nJane Doe,1001\n")), ["Jane Doe"])
        shutil.rmtree(self.given)
        self.give("lab-01-jd/coalescing.cu", work())
        self.give("lab-01-jd/.git/HEAD", "x")
        grades = self.write("grades.csv", "student_repository_name,github_username,roster_identifier,submission_timestamp\nlab-01-jd,jd,1001.0,\n")
        class_ = self.take_in(rosters=[self.roster("github.csv", '"identifier","github_username","github_id","name"\n"1001.0","","","Jane Doe"\n')], times=[grades])
        self.assertEqual((self.names(class_), class_.asks), (["Jane Doe"], []))

    def test_blanks_in_a_name_make_no_other_person(self):
        """Moodle's full name has two blanks where a first name ends with one, and a cell may have a line feed."""
        for name in ("Jane  Doe", "Jane\u00a0Doe", " Jane Doe "):
            for listed in ("Jane ,Doe", "Jane,Doe", '"Jane\n",Doe'):
                self.give(f"{name}_111_assignsubmission_file/coalescing.cu", work())
                class_ = self.with_rosters(people=f"First name,Last name,ID number,Email address\n{listed},s5,jane@x.org\n")
                self.assertEqual((self.names(class_), class_.asks), (["Jane Doe"], []))
                shutil.rmtree(self.given / f"{name}_111_assignsubmission_file")

    def test_of_a_column_that_is_there_twice_no_cell_is_lost(self):
        """The second column, which was empty, stood over the first one."""
        self.give("jane@x.org/coalescing.cu", work())
        sheet = 'Identifier,Full name,Email address,"Email address ",Grade,Maximum Grade\nParticipant 111,Jane Doe,{},{},,34\n'
        for first, second in (("jane@x.org", ""), ("", "jane@x.org"), ("jane@x.org", "jane@x.org")):
            class_ = self.with_rosters(sheet=sheet.format(first, second))
            self.assertEqual((self.names(class_), len(class_.hand_ins)), (["Jane Doe"], 1))
        self.assertIn("sheet.csv, line 2: the column 'email address' is there twice, with jane@x.org and jd@x.org", self.refusal(sheet=sheet.format("jane@x.org", "jd@x.org")))

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
        self.assertEqual([hand_in.others for hand_in in class_.hand_ins], [[]] * 4)

    def test_a_clone_whose_name_may_end_with_two_users_of_the_roster_is_given_to_none_of_them_and_this_is_said(self):
        """Clones of the assignment hw-1 went to the user 1-li, whose clone then counted for nothing."""
        roster_ = "identifier,github_username,github_id,name\ns1,li,1,Li\ns2,1-li,2,One\ns3,wei-li,3,Wei\n"

        def clones(folder: str, *names: str) -> dict[str, str]:
            shutil.rmtree(self.given)
            for name in names:
                self.give(f"{folder}/{name}/.git/HEAD", "x")
                self.give(f"{folder}/{name}/coalescing.cu", work(mark=name))
            self.class_ = self.with_rosters(github=roster_, **self.more)
            return {hand_in.shown.split("/")[1]: hand_in.person.name for hand_in in self.class_.hand_ins}

        self.more: dict[str, str] = {}
        self.assertEqual(clones("hw-1-submissions", "hw-1-li", "hw-1-1-li", "hw-1-wei-li"), {"hw-1-li": "Li", "hw-1-1-li": "One", "hw-1-wei-li": "Wei"})
        self.assertEqual(clones("hw-1-submissions", "hw-1-li"), {"hw-1-li": "Li"})
        self.assertEqual(self.class_.asks, [])
        self.assertEqual(clones("clones", "hw-1-li", "hw-1-wei-li"), {"hw-1-li": "hw-1-li", "hw-1-wei-li": "Wei"})
        self.assertEqual(self.class_.asks[:-1], ["clones/hw-1-li may be the clone of 1-li or of li, who are on the roster, and was given to none of them. A roster's row with "
                                                 "its path says whose it is."])
        self.assertIn("On no roster: hw-1-li (clones/hw-1-li). On a roster, with nothing handed in: Li, One.", self.class_.asks[-1])
        self.assertIn("hw-1-li is on no roster: clones/hw-1-li.", self.class_.notes)
        self.more = {"own": "path,github\nclones/hw-1-li,1-li\n"}
        self.assertEqual(clones("clones", "hw-1-li", "hw-1-wei-li"), {"hw-1-li": "One", "hw-1-wei-li": "Wei"})
        self.assertEqual(self.class_.asks, [])

    def test_a_number_that_github_appended_to_a_repositorys_name_is_no_part_of_the_users(self):
        """lab-01-kay-1 was a stranger's, and kay had handed in nothing."""
        roster_ = "identifier,github_username,github_id,name\nk@x.org,kay,1,\na@x.org,ada,2,\nl@x.org,lou-2,3,\n"
        table = "github_username,student_repository_name,submission_timestamp\n{},{},2027-01-31T20:00:00Z\n"

        def clones(*names: str, folder: str = "lab-01-submissions", grades: str = "", github: str = roster_) -> dict[str, str]:
            shutil.rmtree(self.given)
            for name in names:
                self.give(f"{folder}/{name}/.git/HEAD", "x")
                self.give(f"{folder}/{name}/coalescing.cu", work(mark=name))
            times = [self.write("grades.csv", grades)] if grades else []
            self.class_ = self.take_in(rosters=[self.roster("github.csv", github)] if github else [], times=times)
            return {shown.split("/")[1]: hand_in.person.keys["github"] for hand_in in self.class_.hand_ins for shown in (hand_in.shown, *hand_in.others)}

        for folder in ("lab-01-submissions", "clones"):
            self.assertEqual(clones("lab-01-kay-1", "lab-01-ada", folder=folder, grades=table.format("kay", "org/lab-01-kay-1")), {"lab-01-kay-1": "kay", "lab-01-ada": "ada"})
            self.assertEqual([note for note in self.class_.notes if "GitHub appends" in note], [])
            self.assertIsNotNone(next(each for each in self.class_.hand_ins if each.person.keys["github"] == "kay").submitted)
            self.assertEqual(clones("lab-01-kay-1", "lab-01-ada", folder=folder), {"lab-01-kay-1": "kay", "lab-01-ada": "ada"})
            self.assertIn(f"{folder}/lab-01-kay-1 is kay's clone here: GitHub appends a number", " ".join(self.class_.notes))
            self.assertEqual(clones("lab-01-kay", "lab-01-kay-1", "lab-01-lou-2", folder=folder, github=""),
                             {"lab-01-kay": "kay", "lab-01-kay-1": "kay", "lab-01-lou-2": "lou-2"})
            self.assertIn("counts for now", self.class_.asks[0])
            self.assertEqual(clones("lab-01-lou-2", "lab-01-lou", folder=folder)["lab-01-lou-2"], "lou-2")  # a user of this name is on the roster
            self.assertEqual(clones("lab-01-kay-1", folder=folder), {"lab-01-kay-1": "kay"})  # alone
        self.assertEqual(clones("lab-01-kay-1", "lab-01-ada", grades=table.format("ada", "lab-01-kay-1")), {"lab-01-kay-1": "ada", "lab-01-ada": "ada"})

    def grades(self, *rows: tuple[str, str, str], name: str = "grades.csv", lab: str = "Lab 01") -> pathlib.Path:
        """GitHub Classroom's grades: a login, the roster's identifier and a repository in each row."""
        head = "assignment_name,github_username,roster_identifier,student_repository_name,student_repository_url,submission_timestamp\n"
        return self.write(name, head + "".join(f"{lab},{login},{identifier},{repository},https://github.com/c/{repository},2027-01-31T20:00:00Z\n" for login, identifier, repository in rows))

    def clones(self, *names: str) -> None:
        for name in names:
            self.give(f"lab-{name[4:6]}-submissions/{name}/.git/HEAD", "x")
            self.give(f"lab-{name[4:6]}-submissions/{name}/{'coalescing' if name[4:6] == '01' else 'nbody'}.cu", test_intake.begun(name[4:6], mark=name))

    @staticmethod
    def whose(class_) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for hand_in in class_.hand_ins:
            found.setdefault(hand_in.shown.split("/")[1], []).append(hand_in.person.name)
        return {name: sorted(people) for name, people in sorted(found.items())}

    def test_the_identifier_in_github_classrooms_grades_says_whose_a_repository_is(self):
        """Who had another login, or none on the roster, had handed in nothing."""
        self.clones("lab-01-oldname", "lab-01-rb-x", "lab-01-rc", "lab-01-rd", "lab-03-newname", "lab-03-rb-x", "lab-03-re")
        times = [self.grades(("oldname", "ra@x.org", "lab-01-oldname"), ("rb-x", "RB@x.org", "lab-01-rb-x"), ("rc", "s3", "lab-01-rc"), ("rd", "", "lab-01-rd"))]
        classroom = "identifier,github_username,github_id,name\nra@x.org,newname,1,Ra\nrb@x.org,,,Rb\ns3,{},,Rc\nrd@x.org,rd,4,Rd\nre@x.org,re,5,Re\n"
        expected = {"lab-01-oldname": ["Ra"], "lab-01-rb-x": ["Rb"], "lab-01-rc": ["Rc"], "lab-01-rd": ["Rd"], "lab-03-newname": ["Ra"], "lab-03-rb-x": ["Rb"], "lab-03-re": ["Re"]}
        for login, more in (("", ""), ("rc", ""), ("", "name,sid\nRc,s3\n")):
            rosters = [self.roster("classroom.csv", classroom.format(login)), *([self.roster("own.csv", more)] if more else [])]
            class_ = self.take_in(rosters=rosters, times=times)
            self.assertEqual((self.whose(class_), class_.on_no_roster, class_.on_rosters_alone, class_.asks, class_.submitted), (expected, set(), set(), [], []))
            self.assertEqual(class_.notes, ["lab-01-submissions/lab-01-oldname is that of classroom.csv, line 2 (Ra) by the roster_identifier in GitHub Classroom's grades; the "
                                            "roster's github_username says otherwise."])
        moodle = "First name,Last name,ID number,Email address\nRa,One,,ra@x.org\nRb,Two,,rb@x.org\nRc,Three,s3,rc@x.org\nRd,Four,,rd@x.org\n"
        class_ = self.take_in(rosters=[self.roster("participants.csv", moodle)], times=times)  # where no roster has a login
        self.assertEqual([name for name, whose in self.whose(class_).items() if whose[0] in ("Ra One", "Rb Two", "Rc Three")], ["lab-01-oldname", "lab-01-rb-x", "lab-01-rc", "lab-03-rb-x"])

    def test_a_login_that_is_another_ones_on_the_roster_is_no_word_against_the_identifier(self):
        self.clones("lab-01-rb", "lab-01-ra")
        classroom = self.roster("classroom.csv", "identifier,github_username,name\nra@x.org,ra,Ra\nrb@x.org,rb,Rb\n")
        class_ = self.take_in(rosters=[classroom], times=[self.grades(("rb", "ra@x.org", "lab-01-rb"), ("ra", "rb@x.org", "lab-01-ra"))])
        self.assertEqual((self.whose(class_), class_.asks, len(class_.notes)), ({"lab-01-ra": ["Rb"], "lab-01-rb": ["Ra"]}, [], 2))

    def test_whom_the_grades_name_has_handed_in_something_whatever_is_here(self):
        classroom = self.roster("classroom.csv", "identifier,github_username,name\nra@x.org,ra,Ra\nrb@x.org,,Rb\n")
        times = [self.grades(("ra", "ra@x.org", "lab-01-ra"), ("x", "rb@x.org", "lab-01-x"))]
        self.clones("lab-01-ra")
        class_ = self.take_in(rosters=[classroom], times=times)
        self.assertEqual(([(person.name, lab) for _, _, person, lab in class_.submitted], class_.asks), ([("Rb", "01-coalescing")], []))
        self.clones("lab-01-x")
        times = [self.grades(("x", "s9", "lab-01-x"))]
        two = "name,sid,email\nRa,s9,ra@x.org\n", "name,login,email\nRb,s9,rb@x.org\n"
        class_ = self.take_in(rosters=[self.roster(f"{number}.csv", text) for number, text in enumerate(two)], times=times)
        self.assertIn("x (lab-01-submissions/lab-01-x) has keys of 0.csv, line 2 (Ra) and 1.csv, line 2 (Rb), and was given to neither.", class_.asks)

    def test_a_teams_repository_is_that_of_each_member(self):
        """The members had handed in nothing, and the team was on no roster."""
        self.clones("lab-01-team-rocket", "lab-01-the-warps", "lab-03-ann")
        classroom = self.roster("classroom.csv", "identifier,github_username,name\nann@x.org,ann,Ann\nbob@x.org,,Bob\ncid@x.org,cid,Cid\ndot@x.org,dot,Dot\n")
        rows = [("ann", "ann@x.org", "lab-01-team-rocket"), ("bob", "bob@x.org", "lab-01-team-rocket"), ("ann-2", "ann@x.org", "lab-01-team-rocket"),
                ("cid", "", "lab-01-the-warps"), ("eve", "eve@x.org", "lab-01-the-warps"), ("dot", "dot@x.org", "lab-01-gone"), ("bob", "bob@x.org", "lab-01-gone")]
        times = [self.grades(*rows)]
        class_ = self.take_in(rosters=[classroom], times=times)
        self.assertEqual((self.whose(class_), class_.on_no_roster), ({"lab-01-team-rocket": ["Ann", "Bob"], "lab-01-the-warps": ["Cid", "eve"], "lab-03-ann": ["Ann"]}, {"eve"}))
        self.assertEqual([ask.partition(". Where")[0] for ask in class_.asks], ["On no roster: eve (lab-01-submissions/lab-01-the-warps). On a roster, with nothing handed in: Dot"])
        self.assertEqual({str(hand_in.submitted) for hand_in in class_.hand_ins if hand_in.lab.number == "01"}, {"2027-01-31 20:00:00+00:00"})
        self.assertEqual([(person.name, lab) for _, _, person, lab in class_.submitted], [("Dot", "01-coalescing"), ("Bob", "01-coalescing")])
        own = self.roster("own.csv", "path,github\nlab-01-submissions/lab-01-team-rocket,ann\n")  # of one member: the others are not forgotten
        class_ = self.take_in(rosters=[classroom, own], times=[self.grades(*rows[:2])])
        self.assertEqual(([person.name for _, _, person, _ in class_.submitted], self.whose(class_)["lab-01-team-rocket"]), (["Bob"], ["Ann"]))
        own = self.roster("own.csv", "path,github,lab\nlab-01-submissions/lab-01-team-rocket,,-\n")
        self.assertEqual(self.take_in(rosters=[classroom, own], times=[self.grades(*rows[:2])]).submitted, [])

    def test_github_does_not_tell_upper_from_lower_case(self):
        """The time of lab-01-Ada was that of no repository, and nothing was taken off."""
        rows = "".join(f"{name},lab-01-{name},2027-01-31T20:00:00Z\n" for name in ("ada", "Bo", "cy"))
        times = self.write("grades.csv", f"github_username,student_repository_name,submission_timestamp\n{rows}")
        for folder, begin in (("lab-01-submissions", "Lab-01-"), ("clones", "lab-01-")):
            shutil.rmtree(self.given)
            for name in (f"{begin}Ada", "lab-01-Bo", "LAB-01-cy"):
                self.give(f"{folder}/{name}/.git/HEAD", "x")
                self.give(f"{folder}/{name}/coalescing.cu", work(mark=name))
            roster_ = self.roster("github.csv", "identifier,github_username\na@x.org,ada\nb@x.org,bo\nc@x.org,Cy\n")
            class_ = self.take_in(rosters=[roster_], times=[times])
            self.assertEqual(sorted((hand_in.person.keys["email"], hand_in.submitted is not None) for hand_in in class_.hand_ins),
                             [("a@x.org", True), ("b@x.org", True), ("c@x.org", True)])

    def test_a_file_of_canvas_with_a_short_number_is_known_by_the_users_of_a_roster(self):
        """A young Canvas numbers its files from 1."""
        names = ("doejane_5_41_coalescing.cu", "müllerzoë_LATE_16_7_coalescing-1.cu", "ann_3_99_coalescing.cu", "leeann_99_501_student_5_42_coalescing.cu")
        for name in names:
            self.give(name, work(mark=name))
        young = CANVAS.replace("12345", "5").replace("12346", "16")
        for rosters in ({"canvas": young}, {"own": "name,canvas_id\nJane Doe,5\nZoë Müller,16\n"}):
            class_ = self.with_rosters(**rosters)
            found = {hand_in.shown: (hand_in.person.keys.get("canvas_id"), hand_in.late) for hand_in in class_.hand_ins}
            self.assertEqual(found, dict(zip(names, (("5", False), ("16", True), (None, False), ("99", False)))))
            self.assertEqual(self.one(class_, "Jane Doe").keys["canvas_id"], "5")
        self.assertEqual({person.keys.get("canvas_id") for person in self.take_in().people}, {None, "99"})

    def test_what_is_called_as_another_one_inside_of_a_persons_folder_stays_the_persons_and_this_is_said(self):
        sheet = WORKSHEET.replace("Wei Wang", "Jane Doe", 1).replace("Wei Wang", "Bo Li")
        theirs = "Bo Li_222_assignsubmission_file"
        for inside, files in ((f"work.zip/{theirs}", {f"{theirs}/coalescing.cu": work()}), (f"{theirs}.zip", {"coalescing.cu": work()}), ("Bo Li.zip", {"x/main.cu": work()}),
                              ("B@x.org.zip", {"main.cu": work()})):
            for archive in ("", "CUDA-Lab 1-4711.zip"):
                shutil.rmtree(self.given)
                jane = {f"Jane Doe_111_assignsubmission_file/{inside.partition('/')[0]}": zipped(files), f"{theirs}/coalescing.cu": work(mark="his own")}
                for path, data in ({archive: zipped(jane)} if archive else jane).items():
                    self.give(path, data)
                class_ = self.with_rosters(sheet=sheet)
                self.assertEqual({hand_in.person.name: (f"/{inside}/" in hand_in.shown, hand_in.others) for hand_in in class_.hand_ins},
                                 {"Jane Doe": (True, []), "Bo Li": (False, [])})
                self.assertEqual([note.partition("assignsubmission_file/")[2] for note in class_.notes if " stays " in note],
                                 [f"{inside} names Bo Li, and stays Jane Doe's, in whose folder or archive it lies."])

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
            self.assertEqual(hand_in.others, [])
        self.assertTrue(any("Several people are called Jane Doe" in note for note in class_.notes))

    def test_a_hand_in_with_keys_of_two_rows_is_given_to_neither_and_this_is_said(self):
        self.give("assignment_1_export/submission_metadata.yml",
                  "submission_1:\n  :submitters:\n  - :name: Jane Doe\n    :sid: s9\n    :email: jane@x.org\n")
        self.give("assignment_1_export/submission_1/coalescing.cu", work())
        class_ = self.with_rosters(participants=PARTICIPANTS)
        [hand_in] = [hand_in for hand_in in class_.hand_ins if hand_in.lab.number == "01"]
        self.assertEqual(hand_in.person.keys, {})
        [note] = [ask for ask in class_.asks if "was given to neither" in ask]
        self.assertIn("participants.csv, line 3 (Jane Doe)", note)
        self.assertIn("participants.csv, line 2 (Zoë Müller)", note)

    def test_what_is_one_rows_name_and_another_ones_key_is_given_to_neither_and_this_is_said(self):
        """It was given to whose login it is, and whose name it is had handed in nothing."""
        own = "name,sid,login\nSam,302,sam2\nSam Ng,303,sam\nSam Lee,1,lee\nLee,200,ll\nBo,100,bo\nCy,5,100\nDi,6,di\n"
        for folder in ("lee", "Sam", "100", "di"):
            self.give(f"{folder}/coalescing.cu", work(mark=folder))
        class_ = self.with_rosters(own=own)
        self.assertEqual({hand_in.shown: hand_in.person.keys for hand_in in class_.hand_ins if hand_in.person.name != "Di"},
                         {f"{folder}/coalescing.cu": {} for folder in ("lee", "Sam", "100")})
        self.assertEqual(sum("was given to neither" in ask for ask in class_.asks), 3)
        made = Returned.graded(self, class_)
        asks = " ".join(returned.tell_open(made))
        self.assertIn("which of Sam and Sam Ng handed in Sam/coalescing.cu is not known", asks)
        self.assertEqual({mark.person.name for mark in made.marks if mark.is_held}, {"Sam", "Sam Ng", "Sam Lee", "Lee", "Bo", "Cy"})

    def test_a_name_and_a_key_of_one_person_in_two_lists_are_no_two_people(self):
        self.give("Sam/coalescing.cu", work())
        class_ = self.with_rosters(one="name,login\nSam,sam\n", two="name,sid\nSam,302\n")
        self.assertEqual((class_.hand_ins[0].person.keys, class_.asks), ({"login": "sam", "sid": "302"}, []))

    def test_a_folder_that_is_called_by_a_number_is_whose_number_it_is_but_for_zeros_in_front(self):
        self.give("0011/coalescing.cu", work())
        self.give("1001/coalescing.cu", work(mark="ada"))
        own = "name,sid\nAda,1001\nBob,11\n"
        class_ = self.with_rosters(own=own)
        self.assertEqual((self.names(class_), class_.asks, class_.on_no_roster), (["Ada", "Bob"], [], set()))
        [note] = class_.notes
        self.assertIn("0011/coalescing.cu is own.csv, line 3 (Bob)'s by the student's number, which is written 0011 and 11.", note)
        self.give("11/coalescing.cu", work(mark="eleven"))
        self.assertEqual(self.names(self.with_rosters(own=own)), ["0011", "Ada", "Bob"])
        self.assertEqual(self.names(self.with_rosters(own=own + "Cy,011\n")), ["0011", "Ada", "Bob", "Cy"])

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


class Blackboard(Rostered):
    """A login may have underscores, and so may an assignment's name."""

    OWN = "name,login\nAl Ice,al_ice\nIna Ice,ice\n"

    def file(self, stem: str, day: int = 20, said: str | None = None) -> None:
        name = f"{stem}_attempt_2026-11-{day}-10-00-00"
        self.give(f"{name}_coalescing.cu", work(mark=stem))
        if said is not None:
            self.give(f"{name}.txt", f"Name: {said}\nAssignment: Lab 01\n")

    def whose(self, *stems: str, own: str = OWN, **said: str) -> dict[str, str]:
        shutil.rmtree(self.given)
        for stem in stems:
            self.file(stem, said=said.get(stem.replace(" ", "")))
        self.class_ = self.with_rosters(own=own) if own else self.take_in()
        return {hand_in.shown.partition("_attempt")[0]: hand_in.person.keys.get("login", "?") for hand_in in self.class_.hand_ins}

    def test_a_login_with_underscores_is_whose_it_is(self):
        """It was given to the person whose login is the part after the last underscore."""
        self.assertEqual(self.whose("Lab 01_al_ice"), {"Lab 01_al_ice": "al_ice"})
        self.assertEqual(self.whose("Lab 01_al_ice", "Lab 01_ice"), {"Lab 01_al_ice": "al_ice", "Lab 01_ice": "ice"})
        self.assertEqual(self.whose("Lab 01_al_ice", "Lab 01_ice", own=""), {"Lab 01_al_ice": "al_ice", "Lab 01_ice": "ice"})
        self.assertEqual(self.whose("CUDA_Lab_01_al_ice", "CUDA_Lab_01_ice"), {"CUDA_Lab_01_al_ice": "al_ice", "CUDA_Lab_01_ice": "ice"})
        self.assertEqual(self.whose("Lab 01_al_ice", "Lab 01_ice", own="name,login\nIna Ice,ice\n"), {"Lab 01_al_ice": "al_ice", "Lab 01_ice": "ice"})
        self.assertTrue(self.class_.on_no_roster)

    def test_the_exports_own_text_says_it(self):
        self.assertEqual(self.whose("Lab 01_al_ice", own="name,login\nIna Ice,ice\n", Lab01_al_ice="Al Ice (al_ice)"), {"Lab 01_al_ice": "al_ice"})
        self.assertEqual(self.whose("Lab 01_al_ice", Lab01_al_ice="Ina (Ice) Ice (ice)"), {"Lab 01_al_ice": "ice"})
        self.assertEqual([seen.kind for seen in self.class_.others], ["aside"])  # no one has to look at it
        self.give("mallory.zip", zipped({"a/Lab 01_al_ice_attempt_2026-11-20-10-00-00.txt": "Name: Mallory (al_ice)\n"}))
        self.assertEqual(self.with_rosters(own=self.OWN).hand_ins[0].person.name, "Ina Ice")

    def test_what_two_logins_may_end_is_given_to_neither_and_asked_about(self):
        for own in ("name,login\nIna Ice,ice\n", ""):
            self.assertEqual(self.whose("Lab 01_al_ice", own=own), {"Lab 01_al_ice": "?"})
            self.assertIn("al_ice and ice may all be the login in Lab 01_al_ice_attempt", " ".join(self.class_.asks))
        class_ = self.with_rosters(own="name,login\nIna Ice,ice\n")
        made = Returned.graded(self, class_)
        returned.tell_open(made)
        self.assertEqual([mark.person.name for mark in made.marks if mark.is_held], ["Ina Ice"])

    def test_what_a_student_calls_a_file_names_no_one_else(self):
        self.give("Lab 01_bob_attempt_2026-11-20-10-00-00_x_ice_attempt_2026-11-20-10-00-00_coalescing.cu", work())
        class_ = self.with_rosters(own=self.OWN + "Bob,bob\n")
        self.assertEqual([hand_in.person.name for hand_in in class_.hand_ins], ["Bob"])


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

    def test_an_empty_folder_in_a_section_is_its_own_persons(self):
        for section, who in (("section-A", "alice"), ("section-A", "ann"), ("section-B", "bob"), ("section-B", "ben")):
            self.give(f"{section}/{who}/coalescing.cu", work(mark=who))
        (self.given / "section-A/eve").mkdir()
        class_ = self.take_in()
        self.assertEqual((self.names(class_), {*class_.seen_of}), (["alice", "ann", "ben", "bob", "eve"], {"eve"}))

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

    def test_a_name_comes_before_what_else_a_teacher_chose_for_one(self):
        """Who is "jdoe" in GitHub Classroom was called so, though Canvas has the name; and a worksheet without names had numbers."""
        github = '"identifier","github_username","github_id","name"\n"jdoe","octojane","1",""\n'
        class_ = self.with_rosters(github=github, canvas=CANVAS, own="name,github,canvas_id\nJane Doe,octojane,12345\n")
        self.assertEqual(self.names(class_), ["Jane Doe", "Zoë Müller"])
        self.give("Participant 701_701_assignsubmission_file/coalescing.cu", work())
        sheet = "Identifier,Status,Grade,Maximum Grade,Last modified (grade)\nParticipant 701,,,34,-\nParticipant 704,,,34,-\n"
        self.assertEqual(self.names(self.with_rosters(sheet=sheet)), ["Participant 701", "Participant 704"])

    def test_a_clone_of_one_lab_is_no_reason_for_another(self):
        for who in ("jane", "zmu"):
            self.give(f"lab-01-submissions/lab-01-{who}/.git/HEAD", "x")
            self.give(f"lab-01-submissions/lab-01-{who}/notes.pdf", "%PDF")
        self.give("lab-03-submissions/lab-03-jane/nbody.cu", work("03"))
        self.give("lab-03-submissions/lab-03-jane/.git/HEAD", "x")
        class_ = self.take_in()
        [zmu] = [person for person in class_.people if person.name == "zmu"]
        self.assertIn("lab-01-zmu/notes.pdf", class_.why_missing(zmu, LABS[0]))
        self.assertEqual(class_.why_missing(zmu, LABS[2]), "No file was handed in.")

    def test_who_is_on_no_roster_is_named(self):
        self.give("Jane Doe/coalescing.cu", work())
        self.give("Bo Li_3_assignsubmission_file/coalescing.cu", work(mark="bo"))
        self.give("box/coalescing.cu", work(mark="box"))
        own = "path,name\nbox,Ann Lee\n"
        for rosters, unlisted in (({}, []), ({"own": own}, []), ({"participants": PARTICIPANTS, "own": own}, ["Bo Li"]), ({"participants": PARTICIPANTS}, ["Bo Li", "box"])):
            class_ = self.with_rosters(**rosters)
            self.assertEqual([person.name for person in class_.people if person.id in class_.on_no_roster], unlisted)
            self.assertEqual([note.split(" is on no")[0] for note in class_.notes if "on no roster" in note], unlisted)
        self.assertIn("Bo Li is on no roster: Bo Li_3_assignsubmission_file.", class_.notes)

    def test_a_folder_that_is_called_by_a_key_may_lie_in_another_one_of_the_instructors(self):
        """The only student whom the rosters' paths do not name was called as the folder of all of them."""
        def names() -> list[str]:
            return sorted({hand_in.person.name for hand_in in class_.hand_ins})

        self.give("flat/zack/coalescing.cu", work())
        class_ = self.with_rosters(own="name,login\nZack Zed,zack\n")
        self.assertEqual(names(), ["Zack Zed"])
        for who in ("ann", "bo"):
            self.give(f"flat/{who}/final version.cu", work(mark=who))
        class_ = self.with_rosters(own="path,name,lab\nflat/ann,Ann,01\nflat/bo,Bo,01\n,Cy,\n")
        self.assertEqual(names(), ["Ann", "Bo", "zack"])
        self.assertIn("zack is on no roster: flat/zack/coalescing.cu.", class_.notes)
        shutil.rmtree(self.given)
        for path in ("zack/coalescing.cu", "work/zack/coalescing.cu"):
            self.give("mallory.zip", zipped({path: work()}))
            class_ = self.with_rosters(own="name,login\nZack Zed,zack\n")
            self.assertEqual(names(), ["mallory"])
        (self.given / "mallory.zip").unlink()
        for path in ("mallory/zack/coalescing (9).cu", "zack/coalescing.cu"):  # beside others' folders it is a student's word
            self.give(path, work(mark=path))
        class_ = self.with_rosters(own="name,login\nZack Zed,zack\n")
        self.assertEqual({hand_in.person.name: hand_in.shown for hand_in in class_.hand_ins}, {"Zack Zed": "zack/coalescing.cu", "mallory": "mallory/zack/coalescing (9).cu"})

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

    def test_grades_that_moodle_would_leave_out_because_they_cannot_be_changed_are_named(self):
        """mod/assign/feedback/offline/locallib.php, process_import_grades(): grading_disabled()."""
        self.give("Wei Wang_111_assignsubmission_file/coalescing.cu", test_intake.begun())
        sheet = WORKSHEET.replace("34.00,Yes", "60,No", 1).replace("34.00", "60")
        _, said, _ = self.filled(self.with_rosters(worksheet=sheet), "worksheet")
        self.assertEqual(said, ["Moodle leaves out the grades of Wei Wang from worksheet.csv: it says that they cannot be changed there, as where they are locked in the gradebook."])

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
        self.assertEqual(list(rows[0]), CANVAS.splitlines()[0].split(","))  # an import of another column would make an assignment of it
        self.assertEqual(returned.without(made, made.class_.rosters[0]), "; it has no assignment whose title names lab 03")
        self.assertEqual((rows[0]["Student"], rows[0]["Lab 01: coalescing (4711)"]), ("    Points Possible", "34.00"))
        marks = {(mark.person.keys["canvas_id"], mark.lab.number): mark.points for mark in made.marks}
        for row in rows[1:3]:
            self.assertEqual(float(row["Lab 01: coalescing (4711)"]), marks[row["ID"], "01"])
        self.assertEqual((rows[3]["Student"], rows[3]["Lab 01: coalescing (4711)"]), ("Student, Test", ""))
        self.assertEqual(rows[0]["Current Score"], "(read only)")

    def test_a_row_of_a_gradebook_without_a_number_that_can_be_read_is_not_lost(self):
        """It was dropped without a word, and came back with the mark of an earlier file."""
        self.give("doejane_12345_1001_coalescing.cu", work())
        self.give("müllerzoë_12346_1002_coalescing.cu", work(mark="zoë"))
        for number in ("", "1,00001E+13", "1.00001E+13", "1E+13", "#REF!"):
            class_ = self.with_rosters(canvas=CANVAS.replace("12346", f'"{number}"'), people=PARTICIPANTS)
            self.assertEqual(self.one(class_, "Zoë Müller").keys, {"sid": "s9", "login": "zmueller", "email": "zoe@x.org"})
            made = self.graded(class_)
            [ask] = returned.tell_open(made)
            self.assertIn(f"canvas.csv has no number that can be read in line 4 (Zoë Müller: {number or 'empty'}), as where Excel has shortened it", ask)
            self.assertIn("No import has points for Zoë Müller, because müllerzoë_12346_1002_coalescing.cu may be theirs.", ask)
            text, _ = returned.filled(made, class_.rosters[0])
            self.assertEqual([row["Lab 01: coalescing (4711)"] != "" for row in self.table(text)], [True, True, False, False], "no mark of an earlier file")
            self.assertEqual([outputs.grade(mark) for mark in made.marks if mark.person.name == "Zoë Müller"], [""])
        class_ = self.with_rosters(canvas=CANVAS.replace('"Müller, Zoë",12346,s9,zmueller', ',"1,00001E+13",,'))
        made = self.graded(class_)
        self.assertIn("in line 4 (no name: 1,00001E+13)", returned.tell_open(made)[0])
        self.assertEqual([row["Lab 01: coalescing (4711)"] != "" for row in self.table(returned.filled(made, class_.rosters[0])[0])], [True, True, False, False])
        whole = CANVAS.replace("12346", "12346.0").replace("12345", '"12345,00"')  # as other programs write numbers
        self.assertEqual([row.keys["canvas_id"] for row in roster.read(self.roster("c.csv", whole)).rows.values()], ["12345", "12346"])
        shutil.rmtree(self.given)
        self.give("Zoë Müller/coalescing.cu", work())
        class_ = self.with_rosters(canvas=CANVAS.replace("12346", ""))
        made = self.graded(class_)
        self.assertNotIn("No import", returned.tell_open(made)[0])
        self.assertEqual([row["Lab 01: coalescing (4711)"] for row in self.table(returned.filled(made, class_.rosters[0])[0])], ["34.00", "0", str(outputs.grade(made.marks[-1])), ""])

    def test_numbers_that_excel_has_shortened_in_all_rows_are_refused_with_what_to_do(self):
        said = self.refusal(canvas=CANVAS.replace("12345", '"1,00001E+13"').replace("12346", '"1,00001E+13"').replace(",99,", ',"1,00001E+13",'))
        self.assertIn("has numbers such as 1,00001E+13 in all rows: Excel has shortened them", said)
        class_ = self.with_rosters(gradescope=GRADESCOPE_ROSTER.replace("s5", "1.2E+11"), own="name,sid\nA,7\nB,1.2E+11\n")
        self.assertEqual([person.keys.get("sid") for person in class_.people if person.name in ("Jane Doe", "A", "B")], ["7", None, None])
        asks = returned.tell_open(self.graded(class_))
        self.assertEqual([ask.partition(" (")[0] for ask in asks], ["gradescope.csv has no number that can be read in line 2", "own.csv has no number that can be read in line 3"])

    def test_what_is_possible_there_and_here_is_told_apart(self):
        self.give("doejane_12345_1001_coalescing.cu", work())
        for possible, said in (("34.00", ["canvas.csv has 34.00 as its Points Possible, and 01-coalescing has 60: make the assignment's maximum 60, or give the lab "
                                          "34.00 points in course.json."]), ("60", []), ("60.00", []), ("", [])):
            self.assertEqual(self.filled(self.with_rosters(canvas=CANVAS.replace("34.00", possible)), "canvas")[1], said)

    def test_who_is_excused_there_or_not_assigned_stays_so(self):
        self.give("doejane_12345_1001_coalescing.cu", work())
        rows, _, _ = self.filled(self.with_rosters(canvas=CANVAS.replace("CS 1,,", "CS 1,EX,").replace("CS 1,3.00,", "CS 1,N/A,")), "canvas")
        self.assertEqual([row["Lab 01: coalescing (4711)"] for row in rows], ["34.00", "EX", "N/A", "EX"])
        rows, said, _ = self.filled(self.with_rosters(canvas=CANVAS.replace("CS 1,,", "CS 1,N/A,")), "canvas")
        self.assertEqual(rows[1]["Lab 01: coalescing (4711)"], "N/A")
        self.assertIn("canvas.csv has N/A for Jane Doe in lab 01, and that stays in this file: the points of doejane_12345_1001_coalescing.cu are not in it.", said)

    def test_two_columns_that_may_be_a_labs_are_not_guessed_between(self):
        self.give("doejane_12345_1001_coalescing.cu", work())
        text = CANVAS.replace("Assignments Current Score", "Lab 1 resubmission (5)").replace("34.00,(read only)", "34.00,10.00")
        rows, said, _ = self.filled(self.with_rosters(canvas=text.replace("CS 1,3.00,,", "CS 1,3.00,EX,")), "canvas")
        self.assertEqual([row["Lab 01: coalescing (4711)"] for row in rows], ["34.00", "", "3.00", ""])
        self.assertEqual([row["Lab 1 resubmission (5)"] for row in rows], ["10.00", "", "EX", ""])
        self.assertIn("several columns", said[0])
        class_ = self.with_rosters(canvas=text.replace("CS 1,3.00,,", "CS 1,3.00,EX,"))
        made = self.graded(class_)
        for mark in made.marks:
            mark.hold("Not decided.")
        rows = self.table(returned.filled(made, class_.rosters[0])[0])
        self.assertEqual([(row["Lab 01: coalescing (4711)"], row["Lab 1 resubmission (5)"]) for row in rows], [("34.00", "10.00"), ("", ""), ("", "EX"), ("", "")])

    def test_columns_that_take_no_points_are_no_assignments_whatever_they_are_called(self):
        """lib/gradebook_exporter.rb: custom columns between Section and the assignments, and totals of groups and grading periods after them."""
        self.give("doejane_12345_1001_coalescing.cu", work())
        full = CANVAS.replace("34.00", "60.00")  # as the labs here have
        for title in ("Lab 01 Current Score", "Lab 01 Unposted Final Score (2026)", "Lab 01: coalescing (4712)", "coalescing"):
            for possible in ("(read only)", "(schreibgeschützt)"):
                text = full.replace("Assignments Current Score", title).replace("(read only)", possible).replace("CS 1,3.00,", "CS 1,EX,")
                rows, said, _ = self.filled(self.with_rosters(canvas=text), "canvas")
                self.assertEqual(([row["Lab 01: coalescing (4711)"] for row in rows], said), (["60.00", "1.5", "EX", ""], []), title)
                self.assertEqual([row[title] for row in rows], [possible, "", "", ""])
                self.assertEqual(list(rows[0])[-1], "Final Score")
        rows, said, _ = self.filled(self.with_rosters(canvas=full.replace("Assignments Current Score", "Lab 01 Final Points (2026)").replace("(read only)", "")),
                                    "canvas")
        self.assertEqual((rows[1]["Lab 01: coalescing (4711)"], said), ("1.5", []))

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

    def test_a_system_whose_list_was_given_gets_that_alone(self):
        """An import of another file would write over what the list keeps, such as who is excused."""
        self.give("Jane Doe_111_assignsubmission_file/coalescing.cu", work())
        self.give("Bo Li_112_assignsubmission_file/work.rar", "Rar!")
        self.give("doejane_12345_1001_nbody.cu", work("03"))
        imports = {"moodle.csv", "moodle-01.csv", "moodle-03.csv", "canvas.csv"}
        sheet = WORKSHEET.replace("Wei Wang", "Jane Doe", 1)
        no_lab_3 = {"moodle-03.csv"}  # its hand-ins are not from Moodle, where another assignment has other numbers
        for rosters, gone in (({}, {"moodle.csv"}), ({"github": GITHUB}, set()), ({"canvas": CANVAS}, {"canvas.csv"}), ({"participants": PARTICIPANTS}, {"moodle.csv"}),
                              ({"worksheet": sheet, "canvas": CANVAS}, {"moodle.csv", "moodle-01.csv", "canvas.csv"})):
            outputs.write_all(self.graded(self.with_rosters(**rosters)), self.folder / "out")
            self.assertEqual({name for name in imports if (self.folder / "out" / name).exists()}, imports - gone - no_lab_3, rosters)
            self.assertEqual([path.name for path in (self.folder / "out").glob("moodle-f*")], ["moodle-feedback-01.zip"])
        outputs.write_all(self.graded(self.take_in()), self.folder / "out")
        rows = list(csv.DictReader(io.StringIO((self.folder / "out/moodle-01.csv").read_text(encoding="utf-8"))))
        self.assertEqual([(row["Identifier"], row["Grade"]) for row in rows], [("Participant 112", "0"), ("Participant 111", "3.5")])
        self.assertIn("unpack it", rows[0]["Feedback comments"])

    def test_without_a_username_or_email_there_is_no_file_for_moodles_gradebook_and_this_is_said_once(self):
        self.give("Jane Doe_111_assignsubmission_file/coalescing.cu", work())
        for rosters, said in (({}, 1), ({"worksheet": WORKSHEET.replace("@", " at ").replace(",a at x.org", ",")}, 0)):
            made = self.graded(self.with_rosters(**rosters))
            outputs.write_all(made, self.folder / "out")
            self.assertFalse((self.folder / "out/moodle.csv").exists())
            self.assertEqual(sum("No moodle.csv was written" in note for note in made.class_.notes), said)

    def test_who_is_excused_or_has_handed_in_what_is_not_here_gets_no_points_in_any_import(self):
        """A worksheet's row with a time and no file got a 0, and whoever is excused "handed in nothing"."""
        self.give("Wei Wang_111_assignsubmission_file/coalescing.cu", work())
        self.give("Wei Wang_222_assignsubmission_file/work.rar", "Rar!")
        sheet = WORKSHEET.replace("No submission", "Submitted for grading - ")
        class_ = self.with_rosters(sheet=sheet, canvas=CANVAS.replace("CS 1,,", "CS 1,EX,", 1).replace("CS 1,3.00,", "CS 1,N/A,"), own="name,email\nNora None,n@x.org\nAnn Lee,ann@x.org\n")
        made = self.graded(class_)
        [ask] = returned.tell_open(made)
        self.assertIn("sheet.csv says of Nora None that something was handed in, but no file of theirs is here", ask)
        missing = {mark.person.name: (mark.missing.split(".")[0], outputs.grade(mark)) for mark in made.marks if not mark.hand_in}
        self.assertEqual(missing, {"Nora None": ("Moodle says that something was handed in, but no file of it is here", ""), "Wei Wang": ("No work on this lab was found", 0),
                                   "Jane Doe": ("Excused in Canvas", ""), "Zoë Müller": ("Not assigned in Canvas", ""), "Ann Lee": ("Handed in nothing", 0)})
        marks = sorted((mark for mark in made.marks if mark.person.name in ("Ann Lee", "Jane Doe")), key=lambda mark: mark.person.name)
        self.assertEqual(outputs.why_nothing(marks[:1]), "Handed in nothing.")
        marks[1].lab = LABS[2]
        self.assertEqual(outputs.why_nothing(marks), "01: Handed in nothing. 03: Excused in Canvas.")
        marks[1].missing = marks[0].missing
        self.assertEqual(outputs.why_nothing(marks), "Handed in nothing.")
        text, _ = returned.filled(made, class_.rosters[0])
        [nora] = [row for row in self.table(text) if row["Full name"] == "Nora None"]
        self.assertEqual((nora["Grade"], nora["Feedback comments"]), ("", ""))
        self.assertEqual([line for line in self.table(returned.filled(made, class_.rosters[2])[0])][0]["Lab 01: coalescing"], "")

    def test_who_is_excused_is_so_in_every_export_whatever_was_handed_in_where(self):
        """With a file in Moodle the points went into all lists but Canvas's, and without one 0 of 34 into points.csv."""
        for number, name in (("111", "Jane Doe"), ("222", "Zoë Müller")):
            self.give(f"{name}_{number}_assignsubmission_file/coalescing.cu", work(mark=name))
        excused = CANVAS.replace("jane@x.org,CS 1,,", "jane@x.org,CS 1,EX,").replace('"Student, Test"', '"Lee, Ann",5,s7,ann@x.org,CS 1,EX,,,\r\n"Student, Test"')
        sheet = WORKSHEET.replace("Wei Wang", "Jane Doe", 1).replace("Wei Wang", "Zoë Müller").replace("s1,a@x.org", "s5,jane@x.org").replace("s2,b@x.org", "s9,z@x.org")
        sheet = sheet.replace('"Nora None",s3,n@x.org,"No submission"', '"Ann Lee",s7,ann@x.org,"Submitted for grading"')
        for said, elsewhere in ({}, ""), ({"comment": "See me."}, ""), ({"comment": "By hand.", "points": 5}, "5"):
            rules = {"corrections": [{"student": "jane@x.org", "lab": 1, "author": "T. Smith", **said}] if said else [], "time_zone": "Etc/UTC",
                     "labs": {"01": {"deadline": "2026-01-01"}}}
            class_ = self.with_rosters(sheet=sheet, canvas=excused, own="name,email\nJane Doe,jane@x.org\nAnn Lee,ann@x.org\nZoë Müller,z@x.org\n")
            for hand_in in class_.hand_ins:
                hand_in.late = True
            made = self.graded(class_)
            made.rules = Rules(LABS, rules)
            made.rules.know(LABS[0], [{"item": item, "points": points} for item, points, _, _ in classes.ITEMS])
            made.marks = [made.rules.choose(person, LABS[0], [(each, classes.verdict(classes.results())) for each in class_.hand_ins if each.person == person])
                          for person in class_.people]
            self.assertEqual(returned.tell_open(made), [])
            outputs.write_all(made, self.folder / "out")
            made.rules.check(class_.people, [LABS[0]])

            def read(name: str, by: str = "Full name", out=self.folder / "out") -> dict[str, dict[str, str]]:
                return {row[by]: row for row in self.table((out / name).read_text(encoding="utf-8"))}

            marks = {row["name"]: (row["01-coalescing"], row["01-coalescing max"], row["total"], row["max"], row["late"]) for row in read("points.csv", "name").values()}
            self.assertEqual(marks["Ann Lee"], ("EX", "", "", "", ""))
            self.assertEqual(marks["Jane Doe"], ("5", "6", "5", "6", "01") if elsewhere else ("EX", "", "", "", ""))
            self.assertEqual(marks["Zoë Müller"], ("6", "6", "6", "6", "01"))
            self.assertIn(f"of {2 if elsewhere else 1} of {2 if elsewhere else 1} hand-ins the time is not known", made.rules.unknown_times(made.marks)[0])
            self.assertEqual([row["Grade"] for row in read("rosters/sheet.csv").values()], [elsewhere, "6", ""])
            title = "Lab 01: coalescing"
            self.assertEqual([row[title] for row in read("rosters/own.csv", "name").values()], [elsewhere, "", "6"])
            self.assertEqual([row["Lab 01: coalescing (4711)"] for row in read("rosters/canvas.csv", "Student").values()][1:4], ["EX", "6", "EX"])
            moodle = {row[0]: row[-2] for row in outputs.moodle_rows(made)}
            self.assertEqual((moodle["Jane Doe"], moodle["Ann Lee"], moodle["Zoë Müller"]), (elsewhere and 5, "", 6))
            lines = [line.split(",") for line in nbgrader.results(made).splitlines()]
            self.assertEqual({line[4] for line in lines[1:]}, {"Zoë Müller", *(["Jane Doe"] if elsewhere else [])})
            if not elsewhere:
                self.assertEqual([(each["status"], each["points"]) for each in self.table(outputs.csv_text(outputs.items_rows(made))) if each["name"] == "Jane Doe"], [("excused", "")])
                page = (self.folder / "out/feedback/Jane-Doe/feedback.md").read_text(encoding="utf-8")
                self.assertIn("Lab 01: coalescing: no points\n\nExcused in Canvas.\n", page)
                self.assertIn("**excused**", page)
                self.assertNotIn("0 of 0", page)
                self.assertEqual(page.count("T. Smith"), bool(said))
                with captured() as (terminal, _):
                    grade.show(made, self.folder, [], [])
                self.assertRegex(terminal.getvalue(), r"Jane Doe +EX +- +01 excused")
            else:
                self.assertIn("canvas.csv has EX for Jane Doe in lab 01, and a correction gives points there: these count.", class_.notes)
                self.assertIn("canvas.csv has EX for Jane Doe in lab 01, and that stays in this file: the points of the correction are not in it.", class_.asks)

    def test_a_correction_with_points_comes_before_excused_wherever_that_is_said(self):
        """Of who was excused in course.json or in Canvas's list it was said that EX stays there."""
        listed = self.write("lab-01.json", json.dumps([{"user_id": 12345, "submitted_at": None, "excused": True}]))
        self.give("zmueller_12346_1002_coalescing.cu", work())
        correction = {"student": "jane@x.org", "lab": "01", "comment": "On paper.", "author": "T. Smith", "points": 5}
        for cell, times, excused, said, held in (("", [], True, ["course.json excuses Jane Doe"], "5"), ("", [listed], False, ["lab-01.json excuses Jane Doe"], "5"),
                                                 ("EX", [], False, ["canvas.csv has EX for Jane Doe"], "EX"), ("N/A", [], False, ["canvas.csv has N/A for Jane Doe"], "N/A"),
                                                 ("EX", [listed], True, ["course.json excuses Jane Doe", "lab-01.json excuses Jane Doe", "canvas.csv has EX for Jane Doe"], "EX")):
            rules = Rules(LABS, {"corrections": [correction], **({"excused": {"jane@x.org": {}}} if excused else {})})
            class_ = self.take_in(rosters=[self.roster("canvas.csv", CANVAS.replace("jane@x.org,CS 1,,", f"jane@x.org,CS 1,{cell},"))], times=times)
            made = self.graded(class_)
            rules.know(LABS[0], [{"item": item, "points": points} for item, points, _, _ in classes.ITEMS])
            made.rules, made.marks = rules, [rules.choose(mark.person, mark.lab, []) for mark in made.marks]
            self.assertEqual(returned.tell_open(made), [])
            outputs.write_all(made, self.folder / "out")
            self.assertEqual([note for note in class_.notes if "correction" in note], [f"{each} in lab 01, and a correction gives points there: these count." for each in said])
            kept = f"canvas.csv has {cell} for Jane Doe in lab 01, and that stays in this file: the points of the correction are not in it."
            self.assertEqual([ask for ask in class_.asks if "correction" in ask], [kept] if cell else [])
            row = next(row for row in self.table((self.folder / "out/points.csv").read_text(encoding="utf-8")) if row["name"] == "Jane Doe")
            self.assertEqual(row["01-coalescing"], "5")
            row = next(row for row in self.table((self.folder / "out/rosters/canvas.csv").read_text(encoding="utf-8")) if row["Student"] == "Doe, Jane")
            self.assertEqual(row["Lab 01: coalescing (4711)"], held)

    def test_who_is_excused_from_one_of_two_columns_that_may_be_a_labs_keeps_the_points(self):
        self.give("doejane_12345_1001_coalescing.cu", work())
        text = CANVAS.replace("Assignments Current Score", "Lab 1 resubmission (5)").replace("34.00,(read only)", "34.00,34.00")
        for first, second, is_excused in (("", "EX", False), ("30", "EX", False), ("EX", "", False), ("EX", "EX", True)):
            made = self.graded(self.with_rosters(canvas=text.replace("jane@x.org,CS 1,,", f"jane@x.org,CS 1,{first},{second}")))
            returned.tell_open(made)
            self.assertEqual({mark.person.name: mark.excused for mark in made.marks}["Jane Doe"], "EX" if is_excused else "")

    def test_a_file_of_another_system_than_the_one_that_says_submitted_counts_for_now_and_is_asked_about(self):
        sheet = WORKSHEET.replace("Wei Wang", "Jane Doe", 1).replace("Wei Wang", "Zoë Müller").replace("s1,a@x.org", "s5,jane@x.org").replace("s2,b@x.org", "s9,z@x.org")
        moodles = "Jane Doe_111_assignsubmission_file"
        for path, is_asked in (("doejane_12345_1001_coalescing.cu", True), ("labs-octojane/coalescing.cu", True), ("jane@x.org/coalescing.cu", False),
                               (f"{moodles}/coalescing.cu", False)):
            for more, is_there in (({}, False), ({"labs-octojane/report.pdf": "%PDF"}, False), ({f"{moodles}/work.rar": "Rar!"}, True),
                                   ({f"{moodles}/coalescing (2).cu": work(mark="there")}, True)):
                shutil.rmtree(self.given)
                self.give("labs-zmu/.git/HEAD", "x")
                for each, data in {path: work(), "Zoë Müller_222_assignsubmission_file/coalescing.cu": work(mark="zoe"), **more}.items():
                    self.give(each, data)
                if "labs-octojane" in "".join((path, *more)):
                    self.give("labs-octojane/.git/HEAD", "x")
                made = self.graded(self.with_rosters(sheet=sheet, canvas=CANVAS, github=GITHUB))
                asks = returned.tell_open(made)
                self.assertEqual(asks, [f"sheet.csv says of Jane Doe ({path}) that something was handed in, but no file of theirs from Moodle is here. For now the one from elsewhere "
                                        "counts; download the hand-ins again, or correct the mark."] if is_asked and not is_there else [], (path, more))
                self.assertFalse(any(mark.is_open for mark in made.marks))

    def test_who_has_submitted_by_a_file_of_times_and_has_no_file_here_has_no_points_in_an_import_and_is_asked_about(self):
        """Canvas's list named a submission that was not in the export, and the import of the gradebook had a 0 for it."""
        listed = self.write("lab-01.json", json.dumps([{"user_id": user, "submitted_at": time, "seconds_late": 0} for user, time in
                                                       ((12345, "2027-01-31T10:00:00Z"), (12346, "2027-01-31T10:00:00Z"), (77, None), (12347, None))]))
        lost, elsewhere = "is here. No import has points for it", "from Canvas is here. For now the one from elsewhere counts"
        test_intake.Clones.workbook(self, "labs-zmu", {})
        for jane, zoe, wanted in (("Jane Doe_111_assignsubmission_file/coalescing.cu", "", [("Zoë Müller", lost), ("Jane Doe (Jane Doe_111", elsewhere)]),
                                  ("doejane_12345_1001_coalescing.cu", "zmueller_12346_1002_work.rar", []), ("Jane Doe/coalescing.cu", "", [("Zoë Müller", lost)])):
            files = [self.give(path, work()) for path in (jane, zoe) if path]
            class_ = self.take_in(rosters=[self.roster("canvas.csv", CANVAS), self.roster("github.csv", GITHUB)], times=[listed])
            made = self.graded(class_)
            asks = returned.tell_open(made)
            self.assertEqual(len(asks), len(wanted), asks)
            for ask, (name, words) in zip(asks, wanted):
                self.assertIn(f"lab-01.json says of {name}", ask)
                self.assertIn(words, ask)
            marks = {mark.person.name: mark for mark in made.marks}
            self.assertEqual(outputs.grade(marks["Zoë Müller"]), 0 if zoe else "")
            self.assertEqual(outputs.grade(marks["Nora None"]), 0)
            row = next(row for row in self.table(outputs.csv_text(outputs.points_rows(made))) if row["name"] == "Zoë Müller")
            self.assertEqual((row["01-coalescing"], row["not judged"]), ("0", "") if zoe else ("", "01"))
            for file in files:
                file.unlink()

    def test_a_draft_has_no_points_in_an_import_until_a_person_decides(self):
        """Moodle's "Draft (not submitted)" was graded as if it were handed in."""
        for number, name in (("111", "Jane Doe"), ("222", "Bo Li")):
            self.give(f"{name}_{number}_assignsubmission_file/coalescing.cu", work(mark=name))
        sheet = WORKSHEET.replace("Wei Wang", "Jane Doe", 1).replace("Wei Wang", "Bo Li").replace("Submitted for grading", "Draft (not submitted)", 1)
        draft = "Jane Doe_111_assignsubmission_file/coalescing.cu"
        rows = {"": "", "path,submitted": f"{draft},2026-11-30T10:00:00Z", "path,lab": f"{draft},-"}
        for (heading, row), wanted in zip(rows.items(), ("", "2.5", "0")):
            class_ = self.with_rosters(sheet=sheet, **({"own": f"{heading}\n{row}\n"} if row else {}))
            made = self.graded(class_)
            asks = returned.tell_open(made)
            self.assertEqual([f"sheet.csv says of Jane Doe that {draft} is a draft that was not submitted." in ask for ask in asks], [] if wanted else [True])
            text, _ = returned.filled(made, class_.rosters[0])
            self.assertEqual({line["Full name"]: line["Grade"] for line in self.table(text)}, {"Jane Doe": wanted, "Bo Li": "1.5", "Nora None": "0"})
            mark = next(mark for mark in made.marks if mark.person.name == "Jane Doe")
            self.assertEqual((mark.is_open, mark.points, outputs.flags(made, mark)), (not wanted, float(wanted or 0), [] if wanted else ["not decided"]))
            self.assertEqual("Jane Doe" in nbgrader.results(made), bool(wanted))
        for behind in (" -", " - ", " - - ", "  - Graded"):  # as sites write it that have something behind it, or nothing
            made = self.graded(self.with_rosters(sheet=sheet.replace("Draft (not submitted)", f"Draft (not submitted){behind}")))
            self.assertEqual(len(returned.tell_open(made)), 1, behind)
        made = self.graded(self.with_rosters(sheet=sheet))
        made.marks[1].correction = Correction("T. Smith", "It was on time.", 5)
        self.assertEqual((returned.tell_open(made), outputs.grade(made.marks[1])), ([], 2.5))

    def test_namesakes_whose_files_are_not_told_apart_have_no_points_in_an_import_and_are_asked_about(self):
        """With a list of participants alone both had handed in, and both got 0."""
        people_ = "First name,Last name,ID number,Email address\nWei,Wang,s1,a@x.org\nWei,Wang,s2,b@x.org\nAnna,Lee,s3,c@x.org\nAnna,Lee,s4,d@x.org\nBo,Ray,s5,e@x.org\n"
        sheet = 'Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade,Last modified (grade),Feedback comments\n'
        sheet += "".join(f"Participant {number},Wei Wang,{sid},{mail}@x.org,Submitted for grading,,34.00,-,\n" for number, sid, mail in (("111", "s1", "a"), ("112", "s2", "b")))
        for number, name in (("111", "Wei Wang"), ("112", "Wei Wang"), ("113", "Anna Lee"), ("114", "Bo Ray")):
            self.give(f"one/{name}_{number}_assignsubmission_file/coalescing.cu", work(mark=number))
        for with_sheet in (False, True):
            if with_sheet:
                for number, name in (("911", "Wei Wang"), ("912", "Wei Wang"), ("914", "Bo Ray")):
                    self.give(f"three/{name}_{number}_assignsubmission_file/nbody.cu", work("03", number))
            class_ = self.with_rosters(people=people_, **({"sheet": sheet} if with_sheet else {}))
            made = self.graded(class_)
            asks = returned.tell_open(made)
            text, _ = returned.filled(made, class_.rosters[0])
            points = [tuple(bool(cell) for title, cell in row.items() if title.startswith("Lab")) for row in self.table(text)]
            if not with_sheet:
                self.assertEqual(points, [(False,)] * 4 + [(True,)])  # whose Anna's file is is not known either
                self.assertEqual(len(asks), 2)
                self.assertIn("Lab 01: which of the people who are called Wei Wang handed in one/Wei Wang_111_assignsubmission_file/coalescing.cu, one/Wei Wang_112", " ".join(asks))
            else:
                self.assertEqual(points, [(True, False)] * 2 + [(False, True)] * 2 + [(True, True)])  # no Anna has handed in lab 03
                self.assertEqual(sum("Lab 03: which of the people" in ask for ask in asks), 1)
                self.assertEqual([sorted(row[0] for row in outputs.worksheet_rows(made, lab)[1:]) for lab in made.labs],
                                 [[f"Participant {number}" for number in ("111", "112", "113", "114")], [f"Participant {number}" for number in ("911", "912", "914")]])
            self.assertTrue(all(mark.missing for mark in made.marks if mark.is_open))
        both = "".join(f"Participant {number},Wei Wang,{sid},{mail}@x.org,Submitted for grading,,34.00,-,\n" for number, sid, mail in (("111", "s1", "a"), ("112", "s2", "b")))
        shutil.rmtree(self.given / "one/Wei Wang_112_assignsubmission_file")
        class_ = self.with_rosters(sheet=sheet.partition("Participant")[0] + both.replace("Submitted for grading", "No submission"), people=people_)
        made = self.graded(class_)
        returned.tell_open(made)
        first = [mark for mark in made.marks if mark.lab.number == "01" and mark.person.keys.get("sid") == "s2"]
        self.assertEqual([(mark.is_open, mark.points) for mark in first], [(False, 0)])  # the worksheet tells them apart: nothing is a 0

    def test_folders_of_one_name_have_no_points_in_an_import_until_a_person_says_whose_they_are(self):
        for section in ("section-A", "section-B"):
            for who in ("alice", f"x{section[-1]}", f"y{section[-1]}"):
                self.give(f"{section}/{who}/coalescing.cu", work(mark=section + who))
        people = "path,id,name,email\n,alice,Alice Ames,a@x.org\n,alice2,Alice Brown,b@x.org\n,xA,Xa,c@x.org\n"
        class_ = self.with_rosters(own=people)
        made = self.graded(class_)
        [ask] = returned.tell_open(made)
        self.assertEqual(ask, "section-A/alice and section-B/alice may be those of several people. No import has points for alice: a roster's row with each path says whose it is.")
        self.assertEqual([row[5:] for row in outputs.moodle_rows(made)[1:2]] + [outputs.grade(mark) == "" for mark in made.marks if mark.person.id == "alice"], [[], True])
        class_ = self.with_rosters(own=people + "section-B/alice,alice2,,\n")
        self.assertEqual(returned.tell_open(self.graded(class_)), [])
        self.assertEqual({hand_in.person.id: hand_in.shown for hand_in in class_.hand_ins if hand_in.person.id.startswith("alice")},
                         {"alice": "section-A/alice/coalescing.cu", "alice2": "section-B/alice/coalescing.cu"})

    def test_who_is_not_decided_has_no_verdict_and_no_points_anywhere(self):
        """The page of one who may be two people had the verdict on one of two files, and 0 of 34 points."""
        for path in ("section-A/alice", "section-B/alice", "section-A/bob", "section-B/carl"):
            self.give(f"{path}/coalescing.cu", work(mark=path))
        for number, name in (("111", "Dora"), ("222", "Erik")):
            self.give(f"all/{name}_{number}_assignsubmission_file/coalescing.cu", work(mark=name))
        self.give("all/Dora_111_assignsubmission_file/coalescing (2).cu", work(mark="Dora 2"))
        sheet = "Identifier,Full name,Status,Grade,Maximum Grade,Last modified (grade),Feedback comments\n" + "".join(
            f"Participant {number},{name},{status},,34,-,\n" for number, name, status in (("111", "Dora", "Draft (not submitted)"), ("222", "Erik", "Submitted for grading")))
        class_ = self.with_rosters(sheet=sheet)
        made = self.graded(class_)
        failed = classes.verdict(classes.results(first=classes.UNCOALESCED))
        made.marks = [made.rules.choose(mark.person, mark.lab, [(mark.hand_in, failed)] if mark.hand_in else []) for mark in made.marks]
        returned.tell_open(made)
        with captured() as (terminal, _):
            grade.show(made, self.folder, [], [])
        out, texts = self.folder / "out", {}
        old = out / "feedback" / self.one(class_, "alice").folder / "01-add_one.html"
        old.parent.mkdir(parents=True)
        old.write_text("of an earlier run", encoding="utf-8")
        outputs.write_all(made, out)
        with zipfile.ZipFile(out / "moodle-feedback-01.zip") as packed:
            texts = {name: packed.read(name).decode() for name in packed.namelist()}
        self.assertFalse(old.exists())
        for name, files in (("alice", ["section-A/alice", "section-B/alice"]), ("Dora", ["Dora_111_assignsubmission_file/coalescing (2).cu", "Dora_111_assignsubmission_file/coalescing.cu"])):
            person = self.one(class_, name)
            folder = out / "feedback" / person.folder
            pages = [(folder / "feedback.md").read_text(encoding="utf-8"), (folder / "index.html").read_text(encoding="utf-8")]
            pages += [text for member, text in texts.items() if member.startswith(name)]
            self.assertEqual(len(pages), 2 + (name == "Dora"))
            for page in pages:
                self.assertIn("Not decided: ", page)
                for word in ("adds one", "sectors were read", "rubric", "SHA-256:", "points</p>", "0 of "):
                    self.assertNotIn(word, page)
                for file in files:
                    self.assertIn(file, page.replace("\\", ""))
                self.assertIn("lab 01 is not decided", page)
            [row] = [row for row in self.table((out / "items.csv").read_text(encoding="utf-8")) if row["name"] == name]
            self.assertEqual((row["item"], row["points"], row["status"], row["reason"].partition(":")[0]), ("", "", "not decided", "Not decided"))
            for file in files:
                self.assertIn(file, row["file"])
            [row] = [row for row in self.table((out / "points.csv").read_text(encoding="utf-8")) if row["name"] == name]
            self.assertEqual((row["01-coalescing"], row["total"], row["max"], row["late"], row["not judged"]), ("", "", "", "", "01"))
            suite = (out / "junit.xml").read_text(encoding="utf-8").partition(f'name="01-coalescing.{person.id}"')[2].partition("</testsuite>")[0]
            self.assertIn('tests="1"', suite)
            self.assertIn("Not decided: ", suite)
            self.assertIn('name="points" value=""', suite)
            self.assertNotIn("sha256", suite)
            self.assertRegex(terminal.getvalue(), rf"{name} +\? +- +01 not decided")
        self.assertIn("adds one", (out / "feedback" / self.one(class_, "Erik").folder / "feedback.md").read_text(encoding="utf-8"))

    def test_who_is_on_no_roster_is_asked_about_where_one_on_it_has_handed_in_nothing(self):
        """Where each section had one folder, the sections were the people."""
        for section in ("section-A", "section-B"):
            self.give(f"{section}/alice/coalescing.cu", work(mark=section))
        class_ = self.with_rosters(own="id,name\nalice,Alice Ames\nalice2,Alice Brown\n")
        [ask] = class_.asks
        self.assertIn("On no roster: section-A (section-A/alice/coalescing.cu), section-B (section-B/alice/coalescing.cu). On a roster, with nothing handed in: Alice Ames, Alice Brown.", ask)
        self.assertEqual(self.with_rosters(own="id,name\nsection-A,Alice Ames\n").asks, [])

    def test_who_is_called_otherwise_in_one_lab_is_asked_about_where_a_person_of_the_roster_lacks_it(self):
        """Who had changed the name between two labs was 0 points in the second one, with status 0."""
        self.give("one/Jane Doe_111_assignsubmission_file/coalescing.cu", work())
        self.give("one/Bo Li_112_assignsubmission_file/coalescing.cu", work(mark="bo"))
        self.give("three/Jane Smith_911_assignsubmission_file/nbody.cu", work("03"))
        self.give("three/Bo Li_912_assignsubmission_file/report.pdf", "%PDF")
        people_ = "First name,Last name,ID number,Email address\nJane,Doe,s1,a@x.org\nBo,Li,s2,b@x.org\n"
        [ask] = self.with_rosters(people=people_).asks
        self.assertIn("On no roster: Jane Smith (three/Jane Smith_911_assignsubmission_file). On a roster, with nothing handed in: Jane Doe (lab 03). Where", ask)
        self.give("three/Jane Doe_913_assignsubmission_file/nbody.cu", work("03", "jane"))
        self.assertEqual(self.with_rosters(people=people_).asks, [])

    def test_a_clone_that_is_missing_is_no_zero_where_github_classroom_says_that_something_was_submitted(self):
        """A repository in the classroom's grades whose clone was not there had 0 points in every import."""
        people_ = '"identifier","github_username","github_id","name"\n' + "".join(f'"{name}@x.org","{name}","1",""\n' for name in ("ada", "gone", "idle", "never", "moved"))
        head = "assignment_name,github_username,student_repository_name,submission_timestamp\n"
        times = {"ada": "2027-01-31 20:00:00 UTC", "gone": "2027-01-31 21:00:00 UTC", "idle": "2027-01-31 19:00:00 UTC", "never": "", "moved": "2027-01-31 21:00:00 UTC"}
        for assignment in ("lab-01", "first"):
            shutil.rmtree(self.given)
            self.give(f"{assignment}-ada/coalescing.cu", test_intake.begun())
            self.give(f"{assignment}-ada/.git/HEAD", "x")
            self.give("elsewhere-ada/nbody.cu", test_intake.begun("03"))  # of another assignment, of which no grades were given
            self.give("elsewhere-ada/.git/HEAD", "x")
            test_intake.Clones.workbook(self, f"{assignment}-idle", {})
            self.give("Moved_77_assignsubmission_file/coalescing.cu", test_intake.begun(mark="moved"))
            own = "name,github,moodle_id\nMoved,moved,77\n"
            grades = self.write("grades.csv", head + "".join(f"{assignment},{name},{assignment}-{name}{'-1' * (name == 'gone')},{time}\n" for name, time in times.items()))
            stranger = self.write("more.csv", f"{head}{assignment},stranger,{assignment}-stranger,2027-01-31 21:00:00 UTC\n")
            class_ = self.take_in(rosters=[self.roster("classroom.csv", people_), self.roster("own.csv", own)], times=[grades, stranger])
            made = self.graded(class_)
            asks = returned.tell_open(made)
            self.assertEqual(asks, ["grades.csv says of gone@x.org that something was handed in, but no file of theirs is here. No import has points for it; download the hand-ins "
                                    "again, or correct the mark.", "grades.csv says of moved@x.org (Moved_77_assignsubmission_file/coalescing.cu) that something was handed in, but no file of "
                                    "theirs from GitHub is here. For now the one from elsewhere counts; download the hand-ins again, or correct the mark."])
            self.assertEqual([f"grades list {assignment}-stranger, and neither the clone" in ask for ask in class_.asks if not ask.startswith("On no roster: ")], [True])
            marks = {(mark.person.keys["github"], mark.lab.number): (outputs.grade(mark), mark.missing.partition(".")[0]) for mark in made.marks if not mark.hand_in}
            self.assertEqual(marks["gone", "01"], ("", "GitHub says that something was handed in, but no file of it is here"))
            self.assertEqual([marks[who, "01"][0] for who in ("idle", "never")], [0, 0])
            self.assertEqual(marks["gone", "03"], (0, "Handed in nothing"))

    def test_a_comment_alone_decides_nothing_where_nothing_is_decided(self):
        """A correction without points made a 0 of what was submitted and is not here, and the question was gone."""
        self.give("Wei Wang_111_assignsubmission_file/coalescing.cu", test_intake.begun())
        sheet = WORKSHEET.replace("No submission", "Submitted for grading").replace("Submitted for grading", "Draft (not submitted)", 1)
        people_ = "First name,Last name,ID number,Email address\nAnna,Lee,s7,c@x.org\nAnna,Lee,s8,d@x.org\n"
        self.give("Anna Lee_113_assignsubmission_file/coalescing.cu", test_intake.begun(mark="anna"))
        for points in (None, 5):
            class_ = self.with_rosters(sheet=sheet, people=people_)
            made = self.graded(class_)
            for mark in made.marks:
                mark.correction = Correction("T. Smith", "Where is it?", points)
                mark.notes = [mark.correction.sentence(0)]
                mark.points = points or mark.points
            asks = returned.tell_open(made)
            wanted = {"n@x.org": ("", True), "a@x.org": ("", True), "c@x.org": ("", True), "d@x.org": ("", True)} if points is None else {}
            found = {mark.person.keys.get("email"): (outputs.grade(mark), mark.is_open) for mark in made.marks}
            for mail in ("n@x.org", "a@x.org", "c@x.org", "d@x.org"):
                self.assertEqual(found[mail], wanted.get(mail, (5, False)), (mail, points))
            self.assertEqual(len(asks), 3 if points is None else 0, asks)
            rows = self.table(returned.filled(made, class_.rosters[0])[0])
            self.assertEqual([(row["Grade"], "Where is it?" in row["Feedback comments"]) for row in rows if row["Email address"] == "n@x.org"], [("" if points is None else "5", True)])
            if points is None:
                with captured() as (terminal, _):
                    grade.show(made, self.folder, [], [])
                self.assertRegex(terminal.getvalue(), r"Nora None +- +- +01 comment, Moodle says that")
                self.assertIn("Where is it?", outputs.comment(next(mark for mark in made.marks if mark.person.name == "Nora None")))

    def test_a_submission_that_is_another_labs_is_no_lost_one(self):
        wrong = "one/Jane Doe_111_assignsubmission_file/nbody.cu"
        self.give(wrong, work("03"), 1000)
        self.give("one/Bo Li_222_assignsubmission_file/coalescing.cu", work())
        sheet = WORKSHEET.replace("Wei Wang", "Jane Doe", 1).replace("Wei Wang", "Bo Li").replace("No submission", "Submitted for grading")
        other = sheet.replace("111", "911").replace("222", "922").replace("333", "933").replace("Submitted for grading", "No submission").replace("No submission", "Submitted for grading", 1)
        for is_there_too in (False, True):  # a right file in the right assignment, beside which the wrong one does not count
            if is_there_too:
                self.give("three/Jane Doe_911_assignsubmission_file/nbody.cu", test_intake.begun("03", "newer"), 500)
            made = self.graded(self.with_rosters(**{"lab 01": sheet, **({"lab 03": other} if is_there_too else {})}))
            [ask] = returned.tell_open(made)
            self.assertIn("lab 01.csv says of Nora None that something was handed in, but no file", ask)
            [mark] = [mark for mark in made.marks if mark.person.name == "Jane Doe" and mark.lab.number == "01"]
            self.assertEqual((mark.is_open, mark.missing), (False, f"No work on this lab was found. {wrong}: It is for 03-nbody-tiling."))
            said = f"for another lab does not count where there is work that was handed in for this one: {wrong} (for 01-coalescing)" if is_there_too else (
                f"{wrong} counts, which was handed in for 01-coalescing: no work was handed in for 03-nbody-tiling itself.")
            self.assertTrue(any(said in note for note in made.class_.notes), made.class_.notes)
        shutil.rmtree(self.given / "one/Jane Doe_111_assignsubmission_file")
        [ask] = returned.tell_open(self.graded(self.with_rosters(**{"lab 01": sheet})))  # the file of lab 03 is that of the other assignment
        self.assertIn("lab 01.csv says of Jane Doe, Nora None that something was handed in, but no file", ask)

    def test_a_number_of_moodle_is_that_of_its_own_assignment_or_none(self):
        """The row of a lab had the number of the assignment that the file was handed in for by mistake, so that Moodle left it out unseen."""
        for one, four in (("GPU-Lab 01-4711", "GPU-Lab 04-4712"), ("GPU-Homework-4711", "GPU-More-4712")):  # by the name, or by most of the files
            for with_sheet in (False, True):
                shutil.rmtree(self.given)
                for number, name in (("111", "Ann Lee"), ("112", "Bo Ray"), ("113", "Cy Fox")):
                    self.give(f"{one}/{name}_{number}_assignsubmission_file/coalescing.cu", test_intake.begun(mark=name))
                    self.give(f"{four}/{name}_9{number}_assignsubmission_file/dot_product.cu", test_intake.begun("04", name))
                self.give(f"{one}/Sofia Rossi_881_assignsubmission_file/dot_product.cu", test_intake.begun("04", "sofia"))
                sheet = "Identifier,Full name,Grade,Maximum Grade,Last modified (grade)\n" + "".join(
                    f"Participant {number},{name},,60,-\n" for number, name in (("9111", "Ann Lee"), ("9112", "Bo Ray"), ("9113", "Cy Fox"), ("902", "Sofia Rossi")))
                class_ = self.with_rosters(**({"Grades Lab 04": sheet} if with_sheet else {}))
                made = self.graded(class_)
                outputs.write_all(made, self.folder / "out")
                first, fourth = ({row[1]: row[0] for row in outputs.worksheet_rows(made, lab)[1:]} for lab in made.labs)
                self.assertEqual(first.get("Sofia Rossi"), "Participant 881")
                self.assertEqual(fourth.get("Sofia Rossi"), "Participant 902" if with_sheet else None)
                self.assertEqual(len(first), 4)
                self.assertEqual(len(fourth), 3 + with_sheet)
                self.assertEqual([ask for ask in made.class_.asks if "lab 04's assignment in Moodle has the points and pages of Sofia Rossi" in ask], [] if with_sheet else made.class_.asks)
                self.assertEqual(len(made.class_.asks), 1 - with_sheet)
                with zipfile.ZipFile(self.folder / "out/moodle-feedback-04.zip") as packed:
                    self.assertEqual({name.split("_")[1] for name in packed.namelist()}, {"9111", "9112", "9113", *(["902"] if with_sheet else [])})
                if "Lab" in one:
                    [mark] = [mark for mark in made.marks if mark.person.name == "Sofia Rossi" and mark.lab.number == "01"]
                    self.assertIn("It is for 04-dot-product.", outputs.comment(mark))

    def test_a_worksheet_that_is_named_as_a_lab_is_never_filled_with_the_marks_of_another(self):
        """With --lab 1 the worksheet of lab 04 got the marks of lab 01, and so it did where most had handed in a copy of the whole workbook."""
        for number, name in (("911", "Jane Doe"), ("922", "Bo Li")):
            self.give(f"GPU-Lab 04-4712/{name}_{number}_assignsubmission_file/coalescing.cu", test_intake.begun(mark=name))
        self.give("GPU-Lab 04-4712/Jane Doe_911_assignsubmission_file/dot_product.cu", test_intake.begun("04"))
        sheet = "Identifier,Full name,Grade,Maximum Grade,Last modified (grade)\nParticipant 911,Jane Doe,,34,-\nParticipant 922,Bo Li,,34,-\n"
        for labs, wanted in ((LABS, ["2.5", "0"]), (LABS[:1], None)):
            class_ = self.take_in(labs=labs, rosters=[self.roster("Grades-GPU-Lab 04-4712.csv", sheet)])
            text, said = returned.filled(self.graded(class_), class_.rosters[0])
            self.assertEqual(text and [row["Grade"] for row in self.table(text)], wanted or "")
        made = self.graded(self.take_in(rosters=[self.roster("Grades-CUDA Lab 3-Homework-4712.csv", sheet)]))  # no one has handed in lab 03 there
        self.assertIn("does not say which lab it is for", returned.filled(made, made.class_.rosters[0])[1][0])

    def test_a_submission_by_canvass_list_that_is_another_labs_is_no_lost_one(self):
        self.give("doejane_12345_1001_nbody.cu", work("03"))
        self.give("zoemueller_12346_1002_coalescing.cu", work())
        self.give("zoemueller_12346_1003_nbody.cu", work("03"))
        times = {lab: self.write(f"lab-{lab}.json", json.dumps([{"user_id": user, "submitted_at": "2027-01-31T10:00:00Z"} for user in users]))
                 for lab, users in (("01", (12345, 12346)), ("03", (12346,)))}
        for given, is_lost in ((["01"], True), (["01", "03"], False)):
            made = self.graded(self.take_in(rosters=[self.roster("canvas.csv", CANVAS)], times=[times[lab] for lab in given]))
            self.assertEqual(len(returned.tell_open(made)), int(is_lost))
            [mark] = [mark for mark in made.marks if mark.person.name == "Jane Doe" and mark.lab.number == "01"]
            self.assertEqual(mark.is_open, is_lost)

    def test_who_is_excused_by_the_rules_or_canvass_list_is_so_everywhere(self):
        listed = self.write("lab-01.json", json.dumps([{"user_id": 12345, "submitted_at": "2027-01-31T10:00:00Z", "excused": True},
                                                       {"user_id": 12346, "submitted_at": None, "excused": False}]))
        self.give("doejane_12345_1001_coalescing.cu", work())
        self.give("müllerzoë_12346_1002_coalescing.cu", work(mark="zoe"))
        for times, rules, wanted, cells in (([listed], {}, ["EX", ""], ["", "2.5"]), ([], {"excused": {"jane@x.org": {}}}, ["EX", ""], ["", "2.5"]),
                                            ([], {"excused": {"zmueller": {"labs": ["1"]}}}, ["", "EX"], ["1.5", ""]),  # 3.00 was a mark of before
                                            ([], {"excused": {"zmueller": {"labs": ["03"]}}}, ["", ""], ["1.5", "2.5"])):
            made = self.graded(self.take_in(rosters=[self.roster("canvas.csv", CANVAS)], times=times), rules)
            self.assertEqual(returned.tell_open(made), [])
            self.assertEqual([mark.excused for mark in made.marks], wanted)
            rows = self.table(returned.filled(made, made.class_.rosters[0])[0])
            self.assertEqual([row["Lab 01: coalescing (4711)"] for row in rows[1:3]], cells)

    def test_a_roster_of_ones_own_has_the_marks_of_rows_with_a_path_too(self):
        self.give("box/final version.cu", work())
        self.give("bob/coalescing.cu", work(mark="bob"))
        self.give("bob/nbody.cu", work("03"))
        class_ = self.with_rosters(own="path,name,lab\nbox/final version.cu,Ann Lee,01\nbob,Bob,\n,Cy,\n")
        made = self.graded(class_)
        rows = self.table(returned.filled(made, class_.rosters[0])[0])
        title = {lab.number: f"Lab {lab.number}: {lab.facts.title}" for lab in made.labs}
        marks = {(mark.person.name, mark.lab.number): str(mark.points) for mark in made.marks}
        self.assertEqual([(row[title["01"]], row[title["03"]]) for row in rows],
                         [(marks["Ann Lee", "01"], ""), (marks["Bob", "01"], marks["Bob", "03"]), ("0", "0")])

    def test_an_export_beside_other_hand_ins_is_read_as_one_and_else_no_import_of_its_system_is_written(self):
        """A class's archive beside one student's folder was taken for one person's, and all on the worksheet had 0 points."""
        files = {"Jane Doe_111_assignsubmission_file/coalescing.cu": work(), "Bo Li_222_assignsubmission_file/coalescing.cu": work(mark="bo")}
        sheet = WORKSHEET.replace("Wei Wang", "Jane Doe", 1).replace("Wei Wang", "Bo Li").replace("34.00", "")
        for name, rosters, is_read in (("CUDA-Lab 1-4711.zip", {}, True), ("Numerics-Week 5-4711.zip", {"worksheet": sheet}, True), ("Numerics-Week 5-4711.zip", {}, False),
                                       ("lab 1.zip", {"worksheet": sheet}, True), ("lab 1.zip", {}, False),
                                       ("mallory.zip", {"worksheet": sheet}, False), ("mallory.zip", {"worksheet": sheet, "own": "path,name\nmallory.zip,Ann Lee\n"}, None)):
            for beside in ("zack/coalescing.cu", "flat/zack/coalescing.cu"):
                with self.subTest(name=name, beside=beside, rosters=list(rosters)):
                    shutil.rmtree(self.given)
                    self.give(beside, work(mark="zack"))
                    self.give(name, zipped(files))
                    class_ = self.with_rosters(**rosters)
                    made = self.graded(class_)
                    class_.asks += returned.tell_open(made)
                    outputs.write_all(made, self.folder / "out")
                    written = {path.name for path in [*(self.folder / "out").glob("moodle*"), *(self.folder / "out").glob("rosters/work*")]}
                    whose = sorted(hand_in.person.name for hand_in in class_.hand_ins if name in hand_in.shown)
                    self.assertEqual(whose == ["Bo Li", "Jane Doe"], bool(is_read))
                    self.assertEqual(bool(written), is_read is not False, written)
                    self.assertEqual(any("taken for one person's" in ask for ask in class_.asks), is_read is False, class_.asks)
                    if is_read is not False:
                        self.assertFalse([ask for ask in made.class_.asks if "was written" in ask])
                    else:
                        self.assertIn(f"No file for an import into Moodle was written, because {name} holds names of its form and was not read as its export.",
                                      made.class_.asks)
                    nothing = {mark.person.name for mark in made.marks if not mark.hand_in}
                    if is_read is not None:  # else the worksheet says that they have submitted something
                        self.assertEqual({mark.person.name for mark in made.marks if mark.is_held}, nothing if is_read is False else set())
        shutil.rmtree(self.given)
        for path in ("zack/coalescing.cu", "bob/coalescing.cu", "eve/lab-ann/coalescing.cu", "eve/lab-bo/coalescing.cu"):
            self.give(path, work(mark=path))
        for clone in ("lab-ann", "lab-bo"):
            self.give(f"eve/{clone}/.git/HEAD", "x")
        self.assertEqual(self.with_rosters(github=GITHUB).not_read, {"GitHub": "eve"})
        shutil.rmtree(self.given)
        for clone in ("", "lab-ann/.git/HEAD", "lab-ann/", "lab-bo/.git/HEAD", "lab-bo/"):  # a person whom a system names speaks for one alone
            self.give(f"Eve_3_assignsubmission_file/{clone or 'old/'}{'' if 'HEAD' in clone else 'coalescing.cu'}", work(mark=clone))
            self.give("Jane Doe_4_assignsubmission_file/coalescing.cu", work())
        class_ = self.with_rosters(github=GITHUB)
        self.assertEqual((class_.not_read, [ask for ask in class_.asks if "kept apart" in ask]), ({}, []))

    def test_an_export_of_gradescope_by_another_name_gives_no_one_a_zero(self):
        """Its names were not read, and everyone had 0 points in imports."""
        listed = "".join(f"submission_{n}:\n  :submitters:\n  - :name: {name}\n    :email: {name[:4].lower()}@x.org\n" for n, name in ((1, "Jane Doe"), (2, "Zoë Müller")))
        for place, remedy in (("hw1", "by its name the folder is a person's. Give it the name of the download"),
                              ("Section A/assignment_1_export", "by its name Section A is a person's. Move assignment_1_export up, out of it")):
            with self.subTest(place):
                shutil.rmtree(self.given, ignore_errors=True)
                self.give(f"{place}/submission_metadata.yml", listed)
                for n in (1, 2):
                    self.give(f"{place}/submission_{n}/coalescing.cu", work(mark=str(n)))
                class_ = self.with_rosters(canvas=CANVAS)
                self.assertEqual((class_.classes_not_read, class_.not_read), ([place], {"Gradescope": place}))
                self.assertEqual(len([ask for ask in class_.asks if f"{place} has Gradescope's list of several people, which was not read: {remedy}" in ask]), 1)
        shutil.rmtree(self.given)
        self.give("hw1/submission_metadata.yml", listed)
        self.give("hw1/coalescing.cu", work())
        self.assertEqual(self.with_rosters(canvas=CANVAS).not_read, {})

    def test_archives_of_sections_are_classes_whatever_they_are_called(self):
        """Each was taken for one person, and everyone had 0 points in moodle.csv."""
        for number, files in (("A", ("doejane_12345_700001", "mllerzoe_12346_700002")), ("B", ("doejane_12345_710001", "roebo_12350_710002"))):
            self.give(f"Section {number} Lab 01 submissions.zip", zipped({f"{name}_coalescing.cu": work(mark=name) for name in files}))
        for rosters in ({"canvas": CANVAS}, {}):
            class_ = self.with_rosters(**rosters)
            self.assertEqual(sorted(hand_in.person.keys["canvas_id"] for hand_in in class_.hand_ins), ["12345", "12346", "12350"])
            self.assertEqual((class_.not_read, [ask for ask in class_.asks if "taken for one" in ask]), ({}, []))
        (self.given / "Section B Lab 01 submissions.zip").unlink()
        self.assertEqual(self.names(self.with_rosters(canvas=CANVAS)), ["Jane Doe", "Zoë Müller"])
        self.give("bob/coalescing.cu", work(mark="bob"))
        class_ = self.with_rosters(canvas=CANVAS)
        self.assertEqual(class_.classes_not_read, ["Section A Lab 01 submissions.zip"])
        made = self.graded(class_)
        asks = " ".join(returned.tell_open(made))
        self.assertIn("No import has points for those who have handed in nothing else: Jane Doe, Zoë Müller.", asks)
        self.assertEqual({outputs.grade(mark) for mark in made.marks if not mark.hand_in}, {""})

    def test_what_a_system_marks_as_late_is_not_decided_where_it_is_not_known_what_that_costs(self):
        """Nothing was taken off, and no one was asked."""
        self.give("doejane_LATE_12345_700001_coalescing.cu", work())
        self.give("mllerzoe_12346_700002_coalescing.cu", work(mark="zoe"))
        late, deadline = {"percent_per_day": 10}, {"01": {"deadline": "2026-11-30T23:59:00+01:00"}}
        for said, is_asked in (({"late": late, "labs": deadline}, True), ({"late": late}, True), ({"labs": deadline}, False),
                               ({"late": {**late, "percent_if_marked": 20}, "labs": deadline}, False)):
            class_ = self.with_rosters(canvas=CANVAS)
            made = self.graded(class_, said)
            asks = returned.tell_open(made)
            self.assertEqual(["doejane_LATE_12345_700001_coalescing.cu) as late" in ask for ask in asks], [True] * is_asked, asks)
            self.assertEqual([mark.person.name for mark in made.marks if mark.is_held], ["Jane Doe"] * is_asked)
        class_ = self.with_rosters(canvas=CANVAS, own="path,submitted\ndoejane_LATE_12345_700001_coalescing.cu,2026-12-01T10:00:00Z\n")
        self.assertEqual(returned.tell_open(self.graded(class_, {"late": late, "labs": deadline})), [])

    def test_a_class_that_canvas_does_not_know_has_no_file_for_it_and_no_word_on_it(self):
        for folder in ("a/Wei Wang_1_assignsubmission_file", "a/Wei Wang_2_assignsubmission_file"):
            self.give(f"{folder}/coalescing.cu", work(mark=folder))
        said = outputs.write_all(self.graded(self.take_in()), self.folder / "out")
        self.assertEqual([line for line in said if "anvas" in line], [])
        self.assertFalse((self.folder / "out/canvas.csv").exists())

    def test_an_export_that_would_have_an_id_twice_is_refused_with_both_rows_named(self):
        made = classes.graded(self.folder)
        made.class_.hand_ins[0].shown = "Zoë Müller_70_assignsubmission_file/coalescing.cu"
        outputs.write_all(made, self.folder / "out")
        made.class_.people[2].keys["canvas_id"] = "90"
        made.class_.people[4].keys["email"] = "U0@example.org"
        outputs.write_all(made, self.folder / "out")
        self.assertIn("canvas.csv was not written: line 3 (Zoë Müller, 90) and line 4 (王小明, 90) have the same ID, 90, and an import would write one "
                      "over the other.", made.class_.asks)
        self.assertTrue(any(ask.startswith("moodle.csv was not written: line 2 (Zoë Müller, u0, u0@example.org) and line 4 (Paul") for ask in made.class_.asks))
        self.assertFalse((self.folder / "out/canvas.csv").exists() or (self.folder / "out/moodle.csv").exists())
        self.assertTrue((self.folder / "out/moodle-feedback-01.zip").exists())
        made.class_.people[2].keys["moodle_id"] = "70"
        outputs.write_all(made, self.folder / "out")
        self.assertTrue(any("moodle-feedback-01.zip was not written" in ask for ask in made.class_.asks))
        self.assertFalse((self.folder / "out/moodle-feedback-01.zip").exists())


class Student:
    """A made-up student, and what each system calls them."""

    def __init__(self, number: int, pick: random.Random, sid: str):
        first, last = pick.choice(["Zoë", "Wei", "Jane", "Ann-Lee", "李", "O'Neil"]), pick.choice(["Müller", "Wang", "Doe", "van der Berg"])
        self.first, self.last = first, last if pick.random() < 0.3 else f"{last}{number}"  # some share their name
        self.name, self.email, self.sid, self.login = f"{self.first} {self.last}", f"u{number}@x.org", sid.format(number), f"login{number}"
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

    def random_class(self, pick: random.Random, sid: str = "s{:04}") -> tuple[list[Student], dict[str, Student]]:
        """Students, and whose each file is."""
        shutil.rmtree(self.given)
        self.given.mkdir()
        students, files, attachment = [Student(number, pick, sid) for number in range(pick.randint(2, 14))], {}, 900_000
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

    def test_tables_as_spreadsheets_and_people_leave_them_lose_no_one_and_no_mark(self):
        for seed in range(60):
            with self.subTest(seed=seed):
                pick = random.Random(seed)
                students, files = self.random_class(pick, sid="7{:03}")
                class_ = self.take_in(rosters=[self.mangled(file, pick) for file in self.random_rosters(students, pick)])
                self.assertEqual(len(class_.people), len(students) + 2)
                self.require_everyone(class_, students)
                self.require_every_file(class_, files)
                if class_.hand_ins:
                    self.require_tables(class_, pick)

    def mangled(self, file: pathlib.Path, pick: random.Random) -> pathlib.Path:
        """A roster as a spreadsheet or a person leaves it, which says the same."""
        heading, *rows = csv.reader(io.StringIO(file.read_text(encoding="utf-8")))
        for row in rows:
            for at, name in enumerate(heading):
                cell = row[at]
                if name in ("ID", "SID", "SIS User ID", "sid", "canvas_id", "identifier") and cell.isdigit():
                    row[at] = cell + pick.choice(["", ".0", ",0", ".00"])
                elif name in ("SIS Login ID", "Email address", "Email", "email", "github_username", "github"):
                    row[at] = pick.choice([cell, cell.upper(), f" {cell} "])
                elif name in ("Full name", "First Name", "Last Name", "name", "Student") and "Points Possible" not in cell:
                    row[at] = pick.choice([cell, f"{cell} ", cell.replace(" ", "  "), cell.replace(" ", "\u00a0")])
                elif name == "Feedback comments":
                    row[at] = pick.choice(["", 'two\nlines; "quoted", and more'])
        if pick.random() < 0.3:
            at = pick.choice([place for place, name in enumerate(heading) if name in ("Email address", "Email", "email", "SIS Login ID", "github_username")])
            heading.insert(at + 1, heading[at])
            for row in rows:
                row.insert(at + 1, "")
        text = io.StringIO()
        csv.writer(text, delimiter=pick.choice(",;\t"), lineterminator=pick.choice(["\n", "\r\n"]), quoting=pick.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])).writerows([heading, *rows])
        file.write_bytes(text.getvalue().encode(pick.choice(["utf-8", "utf-8-sig", "utf-16"])))
        return file

    def test_rosters_that_do_not_know_everyone_join_no_two_students_of_different_names(self):
        for seed in range(60):
            with self.subTest(seed=seed):
                pick = random.Random(seed)
                students, files = self.random_class(pick)
                class_ = self.take_in(rosters=self.random_rosters(students, pick, all_known=False))
                self.require_every_file(class_, files, all_known=False)
                names: dict[str, set[str]] = {}
                for hand_in in class_.hand_ins:
                    for shown in (hand_in.shown, *hand_in.others):
                        names.setdefault(hand_in.person.id, set()).add(files[shown].name)
                self.assertEqual({id: found for id, found in names.items() if len(found) > 1}, {})
                listed = [row.person for each in class_.rosters for row in each.rows.values()]
                self.assertTrue(all(listed))
                for each in class_.rosters:
                    self.assertEqual(len({row.person.id for row in each.rows.values()}), len(each.rows))

    def require_everyone(self, class_, students: list[Student]) -> None:
        by_mail = {person.keys.get("email", "").casefold() or None: person for person in class_.people}
        self.assertEqual(set(by_mail) - {None}, {student.email for student in students})
        self.assertEqual(sorted(person.name for person in class_.people if "email" not in person.keys), ["guest", "stranger"])
        for student in students:
            keys = by_mail[student.email].keys
            self.assertEqual((keys["sid"], keys["login"].casefold(), keys["canvas_id"], keys["github"].casefold()), (student.sid, student.login, student.canvas, student.github))

    def require_every_file(self, class_, files: dict[str, Student], all_known: bool = True) -> None:
        seen = [(shown, hand_in.person) for hand_in in class_.hand_ins for shown in (hand_in.shown, *hand_in.others)]
        self.assertEqual(len(seen), len({shown for shown, _ in seen}))
        others = {each.shown for each in class_.others}
        for path, student in files.items():
            owners = [person.keys.get("email", "").casefold() if all_known else student.email for shown, person in seen if shown == path]
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
            self.assertEqual(len(rows), sum(key in person.keys for person in class_.people))
            self.assertEqual({(by_key[key, row[column]], lab): float(row[titles[lab]]) for row in rows for lab in made.labs},
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
            columns = {lab: "Lab 3: nbody (77)" for lab in titles if lab.number == "03"}
        rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=each.delimiter))
        self.assertEqual({(each.rows[index].person.id, lab): float(rows[index][title]) for index in each.rows for lab, title in columns.items()},
                         {(each.rows[index].person.id, lab): table[each.rows[index].person.id, lab] for index in each.rows for lab in columns})


if __name__ == "__main__":
    unittest.main()
