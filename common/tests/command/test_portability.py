"""Solutions and steps ask the device how large it is."""
import re
import unittest

from fakes import ROOT

CARDS = {"an H200's multiprocessors": r"\b132\b", "its shared memory": r"\b(232448|233472|227 \* 1024|228 \* 1024)\b", "its clock": r"\b(1980|1\.98)\b"}


def code_of(text: str) -> str:
    """Without comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


class Portability(unittest.TestCase):
    def test_no_solution_or_step_is_written_for_one_card(self):
        files = [path for pattern in ("*.cu", "steps/*.cu") for path in (ROOT / "solutions").glob(f"*/{pattern}")]
        if not files:
            self.skipTest("solutions/ is not here")
        for path in files:
            for what, number in CARDS.items():
                self.assertIsNone(re.search(number, code_of(path.read_text(encoding="utf-8"))), f"{path.relative_to(ROOT)} has {what} in its code")

    def test_comments_may_name_a_card_and_code_may_not(self):
        self.assertEqual(code_of("int a = 1; // 132\n/* 132\n132 */int b;"), "int a = 1; \nint b;")
        self.assertTrue(re.search(CARDS["an H200's multiprocessors"], code_of("blocks = 16 * 132; // rounds")))


if __name__ == "__main__":
    unittest.main()
