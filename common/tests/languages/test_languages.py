"""Messages are found in the sources, kept through .po files, and their translations are looked over."""
import pathlib
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "languages"))
import catalogue  # noqa: E402
import extract  # noqa: E402
from catalogue import Message  # noqa: E402


class Extraction(unittest.TestCase):
    def test_what_cpp_code_says_is_found_and_other_texts_are_not(self):
        source = '''f("no"); say("one {n:byte} "  // "no"
          "and more", n); Said<int> table[] = {"two", "th\\"ree"}; g("no"); std::string say_it("no"); /* say("no") */ say(name);'''
        self.assertEqual(extract.said(source), ["one {n:byte} and more", "two", 'th"ree'])

    def test_of_the_catalogue_names_and_kinds_are_no_texts(self):
        source = '''f("no"); // Clauses that
          inline constexpr const char* one = "one"; inline constexpr Choice two[] = {{holds, "two"}, {nullptr, "three"}};
          inline constexpr Wording catalogue[] = {{"an-id", "a kind", "four {x}", two, "five"}};
          } phrases[] = {{"a name", "six"}}; x.find("no");'''
        self.assertEqual(extract.of_catalogue(source), ["one", "two", "three", "four {x}", "five", "six"])

    def test_of_python_the_marked_texts_are_found(self):
        self.assertEqual(extract.of_python("_('a {b}', b=1); print('no'); N_('c'); ngettext('d', 'e', 2); _(variable)"), ["a {b}", "c", "d"])

    def test_a_text_of_places_alone_is_not_to_be_translated(self):
        self.assertEqual([extract.has_words(text) for text in ("{waits}", "{limit:,}", "", "{waits|in a loop}", "{: at <place>}", "{n:byte}, {m:KiB}")],
                         [False, False, False, True, True, True])


class Catalogues(unittest.TestCase):
    ONE = Message("lab 01", 'a "b"\\\n{c}', "甲 {c}", False, ["x.cpp", "y.cpp"])

    def test_a_catalogue_is_read_as_it_was_written(self):
        header, fuzzy = Message("", "", "Language: zh\nMIME-Version: 1.0\n"), Message("grader", "d", "e", True)
        read = catalogue.parsed(catalogue.written([header, self.ONE, fuzzy]))
        self.assertEqual([(each.key, each.translation, each.is_fuzzy, each.origins) for each in read],
                         [(each.key, each.translation, each.is_fuzzy, each.origins) for each in (header, self.ONE, fuzzy)])

    def test_texts_over_several_lines_and_comments_of_editors_are_read(self):
        [message] = catalogue.parsed('# by hand\n#. a note\nmsgctxt "c"\nmsgid ""\n"one "\n"two"\nmsgstr "1"\n#~ msgid "gone"\n')
        self.assertEqual((message.key, message.translation), (("c", "one two"), "1"))

    def test_what_is_malformed_is_named_with_its_line(self):
        for text, line in (('msgid "a\n', "1: "), ('"a"\n', "1: "), ('msgid "a"\nmsgstr ""\nmsgid "a"\nmsgstr ""\n', "3: ")):
            with self.assertRaisesRegex(catalogue.BadCatalogue, "^" + line):
                catalogue.parsed(text)

    def test_a_mo_file_has_no_fuzzy_and_no_empty_translation(self):
        data = catalogue.compiled([self.ONE, Message("c", "fuzzy", "x", True), Message("c", "empty")])
        self.assertEqual(struct.unpack_from("<3I", data), (0x950412DE, 0, 1))
        self.assertIn('lab 01\4a "b"'.encode(), data)

    def test_an_update_keeps_translations_and_drops_what_is_gone(self):
        old = [Message("", "", "Language: zh\n"), Message("c", "kept", "k"), Message("c", "gone", "g")]
        new = extract.updated(old, [Message("c", "new"), Message("c", "kept")])
        self.assertEqual([(each.english, each.translation) for each in new], [("", "Language: zh\n"), ("new", ""), ("kept", "k")])


class Counts(unittest.TestCase):
    def test_what_is_empty_fuzzy_or_of_another_context_does_not_count(self):
        messages = [Message("a", "one"), Message("a", "two"), Message("a", "three"), Message("b", "one")]
        translation = catalogue.parsed('msgctxt "a"\nmsgid "one"\nmsgstr "eins"\n\nmsgctxt "a"\nmsgid "two"\nmsgstr ""\n\n'
                                       '#, fuzzy\nmsgctxt "a"\nmsgid "three"\nmsgstr "drei"\n')
        self.assertEqual(extract.counts(messages, translation), {"a": (1, 3), "b": (0, 1)})


class Translations(unittest.TestCase):
    def wrong(self, english, translation):
        return extract.wrong(Message("c", english, translation))

    def test_a_translation_with_the_same_places_is_right(self):
        for english, translation in (("{n:sum} of {a?b {c}|d}", "{c} {a?e} {n}"), ("{place|the x}{ in <block>}", "{（<block>）}{place|乙}"),
                                     ("{amount:,} of {limit:KiB}", "{limit:KiB} {amount:,}"), ("{x}", "")):
            self.assertEqual(self.wrong(english, translation), "")

    def test_places_that_are_missing_or_mistyped_are_named(self):
        self.assertIn("{naem} is no place", self.wrong("{name}", "{naem}"))
        self.assertIn("{n} is missing", self.wrong("{n:sum} of {a}", "{a}"))
        self.assertIn("{a?} is missing", self.wrong("{a?b|c} {n}", "{n}"))
        self.assertIn("without its", self.wrong("{n}", "{n"))


if __name__ == "__main__":
    unittest.main()
