"""The verbs from end to end, in a workbook in miniature."""
import json
import resource
import shutil
import subprocess
import sys
import unittest

from small_workbook import BENCH, SmallWorkbook, lines_matching, needs_machine

from command import bench, selftest
from command.build import Build
from command.workbook import Workbook


@needs_machine
class Check(SmallWorkbook):
    def test_an_unsolved_file_is_told_its_todo_and_the_next_hint(self):
        status, out, _ = self.warpbook("check", "1")
        self.assertEqual(status, 1, out)
        self.assertIn("TODO(1) is not solved yet", out)
        self.assertIn("Points: 0/4", out)
        self.assertEqual(out.splitlines()[-1],
                         "Next hint: ./warpbook hint 01, or labs/01-coalescing/hints.md, section TODO(1): offset_add, hint 1")

    def test_a_solved_file_has_full_points_and_status_0(self):
        self.starter.write_text("// solved\n")
        status, out, _ = self.warpbook("check", "coalescing")
        self.assertEqual(status, 0, out)
        self.assertIn("Points: 4/4", out)
        self.assertNotIn("hint", out)

    def test_a_file_that_does_not_compile_loses_every_item_and_is_told_the_first_error_once(self):
        self.starter.write_text("// broken\n")
        status, out, _ = self.warpbook("check", "01")
        self.assertEqual(status, 1, out)
        self.assertIn("labs/01-coalescing/coalescing.cu does not compile. The compiler's first error:", out)
        self.assertEqual(out.count("labs/01-coalescing/coalescing.cu:9:3: error: expected ';'"), 1, out)
        self.assertNotIn("an echo of the first", out)
        self.assertNotIn("adds one", out)
        self.assertIn("Points: 0/4", out)
        self.assertIn("2 items not run: the file does not compile", out)

    def test_a_build_of_the_workbook_that_fails_is_not_the_students_fault(self):
        (self.root / "grader.sh").unlink()
        (self.root / "grader.sh").mkdir()
        status, out, err = self.warpbook("check", "1")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("The workbook itself could not be built:", err)
        self.assertIn("bin/grade-01", err)

    def test_a_missing_and_an_empty_file_are_told_without_a_compiler(self):
        self.starter.write_text("\n")
        status, out, _ = self.warpbook("check", "1")
        self.assertEqual(status, 1)
        self.assertIn("coalescing.cu is empty.", out)
        self.assertIn("2 items not run: there is no built file", out)
        self.starter.unlink()
        status, out, _ = self.warpbook("check", "1")
        self.assertEqual(status, 1)
        self.assertIn("Take the starter back: ./warpbook reset 01", out)
        self.assertIn("Points: 0/4", out)

    def test_a_mended_file_forgets_the_failed_build(self):
        self.starter.write_text("// broken\n")
        self.warpbook("check", "1")
        self.starter.write_text("// solved\n")
        self.assertEqual(self.warpbook("check", "1")[0], 0)

    def test_yesterdays_points_do_not_survive_a_grader_without_a_verdict(self):
        self.starter.write_text("// solved\n")
        self.warpbook("check", "1")
        self.starter.write_text("// silent\n")
        status, out, err = self.warpbook("check", "1")
        self.assertEqual(status, 2)
        self.assertNotIn("Points:", out)
        self.assertIn("The grader ended with status 1 before it had judged everything:\n  the grader's last words", err)
        self.assertTrue(lines_matching("01-coalescing +4/4 +4 +1✓ 2✓ +solved, edited since the last check", self.warpbook("list")[1]))

    def test_another_file_is_graded_where_it_lies(self):
        mine = self.write("my work/attempt.cu", "// solved\n")
        status, out, _ = self.warpbook("check", "1", "attempt.cu", cwd=mine.parent)
        self.assertEqual(status, 0, out)
        self.assertEqual(mine.read_text(), "// solved\n")
        self.assertEqual(self.starter.read_text(), "// to do\n")
        self.assertEqual([path.name for path in mine.parent.iterdir()], ["attempt.cu"])

    def test_the_next_other_file_takes_the_slot(self):
        good, bad = self.write("good.cu", "// solved\n"), self.write("bad.cu", "// nothing\n")
        self.assertEqual(self.warpbook("check", "1", str(good))[0], 0)
        self.assertEqual(self.warpbook("check", "1", str(bad))[0], 1)
        self.assertEqual(self.warpbook("check", "1", str(good))[0], 0)

    def test_a_mutant_is_composed_with_the_solution(self):
        mutant = self.write_mutant("// mutant: off\n")
        status, out, err = self.warpbook("check", "1", str(mutant))
        self.assertEqual(status, 0, out + err)  # the words of the solution
        self.assertIn("solutions/01-coalescing/mutants/off.cu", out)
        mutant.write_text("// mutant: off, and broken\n")
        self.assertEqual(self.warpbook("check", "1", str(mutant))[0], 1)
        self.assertEqual(self.warpbook("check", "1", str(self.write("off.cu", "// mutant: off\n")))[0], 1)  # no submission's

    def test_a_mutant_that_does_not_fit_the_solution_is_status_2_with_the_place(self):
        status, _, err = self.warpbook("check", "1", str(self.write_mutant("// misfit\n")))
        self.assertEqual(status, 2)
        self.assertIn("solutions/01-coalescing/mutants/off.cu cannot be composed with the solution.", err)
        self.assertIn("off.cu:4: error: the solution has no TODO(9).", err)

    def test_json_is_one_document_and_nothing_else(self):
        status, out, _ = self.warpbook("check", "1", "--json")
        document = json.loads(out)
        self.assertEqual(status, 1)
        self.assertEqual((document["points"], document["max_points"], len(document["items"])), (0, 4, 2))
        self.assertEqual(document["next_hint"]["section"], "TODO(1): offset_add")

    def test_a_second_check_is_quick(self):
        self.warpbook_itself("check", "1", "--json")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.warpbook_itself("check", "1", "--json")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # Processor time, which a busy machine leaves alone; the small graders are part of it.
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1.5)

    def test_the_first_check_configures_and_says_so(self):
        self.forget_the_build()
        status, out, err = self.warpbook("check", "1")
        self.assertEqual(status, 1, out + err)
        self.assertIn("Configuring build/sim; the first build takes some minutes", err)
        self.assertIn("Points: 0/4", out)

    def test_a_workbook_that_does_not_configure_is_status_2_with_cmakes_words(self):
        self.forget_the_build()
        (self.root / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nnonsense()\n")
        status, _, err = self.warpbook("check", "1")
        self.assertEqual(status, 2)
        self.assertIn("CMake could not configure the preset sim", err)
        self.assertIn('Unknown CMake command "nonsense"', err)

    def test_a_workbook_that_was_moved_with_its_build_folder_goes_on(self):
        self.warpbook("check", "1")
        self.root = self.root.rename(self.folder / "moved")
        status, out, err = self.warpbook("check", "1")
        self.assertEqual(status, 1, err)
        self.assertIn("Points: 0/4", out)

    def test_list_shows_the_points_of_the_last_check(self):
        _, out, _ = self.warpbook("list")
        self.assertTrue(lines_matching("01-coalescing.*not checked yet", out), out)
        self.starter.write_text("// solved\n")
        self.warpbook("check", "1")
        _, out, _ = self.warpbook("list")
        self.assertTrue(lines_matching("01-coalescing +4/4 +4 +1✓ 2✓ +solved$", out), out)
        self.assertTrue(lines_matching("total +4/4", out), out)

    def test_a_todo_alone_is_judged_alone_and_an_unknown_one_names_those_there_are(self):
        self.starter.write_text("// solved\n")
        status, out, _ = self.warpbook("check", "1", "--todo", "2")
        self.assertEqual(status, 0)
        self.assertIn("four sectors", out)
        self.assertNotIn("adds one", out)
        self.assertIn("Points: 2/2", out)
        self.assertTrue(lines_matching("01-coalescing +0/4 +not checked yet", self.warpbook("list")[1]))
        for number in ("3", "0", "-1"):
            status, out, err = self.warpbook("check", "1", f"--todo={number}")
            self.assertEqual((status, out), (2, ""))
            self.assertIn(f"01-coalescing has no TODO({number}).\nIts TODOs have the numbers 1, 2.", err)

    def test_an_item_that_the_machine_left_undecided_costs_no_points_and_is_no_pass(self):
        self.starter.write_text("// busy\n")
        status, out, _ = self.warpbook("check", "1")
        self.assertEqual(status, 1)
        self.assertTrue(lines_matching("^ four sectors +- +not judged", out), out)
        self.assertIn("not judged: four sectors (sim): This machine is too busy.", out)
        self.assertIn("Points: 0/2", out)

    def test_a_grader_that_dies_or_talks_nonsense_is_a_problem_and_never_a_verdict(self):
        for text, said in (("solved, dies", "before it had judged everything:\n  the grader's last words"),
                           ("solved, garbage", "The grader says what cannot be read: 100 of 100 points"),
                           ("solved, stray", "The grader judged 'another', which was not asked for.")):
            self.starter.write_text(f"// {text}\n")
            status, out, err = self.warpbook("check", "1")
            self.assertEqual(status, 2, text)
            self.assertIn(said, err)
            self.assertNotIn("Points:", out)
            self.assertTrue(lines_matching("01-coalescing +0/4 +not checked yet", self.warpbook("list")[1]), text)

    def test_what_is_written_to_the_build_folder_while_a_submission_runs_changes_no_list(self):
        tampers = self.write("tampers.cu", "// tampers\n")
        self.assertEqual(self.warpbook("check", "1", str(tampers))[0], 1)
        self.assertTrue(lines_matching("01-coalescing +0/4 +not checked yet", self.warpbook("list")[1]))
        self.starter.write_text("// solved\n")
        self.warpbook("check", "1")
        for options in ([], ["--todo", "1"]):
            self.warpbook("check", "1", str(tampers), *options)
            self.assertTrue(lines_matching("01-coalescing +4/4 +4 +1✓ 2✓ +solved$", self.warpbook("list")[1]))
        self.starter.write_text("// tampers, garbage\n")
        self.assertEqual(self.warpbook("check", "1")[0], 2)
        self.assertTrue(lines_matching("01-coalescing +4/4 +4 +1✓ 2✓ +solved, edited", self.warpbook("list")[1]))
        self.starter.write_text("// tampers\n")
        self.warpbook("check", "1")
        self.assertTrue(lines_matching("01-coalescing +0/4 +4 +1· 2· +unsolved, -4 since the check before$", self.warpbook("list")[1]))


@needs_machine
class SelfTest(SmallWorkbook):
    def test_green_ends_with_the_counts_alone_on_a_line(self):
        status, out, err = self.warpbook("test")
        self.assertEqual(status, 0, out + err)
        self.assertEqual(out.splitlines()[-1], "3 passed, 0 failed")
        self.assertTrue((self.root / "build/sim/junit.xml").exists())

    def test_a_failed_test_shows_its_output_and_is_red(self):
        self.solution.write_text("// nothing\n")
        status, out, _ = self.warpbook("test")
        self.assertEqual(status, 1)
        self.assertIn("FAILED 01.solution.sim:adds one", out)
        self.assertIn("TODO(1) is not solved yet", out)
        self.assertEqual(out.splitlines()[-1], "1 passed, 2 failed")

    def last_line(self, *options, **environment):
        status, out, err = self.warpbook("test", *options, **environment)
        return status, (out or err).splitlines()[-1]

    def test_what_passed_is_not_run_again_until_something_changes(self):
        self.assertEqual(self.last_line(), (0, "3 passed, 0 failed"))
        self.assertEqual(self.last_line(), (0, "3 passed, 0 failed (3 of them kept)"))
        self.assertEqual(self.last_line("--fresh"), (0, "3 passed, 0 failed"))
        self.assertEqual(self.last_line(CXXFLAGS="-g"), (0, "3 passed, 0 failed"))
        self.solution.write_text("// solved otherwise\n")
        self.assertEqual(self.last_line(), (0, "3 passed, 0 failed"))

    def test_of_a_test_whose_program_is_not_built_the_command_is_known(self):
        listed = 'add_test(NAME unit.late COMMAND "${bin}/grade-01" --module x --source x --item "four sectors")\n'
        text = (self.root / "CMakeLists.txt").read_text()
        (self.root / "CMakeLists.txt").write_text(text.replace("add_test(NAME unit.nothing COMMAND true)\n", listed, 1))
        build = Build(Workbook(self.root), "sim", {"compiler": "", "python": sys.executable})
        build.configure()
        late = next(test for test in selftest.tests_of(build) if test["name"] == "unit.late")
        self.assertEqual(late["command"], [str(build.program("grade-01")), "--module", "x", "--source", "x", "--item", "four sectors"])
        self.assertIn("bin/grade-01", selftest.needed_for([late], build))

    def test_a_clone_elsewhere_finds_what_passed_here(self):
        self.assertEqual(self.last_line(), (0, "3 passed, 0 failed"))
        shutil.rmtree(self.root / "build/sim")
        self.root = self.root.rename(self.folder / "elsewhere")
        self.assertEqual(self.last_line(), (0, "3 passed, 0 failed (3 of them kept)"))

    def test_a_failure_is_never_kept(self):
        self.solution.write_text("// nothing\n")
        for kept in ("", " (1 of them kept)"):
            self.assertEqual(self.last_line(), (1, f"1 passed, 2 failed{kept}"))

    def test_a_poisoned_verdict_is_made_anew(self):
        self.assertEqual(self.last_line()[0], 0)
        for path in (self.folder / "cache/verdicts").rglob("*.json"):
            path.write_text(path.read_text().replace("passed", "passed "))
        self.solution.write_text("// nothing\n")
        self.assertEqual(self.last_line(), (1, "1 passed, 2 failed"))

    def test_times_are_those_of_every_command_and_test(self):
        status, out, err = self.warpbook("test", "--times")
        self.assertEqual(status, 0, out + err)
        self.assertTrue(lines_matching(r"tests 01\.solution\* +2 ", out), out)
        self.assertTrue(lines_matching(r"unit\.nothing +1 ", out), out)
        self.assertFalse((self.root / "build/sim/junit.xml").exists())

    def test_no_test_at_all_is_red(self):
        text = (self.root / "CMakeLists.txt").read_text()
        (self.root / "CMakeLists.txt").write_text(text[:text.index("set(source")] + "add_custom_target(lists)\nadd_custom_target(wheel)\n")
        status, out, err = self.warpbook("test")
        self.assertEqual(status, 1)
        self.assertIn("No test ran", err)


@needs_machine
class Demo(SmallWorkbook):
    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments], cwd=self.root,
                       check=True, capture_output=True)

    def test_unsolved_starters_and_passing_solutions_are_green(self):
        status, out, err = self.warpbook("demo")
        self.assertEqual(status, 0, out + err)
        self.assertTrue(lines_matching(r"01-coalescing +0/4 +4/4 +unsolved\. TODO\(1\)", out), out)
        self.assertIn("All is well. Start with labs/01-coalescing/README.md", out)

    def test_without_solutions_it_says_so_and_is_green(self):
        shutil.rmtree(self.root / "solutions")
        status, out, err = self.warpbook("demo")
        self.assertEqual(status, 0, out + err)
        self.assertIn("solutions/ is not here", out)

    def test_a_failing_solution_is_red(self):
        self.solution.write_text("// nothing\n")
        status, out, _ = self.warpbook("demo")
        self.assertEqual(status, 1)
        self.assertTrue(lines_matching(r"01-coalescing +0/4 +0/4", out), out)
        self.assertIn("The solution fails 'adds one'", out)

    @unittest.skipUnless(shutil.which("git"), "no git")
    def test_a_delivered_starter_with_points_is_red_and_a_students_own_is_not(self):
        self.starter.write_text("// solved\n")
        self.assertEqual(self.warpbook("demo")[0], 0)
        self.git("init", "-q")
        self.git("add", "labs")
        self.git("commit", "-q", "-m", "delivered")
        self.assertEqual(self.warpbook("demo")[0], 1)
        self.starter.write_text("// solved by me\n")
        self.assertEqual(self.warpbook("demo")[0], 0)

    def test_counters_and_plots_are_shown(self):
        self.add_bench()
        status, out, err = self.warpbook("demo")
        self.assertEqual(status, 0, out + err)
        self.assertTrue(lines_matching("01-coalescing, offset_add_f32 +sectors per request load", out), out)
        self.assertTrue(lines_matching("v1  wide +4 *$", out), out)
        self.assertIn("Pictures in build/plots", out)
        self.assertTrue(lines_matching("^  01-coalescing-sim-offset.svg", out), out)
        self.assertTrue((self.root / "build/plots/01-coalescing-sim-offset.svg").exists())
        self.assertNotIn("readable solution", out)

    def test_all_shows_the_whole_sweep(self):
        self.add_bench()
        (self.root / "labs/01-coalescing/plot.py").unlink()  # the pictures are another test's
        status, out, err = self.warpbook("demo", "--all")
        self.assertEqual(status, 0, out + err)
        self.assertTrue(lines_matching("^ offset_add_f32", out) and lines_matching("readable solution +4 … 5", out), out)

    def test_a_failing_bench_is_red(self):
        self.add_bench("#!/bin/sh\necho out of memory\nexit 3\n")
        status, out, _ = self.warpbook("demo")
        self.assertEqual(status, 1)
        self.assertIn("out of memory", out)


@needs_machine
class BenchAndPlot(SmallWorkbook):
    def test_bench_writes_the_file_and_plot_draws_the_newest(self):
        self.add_bench()
        status, out, err = self.warpbook("bench", "1", "--size", "128")
        self.assertEqual(status, 0, out + err)
        self.assertIn(",128,", (self.root / "build/bench/01-coalescing-sim.csv").read_text())
        status, out, err = self.warpbook("plot", "1")
        self.assertEqual(status, 0, err)
        self.assertEqual(out.split(), ["build/plots/01-coalescing-sim-offset.svg"])

    def test_a_file_of_the_users_is_measured_beside_the_sweep(self):
        self.add_bench(BENCH.replace("#!/bin/sh\n", "#!/bin/sh\necho \"words: $*\"\n", 1))
        self.write("book/mine/my book.txt", "to be or not to be")
        status, out, err = self.warpbook("bench", "1", "--input", "my book.txt", cwd=self.root / "mine")
        self.assertEqual(status, 0, out + err)
        self.assertIn(f"--input {self.root / 'mine/my book.txt'}", out)
        self.assertNotIn("Draw them", out)
        self.assertTrue((self.root / "build/bench/01-coalescing-sim-input.csv").exists())
        self.assertFalse((self.root / "build/bench/01-coalescing-sim.csv").exists())

    def test_the_students_own_file_is_measured_where_it_is_asked_for_or_there_is_no_solution(self):
        self.add_bench(BENCH.replace("#!/bin/sh\n", "#!/bin/sh\necho \"words: $*\"\n", 1).replace("solution,", "yours,"))
        self.starter.write_text("// solved\n")
        status, out, err = self.warpbook("bench", "1", "--own")
        self.assertEqual(status, 0, out + err)
        self.assertIn("--own starter --own-file labs/01-coalescing/coalescing.cu", out)
        self.assertIn("your file", out)
        self.assertIn("yours,", (self.root / "build/bench/01-coalescing-own-sim.csv").read_text())
        self.assertFalse((self.root / "build/bench/01-coalescing-sim.csv").exists())
        self.assertEqual(self.warpbook("plot", "1")[1].split()[0], "build/plots/01-coalescing-own-sim-offset.svg")
        shutil.rmtree(self.root / "solutions")
        status, out, err = self.warpbook("bench", "1")
        self.assertEqual(status, 0, out + err)
        self.assertIn("--own starter", out)

    def test_where_nothing_is_right_yet_there_is_nothing_to_measure(self):
        self.add_bench(BENCH[:BENCH.index("\nsolution,")] + '" > "$4"\n')
        status, out, err = self.warpbook("bench", "1", "--own")
        self.assertEqual(status, 1, out + err)
        self.assertIn("No function of labs/01-coalescing/coalescing.cu is right yet: there is nothing to measure.", err)

    def test_a_file_that_does_not_compile_is_not_measured(self):
        self.add_bench()
        self.starter.write_text("// broken\n")
        status, out, err = self.warpbook("bench", "1", "--own")
        self.assertEqual(status, 1, out + err)
        self.assertIn("coalescing.cu does not compile. The compiler's first error:", err)

    def test_the_demo_measures_the_longest_line_of_steps_alone(self):
        self.add_bench()
        for name in ("v0_plain", "copy_v0_floats", "copy_v1_vectors", "copy_v10_last", "tuned_v0_any"):
            self.write(f"book/solutions/01-coalescing/steps/{name}.cu")
        workbook = Workbook(self.root)
        lab = workbook.labs()[0]
        names = bench.longest_line(workbook, lab)
        self.assertEqual(sorted(names), ["solution", "step-copy_v0_floats", "step-copy_v10_last", "step-copy_v1_vectors"])
        build = Build(workbook, "sim", {"compiler": "", "python": sys.executable})
        for name in (*names, "step-v0_plain"):
            self.write(f"book/build/sim/submissions/01/sim/{name}.so", name)
        program = "#!/bin/sh\nwhile [ $# -gt 0 ]; do\n  case $1 in --out) out=$2 ;; --modules) modules=$2 ;; esac\n  shift\ndone\n" \
                  "cat \"$modules\"/*.so > \"$out\"\n"
        self.write("book/build/sim/bin/bench-01", program).chmod(0o755)
        measured = self.root / "build/bench/measured.csv"
        for built in (names, ["solution"]):  # nothing of an earlier one is left
            bench.measure(build, lab, "sim", measured, [], built=built)
            self.assertEqual(measured.read_text(), "".join(sorted(built, key=lambda name: f"{name}.so")))

    def test_a_file_that_is_not_there_is_a_sentence_and_status_2(self):
        self.add_bench()
        for name in ("missing.txt", "labs"):
            status, out, err = self.warpbook("bench", "1", "--input", name)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(f"There is no file {name}.", err)

    def test_a_broken_file_is_a_sentence_and_status_2(self):
        broken = self.write("broken.csv", "submission,function,metric,value,unit\na,b,c,fast,u\n")
        status, out, err = self.warpbook("plot", "1", str(broken))
        self.assertEqual((status, out), (2, ""))
        self.assertIn("line 2: the value is 'fast', not a number", err)

    def test_columns_that_only_the_script_needs_are_its_sentence(self):
        broken = self.write("broken.csv", "submission,function,metric,value,unit\na,b,c,1,u\n")
        status, _, err = self.warpbook("plot", "1", str(broken))
        self.assertEqual(status, 2)
        self.assertIn("has no column 'offset'", err)

    def test_without_measurements_plot_says_how_to_get_some(self):
        status, _, err = self.warpbook("plot", "1")
        self.assertEqual(status, 2)
        self.assertIn("./warpbook bench 01", err)

    def test_a_lab_without_a_bench_says_so(self):
        status, _, err = self.warpbook("bench", "1")
        self.assertEqual(status, 2)
        self.assertIn("has no bench yet", err)


@needs_machine
class Survey(SmallWorkbook):
    def test_the_first_command_looks_at_the_machine_and_the_next_ones_remember(self):
        left = self.stamp.read_text()
        self.stamp.unlink()
        self.assertEqual(self.warpbook_itself("check", "1")[0], 1)
        self.assertEqual(self.stamp.read_text(), left)
        modified = self.stamp.stat().st_mtime_ns
        self.assertEqual(self.warpbook_itself("check", "1")[0], 1)
        self.assertEqual(self.stamp.stat().st_mtime_ns, modified)


class PartialPython(SmallWorkbook):
    def test_a_python_without_its_library_gets_the_line_that_completes_it(self):
        program = ("import runpy, sys\nsys.modules['difflib'] = None\nsys.argv = ['warpbook', 'list']\n"
                   f"runpy.run_path({str(self.root / 'warpbook')!r}, run_name='__main__')")
        done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=False,
                              env={"PATH": "/usr/bin:/bin", "WARPBOOK_WHOLE_PYTHON": "1"})
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("no module 'difflib'", done.stderr)
        self.assertIn("apt-get install -y --no-install-recommends python3", done.stderr)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
