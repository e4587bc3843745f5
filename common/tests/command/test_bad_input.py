"""What goes wrong around a student's file: names, permissions, full disks, interrupts, two checks at once."""
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

from fakes import AS_NOBODY, ROOT, Scratch, require_readers
from small_workbook import SmallWorkbook, needs_machine

from command import progress, student_file


@needs_machine
class FileNames(SmallWorkbook):
    def test_spaces_quotes_brackets_and_umlauts_are_names_like_others(self):
        for name in ("my file.cu", "it's.cu", "grün.cu", "a(b)[c].cu", "$HOME.cu", "a&b#c%d.cu", "-x.cu", "a;b.cu", 'a"b.cu', "a\\b.cu", "a[b.cu",
                     "a\nb.cu"):
            mine = self.write(f"mine/{name}", "// solved\n")
            status, out, err = self.warpbook("check", "1", f"./{name}", cwd=mine.parent)
            self.assertEqual(status, 0, name + out + err)
            self.assertEqual(mine.read_text(), "// solved\n")

    def test_a_name_that_is_not_utf8_is_one_too(self):
        path = os.fsencode(self.folder) + b"/gr\xfcn.cu"
        with open(path, "w", encoding="ascii") as file:
            file.write("// solved\n")
        done = subprocess.run([sys.executable, str(self.root / "warpbook"), "check", "1", path], capture_output=True,
                              check=False, env={**os.environ, "WARPBOOK_BACKEND": "sim", "PYTHONDONTWRITEBYTECODE": ""})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"Traceback", done.stderr)

    def test_a_name_that_looks_like_an_option_is_told_how_to_write_it(self):
        self.write("-x.cu", "// solved\n")
        status, _, err = self.warpbook("check", "1", "-x.cu", cwd=self.folder)
        self.assertEqual(status, 2)
        self.assertIn("is written ./-x.cu", err)

    def test_a_folder_is_no_file(self):
        (self.folder / "dir.cu").mkdir()
        status, _, err = self.warpbook("check", "1", str(self.folder / "dir.cu"))
        self.assertEqual(status, 2)
        self.assertIn("check grades one .cu file", err)

    def test_too_many_arguments_are_a_sentence(self):
        status, _, err = self.warpbook("check", "1", str(self.starter), "more.cu")
        self.assertEqual(status, 2)
        self.assertIn("unrecognized arguments: more.cu", err)
        self.assertIn("Usage: ./warpbook check", err)


class Permissions(Scratch):
    """A copy of the command in a folder that belongs to another user."""

    def setUp(self):
        require_readers()
        super().setUp()
        self.write_lab("01-coalescing")
        self.write("labs/01-coalescing/coalescing.cu", "// mine\n")
        self.folder.chmod(0o755)

    def run_elsewhere(self, *arguments: str):
        program = ("import sys; sys.path.insert(0, sys.argv[1]); from command import cli\n"
                   "sys.exit(cli.main(sys.argv[3:], sys.argv[2]))")
        done = subprocess.run([*AS_NOBODY, sys.executable, "-B", "-c", program, str(ROOT / "common"), str(self.folder),
                               *arguments], capture_output=True, text=True, check=False, cwd="/",
                              env={**os.environ, "WARPBOOK_BACKEND": "sim"})
        self.assertNotIn("Traceback", done.stderr)
        return done.returncode, done.stdout, done.stderr

    def test_a_checkout_that_cannot_be_written_to_is_a_sentence(self):
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        status, _, err = self.run_elsewhere("check", "1", "--json")
        if "needs a few things" in _ + err:
            self.skipTest("the set-up would have to install something here")
        self.assertEqual(status, 2)
        self.assertIn("Name a folder that you may write to", _ + err)

    def test_a_file_that_may_not_be_read_is_a_sentence(self):
        secret = self.write("secret.cu", "// solved\n")
        secret.chmod(0)
        status, out, err = self.run_elsewhere("check", "1", str(secret), "--json")
        self.assertEqual(status, 2)
        self.assertIn(f"{secret} cannot be read.", out + err)


@needs_machine
class FullDisk(SmallWorkbook):
    def test_a_log_that_cannot_be_written_says_that_the_disk_is_full(self):
        self.forget_the_build()
        (self.root / "build/sim/log").mkdir(parents=True)
        (self.root / "build/sim/log/configure.log").symlink_to("/dev/full")
        status, out, err = self.warpbook("check", "1")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("There is no room left to write", err)
        self.assertEqual(self.starter.read_text(), "// to do\n")

    def test_a_grader_that_finds_no_room_gives_no_zero_points(self):
        self.starter.write_text("// full disk\n")
        status, out, err = self.warpbook("check", "1")
        self.assertEqual(status, 2)
        self.assertNotIn("Points:", out)
        self.assertIn("There is no room left to write under build/sim.", err)

    def test_a_compiler_that_finds_no_room_is_told_from_an_error_in_the_workbook(self):
        (self.root / "CMakeLists.txt").write_text(
            (self.root / "CMakeLists.txt").read_text().replace(
                "program(simtcc compiler.sh)",
                'add_custom_target(simtcc COMMAND sh -c "echo as: No space left on device >&2; exit 1" VERBATIM)'))
        status, _, err = self.warpbook("check", "1")
        self.assertEqual(status, 2)
        self.assertIn("There is no room left to write under build/sim.", err)


@needs_machine
class Interrupts(SmallWorkbook):
    def processes(self) -> list[str]:
        """Command lines of the processes that speak of this test's folder."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                line = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
            except OSError:
                continue
            if os.fsencode(self.folder) in line:
                found.append(line.replace(b"\0", b" ").decode(errors="replace"))
        return found

    def start(self, *arguments: str) -> subprocess.Popen:
        process = subprocess.Popen([sys.executable, str(self.root / "warpbook"), *arguments], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                                   env={**os.environ, "WARPBOOK_BACKEND": "sim", "PYTHONDONTWRITEBYTECODE": ""})
        self.addCleanup(process.kill)
        return process

    def wait_for_grader(self) -> None:
        deadline = time.monotonic() + 60
        while not any(line.startswith("tail -f ") for line in self.processes()):
            self.assertLess(time.monotonic(), deadline, "the grader never started")
            time.sleep(0.05)

    def test_an_interrupt_is_a_sentence_its_own_status_and_no_process_left(self):
        for verb, number, status in (("check", signal.SIGINT, 130), ("check", signal.SIGTERM, 143),
                                     ("test", signal.SIGINT, 130)):
            self.starter.write_text("// sleeps\n")
            self.solution.write_text("// sleeps\n")
            process = self.start(verb, *(["1"] if verb == "check" else []))
            self.wait_for_grader()
            process.send_signal(number)
            _, err = process.communicate(timeout=30)
            self.assertEqual(process.returncode, status, err)
            self.assertIn("Interrupted. Your files are as they were", err)
            self.assertNotIn("Traceback", err)
            self.assertEqual(self.processes(), [])
            self.assertEqual(self.starter.read_text(), "// sleeps\n")
        self.starter.write_text("// solved\n")
        self.assertEqual(self.warpbook("check", "1")[0], 0)  # nothing is locked or half-written

    def test_what_is_started_while_a_session_is_being_killed_is_killed_too(self):
        # The leader ends at once, and leaves two that ignore Ctrl-C. One of them is not seen at the first look.
        leader = subprocess.Popen(["sh", "-c", "trap '' INT; sleep 60 & sleep 60 & trap - INT; echo; read line"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        with leader:
            leader.stdout.readline()
            left = [pid for pid in progress.session_members(leader.pid) if pid != leader.pid]
            self.assertEqual(len(left), 2)
            looks = iter([left[:1]])
            look = progress.session_members
            with mock.patch("command.progress.session_members", side_effect=lambda pid: next(looks, None) or look(pid)):
                progress.end_session(leader)
            self.assertEqual(look(leader.pid), [])

    def test_two_checks_at_once_both_come_to_their_own_verdict(self):
        good, bad = self.write("good.cu", "// solved\n"), self.write("bad.cu", "// nothing\n")
        both = [self.start("check", "1", str(file)) for file in (good, bad)]
        said = [process.communicate(timeout=60) for process in both]
        self.assertEqual([process.returncode for process in both], [0, 1], said)
        self.assertIn("Points: 4/4", said[0][0])
        self.assertIn("Points: 0/4", said[1][0])


class StudentsFile(Scratch):
    """What is wrong with a student's file before a compiler sees it, and what a compiler's output says of it."""

    def fault(self) -> student_file.BuildFailure:
        fault = student_file.fault_of(self.source, "coalescing.cu", "01-coalescing", True)
        self.assertIsNotNone(fault)
        return fault

    def setUp(self):
        super().setUp()
        self.source = self.folder / "coalescing.cu"

    def test_a_missing_file_says_how_to_get_it_back(self):
        self.assertEqual(self.fault().details[0], "Take the starter back: ./warpbook reset 01")
        self.assertEqual(self.fault().diagnosis, "missing-file")
        other = student_file.fault_of(self.source, "mine.cu", "01-coalescing", False)
        self.assertEqual((other.reason, other.details), ("mine.cu is missing.", ["Is the path right?"]))

    def test_a_folder_in_its_place_is_said(self):
        self.source.mkdir()
        self.assertIn("coalescing.cu is a folder", self.fault().reason)

    def test_an_empty_file_is_said(self):
        self.source.write_text(" \n\n")
        self.assertIn("coalescing.cu is empty", self.fault().reason)
        self.assertIn("labs/01-coalescing/lab.hpp", self.fault().details[0])

    def test_a_file_with_a_nul_byte_is_no_text_and_0x10_0x01_is_no_nul(self):
        self.source.write_bytes(b"void f() { \x00 }")
        self.assertIn("its byte 11 is 0", self.fault().reason)
        self.source.write_bytes(b"a\x10\x01b")
        self.assertIsNone(student_file.fault_of(self.source, "coalescing.cu", "01-coalescing", True))

    def test_a_file_in_utf_16_is_told_what_to_do(self):
        for encoding in ("utf-16", "utf-16-be"):
            self.source.write_bytes(("\ufeff" * (encoding != "utf-16") + "void f() {}").encode(encoding))
            self.assertEqual(self.fault().reason, "coalescing.cu is saved as UTF-16, which CUDA's compilers do not read. Save it as UTF-8.")

    def test_a_program_in_its_place_is_no_text(self):
        self.source.write_bytes(pathlib.Path("/bin/true").read_bytes())
        self.assertIn("is no text", self.fault().reason)

    def test_a_huge_file_is_not_read_at_all(self):
        self.source.write_bytes(b"x" * 1_000_001)
        with mock.patch.object(pathlib.Path, "read_bytes", side_effect=AssertionError("it was read")):
            self.assertIn("a lab's file has a few thousand", self.fault().reason)

    def test_a_pipe_in_its_place_is_not_waited_for(self):
        os.mkfifo(self.source)
        self.assertIn("is not an ordinary file", self.fault().reason)

    def test_a_file_that_may_not_be_read_says_so(self):
        self.source.write_text("int x;\n")
        self.source.chmod(0)
        self.folder.chmod(0o777)
        require_readers()
        ask = f"from command import student_file; print(student_file.fault_of(pathlib.Path({str(self.source)!r}), 'coalescing.cu', '01-coalescing', True).reason)"
        done = subprocess.run([*AS_NOBODY, sys.executable, "-B", "-c", f"import pathlib, sys; sys.path.insert(0, {str(ROOT / 'common')!r}); {ask}"],
                              capture_output=True, text=True, check=False)
        self.assertIn("coalescing.cu cannot be read", done.stdout, done.stderr)

    def test_the_first_error_is_told_and_no_echo(self):
        output = "/book/a.cu:3:1: error: expected ';'\n    3 | }\n      | ^\n/book/a.cu:9:1: error: an echo\n"
        failure = student_file.failure_from(3, output, "a.cu", pathlib.Path("/book"))
        self.assertEqual(failure.diagnosis, "compile-error")
        self.assertEqual(failure.reason, "a.cu does not compile. The compiler's first error: a.cu:3:1: error: expected ';'")
        self.assertEqual((failure.error, failure.details), ("a.cu:3:1: error: expected ';'", ["    3 | }", "      | ^"]))

    def test_what_a_compiler_quotes_is_read_in_a_moment_however_long_its_lines_are(self):
        first = "x.cu:1:2: error: conflicting declaration of C function 'int f()'\n 1 | "
        for output in ("a" * 60_000, first + "a\n" + "a" * 60_000, first + "a" * 60_000 + "\ny.hpp:1:1: note: previous declaration\n 1 | int f();",
                       first + "a\n" + ":1" * 30_000, "x: error: " * 6_000, "error " * 10_000, "x.cu:1" + " " * 60_000, ":1" * 30_000 + ": error: x"):
            began = time.process_time()
            student_file.failure_from(3, output, "a.cu", pathlib.Path("/book"))
            self.assertLess(time.process_time() - began, 1, output[:80])

    def test_a_bracket_without_a_partner_is_told_before_the_compilers_own_first_error(self):
        output = ("/book/a.cu:53:14: error: TODO(2) opens a { that nothing in it closes [unbalanced]\n/book/a.cu: In function 'f':\n"
                  "/book/a.cu:60:1: error: a template declaration cannot appear at block scope\n   60 | template <typename T>\n"
                  "/book/a.cu:70:1: error: an echo\n")
        failure = student_file.failure_from(3, output, "a.cu", pathlib.Path("/book"))
        self.assertEqual((failure.diagnosis, failure.reason), (
            "compile-error", "a.cu does not compile. a.cu:53:14: error: TODO(2) opens a { that nothing in it closes"))
        self.assertEqual(failure.error, "a.cu:53:14: error: TODO(2) opens a { that nothing in it closes")
        self.assertEqual(failure.details, [
            "The compiler's own first error:", "a.cu:60:1: error: a template declaration cannot appear at block scope", "   60 | template <typename T>"])

    def test_of_another_result_type_both_signatures_are_told(self):
        own, declared = "int sums(float* s, int n) {", "void sums(float* s, int n);"
        for error, note in (("ambiguating new declaration of 'int sums(float*, int)'", "old declaration 'void sums(float*, int)'"),
                            ("functions that differ only in their return type cannot be overloaded", "previous declaration is here")):
            output = (f"/book/a.cu:7:5: error: {error}\n    7 | {own}\n      |     ^\nIn file included from <command-line>:\n"
                      f"/book/labs/lab.hpp:3:6: note: {note}\n    3 | {declared}\n      |      ^\n/book/a.cu:9:1: error: an echo\n")
            failure = student_file.failure_from(3, output, "a.cu", pathlib.Path("/book"))
            self.assertEqual((failure.diagnosis, failure.reason), (
                "compile-error", "a.cu does not compile. sums has another result type than in lab.hpp."))
            self.assertEqual(failure.details[:4], [
                "labs/lab.hpp:3 declares void sums(float* s, int n)", "a.cu:7 defines int sums(float* s, int n)",
                "The compiler's own first error:", f"a.cu:7:5: error: {error}"])

    def test_warnings_are_the_files_own_each_once_in_the_words_of_each_compiler(self):
        told = [(4, "comparison of unsigned expression in ‘>= 0’ is always true"), (9, "pointless comparison of unsigned integer with zero")]
        output = ("/book/a.cu: In function ‘void k()’:\n/book/a.cu:4:9: warning: comparison of unsigned expression in ‘>= 0’ is always true [-Wtype-limits]\n"
                  "    4 |   if (i >= 0)\n      |       ~~^~~~\n/book/b/a.cu:5:1: warning: of another file [-Wother]\n/book/a.cu:6:1: error: none\n")
        nvcc = ("/book/a.cu(9): warning #186-D: pointless comparison of unsigned integer with zero\n      if (i >= 0)\n            ^\n\n"
                "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n")
        found = student_file.warnings_in(output + nvcc + nvcc, "/book/a.cu")
        self.assertEqual([(each.line, each.text) for each in found], told)
        self.assertEqual([each.column for each in found], [9, 1])
        clang = "/book/a.cu:4:41: warning: format specifies type 'int' but the argument has type 'long long' [-Wformat]\x1b[0m\n"
        self.assertNotIn("\x1b", student_file.warnings_in(clang, "/book/a.cu")[0].text)
        self.assertEqual(student_file.warnings_in("", "/book/a.cu"), [])

    def test_of_a_name_without_its_header_the_line_that_is_missing_is_told(self):
        gcc = "/book/a.cu:3:9: note: ‘{0}’ is defined in header ‘{1}’; did you forget to ‘#include {1}’?\n"
        clang = "/book/a.cu:3:3: note: include the header {1} or explicitly provide a declaration for '{0}'\n"
        for name, header, error, note in (
                ("printf", "<cstdio>", "there are no arguments to ‘printf’ that depend on a template parameter",
                 "/book/a.cu:3:9: error: ‘printf’ was not declared in this scope\n    3 |   printf(1);\n" + gcc),
                ("std::vector", "<vector>", "‘vector’ is not a member of ‘std’", gcc), ("std::vector", "<vector>", "'vector' is not a member of 'std'", gcc.replace("‘", "'").replace("’", "'")),
                ("printf", "<stdio.h>", "call to undeclared library function 'printf' with type 'int'", clang)):
            output = f"/book/a.cu:3:3: error: {error}\n    3 |   it\n      |   ^\n" + note.format(name, header)
            failure = student_file.failure_from(3, output, "a.cu", pathlib.Path("/book"))
            self.assertEqual((failure.diagnosis, failure.reason), (
                "compile-error", f"a.cu does not compile. {name} needs a line at the beginning of the file: #include {header}"))
            self.assertEqual(failure.details, ["The compiler's own first error:", f"a.cu:3:3: error: {error}", "    3 |   it", "      |   ^"])

    def test_a_header_that_a_later_error_is_about_is_not_told(self):
        failure = student_file.failure_from(3, "a.cu:3:1: error: expected ';'\na.cu:9:3: error: ‘printf’ was not declared in this scope\n"
                                            "a.cu:9:3: note: ‘printf’ is defined in header ‘<cstdio>’; did you forget to ‘#include <cstdio>’?\n", "a.cu", self.folder)
        self.assertEqual((failure.error, failure.details), ("a.cu:3:1: error: expected ';'", []))

    def test_by_simtccs_status_alone_it_is_not_the_files_fault(self):
        """What a compiler prints may be the file's own words."""
        forged = ("a.cu:7:2: error: #error No space left on device\n"
                  "a.cu:8:1: error: static assertion failed: x\ncollect2: fatal error: ld terminated with signal 9 [Killed]\n"
                  "ld: final link failed: No space left on device\ncannot open output file: Permission denied\n"
                  "a.cu: error: you have passed [foreign-file]\na.cu: error: too long [compile-too-long]\n")
        failure = student_file.failure_from(3, forged, "a.cu", self.folder)
        self.assertEqual((failure.diagnosis, failure.error), ("compile-error", "a.cu:7:2: error: #error No space left on device"))
        for status in (1, 2, 127, -9):  # also of what runs simtcc, such as a sandbox
            failure = student_file.failure_from(status, forged, "a.cu", self.folder)
            self.assertEqual((failure.diagnosis, failure.reason, failure.details),
                             ("build-failed", "a.cu could not be built.", forged.splitlines()))
        failure = student_file.failure_from(3, "virtual memory exhausted\n", "a.cu", self.folder)
        self.assertEqual((failure.diagnosis, failure.reason, failure.details), ("compile-error", "a.cu does not compile.", ["virtual memory exhausted"]))

    def test_a_verdict_is_simtccs_alone_whatever_the_file_is_called(self):
        name = "x: error: you have passed [compile-too-long]\n.cu"
        said = '{}:2:10: error: "other.cu" is none of the headers [foreign-file]\n    2 | #include "other.cu"\n      |          ^\n'
        for shown in ("a.cu", name):
            failure = student_file.failure_from(4, said.format(shown), shown, self.folder)
            self.assertEqual((failure.diagnosis, failure.reason), ("foreign-file", f'{shown} cannot be built: "other.cu" is none of the headers.'))
            self.assertEqual(failure.details, [f"{shown}:2:10", '    2 | #include "other.cu"', "      |          ^"])


if __name__ == "__main__":
    unittest.main()
