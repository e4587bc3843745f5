"""./warpbook grade: a class in a workbook in miniature, from its files to points for each person and item."""
import json
import shutil
import unittest

from small_workbook import GradedClass, lines_matching, needs_machine


@needs_machine
class Grade(GradedClass):
    def test_every_person_has_a_row_in_the_table_and_every_item_one_in_the_csv(self):
        self.hand_in("alice", "// solved\n")
        self.hand_in("bob", "// nothing\n")
        status, out, err = self.grade()
        self.assertEqual(status, 0, out + err)
        self.assertTrue(lines_matching("^ alice +4/4 +4/4", out), out)
        self.assertTrue(lines_matching("^ bob +0/4 +0/4", out), out)
        rows = self.rows()
        self.assertEqual([(row["name"], row["item"], row["points"], row["max_points"]) for row in rows],
                         [("alice", "adds one", "2", "2"), ("alice", "four sectors", "2", "2"),
                          ("bob", "adds one", "0", "2"), ("bob", "four sectors", "0", "2")])
        self.assertEqual(rows[2]["reason"], "TODO(1) is not solved yet")
        self.assertEqual(rows[2]["file"], "bob/coalescing.cu")
        self.assertEqual(self.points(), {"alice": "4", "bob": "0"})

    def test_an_option_names_another_place_for_the_rows_of_items(self):
        self.hand_in("alice", "// solved\n")
        self.grade("--csv", str(self.folder / "points.csv"))
        self.assertEqual((self.folder / "points.csv").read_text(), (self.out / "items.csv").read_text())

    def test_the_outputs_lie_beside_the_caller_by_default(self):
        self.hand_in("alice", "// solved\n")
        status, out, err = self.warpbook("grade", str(self.folder / "class"), cwd=self.folder)
        self.assertEqual(status, 0, out + err)
        self.assertTrue((self.folder / "class-graded/points.csv").exists())

    def test_the_outputs_cannot_lie_around_the_hand_ins(self):
        self.hand_in("alice", "// solved\n")
        for out in ("class", "."):
            status, _, err = self.warpbook("grade", str(self.folder / "class"), "--out", str(self.folder / out))
            self.assertEqual(status, 2)
            self.assertIn("holds the hand-ins", err)

    def test_results_that_are_of_one_person_are_refused_for_a_class_before_anything_is_graded(self):
        for name in ("alice", "bob"):
            self.hand_in(name, "// solved\n")
        status, out, err = self.grade("--results", f"gradescope={self.folder}/results.json")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, "^The results for gradescope are those of one person, and .* holds 2.")
        self.assertFalse((self.out / "journal").exists())
        self.assertEqual(self.grade("--results", f"nbgrader={self.folder}/grades.csv")[0], 0)

    def test_files_that_do_not_compile_fail_alone_and_each_with_its_own_error(self):
        for name, text in (("alice", "solved"), ("bob", "broken"), ("carol", "broken"), ("dan", "solved")):
            self.hand_in(name, f"// {text}\n")
        self.hand_in("erin", "")
        status, out, err = self.grade()
        self.assertEqual(status, 0, out + err)
        self.assertEqual(self.points(), {"alice": "4", "bob": "0", "carol": "0", "dan": "4", "erin": "0"})
        self.assertTrue(lines_matching("^ bob +0/4 +0/4 +01 does not compile", out), out)
        reasons = {row["name"]: row["reason"] for row in self.rows()}
        self.assertIn("bob/coalescing.cu:9:3: error: expected ';'", reasons["bob"])
        self.assertNotIn("an echo of the first", reasons["bob"])
        self.assertIn("carol/coalescing.cu:9:3: error", reasons["carol"])
        self.assertIn("erin/coalescing.cu is empty", reasons["erin"])
        self.assertTrue(lines_matching("^  bob/coalescing.cu does not compile", out), out)

    def test_no_output_names_the_copy_that_was_graded(self):
        self.hand_in("bob", '// judge(1): {"status": "failed", "reason": "wrong", "todo": {"number": 1, "line": 1}}\n')
        self.grade()
        self.assertEqual({result["todo"]["file"] for result in self.entry("bob")["verdict"]["items"]}, {"bob/coalescing.cu"})
        self.assertNotIn(str(self.out), (self.out / "items.csv").read_text())

    def test_a_failing_build_of_the_workbook_is_no_hand_ins_fault(self):
        self.hand_in("bob", "// broken\n")
        program = self.root / "build/sim/bin/grade-01"
        program.unlink()
        (program / "grader.sh").mkdir(parents=True)  # cp cannot write there
        (self.root / "grader.sh").write_text("another")
        status, out, err = self.grade()
        self.assertEqual((status, out), (2, ""))
        self.assertIn("The workbook itself could not be built:", err)
        self.assertNotIn("bob", err)

    def test_an_untouched_starter_says_why_it_has_no_points(self):
        self.hand_in("Wei_813_assignsubmission_file", "// to do\n")
        self.hand_in("Ann_814_assignsubmission_file", "// judge(2): {\"status\": \"failed\", \"points\": 0, \"reason\": \"wrong\"}\n")
        status, out, _ = self.grade()
        self.assertEqual(status, 0)
        self.assertTrue(lines_matching("^ Wei +0/4 +0/4 +01 not begun", out), out)
        self.assertTrue(lines_matching("^ Ann +0/4 +0/4 *$", out), out)
        comments = [row["Feedback comments"] for row in self.rows("moodle-01.csv")]
        self.assertEqual(comments, ["Failed: adds one; four sectors.", "Nothing is written yet where the TODOs are."])

    def test_a_file_that_is_no_text_asks_for_another_look(self):
        for text, expected in (("// solved\n".encode("utf-16"), 1), (b"", 0), (b"// broken\n", 0)):
            self.write("class/alice/coalescing.cu").write_bytes(text)
            status, out, _ = self.grade()
            self.assertEqual(status, expected, out)

    def test_an_item_without_a_verdict_is_no_quiet_zero(self):
        self.hand_in("dave", "// silent\n")
        self.hand_in("alice", "// solved\n")
        status, out, _ = self.grade()
        self.assertEqual(status, 1)
        self.assertTrue(lines_matching("^ alice +4/4 +4/4", out), out)
        self.assertTrue(lines_matching("^ dave +0/4 +0/4 +01 not judged", out), out)
        self.assertTrue(lines_matching("dave/coalescing.cu: The grader ended with status 1", out), out)
        self.assertIn("The grader ended with status 1", self.rows()[-1]["reason"])

    def test_an_undecided_item_costs_no_points_and_asks_for_another_look(self):
        self.hand_in("fay", "// busy\n")
        status, out, _ = self.grade()
        self.assertEqual(status, 1)
        self.assertTrue(lines_matching("^ fay +0/2 +0/2 +01 not judged", out), out)
        self.assertEqual([(row["status"], row["max_points"]) for row in self.rows()], [("failed", "2"), ("undecided", "0")])

    def test_what_has_no_verdict_is_graded_again_by_the_same_command(self):
        self.hand_in("fay", "// busy\n")
        self.grade()
        self.assertFalse(self.entry("fay")["final"])
        judge = self.root / "judge.py"
        judge.write_text(judge.read_text().replace('"undecided"', '"passed"'))
        status, out, _ = self.grade()
        self.assertEqual(status, 0, out)

    def test_a_file_that_no_lab_knows_is_named(self):
        self.hand_in("alice", "// solved\n")
        self.write("class/notes.txt", "solved\n")
        status, out, _ = self.grade()
        self.assertEqual(status, 1)
        self.assertTrue(lines_matching("^  notes.txt: ", out), out)

    def test_everyone_of_the_rosters_and_every_folder_has_a_row_with_its_reason(self):
        self.hand_in("alice", "// solved\n")
        (self.folder / "class/bob").mkdir()
        roster = self.write("roster.csv", "First Name,Last Name,SID,Email,Role\nAlice,Liddell,alice,al@x.org,Student\nZoë,Müller,s9,z@x.org,Student\n")
        status, out, err = self.grade("--roster", str(roster))
        self.assertEqual(status, 0, out + err)
        self.assertTrue(lines_matching("^ Alice Liddell +4/4 +4/4", out), out)
        self.assertTrue(lines_matching("^ Zoë Müller +- +0/4 +Handed in nothing", out), out)
        self.assertTrue(lines_matching("^ bob +- +0/4 +No work on this lab was found. bob/: The folder is empty", out), out)
        self.assertTrue(lines_matching("^  bob is on no roster: bob.$", out), out)
        self.assertEqual(len(lines_matching("on no roster", out)), 2, out)  # there, and in bob's row
        self.assertIn("The folder is empty.; on no roster", (self.out / "index.html").read_text(encoding="utf-8"))
        self.assertEqual({row["name"]: row["reason"] for row in self.rows() if row["status"] == "missing"},
                         {"Zoë Müller": "Handed in nothing.", "bob": "No work on this lab was found. bob/: The folder is empty."})
        self.assertEqual((self.out / "rosters/roster.csv").read_text(encoding="utf-8"),
                         "First Name,Last Name,SID,Email,Role,Lab 01: a lab\nAlice,Liddell,alice,al@x.org,Student,4\nZoë,Müller,s9,z@x.org,Student,0\n")
        self.assertIn("Handed in nothing.", next(self.out.glob("feedback/*ller*/index.html")).read_text(encoding="utf-8"))

    def test_what_a_person_has_to_look_at_is_named_and_is_a_status(self):
        for name, text in (("alice", "// solved\n"), ("Bo Li_1_assignsubmission_file", "// broken\n"), ("Zoë Müller_2_assignsubmission_file", "// solved\n")):
            self.hand_in(name, text)
        rows = "".join(f"Participant {number},{name},Submitted for grading,,4.00\n" for number, name in ((1, "Bo Li"), (2, "Zoë Müller"), (3, "Cy None")))
        sheet = self.write("sheet.csv", "Identifier,Full name,Status,Grade,Maximum Grade\n" + rows)
        status, out, err = self.grade("--roster", str(sheet), "--lab", "1")
        self.assertEqual(status, 1, out + err)
        self.assertTrue(lines_matching("^  sheet.csv says of Cy None that something was handed in", out), out)
        self.assertTrue(lines_matching("^ Cy None +- +- +Moodle says that something was handed in, but no file of it is here", out), out)
        self.assertIn("<h2>Please look</h2>", (self.out / "index.html").read_text(encoding="utf-8"))
        self.assertIn("Participant 3,Cy None,Submitted for grading,,4.00", (self.out / "rosters/sheet.csv").read_text(encoding="utf-8"))
        sheet.write_text(sheet.read_text().replace("Participant 3,Cy None,Submitted for grading", "Participant 3,Cy None,No submission"))
        status, out, _ = self.grade("--roster", str(sheet), "--lab", "1")
        self.assertEqual((status, len(lines_matching("^  On no roster: alice .* On a roster, with nothing handed in: Cy None", out))), (1, 1), out)
        shutil.rmtree(self.folder / "class/alice")
        self.assertEqual(self.grade("--roster", str(sheet), "--lab", "1")[0], 0)

    def test_a_rule_for_somebody_who_is_not_in_the_class_is_to_be_looked_at(self):
        self.hand_in("alice", "// solved\n")
        for said in ({"extra_time": {"alcie": {"days": 1}}}, {"excused": {"alcie": {}}},
                     {"corrections": [{"student": "alcie", "lab": 1, "points": 1, "comment": "x", "author": "T. Smith"}]}):
            rules = self.write("course.json", json.dumps(said))
            status, out, err = self.grade("--rules", str(rules))
            self.assertEqual(status, 1, out + err)
            self.assertRegex(out, "Please look:\n  .*course.json .* alcie, who is not in this class")

    def test_who_is_excused_by_the_rules_has_no_points(self):
        self.hand_in("alice", "// solved\n")
        rules = self.write("course.json", '{"excused": {"alice": {"labs": ["01"]}}}')
        status, out, err = self.grade("--rules", str(rules))
        self.assertEqual(status, 0, out + err)
        self.assertTrue(lines_matching("^ alice +EX +- +01 excused", out), out)
        self.assertIn("Excused in this course.", (self.out / "feedback/alice/feedback.md").read_text(encoding="utf-8"))

    def test_the_best_attempt_is_named_once_it_is_known(self):
        self.hand_in("alice", "// solved\n")
        self.write("class/alice/coalescing (1).cu", "// begun\n")
        rules = self.write("course.json", '{"attempts": {"counts": "best"}}')
        _, out, _ = self.grade("--rules", str(rules))
        self.assertTrue(lines_matching("^  alice, 01-coalescing: alice/coalescing.cu counts, as the best of 2 attempts; not: alice/coalescing \\(1\\).cu.$", out), out)

    def test_files_that_are_the_same_byte_for_byte_are_said_without_a_library(self):
        for name, text in (("alice", "// solved\n"), ("bob", "// solved\n"), ("carol", "// solved \n"), ("dan", ""), ("eve", ""), ("fay", self.starter.read_text()),
                           ("guy", self.starter.read_text())):
            self.hand_in(name, text)
        _, out, _ = self.grade()
        self.assertEqual(lines_matching("byte for byte", out), ["  The same file, byte for byte: alice/coalescing.cu, bob/coalescing.cu."])
        self.assertEqual([(row["id"], row["remark"]) for row in self.rows("remarks.csv") if row["kind"] == "same-file"],
                         [("alice", "It is the same, byte for byte, as bob/coalescing.cu."), ("bob", "It is the same, byte for byte, as alice/coalescing.cu.")])

    def test_a_lab_that_no_one_has_handed_in_has_a_table_of_its_own_if_it_is_asked_for(self):
        (self.folder / "class").mkdir()
        roster = self.write("roster.csv", "name,email\nZoë Müller,z@x.org\n")
        self.assertEqual(self.grade("--roster", str(roster))[0], 2)
        status, out, err = self.grade("--roster", str(roster), "--lab", "1")
        self.assertEqual(status, 0, out + err)
        self.assertEqual(self.points(), {"Zoë Müller": "0"})

    def test_what_can_be_no_source_is_counted_and_listed_and_nothing_has_gone_wrong(self):
        self.hand_in("alice", "// solved\n")
        self.write("class/alice/report.pdf", "%PDF-1.7")
        status, out, err = self.grade()
        self.assertEqual(status, 0, out + err)
        self.assertTrue(lines_matching("^1 other file was left aside: ", out), out)
        self.assertIn("alice/report.pdf", (self.out / "index.html").read_text(encoding="utf-8"))

    def test_a_mark_that_depends_on_which_of_two_times_is_meant_is_a_question(self):
        self.write("class/Lab 01_jane_attempt_2026-10-25-02-20-00_coalescing.cu", "// solved\n")
        rules = self.write("course.json", '{"time_zone": "Europe/Berlin", "labs": {"01": {"deadline": "2026-10-25T02:30:00+02:00"}}, "late": {"percent_per_day": 50}}')
        status, out, err = self.grade("--rules", str(rules))
        self.assertEqual(status, 1, out + err)
        self.assertRegex(out, "Please look:\n  jane, 01-coalescing: 2026-10-25 02:20 is a time that clocks in Europe/Berlin show twice, .* For now the mark is 4 points; it can be 2\\.")
        rules.write_text(rules.read_text().replace("02:30", "03:30"))
        self.assertEqual(self.grade("--rules", str(rules))[0], 0)

    def test_what_is_late_by_the_rules_is_late_in_the_table(self):
        self.hand_in("alice", "// solved\n")
        roster = self.write("roster.csv", "path,name,submitted\nalice,alice,2027-02-01T10:00:00Z\n")
        rules = self.write("course.json", '{"labs": {"01": {"deadline": "2027-01-31T23:59:00Z"}}, "late": {"percent_per_day": 50}}')
        status, out, err = self.grade("--roster", str(roster), "--rules", str(rules))
        self.assertEqual(status, 0, out + err)
        self.assertTrue(lines_matching("^ alice +2/4 +2/4 +01 late", out), out)
        self.assertNotIn("is not known", out)
        _, out, _ = self.grade("--rules", str(rules))
        self.assertIn("Lab 01 has a deadline, and of 1 of 1 hand-ins the time is not known", out)
        log = self.write("log.json", '[{"user_id": 1, "submitted_at": "2027-01-31T10:00:00Z", "assignment": {"name": "Lab 01"}}]')
        self.assertEqual(self.grade("--rules", str(rules), "--times", str(log))[0], 0)
        status, _, err = self.grade("--times", str(rules))
        self.assertEqual(status, 2)
        self.assertIn("The file of times", err)

    def test_an_empty_folder_says_what_a_hand_in_is_called(self):
        (self.folder / "class").mkdir()
        status, _, err = self.grade()
        self.assertEqual(status, 2)
        self.assertIn("A hand-in is NAME/coalescing.cu", err)

    def test_a_missing_folder_is_a_sentence(self):
        status, _, err = self.grade()
        self.assertEqual((status, err.splitlines()[0]), (2, f"There is no folder {self.folder}/class."))

    def test_any_name_that_a_file_can_have_is_graded(self):
        names = ("a;b", "a|b", "a[b", 'a"b', "$a", "Müller", "Möller", "李雷", "韩梅梅", "=cmd", "a b", "..x", "\x1b[31mred")
        for name in names:
            self.hand_in(name, "// solved\n")
        status, out, err = self.grade()
        self.assertEqual(status, 0, out + err)
        self.assertEqual(set(self.points().values()), {"4"})
        self.assertEqual(len(self.points()), len(names))
        self.assertNotIn("\x1b[31m", out)

    def test_check_works_whatever_happened_in_grade(self):
        self.hand_in("alice", "// solved\n")
        self.grade()
        shutil.rmtree(self.folder / "class")
        shutil.rmtree(self.out)
        status, out, err = self.warpbook("check", "1")
        self.assertEqual(status, 1, err)
        self.assertIn("Points: 0/4", out)
        self.assertNotIn("class", (self.root / "build/sim/CMakeCache.txt").read_text())

    def test_points_that_cannot_be_written_are_said_before_the_class_is_graded(self):
        self.hand_in("alice", "// solved\n")
        status, _, err = self.grade("--csv", str(self.folder / "nowhere/points.csv"))
        self.assertEqual(status, 2)
        self.assertIn("There is no folder", err)
        self.assertFalse(self.out.exists())

    def test_a_class_has_a_seed_of_its_own_which_a_rerun_keeps(self):
        self.hand_in("alice", "// solved\n")
        self.hand_in("bob", "// nothing\n")
        status, out, err = self.grade()
        self.assertEqual(status, 0, out + err)
        seed = self.entry("alice")["key"]["seed"]
        self.assertGreater(seed, 1 << 32)
        self.assertIn(f"from the seed {seed}", out)
        self.assertIn(f"from the seed {seed}", (self.out / "index.html").read_text(encoding="utf-8"))
        told = [path for path in self.out.rglob("*") if path.is_file() and str(seed) in path.read_text(encoding="utf-8", errors="replace")]
        self.assertEqual({path.relative_to(self.out).parts[0] for path in told}, {"index.html", "journal"})
        self.changed()
        self.grade()
        self.assertEqual((self.changed(), self.entry("alice")["key"]["seed"]), (set(), seed))
        self.grade("--fresh")
        self.assertEqual((self.changed(), self.entry("alice")["key"]["seed"]), ({"alice", "bob"}, seed))
        self.out = self.folder / "another"
        self.grade()
        self.assertNotEqual(self.entry("alice")["key"]["seed"], seed)

    def test_an_option_or_the_environment_names_another_seed_for_one_run(self):
        self.hand_in("alice", "// solved\n")
        self.grade()
        own = self.entry("alice")["key"]["seed"]
        for options, environment, seed in (((), {"WARPBOOK_SEED": "7"}, 7), (("--seed", "9"), {"WARPBOOK_SEED": "7"}, 9), (("--seed", "1"), {}, 1),
                                           ((), {"WARPBOOK_SEED": ""}, own)):
            self.grade(*options, **environment)
            self.assertEqual(self.entry("alice")["key"]["seed"], seed)
        for options, environment in ((("--seed", "x"), {}), ((), {"WARPBOOK_SEED": "x"})):
            status, _, err = self.grade(*options, **environment)
            self.assertEqual(status, 2)
            self.assertIn("whole number", err)

    def test_a_kernel_that_cannot_confine_is_a_reason_to_stop(self):
        self.hand_in("alice", "// solved\n")
        (self.root / "runner.sh").write_text("#!/bin/sh\necho hard limits\n")
        status, out, err = self.grade()
        self.assertEqual((status, out), (2, ""))
        self.assertIn("This kernel has no Landlock", err)
        self.assertIn("It gives: hard limits.", err)
        self.assertIn("--sandbox bwrap", err)
        status, out, err = self.grade("--sandbox", "none")
        self.assertEqual(status, 0, err)
        self.assertIn("not confined by a sandbox", out)


@needs_machine
class GoingOn(GradedClass):
    """The same command goes on: what has a verdict is not graded again."""

    def test_what_is_graded_and_as_it_was_is_not_graded_again(self):
        for name in ("alice", "bob", "carol"):
            self.hand_in(name, "// solved\n")
        self.grade()
        self.assertEqual(self.changed(), {"alice", "bob", "carol"})
        status, out, err = self.grade()
        self.assertEqual((status, self.changed()), (0, set()))
        self.assertIn("3 of 3 hand-ins have been graded before", err)
        self.assertTrue(lines_matching("^ carol +4/4 +4/4", out), out)

    def test_another_file_or_seed_or_rubric_is_graded_again(self):
        for name in ("alice", "bob"):
            self.hand_in(name, "// solved\n")
        self.grade()
        self.changed()
        self.hand_in("bob", "// nothing\n")
        self.grade()
        self.assertEqual(self.changed(), {"bob"})
        self.assertEqual(self.points(), {"alice": "4", "bob": "0"})
        self.grade("--seed", "2")
        self.assertEqual(self.changed(), {"alice", "bob"})
        grader = self.root / "grader.sh"
        grader.write_text(grader.read_text() + "# another rubric\n")
        self.grade("--seed", "2")
        self.assertEqual(self.changed(), {"alice", "bob"})

    def test_a_new_hand_in_is_graded_alone(self):
        self.hand_in("alice", "// solved\n")
        self.grade()
        self.changed()
        self.hand_in("bob", "// solved\n")
        self.grade()
        self.assertEqual(self.changed(), {"bob"})

    def changes(self) -> list[tuple[str, ...]]:
        names = ("name", "points_before", "points", "why")
        return [tuple(row[name] for name in names) for row in self.rows("changes.csv")]

    def test_after_a_regrading_it_says_whose_marks_have_changed_and_why(self):
        for name in ("alice", "bob", "carol"):
            self.hand_in(name, "// solved\n")
        title = "Marks that have changed since the last grading, and why:"
        for _ in range(2):
            self.assertNotIn(title, self.grade()[1])
            self.assertFalse((self.out / "changes.csv").exists())
        self.hand_in("bob", "// nothing\n")
        self.hand_in("dan", "// solved\n")
        expected = [("bob", "4", "0", "file"), ("dan", "", "4", "new in the class")]
        out = self.grade()[1]
        self.assertIn(f"{title}\n  bob, 01-coalescing: 4/4 -> 0/4 (file)\n  dan, 01-coalescing: no mark -> 4/4 (new in the class)\n", out)
        self.assertEqual(self.changes(), expected)
        rules = {"labs": {"01": {"items": {"adds one": 3}}}}
        (self.root / "course.json").write_text(json.dumps(rules))
        self.grade()
        expected += [(name, "4", "5", "rule") for name in ("alice", "carol", "dan")] + [("bob", "0", "0", "rule")]
        self.assertEqual(sorted(self.changes()), sorted(expected))
        rules["corrections"] = [{"student": "bob", "lab": "01", "points": 2.5, "comment": "It adds.", "author": "T. Smith"}]
        (self.root / "course.json").write_text(json.dumps(rules))
        out = self.grade()[1]
        self.assertEqual(lines_matching("->", out), ["  bob, 01-coalescing: 0/5 -> 2.5/5 (override)"])
        self.assertTrue(lines_matching(r"^ bob +2\.5/5 +2\.5/5 +01 corrected", out), out)
        self.assertNotIn(title, self.grade()[1])
        judge, grader = self.root / "judge.py", self.root / "grader.sh"
        judge.write_text(judge.read_text().replace('"passed"', '"failed"'))
        grader.write_text(grader.read_text() + "# another rubric\n")
        self.assertEqual({line.partition("(")[2] for line in lines_matching("->", self.grade()[1])}, {"rubric)"})
        shutil.rmtree(self.folder / "class/alice")
        self.assertEqual(lines_matching("->", self.grade()[1]), ["  alice, 01-coalescing: 0/5 -> no mark (no longer in the class)"])
        everything = self.changes()
        (self.out / "changes.csv").unlink()  # as where it was killed before it wrote that
        self.grade()
        self.assertEqual(self.changes(), everything)
        self.assertEqual(everything[:2], [("bob", "4", "0", "file"), ("dan", "", "4", "new in the class")])  # nothing is forgotten

    def test_torn_and_foreign_entries_are_graded_again(self):
        names = ("alice", "bob", "carol", "dan")
        for name in names:
            self.hand_in(name, "// solved\n")
        self.grade()
        self.changed()
        paths = {name: self.out / f"journal/01.{name}.json" for name in names}
        paths["alice"].write_bytes(paths["alice"].read_bytes()[:-40])
        paths["bob"].write_bytes(b"")
        paths["carol"].write_text(paths["carol"].read_text().replace('"points":2', '"points":0', 1))
        self.before = {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in paths.values()}
        self.grade()
        self.assertEqual(self.changed(), {"alice", "bob", "carol"})
        self.assertEqual(set(self.points().values()), {"4"})

    def test_feedback_of_who_has_another_name_now_goes_and_so_do_files_for_an_import_that_are_not_written_again(self):
        folder = "Alice_1234_assignsubmission_file"
        self.hand_in(folder, "// solved\n")
        self.hand_in("Bob_1235_assignsubmission_file", "// solved\n")
        roster = self.write("roster.csv", f"path,name,id\n{folder},Alice,a1\n")
        self.grade("--roster", str(roster))
        self.write("graded/feedback/notes/mine.txt", "not from here")
        names = {"moodle-01.csv", "moodle-feedback-01.zip"}
        self.assertEqual({path.name for path in self.out.glob("moodle-*")}, names)
        self.grade()
        self.assertEqual({path.name for path in (self.out / "feedback").iterdir()}, {"Alice", "Bob", "notes"})
        (self.folder / "class" / folder).rename(self.folder / "class/Alice")
        shutil.rmtree(self.folder / "class/Bob_1235_assignsubmission_file")
        self.grade()
        self.assertEqual({path.name for path in (self.out / "feedback").iterdir()}, {"Alice", "notes"})
        self.assertEqual(list(self.out.glob("moodle-*")), [])

    def test_an_option_grades_everything_again(self):
        self.hand_in("alice", "// solved\n")
        self.grade()
        self.changed()
        self.grade("--fresh")
        self.assertEqual(self.changed(), {"alice"})


if __name__ == "__main__":
    unittest.main()
