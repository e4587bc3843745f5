"""What the wheel has of this build's programs, installed into a fresh virtual environment: wheel_test.py SOURCE BUILD CMAKE [unittest arguments]

On PATH is neither CMake nor Ninja. What a check says is compared with what it says with a build from source.
"""
from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD, CMAKE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
LAB, FILE = "01-coalescing", "coalescing.cu"
#: What only a build needs, and what could install that.
_NOT_NEEDED = {"cmake", "ctest", "ninja", "ninja-build", "make", "apt-get", "sudo"}


def install(venv: pathlib.Path) -> None:
    """Makes a virtual environment with what CMake installs, where pip puts it of a wheel (pyproject.toml), but for stripping."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", str(venv)], check=True)  # rich is the system's
    package = next(venv.glob("lib/python3*/site-packages")) / "warpbook"
    subprocess.run([CMAKE, "--install", str(BUILD), "--component", "wheel", "--prefix", str(package)], check=True, stdout=subprocess.DEVNULL)
    for path in (SOURCE / "common/wheel/warpbook").glob("*.py"):
        shutil.copy(path, package)
    module, function = re.search(r'^warpbook = "(.+):(.+)"$', (SOURCE / "pyproject.toml").read_text(encoding="utf-8"), re.M).groups()
    command = venv / "bin/warpbook"
    command.write_text(f"#!{venv}/bin/python3\nimport sys\nfrom {module} import {function}\nsys.exit({function}())\n", encoding="utf-8")
    command.chmod(0o755)


@functools.lru_cache(maxsize=None)
def place() -> pathlib.Path:
    """A folder with the environment `venv`, which has the wheel, `path`, a PATH without what only a build needs, and `build`, a build folder."""
    scratch = tempfile.TemporaryDirectory(prefix="warpbook-test-")
    unittest.addModuleCleanup(scratch.cleanup)
    folder = pathlib.Path(scratch.name).resolve()
    install(folder / "venv")
    (folder / "path").mkdir()
    for part in os.environ["PATH"].split(os.pathsep):
        for program in pathlib.Path(part).glob("*") if pathlib.Path(part).is_dir() else []:
            link = folder / "path" / program.name
            if program.name not in _NOT_NEEDED and not link.is_symlink() and os.access(program, os.X_OK):
                link.symlink_to(program)
    use_caches(folder / "build")
    return folder


def use_caches(build: pathlib.Path) -> None:
    """Gives a build folder the bytecode of Python's library and matplotlib's fonts, which take seconds to make, from beside BUILD."""
    for name in (f"pycache{sys.base_prefix}", "matplotlib"):
        kept = BUILD.parent / name
        kept.mkdir(parents=True, exist_ok=True)
        (build / name).parent.mkdir(parents=True, exist_ok=True)
        (build / name).symlink_to(kept)


@functools.lru_cache(maxsize=None)
def given_out() -> pathlib.Path:
    """The students' workbook that the wheel has."""
    done = run(place(), "warpbook", "give-out", "labs")
    assert done.returncode == 0, done.stderr
    return place() / "labs"


def environment() -> dict[str, str]:
    """The wheel's. All tests use one build folder, so that headers are compiled once."""
    return {"PATH": f"{place()}/venv/bin:{place()}/path", "HOME": str(place() / "home"), "WARPBOOK_BACKEND": "sim", "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1", "WARPBOOK_LANGUAGE": "en", "WARPBOOK_BUILD": str(place() / "build")}


def run(folder: pathlib.Path, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(words, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


@unittest.skipUnless(importlib.util.find_spec("venv"), "this Python cannot make virtual environments (Debian's package python3-venv)")
class Wheel(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="warpbook-test-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()

    def given_out(self) -> pathlib.Path:
        """A copy, whose files have the times of the first one's, and so its bytecode."""
        bytecode = place() / "build/pycache"
        below = bytecode / str(self.folder)[1:]
        below.mkdir(parents=True)
        (below / "labs").symlink_to(bytecode / str(given_out())[1:])
        return shutil.copytree(given_out(), self.folder / "labs", symlinks=True)

    def built_from_source(self, book: pathlib.Path) -> pathlib.Path:
        """A copy of the workbook, as several people use one build: its programs are those of BUILD."""
        shared = self.folder / "source" / "book"
        shutil.copytree(book, shared, symlinks=True, ignore=shutil.ignore_patterns("build"))
        for path in shared.rglob("*"):
            os.utime(path, (1, 1))
        (shared / "build").mkdir()
        (shared / "build/sim").symlink_to(BUILD)
        use_caches(self.folder / "own")
        return shared

    def run_from_source(self, shared: pathlib.Path, *words: str) -> subprocess.CompletedProcess:
        own = {**os.environ, "WARPBOOK_BACKEND": "sim", "WARPBOOK_BUILD": str(self.folder / "own"), "WARPBOOK_LANGUAGE": "en"}
        return subprocess.run([sys.executable, str(shared / "warpbook"), *words], cwd=shared, env=own, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def checked(self, book: pathlib.Path, *words: str, status: int) -> dict:
        done = run(book, "warpbook", "check", *words, "--json")
        self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout[-2000:])
        return json.loads(done.stdout)

    def test_a_student_gives_out_checks_and_solves_with_a_compiler_alone(self):
        book = self.given_out()
        verdict = self.checked(book, "01", status=1)
        self.assertEqual((verdict["points"], verdict["max_points"], verdict["build_failure"]), (0, 34, None))
        shutil.copy(SOURCE / "solutions" / LAB / FILE, book / "labs" / LAB / FILE)
        verdict = self.checked(book, "01", status=0)
        self.assertEqual((verdict["points"], verdict["max_points"]), (34, 34))
        self.assertFalse((place() / "build/sim").exists())
        doctor = run(book, "warpbook", "doctor")
        self.assertEqual(doctor.returncode, 0, doctor.stdout)
        self.assertIn("nothing has to be built", doctor.stdout)
        listed = run(book, "warpbook", "list")
        self.assertIn("34/34", listed.stdout)

    def test_the_other_verbs_work_with_it(self):
        book = self.given_out()
        shutil.copy(SOURCE / "solutions" / LAB / FILE, book / "labs" / LAB / FILE)
        seen = run(book, "warpbook", "see", "01", "offset_add_f32", "--out", "page.html")
        self.assertEqual((seen.returncode, (book / "page.html").exists()), (0, True), seen.stderr)
        program = self.folder / "program.cu"
        program.write_text("#include <cstdio>\n__global__ void k(int* a) { *a = 7; }\nint main() {\n  int* a;\n  cudaMallocManaged(&a, 4);\n"
                           "  k<<<1, 1>>>(a);\n  cudaDeviceSynchronize();\n  std::printf(\"%d\\n\", *a);\n}\n")
        ran = run(self.folder, "warpbook", "sim", "program.cu")  # where there is no workbook
        self.assertEqual((ran.returncode, ran.stdout), (0, "7\n"), ran.stderr)
        (self.folder / "class/ada").mkdir(parents=True)
        shutil.copy(SOURCE / "solutions" / LAB / FILE, self.folder / "class/ada")
        graded = run(book, "warpbook", "grade", str(self.folder / "class"), "--lab", "01", "--out", str(self.folder / "graded"))
        self.assertEqual(graded.returncode, 0, graded.stderr)
        self.assertIn("34/34", graded.stdout)

    def test_the_wheel_that_gave_out_is_found_without_its_environment_also_beside_a_half_build(self):
        done = run(self.folder, "warpbook", "give-out", "labs")
        self.assertEqual(done.returncode, 0, done.stderr)
        book = self.folder / "labs"
        kernel = book / "labs" / LAB / FILE
        kernel.write_bytes(kernel.read_bytes().replace(b"\n", b"\r\n"))  # as a checkout for Windows has it
        lab = book / "labs" / LAB / "lab.hpp"
        lab.write_bytes(lab.read_bytes().replace(b"\n", b"\r\n"))
        (book / "build/sim").mkdir(parents=True)
        (book / "build/sim/build.ninja").touch()
        use_caches(book / "build")
        outside = {"PATH": f"{place()}/path", "HOME": str(self.folder), "WARPBOOK_BACKEND": "sim", "LANG": "C.UTF-8"}
        done = subprocess.run(["./warpbook", "check", "01", "--json"], cwd=book, env=outside, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertEqual(json.loads(done.stdout)["max_points"], 34)
        self.assertEqual(list((book / "build/sim").iterdir()), [book / "build/sim/build.ninja"])

    def test_an_older_workbook_is_updated_from_the_wheel_by_either_command(self):
        wanted = (given_out() / "docs/glossary.md").read_bytes()
        for command in ("warpbook", "./warpbook"):
            with self.subTest(command):
                shutil.rmtree(self.folder / "labs", ignore_errors=True)
                book = shutil.copytree(given_out(), self.folder / "labs", symlinks=True)
                record = json.loads((book / ".warpbook-give-out").read_text(encoding="utf-8"))
                for path in ("docs/glossary.md", "docs/gone.md"):
                    (book / path).write_bytes(b"old\n")
                    record["files"][path] = hashlib.sha256(b"old\n").hexdigest()[:16]
                (book / ".warpbook-give-out").write_text(json.dumps(record), encoding="utf-8")
                kernel = book / "labs" / LAB / FILE
                kernel.write_text(mine := kernel.read_text(encoding="utf-8").replace("// END TODO(1)", "int mine;\n// END TODO(1)"), encoding="utf-8")
                done = run(book, command, "update")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn(f"not by the course; yours stays:\n  labs/{LAB}/{FILE}\nUpdated:\n  docs/glossary.md\nRemoved, because the course does not have it any more:\n"
                              "  docs/gone.md\n", done.stdout)
                self.assertEqual(((book / "docs/glossary.md").read_bytes(), kernel.read_text(encoding="utf-8")), (wanted, mine))

    def test_where_there_is_no_workbook_that_is_said(self):
        done = run(self.folder, "warpbook", "check", "01")
        self.assertEqual(done.returncode, 2)
        self.assertIn("warpbook give-out labs && cd labs", done.stderr)

    def test_a_changed_rubric_a_new_lab_and_another_simulator_are_refused_where_nothing_can_be_built(self):
        book = self.given_out()
        kept = {}
        for name, lab, said in ((f"labs/{LAB}/messages.md", "01", "The rubric, contract or messages of 01-coalescing are not those of"),
                                ("common/simt/runtime/memory/bounds.cpp", "01", "was made from another simulator or grader"),
                                ("labs/07-scan", "07", "has no grader of 07-scan")):
            path = book / name
            if path.suffix:
                kept[path] = path.read_text(encoding="utf-8") if path.exists() else None
                path.write_text((kept[path] or "") + "\n", encoding="utf-8")
            else:
                shutil.copytree(book / "labs" / LAB, path)
            done = run(book, "warpbook", "check", lab)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(said, done.stderr.splitlines()[0])
            self.assertIn("CMake", done.stderr)
            for changed, text in kept.items():
                changed.write_text(text, encoding="utf-8") if text is not None else changed.unlink()
            kept.clear()

    def test_verdicts_are_those_of_a_build_from_source(self):
        """Of solutions, unsolved and wrong files, mutants, and files that do not compile."""
        book = self.given_out()
        solution = (SOURCE / "solutions" / LAB / FILE).read_text(encoding="utf-8")
        texts = {"broken.cu": solution + "}\n", "host.cu": solution.replace("__global__", "", 1), "empty.cu": "\n"}
        for name, text in texts.items():
            (book / name).write_text(text, encoding="utf-8")
        for lab in sorted((SOURCE / "labs").glob("0[2-6]-*")):
            kept, = lab.glob("*.cu.starter")
            shutil.copy(kept, book / f"{lab.name[:2]}-unsolved.cu")
        shutil.copytree(SOURCE / "solutions" / LAB, book / "solutions" / LAB)
        mutants = [f"solutions/{LAB}/mutants/{name}.cu" for name in ("one_chunk_per_thread",)]
        cases = [("01", name) for name in [*texts, *mutants, f"solutions/{LAB}/{FILE}"]] + [("02", "02-unsolved.cu"), ("05", "05-unsolved.cu")]
        shared = self.built_from_source(book)
        for lab, name in cases:
            from_wheel = run(book, "warpbook", "check", lab, name, "--json")
            from_source = self.run_from_source(shared, "check", lab, name, "--json")
            self.assertIn('"items"', from_wheel.stdout, from_wheel.stderr)
            self.assertEqual((from_wheel.returncode, without_times(from_wheel.stdout, book)),
                             (from_source.returncode, without_times(from_source.stdout, shared)), name)
        self.assertTrue((place() / "build/sim-wheel").exists() and (self.folder / "own/sim-shared").exists())


    def test_lines_are_those_of_a_build_from_source(self):
        """Of accesses that go through headers of the simulator, whose folder the wheel has elsewhere, and in a folder that looks like it."""
        book = self.given_out()
        (book / "simt/include").mkdir(parents=True)
        shutil.copy(SOURCE / "common/tests/wheel/failing.cu", book / "simt/include")
        text = (SOURCE / "solutions" / LAB / FILE).read_text(encoding="utf-8")
        (book / "unbounded.cu").write_text(text.replace("if (i < n) out[i] = in[i];", "out[i] = in[i];"), encoding="utf-8")  # of float4, too
        shared = self.built_from_source(book)
        module = self.folder / "failing.so"
        subprocess.run([BUILD / "bin/simtcc", "--program", "-o", module, "simt/include/failing.cu"], cwd=shared, check=True)
        again, how = self.folder / "again.so", self.folder / "again.json"
        how.write_text(json.dumps({"module": str(again), "build": [
            str(BUILD / "bin/simtcc"), "--program", "--replay", "-w", "-o", str(again), "simt/include/failing.cu"]}), encoding="utf-8")
        from_source = subprocess.run([BUILD / "bin/simtrun", f"--replay={how}", "--name=./failing", module], cwd=shared, capture_output=True, text=True,
                                     check=False)
        self.assert_same_words(run(book, "warpbook", "sim", "simt/include/failing.cu"), book, from_source, shared, "failing.cu")
        check = ["check", "01", "unbounded.cu"]
        for words in (check, [*check, "--format", "gcc"], [*check, "--format", "sarif"], [*check, "--json"],
                      ["see", "01", "copy_vectorized", "unbounded.cu", "--out", "page.html"]):
            self.assert_same_words(run(book, "warpbook", *words), book, self.run_from_source(shared, *words), shared, "unbounded.cu")
        pages = [re.sub(r"T[\d:]+Z", "", (root / "page.html").read_text(encoding="utf-8")).replace(str(root), "ROOT") for root in (book, shared)]
        self.assertEqual(*pages)
        self.assertRegex(pages[0], r"unbounded\.cu:\d+")

    def assert_same_words(self, wheel: subprocess.CompletedProcess, book: pathlib.Path, source: subprocess.CompletedProcess, shared: pathlib.Path,
                          file: str) -> None:
        said, expected = (re.sub(r"\b[\d.]+ s\b|\"seconds\": [\d.e-]+|[^\"]*/submissions/", "", done.stdout + done.stderr).replace(str(root), "ROOT")
                          for done, root in ((wheel, book), (source, shared)))
        self.assertEqual(said, expected)
        self.assertEqual(wheel.returncode, source.returncode, said)
        self.assertIn(file, said)
        self.assertIsNone(re.search(r"\w\.h:\d", said), said)


def without_times(text: str, root: pathlib.Path) -> dict:
    said = json.loads(text.replace(str(root), "ROOT"))
    for part in (said, *said["items"], said["build_failure"] or {}):
        part.pop("seconds", None)
    return said


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
