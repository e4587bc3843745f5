"""The TODO regions of a file: found, replaced, and compared."""
import time
import unittest

import fakes  # noqa: F401 (finds the command)

from command.regions import Malformed, Region, fingerprints, regions, with_region

TEXT = "a\n  // TODO(1): the sum\nb\nc\n  // END TODO(1)\nd\n// TODO(2): the rest \n// END TODO(2)\n"


class Regions(unittest.TestCase):
    def test_each_region_has_its_number_title_and_lines(self):
        self.assertEqual(regions(TEXT), [Region(1, "the sum", 2, 4), Region(2, "the rest", 7, 7)])
        self.assertEqual(regions(""), [])
        self.assertEqual(regions(TEXT.replace("\n", "\r\n")), regions(TEXT))

    def test_a_marker_stands_on_a_line_of_its_own(self):
        for line in ("int i; // TODO(1): x", "// TODO(1)", "// TODO(1):", "// TODO: x", "//TODO(1): x", "// todo(1): x"):
            self.assertEqual(regions(line + "\n"), [], line)
        with self.assertRaises(Malformed):  # the end has words behind it, so it is none
            regions("// TODO(1): x\n// END TODO(1) of it\n")

    def test_any_number_of_markers_and_digits_is_read_in_a_moment(self):
        self.assertEqual(regions(f"// TODO({'9' * 5000}): x\n// END TODO({'9' * 5000})\n"), [])
        began = time.process_time()
        found = regions("".join(f"// TODO({number}): x\n// END TODO({number})\n" for number in range(25_000)))
        self.assertLess(time.process_time() - began, 5)
        self.assertEqual(len(found), 25_000)

    def test_numbers_may_come_in_any_order(self):
        self.assertEqual([region.number for region in regions("// TODO(12): x\n// END TODO(12)\n// TODO(2): y\n// END TODO(2)\n")], [12, 2])

    def test_markers_that_do_not_pair_up_are_named_with_their_line(self):
        for text, says in (("// TODO(1): x\n// TODO(2): y\n", "line 2: TODO(2) begins inside TODO(1)"),
                           ("// TODO(1): x\n// END TODO(1)\n// TODO(1): x\n", "line 3: there is another TODO(1) above"),
                           ("a\n// END TODO(1)\n", "line 2: END TODO(1) closes nothing"),
                           ("// TODO(1): x\n// END TODO(2)\n", "line 2: END TODO(2) closes nothing"),
                           ("// TODO(3): x\na\n", "TODO(3) has no end")):
            with self.subTest(text=text), self.assertRaises(Malformed) as caught:
                regions(text)
            self.assertEqual(str(caught.exception), says)


class WithRegion(unittest.TestCase):
    OTHER = "x\n// TODO(2): another title\n  new\n// END TODO(2)\n// TODO(1): y\n1\n2\n3\n// END TODO(1)"

    def test_the_text_between_the_markers_is_taken_over_and_nothing_else(self):
        self.assertEqual(with_region(TEXT, 1, self.OTHER), TEXT.replace("b\nc\n", "1\n2\n3\n"))
        self.assertEqual(with_region(TEXT, 2, self.OTHER), TEXT.replace("the rest \n", "the rest \n  new\n"))

    def test_an_empty_region_empties_the_other(self):
        self.assertEqual(with_region(TEXT, 1, "// TODO(1): x\n// END TODO(1)\n"), TEXT.replace("b\nc\n", ""))

    def test_the_text_keeps_its_own_line_ends(self):
        windows = TEXT.replace("\n", "\r\n")
        self.assertEqual(with_region(windows, 1, self.OTHER), TEXT.replace("b\nc\n", "1\n2\n3\n").replace("\n", "\r\n"))
        self.assertEqual(with_region(TEXT, 1, windows.replace("b", "B")), TEXT.replace("b", "B"))

    def test_its_own_region_changes_nothing(self):
        for text in (TEXT, TEXT.rstrip("\n"), TEXT.replace("\n", "\r\n")):
            self.assertEqual(with_region(text, 1, TEXT), text)

    def test_a_region_that_one_of_them_lacks_and_broken_markers_are_malformed(self):
        for text, source in ((TEXT, "a\n"), ("a\n", TEXT), (TEXT, "// TODO(1): x\n"), ("// TODO(1): x\n", TEXT)):
            with self.subTest(text=text, source=source), self.assertRaises(Malformed):
                with_region(text, 1, source)


class Fingerprints(unittest.TestCase):
    def test_a_part_changes_with_its_own_text_alone(self):
        parts = fingerprints(TEXT)
        self.assertEqual(set(parts), {"1", "2", ""})
        for old, new, part in (("b\n", "B\n", "1"), ("// END TODO(2)", "x\n// END TODO(2)", "2"), ("d\n", "D\n", ""), ("the sum", "a sum", "")):
            changed = fingerprints(TEXT.replace(old, new))
            self.assertEqual([name for name in parts if parts[name] != changed[name]], [part], old)

    def test_line_ends_are_no_change_and_blanks_are(self):
        self.assertEqual(fingerprints(TEXT.replace("\n", "\r\n")), fingerprints(TEXT))
        self.assertNotEqual(fingerprints(TEXT.replace("b\n", "b \n")), fingerprints(TEXT))

    def test_of_a_file_with_broken_markers_there_is_one_part(self):
        self.assertEqual(set(fingerprints(TEXT + "// END TODO(3)\n")), {""})
        self.assertNotEqual(fingerprints("// END TODO(3)\n"), fingerprints("// END TODO(4)\n"))
        self.assertEqual(fingerprints("").keys(), {""})


if __name__ == "__main__":
    unittest.main()
