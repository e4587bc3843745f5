"""Of several signals one KeyboardInterrupt comes, and nothing swallows it."""
import signal
import subprocess
import sys
import unittest

from fakes import ROOT

BEGIN = """\
import os, signal, sys, time, weakref
sys.path.insert(0, "common")
from command import interruption
def send(*signals):
    # all at once
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    for each in signals:
        os.kill(os.getpid(), each)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
class Thing: pass
interruption.listen()
"""


class Interruption(unittest.TestCase):
    def said(self, text: str, *, status: int = 0) -> str:
        done = subprocess.run([sys.executable, "-c", BEGIN + text], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        return done.stdout

    def test_of_several_signals_at_once_one_interrupt_comes_and_what_it_ends_is_left_alone(self):
        said = self.said("try:\n    send(signal.SIGTERM, signal.SIGHUP, signal.SIGINT)\n    time.sleep(9)\n"
                         "except KeyboardInterrupt as interrupt:\n    print(len(interrupt.args))\n"
                         "    send(signal.SIGTERM, signal.SIGINT)\n    time.sleep(0.05)\n    print('ended')\n")
        self.assertEqual(said.splitlines()[1:], ["ended"])

    def test_it_says_which_signal_it_was_and_nothing_of_ctrl_c(self):
        for number, expected in ((signal.SIGTERM, (signal.SIGTERM,)), (signal.SIGHUP, (signal.SIGHUP,)), (signal.SIGINT, ())):
            said = self.said(f"try:\n    send({int(number)})\n    time.sleep(9)\nexcept KeyboardInterrupt as interrupt:\n    print(tuple(map(int, interrupt.args)))\n")
            self.assertEqual(said.strip(), str(tuple(map(int, expected))))

    def test_what_is_held_is_known_before_it_comes(self):
        said = self.said("started = None\ntry:\n    with interruption.held():\n        with interruption.held():\n            send(signal.SIGTERM)\n"
                         "        started = 'known'\n    print('not reached')\nexcept KeyboardInterrupt:\n    print(started)\n")
        self.assertEqual(said, "known\n")

    def test_a_callback_does_not_swallow_it(self):
        """As the one of an import's lock would."""
        said = self.said("thing = Thing()\nkept = weakref.ref(thing, lambda gone: send(signal.SIGTERM))\n"
                         "try:\n    del thing\n    time.sleep(9)\nexcept KeyboardInterrupt as interrupt:\n    print(int(interrupt.args[0]))\n")
        self.assertEqual(said, f"{int(signal.SIGTERM)}\n")

    def test_what_others_swallow_is_told_as_ever(self):
        done = subprocess.run([sys.executable, "-c", BEGIN + "thing = Thing()\nkept = weakref.ref(thing, lambda gone: 1 / 0)\ndel thing\n"], cwd=ROOT,
                              capture_output=True, text=True, check=True)
        self.assertIn("ZeroDivisionError", done.stderr)

    def test_a_signal_that_is_to_be_ignored_is_ignored(self):
        said = self.said("signal.signal(signal.SIGHUP, signal.SIG_IGN)\ninterruption.listen()\nsend(signal.SIGHUP)\nprint('goes on')\n")
        self.assertEqual(said, "goes on\n")


if __name__ == "__main__":
    unittest.main()
