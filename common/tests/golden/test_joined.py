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
EXPECTED = re.compile(r"KERNEL (\w+)\(.*// (\d+) -> (\d+) loads, (\d+) -> (\d+) stores$", re.MULTILINE)


def counted(counters, kind):
    requests = counters.get(f"global_{kind}_requests", 0)
    return requests / WARPS, (requests - counters.get(f"joined_{kind}_requests", 0)) / WARPS


class Joined(unittest.TestCase):
    def test_both_numbers_of_each_kernel(self):
        with tempfile.TemporaryDirectory() as folder:
            module = Path(folder, "joined.so")
            subprocess.run([os.environ["SIMTCC"], "--program", "--cxx", os.environ["CXX"], "--precompiled", os.environ["PRECOMPILED"],
                            "-o", module, SOURCE], check=True)  # fmt: skip
            ran = subprocess.run([os.environ["SIMTRUN"], "--json", "--no-lines", module], check=True, capture_output=True)
        kernels = {kernel["name"]: kernel["counters"] for kernel in json.loads(ran.stdout)["kernels"]}
        expected = EXPECTED.findall(SOURCE.read_text(encoding="utf-8"))
        self.assertEqual(set(kernels), {name for name, *_ in expected})
        for name, loads, joined_loads, stores, joined_stores in expected:
            with self.subTest(name):
                self.assertEqual(counted(kernels[name], "load"), (int(loads), int(joined_loads)))
                self.assertEqual(counted(kernels[name], "store"), (int(stores), int(joined_stores)))


if __name__ == "__main__":
    unittest.main()
