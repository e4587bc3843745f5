"""What nvcc joins: the requests of joined.cu's kernels, as the source has them and as an H200 makes them."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).with_name("joined.cu")
WARPS = 8
EXPECTED = re.compile(r"KERNEL (\w+)\(.*// (\d+) -> (\d+) loads, (\d+) -> (\d+) stores"
                      r"(?:; shared: (\d+) -> (\d+) loads in (\d+) -> (\d+) wavefronts, (\d+) -> (\d+) stores in (\d+) -> (\d+))?$",
                      re.MULTILINE)  # fmt: skip
KINDS = ["global_load_requests", "global_store_requests", "shared_load_requests", "shared_load_wavefronts", "shared_store_requests",
         "shared_store_wavefronts"]  # fmt: skip


def counted(counters, kind):
    """As the source has them, and fewer."""
    written = counters.get(kind, 0)
    return [written / WARPS, (written - counters.get("joined_" + kind.removeprefix("global_"), 0)) / WARPS]


class Joined(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.module = Path(folder.name, "joined.so")
        subprocess.run([os.environ["SIMTCC"], "--program", "--cxx", os.environ["CXX"], "--precompiled", os.environ["PRECOMPILED"],
                        "-o", self.module, SOURCE], check=True)  # fmt: skip

    def ran(self, *options):
        return subprocess.run([os.environ["SIMTRUN"], *options, self.module], check=True, capture_output=True, text=True)

    def test_both_numbers_of_each_kernel(self):
        kernels = {kernel["name"]: kernel["counters"] for kernel in json.loads(self.ran("--json", "--no-lines").stdout)["kernels"]}
        expected = EXPECTED.findall(SOURCE.read_text(encoding="utf-8"))
        self.assertEqual(set(kernels), {name for name, *_ in expected})
        for name, *numbers in expected:
            told = [int(number) for number in numbers if number]
            with self.subTest(name):
                self.assertEqual(sum((counted(kernels[name], kind) for kind in KINDS[: len(told) // 2]), []), told)

    def test_the_summary_tells_both_numbers(self):
        told = self.ran().stderr
        self.assertIn("32 requests,         512 sectors (16.00 per request, 25 % of the bytes used; "
                      "nvcc may join them to 8 with 128 sectors, 100 %)", told)  # fmt: skip
        self.assertIn("32 requests,         128 wavefronts (4.00 per request, 96 of them conflicts; "
                      "nvcc may join them to 8 with 32 wavefronts, no conflicts)", told)  # fmt: skip


if __name__ == "__main__":
    unittest.main()
