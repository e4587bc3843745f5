"""common/wheel/make_wheel.py: what a wheel says that it was made from, and what is in it."""
import base64
import hashlib
import json
import pathlib
import shutil
import sys
import tempfile
import unittest
import zipfile
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "common/wheel"))
import make_wheel

LAB = "01-coalescing"


class Tree(unittest.TestCase):
    """A copy of what is hashed: one lab, and a few of the folders of common/."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name) / "tree"
        for name in ("common/yardsticks", "common/grader", "common/simt/include", "common/simt/runtime", f"labs/{LAB}"):
            shutil.copytree(ROOT / name, self.root / name)
        shutil.copy(ROOT / "CMakeLists.txt", self.root)
        self.lab = self.root / "labs" / LAB

    def prints(self) -> tuple[str, str]:
        return make_wheel.hash_of_programs(self.root), make_wheel.hash_of_lab(self.lab)

    def changed(self, name: str) -> tuple[bool, bool]:
        """Whether a change of the file `name` is one of the programs, and of the lab."""
        before = self.prints()
        with open(self.root / name, "a", encoding="utf-8") as file:
            file.write("\n")
        return tuple(old != new for old, new in zip(before, self.prints()))

    def test_a_changed_rubric_contract_or_message_is_another_lab(self):
        for name in ("lab.hpp", "messages.md", next(self.lab.glob("grade*.cpp")).name):
            self.assertEqual(self.changed(f"labs/{LAB}/{name}"), (False, True), name)

    def test_a_students_work_and_a_bench_are_not(self):
        for name in ("coalescing.cu", "README.md", "bench.cpp"):
            self.assertEqual(self.changed(f"labs/{LAB}/{name}"), (False, False), name)

    def test_a_changed_simulator_or_grader_is_another_program(self):
        for name in ("common/grader/main.cpp", "common/simt/include/cuda_runtime.h"):
            self.assertEqual(self.changed(name), (True, False), name)

    def test_a_moved_tree_is_the_same(self):
        before = self.prints()
        self.root = self.root.rename(self.root.with_name("elsewhere"))
        self.lab = self.root / "labs" / LAB
        self.assertEqual(self.prints(), before)

    def test_the_wheel_lists_its_files_with_their_digests_and_its_programs_are_runnable(self):
        build = self.root / "build/sim"
        for name in ("bin/simtcc", "bin/simtrun", "bin/warpbook-runner-sim", "bin/grade-01", "modules/yardsticks/sim.so"):
            (build / name).parent.mkdir(parents=True, exist_ok=True)
            (build / name).write_text(name)
        with mock.patch.object(make_wheel, "_newest_glibc", return_value=36):
            wheel = make_wheel.write(self.root, build, self.root / "out")
        self.assertTrue(wheel.name.endswith("-py3-none-manylinux_2_36_x86_64.whl"))
        with zipfile.ZipFile(wheel) as archive:
            names = set(archive.namelist())
            record = next(name for name in names if name.endswith("/RECORD"))
            rows = [row.split(",") for row in archive.read(record).decode().splitlines()]
            self.assertEqual({row[0] for row in rows}, names)
            for name, digest, _ in rows:
                if name != record:
                    wanted = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
                    self.assertEqual(digest, f"sha256={wanted}")
            self.assertEqual(archive.getinfo("warpbook/bin/grade-01").external_attr >> 16 & 0o111, 0o111)
            said = json.loads(archive.read("warpbook/wheel.json"))
            self.assertEqual((said["programs"], said["labs"][LAB]), self.prints())
            self.assertIn("warpbook/include/simt/cuda_runtime.h", names)
            self.assertIn(f"warpbook/labs/{LAB}/lab.hpp", names)


if __name__ == "__main__":
    unittest.main()
