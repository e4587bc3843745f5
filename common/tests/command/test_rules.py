"""A course's rules: what course.json may say, and what a mark is under it."""
import dataclasses
import datetime
import itertools
import json
import pathlib
import random
import unittest
from fractions import Fraction

from fakes import ROOT, Scratch

from command.classroom.model import HandIn, Person, total
from command.classroom.rules import Rules
from command.problem import Problem
from command.results import ItemResult, ItemScore, Verdict
from command.workbook import Workbook

LABS = Workbook(ROOT).labs()
ITEMS = [{"item": "adds", "points": 2}, {"item": "is fast", "points": 3}, {"item": "is faster", "points": 5}]
ALICE = Person("alice", "Alice", {"email": "Al@Example.org", "github": "alice-l"})
DUE = datetime.datetime(2026, 11, 30, 23, 59, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
DEADLINE = "2026-11-30T23:59:00+01:00"
CORRECTION = {"student": "alice", "lab": "01", "points": 7.5, "comment": "The index is right.", "author": "T. Smith"}


def verdict(*passed: str, **status: str) -> Verdict:
    """The items that passed; the others failed. `status` says another status, with _ for blanks."""
    results = []
    for item in ITEMS:
        state = status.get(item["item"].replace(" ", "_"), "passed" if item["item"] in passed else "failed")
        results.append(ItemResult(item["item"], "sim", state, item["points"] if state == "passed" else 0, item["points"],
                                  graded=state != "undecided"))
    return Verdict("01-coalescing", "handin-alice", "alice/coalescing.cu", results)


def hand_in(late: datetime.timedelta | None = None, marked: bool = False, version: int = 0) -> HandIn:
    submitted = None if late is None else DUE + late
    return HandIn(ALICE, LABS[0], pathlib.Path("coalescing.cu"), f"alice/coalescing{version}.cu", submitted=submitted, late=marked,
                  version=version)


def hours(count: float) -> datetime.timedelta:
    return datetime.timedelta(hours=count)


ALL = ("adds", "is fast", "is faster")


class RulesCase(Scratch):
    def refused(self, **said) -> str:
        with self.assertRaises(Problem) as caught:
            self.rules(**said)
        return str(caught.exception)

    def rules(self, **said) -> Rules:
        rules = Rules(LABS, said)
        for lab in LABS:
            rules.know(lab, ITEMS)
        return rules

    def mark(self, rules: Rules, passed=ALL, late: float | None = None, marked: bool = False, person: Person = ALICE, **status):
        return rules.mark(person, LABS[0], hand_in(None if late is None else hours(late), marked), verdict(*passed, **status))


class Points(RulesCase):
    def test_without_rules_a_mark_is_the_sum_of_the_items(self):
        mark = self.mark(self.rules(), ("adds", "is fast"))
        self.assertEqual((mark.raw, mark.raw_max, mark.points, mark.max_points, mark.notes), (5, 10, 5, 10, []))
        self.assertEqual(self.rules().sentences(LABS), [])

    def test_who_handed_nothing_in_has_0_of_what_there_was(self):
        mark = self.rules(labs={"01": {"leave_out": ["adds"]}}).mark(ALICE, LABS[0], None, None)
        self.assertEqual((mark.points, mark.max_points, mark.raw_max, mark.notes), (0, 8, 10, []))

    def test_an_item_left_out_counts_neither_for_nor_against(self):
        rules = self.rules(labs={"coalescing": {"leave_out": ["is faster"]}})
        mark = self.mark(rules, ("adds", "is fast"))
        self.assertEqual((mark.points, mark.max_points, mark.raw, mark.raw_max), (5, 5, 5, 10))
        self.assertEqual(mark.notes, ["'is faster' does not count in this course."])

    def test_an_items_points_can_be_changed(self):
        rules = self.rules(labs={"01-coalescing": {"items": {"is faster": 1, "adds": 4}}})
        self.assertEqual((self.mark(rules, ("adds",)).points, self.mark(rules, ("adds",)).max_points), (4, 8))
        self.assertIn("'is faster' is worth 1 point in this course.", self.mark(rules).notes)

    def test_a_sum_of_decimals_is_a_decimal(self):
        rules = self.rules(labs={"01": {"items": {"adds": 0.1, "is fast": 0.2}}})
        counted = rules.applied(LABS[0], verdict("adds", "is fast"))
        self.assertEqual((counted.points, counted.max_points, counted.to_json()["points"]), (0.3, 5.3, 0.3))  # and not 0.30000000000000004

    def test_a_lab_can_be_worth_other_points_or_weigh_more(self):
        self.assertEqual(self.mark(self.rules(labs={"01": {"points": 20}}), ("adds",)).points, 4)
        mark = self.mark(self.rules(labs={"01": {"weight": 2.5}}), ("adds",))
        self.assertEqual((mark.points, mark.max_points), (5, 25))
        self.assertIn("2 of 10 points are 5 of 25 in this course.", mark.notes)

    def test_a_lab_that_does_not_count_is_0_of_0_and_says_so(self):
        mark = self.mark(self.rules(labs={"01": {"counts": False}}))
        self.assertEqual((mark.points, mark.max_points, mark.raw), (0, 0, 10))
        self.assertEqual(mark.notes, ["This lab does not count in this course."])

    def most(self, **said) -> list[float]:
        rules = self.rules(**said)
        return [rules.mark(ALICE, lab, None, None).max_points for lab in LABS[:4]]

    def test_points_are_absolute_with_a_total_and_without(self):
        labs = {"01": {"points": 40}, "04": {"points": 60}}
        self.assertEqual(self.most(labs=labs), [40, 10, 10, 60])
        self.assertEqual(self.most(labs=labs, total=100), [40, 0, 0, 60])
        rules = self.rules(labs=labs, total=100)
        self.assertEqual((self.mark(rules).points, self.mark(rules, ("adds",)).points), (40, 8))
        self.assertEqual(rules.sentences(LABS[:2]), ["All labs that count are worth 100 points together.", "Lab 01: full points are worth 40.",
                                                     "Lab 02 does not count."])

    def test_a_total_alone_is_shared_out_over_the_labs_that_the_rules_name(self):
        self.assertEqual(self.most(total=100, labs={"01": {"weight": 5}, "02": {"counts": False}, "03": {}}), [83.33, 0, 16.67, 0])
        self.assertEqual(self.most(total=100, labs={lab.number: {} for lab in LABS[1:4]}), [0, 33.34, 33.33, 33.33])
        self.assertEqual(self.most(total=100, labs={"01": {"points": 40}, "02": {}, "03": {"weight": 3}}), [40, 15, 45, 0])

    def test_a_total_that_no_lab_is_named_for_is_that_of_all_labs_that_count(self):
        for labs in ({}, {"02": {"counts": False}}):
            rules = self.rules(total=100, labs=labs)
            marks = [rules.mark(ALICE, lab, None, None) for lab in LABS]
            self.assertEqual([mark.max_points > 0 for mark in marks], [lab.number != "02" or not labs for lab in LABS])
            self.assertEqual(total(marks), (0, 100))

    def test_a_lab_outside_of_the_total_says_that_it_does_not_count(self):
        rules = self.rules(total=100, labs={"02": {}})
        self.assertEqual(self.mark(rules).notes, ["This lab does not count in this course."])
        self.assertEqual(rules.uncounted(LABS[:2]),
                         ["The 'total' of course.json is that of the labs that it names, so that lab 01 does not count."])
        self.assertEqual(self.rules(total=100, labs={"01": {"counts": False}}).uncounted(LABS[:2]), [])  # the file says so itself
        self.assertEqual(rules.sentences(LABS[:2])[1:], ["Lab 01 does not count.", "Lab 02: full points are worth 100."])

    def test_only_labs_that_share_a_total_have_to_be_known_for_each_other(self):
        for said, wanted in (({}, ["01"]), ({"total": 100, "labs": {"01": {}, "03": {}}}, ["01", "03"]),
                             ({"total": 100, "labs": {"01": {"points": 5}, "02": {}}}, ["01"])):
            self.assertEqual([lab.number for lab in self.rules(**said).needed(LABS[:1])], wanted)

    def test_full_work_is_full_and_the_parts_come_to_the_total(self):
        """Random rules and hand-ins: marks have two decimals, those of full work are the most, and sums of labs are exact."""
        pick = random.Random(49)
        for _ in range(400):
            names = pick.sample([lab.number for lab in LABS], pick.randint(1, 4))
            labs = {name: pick.choice(({}, {}, {"weight": pick.choice((0.1, 1 / 3, 3, 7.7))}, {"items": {"adds": 0.1, "is fast": 0.2}}, {"leave_out": ["adds"]},
                                       {"points": pick.choice((0.07, 7, 33.33))})) for name in names}
            shared = any("points" not in lab for lab in labs.values())
            given = sum(Fraction(str(lab.get("points", 0))) for lab in labs.values())
            worth = given + pick.choice((1, Fraction(1, 20), 100)) if shared else given
            said = {"labs": labs, **pick.choice(({}, {"total": float(worth)})),
                    **pick.choice(({}, {"round": {"to": pick.choice((0.25, 1, 7)), "how": pick.choice(("nearest", "up", "down"))}}))}
            rules = self.rules(**said)
            for passed in (ALL, pick.sample(ALL, 2)):
                marks = [rules.choose(ALICE, lab, [(hand_in(), verdict(*passed))]) for lab in LABS]
                got, most = total(marks)
                self.assertEqual(sum(Fraction(str(mark.points)) for mark in marks), Fraction(str(got)), said)
                self.assertEqual(sum(Fraction(str(mark.max_points)) for mark in marks), Fraction(str(most)), said)
                for mark in marks:
                    self.assertTrue(0 <= mark.points <= mark.max_points, (said, mark))
                    self.assertTrue(all((100 * Fraction(str(value))).denominator == 1 for value in (mark.points, mark.max_points)), mark)
                if passed == ALL:
                    self.assertEqual(got, most, said)
                    self.assertTrue(all(mark.full for mark in marks if mark.max_points), said)
                if "total" in said:
                    self.assertEqual(most, said["total"], said)
                for mark in marks:
                    told = [sentence for sentence in rules.sentences([mark.lab]) if "full points" in sentence]
                    self.assertIn(told, [[], [f"Lab {mark.lab.number}: full points are worth {mark.max_points}."]])

    def test_an_item_without_a_verdict_costs_nothing(self):
        mark = self.mark(self.rules(labs={"01": {"points": 20}}), ("adds", "is fast"), is_faster="undecided")
        self.assertEqual((mark.points, mark.max_points), (20, 20))
        self.assertTrue(mark.undecided)
        self.assertEqual(self.mark(self.rules(), ("adds", "is fast"), is_faster="undecided").max_points, 5)

    def test_a_hand_in_that_does_not_compile_has_0_of_everything(self):
        failed = verdict()
        failed.build_failure = ItemResult("builds", "sim", "failed", reason="no")
        mark = self.rules(labs={"01": {"points": 7}}).mark(ALICE, LABS[0], hand_in(), failed)
        self.assertEqual((mark.points, mark.max_points), (0, 7))

    def test_rounding_is_by_decimal_halves_up(self):
        for how, to, points in (("nearest", 1, 3), ("up", 1, 3), ("down", 1, 2), ("nearest", 0.25, 2.5), ("nearest", 0.1, 2.5)):
            mark = self.mark(self.rules(labs={"01": {"points": 12.5}}, round={"to": to, "how": how}), ("adds",))
            self.assertEqual(mark.points, points, (how, to))
        self.assertIn("2.5 is rounded to 3.", self.mark(self.rules(labs={"01": {"points": 12.5}}, round={"to": 1}), ("adds",)).notes)
        third = self.mark(self.rules(labs={"01": {"weight": 0.1}}, round={"to": 0.1}))
        self.assertEqual(third.points, 1)  # 10 * 0.1, and not 0.9999…

    def test_a_mark_has_two_decimals_of_which_no_part_is_rounded_before(self):
        rules = self.rules(labs={"01": {"points": 33.33, "deadline": DEADLINE}}, late={"percent_per_day": 10})
        mark = self.mark(rules, ("adds", "is faster"), late=1)
        self.assertEqual((mark.points, mark.lateness_cost), (21.00, 2.33))  # 23.331 less 2.3331 are 20.9979
        self.assertEqual(self.mark(rules, ("adds", "is faster")).points, 23.33)
        rules = self.rules(labs={"01": {"points": 12.5, "deadline": DEADLINE}}, late={"percent_per_day": 10}, round={"to": 1})
        mark = self.mark(rules, ("adds",), late=1)
        self.assertEqual((mark.points, mark.lateness_cost), (2, 1))  # what would have been 3 in time

    def test_full_work_stays_full_however_it_is_rounded(self):
        for how in ("nearest", "up", "down"):
            mark = self.mark(self.rules(labs={"01": {"points": 9.4}}, round={"to": 1, "how": how}))
            self.assertEqual((mark.points, mark.full), (9.4, True))

    def test_an_item_without_a_verdict_is_no_full_work(self):
        self.assertFalse(self.mark(self.rules(), ("adds", "is fast"), is_faster="undecided").full)
        self.assertFalse(self.mark(self.rules(labs={"01": {"counts": False}})).full)

    def test_rounding_up_never_exceeds_the_most(self):
        mark = self.mark(self.rules(labs={"01": {"points": 9.5}}, round={"to": 1, "how": "up"}))
        self.assertEqual(mark.points, 9.5)

    def test_points_are_between_0_and_the_most_under_every_combination_of_rules(self):
        labs = ({}, {"points": 7}, {"weight": 0.3}, {"leave_out": ["adds"]}, {"items": {"adds": 0}}, {"counts": False})
        lates = (None, {"percent_per_day": 40, "of": "full"}, {"percent_per_day": 10, "cut_off_days": 2},
                 {"table": [{"days": 1, "percent": 90}]})
        for lab, late, rounding, by, passed in itertools.product(labs, lates, (None, {"to": 0.5}, {"to": 3, "how": "up"}),
                                                                 (None, -1, 30, 900),
                                                                 ((), ("adds",), ALL)):
            said = {"labs": {"01": {**lab, "deadline": DEADLINE}}, **({"late": late} if late else {}),
                    **({"round": rounding} if rounding else {})}
            mark = self.mark(self.rules(**said), passed, late=by)
            self.assertTrue(0 <= mark.points <= mark.max_points, (said, by, passed, mark))


class Deadlines(RulesCase):
    def late(self, by: float | None, marked: bool = False, extra: dict | None = None, **late):
        said = {"labs": {"01": {"deadline": DEADLINE}}, "late": late or {"percent_per_day": 10}}
        return self.mark(self.rules(**said, **({"extra_time": extra} if extra else {})), late=by, marked=marked)

    def test_each_day_begun_costs(self):
        for by, points in ((-1, 10), (0, 10), (1 / 60, 9), (24, 9), (24.1, 8), (9 * 24, 1), (99 * 24, 0)):
            self.assertAlmostEqual(self.late(by).points, points, msg=str(by))
        self.assertEqual(self.late(25).notes,
                         ["Handed in 1 day and 1 hour after the deadline (2 days begun): 20 % of the points were taken off (2)."])

    def test_a_delay_is_told_to_the_minute_and_below_one_to_the_second(self):
        for by, told in ((1 / 3600, "1 second"), (59 / 3600, "59 seconds"), (60 / 3600, "1 minute"), (61 / 3600, "2 minutes"),
                         (24 + 5 / 60, "1 day and 5 minutes"), (50.5, "2 days, 2 hours and 30 minutes"), (23.999, "1 day"), (0.01, "36 seconds")):
            self.assertIn(f"Handed in {told} after the deadline (", self.late(by).notes[0])

    def test_grace_is_not_subtracted_from_a_longer_delay(self):
        late = {"percent_per_day": 10, "grace_minutes": 30}
        self.assertEqual(self.late(0.5, **late).points, 10)
        self.assertEqual(self.late(0.5, **late).notes, ["With 30 minutes of grace this is not late."])
        rules = self.rules(labs={"01": {"deadline": DEADLINE}}, late=late)
        self.assertEqual([rules.is_late(self.mark(rules, late=by)) for by in (0, 0.5, 0.6)], [False, False, True])
        self.assertEqual(self.late(0.6, **late).points, 9)
        self.assertEqual(self.late(24.2, **late).points, 8)

    def test_there_can_be_a_most_and_a_cut_off(self):
        late = {"percent_per_day": 10, "most_percent": 50, "cut_off_days": 7}
        self.assertEqual(self.late(6.5 * 24, **late).points, 5)
        self.assertEqual(self.late(7 * 24, **late).points, 5)
        self.assertEqual(self.late(7 * 24 + 0.1, **late).points, 0)
        self.assertIn("nothing counts after 7 days", self.late(8 * 24, **late).notes[0])

    def test_a_table_says_how_much(self):
        late = {"table": [{"hours": 6, "percent": 5}, {"days": 2, "percent": 50}]}
        for by, points in ((1, 9.5), (6, 9.5), (6.1, 5), (48, 5), (49, 0)):
            self.assertEqual(self.late(by, **late).points, points)
        self.assertEqual(self.late(49, most_percent=20, **late).notes,
                         ["Handed in 2 days and 1 hour after the deadline, and nothing counts after 2 days: 100 % of the points were taken off (10)."])

    def test_percentages_can_be_of_the_full_points(self):
        rules = self.rules(labs={"01": {"deadline": DEADLINE}}, late={"percent_per_day": 30, "of": "full"})
        self.assertEqual(self.mark(rules, ("adds", "is fast"), late=1).points, 2)
        self.assertEqual(self.mark(rules, ("adds",), late=1).points, 0)

    def test_the_time_zone_counts_and_not_the_clock_on_the_wall(self):
        rules = self.rules(time_zone="Europe/Berlin", labs={"01": {"deadline": "2026-11-30T23:59"}}, late={"percent_per_day": 10})
        in_time = HandIn(ALICE, LABS[0], pathlib.Path("x"), "x", submitted=datetime.datetime(2026, 11, 30, 22, 58,
                                                                                             tzinfo=datetime.timezone.utc))
        late = HandIn(ALICE, LABS[0], pathlib.Path("x"), "x", submitted=datetime.datetime(2026, 11, 30, 23, 30,
                                                                                          tzinfo=datetime.timezone.utc))
        self.assertEqual([rules.mark(ALICE, LABS[0], each, verdict(*ALL)).points for each in (in_time, late)], [10, 9])
        rules = self.rules(time_zone="Europe/Berlin", labs={"01": {"deadline": "2027-10-30T23:59"}}, late={"percent_per_day": 10})
        time = datetime.datetime(2027, 10, 31, 23, 30, tzinfo=rules.zone)  # the hour from 2 to 3 is there twice
        for each in (time, time.astimezone(datetime.timezone.utc)):  # as Moodle and as Canvas say it
            mark = rules.mark(ALICE, LABS[0], dataclasses.replace(late, submitted=each), verdict(*ALL))
            self.assertEqual(mark.notes, ["Handed in 1 day and 31 minutes after the deadline (2 days begun): 20 % of the points were taken off (2)."])

    def test_what_comes_in_the_minute_of_the_deadline_is_in_time_to_the_minute_and_late_to_the_second(self):
        half = datetime.timedelta(seconds=30)
        for late, points in (({}, (10, 9)), ({"grace_minutes": 1}, (10, 10))):
            rules = self.rules(labs={"01": {"deadline": DEADLINE}}, late={"percent_per_day": 10, **late})
            marks = [rules.mark(ALICE, LABS[0], hand_in(by), verdict(*ALL)) for by in (0 * half, half)]  # as Moodle's worksheet has it, and Canvas
            self.assertEqual(tuple(mark.points for mark in marks), points)

    def test_a_deadline_that_clocks_show_twice_is_asked_about_and_one_that_they_do_not_show_is_refused(self):
        def said(time: str, zone: str = "Europe/Berlin") -> dict:
            return {"time_zone": zone, "labs": {"01": {"deadline": time}}}

        rules = self.rules(**said("2027-10-31T02:30"))
        [ask] = rules.check([], LABS)
        self.assertIn('is "2027-10-31T02:30", which clocks in Europe/Berlin show twice, because they are put back. The first time counts; the second one is written as '
                      "2027-10-31T02:30:00+01:00.", ask)
        self.assertEqual(str(rules.due(ALICE, LABS[0]).astimezone(datetime.timezone.utc)), "2027-10-31 00:30:00+00:00")
        for time in ("2027-10-31T02:30:00+01:00", "2027-10-31T02:30+02:00", "2027-10-31T01:59", "2027-10-31T03:00", "2027-10-31"):
            self.assertEqual(self.rules(**said(time)).check([], LABS), [], time)
        for time, zone in (("2027-03-28T02:30", "Europe/Berlin"), ("2027-03-14T02:00", "America/New_York")):
            self.assertIn(f'is "{time}", which no clock shows in {zone}', self.refused(**said(time, zone)))
        for time, zone in (("2027-03-28T03:00", "Europe/Berlin"), ("2027-03-28T01:59", "Europe/Berlin"), ("2027-03-28", "Europe/Berlin"), ("2026-04-23", "Africa/Cairo")):
            self.assertEqual(self.rules(**said(time, zone)).check([], LABS), [])

    def test_a_day_alone_is_due_at_its_end(self):
        """A deadline of 2027-01-31 was the midnight before."""
        rules = self.rules(time_zone="Europe/Berlin", labs={"01": {"deadline": "2027-01-31"}}, late={"percent_per_day": 10})
        self.assertIn("Lab 01 is due at 2027-01-31 24:00 +0100.", rules.sentences(LABS[:1]))
        in_time = datetime.datetime(2027, 2, 1, tzinfo=rules.zone)  # Moodle says so of all that came in this minute
        for by, points in ((0, 10), (1, 9), (24 * 3600, 9), (24 * 3600 + 1, 8)):
            handed_in = dataclasses.replace(hand_in(), submitted=in_time + datetime.timedelta(seconds=by))
            self.assertEqual(rules.mark(ALICE, LABS[0], handed_in, verdict(*ALL)).points, points, by)
        rules = self.rules(time_zone="Europe/Berlin", labs={"01": {"deadline": "2027-01-31"}, "02": {"deadline": "2027-02-01T00:00"}}, late={"percent_per_day": 10},
                           extra_time={"alice": {"days": 1}})
        self.assertEqual(rules.own_due(ALICE, LABS[0]), "2027-02-01 24:00 +0100, with 1 day of extra time")
        late = dataclasses.replace(hand_in(), submitted=in_time + datetime.timedelta(days=1, seconds=1))
        self.assertIn("after your deadline of 2027-02-01 24:00 +0100", rules.mark(ALICE, LABS[0], late, verdict(*ALL)).notes[0])
        self.assertIn("Lab 02 is due at 2027-02-01 00:00 +0100.", rules.sentences(LABS[:2]))

    def test_a_day_of_extra_time_is_24_hours_as_a_late_day_is(self):
        """Over the night in which clocks change one day more was 23 hours."""
        rules = self.rules(time_zone="Europe/Berlin", labs={"01": {"deadline": "2027-03-27T12:00"}}, late={"percent_per_day": 10}, extra_time={"alice": {"days": 1}})
        due = datetime.datetime(2027, 3, 27, 11, tzinfo=datetime.timezone.utc)
        for hours_later, points in ((24, 10), (24.01, 9), (48, 9), (48.01, 8)):
            handed_in = dataclasses.replace(hand_in(), submitted=due + datetime.timedelta(hours=hours_later))
            self.assertEqual(rules.mark(ALICE, LABS[0], handed_in, verdict(*ALL)).points, points, hours_later)
        self.assertEqual(rules.own_due(ALICE, LABS[0]), "2027-03-28 13:00 +0200, with 1 day of extra time")

    def test_what_moodle_has_granted_counts_as_extra_time_if_it_is_longer(self):
        for days, hours_later, points in ((0, 20, 10), (0, 25, 9), (2, 47, 10), (2, 49, 9)):
            rules = self.rules(labs={"01": {"deadline": DEADLINE}}, late={"percent_per_day": 10}, **({"extra_time": {"alice": {"days": days}}} if days else {}))
            rules.extensions["alice", LABS[0].name] = datetime.datetime.fromisoformat(DEADLINE) + datetime.timedelta(hours=24)
            self.assertEqual(self.mark(rules, late=hours_later).points, points)
        rules.extensions["alice", LABS[0].name] = datetime.datetime.fromisoformat(DEADLINE) - datetime.timedelta(hours=24)
        self.assertEqual((self.mark(rules, late=47).points, self.mark(rules, late=49).points), (10, 9))  # an earlier one takes nothing away

    def test_who_is_excused_is_named_as_for_extra_time(self):
        rules = self.rules(excused={"AL@example.org": {"labs": [1, "02"]}})
        self.assertEqual([rules.excuses(ALICE, lab) for lab in LABS[:3]], [True, True, False])
        self.assertTrue(self.rules(excused={"alice": {}}).excuses(ALICE, LABS[2]))
        namesakes = [Person(f"anna-{number}", "Anna Schmidt") for number in (1, 2)]
        self.assertEqual(self.rules(excused={"Anna Schmidt": {}}).check(namesakes, LABS[:1]),
                         ["course.json excuses anna schmidt, who is not in this class by an id. A name is none: write anna-1 or anna-2."])
        self.assertEqual(self.rules(excused={"bob": {}}).check([ALICE], LABS[:1]), ["course.json excuses bob, who is not in this class."])
        self.assertFalse(self.rules(excused={"bob": {}}).excuses(ALICE, LABS[0]))

    def test_a_systems_own_deadline_counts_where_the_course_has_none(self):
        for said, points in (({}, 8), ({"extra_time": {"alice": {"days": 1}}}, 9), ({"extra_time": {"alice": {"days": 2}}}, 10),
                             ({"labs": {"01": {"deadline": DEADLINE}}}, 10)):
            late = hand_in(hours(-1), marked=True)
            late.late_by = hours(26)
            rules = self.rules(late={"percent_per_day": 10}, **said)
            mark = rules.mark(ALICE, LABS[0], late, verdict(*ALL))
            self.assertEqual((mark.points, rules.is_late(mark)), (points, points < 10), said)

    def test_for_how_many_a_deadline_does_not_apply_is_told(self):
        rules = self.rules(labs={"01": {"deadline": DEADLINE}})
        marks = [rules.mark(ALICE, lab, hand_in(time), verdict(*ALL)) for lab in LABS[:2] for time in (None, hours(1), None)]
        marks.append(rules.mark(ALICE, LABS[0], None, None))
        [told] = rules.unknown_times(marks)
        self.assertIn("Lab 01 has a deadline, and of 2 of 3 hand-ins the time is not known, so that nothing is taken off for it: Alice, Alice. --times", told)
        self.assertEqual(rules.unknown_times(marks[1:2]), [])

    def test_what_the_systems_mark_has_cost_is_not_said_to_cost_nothing(self):
        late = {"percent_per_day": 10, "percent_if_marked": 20}
        for said, extra, count in ((late, {}, 1), ({"percent_per_day": 10}, {}, 2), (late, {"alice": {"days": 1}}, 2)):
            rules = self.rules(labs={"01": {"deadline": DEADLINE}}, late=said, extra_time=extra)
            marks = [rules.mark(ALICE, LABS[0], hand_in(None, marked=marked), verdict(*ALL)) for marked in (True, False)]
            self.assertIn(f"and of {count} of 2 hand-ins the time is not known", rules.unknown_times(marks)[0])

    def test_extra_time_is_by_id_or_what_a_system_calls_a_person(self):
        for key in ("alice", "ALICE", "al@example.org", "alice-l"):
            mark = self.late(47, extra={key: {"days": 2}})
            self.assertEqual(mark.points, 10)
            self.assertEqual(mark.notes, ["With 2 days of extra time this is not late."])
        late = self.late(49, extra={"alice": {"days": 2}})
        self.assertEqual((late.points, late.notes[0].split(":")[0]), (9, "Handed in 1 hour after your deadline of 2026-12-02 23"))
        self.assertEqual(self.late(47, extra={"bob": {"days": 2}}).points, 8)
        self.assertEqual(self.late(47, extra={"alice": {"days": 2, "labs": ["02"]}}).points, 8)
        self.assertEqual(self.rules(extra_time={"alcie": {"days": 1}, "alice": {"hours": 1}}).check([ALICE], LABS[:1]),
                         ["course.json gives extra time to alcie, who is not in this class."])

    def test_what_is_not_known_costs_nothing_and_is_said(self):
        self.assertEqual(self.late(None).points, 10)
        self.assertIn("is not known", self.late(None).notes[0])
        self.assertEqual(self.late(None, marked=True).points, 10)
        self.assertIn("does not say by how much", self.late(None, marked=True).notes[0])
        self.assertEqual(self.late(None, marked=True, percent_per_day=10, percent_if_marked=25).points, 7.5)
        self.assertEqual(self.late(None, marked=True, percent_per_day=10, percent_if_marked=25, extra={"alice": {"days": 9}}).points, 10)

    def test_without_rules_on_lateness_nothing_is_taken_off(self):
        rules = self.rules(labs={"01": {"deadline": DEADLINE}})
        self.assertEqual(self.mark(rules, late=500).points, 10)
        self.assertEqual(rules.sentences(LABS), ["Lab 01 is due at 2026-11-30 23:59 +0100.", "Nothing is taken off after a deadline."])


class Attempts(RulesCase):
    def test_the_best_attempt_counts_and_late_points_are_part_of_it(self):
        rules = self.rules(attempts={"counts": "best"}, labs={"01": {"deadline": DEADLINE}}, late={"percent_per_day": 50})
        attempts = [(hand_in(hours(1), version=0), verdict(*ALL)), (hand_in(hours(-1), version=1), verdict("is faster", "is fast")),
                    (hand_in(hours(-2), version=2), verdict("adds"))]
        mark = rules.choose(ALICE, LABS[0], attempts)
        self.assertEqual((mark.points, mark.hand_in.version), (8, 1))
        self.assertEqual(mark.notes[-1], "The best of 3 attempts counts: alice/coalescing1.cu.")

    def test_among_equals_the_newest_counts(self):
        attempts = [(hand_in(version=number), verdict("adds")) for number in (2, 0, 1)]
        self.assertEqual(self.rules(attempts={"counts": "best"}).choose(ALICE, LABS[0], attempts).hand_in.version, 0)

    def test_without_attempts_the_mark_is_empty(self):
        self.assertEqual(self.rules().choose(ALICE, LABS[0], []).points, 0)

    def test_the_intake_is_told_what_it_has_to_give(self):
        self.assertEqual((self.rules().grades_all_attempts, self.rules().attempts.most), (False, None))
        rules = self.rules(attempts={"counts": "best", "most": 3})
        self.assertEqual((rules.grades_all_attempts, rules.attempts.most), (True, 3))


class Corrections(RulesCase):
    """What a person says of a mark stands, with the name."""

    def corrected(self, *said: dict, passed=("adds",), **more):
        return self.rules(corrections=[{**CORRECTION, **each} for each in said], **more).choose(ALICE, LABS[0], [(hand_in(), verdict(*passed))])

    def test_points_of_a_person_stand_instead_of_the_graders_and_say_whose_they_are(self):
        for student in ("alice", "Al@example.org", "ALICE-L"):
            mark = self.corrected({"student": student})
            self.assertEqual((mark.points, mark.max_points), (7.5, 10))
            self.assertEqual(mark.notes, ["T. Smith: The index is right. (7.5 points instead of 2.)"])
        self.assertEqual(self.corrected({"student": "bob"}).points, 2)
        self.assertEqual(self.corrected({"lab": "02"}).notes, [])
        self.assertEqual(self.corrected({"points": 0}, passed=ALL).points, 0)

    def test_a_lab_is_called_as_on_the_command_line_and_its_number_may_be_one(self):
        for name in (1, "1", "01", "coalescing", "01-coalescing"):
            self.assertEqual(self.corrected({"lab": name}).points, 7.5)
            rules = self.rules(extra_time={"alice": {"days": 2, "labs": [name]}}, labs={str(name): {"deadline": DEADLINE}}, late={"percent_per_day": 10})
            self.assertEqual(rules.choose(ALICE, LABS[0], [(hand_in(hours(47)), verdict(*ALL))]).points, 10)

    def test_a_comment_alone_changes_no_points(self):
        said = {key: value for key, value in CORRECTION.items() if key != "points"}
        mark = self.rules(corrections=[said]).choose(ALICE, LABS[0], [(hand_in(), verdict("adds"))])
        self.assertEqual((mark.points, mark.notes), (2, ["T. Smith: The index is right."]))

    def test_it_stands_over_weights_lateness_rounding_and_a_missing_file(self):
        rules = self.rules(corrections=[CORRECTION], labs={"01": {"points": 9, "deadline": DEADLINE}}, late={"percent_per_day": 50}, round={"to": 1})
        mark = rules.choose(ALICE, LABS[0], [(hand_in(hours(3)), verdict(*ALL))])
        self.assertEqual((mark.points, mark.max_points, mark.lateness_cost), (7.5, 9, 0))
        self.assertEqual(mark.notes[-1], "T. Smith: The index is right. (7.5 points instead of 5.)")
        self.assertEqual((rules.choose(ALICE, LABS[0], []).points, rules.choose(ALICE, LABS[1], []).points), (7.5, 0))

    def test_it_settles_what_was_not_judged(self):
        rules = self.rules(corrections=[CORRECTION])
        mark = rules.choose(ALICE, LABS[0], [(hand_in(), verdict("adds", is_faster="undecided"))])
        self.assertEqual((mark.undecided, mark.points, mark.max_points), (False, 7.5, 10))

    def test_a_correction_that_cannot_be_meant_is_refused(self):
        twin = Person("alice-2", "Alice", {"login": "alice"})
        for said, people, words in (([{"points": 10.5}], [ALICE], "the correction of alice in lab 01 gives 10.5 of 10 points"),
                                    ([{}], [ALICE, twin], "may be meant for alice or alice-2"),
                                    ([{}, {"student": "alice-l"}], [ALICE], "is a second one of alice, under another name")):
            with self.assertRaisesRegex(Problem, words):
                self.rules(corrections=[{**CORRECTION, **each} for each in said]).check(people, LABS)
        rules = self.rules(corrections=[{**CORRECTION, "student": "alcie"}, {**CORRECTION, "lab": "02", "points": 99}])
        self.assertEqual(rules.check([ALICE], LABS[:1]), ["course.json corrects a mark of alcie, who is not in this class."])


class Items(RulesCase):
    """check and list show the points of the course."""

    def test_results_scores_and_lines_of_a_list_get_the_courses_points(self):
        rules = self.rules(labs={"01": {"leave_out": ["is fast"], "items": {"adds": 7}}})
        self.assertEqual(rules.apply_points(LABS[0], ITEMS), [{"item": "adds", "points": 7}, {"item": "is faster", "points": 5}])
        results = rules.apply_points(LABS[0], verdict("adds").results)
        self.assertEqual([(r.item, r.points, r.max_points) for r in results], [("adds", 7, 7), ("is faster", 0, 5)])
        scores = rules.apply_points(LABS[0], [ItemScore("adds", "failed", 0, 2)])
        self.assertEqual((scores[0].points, scores[0].max_points), (0, 7))
        self.assertEqual(ITEMS[0]["points"], 2, "the items themselves stay as they were")

    def test_points_for_a_lab_without_items_that_count_are_refused(self):
        with self.assertRaisesRegex(Problem, "none of its items that count has any"):
            self.rules(labs={"01": {"points": 5, "leave_out": list(ALL)}})

    def test_other_labs_items_stay(self):
        rules = self.rules(labs={"01": {"leave_out": ["adds"]}})
        self.assertEqual(rules.apply_points(LABS[1], ITEMS), ITEMS)

    def test_a_verdict_that_failed_in_an_item_left_out_is_complete(self):
        rules = self.rules(labs={"01": {"leave_out": ["is faster"]}})
        self.assertTrue(rules.applied(LABS[0], verdict("adds", "is fast")).complete)

    def test_an_item_that_the_lab_does_not_have_is_a_sentence(self):
        with self.assertRaises(Problem) as caught:
            self.rules(labs={"01": {"leave_out": ["is fasst"]}})
        self.assertEqual(str(caught.exception), "course.json: lab 01-coalescing has no item 'is fasst'. Did you mean 'is fast'?")
        self.assertIn("  adds", caught.exception.details)


class File(RulesCase):
    def find(self, text: str | None = None, **more) -> Rules:
        if text is not None:
            self.write("course.json", text)
        return Rules.find(self.folder, LABS, **more)

    def test_it_is_looked_for_in_the_workbook_or_where_the_option_says(self):
        self.assertEqual(self.find().sentences(LABS), [])
        self.assertEqual(self.find('{"labs": {"02": {"weight": 3}}}').sentences(LABS), ["Lab 02: each point counts 3 times."])
        other = self.write("other.json", '{"labs": {"02": {"counts": false}}}')
        self.assertEqual(self.find(given=other).sentences(LABS), ["Lab 02 does not count."])
        with self.assertRaises(Problem):
            self.find(given=self.folder / "missing.json")

    def test_what_is_no_object_of_json_is_a_sentence(self):
        for text, words in (("{", "is not JSON"), ("[]", "is not a JSON object"), ('{"total": NaN}', "NaN is no number"),
                            ('{"labs": {}, "labs": {}}', "the key 'labs' is there twice"), ("[" * 100_000, "is not JSON")):
            with self.assertRaises(Problem) as caught:
                self.find(text)
            self.assertIn(words, str(caught.exception))
        (self.folder / "course.json").write_bytes(b"\xff")
        with self.assertRaisesRegex(Problem, "not UTF-8"):
            self.find()

    def test_a_key_that_is_unknown_or_of_another_type_is_named(self):
        for said, words in (
                ({"lab": {}}, "has the key 'lab'; it can have labs, total"), ({"labs": []}, "'labs' is not an object"),
                ({"labs": {"09": {}}}, "names the lab '09'; there are 01-coalescing"),
                            ({"labs": {"01": 3}}, "'labs: 01-coalescing' is not an object"),
                ({"labs": {"01": {"pts": 3}}}, "has the key 'pts'; it can have points, weight"),
                ({"labs": {"01": {"points": "3"}}}, "'points' is not a number"),
                            ({"labs": {"01": {"points": -1}}}, "'points' is more than 0"),
                ({"labs": {"01": {"points": 1, "weight": 2}}}, "use one of them"),
                            ({"labs": {"01": {"points": 1}, "coalescing": {"points": 1}}}, "two entries"),
                ({"labs": {"01": {"deadline": "soon"}}}, "a time is written as"),
                            ({"labs": {"01": {"deadline": "2026-11-30T23:59"}}}, "has no time zone"),
                ({"labs": {"01": {"items": {"adds": "2"}}}}, "the item 'adds' are not a number"),
                            ({"labs": {"01": {"items": {"adds": -2}}}}, "at least 0"),
                ({"labs": {"01": {"items": {"adds": True}}}}, "not a number"),
                ({"labs": {"01": {"items": {"adds": 2}, "leave_out": ["adds"]}}}, "is left out and has points"),
                ({"time_zone": "Berlin/Europe"}, "there is no time zone"), ({"time_zone": "../../etc/passwd"}, "there is no time zone"),
                ({"late": {}}, "needs either 'percent_per_day' or a 'table'"),
                ({"late": {"percent_per_day": 10, "table": []}}, "either"), ({"late": {"percent_per_day": 110}}, "between 0 and 100"),
                ({"late": {"percent_per_day": 10, "grace_minutes": -1}}, "at least 0"), ({"late": {"table": []}}, "is empty"),
                ({"late": {"table": [{"days": 2, "percent": 5}, {"days": 1, "percent": 9}]}},
                 "row 2 of the 'table' in 'late' is not later"),
                ({"late": {"table": [{"percent": 5}]}}, "either 'days' or 'hours'"),
                            ({"late": {"table": [{"days": 1}]}}, "lacks 'percent'"),
                ({"late": {"percent_per_day": 1, "of": "all"}}, 'it can be "reached" or "full"'),
                ({"extra_time": {"alice": {}}}, "gives no time"), ({"extra_time": {"alice": {"days": 1, "labs": ["99"]}}},
                                                                   "names the lab '99'"),
                ({"extra_time": {"alice": 3}}, "is not an object"), ({"attempts": {"counts": "first"}}, 'it can be "last" or "best"'),
                ({"excused": {"alice": {"labs": ["99"]}}}, "names the lab '99'"), ({"excused": {"alice": True}}, "is not an object"), ({"attempts": {"most": 0}}, "at least 1"), ({"attempts": {"most": 1.5}}, "not a whole number"),
                ({"round": {"to": 0}}, "more than 0"), ({"round": {"how": "even"}}, 'it can be "nearest" or "up" or "down"'),
                            ({"total": 0}, "more than 0"), ({"total": 99.999}, "'total' has more than two decimals"),
                ({"labs": {"01": {"weight": 0}}}, "'weight' is more than 0"), ({"labs": {"01": {"items": {"adds": 0.125}}}}, "'adds' has more than two"),
                ({"labs": {"01": {"points": 33.333}}}, "'points' has more than two decimals"), ({"round": {"to": 0.125}}, "more than two decimals"),
                ({"total": 100, "labs": {"01": {"points": 40}, "04": {"points": 50}}}, "the 'points' of the labs come to 90, and 'total' is 100"),
                ({"total": 100, "labs": {"01": {"points": 100}, "04": {}}}, "come to 100, which leaves nothing of the 'total' of 100 for 04-"),
                ({"labs": {"01": {}, "coalescing": {}}}, "two entries"),
                ({"corrections": {}}, "'corrections' is not a list of objects"),
                ({"corrections": [{"student": "alice", "lab": "01", "points": 3, "comment": "x"}]}, "correction 1 lacks 'author'"),
                ({"corrections": [CORRECTION, {**CORRECTION, "comment": " "}]}, "correction 2: 'comment' is empty"),
                ({"corrections": [CORRECTION, {**CORRECTION, "student": "ALICE"}]}, "correction 2 is a second one of ALICE in lab 01"),
                ({"labs": {"01": None}}, "'labs: 01-coalescing' is not an object"), ({"extra_time": {"alice": None}}, "'extra_time: alice' is not an object"),
                ({"corrections": [{**CORRECTION, "lab": 99}]}, "'correction 1' names the lab '99'"),
                ({"corrections": [{**CORRECTION, "lab": 1.5}]}, "'lab' is not a lab"), ({"extra_time": {"a": {"days": 1, "labs": [True]}}}, "'labs' is not a list of labs"),
                ({"corrections": [{**CORRECTION, "points": -1}]}, "'points' is at least 0"),
                ({"corrections": [{**CORRECTION, "points": 1.005}]}, "more than two decimals")):
            self.assertIn(words, self.refused(**said), said)

    def test_every_rule_is_in_the_description(self):
        rules = self.rules(total=100, labs={"01": {"points": 20, "deadline": DEADLINE, "leave_out": ["adds"], "items": {"is fast": 1}},
                                            "02": {"weight": 2},
                                            "03": {"counts": False}},
                           late={"percent_per_day": 10, "grace_minutes": 15, "most_percent": 50, "cut_off_days": 7},
                           extra_time={"alice": {"days": 2}}, attempts={"counts": "best", "most": 3}, round={"to": 0.5})
        self.assertEqual(rules.sentences(LABS[:3]), [
            "All labs that count are worth 100 points together.", "Lab 01: full points are worth 20.", "Lab 01: 'adds' does not count.",
            "Lab 01: 'is fast' is worth 1 point.", "Lab 01 is due at 2026-11-30 23:59 +0100.", "Lab 02: full points are worth 80.",
            "Lab 03 does not count.", "For each day begun after the deadline, 10 % of the points reached are taken off, at most 50 %.",
            "Up to 15 minutes after the deadline nothing is taken off.", "More than 7 days after the deadline nothing counts.",
            "Of several attempts the best counts, of the first 3 attempts. A file without work, such as the starter as it was given out, is no attempt.",
            "Each lab's points are rounded to the nearest multiple of 0.5."])
        self.assertIn("Where a system marks a hand-in as late and does not say by how much, 20 % of the points reached are taken off.",
                      self.rules(late={"percent_per_day": 10, "percent_if_marked": 20}).sentences(LABS))
        self.assertIn("'percent_if_marked' may be beside them", self.refused(late={"percent_if_marked": 20}))
        self.assertEqual(rules.extra_time_sentences(), ["1 person has extra time."])  # for the instructor; it concerns no one else
        self.assertEqual(rules.sentences(LABS[2:3])[1], "Lab 03 does not count.")

    def test_one_attempt_is_told_as_such(self):
        for counts in ("best", "last"):
            self.assertEqual(self.rules(attempts={"counts": counts, "most": 1}).sentences([]),
                             ["The first attempt alone counts. A file without work, such as the starter as it was given out, is none."])

    def test_a_table_is_described(self):
        self.assertEqual(self.rules(late={"table": [{"hours": 6, "percent": 5}, {"days": 2, "percent": 50}], "of": "full"}).sentences(LABS),
                         ["Taken off of the lab's full points after the deadline: up to 6 hours: 5 %; up to 2 days: 50 %; "
                          "later, nothing counts."])

    def test_the_example_of_the_module_is_valid(self):
        from command.classroom import rules
        example = rules.__doc__[rules.__doc__.index("{"):rules.__doc__.rindex("}") + 1]
        self.assertGreater(len(Rules(LABS, json.loads(example)).sentences(LABS)), 8)


if __name__ == "__main__":
    unittest.main()
