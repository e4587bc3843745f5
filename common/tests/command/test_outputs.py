"""What comes back from a class as tables: points, items, imports for Moodle and Canvas, JUnit, the instructor's pages."""
import csv
import datetime
import html
import html.parser
import io
import json
import random
import re
import shutil
import unittest
import urllib.parse
import xml.etree.ElementTree as ElementTree
import zipfile
from decimal import Decimal

import graded as classes
from fakes import ROOT, Scratch, captured
from graded import ITEMS, SEED

from command import grade
from command.classroom import changes, feedback, junit, outputs, pages, statistics
from command.classroom.systems import gradescope, nbgrader
from command.workbook import Workbook

#: OWASP, CSV Injection: https://owasp.org/www-community/attacks/CSV_Injection
FORMULA = re.compile(r"[=+\-@\t\r]")
#: What the pages are made of: nothing that runs, loads or sends something.
TAGS = set("html head meta title style body h1 h2 h3 p a ul li table caption thead tbody tr th td span i div pre mark code br nav figure "
           "figcaption picture source img details summary".split())
NUMBER = re.compile(r"-?\d+(\.\d+)?")


def rows_of(text: str) -> list[list[str]]:
    """RFC 4180, strictly; every row has as many cells as the first."""
    rows = list(csv.reader(io.StringIO(text), strict=True))
    assert len({len(row) for row in rows}) == 1, rows
    return rows


def require_harmless(test: unittest.TestCase, text: str) -> None:
    """No control character, nothing that turns the direction of writing, no formula."""
    test.assertFalse(re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", text), repr(text))
    for row in rows_of(text):
        for cell in row:
            test.assertFalse(FORMULA.match(cell) and not NUMBER.fullmatch(cell), cell)


class Page(html.parser.HTMLParser):
    """A page's tags, its links and pictures, and its text; every tag that is opened is closed in order."""

    VOID = {"meta", "img", "br", "source", "link", "hr"}

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.links, self.sources, self.text, self._open = set(), [], [], "", []
        self.feed(text)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        values = dict(attributes)
        assert not any(name.startswith("on") for name in values), attributes
        self.links += [values["href"]] if "href" in values else []
        self.sources += [value for name, value in attributes if name in ("src", "srcset")]
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag, tag

    def handle_data(self, data):
        if self._open[-1:] not in (["style"], ["script"]):
            self.text += data


def require_safe(test: unittest.TestCase, text: str) -> Page:
    """No script, no frame, no form; links lead to files beside the page; pictures are in it."""
    page = Page(text)
    test.assertLessEqual(page.tags, TAGS)
    for link in page.links:
        test.assertRegex(link, r"^(?:[A-Za-z0-9._/#-]|%[89A-F][0-9A-F])+$")
    for source in page.sources:
        test.assertRegex(source, r"^data:image/(png|svg\+xml);base64,[A-Za-z0-9+/=]+$")
    test.assertFalse(re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", text))
    return page


class Points(Scratch):
    def rows(self, said=None) -> dict[str, dict[str, str]]:
        text = outputs.csv_text(outputs.points_rows(classes.graded(self.folder, said)))
        require_harmless(self, text)
        head, *rows = rows_of(text)
        return {row[0]: dict(zip(head, row)) for row in rows}

    def test_each_student_has_a_row_with_the_points_of_each_lab_and_the_sums(self):
        rows = self.rows()
        self.assertEqual([rows[f"person-{place}"]["01-coalescing"] for place in range(6)], ["6", "4", "5", "0", "0", "3"])
        self.assertEqual({row["01-coalescing max"] for name, row in rows.items() if name != "person-5"}, {"6"})
        for row in rows.values():
            self.assertEqual((row["total"], row["max"]), (row["01-coalescing"], row["01-coalescing max"]))

    def test_names_stay_in_full_unicode_and_systems_keys_have_columns(self):
        rows = self.rows()
        self.assertEqual(rows["person-2"]["name"], "王小明")
        self.assertEqual((rows["person-2"]["moodle_id"], rows["person-2"]["login"], rows["person-1"]["github"]), ("72", "u2", "gh1"))

    def test_late_and_not_judged_labs_and_remarks_are_counted(self):
        rows = self.rows({"labs": {"01": {"deadline": "2026-11-30T10:00:00Z"}}, "late": {"percent_per_day": 50}})
        self.assertEqual((rows["person-0"]["late"], rows["person-0"]["01-coalescing"], rows["person-4"]["late"]), ("01", "3", ""))
        self.assertEqual((rows["person-5"]["not judged"], rows["person-0"]["remarks"], rows["person-1"]["remarks"]), ("01", "1", "0"))

    def test_weights_and_items_left_out_change_every_table(self):
        said = {"labs": {"01": {"points": 60, "leave_out": ["adds quickly"]}}}
        self.assertEqual(self.rows(said)["person-2"]["01-coalescing"], "60")
        made = classes.graded(self.folder, said)
        items = outputs.csv_text(outputs.items_rows(made))
        self.assertNotIn("adds quickly", items)
        self.assertIn("60", rows_of(outputs.csv_text(outputs.canvas_rows(made)))[1])
        self.assertNotIn('<testcase name="adds quickly"', junit.text(made))
        numbers = statistics.of_lab(made, made.labs[0])
        self.assertEqual(({item.name for item in numbers.items}, "uncoalesced" in {each.id for each in numbers.diagnoses}),
                         ({"adds one", "sums columns"}, False))
        self.assertEqual(outputs.comment(made.by_lab(made.class_.people[2])["01"]),
                         "Every item has passed. 'adds quickly' does not count in this course. 5 of 5 points are 60 of 60 in this course.")


class TheSameEverywhere(Scratch):
    """The terminal, the pages and every export say the same two decimals."""

    LABS = ("01", "02", "04")

    def require_same(self, made) -> None:
        """What is read back from everywhere is the marks, and the sums of a person's are the totals."""
        classes.listed(made)
        people, labs = made.class_.people, made.labs
        own = [[made.by_lab(person)[lab.number] for lab in labs] for person in people]
        points = [[str(mark.points) for mark in marks] for marks in own]
        most = [[str(mark.max_points) for mark in marks] for marks in own]
        sums = [[str(float(sum(map(Decimal, row)))).removesuffix(".0") for row in rows] for rows in (points, most)]
        imported = [["" if mark.undecided else str(mark.points) for mark in marks] for marks in own]
        worth = [str(outputs.most_points(made, lab)) for lab in labs]

        head, *rows = rows_of(outputs.csv_text(outputs.points_rows(made)))
        rows = [dict(zip(head, row)) for row in rows]
        self.assertEqual([[row[lab.name] for lab in labs] for row in rows], points)
        self.assertEqual([[row[f"{lab.name} max"] for lab in labs] for row in rows], most)
        self.assertEqual([[row[name] for row in rows] for name in ("total", "max")], sums)
        self.assertEqual([row[3::2] for row in rows_of(outputs.csv_text(outputs.moodle_rows(made)))[1:]], imported)
        self.assertEqual([row[5:] for row in rows_of(outputs.csv_text(outputs.canvas_rows(made)))[1:]], [worth, *imported])
        for place, lab in enumerate(labs):
            sheet = {row[1]: row[3:5] for row in rows_of(outputs.csv_text(outputs.worksheet_rows(made, lab)))[1:]}
            names = [person.name for person in people if person.keys.get("moodle_id")]
            self.assertEqual(list(sheet), names)
            self.assertEqual(sheet, {person.name: [row[place], worth[place]] for person, row in zip(people, imported) if person.name in sheet})
        table = [dict(zip(nbgrader.COLUMNS, row)) for row in rows_of(nbgrader.results(made))[1:]]
        self.assertEqual([(row["score"], row["max_score"]) for row in table], [pair for pairs in map(zip, points, most) for pair in pairs])
        for row in table:
            self.assertEqual(Decimal(row["raw_score"]) - Decimal(row["late_submission_penalty"]), Decimal(row["score"]))
        said = [{each.get("name"): each.get("value") for each in suite.iter("property")} for suite in ElementTree.fromstring(junit.text(made).encode())]
        self.assertEqual([(each["points"], each["max_points"]) for each in said], [pair for pairs in map(zip, points, most) for pair in pairs])
        with captured() as (terminal, _):
            grade.show(made, self.folder, [], [])
        index = Page(outputs.index_page(made, [])).text
        for person, got, full, one, all_ in zip(people, points, most, *sums):
            for page in (Page(feedback.html_page(made, person, {})).text, feedback.markdown_page(made, person, {})):
                for words in (f"{one} of {all_} points", *(f"{point} of {worth} points" for point, worth in zip(got, full))):
                    self.assertIn(words, page)
            self.assertIn(f"{one}/{all_}", index)
            self.assertIn(f"{one}/{all_}", terminal.getvalue())
            for mark in made.of(person):
                if mark.hand_in or mark.correction:
                    self.assertIn(f"{mark.points}/{mark.max_points}", terminal.getvalue())

    def test_thirds_of_a_total_are_the_same_numbers_everywhere(self):
        made = classes.graded(self.folder, {"total": 100, "labs": {lab: {} for lab in self.LABS}}, ["Zoë Müller", "王小明"], self.LABS)
        self.assertEqual([mark.points for mark in made.marks], [33.34, 33.33, 33.33, 27.78, 27.78, 27.78])
        self.require_same(made)

    def test_random_rules_give_the_same_numbers_everywhere(self):
        pick = random.Random(49)
        for _ in range(25):
            said = classes.random_rules(pick, self.LABS)
            if pick.random() < 0.5:
                said["corrections"] = [{"student": f"person-{pick.randrange(6)}", "lab": "01", "points": 0.05, "comment": "So it is.", "author": "T. Smith"}]
            with self.subTest(said=said):
                self.require_same(classes.graded(self.folder, said, labs=self.LABS))

    def test_full_points_in_the_statistics_are_those_of_full_work(self):
        for said in ({}, {"total": 10, "labs": {lab: {} for lab in self.LABS}}, {"labs": {"01": {"points": 9.4}}, "round": {"to": 1}}):
            made = classes.graded(self.folder, said, labs=self.LABS)
            page = statistics.page(made, [statistics.of_lab(made, lab) for lab in made.labs], {})
            cells = [re.findall(r"<td[^>]*>(.*?)</td>", row)[-1] for row in re.findall(r'<tr><th scope="row"><a href="#lab.*?</tr>', page)]
            self.assertEqual(cells, ["1", "1", "1"])  # one of six: an item of another one was not judged


class Corrections(Scratch):
    """What a person says of a mark is shown with the name, on the page and in the exports."""

    SAID = {"corrections": [{"student": student, "lab": "01", "points": 5.5, "comment": "The machine was late; see <mail>.", "author": "T. Smith"}
                            for student in ("person-0", "person-3", "person-4")]}
    WORDS = "T. Smith: The machine was late; see <mail>. (5.5 points instead of"

    def test_a_comment_alone_corrects_nothing(self):
        made = classes.graded(self.folder, {"corrections": [{"student": "person-0", "lab": "01", "comment": "See me.", "author": "T. Smith"}]})
        self.assertEqual(outputs.flags(made, made.marks[0]), ["comment"])
        with captured() as (terminal, _):
            grade.show(made, self.folder, [], [])
        for text in (Page(outputs.index_page(made, [])).text, terminal.getvalue()):
            self.assertNotIn("corrected", text)

    def test_pages_and_exports_say_whose_points_these_are(self):
        made = classes.listed(classes.graded(self.folder, self.SAID))
        head, *rows = rows_of(outputs.csv_text(outputs.points_rows(made)))
        rows = [dict(zip(head, row)) for row in rows]
        for place, instead in ((0, 6), (3, 0), (4, 0)):
            words = f"{self.WORDS} {instead}.)"
            self.assertEqual((rows[place]["total"], rows[place]["corrections"]), ("5.5", f"Lab 01: {words}"))
            moodle = rows_of(outputs.csv_text(outputs.moodle_rows(made)))[1 + place]
            self.assertEqual(moodle[3], "5.5")
            self.assertIn(words, html.unescape(moodle[4]))
            self.assertEqual(rows_of(outputs.csv_text(outputs.canvas_rows(made)))[2 + place][-1], "5.5")
            self.assertIn(words, require_safe(self, feedback.html_page(made, made.class_.people[place], {})).text)
            self.assertIn("> T. Smith: The machine was late", feedback.markdown_page(made, made.class_.people[place], {}))
            suite = ElementTree.fromstring(junit.text(made).encode())[place]
            self.assertIn(words, [each.get("value") for each in suite.iter("property")])
        sheet = rows_of(outputs.csv_text(outputs.worksheet_rows(made, made.labs[0])))[1:]
        self.assertEqual([row[3] for row in sheet], ["5.5", "5", "5.5"])  # also of who handed nothing in
        self.assertEqual(Page(outputs.index_page(made, [])).text.count("corrected: 01"), 3)
        self.assertEqual(rows[1]["corrections"], "")
        self.assertNotIn("T. Smith", feedback.html_page(made, made.class_.people[1], {}))
        one = classes.graded(self.folder, self.SAID, ["Zoë Müller"])
        self.assertIn("T. Smith", json.loads(gradescope.results(one))["output"])
        self.assertEqual(nbgrader.results(one).splitlines()[1].split(",")[-4:], ["5.5", "0", "5.5", "6"])


class Changes(Scratch):
    """The list of marks that a later grading has changed; test_grade.py has it with the verb."""

    def changed(self, said=None, **more) -> list[tuple[str, str]]:
        made = classes.graded(self.folder, said, **more)
        self.alter(made)
        found = [(row[1], row[-1]) for row in changes.since_the_last(made, self.folder / "journal")]
        changes.were_shown(self.folder / "journal")
        return found

    def alter(self, made) -> None:
        pass

    def test_each_cause_is_told_apart(self):
        late = {"labs": {"01": {"deadline": "2026-11-30T13:00:00Z"}}, "late": {"percent_per_day": 50}}
        self.assertEqual([self.changed(late), self.changed(late)], [[], []])

        def later(made):
            hand_in = made.marks[0].hand_in
            hand_in.submitted += datetime.timedelta(hours=3)
            made.marks[0] = made.rules.choose(hand_in.person, hand_in.lab, [(hand_in, made.marks[0].verdict)])

        self.alter = later
        self.assertEqual(self.changed(late), [("person-0", "time of submission")])

        def worse(made):
            later(made)
            mark = made.marks[2]
            failed = classes.verdict(classes.results(first=classes.UNCOALESCED, second=classes.UNCOALESCED))
            made.marks[2] = made.rules.choose(mark.person, mark.lab, [(mark.hand_in, failed)])

        self.alter = worse
        self.assertEqual(self.changed(late), [("person-2", "judged again")])
        self.alter = lambda made: (later(made), setattr(made, "seed", made.seed + 1))
        self.assertEqual(self.changed(late), [("person-2", "seed")])
        late["extra_time"] = {"person-0": {"days": 1}}  # one's own alone
        self.assertEqual(self.changed(late), [("person-0", "rule")])
        late["labs"]["01"]["items"] = {"adds one": 3}

        def same(made):
            for mark in made.marks:
                if mark.hand_in:
                    mark.hand_in.sha256 = "of a file that comes to the same"

        self.alter = same
        self.assertEqual({why for id, why in self.changed(late) if id not in ("person-0", "person-2")}, {"rule"})

    def test_a_change_that_a_killed_run_did_not_tell_is_told_by_the_next(self):
        self.changed()
        for less, told in ((1, 1), (1, 1), (0, 2), (0, 2)):
            made = classes.graded(self.folder)
            made.marks[0].points -= less
            self.assertEqual([row[1] for row in changes.since_the_last(made, self.folder / "journal")], ["person-0"] * told)
        changes.were_shown(self.folder / "journal")
        self.assertEqual(self.changed(), [])
        self.assertEqual(len(made.changes), 2)

    def test_who_is_excused_now_has_another_mark_for_this_alone(self):
        self.changed()
        self.alter = lambda made: made.marks[0].excuse("EX", "Excused in Canvas.")
        self.assertEqual((self.changed(), self.changed()), ([("person-0", "excused")], []))
        self.alter = lambda made: None
        self.assertEqual(self.changed(), [("person-0", "excused")])

    def test_a_rule_is_a_cause_where_the_mark_would_be_another_one_without_it(self):
        """A row of the table that concerned two hand-ins was named as a reason for all that had changed otherwise."""
        due, table = {"labs": {"01": {"deadline": "2026-11-30T10:00:00Z"}}}, [{"hours": 6, "percent": 50}, {"days": 2, "percent": 80}]  # handed in 2 hours late
        later = {**due, "late": {"table": [table[0], {"days": 2, "percent": 90}]}}
        higher = {**due, "late": {"table": [{"hours": 6, "percent": 60}, table[1]]}}
        excused = {**higher, "excused": {"person-0": {}}}

        def worse(made):
            mark = made.marks[0]
            mark.hand_in.sha256 = "another"
            made.marks[0] = made.rules.choose(mark.person, mark.lab, [(mark.hand_in, classes.verdict(classes.results(first=classes.UNCOALESCED)))])

        for rules, alter, why in ((later, worse, "file"), (higher, worse, "file, rule"), (higher, lambda made: None, "rule"), (excused, None, "excused")):
            shutil.rmtree(self.folder / "journal", ignore_errors=True)
            self.alter = lambda made: None
            self.changed({**due, "late": {"table": table}})
            self.alter = alter or (lambda made: (worse(made), made.marks[0].excuse("EX", "Excused in this course.")))
            self.assertEqual(dict(self.changed(rules))["person-0"], why)
        made = classes.graded(self.folder, excused)
        made.marks[0].excuse("EX", "Excused in this course.")
        shutil.rmtree(self.folder / "journal")
        self.alter = lambda made: None
        self.changed(higher)
        [row] = changes.since_the_last(made, self.folder / "journal")
        self.assertEqual((row[4:], changes.in_words([row])), ([2.4, 6, "EX", "", "excused"], ["Zoë Müller, 01-coalescing: 2.4/6 -> EX (excused)"]))

    def test_a_mark_that_is_asked_about_is_no_mark_and_the_question_is_the_cause(self):
        self.changed()
        self.alter = lambda made: made.marks[0].hold("This is a draft in Moodle.")
        self.assertEqual((self.changed(), self.changed()), ([("person-0", "question")], []))
        self.alter = lambda made: None
        self.assertEqual(self.changed(), [("person-0", "question")])

    def test_a_question_that_ended_with_a_late_time_or_a_correction_has_these_as_causes_too(self):
        due = {"labs": {"01": {"deadline": "2026-11-30T13:00:00Z"}}, "late": {"percent_per_day": 50}}
        given = {**due, "corrections": [{"student": "person-0", "lab": "01", "points": 5, "comment": "x", "author": "y"}]}

        def counted(made):
            hand_in = made.marks[0].hand_in
            hand_in.submitted += datetime.timedelta(hours=hours)
            made.marks[0] = made.rules.choose(hand_in.person, hand_in.lab, [(hand_in, made.marks[0].verdict)])

        for hours, rules, why in ((3, due, "time of submission, question"), (-3, due, "question"), (0, given, "override, question")):
            shutil.rmtree(self.folder / "journal", ignore_errors=True)
            self.alter = lambda made: made.marks[0].hold("This is a draft in Moodle.")
            self.changed(due)
            self.alter = counted
            self.assertEqual(self.changed(rules), [("person-0", why)])

    def test_where_another_one_of_the_same_files_counts_the_rule_or_the_time_is_the_cause(self):
        """Where the best attempt counted instead of the last, the list named the file and the time, and not the rule."""
        def one(number: int, *times: str):
            def alter(made):
                mark = made.marks[0]
                mark.hand_in.given = [*zip(("first", "second"), times)]
                mark.hand_in.sha256, mark.hand_in.submitted = ("first", "second")[number], datetime.datetime.fromisoformat(times[number])
                failed = {"first": classes.UNCOALESCED} if number else {}
                made.marks[0] = made.rules.choose(mark.person, mark.lab, [(mark.hand_in, classes.verdict(classes.results(**failed)))])
            return alter

        early, late = "2026-11-30T10:00:00+00:00", "2026-11-30T20:00:00+00:00"
        due = {"labs": {"01": {"deadline": "2026-11-30T13:00:00Z"}}, "late": {"percent_per_day": 50}}
        best = {**due, "attempts": {"counts": "best"}}
        for rules, before, after, why in ((best, one(1, early, late), one(0, early, late), "rule"), (due, one(1, early, late), one(0, late, early), "time of submission"),
                                          ({**due, "contact": "a@example.org"}, one(1, early, early), one(0, late, early), "time of submission"),
                                          (due, one(1, early, early), one(0, early, early), "file")):
            shutil.rmtree(self.folder / "journal", ignore_errors=True)
            self.alter = before
            self.changed(due)
            self.alter = after
            self.assertEqual(self.changed(rules), [("person-0", why)])

    def test_only_what_can_have_acted_is_a_cause(self):
        def changing(*changed):
            """A new time, or another file and another verdict."""
            def alter(made):
                mark = made.marks[0]
                if "time" in changed:
                    mark.hand_in.submitted -= datetime.timedelta(hours=3)
                found = mark.verdict
                if "file" in changed:
                    mark.hand_in.sha256, found = "another", classes.verdict(classes.results(first=classes.UNCOALESCED))
                made.marks[0] = made.rules.choose(mark.person, mark.lab, [(mark.hand_in, found)])
            return alter

        given = {"corrections": [{"student": "person-0", "lab": "01", "points": 5.5, "comment": "x", "author": "y"}]}
        comment = {"corrections": [{"student": "person-0", "lab": "01", "comment": "x", "author": "y"}]}
        late = {"late": {"percent_per_day": 50}}
        due = {**late, "labs": {"01": {"deadline": "2026-11-30T10:00:00Z"}}}
        later = {**late, "labs": {"01": {"deadline": "2026-12-30T10:00:00Z"}}}
        for before, after, changed, why in (({}, given, ["time"], "override"), (late, {**late, **given}, ["time", "file"], "override"),
                                            (given, {}, ["file"], "file, override"), ({}, comment, ["file"], "file"), (late, {}, ["time", "file"], "file"),
                                            (due, due, ["time"], "time of submission"), (due, later, [], "rule"), (due, later, ["time"], "rule, time of submission"),
                                            (later, late, ["file"], "file"), ({}, {**given, "labs": {"01": {"points": 7}}}, ["file"], "rule, override")):
            with self.subTest(before=before, after=after, changed=changed):
                shutil.rmtree(self.folder / "journal", ignore_errors=True)
                self.alter = lambda made: None
                self.changed(before)
                self.alter = changing(*changed)
                self.assertEqual(dict(self.changed(after))["person-0"], why)

    def test_a_first_file_has_its_time_as_a_cause_only_where_it_is_late(self):
        for due, why in (("2026-11-30T13:00:00Z", "file"), ("2026-11-30T10:00:00Z", "file, time of submission")):
            rules = {"labs": {"01": {"deadline": due}}, "late": {"percent_per_day": 50}}
            shutil.rmtree(self.folder / "journal", ignore_errors=True)
            self.alter = lambda made: made.marks.__setitem__(0, made.rules.choose(made.marks[0].person, made.marks[0].lab, []))
            self.changed(rules)
            self.alter = lambda made: None
            self.assertEqual(self.changed(rules), [("person-0", why)])

    def test_an_extension_is_a_cause_of_its_own(self):
        """It was a rule, and the system's word that the file was late, which ended with it, was a time of submission."""
        rules = {"labs": {"01": {"deadline": "2026-11-30T10:00:00Z"}}, "late": {"percent_per_day": 50}}

        def extended(days: int):
            def alter(made):
                mark = made.marks[0]
                mark.hand_in.late, mark.hand_in.late_by = not days, None if days else datetime.timedelta(hours=2)
                made.rules.extensions = {(mark.person.id, mark.lab.name): datetime.datetime(2026, 11, 30 - days, 12, tzinfo=datetime.timezone.utc)} if days else {}
                made.marks[0] = made.rules.choose(mark.person, mark.lab, [(mark.hand_in, mark.judged)])
            return alter

        def granted(made):
            extended(1)(made)
            made.rules.extensions = {key: time + datetime.timedelta(days=2) for key, time in made.rules.extensions.items()}
            made.marks[0] = made.rules.choose(made.marks[0].person, made.marks[0].lab, [(made.marks[0].hand_in, made.marks[0].judged)])

        self.alter = extended(0)
        self.changed(rules)
        for alter, wanted in ((extended(1), []), (granted, [("person-0", "extension")]), (granted, []), (extended(0), [("person-0", "extension")])):
            self.alter = alter
            self.assertEqual(self.changed(rules), wanted)
        self.alter = lambda made: (granted(made), setattr(made.marks[0].hand_in, "sha256", "another"))
        self.assertEqual(self.changed({**rules, "extra_time": {"person-2": {"days": 1}}})[0], ("person-0", "extension"))

    def test_labs_that_are_not_graded_now_are_remembered(self):
        self.changed(labs=("01", "02"))
        self.assertEqual(self.changed(labs=("01",)), [])
        self.assertEqual({why for _, why in self.changed({"labs": {"02": {"points": 12}}}, labs=("02",))}, {"rule"})

    def test_a_long_list_is_cut_on_the_terminal_alone(self):
        rows = [["", f"person-{place}", f"Person {place}", "01-coalescing", "", "", 2.5, 6, "new in the class"] for place in range(99)]
        lines = changes.in_words(rows)
        self.assertEqual((lines[0], lines[-1], len(lines)), ("Person 0, 01-coalescing: no mark -> 2.5/6 (new in the class)", "… and 59 more, in changes.csv", 41))


class Items(Scratch):
    def rows(self) -> list[dict[str, str]]:
        text = outputs.csv_text(outputs.items_rows(classes.graded(self.folder)))
        require_harmless(self, text)
        head, *rows = rows_of(text)
        return [dict(zip(head, row)) for row in rows]

    def test_each_item_has_a_row_with_status_diagnosis_todo_and_reason(self):
        rows = [row for row in self.rows() if row["id"] == "person-2"]
        self.assertEqual([(row["item"], row["points"], row["max_points"], row["status"], row["diagnosis"], row["todo"]) for row in rows],
                         [("adds one", "2", "2", "passed", "", "1"), ("adds quickly", "0", "1", "failed", "uncoalesced", "1"),
                          ("sums columns", "3", "3", "passed", "", "2")])
        self.assertIn("8192 sectors", rows[1]["reason"])

    def test_a_file_that_does_not_compile_says_so_in_each_row(self):
        rows = [row for row in self.rows() if row["id"] == "person-3"]
        self.assertEqual({(row["points"], row["status"], row["diagnosis"]) for row in rows}, {("0", "failed", "compile-error")})
        self.assertEqual(len(rows), len(ITEMS))

    def test_nothing_handed_in_is_one_row_and_a_fault_has_its_sentence(self):
        [row] = [row for row in self.rows() if row["id"] == "person-4"]
        self.assertEqual((row["status"], row["points"], row["max_points"]), ("missing", "0", "6"))
        [row] = rows_of(outputs.csv_text(outputs.items_rows(classes.faulty(self.folder))))[1:]
        self.assertEqual((row[6], row[7]), ("failed", "not-a-source"))
        self.assertIn("symbolic link", row[9])


class Moodle(Scratch):
    def test_the_gradebook_import_names_users_by_username_and_email(self):
        """grade/import/csv/classes/load_data.php maps a column to username or email and each other one to a grade item, a new one or a
        feedback; a grade is a number, empty or -, and unformat_float() takes a point or the language's comma."""
        text = outputs.csv_text(outputs.moodle_rows(classes.listed(classes.graded(self.folder))))
        require_harmless(self, text)
        head, *rows = rows_of(text)
        self.assertEqual((head, len(rows)), (["Full name", "Username", "Email address", "Lab 01: coalescing", "Lab 01: coalescing (Feedback)"], 6))
        self.assertEqual(rows[0][:4], ["Zoë Müller", "u0", "u0@example.org", "6"])
        for row in rows:
            self.assertRegex(row[3], r"^(\d+(\.\d+)?)?$")
            self.assertNotIn("<", row[4])

    def test_no_row_lacks_what_the_import_finds_a_user_by_and_who_is_left_out_is_said(self):
        """prepare_import_grade_data() of load_data.php skips an empty cell of the user, and keeps the user of the row before: marks of whom only GitHub
        knows would be another one's."""
        made = classes.graded(self.folder)
        people = made.class_.people
        for change, column, names in (({}, ["Username", "Email address"], [0, 2, 4]), ({1: {"email": "y@x.org"}}, ["Email address"], [0, 1, 2, 4]),
                                      ({3: {"login": "y"}, 5: {"login": "i"}}, ["Username"], [0, 2, 3, 4, 5])):
            for place, keys in change.items():
                people[place].keys.update(keys)
            made.class_.notes.clear()
            outputs.write_all(made, self.folder / "out")
            head, *rows = rows_of((self.folder / "out/moodle.csv").read_text(encoding="utf-8"))
            self.assertEqual(head[1:-2], column)
            self.assertEqual([row[1:-2] for row in rows], [[people[place].keys["login" if each == "Username" else "email"] for each in column] for place in names])
            left = len(people) - len(names)
            self.assertTrue(any(note.startswith(f"moodle.csv leaves out {left} {'person' if left == 1 else 'people'}, whom it could not name to the import: ") for note in
                                made.class_.notes), made.class_.notes)

    def test_a_comment_says_what_is_wrong_with_a_file_that_is_no_text(self):
        made = classes.graded(self.folder)
        mark = next(mark for mark in made.marks if mark.verdict and mark.verdict.build_failure)
        self.assertEqual(outputs.comment(mark), "The file could not be built. The feedback page says why.")
        mark.verdict.build_failure.diagnoses, mark.hand_in.shown = ["not-a-source"], "class.zip/Yvonne_3_assignsubmission_file/main.cu"
        mark.verdict.build_failure.reason = f"{mark.hand_in.shown} is saved as UTF-16."
        self.assertEqual(outputs.comment(mark), "main.cu is saved as UTF-16.")
        self.assertEqual(outputs.comment(classes.faulty(self.folder).marks[0]), "coalescing.cu is a symbolic link.")
        mark.verdict.build_failure.diagnoses, mark.verdict.build_failure.reason = ["empty-file"], f"{mark.hand_in.shown} is empty."
        self.assertEqual(outputs.comment(mark), "main.cu is empty.")
        outputs.write_all(made, self.folder / "out")
        page = (self.folder / "out/feedback" / mark.person.folder / "feedback.md").read_text(encoding="utf-8")
        self.assertRegex(page, r"main\.cu is empty\. So none of the \d items was run\.")

    def test_what_was_not_judged_is_no_grade(self):
        rows = rows_of(outputs.csv_text(outputs.moodle_rows(classes.listed(classes.graded(self.folder)))))
        self.assertEqual((rows[-1][0], rows[-1][3]), ("Ivan", ""))

    def test_a_grading_worksheet_has_what_its_importer_looks_for(self):
        """assignfeedback_offline_grade_importer::init() of mod/assign/feedback/offline/importgradeslib.php needs the columns Identifier,
        Grade and Last modified (grade); next() cuts "Participant " off the identifier, and what is left is a number."""
        made = classes.graded(self.folder)
        made.class_.hand_ins[2].shown = "王小明_4711_assignsubmission_file_/coalescing.cu"
        text = outputs.csv_text(outputs.worksheet_rows(made, made.labs[0]))
        require_harmless(self, text)
        head, *rows = rows_of(text)
        for column in ("Identifier", "Grade", "Last modified (grade)", "Feedback comments"):
            self.assertIn(column, head)
        participants = {row[0]: dict(zip(head, row)) for row in rows}
        self.assertEqual(set(participants), {"Participant 70", "Participant 4711", "Participant 74"})  # a folder's own number comes first
        self.assertEqual((participants["Participant 74"]["Grade"], participants["Participant 74"]["Feedback comments"]), ("0", "No file was handed in."))
        self.assertEqual(participants["Participant 4711"]["Grade"], "5")
        for row in participants.values():
            self.assertLessEqual(float(row["Grade"]), float(row["Maximum Grade"]))  # else the importer skips it


    def test_feedback_files_are_in_folders_that_the_importer_knows(self):
        """assignfeedback_file_zip_importer::is_valid_filename_for_import() of mod/assign/feedback/file/importziplib.php: of a folder's name
        explode('_', …, 5) gives name, number, assignfeedback and file, and before 4.1 there has to be a fifth part."""
        made = classes.graded(self.folder)
        made.class_.hand_ins[0].shown = "Zoë Müller_70_assignsubmission_file/coalescing.cu"
        made.class_.people[2].__dict__["id"] = "with_an_underscore"
        outputs.write_all(made, self.folder / "out")
        with zipfile.ZipFile(self.folder / "out" / "moodle-feedback-01.zip") as archive:
            names = archive.namelist()
            self.assertIn("王小明", archive.read(next(name for name in names if "_72_" in name)).decode())
        for name in names:
            folder, file = name.split("/")
            parts = folder.split("_", 4)
            self.assertEqual((parts[2:], parts[1].isdigit()), (["assignfeedback", "file", ""], True))
            self.assertEqual(file, "feedback.html")
        self.assertEqual({name.split("_")[1] for name in names}, {"70", "72", "74"})  # those whom Moodle knows


class Canvas(Scratch):
    def test_the_file_is_one_that_the_gradebook_importer_reads(self):
        """lib/gradebook_importer.rb: row_has_student_headers?, update_column_count, header? (the last student column says Section),
        check_for_non_student_row (Points Possible), and CSV.foreach with commas."""
        made = classes.graded(self.folder)
        self.assertEqual([row[0] for row in outputs.canvas_rows(made)[2:]], [made.class_.people[place].name for place in (0, 2, 4)])  # a name may be another one's
        classes.listed(made)
        made.class_.people[2].keys["sid"] = "s2"
        text = outputs.csv_text(outputs.canvas_rows(made))
        require_harmless(self, text)
        head, possible, *rows = rows_of(text)
        self.assertTrue(len(head) > 3 and "Student" in head[0] and "ID" in head[1])
        columns = 3
        self.assertRegex(head[columns - 1], r"SIS\s+User\s+ID")
        self.assertRegex(head[columns], r"SIS\s+Login\s+ID")
        columns += 2
        self.assertIn("Section", head[columns - 1])
        self.assertEqual(head[columns:], ["Lab 01: coalescing"])
        self.assertNotRegex(head[-1], r"Current Score|Final Score|Override Score|\(\d+\)$")
        self.assertIn("Points Possible", possible[0])
        self.assertEqual(possible[-1], "6")
        self.assertEqual([row[-1] for row in rows], ["6", "4", "5", "0", "0", ""])
        self.assertEqual(rows[2][:5], ["王小明", "92", "s2", "u2", ""])


class JUnit(Scratch):
    """Jenkins' schema, src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd of
    https://github.com/jenkinsci/xunit-plugin, and Ant's, https://github.com/windyroad/JUnit-Schema/blob/master/JUnit.xsd, which is the
    stricter one."""

    REQUIRED = {"name", "timestamp", "hostname", "tests", "failures", "errors", "time", "package", "id"}
    TOKEN = re.compile(r"\S+( \S+)*")
    TIME = re.compile(r"\d+(\.\d+)?")

    def require_valid(self, text: str) -> ElementTree.Element:
        root = ElementTree.fromstring(text.encode())
        self.assertEqual((root.tag, root.attrib), ("testsuites", {}))  # Ant's has no attributes there
        self.assertEqual([suite.get("id") for suite in root], [str(place) for place in range(len(root))])
        for suite in root:
            self.require_valid_suite(suite)
        return root

    def require_valid_suite(self, suite: ElementTree.Element) -> None:
        self.assertLessEqual(self.REQUIRED, set(suite.attrib))
        self.assertLessEqual(set(suite.attrib), self.REQUIRED | {"skipped", "disabled", "file", "log", "url", "version", "group"})
        self.assertRegex(suite.get("timestamp"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")
        order = [child.tag for child in suite]
        self.assertEqual(order, sorted(order, key=["properties", "testcase", "system-out", "system-err"].index))
        self.assertEqual([order.count(tag) for tag in ("properties", "system-out", "system-err")], [1, 1, 1])
        for each in suite.find("properties"):
            self.assertEqual((each.tag, set(each.attrib)), ("property", {"name", "value"}))
            self.assertRegex(each.get("name"), self.TOKEN)
        found = {"failure": 0, "error": 0, "skipped": 0}
        for case in suite.findall("testcase"):
            self.assertEqual(set(case.attrib), {"name", "classname", "time"})
            self.assertTrue(self.TOKEN.fullmatch(case.get("name")) and self.TOKEN.fullmatch(case.get("classname")))
            self.assertRegex(case.get("time"), self.TIME)
            self.assertLessEqual(len(case), 1)  # a choice of error, failure and skipped
            for said in case:
                found[said.tag] += 1
                self.assertLessEqual({"message", "type"} if said.tag != "skipped" else set(), set(said.attrib))
        self.assertEqual([suite.get(name) for name in ("failures", "errors", "skipped", "tests")],
                         [str(found["failure"]), str(found["error"]), str(found["skipped"]), str(len(suite.findall("testcase")))])
        names = [case.get("name") for case in suite.findall("testcase")]
        self.assertEqual(len(names), len(set(names)))

    def test_the_document_keeps_to_both_schemas(self):
        root = self.require_valid(junit.text(classes.graded(self.folder)))
        self.assertEqual([suite.get("name") for suite in root], [f"01-coalescing.person-{place}" for place in range(6)])
        self.require_valid(junit.text(classes.faulty(self.folder)))

    def test_a_failure_has_its_sentence_its_diagnosis_and_its_details(self):
        suite = self.require_valid(junit.text(classes.graded(self.folder)))[2]
        failure = suite.find("testcase[@name='adds quickly']/failure")
        self.assertEqual(failure.get("type"), "uncoalesced")
        self.assertIn("8192 sectors", failure.get("message"))
        self.assertIn("coalescing.cu:2 | a[i] += 1;\nHandout: 'What a warp asks for'", failure.text)
        self.assertEqual(suite.find("testcase").get("time"), "0.250")

    def test_what_was_not_judged_is_an_error_and_what_was_not_handed_in_is_skipped(self):
        root = self.require_valid(junit.text(classes.graded(self.folder)))
        self.assertEqual([(suite.get("failures"), suite.get("errors"), suite.get("skipped")) for suite in root],
                         [("0", "0", "0"), ("1", "0", "0"), ("1", "0", "0"), ("4", "0", "0"), ("0", "0", "1"), ("0", "1", "0")])

    def test_properties_say_points_file_and_what_the_rules_changed(self):
        said = {"labs": {"01": {"weight": 2}}}
        suite = self.require_valid(junit.text(classes.graded(self.folder, said)))[0]
        values = {each.get("name"): each.get("value") for each in suite.find("properties")}
        self.assertEqual([values[name] for name in ("points", "max_points", "rubric_points", "student")], ["12", "12", "6", "Zoë Müller"])
        self.assertIn("12 of 12", values["note_1"])

    def test_hostile_texts_leave_no_control_character(self):
        self.assertFalse(re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202e\ufffe]", junit.text(classes.graded(self.folder))))


class InstructorsPages(Scratch):
    def write(self, **more) -> None:
        self.out = self.folder / "out"
        self.lines = outputs.write_all(classes.graded(self.folder, **more), self.out)

    def test_the_index_links_every_file_and_every_student(self):
        self.write()
        page = require_safe(self, (self.out / "index.html").read_text(encoding="utf-8"))
        files = {path.name for path in self.out.iterdir() if path.is_file()} - {"index.html"}
        self.assertLessEqual(files, set(page.links))
        for link in page.links:
            self.assertTrue((self.out / urllib.parse.unquote(link)).exists(), link)
        self.assertTrue(any(path.name.startswith("王小明-") for path in (self.out / "feedback").iterdir()))
        self.assertEqual(sum(link.startswith("feedback/") for link in page.links), 6)
        for told in (str(SEED), "confined by the kernel", "was renamed", "no lab knows it", "inline-assembly", "Zoë Müller", "王小明"):
            self.assertIn(told, page.text)

    def test_what_was_written_is_said_on_the_terminal(self):
        self.write()
        for name in ("points.csv", "items.csv", "moodle.csv", "canvas.csv", "junit.xml", "statistics.html", "index.html", "feedback"):
            self.assertTrue(any(name in line for line in self.lines), name)

    def test_no_file_holds_a_control_character_or_a_formula(self):
        self.write()
        for path in self.out.rglob("*"):
            if path.suffix == ".csv":
                require_harmless(self, path.read_text(encoding="utf-8"))
            elif path.suffix in (".html", ".md", ".xml"):
                self.assertFalse(re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", path.read_text(encoding="utf-8")), path)

    def test_a_link_cannot_be_made_of_what_a_hand_in_says(self):
        for address in ("http://evil.example", "/etc/passwd", "a b", "x\"onclick", "javascript:alert(1)"):
            with self.assertRaises(ValueError):
                pages.link(address, "words")


class Statistics(Scratch):
    def of(self, *people: str, **more) -> statistics.LabNumbers:
        made = classes.graded(self.folder, people=list(people) or None, **more)
        return statistics.of_lab(made, made.labs[0])

    def test_items_are_ordered_by_the_share_of_run_hand_ins_that_fail_them(self):
        items = self.of().items
        self.assertEqual([(item.name, item.failed, item.judged) for item in items],
                         [("adds one", 1, 4), ("adds quickly", 1, 4), ("sums columns", 0, 3)])

    def test_a_diagnosis_counts_once_for_a_hand_in_and_names_its_section(self):
        twice = {"first": classes.UNCOALESCED, "second": classes.UNCOALESCED}
        made = classes.graded(self.folder, people=["王小明"])
        made.marks[0].verdict = classes.verdict(classes.results(**twice))
        [found] = statistics.of_lab(made, made.labs[0]).diagnoses
        self.assertEqual((found.id, found.hand_ins, found.sections), ("uncoalesced", 1, ["What a warp asks for"]))

    def test_what_is_not_begun_is_no_mistake(self):
        made = classes.graded(self.folder, people=["王小明"])
        unsolved = {"reason": "TODO(1) is still to be written.", "diagnoses": ["unsolved"]}
        made.marks[0].verdict = classes.verdict(classes.results(first=unsolved))
        self.assertEqual(statistics.of_lab(made, made.labs[0]).diagnoses, [])

    def test_missing_and_late_hand_ins_and_the_distribution(self):
        numbers = self.of(said={"labs": {"01": {"deadline": "2026-11-30T10:00:00Z"}}})
        self.assertEqual((numbers.missing, len(numbers.late), len(numbers.shares)), (1, 5, 5))
        self.assertEqual(statistics.distribution([0, 0.05, 0.95, 1, 0.3]), [2, 0, 0, 1, 0, 0, 0, 0, 0, 2])
        self.assertEqual((statistics.median([3, 1, 2]), statistics.median([4, 1])), (2, 2.5))

    def test_who_is_excused_is_in_no_number(self):
        made = classes.graded(self.folder)
        made.marks[2].hold("This is a draft in Moodle.")
        made.marks[4].excuse("EX", "Excused in Canvas.")
        numbers = statistics.of_lab(made, made.labs[0])
        self.assertEqual((numbers.missing, len(numbers.shares), numbers.most), (0, 4, 6))
        self.assertEqual([(item.name, item.failed, item.judged) for item in numbers.items if item.failed], [("adds one", 1, 3)])

    def test_progress_counts_each_todo(self):
        progress = self.of().progress
        self.assertEqual(dict(progress[1]), {"solved": 2, "in work": 2, "does not compile": 1})
        self.assertEqual(dict(progress[2]), {"solved": 3, "not judged": 1, "does not compile": 1})

    def test_the_page_has_the_numbers_with_and_without_pictures(self):
        made = classes.graded(self.folder)
        numbers = [statistics.of_lab(made, lab) for lab in made.labs]
        page = require_safe(self, statistics.page(made, numbers, {}))
        for told in ("adds quickly", "1 of 4", "uncoalesced", "'What a warp asks for'", "TODO(2)", "90 to 100 %"):
            self.assertIn(told, page.text)
        drawn = {"01-points": (b"png", b"dark", "the points")}
        self.assertEqual(len(require_safe(self, statistics.page(made, numbers, drawn)).sources), 2)

    def test_pictures_are_drawn_where_matplotlib_is(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("there is no matplotlib")
        made = classes.graded(self.folder)
        (self.folder / "out").mkdir()
        self.assertEqual(statistics.write(made, self.folder / "out", Workbook(ROOT)), [])
        pictures = sorted(path.name for path in (self.folder / "out" / "plots").iterdir())
        self.assertEqual(pictures, ["01-diagnoses.png", "01-items.png", "01-points.png", "01-todos.png"])
        for path in (self.folder / "out" / "plots").iterdir():
            self.assertEqual(path.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")


if __name__ == "__main__":
    unittest.main()
