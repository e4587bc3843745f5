"""./warpbook check LAB --questions: what a file of questions may hold, what an answer comes to, and how they are asked."""
import json
import unittest

from fakes import ROOT, Scratch
from learner import LearnersWorkbook
from small_workbook import needs_machine

from command import give_out, language, questions
from command.questions import Broken, NotANumber, Question
from command.workbook import Workbook

SECTORS = {"id": "sectors-at-stride-2", "todo": 2, "ask": "How many sectors does a request touch at stride 2?", "unit": "sectors",
           "answer": 8, "tolerance": 0, "why": "32 floats at 8 bytes apart span 256 bytes.",
           "wrong": [{"value": 4, "why": "4 is the least, for neighbouring floats."}, {"value": 16, "why": "16 is that of doubles."}],
           "otherwise": "Count the bytes, then the sectors."}
SHARE = {"id": "share-used", "todo": 1, "ask": "Which share of the bytes is used?", "answer": 0.5, "tolerance": 0.01,
         "why": "Every second float is used.", "otherwise": "Divide what is used by what is moved."}
STARTER = "// TODO(1): a\n// END TODO(1)\n// TODO(2): b\n// END TODO(2)\n"


def written(*each: dict) -> str:
    return json.dumps({"questions": list(each)})


class Reading(Scratch):
    def read(self, text: str) -> "list[Question]":
        return questions.read(self.write("labs/01-scan/questions.json", text).parent, STARTER)

    def broken(self, text: str) -> str:
        with self.assertRaises(Broken) as caught:
            self.read(text)
        self.assertIn("labs/01-scan/questions.json", str(caught.exception))
        return str(caught.exception)

    def changed(self, **values) -> str:
        return written({key: value for key, value in {**SECTORS, **values}.items() if value is not None})

    def test_a_lab_without_the_file_has_none(self):
        self.assertEqual(questions.read(self.folder), [])

    def test_what_may_be_left_out_has_a_default(self):
        first, second = self.read(written(SECTORS, SHARE))
        self.assertEqual((first.todo, first.unit, first.answer, [each.value for each in first.mistakes]), (2, "sectors", 8, [4, 16]))
        self.assertEqual((second.unit, second.wrong, second.tolerance), ("", [], 0.01))

    def test_a_broken_file_is_a_sentence_with_the_place(self):
        self.assertIn("is not JSON", self.broken("{"))
        for text in ("[]", "{}", '{"questions": {}}', '{"questions": [], "more": 1}'):
            self.assertIn('is not a JSON object with the one key "questions"', self.broken(text))
        self.assertIn("has no question", self.broken(written()))
        self.assertIn("question 1 is not an object", self.broken('{"questions": [3]}'))
        self.assertIn("question 1 ('sectors-at-stride-2') lacks 'answer'", self.broken(self.changed(answer=None)))
        self.assertIn("question 1 ('sectors-at-stride-2') has the key 'hint'; it can have id, ask, answer", self.broken(self.changed(hint="x")))
        self.assertIn("'answer' is not a number", self.broken(self.changed(answer="8")))
        self.assertIn("'answer' is not a number", self.broken(self.changed(answer=True)))
        self.assertIn("'todo' is 3, and the starter's TODOs are 1, 2", self.broken(self.changed(todo=3)))
        self.assertIn("'id' is not made of", self.broken(self.changed(id="Sectors 2")))
        self.assertIn("'why' is empty", self.broken(self.changed(why=" ")))
        self.assertIn("'tolerance' finite and not below 0", self.broken(self.changed(tolerance=-1)))
        self.assertIn("'answer' has to be finite", self.broken(self.changed(answer=float("nan"))))
        self.assertIn("question 2 ('sectors-at-stride-2'): another question has the same 'id'", self.broken(written(SECTORS, SECTORS)))

    def test_a_wrong_answer_has_to_be_wrong_and_listed_once(self):
        self.assertIn("wrong answer 1 lacks 'why'", self.broken(self.changed(wrong=[{"value": 4}])))
        self.assertIn("wrong answer 2: 4 is listed twice", self.broken(self.changed(wrong=[{"value": 4, "why": "a"}, {"value": 4.0, "why": "b"}])))
        self.assertIn("wrong answer 1: 7 counts as right, because the answer is 8 with a tolerance of 1",
                      self.broken(self.changed(tolerance=1, wrong=[{"value": 7, "why": "a"}])))


class Judging(unittest.TestCase):
    def judged(self, said: dict, value: float) -> tuple:
        judgement = questions.judge(Question(**said), value)
        return judgement.right, judgement.why

    def test_right_a_listed_mistake_and_otherwise(self):
        self.assertEqual(self.judged(SECTORS, 8), (True, SECTORS["why"]))
        self.assertEqual(self.judged(SECTORS, 4), (False, "4 is the least, for neighbouring floats."))
        self.assertEqual(self.judged(SECTORS, 16), (False, "16 is that of doubles."))
        self.assertEqual(self.judged(SECTORS, 7.99), (False, SECTORS["otherwise"]))

    def test_the_tolerance_holds_at_its_edges_and_the_nearest_mistake_counts(self):
        self.assertEqual([self.judged(SHARE, value)[0] for value in (0.489, 0.49, 0.51, 0.511)], [False, True, True, False])
        close = {**SHARE, "tolerance": 0.1, "wrong": [{"value": 0.7, "why": "a"}, {"value": 0.8, "why": "b"}]}
        self.assertEqual([self.judged(close, value)[1] for value in (0.74, 0.76)], ["a", "b"])

    def test_numbers_as_readers_type_them(self):
        for text, value in (("8", 8), (" 8.0 ", 8), ("-3", -3), ("−3", -3), ("+3", 3), (".5", 0.5), ("0,5", 0.5), ("1,024", 1024), ("1,024.5", 1024.5),
                            ("0,125", 0.125), ("12,34", 12.34), ("1_024", 1024), ("1e3", 1000), ("3/4", 0.75), ("3 / 4", 0.75), ("2^10", 1024), ("2**-1", 0.5)):
            self.assertEqual(questions.number_of(text), value, text)

    def test_the_unit_may_stand_behind_and_another_one_is_refused(self):
        for text in ("8 sectors", "8sectors", "8 Sector", "8 sectors.", "８", "８ ｓｅｃｔｏｒｓ"):
            self.assertEqual(questions.number_of(text, "sectors"), 8, text)
        for text in ("8", "8个", "8 个扇区", "8扇区。", "８个 扇区", "8 sectors"):
            self.assertEqual(questions.number_of(text, "扇区", "sectors"), 8, text)
        self.assertEqual(questions.number_of("１２．５％", "%"), 12.5)
        for text, units in (("8 个字节", ("扇区", "sectors")), ("8 扇区", ("sectors",)), ("8 s", ()), ("8 s", ("sectors",))):
            with self.assertRaises(NotANumber, msg=text):
                questions.number_of(text, *units)
        with self.assertRaisesRegex(NotANumber, "'256 bytes' ends with 'bytes'. The answer is a number of sectors"):
            questions.number_of("256 bytes", "sectors")
        with self.assertRaisesRegex(NotANumber, "without a unit"):
            questions.number_of("50 %")

    def test_what_is_no_number_is_refused(self):
        for text in ("", "eight", "1,2,3", "1/0", "1e999", "--3", "nan", "inf", "(-8)", "-8^0.5", "10^999"):
            with self.assertRaises(NotANumber, msg=text):
                questions.number_of(text)

    def test_whole_numbers_are_shown_as_such(self):
        self.assertEqual([questions.shown(value) for value in (8, 8.0, 0.5, 1e20)], ["8", "8", "0.5", "1e+20"])


class InAnotherLanguage(Scratch):
    def test_the_question_has_its_own_texts_and_takes_both_units(self):
        self.write("labs/01-scan/questions.json", written(SECTORS, SHARE))
        folder = self.write("labs/01-scan/questions.zh.json", written({**SECTORS, "ask": "多少个扇区？", "unit": "扇区", "answer": 9})).parent
        first, second = questions.read(folder, STARTER, language.ALL["zh"])
        self.assertEqual((first.ask, first.unit, first.units, first.answer), ("多少个扇区？", "扇区", ("扇区", "sectors"), 8))
        self.assertEqual((second.ask, second.units), (SHARE["ask"], ("",)))


class OfTheLabs(unittest.TestCase):
    def test_the_questions_of_every_lab_are_in_order_and_given_out(self):
        for lab in Workbook(ROOT).labs():
            with self.subTest(lab=lab.name):
                questions.read(lab.folder, lab.kept_starter.read_text(encoding="utf-8"))  # raises Broken
                self.assertFalse(give_out.is_left_out(f"labs/{lab.name}/{questions.FILE}"))


@needs_machine
class Asking(LearnersWorkbook):
    def setUp(self) -> None:
        super().setUp()
        self.file = self.starter.with_name("questions.json")
        self.file.write_text(written(SECTORS, SHARE))
        self.break_the_grader()

    def ask(self, *options: str, status: int = 0) -> str:
        got, out, err = self.warpbook("check", "1", "--questions", *options)
        self.assertEqual((got, err), (status, ""), out)
        return out

    def refusal(self, *options: str) -> str:
        status, out, err = self.warpbook("check", "1", *options)
        self.assertEqual((status, out), (2, ""))
        return err

    def test_without_a_terminal_the_questions_are_printed_without_their_answers(self):
        self.assertEqual(self.ask(), "Question 1 of 2, TODO(2): sectors-at-stride-2\n  How many sectors does a request touch at stride 2? (sectors)\n\n"
                                     "Question 2 of 2, TODO(1): share-used\n  Which share of the bytes is used?\n\n"
                                     "Answer with ./warpbook check 01 --questions --answer ID=VALUE\n")
        self.assertNotIn("stride-2", self.ask("--todo", "1"))

    def test_answers_are_judged_and_kept(self):
        self.assertEqual(self.ask("--answer", "sectors-at-stride-2=4", status=1), "sectors-at-stride-2 = 4\n✗ Not yet. 4 is the least, for neighbouring floats.\n")
        out = self.ask("--answer", "sectors-at-stride-2=8 sectors", "--answer", "share-used=1/2")
        self.assertEqual(out, f"sectors-at-stride-2 = 8\n✓ Right. {SECTORS['why']}\nshare-used = 0.5\n✓ Right. {SHARE['why']}\n")
        self.assertIn("Question 1 of 2, TODO(2): sectors-at-stride-2, answered\n", self.ask())
        self.assertEqual(json.loads((self.root / "build/checks.json").read_text())["labs"]["01"]["answers"], {"sectors-at-stride-2": [4, 8], "share-used": [0.5]})

    def test_an_answer_is_judged_again_where_the_question_has_changed(self):
        self.ask("--answer", "sectors-at-stride-2=8")
        self.file.write_text(written({**SECTORS, "answer": 9}))
        self.assertNotIn(", answered", self.ask())

    def test_json_has_the_questions_the_journal_and_the_verdicts_but_no_answers(self):
        said = json.loads(self.ask("--json", "--answer", "share-used=0.7", status=1))
        self.assertEqual(said["answers"], [{"id": "share-used", "value": 0.7, "right": False, "why": SHARE["otherwise"]}])
        self.assertEqual([(each["id"], each["unit"], each["answered"], each["answers"]) for each in said["questions"]],
                         [("sectors-at-stride-2", "sectors", False, []), ("share-used", "", False, [0.7])])
        self.assertNotIn(SECTORS["why"], json.dumps(said))

    def test_what_cannot_be_answered_is_refused_and_not_kept(self):
        self.assertEqual(self.refusal("--questions", "--answer", "stride=8"), "There is no question 'stride'.\nThe questions are: sectors-at-stride-2, share-used\n")
        self.assertIn("write ID=VALUE", self.refusal("--questions", "--answer", "8"))
        self.assertIn("sectors-at-stride-2: 'x' is not a number", self.refusal("--questions", "--answer", "share-used=0.5", "--answer", "sectors-at-stride-2=x"))
        self.assertIn("goes with --questions", self.refusal("--answer", "share-used=0.5"))
        self.assertIn("grades nothing", self.refusal(str(self.starter), "--questions"))
        self.assertIn("no question about TODO(7).\nIt has some about the TODOs 1, 2.", self.refusal("--questions", "--todo", "7"))
        self.assertFalse((self.root / "build/checks.json").exists())
        self.file.write_text("{")
        self.assertIn("questions.json is not JSON", self.refusal("--questions"))
        self.file.unlink()
        self.assertEqual(self.refusal("--questions"), "01-coalescing has no questions: there is no labs/01-coalescing/questions.json.\n")

    def test_on_a_terminal_they_come_one_after_the_other(self):
        with self.terminal("check", "1", "--questions") as shown:
            self.assertIn("How many sectors", shown.until("sectors> "))
            shown.type("many\n")
            self.assertIn("'many' is not a number", shown.until("sectors> "))
            shown.type("4\n")
            self.assertIn("✗ Not yet. 4 is the least", shown.until("sectors> "))
            shown.type("8\n")
            self.assertIn("✓ Right. 32 floats", shown.until("Question 2 of 2"))
            shown.until("answer> ")
            shown.type("\n")  # goes on
            shown.until("1 of 2 answered right; ./warpbook check 01 --questions asks the other 1 again")
            self.assertEqual(shown.end(), 1)
        with self.terminal("check", "1", "--questions") as shown:  # what is answered is not asked again
            self.assertNotIn("sectors-at-stride-2", shown.until("Question 1 of 1.*\n(.|\n)*answer> "))
            shown.type("0.5\n")
            shown.until("1 of 1 answered right")
            self.assertEqual(shown.end(), 0)
        with self.terminal("check", "1", "--questions") as shown:
            shown.until("You have answered all 2 questions")
            self.assertEqual(shown.end(), 0)

    def test_all_asks_again_and_the_end_of_input_ends(self):
        self.ask("--answer", "sectors-at-stride-2=8", "--answer", "share-used=0.5")
        with self.terminal("check", "1", "--questions", "--all", columns=40) as shown:
            shown.until("sectors> ")
            shown.type("\x04")
            shown.until("0 of 2 answered right")
            self.assertEqual(shown.end(), 1)
        self.assertLessEqual(max(map(len, shown.text[shown.text.index("How many"):].splitlines()[:2])), 40)


if __name__ == "__main__":
    unittest.main()
