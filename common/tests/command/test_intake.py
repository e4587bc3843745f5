"""What learning platforms and people give is taken in: whose file, for which lab, which version, and nothing is lost or followed."""
import bz2
import datetime
import gzip
import io
import json
import lzma
import os
import pathlib
import random
import re
import shutil
import socket
import stat
import struct
import subprocess
import tarfile
import time
import unicodedata
import unittest
import zipfile

import class_maker
from fakes import AS_NOBODY, ROOT, Scratch
from test_harmless import harmful, hostile_texts

from command.classroom import harmless, intake, naming, people, trees
from command.classroom.rules import Rules
from command.problem import Problem
from command.workbook import Lab, Workbook

LABS = Workbook(ROOT).labs()
STARTERS = {lab.number: lab.kept_starter.read_text(encoding="utf-8") for lab in LABS}


def work(lab: str = "01", mark: str = "") -> str:
    """A hand-in: the starter, with something written."""
    return STARTERS[lab] + f"\n// {mark or 'work'}\n"


def begun(lab: str = "01", mark: str = "") -> str:
    """One in which a TODO is worked on."""
    text = work(lab, mark).replace("// END TODO(1)", "  x += 1;\n  // END TODO(1)")
    assert text != work(lab, mark)
    return text


def zipped(files: dict, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def tarred(files: dict, mode: str = "w") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:
        for name, data in files.items():
            data = data.encode() if isinstance(data, str) else data
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


class Intake(Scratch):
    def setUp(self) -> None:
        super().setUp()
        self.given = self.folder / "handins"
        self.given.mkdir()
        self.scratch = self.folder / "graded"

    def give(self, path: str, data: str | bytes = "", time: float | None = None) -> pathlib.Path:
        file = self.given / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)
        if time:
            os.utime(file, (time, time))
        return file

    def take_in(self, source: pathlib.Path | None = None, labs: list[Lab] | None = None, keep: bool = False, **more):
        if not keep:
            shutil.rmtree(self.scratch, ignore_errors=True)
        class_ = intake.take_in(source or self.given, labs or LABS, self.scratch, **more)
        self.check(class_)
        return class_

    def check(self, class_) -> None:
        """What holds for every class."""
        ids = [person.id for person in class_.people]
        self.assertEqual(len(ids), len({id.casefold() for id in ids}), "ids are unique")
        for person in class_.people:
            self.assertRegex(person.id, r"^[A-Za-z0-9_-]{1,64}$")
            self.assertTrue(person.name and not harmful(person.name), repr(person.name))
        self.assertEqual(len(class_.hand_ins), len({hand_in.id for hand_in in class_.hand_ins}), "a hand-in for each person and lab")
        for hand_in in class_.hand_ins:
            self.assertIn(hand_in.person, class_.people)
            self.assertEqual(hand_in.file, self.scratch / hand_in.id / hand_in.lab.starter.name)
            if hand_in.fault:
                self.assertFalse(hand_in.file.exists())
            else:
                status = os.lstat(hand_in.file)
                self.assertTrue(stat.S_ISREG(status.st_mode) and status.st_size <= 1_000_000)
        for text in [*class_.notes, *class_.asks, *(seen.shown + seen.why for seen in class_.others), *(hand_in.shown for hand_in in class_.hand_ins)]:
            self.assertEqual(harmful(text), [], repr(text))
        inside = {path.name for path in self.scratch.iterdir()}
        self.assertEqual(inside - {hand_in.id for hand_in in class_.hand_ins}, set(), "nothing else is written")

    def found(self, class_) -> dict[str, str]:
        """{id of the hand-in: where it came from}."""
        return {hand_in.id: hand_in.shown for hand_in in class_.hand_ins}

    def names(self, class_) -> list[str]:
        return sorted(person.name for person in class_.people)

    def why(self, class_, shown: str) -> str:
        return next(seen.why for seen in class_.others if seen.shown == shown)


class ByHand(Intake):
    """What people make: the three forms of the instructor guide, and flat folders."""

    def test_the_three_forms_of_the_guide_may_be_mixed(self):
        self.give("alice/coalescing.cu", work())
        self.give("bob/01-coalescing/coalescing.cu", work())
        self.give("01-coalescing/carol.cu", work())
        self.give("alice/nbody.cu", work("03"))
        class_ = self.take_in()
        self.assertEqual(self.found(class_), {"01.alice": "alice/coalescing.cu", "01.bob": "bob/01-coalescing/coalescing.cu",
                                              "01.carol": "01-coalescing/carol.cu", "03.alice": "alice/nbody.cu"})
        self.assertEqual(class_.others + class_.notes, [])
        self.assertEqual(class_.hand_ins[0].file.read_text(encoding="utf-8"), work())

    def test_a_copy_is_the_bytes_that_were_handed_in(self):
        import hashlib
        data = b"\xef\xbb\xbf// \xff\r\n" + work().encode()
        self.give("alice/coalescing.cu", data)
        hand_in = self.take_in().hand_ins[0]
        self.assertEqual(hand_in.file.read_bytes(), data)
        self.assertEqual(hand_in.sha256, hashlib.sha256(data).hexdigest())

    def test_in_a_flat_folder_the_name_says_person_and_lab_in_any_order(self):
        for name in ("alice_coalescing.cu", "coalescing_bob.cu", "01_carol.cu", "Dana Scully 01-coalescing.cu", "lab01-erin.cu",
                     "frank.lab1.cu",
                     "coalescing-grace.cu", "henry_01_coalescing.cu", "Shared Memory - Iris.cu"):
            self.give(name, work("02" if "Iris" in name else "01"))
        class_ = self.take_in()
        self.assertEqual(sorted(self.found(class_)), ["01.Dana-Scully", "01.alice", "01.bob", "01.carol", "01.erin", "01.frank",
                                                      "01.grace", "01.henry", "02.Iris"])

    def test_a_lab_that_no_name_says_is_recognised_by_the_functions_that_are_defined(self):
        for lab in LABS:
            self.give(f"student {lab.number}/main.cu", work(lab.number))
        self.give("zoe.cu", work("04"))
        class_ = self.take_in()
        self.assertEqual(sorted(self.found(class_)), sorted([f"{lab.number}.student-{lab.number}" for lab in LABS] + ["04.zoe"]))
        self.assertTrue(any("zoe.cu was recognised by what it defines" in note for note in class_.notes))

    def test_a_number_at_a_name_is_the_persons_and_not_a_labs(self):
        for number in ("01", "02", "03"):
            self.give(f"01-coalescing/group-{number}.cu", work())
            self.give(f"student-{number}/nbody.cu", work("03"))
            self.give(f"{number}_{'abc'[int(number) - 1]}.cu", work("04"))
        self.assertEqual(sorted(self.found(self.take_in())), [
            "01.group-01", "01.group-02", "01.group-03", "03.student-01", "03.student-02", "03.student-03", "04.01-a",
            "04.02-b", "04.03-c"])

    def test_folders_around_all_files_are_not_a_persons_name(self):
        for who in ("alice", "bob"):
            self.give(f"CUDA 2026/collected/{who}/final version/coalescing.cu", work())
        self.assertEqual(sorted(self.found(self.take_in())), ["01.alice", "01.bob"])

    def test_groups_and_sections_do_not_make_one_person_of_many(self):
        for section, people in (("section A", ("alice", "ann")), ("section B", ("bob", "ben"))):
            for who in people:
                self.give(f"{section}/{who}/coalescing.cu", work())
        self.give("section C/carol_coalescing.cu", work())
        self.give("section C/cyd_coalescing.cu", work())
        self.assertEqual(sorted(self.found(self.take_in())), ["01.alice", "01.ann", "01.ben", "01.bob", "01.carol", "01.cyd"])

    def test_versions_of_one_student_are_no_group(self):
        self.give("alice/old/coalescing.cu", work(mark="1"), 1000)
        self.give("alice/new/coalescing.cu", work(mark="2"), 2000)
        self.give("alice/1/nbody.cu", work("03", "1"), 1000)
        self.give("alice/2/nbody.cu", work("03", "2"), 2000)
        self.give("bob/coalescing.cu", work())
        self.assertEqual(self.found(self.take_in()), {"01.alice": "alice/new/coalescing.cu", "03.alice": "alice/2/nbody.cu",
                                                      "01.bob": "bob/coalescing.cu"})

    def test_a_zip_of_one_student_has_their_name(self):
        self.give("alice.zip", zipped({"coalescing.cu": work(), "nbody.cu": work("03")}))
        self.give("bob_01.tar.gz", tarred({"./src/coalescing.cu": work()}, "w:gz"))
        self.give("lab 3/carol.zip", zipped({"my stuff/main.cu": work("03")}))
        self.assertEqual(self.found(self.take_in()), {
            "01.alice": "alice.zip/coalescing.cu", "03.alice": "alice.zip/nbody.cu", "01.bob_01": "bob_01.tar.gz/src/coalescing.cu",
            "03.carol": "lab 3/carol.zip/my stuff/main.cu"})

    def test_one_students_folder_or_zip_can_be_given_alone(self):
        (self.folder / "alice.zip").write_bytes(zipped({"coalescing.cu": work()}))
        self.assertEqual(list(self.found(self.take_in(self.folder / "alice.zip"))), ["01.alice"])

    def test_a_file_that_names_no_person_or_no_lab_is_listed_with_a_reason(self):
        self.give("coalescing.cu", work())
        self.give("bob/coalescing.cu", work())
        self.give("alice/thoughts.cu", "// nothing")
        self.give("alice/report.pdf", "%PDF")
        class_ = self.take_in()
        self.assertIn("does not say whose it is", self.why(class_, "coalescing.cu"))
        self.assertIn("defines no function", self.why(class_, "alice/thoughts.cu"))
        self.assertIn("not a .cu file", self.why(class_, "alice/report.pdf"))

    def test_a_file_for_a_lab_that_is_not_graded_now_is_known_as_such(self):
        self.give("alice/coalescing.cu", work())
        self.give("alice/nbody.cu", work("03"))
        self.give("bob/main.cu", work("03"))
        class_ = self.take_in(labs=LABS[:1])
        self.assertEqual(list(self.found(class_)), ["01.alice"])
        self.assertIn("03-nbody-tiling, which is not graded this time", self.why(class_, "alice/nbody.cu"))
        self.assertIn("03-nbody-tiling", self.why(class_, "bob/main.cu"))

    def test_nothing_to_take_in_is_a_sentence(self):
        for source in (self.folder / "missing", self.give("lone.cu", work()), self.give("notes.txt", "x"),
                       self.give("broken.zip", b"PK\3\4")):
            with self.assertRaises(Problem) as caught:
                intake.take_in(source, LABS, self.scratch)
            self.assertRegex(str(caught.exception), r"^There is no|is one file|not an archive")


class Names(Intake):
    """The issue's table: names in all writings, one bad name costing itself alone."""

    def test_umlauts_and_chinese_names_are_different_people_with_their_own_names(self):
        for who in ("Müller", "Möller", "王伟", "李娜", "Muller"):
            self.give(f"{who}/coalescing.cu", work(mark=who))
        class_ = self.take_in()
        self.assertEqual(self.names(class_), sorted(["Müller", "Möller", "王伟", "李娜", "Muller"]))
        self.assertEqual(len(class_.hand_ins), 5)
        for hand_in in class_.hand_ins:
            self.assertIn(f"// {hand_in.person.name}", hand_in.file.read_text(encoding="utf-8"))

    def test_composed_and_decomposed_forms_are_one_person(self):
        self.give("Zoë/coalescing.cu", work())
        self.give(f"{unicodedata.normalize('NFD', 'Zoë')}/nbody.cu", work("03"))
        class_ = self.take_in()
        self.assertEqual(self.names(class_), ["Zoë"])
        self.assertEqual(len(class_.hand_ins), 2)

    def test_an_id_does_not_depend_on_who_else_is_there(self):
        people = ["Müller", "王伟", "alice", "Jane Doe", "🦄", "a;b", "x" * 200]
        for who in people:
            self.give(f"{who}/coalescing.cu", work())
        all_ids = {person.name: person.id for person in self.take_in().people}
        for who in people:
            shutil.rmtree(self.given)
            self.give(f"{who}/coalescing.cu", work())
            self.give("zzz/coalescing.cu", work())
            alone = next(person for person in self.take_in().people if person.name != "zzz")
            self.assertEqual(alone.id, all_ids[alone.name])
        self.assertEqual((all_ids["alice"], all_ids["Jane Doe"]), ("alice", "Jane-Doe"))

    def test_names_that_no_build_could_pass_on_are_only_names(self):
        names = ["a;b", "a|b", 'a"b', "$HOME", "a\\b", "[x]", "`id`", "new\nline", "\x1b[31mred", "\u202ereversed", "-rf", "=1+1", "🦄",
                 "שלום", "..."]
        for who in names:
            self.give(f"{who}/coalescing.cu", work(mark="of " + repr(who)))
        class_ = self.take_in()
        self.assertEqual(len(class_.hand_ins), len(names))
        texts = {hand_in.file.read_text(encoding="utf-8") for hand_in in class_.hand_ins}
        self.assertEqual(texts, {work(mark="of " + repr(who)) for who in names})

    def test_a_name_that_is_not_utf8_costs_itself_alone(self):
        folder = os.fsencode(self.given) + b"/M\xfcller"
        os.mkdir(folder)
        with open(folder + b"/coalescing.cu", "w", encoding="utf-8") as file:
            file.write(work())
        self.give("alice/coalescing.cu", work())
        class_ = self.take_in()
        self.assertEqual(self.names(class_), ["M\\xfcller", "alice"])
        self.assertEqual(len(class_.hand_ins), 2)

    def test_random_hostile_names_each_make_one_person_or_one_line(self):
        for seed in range(6):
            shutil.rmtree(self.given, ignore_errors=True)
            wanted = {}
            for number, text in enumerate(hostile_texts(60, seed)):
                part = text.replace("/", "").replace("\0", "").encode("utf-8", "surrogateescape")[:200].decode("utf-8", "surrogateescape")
                path = f"{part}{number}/coalescing.cu"
                self.give(path, work(mark=f"number {number}"))
                wanted[number] = path
            class_ = self.take_in()
            self.assertEqual(len(class_.hand_ins), len(wanted))
            texts = [hand_in.file.read_text(encoding="utf-8") for hand_in in class_.hand_ins]
            for number in wanted:
                self.assertEqual(sum(text.endswith(f"// number {number}\n") for text in texts), 1)


class Versions(Intake):
    def test_browsers_and_file_managers_names_are_recognised_and_the_highest_number_wins(self):
        for name in ("coalescing.cu", "coalescing (1).cu", "coalescing (2).cu", "Kopie von coalescing.cu"):
            self.give(f"alice/{name}", work(mark=name), 1000)
        class_ = self.take_in()
        hand_in = class_.hand_ins[0]
        self.assertEqual(hand_in.shown, "alice/coalescing (2).cu")
        self.assertEqual(len(hand_in.others), 3)
        self.assertEqual(len(class_.notes), 1)
        self.assertIn("as the newest by the number in its name", class_.notes[0])

    def test_each_form_of_a_copys_name_is_the_labs(self):
        names = ["coalescing (2).cu", "coalescing-1.cu", "Kopie von coalescing.cu", "COALESCING.CU", "coalescing.cu.txt",
                 "Copy of coalescing.cu",
                 "coalescing - Kopie.cu", "coalescing - Copy (3).cu", "coalescing_v2.cu", "coalescing2.cu", "Coalescing.Cu.TXT",
                 "Copy (2) of coalescing.cu",
                 "coalescing copy 2.cu", "01-coalescing (1).cu", "coalescing-final.cu", "coalescing.cu.TXT"]
        for number, name in enumerate(names):
            self.give(f"s{number:02}x/{name}", "// no function here\n" if number % 2 else work())
        class_ = self.take_in()
        weak = {f"01.s{number:02}x" for number, name in enumerate(names)}
        self.assertEqual({hand_in.id for hand_in in class_.hand_ins}, weak)

    def test_between_equal_numbers_the_files_times_decide(self):
        self.give("alice/coalescing.cu", work(mark="old"), 1000)
        self.give("alice/backup/coalescing.cu", work(mark="new"), 2000)
        class_ = self.take_in()
        self.assertEqual(class_.hand_ins[0].shown, "alice/backup/coalescing.cu")
        self.assertIn("by the files' times", class_.notes[0])

    def test_times_in_archives_and_of_files_on_disk_are_compared_as_what_they_are(self):
        """A zip's file was always the newest: its time was that of a calendar that began 2000 years ago."""
        def local(day: int, hour: int = 12, zone=None) -> float:
            return datetime.datetime(2026, 11, day, hour, tzinfo=zone).timestamp()

        def packed(day: int, hour: int = 12, extra: bytes = b"", form: str = "zip") -> bytes:
            made = io.BytesIO()
            if form == "tar":
                with tarfile.open(fileobj=made, mode="w") as tar:
                    member = tarfile.TarInfo("coalescing.cu")
                    member.size, member.mtime = len(work(mark="packed")), int(local(day, hour))
                    tar.addfile(member, io.BytesIO(work(mark="packed").encode()))
                return made.getvalue()
            with zipfile.ZipFile(made, "w") as archive:
                member = zipfile.ZipInfo("coalescing.cu", (2026, 11, day, hour, 0, 0))
                member.extra = extra
                archive.writestr(member, work(mark="packed"))
            return made.getvalue()

        zone = Rules(LABS, {"time_zone": "Etc/GMT-9"})
        for loose, inner, form, rules in ((local(20), (10,), "zip", None), (local(8), (10,), "zip", None), (local(20), (10,), "tar", None), (local(8), (10,), "tar", None),
                                          (local(10, 3, zone.zone), (10, 2), "zip", zone), (local(10, 1, zone.zone), (10, 2), "zip", zone),
                                          (local(12), (20, 12, struct.pack("<HHBi", 0x5455, 5, 1, int(local(10)))), "zip", None)):
            self.give("alice/coalescing.cu", work(mark="loose"), loose)
            self.give(f"alice/all.{form}", packed(*inner, form=form), local(25))
            class_ = self.take_in(rules=rules)
            begin = local(10) if len(inner) > 2 else local(*inner, **({"zone": rules.zone} if rules else {}))
            self.assertEqual((class_.hand_ins[0].shown == "alice/coalescing.cu", class_.asks), (loose > begin, []), (loose, inner, form))
            self.assertIn("by the files' times", class_.notes[0])
            (self.given / f"alice/all.{form}").unlink()

    def test_where_nothing_says_which_is_newer_the_plain_name_wins_and_the_note_asks_to_look(self):
        for name in ("Kopie von coalescing.cu", "coalescing.cu", "coalescing_final.cu"):
            self.give(f"alice/{name}", work(mark=name), 1000)
        class_ = self.take_in()
        self.assertEqual((class_.hand_ins[0].shown, class_.notes), ("alice/coalescing.cu", []))
        self.assertIn("alice/coalescing.cu counts for now", class_.asks[0])

    def test_a_file_without_work_never_counts_before_one_with_work(self):
        """A download of the starter, or an empty file, that was newer than a right file, gave 0 points without a word."""
        begun = STARTERS["01"].replace("// END TODO(1)", "  x += 1;\n  // END TODO(1)")
        self.assertNotEqual(begun, STARTERS["01"])
        for idle in (STARTERS["01"], "", " \n", STARTERS["01"] + "\n", "// mine\n" + STARTERS["01"], STARTERS["01"].replace("\n", "\r\n"), "\ufeff" + STARTERS["01"]):
            for name, other in (("coalescing.cu", "coalescing (1).cu"), ("coalescing.cu", "again.cu"), ("mine.cu", "coalescing.cu"), ("a/coalescing.cu", "b/coalescing.cu")):
                shutil.rmtree(self.given)
                self.give(f"alice/{name}", begun, 1000)
                self.give(f"alice/{other}", idle, 2000)
                self.give("bob/coalescing.cu", begun)
                class_ = self.take_in()
                [found] = [hand_in for hand_in in class_.hand_ins if hand_in.person.name == "alice"]
                self.assertEqual((found.shown, class_.asks), (f"alice/{name}", []), (idle[:20], other))
                if found.others:
                    self.assertIn(f"alice/{name} counts, because the other is as it was given out where the TODOs are, empty, or without a function of the lab; not: alice/{other}.", " ".join(class_.notes))
        for number, text in enumerate((begun, begun + "// again\n", STARTERS["01"])):
            self.give(f"carl/coalescing{f' ({number})' * bool(number)}.cu", text)
        class_ = self.take_in(rules=Rules(LABS, {"attempts": {"most": 2}}))
        self.assertIn("carl/coalescing (1).cu counts, as the newest by the number in its name; not: carl/coalescing (2).cu, carl/coalescing.cu. Without work, whatever their "
                      "times are: carl/coalescing (2).cu.", " ".join(class_.notes))
        shutil.rmtree(self.given)
        for number in ("", " (1)"):
            self.give(f"alice/coalescing{number}.cu", STARTERS["01"])
        self.assertEqual(list(self.found(self.take_in()).values()), ["alice/coalescing (1).cu"])  # of several without work one counts

    def test_a_file_without_a_function_of_the_lab_never_counts_before_one_with_them(self):
        for empty in ("// nothing\n", "int main() { return 0; }\n"):
            shutil.rmtree(self.given)
            self.give("alice/work.zip", zipped({"a/b/dot_product.cu": begun("04"), "old/dot_product_old.cu.txt": empty}))
            self.give("bob/dot_product.cu", empty)
            class_ = self.take_in()
            self.assertEqual((self.found(class_), class_.asks), ({"04.alice": "alice/work.zip/a/b/dot_product.cu", "04.bob": "bob/dot_product.cu"}, []))
        self.give("carl/dot_product.cu", empty, 1000)
        self.give("carl/dot_product (1).cu", STARTERS["04"], 2000)
        self.assertEqual(self.found(self.take_in())["04.carl"], "carl/dot_product.cu")  # something is written there

    def test_a_readable_version_is_taken_before_one_that_is_not(self):
        self.give("alice/coalescing.cu", work())
        self.give("alice/coalescing (2).cu", b"x" * 1_000_001)
        class_ = self.take_in()
        self.assertEqual((class_.hand_ins[0].shown, class_.hand_ins[0].fault), ("alice/coalescing.cu", None))
        self.assertIn("because the other has 1000001 bytes", class_.notes[0])

    def test_the_course_can_let_the_best_or_the_first_attempts_count(self):
        for number in ("", " (1)", " (2)", " (3)"):
            self.give(f"alice/coalescing{number}.cu", work(mark=number), 1000)
        rules = Rules(LABS, {"attempts": {"most": 3, "counts": "best"}})
        class_ = self.take_in(rules=rules)
        self.assertEqual(self.found(class_), {"01.alice": "alice/coalescing (2).cu", "01.alice.1": "alice/coalescing (1).cu",
                                              "01.alice.2": "alice/coalescing.cu"})
        self.assertEqual(class_.notes, ["alice, 01-coalescing: the best of the first 3 attempts counts, by the number in its name; not: alice/coalescing (3).cu."])
        self.assertIn("alice/coalescing (3).cu", class_.hand_ins[0].others)

    def test_by_what_the_first_attempts_are_the_first_ones_is_said(self):
        """The times of files, which are a student's own word, decided which attempt counts, and nothing was said of them."""
        for place, name in enumerate(("coalescing.cu", "coalescing final.cu", "coalescing (2).cu", "coalescing (3).cu")):
            self.give(f"eva/{name}", work(mark=name), 1000 + place)
        first, second, third, fourth = "eva/coalescing.cu", "eva/coalescing final.cu", "eva/coalescing (2).cu", "eva/coalescing (3).cu"
        own, times, number = "eva, 01-coalescing: ", "by the files' times", "by the number in its name"
        for most, counts, note in ((1, "last", f"{first} counts, as the first attempt, which alone counts, {times}; not: {second}, {third}, {fourth}."),
                                   (2, "last", f"{second} counts, as the last of the 2 attempts that count, {times} and {number}; not: {first}, {third}, {fourth}."),
                                   (3, "last", f"{third} counts, as the last of the 3 attempts that count, {number}; not: {first}, {second}, {fourth}."),
                                   (4, "last", f"{fourth} counts, as the newest {number}; not: {first}, {second}, {third}."),
                                   (1, "best", f"the first attempt alone counts, {times}; not: {second}, {third}, {fourth}."),
                                   (2, "best", f"the best of the first 2 attempts counts, {number}; not: {third}, {fourth}.")):
            class_ = self.take_in(rules=Rules(LABS, {"attempts": {"most": most, "counts": counts}}))
            self.assertEqual((class_.notes, class_.asks), ([own + note], []))

    def test_a_file_that_is_none_by_its_name_is_no_attempt_before_one_that_is(self):
        self.give("eva/coalescing.cu", work(mark="real"))
        self.give("eva/coalescing.bak", work(mark="kept"))
        for counts in ("last", "best"):
            class_ = self.take_in(rules=Rules(LABS, {"attempts": {"most": 1, "counts": counts}}))
            self.assertEqual(self.found(class_), {"01.eva": "eva/coalescing.cu"})
            self.assertEqual(class_.notes, ["eva, 01-coalescing: eva/coalescing.cu counts, because it is the one called .cu; not: eva/coalescing.bak."])

    def test_another_suffix_is_taken_if_the_file_defines_the_labs_functions_and_nothing_better_is_there(self):
        self.give("alice/coalescing.cpp", work())
        self.give("bob/coalescing.cpp", work(mark="cpp"), 2000)
        self.give("bob/coalescing.cu", work(mark="cu"), 1000)
        self.give("carol/coalescing.cpp", "int main() {}")
        class_ = self.take_in()
        self.assertEqual(self.found(class_), {"01.alice": "alice/coalescing.cpp", "01.bob": "bob/coalescing.cu"})
        self.assertIn("no function of a lab", self.why(class_, "carol/coalescing.cpp"))


class FoldersOfOneName(Intake):
    """Folders of one name in several others were one person, of whose files the times on the disk chose one."""

    def doubts(self, **more) -> tuple[dict[str, list[str]], list[str]]:
        class_ = self.take_in(**more)
        return {hand_in.id: hand_in.doubt for hand_in in class_.hand_ins if hand_in.doubt}, class_.asks

    def sections(self, **files: tuple[str, ...]) -> None:
        """One of each file, by the folder that it lies in."""
        shutil.rmtree(self.given)
        for folder, names in files.items():
            for name in ("ann", "bo") if folder.startswith("section") else ():
                self.give(f"{folder}/{name}-{folder}/coalescing.cu", work(mark=name + folder))
            for number, name in enumerate(names):
                self.give(f"{folder.replace('__', '/')}/{name}", work("03" if "nbody" in name else "01", folder), 1000 * number)

    def test_two_people_may_be_meant_where_two_sections_have_a_folder_of_one_name(self):
        for names in (("alice/coalescing.cu", "alice/coalescing.cu"), ("alice_coalescing.cu", "alice_coalescing.cu"), ("alice/coalescing.cu", "alice_coalescing.cu")):
            self.sections(sectionA=(names[0], "alice/nbody.cu"), sectionB=(names[1],))
            found, asks = self.doubts()
            self.assertEqual((sorted(found), asks), (["01.alice", "03.alice"], []), names)  # returned.py asks
            self.assertEqual(len(set(map(tuple, found.values()))), 1)
        self.sections(sectionA=("alice/coalescing.cu",), sectionB=())
        self.give("alice/coalescing.cu", work())
        self.assertEqual(self.doubts()[0], {"01.alice": ["alice", "sectionA/alice"]})

    def test_a_rosters_row_with_the_path_says_whose_it_is_and_so_does_an_email(self):
        people = "path,id,name,email\n,alice,Alice Ames,a@x.org\n,alice2,Alice Brown,b@x.org\n"
        self.sections(sectionA=("alice/coalescing.cu",), sectionB=("alice/coalescing.cu",))
        for rows, wanted in (("", ["01.alice"]), ("sectionA/alice,alice,,\n", ["01.alice"]), ("sectionA/alice,alice,,\nsectionB/alice,alice2,,\n", []),
                             ("sectionB/alice,alice2,,\n", []), ("sectionB/alice/coalescing.cu,alice2,,\n", []), ("sectionA/alice/coalescing.cu,alice,,\nsectionB/alice,alice,,\n", [])):
            roster = self.write("r.csv", people + rows)
            self.assertEqual(sorted(self.doubts(rosters=[roster])[0]), wanted, rows)
        self.sections(sectionA=("a@x.org/coalescing.cu",), sectionB=("a@x.org/coalescing.cu",))
        found, asks = self.doubts(rosters=[self.write("r.csv", people)])
        self.assertEqual((found, [ask for ask in asks if "counts for now" in ask][0][:25]), ({}, "Alice Ames, 01-coalescing"))

    def test_folders_of_labs_and_of_weeks_are_no_sections(self):
        self.sections(**{"Lab_01": ("alice/coalescing.cu", "bob/coalescing.cu"), "Lab_03": ("alice/nbody.cu", "bob/nbody.cu")})
        self.assertEqual(self.doubts(), ({}, []))
        weeks = {"week1": ("alice/coalescing.cu", "bob/coalescing.cu"), "week2": ("alice/nbody.cu", "bob/nbody.cu")}
        self.sections(**weeks)
        self.assertEqual(self.doubts(), ({}, []))
        self.sections(**{**weeks, "week2": (*weeks["week2"], "carl/coalescing.cu")})  # they may be sections
        found, [ask] = self.doubts()
        self.assertEqual(found, {})
        self.assertIn("alice (week1/alice, week2/alice), bob (week1/bob, week2/bob)", ask)

    def test_a_copy_of_a_systems_folder_is_the_same_persons_and_no_files_time_decides(self):
        """`NAME_NUMBER_assignsubmission_file (1)` was a person of this name, and so was a copy of a clone."""
        gradescope = "---\n" + "".join(f"submission_{number}:\n  :submitters:\n  - :name: {name}\n    :sid: '{number}'\n" for number, name in ((1, "Jane Doe"), (2, "Bo Li")))
        for folder, other, name, more in (("Jane Doe_111_assignsubmission_file", "Bo Li_112_assignsubmission_file", "Jane Doe", {}),
                                          ("39786-1 - Jane Doe - Oct 10, 2025 1022 AM", "39786-2 - Bo Li - Oct 10, 2025 1022 AM", "Jane Doe", {}),
                                          ("submission_1", "submission_2", "Jane Doe", {"submission_metadata.yml": gradescope}), ("lab-01-jane", "lab-01-bo", "jane", {})):
            for copy in (" (1)", " - Copy", " (2)"):
                for second in ("same", "other"):
                    for place, (path, mark) in enumerate(((folder, "same"), (f"{folder}{copy}", second), (other, "bo"))):
                        self.give(f"{path}/coalescing.cu", begun(mark=mark), 1000 + place)
                        self.give(f"{path}/.git/HEAD", "x") if name == "jane" else None
                    for path, text in more.items():
                        self.give(path, text)
                    class_ = self.take_in()
                    [jane] = [hand_in for hand_in in class_.hand_ins if hand_in.person.name == name]
                    self.assertEqual((len(class_.people), len(jane.others), len(class_.asks)), (2, 1, int(second == "other")), (folder, copy, class_.asks))
                    self.assertEqual(["counts, because all are the same; not: " in note for note in class_.notes], [True] * (second == "same"))
                    shutil.rmtree(self.given)

    def test_times_of_files_order_what_lies_in_one_folder_alone(self):
        for first, second, asked in (("dave/coalescing.cu", "dave - Copy/coalescing.cu", True), ("dave/coalescing.cu", "01-coalescing/dave.cu", True),
                                     ("dave.zip", "dave (1).zip", True), ("dave/coalescing.cu", "dave_coalescing.cu", True), ("dave/old/coalescing.cu", "dave/new/coalescing.cu", False),
                                     ("dave_coalescing.cu", "dave_coalescing (1).cu", False)):
            for same in (False, True):
                shutil.rmtree(self.given)
                for number, name in enumerate((first, second)):
                    text = work(mark="" if same else str(number))
                    self.give(name, zipped({"coalescing.cu": text}) if name.endswith(".zip") else text, 1000 * (number + 1))
                self.give("erin/coalescing.cu", work())
                class_ = self.take_in()
                self.assertEqual([hand_in.id for hand_in in class_.hand_ins], ["01.dave", "01.erin"])
                self.assertEqual(["counts for now" in ask for ask in class_.asks], [True] * (asked and not same), (first, second))
                if asked and same:
                    self.assertIn("because all are the same", class_.notes[0])


class Moodle(Intake):
    def test_folders_of_an_assignment(self):
        files = {"Jane Doe_1234567_assignsubmission_file/coalescing.cu": work(),
                 "Zoë Müller_1234568_assignsubmission_file_/my.cu": work(),
                 "王伟_1234569_assignsubmission_file/abgabe.zip": zipped({"src/coalescing.cu": work(), "src/notes.txt": "x"}),
                 "Mia O'Neil_1234570_assignsubmission_file/coalescing.cu": work(),
                 "Mia O'Neil_1234570_assignsubmission_onlinetext/onlinetext.html": "<p>hello</p>",
                 "Default group_assignsubmission_file/coalescing.cu": work(),
                 "Only Text_1234571_assignsubmission_onlinetext/onlinetext.html": "<p>sorry</p>"}
        (self.folder / "CUDA-Lab 1-4711.zip").write_bytes(zipped(files))
        class_ = self.take_in(self.folder / "CUDA-Lab 1-4711.zip")
        self.assertEqual(self.names(class_), sorted(["Jane Doe", "Zoë Müller", "王伟", "Mia O'Neil", "Default group", "Only Text"]))
        self.assertEqual(len(class_.hand_ins), 5)
        self.assertEqual({person.name: person.keys.get("moodle_id") for person in class_.people}["Jane Doe"], "1234567")
        self.assertIn("not a .cu file", self.why(class_, "Mia O'Neil_1234570_assignsubmission_onlinetext/onlinetext.html"))

    def test_the_flat_form(self):
        self.give("Jane Doe_1234567_assignsubmission_file_coalescing.cu", work())
        self.give("Jane Doe_1234567_assignsubmission_file_report.pdf", "%PDF")
        self.give("John Roe_1234568_assignsubmission_file_Kopie von coalescing (2).cu", work())
        self.assertEqual(sorted(self.found(self.take_in())), ["01.Jane-Doe", "01.John-Roe"])

    def test_one_person_in_two_assignments_has_two_numbers_and_stays_one_person(self):
        self.give("lab1.zip", zipped({"Jane Doe_111_assignsubmission_file/coalescing.cu": work()}))
        self.give("lab3.zip", zipped({"Jane Doe_222_assignsubmission_file/nbody.cu": work("03")}))
        class_ = self.take_in()
        self.assertEqual(sorted(self.found(class_)), ["01.Jane-Doe", "03.Jane-Doe"])

    def test_people_are_listed_by_their_names(self):
        for number, name in enumerate(("Zoë Müller", "李雷", "anna b", "Bert")):
            self.give(f"{name}_11{number}_assignsubmission_file/coalescing.cu", work())
        self.assertEqual([person.name for person in self.take_in().people], ["anna b", "Bert", "Zoë Müller", "李雷"])

    def test_two_people_of_one_name_in_one_assignment_are_two(self):
        for number in ("111", "222"):
            self.give(f"Wei Wang_{number}_assignsubmission_file/coalescing.cu", work(mark=number))
        class_ = self.take_in()
        self.assertEqual(sorted(self.found(class_)), ["01.Wei-Wang-111", "01.Wei-Wang-222"])
        self.assertEqual(self.names(class_), ["Wei Wang", "Wei Wang"])
        self.assertTrue(any("Several people are called Wei Wang" in note for note in class_.notes))

    def test_a_submission_that_cannot_be_opened_leaves_the_person_in_the_class(self):
        self.give("Jane Doe_1_assignsubmission_file/work.rar", b"Rar!")
        self.give("John Roe_2_assignsubmission_file/work.zip", b"PK\3\4 broken")
        class_ = self.take_in()
        self.assertEqual(self.names(class_), ["Jane Doe", "John Roe"])
        self.assertIn("unpack it", self.why(class_, "Jane Doe_1_assignsubmission_file/work.rar"))
        self.assertIn("damaged", self.why(class_, "John Roe_2_assignsubmission_file/work.zip"))


class Canvas(Intake):
    def test_names_late_marks_and_numbers_of_resubmissions(self):
        files = {"doejane_12345_67890_coalescing.cu": work(),
                 "roejohn_LATE_12346_67891_coalescing-1.cu": work(),
                 "müllerzoë_12347_67892_coalescing-2.cu": work(),
                 "王伟_12348_67893_main.cu": work(),
                 "anon_aB3x9_67894_coalescing.cu": work(),
                 "LATE_anon_Qw7rT_67895_coalescing.cu": work(),
                 "smithbob_12349_67896_lab 1.zip": zipped({"lab 1/coalescing.cu": work()}),
                 "leeann_12350_67897_work.tar-1.gz": tarred({"coalescing.cu": work()}, "w:gz"),
                 "lateonly_LATE_12351_67898_text.html": "<p>"}
        (self.folder / "submissions.zip").write_bytes(zipped(files))
        class_ = self.take_in(self.folder / "submissions.zip")
        by_canvas = {hand_in.person.keys["canvas_id"]: hand_in for hand_in in class_.hand_ins}
        self.assertEqual(set(by_canvas), {"12345", "12346", "12347", "12348", "12349", "12350", "anon_aB3x9", "anon_Qw7rT"})
        self.assertEqual({key for key, hand_in in by_canvas.items() if hand_in.late}, {"12346", "anon_Qw7rT"})
        self.assertEqual((by_canvas["12345"].person.id, by_canvas["12347"].person.name), ("doejane-12345", "müllerzoë"))
        self.assertIn("lateonly", self.names(class_))

    def test_the_newest_is_the_one_with_canvass_highest_number(self):
        self.give("doejane_12345_67899_coalescing.cu", work(mark="last"), 1000)
        self.give("doejane_12345_67890_coalescing-1.cu", work(mark="first"), 2000)
        class_ = self.take_in()
        self.assertIn("// last", class_.hand_ins[0].file.read_text(encoding="utf-8"))
        self.assertIn("Canvas's number of the file", class_.notes[0])

    def test_two_people_of_one_name_are_two_and_one_person_in_two_labs_is_one(self):
        self.give("wangwei_11111_501_coalescing.cu", work())
        self.give("wangwei_22222_502_coalescing.cu", work())
        self.give("wangwei_22222_503_nbody-1.cu", work("03"))
        self.assertEqual(sorted(self.found(self.take_in())), ["01.wangwei-11111", "01.wangwei-22222", "03.wangwei-22222"])


GRADESCOPE = """---
submission_409194023:
  :submitters:
  - :name: Jane Doe
    :sid: '30001'
    :email: jane@example.edu
  :created_at: 2026-11-20 17:34:00.861687000 Z
  :score: 2.0
  :results:
    score: 2.0
    output: |-
      :submitters:
      - :name: Forged Name
  :history:
  - :id: 1
    :created_at: 2026-11-19 10:00:00.000000000 Z
  - :id: 2
    :created_at: 2026-11-19 11:00:00.000000000 Z
submission_409194024:
  :submitters:
  - :name: "Zo\\u00EB M\\xFCller"
    :sid: 30002
    :email: &1 zoe@example.edu
  - :name: 王伟
    :sid: '30003'
    :email: wei@example.edu
  :created_at: 2026-11-20 19:00:00.000000000 +01:00
submission_409194025:
  :submitters:
  - :email: sid-less@example.edu
submission_409194026:
  :submitters: []
submission_409194027:
  :submitters:
  - :name: ! '=cmd|evil'
    :email: *1
"""


class Gradescope(Intake):
    def test_people_come_from_the_metadata_and_each_of_a_group_has_a_hand_in(self):
        files = {"assignment_1_export/submission_metadata.yml": GRADESCOPE,
                 "assignment_1_export/submission_409194023/coalescing.cu": work(mark="jane"),
                 "assignment_1_export/submission_409194024/src/coalescing.cu": work(mark="pair"),
                 "assignment_1_export/submission_409194025/notes.txt": "x",
                 "assignment_1_export/submission_409194026/coalescing.cu": work(),
                 "__MACOSX/assignment_1_export/._x": "x"}
        (self.folder / "export.zip").write_bytes(zipped(files))
        class_ = self.take_in(self.folder / "export.zip")
        jane = next(hand_in for hand_in in class_.hand_ins if hand_in.person.name == "Jane Doe")
        self.assertEqual((jane.person.id, jane.person.keys), ("Jane-Doe", {"sid": "30001", "email": "jane@example.edu"}))
        self.assertEqual(jane.submitted, datetime.datetime(2026, 11, 20, 17, 34, tzinfo=datetime.timezone.utc))
        pair = [hand_in for hand_in in class_.hand_ins if hand_in.shown.endswith("24/src/coalescing.cu")]
        self.assertEqual(sorted(hand_in.person.name for hand_in in pair), ["Zoë Müller", "王伟"])
        self.assertEqual(pair[0].submitted.utctimetuple()[3], 18)
        self.assertIn("sid-less@example.edu", self.names(class_))
        self.assertNotIn("Forged Name", self.names(class_))
        self.assertTrue(any("is upload number 3" in note for note in class_.notes))

    def test_metadata_is_never_an_error(self):
        pick = random.Random(3)
        for _ in range(300):
            lines = GRADESCOPE.splitlines()
            for _ in range(pick.randint(1, 8)):
                at = pick.randrange(len(lines))
                lines[at] = pick.choice([lines[at][: pick.randint(0, 20)], lines[at] + "'", " " * pick.randint(0, 9) + lines[at], "\t",
                                         ":submitters:",
                                         "\udcff: [", lines[at].replace("'", '"'), "- :name: \\", "*x: *y"])
            naming.gradescope_people("\n".join(lines))


class Clones(Intake):
    def workbook(self, folder: str, changed: dict[str, str]) -> None:
        """A clone of the whole workbook, as small as it can be and still be like one."""
        for lab in LABS:
            self.give(f"{folder}/labs/{lab.name}/{lab.starter.name}", changed.get(lab.number, STARTERS[lab.number]))
            self.give(f"{folder}/labs/{lab.name}/{lab.kept_starter.name}", STARTERS[lab.number])
            self.give(f"{folder}/labs/{lab.name}/lab.hpp", "#pragma once")
            self.give(f"{folder}/solutions/{lab.name}/{lab.starter.name}", work(lab.number, "the solution"))
            self.give(f"{folder}/solutions/{lab.name}/mutants/{lab.starter.name}", work(lab.number, "a mutant"))
        self.give(f"{folder}/common/tests/accepted/coalescing.cu", work(mark="accepted"))
        self.give(f"{folder}/warpbook", "#!/usr/bin/env python3")
        self.give(f"{folder}/.git/HEAD", "ref: refs/heads/main")
        for number in range(20):
            self.give(f"{folder}/.git/objects/{number:02}/coalescing.cu", "x")

    def test_only_students_files_that_differ_from_the_starter_are_hand_ins(self):
        self.workbook("cuda-labs-alice", {"01": work(), "03": work("03")})
        self.workbook("cuda-labs-bob", {"01": STARTERS["01"].replace("\n", "\r\n") + "\r\n"})
        class_ = self.take_in()
        self.assertEqual(self.found(class_), {"01.alice": "cuda-labs-alice/labs/01-coalescing/coalescing.cu",
                                              "03.alice": "cuda-labs-alice/labs/03-nbody-tiling/nbody.cu"})
        self.assertEqual(class_.people[0].keys, {"github": "alice"})
        self.assertEqual(self.why(class_, "cuda-labs-bob/labs/01-coalescing/coalescing.cu"), "It is the starter, unchanged.")
        git = next(seen for seen in class_.others if seen.shown == "cuda-labs-alice/.git/")
        self.assertEqual((git.count, git.kind), (21, "given"))
        self.assertLess(len(class_.others), 40)

    def test_a_starter_of_an_older_workbook_is_known_by_the_copy_beside_it(self):
        self.workbook("cuda-labs-alice", {"01": work()})
        self.workbook("cuda-labs-bob", {"02": work("02")})
        older = STARTERS["01"].replace("TODO(1)", "TODO (1)")
        self.give("cuda-labs-bob/labs/01-coalescing/coalescing.cu", older)
        self.give("cuda-labs-bob/labs/01-coalescing/coalescing.cu.starter", older)
        self.assertEqual(sorted(self.found(self.take_in())), ["01.alice", "02.bob"])

    def test_what_was_given_out_and_what_is_no_source_is_not_left_over(self):
        self.workbook("cuda-labs-alice", {"01": work()})
        self.give("cuda-labs-alice/.warpbook-give-out", "{}")
        self.give("cuda-labs-alice/report.pdf", "%PDF-1.7")
        class_ = self.take_in()
        self.assertEqual([seen.shown for seen in class_.others if seen.is_left_over and not seen.shown.endswith(".cu")], [])
        self.assertEqual([seen.kind for seen in class_.others if seen.shown == "cuda-labs-alice/report.pdf"], ["aside"])
        self.assertNotIn("give-out", " ".join(seen.shown for seen in class_.others))

    def test_a_labs_file_is_taken_wherever_it_lies_in_a_clone_unless_the_labs_own_has_been_worked_on(self):
        self.workbook("cuda-labs-alice", {"01": work()})
        self.workbook("cuda-labs-bob", {})
        for who in ("alice", "bob"):
            self.give(f"cuda-labs-{who}/labs/03-nbody-tiling/nbody (2).cu", work("03"))
            self.give(f"cuda-labs-{who}/main.cu", work())
            self.give(f"cuda-labs-{who}/src/dot_product.cu.txt", work("04"))
            self.give(f"cuda-labs-{who}/src/notes.cu", "// nothing")
            self.give(f"cuda-labs-{who}/copy/shared_memory.cu", STARTERS["02"])
        class_ = self.take_in()
        self.assertEqual(self.found(class_), {
            "01.alice": "cuda-labs-alice/labs/01-coalescing/coalescing.cu", "01.bob": "cuda-labs-bob/main.cu",
            **{f"03.{who}": f"cuda-labs-{who}/labs/03-nbody-tiling/nbody (2).cu" for who in ("alice", "bob")},
            **{f"04.{who}": f"cuda-labs-{who}/src/dot_product.cu.txt" for who in ("alice", "bob")}})
        self.assertTrue(any("because it lies where the workbook has the lab's file; not: cuda-labs-alice/main.cu" in note for note in class_.notes))
        self.assertIn("defines no function", self.why(class_, "cuda-labs-bob/src/notes.cu"))
        self.assertEqual(self.why(class_, "cuda-labs-bob/copy/shared_memory.cu"), "It is the starter, unchanged.")

    def test_what_the_workbook_brings_is_not_taken_for_a_students_file(self):
        self.workbook("cuda-labs-alice", {})
        for path in ("solutions/01-coalescing/an_older_step.cu", "common/tests/accepted/01-coalescing/older.cu", "build/sim/coalescing.cu"):
            self.give(f"cuda-labs-alice/{path}", work(mark=path))
        self.workbook("cuda-labs-bob", {"01": work()})
        self.assertEqual(list(self.found(self.take_in())), ["01.bob"])

    def test_the_folder_that_classrooms_tools_make_says_what_stands_before_the_user(self):
        self.workbook("cuda-labs-submissions/cuda-labs-alice-b", {"01": work()})
        self.workbook("cs1-labs_submissions_2026_11_20_T_14_30_45/cs1-labs-carol", {"01": work()})
        self.give("cs1-labs_submissions_2026_11_20_T_14_30_45/scores.csv", "x")
        self.assertEqual(sorted(self.found(self.take_in())), ["01.alice-b", "01.carol"])

    def test_small_repositories_and_downloads_of_them(self):
        for who in ("alice", "bob"):
            self.give(f"lab-one-{who}/coalescing.cu", work())
            self.give(f"lab-one-{who}/.git/HEAD", "x")
        files = {f"lab-one-carol-main/labs/{lab.name}/{lab.starter.name}": STARTERS[lab.number] for lab in LABS}
        files["lab-one-carol-main/labs/01-coalescing/coalescing.cu"] = work()
        self.give("lab-one-carol-main.zip", zipped({**files, "lab-one-carol-main/warpbook": "x"}))
        self.assertEqual(sorted(self.found(self.take_in())), ["01.alice", "01.bob", "01.carol"])

    def test_a_zip_with_a_clone_at_its_top_is_called_as_the_clone(self):
        for who in ("alice", "bob"):
            self.give(f"lab-one-{who}.zip", zipped({".git/HEAD": "x", "coalescing.cu": work()}))
        self.assertEqual(sorted(self.found(self.take_in())), ["01.alice", "01.bob"])

    def test_a_students_zip_of_the_whole_workbook_gives_no_solutions_as_hand_ins(self):
        self.workbook("x", {"01": work()})
        files = {str(path.relative_to(self.given / "x")): path.read_bytes() for path in (self.given / "x").rglob("*") if path.is_file()}
        shutil.rmtree(self.given / "x")
        self.give("Jane Doe_1_assignsubmission_file/warpbook.zip", zipped({f"warpbook/{name}": data for name, data in files.items()}))
        self.give("John Roe_2_assignsubmission_file/warpbook.tar.xz", tarred({f"warpbook/{name}": data for name, data in files.items()},
                                                                             "w:xz"))
        self.assertEqual(sorted(self.found(self.take_in())), ["01.Jane-Doe", "01.John-Roe"])


    def test_zips_and_folders_of_students_with_clones_in_them_are_the_students(self):
        for who in ("alice", "bob"):
            files = {f"warpbook-main/labs/{lab.name}/{lab.starter.name}": STARTERS[lab.number] for lab in LABS}
            files |= {"warpbook-main/warpbook": "x", "warpbook-main/labs/01-coalescing/coalescing.cu": work()}
            self.give(f"{who}.zip", zipped(files))
        for who, name in (("carol", "warpbook"), ("dave", "my-cuda-labs")):
            self.workbook(f"{who}/{name}", {"01": work()})
        self.assertEqual(sorted(self.found(self.take_in())), ["01.alice", "01.bob", "01.carol", "01.dave"])


class Forged(Intake):
    """A student cannot hand in for another one, nor make another one's file an older version."""

    def check_bob(self, class_, honest: str = "bob/coalescing.cu") -> None:
        bob = [hand_in for hand_in in class_.hand_ins if hand_in.person.name.casefold() in ("bob", "bob roe")]
        self.assertEqual([(hand_in.shown, hand_in.others) for hand_in in bob], [(honest, [])])

    FORGED = {"bob/coalescing.cu": "evil", "Bob Roe_2_assignsubmission_file/coalescing.cu": "evil",
              "bobroe_12345_67890_coalescing (9).cu": "evil",
              "lab-bob/.git/HEAD": "x", "lab-bob/coalescing (9).cu": "evil", "lab-carl/.git/HEAD": "x", "lab-carl/coalescing.cu": "evil",
              "submission_metadata.yml": "submission_1:\n  :submitters:\n  - :name: bob\n", "submission_1/coalescing.cu": "evil",
              "39786-640693 - bob - Nov 9, 2030 1022 AM/coalescing.cu": "evil"}

    def forged(self) -> dict[str, str]:
        return {name: work(mark=text) if text == "evil" else text for name, text in self.FORGED.items()}

    def test_by_names_inside_of_an_archive_or_folder_of_ones_own(self):
        self.give("bob/coalescing.cu", work(), 1000)
        self.give("carol/coalescing.cu", work(), 1000)
        self.give("alice.zip", zipped(self.forged()))
        for name, data in self.forged().items():
            self.give(f"mallory/{name}", data, 9000)
        class_ = self.take_in()
        self.check_bob(class_)
        self.assertTrue(any("kept apart" in ask for ask in class_.asks))

    #: What names people that were never there, by the form of a system or by hand.
    INVENTED = {
        "Gradescope": {"submission_metadata.yml": "".join(f"submission_{number}:\n  :submitters:\n  - :name: Ghost {number}\n    :sid: g{number}\n"
                                                          for number in range(1, 6)),
                       "submission_1/coalescing.cu": "evil", "submission_2/coalescing.cu": "evil"},
        "Gradescope's export": {"assignment_1_export/submission_metadata.yml": "submission_1:\n  :submitters:\n  - :name: Ghost\n",
                                "assignment_1_export/submission_1/coalescing.cu": "evil"},
        "Moodle": {"Ghost One_1_assignsubmission_file/coalescing.cu": "evil", "Ghost Two_2_assignsubmission_file_coalescing.cu": "evil",
                   "Ghost Text_3_assignsubmission_onlinetext/onlinetext.html": "<p>"},
        "Canvas": {"ghostone_12345_67890_coalescing.cu": "evil", "ghosttwo_LATE_12346_67891_coalescing.cu": "evil",
                   "ghosttext_12347_67892_text.html": "<p>"},
        "Blackboard": {"Lab 1_ghost_attempt_2026-11-20-10-00-00_coalescing.cu": "evil", "Lab 1_text_attempt_2026-11-20-10-00-00.txt": "x"},
        "Brightspace": {"39786-640693 - Ghost - Nov 9, 2030 1022 AM/coalescing.cu": "evil"},
        "clones": {"lab-ghost/.git/HEAD": "x", "lab-ghost/coalescing.cu": "evil", "lab-geist/.git/HEAD": "x", "lab-geist/coalescing.cu": "evil"},
        "folders": {"ghost/coalescing.cu": "evil", "geist/coalescing.cu": "evil"},
        "archives": {"ghost.zip": zipped({"coalescing.cu": work()}), "geist.zip": zipped({"coalescing.cu": work()})},
    }

    def test_nobody_is_invented_inside_of_what_one_person_handed_in(self):
        for form, files in self.INVENTED.items():
            files = {name: work() if data == "evil" else data for name, data in files.items()}
            for inside in ("", "assignment_7_export/", "Lab 1/"):
                packed = zipped({inside + name: data for name, data in files.items()})
                ways = {"folder": {f"mallory/{inside}{name}": data for name, data in files.items()},
                        "archive": {"mallory.zip": packed}, "archive in a folder": {"mallory/work.zip": packed},
                        "archive in the lab's folder": {"01-coalescing/mallory.zip": packed}}
                for way, given in ways.items():
                    for beside in ("bob/coalescing.cu", "coalescing_bob.cu", "01-coalescing/bob.cu"):
                        with self.subTest(form=form, inside=inside, way=way, beside=beside):
                            shutil.rmtree(self.given)
                            for name, data in {**given, beside: work()}.items():
                                self.give(name, data)
                            class_ = self.take_in()
                            self.assertEqual(set(self.names(class_)) - {"mallory"}, {"bob"})
                            self.assertEqual([hand_in.shown for hand_in in class_.hand_ins if hand_in.person.name == "bob"], [beside])

    def test_nobody_is_invented_by_an_archive_that_is_alone(self):
        for form, files in self.INVENTED.items():
            with self.subTest(form=form):
                shutil.rmtree(self.given)
                self.give("mallory.zip", zipped({name: work() if data == "evil" else data for name, data in files.items()}))
                self.assertLessEqual(set(self.names(self.take_in())), {"mallory"})

    def test_nobody_is_invented_by_an_archive_without_a_persons_name(self):
        for form, files in self.INVENTED.items():
            with self.subTest(form=form):
                shutil.rmtree(self.given)
                self.give("lab 1.zip", zipped({name: work() if data == "evil" else data for name, data in files.items()}))
                for who in ("bob", "carol"):
                    self.give(f"{who}/coalescing.cu", work())
                class_ = self.take_in()
                self.assertEqual(self.names(class_), ["bob", "carol"])
                self.assertTrue(any("lab 1.zip was taken for one person's" in ask for ask in class_.asks))

    def test_thousands_of_invented_people_cost_little(self):
        for form, name in (("Moodle", "Ghost {}_{}_assignsubmission_file/coalescing.cu"), ("Canvas", "ghost{0}_{0}_{0}000_coalescing.cu"),
                           ("by hand", "ghost{}/coalescing.cu")):
            shutil.rmtree(self.given)
            self.give("mallory.zip", zipped({name.format(number, number): "x" for number in range(1, 5001)}))
            self.give("bob/coalescing.cu", work())
            began = time.process_time()
            class_ = self.take_in()
            self.assertLess(time.process_time() - began, 30, form)
            self.assertEqual(self.names(class_), ["bob", "mallory"], form)

    def test_a_list_of_names_without_its_folders_names_nobody(self):
        self.give("bob/coalescing.cu", work())
        self.give("submission_metadata.yml", self.INVENTED["Gradescope"]["submission_metadata.yml"])
        class_ = self.take_in()
        self.assertEqual(self.names(class_), ["bob"])
        self.assertEqual(self.why(class_, "submission_metadata.yml"), "It is not a .cu file.")

    def test_a_clone_inside_of_what_one_person_handed_in_changes_no_other_persons_name(self):
        for others in (("alice", "bob"), ("alice",)):
            shutil.rmtree(self.given)
            for who in others:
                self.give(f"lab-one-{who}/.git/HEAD")
                self.give(f"lab-one-{who}/coalescing.cu", work())
            alone = {hand_in.shown: hand_in.person for hand_in in self.take_in().hand_ins}
            self.give("mallory.zip", zipped({"zzz/.git/HEAD": "x", "zzz/coalescing.cu": work()}))
            self.give("eve/zzz/.git/HEAD")
            self.give("eve/zzz/coalescing.cu", work())
            class_ = self.take_in()
            self.assertEqual({hand_in.shown: hand_in.person for hand_in in class_.hand_ins if hand_in.person.name not in ("mallory", "eve")}, alone)
            self.assertLessEqual({"mallory", "eve"}, set(self.names(class_)))

    def test_exports_of_systems_side_by_side_are_the_classs(self):
        for names in (("CUDA-Lab 1-4711.zip", "CUDA-Lab 3-4712.zip"), ("lab 1.zip", "lab 3 (1).zip"), ("assignment_1_export", "assignment_2_export")):
            shutil.rmtree(self.given)
            for name, lab in zip(names, ("01", "03")):
                files = {f"Ann Lee_{lab}1_assignsubmission_file/main.cu": work(lab), f"Bo Li_{lab}2_assignsubmission_file/main.cu": work(lab)}
                if name.endswith("export"):
                    files = {"submission_metadata.yml": "submission_1:\n  :submitters:\n  - :name: Ann Lee\nsubmission_2:\n  :submitters:\n"
                                                        "  - :name: Bo Li\n", "submission_1/main.cu": work(lab), "submission_2/main.cu": work(lab)}
                    for file, data in files.items():
                        self.give(f"{name}/{file}", data)
                else:
                    self.give(name, zipped(files))
            self.assertEqual(sorted(self.found(self.take_in())), ["01.Ann-Lee", "01.Bo-Li", "03.Ann-Lee", "03.Bo-Li"])

    def test_by_names_inside_of_ones_own_submission_to_a_system(self):
        self.give("Bob Roe_2_assignsubmission_file/coalescing.cu", work(), 1000)
        self.give("Eve_3_assignsubmission_file/evil.zip", zipped(self.forged()))
        class_ = self.take_in()
        self.check_bob(class_, "Bob Roe_2_assignsubmission_file/coalescing.cu")
        self.assertEqual({person.name for person in class_.people}, {"Bob Roe", "Eve"})

    def test_by_folders_inside_of_ones_own_clone(self):
        for who in ("bob", "eve"):
            self.give(f"lab-{who}/.git/HEAD")
        self.give("lab-bob/coalescing.cu", work(), 1000)
        for name, data in self.forged().items():
            self.give(f"lab-eve/{name}", data, 9000)
        class_ = self.take_in()
        self.check_bob(class_, "lab-bob/coalescing.cu")
        self.assertEqual({person.name for person in class_.people}, {"bob", "eve"})

    def test_by_metadata_inside_of_ones_own_submission_to_gradescope(self):
        self.give("submission_metadata.yml",
                  "submission_1:\n  :submitters:\n  - :name: bob\nsubmission_2:\n  :submitters:\n  - :name: eve\n")
        self.give("submission_1/coalescing.cu", work(), 1000)
        for name, data in self.forged().items():
            self.give(f"submission_2/{name}", data, 9000)
        class_ = self.take_in()
        self.check_bob(class_, "submission_1/coalescing.cu")
        self.assertEqual({person.name for person in class_.people}, {"bob", "eve"})

    def test_folders_of_the_class_are_not_taken_for_students(self):
        for folders in (("Lab 1", "Lab 1 resubmission"), ("Monday", "Tuesday")):
            shutil.rmtree(self.given)
            for folder in folders:
                for who in ("Bob Roe_2", "Eve_3"):
                    self.give(f"{folder}/{who}_assignsubmission_file/coalescing.cu", work(mark=folder))
            self.give("Max/coalescing.cu", work())
            self.assertEqual(sorted(self.found(self.take_in())), ["01.Bob-Roe", "01.Eve", "01.Max"])


class OtherSystems(Intake):
    def test_blackboard(self):
        self.give("Lab 1_jdoe_attempt_2026-11-20-10-00-00_coalescing.cu", work(mark="first"), 5000)
        self.give("Lab 1_jdoe_attempt_2026-11-21-09-00-00_coalescing.cu", work(mark="second"), 1000)
        self.give("Lab 1_jdoe_attempt_2026-11-21-09-00-00.txt", "Name: Jane Doe (jdoe)")
        class_ = self.take_in(rules=Rules(LABS, {"time_zone": "Europe/Berlin"}))
        self.assertIn("// second", class_.hand_ins[0].file.read_text(encoding="utf-8"))
        self.assertEqual((class_.hand_ins[0].id, class_.people[0].keys), ("01.jdoe", {"login": "jdoe"}))
        self.assertEqual(class_.hand_ins[0].submitted.isoformat(), "2026-11-21T09:00:00+01:00")
        self.assertIsNone(self.take_in().hand_ins[0].submitted)  # a local time without its zone is no time

    def test_brightspace(self):
        self.give("Lab 1/39786-640693 - Jane Doe - Nov 9, 2026 1022 AM/coalescing.cu", work(mark="first"))
        self.give("Lab 1/39786-640693 - Jane Doe - Nov 10, 2026 122 PM/coalescing.cu", work(mark="second"))
        self.give("Lab 1/39787-640694 - Zoë Müller - 10 November, 2026 1130 PM - coalescing.cu", work())
        self.give("Lab 1/index.html", "<html>")
        class_ = self.take_in()
        self.assertEqual(self.names(class_), ["Jane Doe", "Zoë Müller"])
        jane = next(hand_in for hand_in in class_.hand_ins if hand_in.person.name == "Jane Doe")
        self.assertIn("// second", jane.file.read_text(encoding="utf-8"))


class Mapping(Intake):
    def mapped(self, text: str | bytes, **more):
        file = self.folder / "map.csv"
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return self.take_in(rosters=[file], **more)

    def test_it_overrides_what_names_say(self):
        self.give("a1/x.cu", "// no function")
        self.give("a2.zip", zipped({"stuff.c": work("03"), "junk.txt": "x"}))
        self.give("bob/coalescing.cu", work())
        class_ = self.mapped("path,name,lab,email\na1/x.cu,Jane Doe,1,jane@x.org\na2.zip/stuff.c,Zoë,nbody-tiling,\nbob,,-,\n"
                             "not/there.cu,X,01,\n")
        self.assertEqual({hand_in.id[:2]: hand_in.person.name for hand_in in class_.hand_ins}, {"01": "Jane Doe", "03": "Zoë"})
        self.assertEqual(next(p for p in class_.people if p.name == "Jane Doe").keys, {"email": "jane@x.org"})
        self.assertIn("leaves it out", self.why(class_, "bob/coalescing.cu"))
        self.assertIn("map.csv, line 5, names not/there.cu, which is not there.", class_.notes)
        self.assertEqual(class_.why_missing(next(person for person in class_.people if person.name == "X"), LABS[0]), "Handed in nothing.")

    def test_rows_without_a_path_are_a_roster(self):
        self.give("cuda-alice/coalescing.cu", work())
        self.give("cuda-bob/coalescing.cu", work())
        for who in ("alice", "bob"):
            self.give(f"cuda-{who}/.git/HEAD")
        class_ = self.mapped("name;github;email;id\nAlice Liddell;Alice;al@x.org;s1\nNot Yet;nob;nb@x.org;\n".encode("utf-8-sig"))
        people = {person.id: person for person in class_.people}
        self.assertEqual((people["s1"].name, people["s1"].keys["email"]), ("Alice Liddell", "al@x.org"))
        self.assertEqual(sorted(self.found(class_)), ["01.bob", "01.s1"])
        self.assertIn("Not Yet", self.names(class_))

    def test_a_mistake_in_it_is_a_sentence_with_its_place(self):
        self.give("a/coalescing.cu", work())
        for text, words in (("path,nme\n", "column 'nme'"), ("path,lab\na,99\n", "line 2: there is no lab '99'"), ("", "is empty"),
                            ("path,name\na,b,c\n", "line 2: more cells"), (b"path\n\xff\n", "not UTF-8"),
                            ("path,submitted\na,yesterday\n", "no time with its zone"), ("path,id\na,Ü\n", "ASCII letters"),
                            ('path,name\n"a,b\n', "line")):
            with self.assertRaises(Problem) as caught:
                self.mapped(text)
            self.assertIn(words, str(caught.exception))


class Times(Intake):
    """When something was handed in, by files in the forms of the systems that vouch for it."""

    RULES = Rules(LABS, {"time_zone": "Etc/GMT-1"})
    #: As report/log of Moodle writes it for download (report/log/classes/table_log.php).
    HEAD = "Time,User full name,Affected user,Event context,Component,Event name,Description,Origin,IP address\n"

    def log(self, *rows: tuple[str, str, str, str], event: str = "has submitted the submission with id '7'", head: str = HEAD) -> pathlib.Path:
        lines = [f"\"{time}\",{user},{affected},\"{context}\",Assignment,A submission has been submitted.,"
                 f"The user with id '9' {event} for the assignment with course module id '12'.,web,192.0.2.1\n" for time, user, affected, context in rows]
        return self.write("log.csv", head + "".join(lines))

    def times(self, *files: pathlib.Path, rules=RULES, **more) -> dict[str, str]:
        class_ = self.take_in(rules=rules, times=list(files), **more)
        return {hand_in.id: hand_in.submitted.isoformat() for hand_in in class_.hand_ins if hand_in.submitted}

    def moodle(self, *people: str) -> None:
        for number, name in enumerate(people):
            self.give(f"{name}_{number}11_assignsubmission_file/coalescing.cu", work(mark=str(number)))

    def test_moodles_log_tells_the_last_submission_of_each_person_and_lab(self):
        self.moodle("Jane Doe", "Zoë Müller", "Bob")
        log = self.log(("31/01/27, 23:59:10", "Jane Doe", "-", "Assignment: Lab 01: coalescing"),
                       ("30/01/27, 08:00:00", "Jane Doe", "-", "Assignment: Lab 01: coalescing"),
                       ("30/01/27, 07:00:00", "A Teacher", "Zoë Müller", "Assignment: Coalescing"),
                       ("29/01/27, 07:00:00", "Bob", "-", "Assignment: Lab 03"), ("29/01/27, 06:00:00", "Bob", "-", "Assignment: Essay"))
        self.assertEqual(self.times(log), {"01.Jane-Doe": "2027-01-31T23:59:10+01:00",
                                           self.id_of("Zoë Müller"): "2027-01-30T07:00:00+01:00"})

    def id_of(self, name: str) -> str:
        return next(hand_in.id for hand_in in self.take_in().hand_ins if hand_in.person.name == name)

    def test_other_events_of_a_log_tell_nothing(self):
        self.moodle("Jane Doe")
        log = self.log(("31/01/27, 23:59:10", "Jane Doe", "-", "Assignment: Lab 01"))
        log.write_text(log.read_text() + log.read_text().replace(self.HEAD, "").replace("has submitted the submission", "has viewed the submission")
                       .replace("31/01/27", "31/03/27"))
        self.assertEqual(self.times(log), {"01.Jane-Doe": "2027-01-31T23:59:10+01:00"})

    def test_namesakes_have_no_time_by_their_name(self):
        for number in ("111", "222"):
            self.give(f"Wei Wang_{number}_assignsubmission_file/coalescing.cu", work(mark=number))
        log = self.log(("31/01/27, 23:59", "Wei Wang", "-", "Assignment: Lab 01"))
        self.assertEqual(self.times(log), {})
        roster = self.write("roster.csv", "name,moodle_id\nWang Wei,111\nWei Wang (2),222\n")  # the log has Moodle's names
        self.assertEqual(self.times(log, rosters=[roster]), {})

    def test_dates_in_the_order_of_a_sites_language(self):
        self.moodle("Jane Doe")
        context = "Assignment: Lab 01"
        for newest, before, wanted in (("31/01/27, 23:59:10", "30/01/27, 08:00", "2027-01-31T23:59:10"), ("1/31/27, 11:59 PM", "1/2/27, 08:00 AM", "2027-01-31T23:59:00"),
                                       ("31.01.2027, 23:59", "1.2.2026, 8:00", "2027-01-31T23:59:00"), ("2027-01-31 23:59:10", "2027-01-02 08:00:00", "2027-01-31T23:59:10"),
                                       ("05/02/27, 10:00", "06/01/27, 10:00", "2027-02-05T10:00:00")):  # a log goes from new to old
            log = self.log((newest, "Jane Doe", "-", context), (before, "Jane Doe", "-", context))
            self.assertEqual(self.times(log), {"01.Jane-Doe": f"{wanted}+01:00"})

    def worksheet(self, *rows: tuple[str, str, str]) -> pathlib.Path:
        """mod/assign/gradingtable.php, col_timesubmitted(): userdate() of the submission's last change, or -."""
        return self.write("worksheet.csv", 'Identifier,"Full name",Grade,"Maximum Grade","Last modified (submission)","Last modified (grade)"\n' + "".join(
            f'Participant {number},{name},,34.00,"{time}",-\n' for number, name, time in rows))

    def test_moodles_grading_worksheet_tells_the_time_of_each_number(self):
        for number, lab in (("111", "01"), ("222", "01"), ("333", "03")):
            self.give(f"lab {lab}/Wei Wang_{number}_assignsubmission_file/{'coalescing' if lab == '01' else 'nbody'}.cu", work(lab, number))
        for first, second in (("Sunday, 31 January 2027, 11:59 PM", "Monday, 1 February 2027, 12:05 AM"), ("Sunday, January 31, 2027, 11:59 pm", "Monday, February 1, 2027, 12:05 am"),
                              ("Sunday, 31 January 2027, 23:59", "Monday, 1 February 2027, 00:05")):
            sheet = self.worksheet(("111", "Wei Wang", first), ("222", "Wei Wang", second), ("444", "Nora None", "-"))
            class_ = self.take_in(rosters=[sheet], rules=self.RULES)
            self.assertEqual({hand_in.shown.split("_")[1]: hand_in.submitted and hand_in.submitted.isoformat() for hand_in in class_.hand_ins},
                             {"111": "2027-01-31T23:59:00+01:00", "222": "2027-02-01T00:05:00+01:00", "333": None})
            self.assertEqual([note for note in class_.notes if "time of submission" in note], [])
            self.assertEqual(self.times(rules=Rules(LABS), rosters=[sheet]), {})

    def test_a_time_of_a_worksheet_that_is_not_sure_is_not_read_and_said(self):
        self.moodle("Jane Doe", "Bob")
        for text in ("Sunday, 31 January 2027, 11:59", "Monday, 31 January 2027, 11:59 PM", "31/01/27, 23:59", "Sonntag, 31. Januar 2027, 23:59"):
            class_ = self.take_in(rosters=[self.worksheet(("011", "Jane Doe", text), ("111", "Bob", "Sunday, 31 January 2027, 1:05 PM"))], rules=self.RULES)
            self.assertEqual([str(hand_in.submitted) for hand_in in class_.hand_ins], ["2027-01-31 13:05:00+01:00", "None"])
            self.assertIn(f"worksheet.csv: of 1 person the time of submission cannot be read for sure: '{text}'.", class_.notes)

    def test_an_extension_and_a_draft_in_moodles_worksheet(self):
        """mod/assign/gradingtable.php, col_status(): what it says, joined by " - "."""
        self.moodle("Jane Doe", "Bob", "Ann")
        self.give("Cy/coalescing.cu", work(mark="Cy"))
        due = {"labs": {"01": {"deadline": "2027-01-31T12:00:00+01:00"}}, "late": {"percent_per_day": 10}}
        head = 'Identifier,"Full name",Status,Grade,"Maximum Grade","Last modified (submission)","Last modified (grade)"\n'
        tail = '"Sunday, 31 January 2027, 1:05 PM"'
        for status, zone, found, asked in (
                ("Submitted for grading - Extension granted until: Monday, 1 February 2027, 11:59 PM", "Etc/GMT-1", "2027-02-01T23:59:00+01:00", 0),
                ("Submitted for grading - 1 hour late - Graded - Extension granted until: Monday, February 1, 2027, 11:59 PM", "Etc/GMT-1", "2027-02-01T23:59:00+01:00", 0),
                ("Submitted for grading - Extension granted until: Monday, 1 February 2027, 11:59", "Etc/GMT-1", None, 1),
                ("Submitted for grading - Extension granted until: Monday, 1 February 2027, 23:59", "Etc/GMT-1", "2027-02-01T23:59:00+01:00", 0),
                ("Submitted for grading - Extension granted until: 1.2.27", "Etc/GMT-1", None, 1),
                ("Submitted for grading - Extension granted until: Monday, 1 February 2027, 11:59 PM", None, None, 1)):
            rules = Rules(LABS, {**due, **({"time_zone": zone} if zone else {})})
            sheet = self.write("worksheet.csv", f'{head}Participant 011,Jane Doe,"{status}",,34.00,{tail},-\nParticipant 111,Bob,Submitted for grading,,34.00,{tail},-\n'
                                                f"Participant 211,Ann,Draft (not submitted),,34.00,{tail},-\n,Nora None,Draft (not submitted),,34.00,-,-\n")
            class_ = self.take_in(rosters=[sheet], rules=rules)
            class_.asks = [ask for ask in class_.asks if not ask.startswith("On no roster: Cy")]
            jane = next(person for person in class_.people if person.name == "Jane Doe")
            granted = rules.extensions.get((jane.id, "01-coalescing"))
            self.assertEqual((granted and granted.isoformat(), len(rules.extensions), len(class_.asks)), (found, int(bool(found)), asked), status)
            if asked:
                self.assertIn("Jane Doe has an extension for 01-coalescing, whose time cannot be read for sure", class_.asks[0])
                self.assertIn(status.partition("until: ")[2], class_.asks[0])
            self.assertEqual({hand_in.person.name: hand_in.draft for hand_in in class_.hand_ins}, {"Jane Doe": "", "Bob": "", "Cy": "", "Ann": "worksheet.csv"})
        shutil.move(self.given / "Jane Doe_011_assignsubmission_file", self.given / "Jane Doe")  # a file from elsewhere has the extension, too
        sheet.write_text(sheet.read_text().replace(status, status.replace("11:59 PM", "23:59")))
        rules = Rules(LABS, {**due, "time_zone": "Etc/GMT-1"})
        self.take_in(rosters=[sheet], rules=rules)
        self.assertEqual([granted.isoformat() for granted in rules.extensions.values()], ["2027-02-01T23:59:00+01:00"])
        own = self.write("own.csv", "path,name,submitted\nAnn_211_assignsubmission_file,Ann,2027-01-31T10:00:00Z\n")
        self.assertEqual({hand_in.draft for hand_in in self.take_in(rosters=[sheet, own]).hand_ins}, {""})  # a person's word counts

    def test_moodles_own_word_on_what_is_late_counts_where_only_moodle_has_a_deadline(self):
        """lib/moodlelib.php, format_time(): the two largest units, the rest is cut off. Nothing was taken off, and nothing said."""
        self.moodle("Jane Doe")
        per_day, late = {"late": {"percent_per_day": 10}}, datetime.timedelta
        for words, rules, wanted, asked in (
                ("3 hours 5 mins late", per_day, late(hours=3, minutes=5), 0), ("1 day 3 hours late", per_day, late(days=1, hours=3), 0), ("10 secs late", per_day, late(seconds=10), 0),
                ("1 min late", {"late": {"percent_per_day": 10, "grace_minutes": 1}}, late(minutes=1), 0), ("5 mins late", per_day, late(minutes=5), 0),
                ("1 day late", per_day, None, 1), ("1 year 2 days late", per_day, late(days=367), 0), ("1 day late", {}, late(days=1), 0), ("zu spät late", per_day, None, 1),
                ("3 hours late - Extension granted until: 1.2.27", per_day, None, 1), ("1 day late", {**per_day, "labs": {"01": {"deadline": "2027-01-31T12:00:00Z"}}}, late(days=1), 0)):
            sheet = self.write("worksheet.csv", "Identifier,Full name,Status,Grade,Maximum Grade,Last modified (grade)\n"
                                                f"Participant 011,Jane Doe,Submitted for grading - {words} - Graded,,34.00,-\n")
            class_ = self.take_in(rosters=[sheet], rules=Rules(LABS, rules))
            [hand_in] = class_.hand_ins
            self.assertEqual((hand_in.late_by, len([ask for ask in class_.asks if "is to be taken off" in ask])), (wanted, asked), (words, class_.asks))
            self.assertEqual(hand_in.late, "zu" not in words and "Extension" not in words)

    def test_a_log_that_does_not_say_enough_is_refused(self):
        self.moodle("Jane Doe")
        row = ("Jane Doe", "-", "Assignment: Lab 01")
        for log, rules, said in ((lambda: self.log(("02/01/27, 10:00", *row), ("01/01/27, 10:00", *row)), self.RULES, "several ways"),
                                 (lambda: self.log(("31 Jan, 10:00", *row)), self.RULES, "not all read"),
                                 (lambda: self.log(("31/01/27, 10:00", *row)), Rules(LABS), "says no time zone"),
                                 (lambda: self.write("x.csv", "a,b\n1,2\n"), self.RULES, "none that is known"),
                                 (lambda: self.write("x.json", "[1]"), self.RULES, "cannot be read"),
                                 (lambda: self.folder / "missing.csv", self.RULES, "cannot be read")):
            with self.assertRaisesRegex(Problem, said):
                self.take_in(times=[log()], rules=rules)

    def test_canvas_tells_the_time_and_by_how_much_it_is_late(self):
        """https://canvas.instructure.com/doc/api/submissions.html: an object of each submission."""
        for number, late in ((123, "LATE_"), (124, ""), (125, "")):
            self.give(f"doejane{number}_{late}{number}_4567_coalescing.cu", work(mark=str(number)))
        said = [{"user_id": 123, "submitted_at": "2027-02-01T01:00:00Z", "late": True, "seconds_late": 3600, "attempt": 1},
                {"user_id": 124, "submitted_at": "2027-01-31T20:00:00Z", "late": False, "seconds_late": 0, "attempt": 2},
                {"user_id": 126, "submitted_at": None, "late": False, "seconds_late": 0, "attempt": None}]
        plain = self.write("lab-01.json", json.dumps(said))
        named = self.write("submissions.json", json.dumps([{**each, "assignment": {"name": "Lab 1: Coalescing"}} for each in said]))
        other = self.write("others.json", json.dumps([{**each, "assignment": {"name": "Lab 3"}} for each in said]))
        for file in (plain, named):
            self.assertEqual(self.times(file), {"01.doejane123-123": "2027-02-01T01:00:00+00:00", "01.doejane124-124": "2027-01-31T20:00:00+00:00"})
        self.assertEqual(self.times(other), {})
        late = {hand_in.person.keys["canvas_id"]: (hand_in.late, hand_in.late_by) for hand_in in self.take_in(times=[plain]).hand_ins}
        self.assertEqual(late, {"123": (True, datetime.timedelta(hours=1)), "124": (False, None), "125": (False, None)})
        with self.assertRaisesRegex(Problem, "for which lab"):
            self.take_in(times=[self.write("x.json", json.dumps(said))])

    def test_github_classrooms_grades_tell_the_time_of_a_repository(self):
        """https://docs.github.com/en/rest/classroom/classroom#get-assignment-grades; a commit's own time is the student's word."""
        for who in ("alice", "bob"):
            self.give(f"cuda-labs-{who}/coalescing.cu", work(mark=who), 1000)
            self.give(f"cuda-labs-{who}/.git/HEAD", "x")
        head = ("assignment_name,assignment_url,starter_code_url,github_username,roster_identifier,student_repository_name,student_repository_url,"
                "submission_timestamp,points_awarded,points_available\n")
        file = self.write("grades.csv", f"{head}labs,u,u,alice,a@example.org,org/cuda-labs-alice,u,2027-01-31 20:00:00 UTC,0,100\n"
                                        "labs,u,u,bob,b@example.org,cuda-labs-bob,u,,0,100\n")
        self.assertEqual(self.times(file), {"01.alice": "2027-01-31T20:00:00+00:00"})
        (self.given / "cuda-labs-alice/coalescing.cu").unlink()
        self.give("cuda-labs-alice/labs/01-coalescing/coalescing.cu", work(mark="alice"), 2000)
        for time in (1000, 4e9):  # of a second file: it takes no deadline away from the one that counts
            self.give("cuda-labs-alice/old.cu", work(mark="old"), time)
            self.assertEqual(self.times(file), {"01.alice": "2027-01-31T20:00:00+00:00"})

    def test_a_time_that_cannot_be_read_is_refused_and_not_left_out(self):
        """What Excel had made of GitHub's times was none, and a clone that was missing was a 0."""
        for file in (self.write("grades.csv", "student_repository_name,github_username,submission_timestamp\nlab-01-jane,jane,31/01/2027 22:58\n"),
                     self.write("lab-01.json", json.dumps([{"user_id": 1, "submitted_at": "31/01/2027 22:58"}]))):
            with self.assertRaisesRegex(Problem, "31/01/2027 22:58.* cannot be read"):
                self.take_in(times=[file])

    def test_a_rosters_word_and_the_newest_version_count(self):
        self.give("Jane Doe_111_assignsubmission_file/coalescing.cu", work(mark="old"), 1000)
        self.give("Jane Doe_111_assignsubmission_file/coalescing (2).cu", work(mark="new"), 2000)
        log = self.log(("31/01/27, 23:59:10", "Jane Doe", "-", "Assignment: Lab 01"))
        rules = Rules(LABS, {"time_zone": "Etc/GMT-1", "attempts": {"counts": "best"}})
        said = "2027-01-31T23:59:10+01:00"  # of both: which is the older one is the student's own word
        self.assertEqual(self.times(log, rules=rules), {"01.Jane-Doe": said, "01.Jane-Doe.1": said})
        roster = self.write("roster.csv", "path,name,submitted\nJane Doe_111_assignsubmission_file,Jane Doe,2027-01-01T00:00:00Z\n")
        self.assertEqual(self.times(log, rosters=[roster]), {"01.Jane-Doe": "2027-01-01T00:00:00+00:00"})


class SeveralSources(Intake):
    """Of one person's files from several systems the one counts that was handed in last, by what systems vouch for. Files' own times, which
    are made to say the opposite here, say nothing of it."""

    SHEET = ('Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (submission),Last modified (grade),Feedback comments\n'
             'Participant 1,Jane Doe,jane@x.org,Submitted for grading,,34.00,"{}",-,\n')
    MOODLE, CANVAS, CLONE = "Jane Doe_1_assignsubmission_file/coalescing.cu", "doejane_12345_67890_coalescing.cu", "lab-one-jane/coalescing.cu"
    KEYS = "name,email,canvas_id,github\nJane Doe,jane@x.org,12345,jane\n"

    def taken(self, *paths: str, moodle: str = "", canvas: str = "", github: str = "", own: str = "", said: dict | None = None):
        shutil.rmtree(self.given)
        for place, path in enumerate(paths):
            self.give(path, work(mark=path), 5000 - place)
            if path == self.CLONE:
                self.give("lab-one-jane/.git/HEAD", "x")
                self.give("lab-one-other/.git/HEAD", "x")
        texts = {"keys.csv": self.KEYS, "sheet.csv": moodle and self.SHEET.format(moodle), "own.csv": own and f"path,name,submitted,lab\n{own}"}
        times = {"lab-01.json": canvas and json.dumps([{"user_id": 12345, "submitted_at": canvas}]),
                 "grades.csv": github and f"student_repository_name,submission_timestamp\nlab-one-jane,{github}\n"}
        for name, text in {**texts, **times}.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        rules = Rules(LABS, {"time_zone": "Etc/GMT-1", **(said or {})})
        class_ = self.take_in(rosters=[self.folder / name for name, text in texts.items() if text], times=[self.folder / name for name, text in times.items() if text],
                              rules=rules)
        return class_, [hand_in.shown for hand_in in class_.hand_ins if hand_in.person.name == "Jane Doe"]

    def test_the_last_one_by_the_systems_times_counts(self):
        early, late = "2027-01-20T19:00:00Z", "2027-01-31T19:00:00Z"
        between = "Saturday, 30 January 2027, 6:00 PM"
        paths = self.MOODLE, self.CANVAS, self.CLONE
        for order in (paths, paths[::-1]):
            for canvas, github, last in ((early, early, self.MOODLE), (late, early, self.CANVAS), (early, late, self.CLONE)):
                class_, found = self.taken(*order, moodle=between, canvas=canvas, github=github)
                self.assertEqual((found, class_.asks), ([last], []))
                self.assertTrue(any(f"{last} counts, as the newest by the times of submission; not: " in note for note in class_.notes), class_.notes)

    def test_the_rosters_word_counts_before_a_number_in_the_name_and_a_files_time(self):
        for names in (("box/a.cu", "box/b.cu"), ("box/coalescing (2).cu", "box/coalescing.cu")):
            class_, found = self.taken(*names, own=f"{names[0]},Jane Doe,2027-01-20T10:00:00Z,01\n{names[1]},Jane Doe,2027-01-30T10:00:00Z,01\n")
            self.assertEqual((found, class_.asks), ([names[1]], []))

    def test_without_times_of_all_of_them_a_person_is_asked(self):
        """A clone's files have the time of cloning, and those of an archive the packer's."""
        time = "2027-01-20T19:00:00Z"
        for order in ((self.MOODLE, self.CLONE), (self.CLONE, self.MOODLE)):
            for told in ({"github": time}, {}):
                class_, [counts] = self.taken(*order, **told)
                [ask] = class_.asks
                self.assertEqual(counts, self.CLONE if told else self.MOODLE)  # what has a time; else an export's before a clone's
                self.assertIn(f"{self.CLONE}, {'2027-01-20 20:00 +0100' if told else 'at a time that is not known'}", ask)
                self.assertIn(f"{self.MOODLE}, at a time that is not known", ask)
                self.assertFalse([note for note in class_.notes if "newest" in note])
        class_, found = self.taken("Jane Doe/coalescing.cu", self.CANVAS, canvas=time)
        self.assertEqual((found, len(class_.asks)), ([self.CANVAS], 1))
        class_, found = self.taken("box/a.cu", "box/b.cu", own="box/a.cu,Jane Doe,,01\nbox/b.cu,Jane Doe,2027-01-20T10:00:00Z,01\n")
        self.assertEqual((found, len(class_.asks)), (["box/b.cu"], 1))
        class_, found = self.taken(self.MOODLE, self.CLONE, moodle="Wednesday, 20 January 2027, 8:00 PM", github=time)
        self.assertEqual(len(class_.asks), 1)  # at the same minute

    def test_what_a_person_then_says_ends_the_question(self):
        class_, found = self.taken(self.MOODLE, self.CLONE, own=f"{self.CLONE},,,-\n")
        self.assertEqual((found, class_.asks, [seen for seen in class_.others if seen.is_left_over]), ([self.MOODLE], [], []))
        class_, found = self.taken(self.MOODLE, self.CLONE, own=f"{self.CLONE},Jane Doe,2027-01-20T10:00:00Z,\n{self.MOODLE},Jane Doe,2027-01-21T10:00:00Z,\n")
        self.assertEqual((found, class_.asks), ([self.MOODLE], []))

    def test_the_same_file_in_two_downloads_of_an_assignment_is_one(self):
        inside = "Jane Doe_1_assignsubmission_file/coalescing.cu"
        sheet = self.write("sheet.csv", self.SHEET.format("Saturday, 30 January 2027, 6:00 PM"))
        for counts in ("last", "best"):
            for second, files in ((begun(), 1), (begun(mark="other"), 2)):
                for name, text in (("GPU-Lab 01-4711.zip", begun()), ("GPU-Lab 01-4711 (1).zip", second)):
                    self.give(name, zipped({inside: text}))
                rules = Rules(LABS, {"time_zone": "Etc/GMT-1", "attempts": {"counts": counts}})
                class_ = self.take_in(rosters=[sheet], rules=rules)
                [newest] = [hand_in for hand_in in class_.hand_ins if hand_in.version == 0]
                self.assertEqual((f"{newest.submitted:%d %H:%M}", len(newest.others), len(class_.hand_ins), len(class_.asks), class_.notes),
                                 ("30 18:00", files - 1, files if counts == "best" else 1, int(files > 1 and counts == "last"), []))
                self.assertEqual(len([seen for seen in class_.others if "It is the same as" in seen.why]), 2 - files)

    def test_the_best_one_needs_no_order(self):
        class_, found = self.taken(self.MOODLE, self.CLONE, said={"attempts": {"counts": "best"}})
        self.assertEqual((sorted(found), class_.asks), ([self.MOODLE, self.CLONE], []))
        class_, found = self.taken(self.MOODLE, self.CLONE, said={"attempts": {"counts": "best", "most": 1}})
        self.assertEqual((len(found), len(class_.asks)), (1, 1))


class SeveralLabsAtOnce(Intake):
    """A copy of the whole workbook, in which several labs are, handed in for one of them: it replaced what was handed in for the others, and took
    its time from them."""

    PLACES = {"01": "labs/01-coalescing/coalescing.cu", "04": "labs/04-dot-product/dot_product.cu"}
    TIMES = {"01": "2026-10-23T16:20:00", "04": "2026-11-13T16:05:00"}
    RULES = {"time_zone": "Etc/UTC", "labs": {"01": {"deadline": "2026-10-24"}, "04": {"deadline": "2026-11-14"}}, "late": {"percent_per_day": 10}}

    def put(self, system: str, lab: str, who: str, texts: dict[str, str]) -> str:
        """What someone handed in for a lab. Returns where the labs' files lie."""
        files = {self.PLACES[each]: text for each, text in texts.items()}
        if system == "clones":
            for place, text in {**files, ".git/HEAD": "x"}.items():
                self.give(f"lab-{lab}-submissions/lab-{lab}-{who}/{place}", text)
            return f"lab-{lab}-submissions/lab-{lab}-{who}"
        number = 100 * int(lab) + len(who)
        self.give(f"GPU-Lab {lab}-471{lab[1]}/{who}_{number}_assignsubmission_file/all.zip", zipped({f"book/{place}": text for place, text in {**files, "warpbook": "x"}.items()}))
        return f"GPU-Lab {lab}-471{lab[1]}/{who}_{number}_assignsubmission_file/all.zip/book"

    def taken(self, system: str, given: tuple[str, ...] = ("01", "04"), **more):
        rosters, times = [], []
        for lab in given:
            if system == "clones":
                times.append(self.write(f"{lab}.csv", "student_repository_name,submission_timestamp\n" + "".join(
                    f"lab-{lab}-{who},{self.TIMES[lab]}Z\n" for who in ("sam", "wes", "other"))))
            else:
                day = datetime.datetime.fromisoformat(self.TIMES[lab]).strftime("%A, %d %B %Y, %I:%M %p")
                rosters.append(self.write(f"Grades-GPU-Lab {lab}-471{lab[1]}.csv", "Identifier,Full name,Grade,Maximum Grade,Last modified (submission),Last modified (grade)\n"
                                          + "".join(f'Participant {100 * int(lab) + len(who)},{who},,34.00,"{day}",-\n' for who in ("sam", "other"))))
        rules = Rules(LABS, self.RULES)
        class_ = self.take_in(rules=rules, rosters=rosters, times=times, **more)
        return class_, {hand_in.lab.number: hand_in for hand_in in class_.hand_ins if hand_in.person.name == "sam"}, rules

    def test_what_was_handed_in_for_a_lab_counts_there_before_a_copy_handed_in_for_another(self):
        for system in ("moodle", "clones"):
            for copy, notes in ((begun(mark="first"), 0), (begun(mark="other"), 1), (STARTERS["01"], 0)):
                for counts in ("last", "best"):
                    shutil.rmtree(self.given)
                    first = self.put(system, "01", "sam", {"01": begun(mark="first"), "04": STARTERS["04"]})
                    second = self.put(system, "04", "sam", {"01": copy, "04": begun("04")})
                    self.put(system, "04", "other", {"01": STARTERS["01"], "04": begun("04", "other")})
                    self.RULES = {**SeveralLabsAtOnce.RULES, "attempts": {"counts": counts}}
                    class_, found, _ = self.taken(system)
                    self.assertEqual(len([each for each in class_.hand_ins if each.person.name == "sam"]), 2)
                    self.assertEqual([found[lab].shown for lab in ("01", "04")], [f"{first}/{self.PLACES['01']}", f"{second}/{self.PLACES['04']}"])
                    self.assertEqual([f"{found[lab].submitted:%Y-%m-%dT%H:%M}:00" for lab in ("01", "04")], [*self.TIMES.values()])
                    self.assertEqual([found["01"].others, len(class_.notes), class_.asks], [[f"{second}/{self.PLACES['01']}"] * notes, notes, []], class_.notes)
                    if notes:
                        self.assertIn(f"{second}/{self.PLACES['01']} (for 04-dot-product)", class_.notes[0])
                    self.assertIn(f"{second}/{self.PLACES['01']}", [seen.shown for seen in class_.others] + found["01"].others)

    def test_a_copy_counts_where_no_work_was_handed_in_for_its_own_lab_and_this_is_said(self):
        for system in ("moodle", "clones"):
            for own in ({}, {"01": STARTERS["01"]}, {"01": "// mine\n" + STARTERS["01"]}):
                shutil.rmtree(self.given)
                if own:
                    self.put(system, "01", "sam", own)
                self.put(system, "01", "other", {"01": begun(mark="other")})
                copy = self.put(system, "04", "sam", {"01": begun(), "04": begun("04")})
                self.put(system, "04", "other", {"04": begun("04", "other")})
                class_, found, _ = self.taken(system)
                self.assertEqual((found["01"].shown, f"{found['01'].submitted:%m}", class_.asks), (f"{copy}/{self.PLACES['01']}", "11", []))
                self.assertTrue(any(f"{copy}/{self.PLACES['01']} counts, which was handed in for 04-dot-product: no work was handed in for 01-coalescing itself." in note
                                    for note in class_.notes), class_.notes)

    def test_one_time_of_several_labs_is_none_of_the_earlier_ones_where_that_is_late(self):
        """The last push to a repository for all labs was the time of each, so that a lab that had been pushed in time was late."""
        for name in ("cuda-labs-sam", "hand-in"):
            for lab in ("01", "04"):
                for idle, labs, late in ((False, LABS, True), (False, LABS[:1], True), (True, LABS, False)):
                    shutil.rmtree(self.given)
                    told = {}
                    if name == "hand-in":
                        self.give("GPU-All-4711/sam_103_assignsubmission_file/all.zip", zipped({self.PLACES["01"]: begun(), self.PLACES["04"]: work("04") if idle else begun("04")}))
                        told["rosters"] = [self.write("sheet.csv", "Identifier,Full name,Grade,Maximum Grade,Last modified (submission),Last modified (grade)\n"
                                                      'Participant 103,sam,,34.00,"Friday, 13 November 2026, 04:05 PM",-\n')]
                    else:
                        for place, text in {self.PLACES["01"]: begun(), self.PLACES["04"]: work("04") if idle else begun("04"), ".git/HEAD": "x"}.items():
                            self.give(f"cuda-labs-sam/{place}", text)
                        self.give("cuda-labs-other/.git/HEAD", "x")
                        told["times"] = [self.write("grades.csv", "student_repository_name,submission_timestamp\ncuda-labs-sam,2026-11-13 16:05:00 UTC\n")]
                    rules = Rules(LABS, {**self.RULES, "labs": {**self.RULES["labs"], lab: {"deadline": "2026-10-24"}}})
                    class_ = self.take_in(rules=rules, labs=labs, **told)
                    times = {hand_in.lab.number: hand_in.submitted for hand_in in class_.hand_ins}
                    self.assertEqual(times["01"] is None, late, (name, class_.notes))
                    self.assertEqual(len(class_.asks), int(late), class_.asks)
                    if late:
                        self.assertIn("Lab 01 was due before sam's hand-in of 2026-11-13 16:05 +0000", class_.asks[0])
                    if labs is LABS:
                        self.assertEqual(str(times["04"]), "2026-11-13 16:05:00+00:00")  # the one that is due last, or has the last number
                    rules = Rules(LABS, {**self.RULES, "labs": {"01": {"deadline": "2026-11-14"}, "04": {"deadline": "2026-11-15"}}})
                    class_ = self.take_in(rules=rules, labs=labs, **told)  # what is not late in whole is not in part
                    self.assertEqual(({hand_in.submitted is None for hand_in in class_.hand_ins}, class_.asks), ({False}, []))

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def commit(self, clone: str, time: str, texts: dict[str, str]) -> None:
        for place, text in texts.items():
            self.give(f"{clone}/{place}", text)
        variables = {**os.environ, "GIT_COMMITTER_DATE": time, "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for line in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x"]):
            subprocess.run(["git", "-C", str(self.given / clone), *line], env=variables, check=True)

    def test_a_late_push_of_what_is_no_work_takes_no_lab_silently_that_was_committed_in_time(self):
        """Lab 01 was 0 points after a new README, with status 0."""
        first, last, of_04 = "2026-10-23T10:00:00Z", "2026-11-13T16:00:00Z", STARTERS["04"] + "\n// (working on it)\n"
        later = {"readme": {"README.md": "# mine"}, "comment": {self.PLACES["04"]: of_04}, "notes": {"labs/04-dot-product/notes.md": "todo"}, "touched": {self.PLACES["01"]: begun(mark="again")}}
        start = {self.PLACES["04"]: STARTERS["04"]}
        for who, texts in later.items():
            self.commit(f"cuda-labs-{who}", first, {self.PLACES["01"]: begun(mark=who), **start})
            self.commit(f"cuda-labs-{who}", last, texts)
        self.commit("cuda-labs-slow", "2026-10-26T10:00:00Z", {self.PLACES["01"]: begun(mark="slow"), **start})  # late, and by the push later still
        self.commit("cuda-labs-none", first, {self.PLACES["01"]: STARTERS["01"] + "\n// mine\n", **start})
        people = [*later, "slow", "none"]
        grades = self.write("grades.csv", "student_repository_name,submission_timestamp\n" + "".join(f"cuda-labs-{who},2026-11-13 16:05:00 UTC\n" for who in people))
        class_ = self.take_in(rules=Rules(LABS, self.RULES), times=[grades], labs=LABS[:1])
        times = {hand_in.person.name: f"{hand_in.submitted:%m-%d}" for hand_in in class_.hand_ins}
        self.assertEqual(times, {"readme": "10-23", "comment": "10-23", "notes": "10-23", "touched": "11-13", "slow": "10-26", "none": "11-13"})
        [ask] = class_.asks
        self.assertRegex(ask, "student's own word.*by it this lab would be late: ")
        self.assertEqual(sorted(ask.partition("late: ")[2].rstrip(".").split(", ")), [f"{who} (lab 01)" for who in ("comment", "notes", "readme", "slow")])
        self.assertFalse([note for note in class_.notes if "student's own word" in note])
        rules = Rules(LABS, {**self.RULES, "late": {"table": [{"days": 30, "percent": 5}]}})  # where it makes no difference, the system's time is the one
        class_ = self.take_in(rules=rules, times=[grades], labs=LABS[:1])
        self.assertEqual({f"{hand_in.submitted:%m-%d}" for hand_in in class_.hand_ins if hand_in.person.name == "slow"}, {"11-13"})

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_a_late_push_of_a_labs_own_clone_is_the_time_of_its_file_unless_a_later_commit_was_pushed(self):
        """A new README after the deadline made the lab late, with status 0."""
        first, last = "2026-10-23T10:00:00Z", "2026-11-13T16:00:00Z"
        place = self.PLACES["01"]
        for who, commits in {"readme": [(first, {place: begun(mark="readme")}), (last, {"README.md": "# mine"})], "pushed": [(first, {place: begun(mark="pushed")})],
                             "touched": [(first, {place: begun(mark="old")}), (last, {place: begun(mark="touched"), "README.md": "# mine"})],
                             "slow": [("2026-10-26T10:00:00Z", {place: begun(mark="slow")}), (last, {"README.md": "# mine"})],
                             "small": [(first, {"coalescing.cu": begun(mark="small")}), (last, {"notes.txt": "todo"})]}.items():
            for time, texts in commits:
                self.commit(f"lab-01-submissions/lab-01-{who}", time, texts)
        people = ("readme", "pushed", "touched", "slow", "small")
        times = self.write("own.csv", "student_repository_name,submission_timestamp\n" + "".join(f"lab-01-{who},2026-11-13 16:05:00 UTC\n" for who in people))
        for labs in (LABS, LABS[:1]):
            class_ = self.take_in(rules=Rules(LABS, self.RULES), times=[times], labs=labs)
            self.assertEqual({hand_in.person.name: f"{hand_in.submitted:%m-%d}" for hand_in in class_.hand_ins},
                             {"readme": "10-23", "pushed": "11-13", "touched": "11-13", "slow": "10-26", "small": "10-23"})
            [ask] = class_.asks
            self.assertEqual(sorted(ask.partition("late: ")[2].rstrip(".").split(", ")), ["readme (lab 01)", "slow (lab 01)", "small (lab 01)"])
        due = {**self.RULES, "labs": {"01": {"deadline": "2026-11-14"}}}  # where the push is in time nothing is asked
        class_ = self.take_in(rules=Rules(LABS, due), times=[times])
        self.assertEqual(({f"{hand_in.submitted:%m-%d}" for hand_in in class_.hand_ins}, class_.asks), ({"11-13"}, []))

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_work_on_another_branch_is_told_where_the_starter_is_checked_out(self):
        clone = self.given / "cuda-labs-sam"
        git = lambda *line: subprocess.run(["git", "-C", str(clone), *line], check=True, capture_output=True).stdout.decode().strip()
        self.commit("cuda-labs-sam", "2026-10-22T10:00:00Z", {self.PLACES["01"]: STARTERS["01"], self.PLACES["04"]: STARTERS["04"]})
        git("branch", "same")
        git("checkout", "-q", "-b", "my/lab")
        self.commit("cuda-labs-sam", "2026-10-23T10:00:00Z", {self.PLACES["01"]: begun()})
        git("update-ref", "refs/remotes/origin/there", "HEAD")
        git("checkout", "-q", "same")
        self.commit("cuda-labs-ann", "2026-10-22T10:00:00Z", {self.PLACES["01"]: begun(mark="ann")})
        for pack in (False, True):
            if pack:
                git("pack-refs", "--all")
            class_ = self.take_in()
            self.assertEqual(self.why(class_, f"cuda-labs-sam/{self.PLACES['01']}"), "It is the starter, unchanged. Another branch has changed it: my/lab, there. What is checked out counts.")
            self.assertEqual(self.why(class_, f"cuda-labs-sam/{self.PLACES['04']}"), "It is the starter, unchanged.")
        (clone / ".git/HEAD").write_text("ref: refs/heads/none\n", encoding="utf-8")
        self.assertEqual(self.why(self.take_in(), f"cuda-labs-sam/{self.PLACES['01']}"), "It is the starter, unchanged.")

    def test_a_clones_history_says_when_a_lab_was_changed_last_but_not_later_than_the_system_does(self):
        self.give("cuda-labs-other/.git/HEAD", "x")
        clone = self.given / "cuda-labs-sam"

        def commit(time: str, lab: str, text: str) -> None:
            self.commit("cuda-labs-sam", time, {self.PLACES[lab]: text})

        commit("2026-10-22T10:00:00Z", "01", begun(mark="old"))
        commit("2026-10-23T10:00:00Z", "01", begun())
        commit("2026-11-13T16:00:00Z", "04", begun("04"))
        git = lambda *line, **more: subprocess.run(["git", "-C", str(clone), *line], check=True, capture_output=True, **more).stdout
        signed = git("cat-file", "commit", "HEAD").replace(b"\n\n", b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n", 1)
        git("reset", "-q", git("hash-object", "-t", "commit", "-w", "--stdin", input=signed).decode().strip())
        touched, plain = self.folder / "touched", (clone / ".git/config").read_text(encoding="utf-8")
        program = self.write("gpg", f"#!/bin/sh\ntouch {touched}\n")
        program.chmod(0o755)
        (clone / ".git/config").write_text(f"{plain}[log]\n showSignature = true\n[gpg]\n program = {program}\n", encoding="utf-8")  # as a student may write it
        grades = self.write("grades.csv", "student_repository_name,submission_timestamp\ncuda-labs-sam,2026-11-13 16:05:00 UTC\n")
        for labs in (LABS, LABS[:1]):
            for pack in ("", "pack"):
                if pack:
                    git("pack-refs", "--all")
                class_ = self.take_in(rules=Rules(LABS, self.RULES), times=[grades], labs=labs)
                found = {hand_in.lab.number: str(hand_in.submitted) for hand_in in class_.hand_ins}
                self.assertEqual(found, {"01": "2026-10-23 10:00:00+00:00", **({"04": "2026-11-13 16:00:00+00:00"} if labs is LABS else {})})
                self.assertEqual(class_.asks, [])
                self.assertTrue(any("student's own word" in note and "sam (lab 01)" in note for note in class_.notes))
        self.assertFalse(touched.exists())
        shutil.copytree(clone, self.given / "more/lab-01-submissions/lab-01-sam")
        named = self.write("named.csv", "student_repository_name,submission_timestamp\nlab-01-sam,2026-11-13 16:05:00 UTC\n")
        class_ = self.take_in(self.given / "more", rules=Rules(LABS, self.RULES), times=[named])
        self.assertEqual({hand_in.lab.number: str(hand_in.submitted) for hand_in in class_.hand_ins}, {"01": "2026-10-23 10:00:00+00:00", "04": "2026-11-13 16:00:00+00:00"})
        self.assertEqual([ask for ask in class_.asks if ask.endswith("by it this lab would be late: sam (lab 01).")], class_.asks)
        self.assertEqual(len(class_.asks), 1)
        shutil.rmtree(self.given / "more")
        class_ = self.take_in(rules=Rules(LABS, self.RULES))
        self.assertEqual({hand_in.submitted for hand_in in class_.hand_ins}, {None})  # without a system's word a commit's counts for nothing
        commit("2026-11-20T10:00:00Z", "01", begun(mark="later than the system says"))
        class_ = self.take_in(rules=Rules(LABS, self.RULES), times=[grades])
        self.assertEqual({hand_in.lab.number: str(hand_in.submitted) for hand_in in class_.hand_ins}, {"01": "None", "04": "2026-11-13 16:00:00+00:00"})
        self.assertEqual(len(class_.asks), 1)

    def test_work_that_was_not_handed_in_for_its_own_lab_is_known_to_be_late_only_where_that_is_known(self):
        for system in ("moodle", "clones"):
            for given in (("04",), ("01", "04")):
                shutil.rmtree(self.given)
                self.put(system, "04", "sam", {"01": begun(), "04": begun("04")})
                self.put(system, "04", "other", {"04": begun("04", "other")})
                if "01" in given:
                    self.put(system, "01", "other", {"01": begun(mark="other")})
                class_, found, _ = self.taken(system, given)
                self.assertEqual((found["01"].submitted is None, len(class_.asks)), ("01" not in given, int("01" not in given)), (system, given, class_.asks))
                self.assertEqual(f"{found['04'].submitted:%m}", "11")

    def test_a_starter_that_lies_in_what_was_handed_in_for_another_lab_is_no_hand_in(self):
        self.give("GPU-Lab 04-4714/sam_403_assignsubmission_file/coalescing.cu", STARTERS["01"])
        self.give("GPU-Lab 04-4714/sam_403_assignsubmission_file/dot_product.cu", begun("04"))
        class_, found, _ = self.taken("moodle", given=())
        self.assertEqual(list(found), ["04"])


class Safety(Intake):
    """Nothing that a student hands in is followed, opened or unpacked where it should not be."""

    def test_links_pipes_sockets_and_large_files_are_hand_ins_with_a_fault(self):
        secret = self.write("secret.cu", work(mark="secret"))
        for who in ("link", "dangling", "pipe", "large", "ok"):
            (self.given / who).mkdir()
        (self.given / "link/coalescing.cu").symlink_to(secret)
        (self.given / "dangling/coalescing.cu").symlink_to("/dev/zero")
        os.mkfifo(self.given / "pipe/coalescing.cu")
        self.give("large/coalescing.cu", b"x" * 1_000_001)
        self.give("ok/coalescing.cu", work())
        (self.given / "linked folder").symlink_to(self.given / "ok")
        short = pathlib.Path("/tmp") / f"warpbook-{os.getpid()}"
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(short))
            (self.given / "socket").mkdir()
            shutil.move(short, self.given / "socket/coalescing.cu")
            began = time.monotonic()
            class_ = self.take_in()
        self.assertLess(time.monotonic() - began, 10)
        faults = {hand_in.person.id: (hand_in.fault.id, hand_in.fault.sentence) for hand_in in class_.hand_ins if hand_in.fault}
        self.assertEqual(set(faults), {"link", "dangling", "pipe", "large", "socket"})
        self.assertIn("link/coalescing.cu is a symbolic link", faults["link"][1])
        self.assertIn("named pipe", faults["pipe"][1])
        self.assertEqual(faults["large"][0], "too-large")
        self.assertIn("symbolic link", self.why(class_, "linked folder"))
        self.assertNotIn("secret", "".join(path.read_text(encoding="utf-8") for path in self.scratch.rglob("*.cu")))

    @unittest.skipIf(not AS_NOBODY and os.geteuid() == 0, "root may read everything")
    def test_an_unreadable_file_costs_itself_alone(self):
        self.give("alice/coalescing.cu", work()).chmod(0)
        self.give("bob/coalescing.cu", work())
        if os.geteuid() == 0:
            self.skipTest("root may read everything")
        class_ = self.take_in()
        self.assertEqual([hand_in.fault.id for hand_in in class_.hand_ins if hand_in.fault], ["missing-file"])

    def test_names_that_lead_out_of_an_archive_are_listed_and_not_read(self):
        evil = ["../coalescing.cu", "/tmp/coalescing.cu", "a/../../coalescing.cu", "C:\\coalescing.cu", "..\\coalescing.cu",
                "\\\\server\\coalescing.cu", "C:/x.cu"]
        self.give("alice.zip", zipped({**{name: work(mark="evil") for name in evil}, "sub\\coalescing.cu": work()}))
        self.give("bob.tar", tarred({**{name: work(mark="evil") for name in evil}, "coalescing.cu": work()}))
        class_ = self.take_in()
        self.assertEqual(self.found(class_), {"01.alice": "alice.zip/sub/coalescing.cu", "01.bob": "bob.tar/coalescing.cu"})
        self.assertEqual(sum("leads out of its archive" in seen.why for seen in class_.others), 2 * len(evil))
        self.assertFalse((self.folder / "coalescing.cu").exists() or pathlib.Path("/tmp/coalescing.cu").exists())

    def test_links_and_devices_in_archives_are_not_followed(self):
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w:gz") as archive:
            for number, kind in enumerate((tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.BLKTYPE)):
                member = tarfile.TarInfo(f"s{number}x/coalescing.cu")
                member.type, member.linkname = kind, "/etc/passwd"
                archive.addfile(member)
        self.give("all.tgz", made.getvalue())
        link = zipfile.ZipInfo("linked/coalescing.cu")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        self.give("more.zip", zipped({link: "/etc/passwd", "fine/coalescing.cu": work()}))
        class_ = self.take_in()
        self.assertEqual(sorted(hand_in.fault is not None for hand_in in class_.hand_ins), [False] + [True] * 6)

    def test_bombs_end_with_a_sentence_and_little_memory_and_time(self):
        zeros = b"\0" * (1 << 20)
        large = io.BytesIO()
        with zipfile.ZipFile(large, "w", zipfile.ZIP_DEFLATED) as archive:
            with archive.open("inner.zip", "w") as file:
                for _ in range(200):
                    file.write(zeros)
            with archive.open("coalescing.cu", "w") as file:
                for _ in range(40):
                    file.write(zeros)
        self.give("flat/bomb.zip", large.getvalue())
        nested = zipped({"coalescing.cu": work()})
        for _ in range(9):
            nested = zipped({"inner.zip": nested})
        self.give("deep/bomb.zip", nested)
        self.give("many/bomb.zip", zipped({f"{number}.cu": "" for number in range(trees.MOST_MEMBERS + 1)}, zipfile.ZIP_STORED))
        self.give("gz/bomb.tar.gz", gzip.compress(b"coalescing.cu".ljust(512, b"\0") + zeros * 64))
        self.give("bz2/bomb.tar.bz2", bz2.compress(zeros * 64))
        self.give("xz/bomb.tar.xz", lzma.compress(zeros * 64, preset=0))
        bzip = zipped({"coalescing.cu": zeros * 20}, zipfile.ZIP_BZIP2)
        self.give("method/bomb.zip", bzip)
        self.give("folders/bomb.zip", zipped({"d/" * 2000 + "coalescing.cu": work(), "x" * 60_000: ""}))
        self.give("ok/coalescing.cu", work())
        began = time.monotonic()
        class_ = self.take_in()
        self.assertLess(time.monotonic() - began, 60)
        good = [hand_in.person.id for hand_in in class_.hand_ins if not hand_in.fault]
        self.assertEqual(good, ["ok"])
        whys = " ".join(seen.why for seen in class_.others)
        for words in ("zip bomb", "is nested in more than 4 archives", "more than 50000 files", "is nested in more than 60 folders"):
            self.assertIn(words, whys)
        faults = {hand_in.person.id: hand_in.fault.sentence for hand_in in class_.hand_ins if hand_in.fault}
        self.assertIn("another method than deflate", faults["method"])

    def test_a_pax_header_cannot_fill_the_memory(self):
        header = tarfile.TarInfo("x")
        header.type, header.size = tarfile.XHDTYPE, 3 << 30
        self.give("alice.tar.gz", gzip.compress(header.tobuf() + b"\0" * (1 << 20)))
        self.give("bob/coalescing.cu", work())
        class_ = self.take_in()
        self.assertIn("a header has more than 1 MiB", self.why(class_, "alice.tar.gz"))

    def test_what_an_archive_unpacks_to_is_bounded(self):
        (self.folder / "x.tar.gz").write_bytes(tarred({f"{number}.bin": b"x" * 1000 for number in range(100)}, "w:gz"))
        budget = trees.Budget(bytes=50_000)
        with trees.unpacked(trees.on_disk(self.folder / "x.tar.gz"), budget, self.folder) as (tree, partly):
            self.assertIn("unpacks to more than", partly.why)
            self.assertLess(len(tree.entries()), 60)
        (self.folder / "x.zip").write_bytes(zipped({f"{number}.cu": b"x" * 1000 for number in range(100)}))
        budget = trees.Budget(bytes=50_000)
        with trees.unpacked(trees.on_disk(self.folder / "x.zip"), budget, self.folder) as (tree, _):
            with self.assertRaisesRegex(trees.Unreadable, "unpacks to more than"):
                for entry in tree.entries():
                    self.assertEqual(len(entry.read()), 1000)

    def test_a_file_that_has_grown_since_it_was_listed_is_too_large(self):
        with self.assertRaisesRegex(trees.Unreadable, "more than 1000000 bytes"):
            trees.Node("x", 5, opened=lambda: io.BytesIO(b"x" * 1_000_001)).read()

    def test_a_file_that_has_become_a_pipe_or_a_link_since_it_was_listed_is_not_opened(self):
        for make in (os.mkfifo, lambda path: os.symlink("/etc/passwd", path), os.mkdir):
            file = self.write("seen.cu", work())
            node = trees.on_disk(file)
            file.unlink()
            make(file)
            with self.assertRaises(trees.Unreadable):
                node.read()
            os.rmdir(file) if file.is_dir() else file.unlink()

    def test_encrypted_broken_and_cut_archives_cost_themselves_alone(self):
        encrypted = bytearray(zipped({"coalescing.cu": work(), "readme.txt": "x"}))
        for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
            at = -1
            while (at := encrypted.find(mark, at + 1)) >= 0:
                encrypted[at + offset] |= 1
        self.give("alice.zip", bytes(encrypted))
        whole = zipped({"coalescing.cu": work() * 20})
        self.give("cut.zip", whole[:len(whole) // 2])
        wrong = bytearray(whole)
        wrong[60:90] = b"\xff" * 30
        self.give("crc.zip", bytes(wrong))
        tar = tarred({"coalescing.cu": work(), "later.txt": "x" * 9000}, "w:gz")
        self.give("half.tar.gz", tar[:-40])
        self.give("empty.zip", b"")
        self.give("none.zip", zipped({}))
        self.give("text.tar", "this is text")
        self.give("ok/coalescing.cu", work())
        class_ = self.take_in()
        whys = {seen.shown: seen.why for seen in class_.others}
        faults = {hand_in.person.id: hand_in.fault.sentence for hand_in in class_.hand_ins if hand_in.fault}
        self.assertIn("is encrypted", faults["alice"])
        self.assertIn("archive-encrypted", {hand_in.fault.id for hand_in in class_.hand_ins if hand_in.fault})
        self.assertIn("cannot be read", faults["crc"])
        self.assertIn("damaged", whys["cut.zip"])
        self.assertIn("empty", whys["empty.zip"])
        self.assertIn("no file", whys["none.zip"])
        self.assertIn("text.tar", whys)
        self.assertEqual(sorted(hand_in.person.id for hand_in in class_.hand_ins if not hand_in.fault), ["half", "ok"])
        self.assertIn("The files after that", whys["half.tar.gz"])

    def test_archives_with_random_damage_cost_themselves_alone(self):
        pick = random.Random(17)
        files = {"a/coalescing.cu": work(), "inner.zip": zipped({"nbody.cu": work("03")}),
                 "inner.tgz": tarred({"x.cu": work("04")}, "w:gz"), "Zoë.txt": "x"}
        forms = [("zip", zipped(files)), ("zip", zipped(files, zipfile.ZIP_STORED)), ("tar", tarred(files)),
                 ("tar.gz", tarred(files, "w:gz")),
                 ("tar.bz2", tarred(files, "w:bz2")), ("tar.xz", tarred(files, "w:xz"))]
        for round in range(12):
            shutil.rmtree(self.given)
            for number in range(20):
                suffix, data = pick.choice(forms)
                damaged = bytearray(data)
                for _ in range(pick.choice((1, 1, 3, 40))):
                    at = pick.choice((pick.randrange(len(damaged)), pick.randrange(min(600, len(damaged))),
                                      len(damaged) - pick.randint(1, 200)))
                    damaged[at] = pick.choice((0, 255, damaged[at] ^ (1 << pick.randrange(8)), pick.randrange(256)))
                if pick.random() < 0.2:
                    del damaged[pick.randrange(len(damaged)):]
                self.give(f"s{number:02}x.{suffix}", bytes(damaged))
            self.give("ok/coalescing.cu", work())
            class_ = self.take_in()
            self.assertIn("ok", {hand_in.person.id for hand_in in class_.hand_ins if not hand_in.fault})
            listed = {seen.shown.split("/")[0] for seen in class_.others} | {hand_in.shown.split("/")[0] for hand_in in class_.hand_ins}
            self.assertEqual({path.name for path in self.given.iterdir()} - listed, set())

    def test_names_and_texts_made_to_be_slow_to_read_are_not(self):
        pick = random.Random(23)
        pieces = ["_", " ", "-", "1", "_1", "1_", "copy ", "kopie", "(1)", "Copy of ", "lab", "0", "coalescing", "._", " - ", "a",
                  "_attempt_", "é"]
        names = ["".join(pick.choice(pair) for _ in range(300))[:240] + f"{number}.cu" for number in range(1500)
                 for pair in [[pick.choice(pieces)] * 3 + [pick.choice(pieces)]]]
        self.give("eve.zip", zipped({name: "x" for name in names}))
        texts = ["a(" * 400_000, "a(" + "()" * 400_000, "a" * 900_000, "a" + " " * 900_000, "a(b)" * 200_000, "a(b(c)" * 150_000,
                 "(" * 900_000,
                 "a (" + "(x)x" * 200_000, "a( \n" * 180_000, "a()noexcept " * 70_000]
        for number, text in enumerate(texts):
            self.give(f"s{number}x/main.cu", text)
        self.give("ok/coalescing.cu", work())
        began = time.process_time()
        class_ = self.take_in()
        self.assertLess(time.process_time() - began, 20)
        self.assertIn("01.ok", self.found(class_))

    def test_reading_a_name_takes_time_in_proportion_to_its_length(self):
        """Names of 20,000 characters: a pattern that tries each beginning with each end would take minutes for one of them."""
        names = naming.LabNames([(lab.number, lab.topic, lab.facts.kernel) for lab in LABS])
        pieces = ("_ - ", "- ", " ", "_", "lab ", "lab", "0", "shared_", "copy ", " copy 1", "kopie   ", "Kopie (1) von ", "(1)", "1_", "_1", "x",
                  "_attempt_", "1-1 - a - ", "a - Oct 10, 2025 1022 AM - ", "_1_100", "-submissions", ".cu", ".tar-1.gz", " Download a 1, 1 ",
                  "version ", "~", "A-", "é-", "_assignsubmission_file", "anon_", "coalescing ", "._")
        readers = (names.read, naming.without_copy, naming.owner_of, naming.is_no_name, naming.stem, naming.is_export, naming.repository_name,
                   naming.assignment_of, naming.may_be_source, harmless.shown, harmless.name, people.id_of)
        for piece in pieces:
            for before, after in (("", ""), ("lab", "x"), ("1-1 - ", ""), ("copy", "x"), ("a_1", ".cu"), ("x", "(1)")):
                name = before + piece * (20_000 // len(piece)) + after
                began = time.process_time()
                for reader in readers:
                    reader(name)
                self.assertLess(time.process_time() - began, 5, name[:40])

    def test_an_archive_of_20000_names_of_blanks_costs_little(self):
        self.give("eve.zip", zipped({"_ - " * 60 + f"{number}.cu": "" for number in range(20_000)}))
        self.give("ok/coalescing.cu", work())
        began = time.process_time()
        class_ = self.take_in()
        self.assertLess(time.process_time() - began, 40)  # 170 s where each blank begins a search of its own
        self.assertEqual(list(self.found(class_)), ["01.ok"])

    def test_of_two_entries_with_one_name_the_later_counts(self):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr("coalescing.cu", work(mark="first"))
            with self.assertWarns(UserWarning):
                archive.writestr("coalescing.cu", work(mark="second"))
        self.give("alice.zip", made.getvalue())
        self.give("bob/coalescing.cu", work())
        hand_in = self.take_in().hand_ins[0]
        self.assertIn("// second", hand_in.file.read_text(encoding="utf-8"))
        self.assertEqual(hand_in.others, ["alice.zip/coalescing.cu"])

    def test_names_in_zips_may_be_in_utf8_or_in_code_page_437(self):
        files = zipped({"Zoë/coalescing.cu": work()})
        unflagged = bytearray(files)
        for mark, offset in ((b"PK\3\4", 7), (b"PK\1\2", 9)):
            unflagged[unflagged.find(mark) + offset] &= ~8 & 0xff
        self.give("mac.zip", bytes(unflagged))
        old = zipped({"Zo?/nbody.cu": work("03")}).replace(b"Zo?", "Zoë".encode("cp437"))
        self.give("dos.zip", old)
        extra = struct.pack("<HHBI", 0x7075, 5 + len("Zoë/dot_product.cu".encode()), 1,
                            __import__("zlib").crc32(b"Zo_/dot_product.cu")) + "Zoë/dot_product.cu".encode()
        info = zipfile.ZipInfo("Zo_/dot_product.cu")
        info.extra = extra
        self.give("info.zip", zipped({info: work("04")}))
        found = self.take_in()
        self.assertEqual({hand_in.shown.split("/")[1] for hand_in in found.hand_ins}, {"Zoë"})

    def test_a_symbolic_link_within_a_clone_is_no_way_to_a_solution(self):
        for lab in LABS:
            self.give(f"labs-eve/labs/{lab.name}/{lab.kept_starter.name}", STARTERS[lab.number])
        self.give("labs-eve/solutions/01-coalescing/coalescing.cu", work(mark="the solution"))
        self.give("labs-eve/warpbook")
        (self.given / "labs-eve/labs/01-coalescing/coalescing.cu").symlink_to("../../solutions/01-coalescing/coalescing.cu")
        class_ = self.take_in()
        self.assertEqual([hand_in.fault.id for hand_in in class_.hand_ins], ["not-a-source"])

    def test_a_file_of_an_earlier_run_does_not_stand_in_for_one_that_cannot_be_read(self):
        self.give("alice/coalescing.cu", work())
        self.take_in()
        self.give("alice/coalescing.cu", b"x" * 1_000_001)
        self.assertTrue(self.take_in(keep=True).hand_ins[0].fault)


class Complete(Intake):
    """Nothing that was seen goes unlisted."""

    def covered(self, class_, files: set[str]) -> None:
        exact = {hand_in.shown for hand_in in class_.hand_ins} | {other for hand_in in class_.hand_ins for other in hand_in.others}
        exact |= {seen.shown for seen in class_.others}
        groups = [seen for seen in class_.others if seen.shown.endswith("/")]
        left = sorted(file for file in files if file not in exact)
        for group in sorted(groups, key=lambda seen: -len(seen.shown)):
            inside = [file for file in left if file.startswith(group.shown)]
            taken = inside[:group.count]
            left = [file for file in left if file not in set(taken)]
            self.assertEqual(len(taken), group.count, f"{group.shown} says how many files it stands for")
        self.assertEqual(left, [])

    def test_every_file_is_a_hand_in_an_older_version_or_listed(self):
        files = {f"f{number}/{name}": work() if name.endswith(".cu") else "x" for number in range(5)
                 for name in ("coalescing.cu", "coalescing (2).cu", "notes.md", "a/b/c/deep.bin", ".DS_Store", "._x", ".git/a/b", ".git/c",
                              "thoughts.cu")}
        files["thoughts/readme.cu"] = "// nothing"
        for path, data in files.items():
            self.give(path, data)
        inner = {f"{path}": data for path, data in files.items()}
        self.give("packed.zip", zipped(inner))
        self.give("packed.tar.bz2", tarred(inner, "w:bz2"))
        everything = set(files) | {f"packed.zip/{path}" for path in files} | {f"packed.tar.bz2/{path}" for path in files}
        self.covered(self.take_in(), everything)

    def test_many_files_alike_in_one_students_folder_are_one_line_with_their_number(self):
        self.give("alice.zip", zipped({"coalescing.cu": work(), **{f"data/{number}.bin": "x" for number in range(200)}}))
        self.give("bob/coalescing.cu", work())
        class_ = self.take_in()
        self.assertEqual([(seen.shown, seen.count) for seen in class_.others], [("alice.zip/", 200)])
        self.covered(class_, {"alice.zip/coalescing.cu", "bob/coalescing.cu", *(f"alice.zip/data/{number}.bin" for number in range(200))})

    def test_every_file_of_a_clone_is_counted(self):
        Clones.workbook(self, "cuda-labs-alice", {"01": work(), "03": work("03")})
        Clones.workbook(self, "cuda-labs-bob", {"01": work()})
        for number in range(50):
            self.give(f"cuda-labs-bob/experiments/{number}.txt", "x")
        self.give("cuda-labs-bob/coalescing.cu", work())
        self.give("cuda-labs-bob/build/sim/x.o", "x")
        self.covered(self.take_in(), {str(path.relative_to(self.given)) for path in self.given.rglob("*") if path.is_file()})

    def test_random_trees(self):
        pick = random.Random(11)
        names = ["alice", "bob_123", "01-coalescing", "labs", ".git", "src", "doejane_12345_67890_x", "Jane Doe_12_assignsubmission_file",
                 "submission_17", "v2",
                 "__MACOSX", "Müller", "notes"]
        ends = ["coalescing.cu", "nbody (2).cu", "x.txt", "y.cpp", "submission_metadata.yml", ".DS_Store", "z", "shared_memory.CU",
                "warpbook", "w.7z"]
        for _ in range(40):
            shutil.rmtree(self.given, ignore_errors=True)
            self.given.mkdir()
            for _ in range(pick.randint(1, 25)):
                path = "/".join(pick.choice(names) for _ in range(pick.randint(0, 4)))
                try:
                    self.give(f"{path}/{pick.choice(ends)}".strip("/"), pick.choice([work(), work("03"), "x", "", GRADESCOPE]))
                except (NotADirectoryError, IsADirectoryError):
                    pass
            files = {str(path.relative_to(self.given)) for path in self.given.rglob("*") if path.is_file()}
            self.covered(self.take_in(), files)
            packed = self.folder / "packed.zip"
            packed.write_bytes(zipped({path: (self.given / path).read_bytes() for path in files}))
            self.covered(self.take_in(packed), files)

    def test_what_an_earlier_run_wrote_is_no_hand_in(self):
        self.give("alice/coalescing.cu", work())
        self.give("graded/.warpbook-lock")
        self.give("graded/work/01.alice/coalescing.cu", work())
        self.scratch = self.given / "copies"
        self.take_in()
        class_ = self.take_in(keep=True)
        self.assertEqual(list(self.found(class_)), ["01.alice"])
        self.assertEqual({seen.shown: seen.count for seen in class_.others}, {"graded/": 2, "copies/": 1})

    def test_the_same_class_is_taken_in_the_same_way_again(self):
        for number, text in enumerate(hostile_texts(30, 5)):
            part = re.sub(r"[/\0]", "", text).encode("utf-8", "surrogateescape")[:150].decode("utf-8", "surrogateescape")
            self.give(f"{part}{number}/coalescing.cu", work())
        first, second = self.take_in(), self.take_in()
        self.assertEqual([vars(hand_in) for hand_in in first.hand_ins], [vars(hand_in) for hand_in in second.hand_ins])
        self.assertEqual((first.people, first.others, first.notes), (second.people, second.others, second.notes))


@unittest.skipUnless((ROOT / "solutions").is_dir(), "a class is made from solutions")
class MadeClass(Intake):
    """The class that class_maker.py makes for an acceptance run."""

    def test_each_hand_in_is_found_under_its_name_and_lab(self):
        expected = class_maker.make_class(self.given, LABS, ROOT / "solutions", 200, seed=5)
        self.assertEqual({hand_in.kind for hand_in in expected}, set(class_maker.SHARES))
        class_ = self.take_in()
        found = {(hand_in.person.name, hand_in.lab.number): hand_in for hand_in in class_.hand_ins}
        self.assertEqual(set(found), {(each.name, each.lab) for each in expected})
        self.assertEqual(len(class_.hand_ins), len(expected))
        for each in expected:
            hand_in = found[each.name, each.lab]
            self.assertEqual(hand_in.late, each.late)
            self.assertTrue(hand_in.shown.startswith(harmless.shown(each.path)), each)
            self.assertEqual(len(hand_in.others), int(each.kind == "twice"))

    def test_the_same_seed_makes_the_same_class(self):
        made = []
        for name in ("one", "two"):
            class_maker.make_class(self.folder / name, LABS[:2], ROOT / "solutions", 40, seed=9)
            made.append({str(path.relative_to(self.folder / name)): path.read_bytes() for path in (self.folder / name).rglob("*")
                         if path.is_file() and not path.is_symlink()})
        self.assertEqual(made[0], made[1])

    def test_what_differs_from_the_expected_points_is_told(self):
        items = {"01": [{"item": "a", "points": 2, "todo": 1}, {"item": "b", "points": 3, "todo": 2}]}
        expected = [class_maker.Expected("=alice", "01", "right", "p", []), class_maker.Expected("bob", "01", "partly", "p", [2]),
                    class_maker.Expected("eve", "01", "hostile", "p", None),
                    class_maker.Expected("tom", "01", "wrong", "p", [], False, ["b"])]
        rows = [{"name": name, "01-coalescing": points, "01-coalescing max": "5"}
                for name, points in (("'=alice", "5"), ("bob", "2"), ("eve", "0"), ("tom", "0"))]
        self.assertEqual(class_maker.differences(expected, rows, items), [])
        for row, points in zip(rows, ("4", "5", "1", "3")):
            row["01-coalescing"] = points
        self.assertEqual(len(class_maker.differences(expected, rows, items)), 4)
        self.assertEqual(len(class_maker.differences(expected, rows[1:], items)), 4)
        self.assertEqual(len(class_maker.differences(expected[1:], rows, items)), 4)


if __name__ == "__main__":
    unittest.main()
