"""Local times that clocks show twice or never: where it matters which moment is meant, a person is asked, whatever the time came from."""
import datetime
import shutil
import unittest
import zoneinfo

import graded as classes
from test_intake import LABS, Intake, work

from command.classroom import clocks
from command.classroom.model import HandIn, Person
from command.classroom.rules import Rules

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
JANE = Person("jane", "Jane Doe")


class Readings(unittest.TestCase):
    def test_a_local_time_has_two_readings_where_clocks_change(self):
        for text, first, last, how in (("2026-10-25T02:30", "00:30", "01:30", "twice"), ("2026-10-25T01:59", "23:59", "23:59", ""), ("2026-10-25T03:00", "02:00", "02:00", ""),
                                       ("2027-03-28T02:30", "00:30", "01:30", "not at all"), ("2027-03-28T03:00", "01:00", "01:00", "")):
            time = datetime.datetime.fromisoformat(text).replace(tzinfo=BERLIN)
            self.assertEqual([f"{each:%H:%M}" for each in clocks.readings(time)], [first, last], text)
            self.assertEqual(clocks.why_unsure(time).partition(",")[0], f"clocks in Europe/Berlin show {how}" if how else "")
        self.assertEqual({str(each) for each in clocks.readings(datetime.datetime.fromisoformat("2026-10-25T02:30:00+01:00"))}, {"2026-10-25 01:30:00+00:00"})


class Asked(Intake):
    """By what each source says, of a hand-in at 2:20 where the deadline is 2:30 of the first of two."""

    SAID = {"time_zone": "Europe/Berlin", "labs": {"01": {"deadline": "2026-10-25T02:30:00+02:00"}}, "late": {"percent_per_day": 10}}
    SHEET = 'Identifier,Full name,Status,Grade,Maximum Grade,Last modified (submission),Last modified (grade)\nParticipant 111,Jane Doe,"{}",,34.00,"{}",-\n'
    AT = "Sunday, 25 October 2026, {}"

    def asks(self, said: dict | None = None, **more) -> tuple[list[str], list[float]]:
        rules = Rules(LABS, said or self.SAID)
        rules.know(LABS[0], [{"item": item, "points": points} for item, points, _, _ in classes.ITEMS])
        class_ = self.take_in(rules=rules, **more)
        attempts: dict = {}
        for hand_in in class_.hand_ins:
            attempts.setdefault((hand_in.person.id, hand_in.lab.name), []).append((hand_in, classes.verdict(classes.results())))
        marks = [rules.choose(person, LABS[0], attempts.get((person.id, LABS[0].name), [])) for person in class_.people]
        return clocks.asks(rules, marks, attempts), [mark.points for mark in marks]

    def by_system(self, time: str, status: str = "Submitted for grading"):
        """The class by each system that says times of its own clock."""
        moment = datetime.datetime.fromisoformat(f"2026-10-25T{time}")
        moodle = "Jane Doe_111_assignsubmission_file/coalescing.cu"
        yield moodle, {"rosters": [self.write("sheet.csv", self.SHEET.format(status, self.AT.format(f"{moment:%I:%M %p}")))]}
        if status == "Submitted for grading":
            head = "Time,User full name,Affected user,Event context,Component,Event name,Description,Origin,IP address\n"
            said = "The user with id '9' has submitted the submission with id '7' for the assignment with course module id '12'."
            yield moodle, {"times": [self.write("log.csv", f'{head}"{moment:%d/%m/%y, %H:%M:%S}",Jane Doe,-,Assignment: Lab 01,Assignment,x,{said},web,192.0.2.1\n')]}
            yield f"Lab 01_jane_attempt_{moment:%Y-%m-%d-%H-%M-%S}_coalescing.cu", {}
            yield f"39786-640693 - Jane Doe - Oct 25, 2026 {moment:%I%M %p}/coalescing.cu", {}

    def test_each_source_of_local_times_is_asked_about_where_the_mark_depends_on_it(self):
        for time, asked in (("02:20", 1), ("01:50", 0), ("03:20", 0)):
            for path, more in self.by_system(time):
                for each in list(self.given.iterdir()):
                    shutil.rmtree(each) if each.is_dir() else each.unlink()
                self.give(path, work())
                asks, points = self.asks(**more)
                self.assertEqual((len(asks), points), (asked, [5.4 if time == "03:20" else 6]), (path, asks))
                for ask in asks:
                    self.assertIn("01-coalescing: 2026-10-25 02:20 is a time that clocks in Europe/Berlin show twice, because they are put back, and which of the two is meant is not known", ask)
                    self.assertIn(f"({path}). For now the mark is 6 points; it can be 5.4.", ask)
                for said in ({**self.SAID, "late": {"table": [{"days": 2, "percent": 0}]}}, {**self.SAID, "labs": {}}, {**self.SAID, "labs": {"01": {"deadline": "2026-10-24"}}}):
                    self.assertEqual(self.asks(said, **more)[0], [], "where the mark is the same")

    def test_an_extension_and_a_hand_in_of_which_both_are_unsure(self):
        path = "Jane Doe_111_assignsubmission_file/coalescing.cu"
        self.give(path, work())
        until = self.AT.format("2:40 AM")
        said = {**self.SAID, "labs": {"01": {"deadline": "2026-10-24T12:00"}}}
        for time, points, asked in (("01:50", 6, 0), ("02:20", 6, 1), ("03:20", 5.4, 0)):
            path, more = next(self.by_system(time, f"Submitted for grading - Extension granted until: {until}"))
            asks, found = self.asks(said, **more)
            self.assertEqual((len(asks), found), (asked, [points]), asks)
            if asks:
                self.assertIn("02:20 and the extension's 2026-10-25 02:40 are times that clocks in Europe/Berlin show twice", asks[0])

    def test_of_files_at_times_that_are_shown_twice_the_newest_is_asked_about(self):
        for first, second, asked in (("02-50-00", "02-10-00", 1), ("02-50-00", "03-10-00", 0), ("01-50-00", "02-10-00", 0)):
            names = [f"Lab 01_jane_attempt_2026-10-25-{time}_coalescing.cu" for time in (first, second)]
            for name in names:
                self.give(name, work(mark=name))
            class_ = self.take_in(rules=Rules(LABS, self.SAID))
            self.assertEqual(len(class_.asks), asked, class_.asks)
            for name in names:
                (self.given / name).unlink()

    def test_what_a_person_has_decided_is_not_asked_about(self):
        path, more = next(self.by_system("02:20"))
        self.give(path, work())
        said = {**self.SAID, "corrections": [{"student": "111", "lab": "01", "points": 3, "comment": "By hand.", "author": "T."}]}
        self.assertEqual(self.asks(said, **more), ([], [3]))
        own = self.write("own.csv", f"path,name,submitted\n{path},Jane Doe,2026-10-25T02:20:00+01:00\n")
        self.assertEqual(self.asks(rosters=[*more["rosters"], own]), ([], [5.4]))


if __name__ == "__main__":
    unittest.main()
