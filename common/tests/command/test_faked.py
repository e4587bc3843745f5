"""docs/what-can-be-faked.md: each row of its tables is tried by tests, which this lists, and none of them is left out."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
TESTS = ROOT / "common" / "tests"
sys.path.insert(0, str(TESTS / "attacks"))

import compile_test  # noqa: E402

PAGE = ROOT / "docs" / "what-can-be-faked.md"

#: How an attempt begins -> what tries it: files of attacks or of faults, and tests as FILE: NAME, below common/tests.
ROWS = {
    # To get points
    'print "PASS"': ["attacks/run/prints_results.cu", "faults/prints_the_success_line.cu"],
    "write a result file": ["attacks/run/writes_result_files.cu"],
    "`exit(0)`": ["attacks/run/ends_the_program_with_success.cu", "faults/exits_with_success.cu", "faults/exits_in_static_constructor.cu"],
    "use another student's built module": ["attacks/run/loads_a_neighbours_module.cu", "attacks/run/reads_private_files.cu"],
    "send a reply of its own": ["attacks/run/answers_with_an_invented_reply.cu", "grader/misbehaviour_test.cpp: a forged reply is noticed"],
    "hard-code the expected result": [
        "attacks/run_test.py: test_a_table_of_the_inputs_at_home_earns_nothing_with_a_classs_seed",
        "command/test_grade.py: test_a_class_has_a_seed_of_its_own_which_a_rerun_keeps"],
    "read the seed": ["attacks/run/reads_the_seed.cu", "attacks/run/reads_memory_of_the_grader.cu"],
    "work the seed out": ["command/test_engine.py: test_each_file_has_inputs_of_its_own_and_with_seed_1_those_of_practice"],
    "give back what an earlier call": ["attacks/run/replays_an_earlier_result.cu", "attacks/run/host_caches_results.cu"],
    "leave the output as it is": [
        "grader/misbehaviour_test.cpp: outputs are poisoned before every repetition, so that one which writes nothing shows",
        "grader/misbehaviour_test.cpp: an output that was never written is untouched, and its values are poison"],
    "write everywhere": [
        "attacks/run/changes_its_neighbourhood.cu",
        "grader/misbehaviour_test.cpp: guard zones of generated buffers are checked too, whether their contents come back or not"],
    "change an input": ["grader/misbehaviour_test.cpp: a changed input names the element, its old and its new value"],
    "compute on the host": [
        "faults/computed_on_the_cpu.cu", "attacks/run/host_computes_between_copies.cu", "attacks/run/host_reads_device_pointers.cu",
        "attacks/run/host_reads_device_variables.cu", "attacks/run/host_uses_managed_memory.cu", "attacks/run/host_copies_in_small_pieces.cu"],
    "do nothing in a technique item": [
        "attacks/run_test.py: test_the_hand_ins_without_attacks_are_worth_what_they_say", "grader/command_test.cpp: a ratio of nothing fails the item"],
    "use memory so that no counter sees it": [
        "attacks/run/unseen_by_functions_of_the_c_library.cu", "attacks/run/unseen_by_functions_of_the_host.cu",
        "attacks/run/unseen_by_structures_by_value.cu", "attacks/run/unseen_by_instructions_of_the_processor.cu",
        "attacks/run/unseen_by_the_host_while_a_kernel_runs.cu", "attacks/run/unseen_in_late_rounds.cu", "attacks/run/unseen_in_other_labs.cu",
        "attacks/run/unseen_behind_a_canary.cu", "attacks/run/unseen_through_memory.cu", "attacks/run/unseen_behind_shared_variables.cu"],
    "read beyond an array": ["attacks/run/reads_beyond_the_end_by_value.cu"],
    "move data, by such accesses, through memory of the host": [
        "attacks/run/unseen_by_way_of_memory_of_the_host.cu", "attacks/run/unseen_by_way_of_registered_memory.cu",
        "attacks/run/unseen_by_way_of_stacks_of_other_lanes.cu",
        "simtcc/driver_test.cpp: memory of the C library past malloc is refused"],
    "have copies within the device": ["attacks/run/copies_within_the_device.cu"],
    "launch a second kernel": ["attacks/run/counted_beside_the_work.cu", "attacks/run/counted_beside_what_the_host_takes.cu",
                                       "attacks/run/counted_beside_empty_launches.cu"],
    "define the functions that count": [
        "attacks/compile_test.py: defines weak hooks", "attacks/compile_test.py: defines a hook of its own alone",
        "attacks/compile_test.py: defines a hook as another name", "attacks/compile_test.py: defines a hook by inline assembly",
        "attacks/compile_test.py: defines hooks by a macro, hidden"],
    "define functions that the runner imports": ["attacks/run/defines_the_runners_functions.cu"],
    "replace entries": [
        "attacks/run/hooks_imported_functions.cu", "attacks/run/changes_the_runners_code.cu",
        "confine/confine_test.cpp: the code that is loaded stays as it is, and memory beside it can be changed"],
    # To do harm
    "replace the grader": [
        "attacks/run/replaces_the_grader.cu", "attacks/run/replaces_a_neighbours_file.cu", "attacks/run/locks_shared_files.cu"],
    "write into the grader's memory": [
        "attacks/run/writes_memory_of_the_grader.cu", "attacks/run/reads_memory_of_the_grader.cu", "attacks/run/takes_files_of_the_grader.cu"],
    "kill or stop the grader": ["attacks/run/kills_its_parents.cu", "attacks/run/has_the_kernel_send_signals.cu"],
    "change the grader's limits": ["attacks/run/changes_the_graders_limits.cu"],
    "shrink the memory": ["attacks/run/changes_the_size_of_the_calls_memory.cu"],
    "flood the channel": [
        "grader/misbehaviour_test.cpp: garbage on the channel is noticed", "attacks/run/sends_files_to_the_grader.cu",
        "attacks/run/sends_notes_without_end.cu", "attacks/run/names_a_device_as_its_module.cu", "attacks/run/answers_with_a_huge_reply.cu"],
    "read private files": ["attacks/run/reads_private_files.cu", "attacks/run/quotes_private_files.cu", "attacks/run/quotes_a_device.cu"],
    "use the network": ["attacks/run/uses_the_network.cu"],
    "start a process": [
        "attacks/run/starts_processes.cu", "attacks/run/starts_processes_by_clone.cu", "attacks/run/starts_processes_by_clone3.cu",
        "attacks/run/starts_processes_by_vfork.cu", "attacks/run/runs_a_program_from_memory.cu", "attacks/run/catches_the_filters_signal.cu"],
    "launch or copy behind the call": [
        "attacks/run/host_launches_behind_the_call.cu", "attacks/run/host_launches_in_a_thread.cu", "attacks/run/host_copies_in_a_thread.cu"],
    "outlive the call": ["attacks/run/hides_from_its_end.cu", "attacks/run/waits_at_its_end.cu", "attacks/run/leaves_threads.cu",
                         "grader/misbehaviour_test.cpp: a daemon in a session of its own is found at the end and killed"],
    "take all memory": ["attacks/run/takes_memory_that_is_not_counted.cu", "attacks/run/raises_its_limits.cu",
                        "grader/misbehaviour_test.cpp: memory without end is refused before it hurts the machine"],
    "fill the disk": [
        "attacks/run/writes_many_big_files.cu", "grader/misbehaviour_test.cpp: a file without end is cut off, and its disk stays free"],
    "never return": ["faults/host_never_ends.cu", "attacks/run/stops_itself.cu", "attacks/run/handles_signals_and_timers.cu"],
    "keep the machine busy": [
        "grader/misbehaviour_test.cpp: a busy machine changes no verdict", "attacks/run/starts_threads_without_end.cu"],
    "print without end": [
        "attacks/run/prints_without_end.cu", "grader/misbehaviour_test.cpp: endless output is no way around the time limit",
        "grader/misbehaviour_test.cpp: more output than the grader reads is drained and cut off"],
    "crash, exhaust": ["faults/crashes.cu", "attacks/run/exhausts_its_stack.cu", "attacks/run/jumps_out_of_the_call.cu",
                       "attacks/run/throws_through_c.cu", "grader/misbehaviour_test.cpp: after a crash the next call gets a fresh process"],
    "put escape codes": ["attacks/run/prints_escape_codes.cu", "attacks/run/throws_escape_codes.cu",
                         "command/test_harmless.py: test_no_control_character_and_no_turning_of_direction_reaches_a_terminal"],
    "leave the confinement": ["attacks/run/enters_other_namespaces.cu", "attacks/run/asks_the_kernels_insides.cu"],
    # While it is compiled
    "include a solution": [
        "attacks/compile_test.py: includes the solution", "attacks/compile_test.py: includes the rubric",
        "attacks/compile_test.py: includes an accepted file of the tests", "attacks/compile_test.py: includes a file by a macro",
        "attacks/compile_test.py: includes another student's file", "attacks/compile_test.py: includes another student's file through a link",
        "attacks/compile_test.py: includes a file behind a path with dots",
        "attacks/compile_test.py: test_a_link_in_a_folder_that_a_student_can_write_leads_nowhere"],
    "include `/dev/zero`": [
        "attacks/compile_test.py: includes /dev/zero", "attacks/compile_test.py: includes a pipe", "attacks/compile_test.py: includes a terminal",
        "attacks/compile_test.py: includes its environment", "attacks/compile_test.py: includes private text"],
    "ask with `__has_include`": [
        "attacks/compile_test.py: asks whether a private file is there", "attacks/compile_test.py: asks how old a private file is"],
    "read a file with `.incbin`": [
        "attacks/compile_test.py: assembles a private file", "attacks/compile_test.py: assembles the text of a file"],
    "hand in a symbolic link": [
        "attacks/compile_test.py: test_links_pipes_devices_and_huge_files_are_no_hand_ins_and_are_not_opened",
        "command/test_intake.py: test_links_pipes_sockets_and_large_files_are_hand_ins_with_a_fault"],
    "say that lines are another file's": [
        "attacks/compile_test.py: says that its lines are a private file's", "attacks/compile_test.py: says so as preprocessors do",
        "attacks/compile_test.py: says so with a macro", "attacks/compile_test.py: says so by other characters",
        "attacks/compile_test.py: says so over several lines", "attacks/compile_test.py: says so behind comments"],
    "have the compiler load its state": [
        "attacks/compile_test.py: has the compiler load its state", "attacks/compile_test.py: does so by an operator",
        "attacks/compile_test.py: test_no_precompiled_header_is_made_from_a_students_text"],
    "hide accesses on the simulator": [
        "attacks/compile_test.py: hides a function's accesses", "attacks/compile_test.py: has a function's accesses joined",
        "attacks/compile_test.py: hides them by digraphs", "attacks/compile_test.py: hides them by continued lines",
        "attacks/compile_test.py: hides them by numbers of characters", "simtcc/kernels_test.cpp: pragmas that unroll or optimise are dropped, so that a line stays one instruction"],
    "read through textures": [
        "attacks/compile_test.py: reads through a texture, which is no global load",
        "attacks/compile_test.py: reads through a texture of the driver",
        "attacks/compile_test.py: reads through a texture that nothing seems to make", "attacks/compile_test.py: reads through a surface",
        "programs/texture_linear.cu"],
    "have a `thread_local` variable": [
        "attacks/compile_test.py: has a variable for each thread of the host, which is not closed to kernels",
        "attacks/compile_test.py: has one by a macro, in the compiler's own words"],
    "define a function by assembly": [
        "attacks/compile_test.py: defines a function by assembly alone", "attacks/compile_test.py: calls a function by another's name"],
    "files that include themselves": [
        "attacks/compile_test.py: includes itself", "attacks/compile_test.py: includes itself again and again",
        "attacks/compile_test.py: unfolds macros", "attacks/compile_test.py: unfolds templates",
        "attacks/compile_test.py: computes while it is compiled"],
    "have the compiler wait": [
        "attacks/compile_test.py: asks how old a pipe is", "attacks/compile_test.py: test_without_landlock_the_rule_for_headers_and_the_limits_hold"],
    "a gigabyte of initial values": [
        "attacks/compile_test.py: is an array of a gigabyte", "attacks/compile_test.py: fills 800 megabytes",
        "attacks/compile_test.py: reserves a terabyte", "attacks/compile_test.py: repeats an instruction"],
    "brackets nested": ["attacks/compile_test.py: nests braces"],
    "escape codes in messages": [
        "attacks/compile_test.py: test_escape_codes_do_not_get_through", "attacks/compile_test.py: test_messages_without_end_are_cut"],
    "say what a full disk": [
        "attacks/compile_test.py: test_words_of_the_file_are_no_verdict_and_no_fault_of_the_machine",
        "attacks/compile_test.py: test_a_disk_without_room_is_known_by_writing_and_a_file_that_fills_it_is_at_fault",
        "attacks/compile_test.py: test_a_compiler_that_is_killed_or_that_builds_no_file_is_not_the_files_fault"],
    "make the compiler run code": ["attacks/compile_test.py: test_a_compiler_that_is_taken_over_reaches_nothing"],
    # While a class is taken in
    "name other people": [
        "command/test_intake.py: test_by_names_inside_of_an_archive_or_folder_of_ones_own",
        "command/test_intake.py: test_by_names_inside_of_ones_own_submission_to_a_system",
        "command/test_intake.py: test_by_folders_inside_of_ones_own_clone",
        "command/test_intake.py: test_by_metadata_inside_of_ones_own_submission_to_gradescope"],
    "invent people": [
        "command/test_intake.py: test_nobody_is_invented_inside_of_what_one_person_handed_in",
        "command/test_intake.py: test_nobody_is_invented_by_an_archive_that_is_alone",
        "command/test_intake.py: test_thousands_of_invented_people_cost_little"],
    "names, or thousands": [
        "command/test_intake.py: test_reading_a_name_takes_time_in_proportion_to_its_length",
        "command/test_intake.py: test_an_archive_of_20000_names_of_blanks_costs_little"],
    "code made to be slow": [
        "command/test_remarks.py: test_reading_takes_time_in_proportion_to_the_text",
        "command/test_remarks.py: test_a_file_that_takes_too_much_time_or_memory_is_given_up_and_the_others_are_looked_at"],
}


def rows() -> list[tuple[str, str]]:
    """(attempt, what happens) of each row of the page's tables of attempts."""
    tables = re.findall(r"^\| attempt \| what happens \|\n\| --- \| --- \|\n((?:\|.*\n)+)", PAGE.read_text(encoding="utf-8"), re.M)
    return [tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:3]) for table in tables for line in table.splitlines()]


def definition(reference: str) -> str:
    """A test's text, with what is written in front of its name; nothing if there is no such test. Of what a compiler is given: how
    it has to answer."""
    file, _, name = reference.partition(": ")
    path = TESTS / file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if not name:
        return text
    if name in compile_test.ATTACKS and path.stem == "compile_test":
        return compile_test.ATTACKS[name][1]
    begin = rf"(?: *@.*\n)* *def {name}\(" if path.suffix == ".py" else rf'TEST_CASE\(\s*"{re.escape(name)}"'
    found = re.search(rf"^{begin}.*\n(?:(?! *def |class |TEST_CASE).*\n)*", text, re.M)
    return found[0] if found else ""


class WhatCanBeFaked(unittest.TestCase):
    def test_every_row_has_a_test_and_every_test_a_row(self):
        attempts = [attempt for attempt, _ in rows()]
        self.assertGreater(len(attempts), 50)
        self.assertEqual({attempt: [begin for begin in ROWS if attempt.startswith(begin)] for attempt in attempts
                          if sum(attempt.startswith(begin) for begin in ROWS) != 1}, {}, "rows without their tests")
        self.assertEqual([begin for begin in ROWS if not any(attempt.startswith(begin) for attempt in attempts)], [], "of no row")

    def test_the_tests_exist_and_none_is_left_out(self):
        for reference in (each for tests in ROWS.values() for each in tests):
            with self.subTest(reference):
                text = definition(reference)
                self.assertNotEqual(text, "", "there is no such test")
                self.assertNotRegex(text, r"@unittest\.skip\b|expectedFailure|doctest::skip\((true)?\)|raise unittest\.SkipTest")

    def test_all_files_of_tests_are_run(self):
        for file in sorted({each.partition(": ")[0] for tests in ROWS.values() for each in tests}):
            folder, name = TESTS / file.partition("/")[0], file.rpartition("/")[2]
            known = "".join(path.read_text(encoding="utf-8") for path in (folder / "CMakeLists.txt", TESTS / "simtcc" / "CMakeLists.txt"))
            globs = {"attacks/run": "run_test.py", "command": "test_*.py", "faults": "*.cu", "programs": "*.cu", "simtcc": "${name}_test.cpp"}
            self.assertTrue(globs.get(file.rpartition("/")[0], name) in known, file)

    def test_a_diagnosis_that_a_row_names_is_one_that_its_tests_ask_for(self):
        for attempt, answer in rows():
            texts = "".join(definition(each) for begin, tests in ROWS.items() if attempt.startswith(begin) for each in tests)
            for diagnosis in re.findall(r"`([a-z]+(?:-[a-z]+)*)`", answer):
                with self.subTest(attempt, diagnosis=diagnosis):
                    self.assertTrue(re.search(rf"\b{diagnosis}\b", texts), "none of its tests has that")


if __name__ == "__main__":
    unittest.main()
