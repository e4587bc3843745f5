"""What goes wrong around a student's file: names, permissions, full disks, interrupts, two checks at once."""
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

from fakes import AS_NOBODY, ROOT, Scratch
from small_workbook import SmallWorkbook, needs_machine

from command import progress


@needs_machine
class FileNames(SmallWorkbook):
    def test_spaces_quotes_brackets_and_umlauts_are_names_like_others(self):
        for name in ("my file.cu", "it's.cu", "grün.cu", "a(b)[c].cu", "$HOME.cu", "a&b#c%d.cu", "-x.cu"):
            mine = self.write(f"mine/{name}", "// solved\n")
            status, out, err = self.warpbook("check", "1", f"./{name}", cwd=mine.parent)
            self.assertEqual(status, 0, name + out + err)
            self.assertEqual(mine.read_text(), "// solved\n")

    def test_a_name_that_cmake_cannot_pass_on_is_refused_with_a_reason(self):
        for name in ("a;b.cu", 'a"b.cu', "a\\b.cu", "a[b.cu", "a\nb.cu"):
            status, out, err = self.warpbook("check", "1", str(self.write(name, "// solved\n")))
            self.assertEqual((status, out), (2, ""), name)
            self.assertIn("Rename the file", err)

    def test_a_name_that_is_not_utf8_is_refused(self):
        path = os.fsencode(self.folder) + b"/gr\xfcn.cu"
        with open(path, "w", encoding="ascii") as file:
            file.write("// solved\n")
        done = subprocess.run([sys.executable, "-B", str(self.root / "warpbook"), "check", "1", path],
                              capture_output=True, check=False, env={**os.environ, "WARPBOOK_BACKEND": "sim"})
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"is not UTF-8", done.stderr)
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
    """A copy of the command in a folder that belongs to somebody else."""

    def setUp(self):
        super().setUp()
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

    def readable_by_nobody(self) -> bool:
        return not AS_NOBODY or subprocess.run([*AS_NOBODY, "test", "-r", str(ROOT / "common/command/cli.py")],
                                               check=False, stderr=subprocess.DEVNULL).returncode == 0

    def test_a_checkout_that_cannot_be_written_to_is_a_sentence(self):
        if not self.readable_by_nobody():
            self.skipTest("the workbook lies where only root can read")
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        status, _, err = self.run_elsewhere("check", "1", "--json")
        if "needs a few things" in _ + err:
            self.skipTest("the set-up would have to install something here")
        self.assertEqual(status, 2)
        self.assertIn("Name a folder that you may write to", _ + err)

    def test_a_file_that_may_not_be_read_is_a_sentence(self):
        if not self.readable_by_nobody():
            self.skipTest("the workbook lies where only root can read")
        secret = self.write("secret.cu", "// solved\n")
        secret.chmod(0)
        status, out, err = self.run_elsewhere("check", "1", str(secret), "--json")
        self.assertEqual(status, 2)
        self.assertIn(f"{secret} cannot be read.", out + err)


@needs_machine
class FullDisk(SmallWorkbook):
    def test_a_log_that_cannot_be_written_says_that_the_disk_is_full(self):
        (self.root / "build/sim/log").mkdir(parents=True)
        (self.root / "build/sim/log/configure.log").symlink_to("/dev/full")
        status, out, err = self.warpbook("check", "1")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("There is no room left to write", err)
        self.assertEqual(self.starter.read_text(), "// to do\n")

    def test_results_that_cannot_be_written_are_no_zero_points(self):
        self.starter.write_text("// full disk\n")
        status, out, err = self.warpbook("check", "1")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("There is no room left to write under build/sim.", err)

    def test_a_compiler_that_finds_no_room_is_told_from_an_error_in_the_workbook(self):
        (self.root / "CMakeLists.txt").write_text(
            (self.root / "CMakeLists.txt").read_text().replace(
                "add_custom_target(simtcc)",
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
        process = subprocess.Popen([sys.executable, "-B", str(self.root / "warpbook"), *arguments], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                                   env={**os.environ, "WARPBOOK_BACKEND": "sim"})
        self.addCleanup(process.kill)
        return process

    def wait_for_grader(self) -> None:
        deadline = time.monotonic() + 60
        while not any("grader.py" in line and "adds one" in line for line in self.processes()):
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
    """The step that builds a student's file, on files that are none."""

    def build(self, source: pathlib.Path, *before: str) -> str:
        done = subprocess.run([*before, "cmake", "-DBUILD_DIR=/nowhere", "-DTARGET=none", f"-DSOURCE={source}",
                               f"-DBUILD_SOURCE={source}", f"-DSOURCE_DIR={self.folder}", "-DLAB=01-coalescing",
                               "-DSUBMISSION=starter", "-DKIND=starter", "-DBACKEND=sim",
                               f"-DRESULT={self.folder}/results/builds.json", "-P",
                               str(ROOT / "common/cmake/build_submission.cmake")],
                              capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        return done.stdout + done.stderr

    def setUp(self):
        super().setUp()
        self.source = self.folder / "coalescing.cu"

    def test_a_missing_file_says_how_to_get_it_back(self):
        self.assertIn("git checkout -- coalescing.cu", self.build(self.source))

    def test_a_folder_in_its_place_is_said(self):
        self.source.mkdir()
        self.assertIn("coalescing.cu is a folder", self.build(self.source))

    def test_an_empty_file_is_said(self):
        self.source.write_text(" \n\n")
        self.assertIn("coalescing.cu is empty", self.build(self.source))

    def test_a_file_with_a_nul_byte_is_no_text_and_0x10_0x01_is_no_nul(self):
        self.source.write_bytes(b"void f() { \x00 }")
        self.assertIn("its byte 11 is 0", self.build(self.source))
        self.source.write_bytes(b"a\x10\x01b")
        self.assertNotIn("is no text", self.build(self.source))

    def test_a_program_in_its_place_is_no_text(self):
        self.source.write_bytes(pathlib.Path("/bin/true").read_bytes())
        self.assertIn("is no text", self.build(self.source))

    def test_a_huge_file_is_not_read_at_all(self):
        self.source.write_bytes(b"x" * 1_000_001)
        self.assertIn("a lab's file has a few thousand", self.build(self.source))

    def test_a_file_that_may_not_be_read_says_so(self):
        self.source.write_text("int x;\n")
        self.source.chmod(0)
        self.folder.chmod(0o777)
        script = ROOT / "common/cmake/build_submission.cmake"
        if AS_NOBODY and subprocess.run([*AS_NOBODY, "test", "-r", str(script)], check=False).returncode != 0:
            self.skipTest("the workbook lies where only root can read")
        self.assertIn("coalescing.cu cannot be read", self.build(self.source, *AS_NOBODY))


if __name__ == "__main__":
    unittest.main()
