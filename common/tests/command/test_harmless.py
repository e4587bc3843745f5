"""Texts of students are harmless to a terminal, a page, a spreadsheet and a file system, and nothing vanishes from them."""
import random
import unicodedata
import unittest

import fakes  # noqa: F401  (the path to the command)

from command.classroom import harmless
from command.classroom.model import Person

CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7f, 0xa0))]
TURNING = list("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
INVISIBLE = list("\u00ad\u200b\u2060\ufeff\u2028\u2029\U000e0041")


def hostile_texts(count: int, seed: int = 7):
    """Random texts from pieces that have caused trouble."""
    pick = random.Random(seed)
    pieces = ["alice", "=1+1", "@SUM(A1)", "-2", "+3", "\t=x", "\r", "\n", "\x1b[31m", "\x9b2J", "Zo\u0308", "Zö", "王伟", "🦄", "👩‍💻", "שלום",
              "\u202eexe.uc", ";", "|", '"', "$HOME", "`id`", "\\", "[x]", "..", "/", "C:", "\udcff", "\udc80\udcfe", " ", "", "\0", "CON",
              "nul.txt",
              "x" * 300, "<b>", "&amp;", "'", "\ufffe", "％"]
    for _ in range(count):
        yield "".join(pick.choice(pieces) for _ in range(pick.randint(0, 5)))


def harmful(text: str) -> list[str]:
    """The characters of a text that may not reach a terminal."""
    return [character for character in text if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or character in TURNING]


class Shown(unittest.TestCase):
    def test_no_control_character_and_no_turning_of_direction_reaches_a_terminal(self):
        for character in CONTROLS + TURNING + INVISIBLE + ["\udcff", "\ud800", "\ufffe", "\uffff"]:
            shown = harmless.shown(f"a{character}b")
            self.assertNotIn(character, shown)
            self.assertGreaterEqual(len(shown), 3, repr(character))  # it stays visible

    def test_an_escape_code_stays_readable(self):
        self.assertEqual(harmless.shown("\x1b[2J\x07"), "␛[2J␇")
        self.assertEqual(harmless.shown("\x9b31m"), "\\x9b31m")
        self.assertEqual(harmless.shown("\u202ecod.exe"), "\\u202ecod.exe")

    def test_a_byte_that_is_not_utf8_is_shown_as_its_number(self):
        self.assertEqual(harmless.shown(b"M\xfcller".decode("utf-8", "surrogateescape")), "M\\xfcller")

    def test_line_feeds_and_tabs_stay_where_lines_are_wanted(self):
        self.assertEqual(harmless.shown("a\n\tb\r", lines=True), "a\n\tb␍")
        self.assertEqual(harmless.shown("a\n\tb"), "a␊␉b")

    def test_ordinary_writing_of_all_kinds_stays_as_it_is(self):
        for text in ("Müller", "Łukasz Żółć", "王伟", "नमस्ते", "می‌خواهم", "שלום", "👩‍💻 🦄", "O’Neil", "a — b…"):
            self.assertEqual(harmless.shown(text), text)

    def test_whatever_comes_is_harmless_and_can_be_written_as_utf8(self):
        for text in hostile_texts(3000):
            for made in (harmless.shown(text), harmless.name(text), str(harmless.cell(text)), harmless.shown(text, lines=True)):
                made.encode("utf-8")
                self.assertEqual([character for character in harmful(made) if character not in "\n\t"], [], repr(text))


class Names(unittest.TestCase):
    def test_composed_and_decomposed_letters_are_one_name(self):
        self.assertEqual(harmless.name("Zoe\u0308"), harmless.name("Zoë"))

    def test_what_cannot_be_seen_is_not_in_a_name(self):
        self.assertEqual(harmless.name(" Al\u202eice\n\x1b[0m\tB\u200b. "), "Alice [0m B.")
        self.assertEqual(harmless.name("\x00\u202e"), "")

    def test_a_very_long_name_is_cut(self):
        self.assertEqual(len(harmless.name("x" * 5000)), 120)
        self.assertTrue(harmless.name("x" * 5000).endswith("…"))


class Cells(unittest.TestCase):
    def test_a_formula_gets_an_apostrophe(self):
        for text in ("=1+1", "+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "@SUM(1,2)", "\t=1", "\r=1", "＝1+1", "＠x", "  =1+1", "\n=1"):
            self.assertTrue(harmless.cell(text).startswith("'"), repr(text))

    def test_numbers_stay_numbers(self):
        for value in (3, -2.5, 0, "-2.5", "+7", "12", "1e-3", ".5"):
            self.assertEqual(harmless.cell(value), value)

    def test_ordinary_text_stays_as_it_is(self):
        for text in ("alice", "a = b", "Ünal", "", "1-2", "two\nlines"):
            self.assertEqual(harmless.cell(text), text)
        self.assertIsNone(harmless.cell(None))

    def test_control_characters_do_not_reach_a_spreadsheet(self):
        self.assertEqual(harmless.cell("a\x1b[1mb\0"), "a␛[1mb␀")


class FileNames(unittest.TestCase):
    def test_letters_become_their_nearest(self):
        self.assertEqual(harmless.ascii_words("Müller, Zoë"), "Muller-Zoe")
        self.assertEqual(harmless.ascii_words("Łukasz Ærøskøbing Straße"), "Lukasz-AEroskobing-Strasse")

    def test_a_folder_is_called_by_a_name_that_ascii_cannot_spell(self):
        for name, folder in (("王伟", "王伟-a1"), ("नमस्ते राम", "नमस्ते-राम-a1"), ("שרה", "שרה-a1"), ("Łukasz Żółć", "a1"), ("alice", "a1"), ("🦄", "a1"),
                             ("../王\u202e/伟", "王-伟-a1")):
            self.assertEqual(Person("a1", name).folder, folder)
        for text in hostile_texts(3000):
            made = Person("a1", text).folder
            self.assertLessEqual(len(made.encode()), 200)
            self.assertTrue(made.endswith("a1") and not set(made) & set("/\\.\0 ") and harmless.shown(made) == made, repr(text))


if __name__ == "__main__":
    unittest.main()
