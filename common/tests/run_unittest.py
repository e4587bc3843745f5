"""Runs a file of unittest's tests, and prints why any were skipped: run_unittest.py FILE [its arguments]

Exit status: 77 if all were skipped.
"""
import collections
import os
import runpy
import signal
import sys
import unittest

SKIPPED = 77
BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build")


class Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    def printErrors(self):
        super().printErrors()
        for reason, count in collections.Counter(reason for _, reason in self.skipped).items():
            self.stream.writeln(f"Skipped: {reason} ({count} test{'s' if count > 1 else ''})")
        if not self.testsRun and not self.skipped:
            raise SystemExit("There is no test.")  # which unittest would call a success
        if self.skipped and not self.passed and self.wasSuccessful():
            raise SystemExit(SKIPPED)


if __name__ == "__main__":
    unittest.TextTestRunner.resultclass = Result
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells have it ignored by what they start in the background
    if os.access(BUILD, os.W_OK):  # where the command has its bytecode, too: compiling its modules takes a third of a second
        sys.pycache_prefix = os.path.join(os.path.normpath(BUILD), "pycache")
        sys.dont_write_bytecode = False
    del sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")
