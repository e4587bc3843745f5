"""The questions of a lab, which a number answers: what its labs/NN-name/questions.json holds, and what an answer comes to.

Standard library only. website/answers.js judges answers on the site by the same rules.
"""
from __future__ import annotations

import dataclasses
import math
import pathlib
import re

from . import lab_facts, language, regions
from .language import _

FILE = "questions.json"

Broken = lab_facts.Broken  # a sentence about what is wrong with a file of questions


@dataclasses.dataclass(frozen=True)
class Wrong:
    """A wrong answer with a reason of its own: the value, and why it is not the answer."""

    value: float
    why: str


@dataclasses.dataclass(frozen=True)
class Question:
    id: str
    ask: str
    answer: float
    why: str             # shown after the right answer
    otherwise: str       # shown after a wrong answer that `wrong` does not list
    todo: int = 0        # the TODO that it is about; 0: none
    unit: str = ""       # of the answer, as a reader would write it behind the number
    tolerance: float = 0  # an answer is right if it differs by at most so much, in the same unit
    wrong: list[dict] = dataclasses.field(default_factory=list)

    @property
    def mistakes(self) -> list[Wrong]:
        return [Wrong(**each) for each in self.wrong]

    @property
    def units(self) -> tuple[str, ...]:
        """The units that may stand behind an answer; the first is shown."""
        return (self.unit,)


@dataclasses.dataclass(frozen=True)
class Translated(Question):
    """A question in another language: its answer may have the English unit, too."""

    english_unit: str = ""

    @property
    def units(self) -> tuple[str, ...]:
        return (self.unit, self.english_unit)


@dataclasses.dataclass(frozen=True)
class Judgement:
    right: bool
    why: str


class NotANumber(Exception):
    """A sentence about an answer that cannot be read."""


def near(a: float, b: float, tolerance: float) -> bool:
    """Whether two numbers differ by at most `tolerance`, or by less than a reader can type."""
    return abs(a - b) <= tolerance + 1e-9 * max(1.0, abs(a), abs(b))


def judge(question: Question, value: float) -> Judgement:
    """What the answer `value` comes to, and the text to show for it. The listed mistake that is nearest counts."""
    if near(value, question.answer, question.tolerance):
        return Judgement(True, question.why)
    mistakes = [each for each in question.mistakes if near(value, each.value, question.tolerance)]
    if mistakes:
        return Judgement(False, min(mistakes, key=lambda each: abs(value - each.value)).why)
    return Judgement(False, question.otherwise)


_NUMBER = re.compile(r"([+-]?)(\d[\d,_]*\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,3}))?")
_GROUPS = re.compile(r"[1-9]\d{0,2}(,\d{3})+(\.\d*)?")


def _one(text: str) -> tuple[float, str]:
    """The number at the start of `text`, and what follows it."""
    match = _NUMBER.match(text)
    if not match:
        raise ValueError
    sign, digits, exponent = match.groups()
    digits = digits.replace("_", "")
    if "," in digits:
        if _GROUPS.fullmatch(digits):  # 1,024
            digits = digits.replace(",", "")
        elif digits.count(",") == 1 and "." not in digits:  # 0,5
            digits = digits.replace(",", ".")
        else:
            raise ValueError
    return float(f"{sign}{digits}e{exponent or 0}"), text[match.end():].strip()


def asked(question: Question) -> str:
    """The question, with the unit of its answer."""
    return question.ask + (language.current().aside.format(question.unit) if question.unit else "")


#: The full-width forms of ASCII's signs, as Chinese keyboards type them, and signs that stand for others.
_ASCII = {**{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}, ord("−"): "-", ord("×"): "*"}


def number_of(text: str, *units: str) -> float:
    """The number that a reader typed: 8, 1,024, 0.5, 0,5, 1e6, 3/4, 2^10, with or without one of the units. Raises NotANumber."""
    plain, unit = text.strip().translate(_ASCII), units[0] if units else ""
    try:
        value, rest = _one(plain)
        if rest.startswith("/"):
            below, rest = _one(rest[1:].strip())
            value /= below
        elif rest.startswith(("^", "**")):
            power, rest = _one(rest.lstrip("^*").strip())
            value = value ** power
    except OverflowError:
        value, rest = math.inf, ""
    except ZeroDivisionError:  # 0^-1 is too large, and 1/0 is none
        value, rest = math.inf if "/" not in plain else math.nan, ""
    except ValueError:
        value, rest = math.nan, ""
    if isinstance(value, float) and math.isnan(value):
        raise NotANumber(_("'{typed}' is not a number. Type one like 8, 0.5, 3/4, 1024 or 2^10.", typed=text.strip()))
    if isinstance(value, complex) or not math.isfinite(value):
        raise NotANumber(_("'{typed}' is not a number that can be an answer.", typed=text.strip()))
    if _plain_unit(rest) not in {"", *map(_plain_unit, units)}:
        raise NotANumber(_("'{typed}' ends with '{rest}'. The answer is a number of {unit}: type the number alone.", typed=text.strip(), rest=rest, unit=unit) if unit
                         else _("'{typed}' ends with '{rest}'. The answer is a number without a unit: type the number alone.", typed=text.strip(), rest=rest))
    return value


def _plain_unit(unit: str) -> str:
    """A unit for comparison: 'sector' is as good as 'sectors', and 扇区 as good as 个扇区, with its measure word."""
    return re.sub(r"^[个次条块组]|(?<=\w)s$", "", re.sub(r"\s+", " ", unit.strip().lower().rstrip(".。"))).strip()


def shown(value: float) -> str:
    """A number as a reader writes it: 8 and not 8.0."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def read(folder: pathlib.Path, starter: str | None = None, spoken: language.Language = language.ENGLISH) -> list[Question]:
    """The questions of the lab in `folder`; none if it has no file of them. `starter` is the text of the lab's starter: its TODOs are
    those that questions can be about. What `spoken` has a translation of is in that language. Raises Broken."""
    found = _read(folder / FILE, starter)
    translated = folder / language.translated_name(FILE, spoken)
    if spoken == language.ENGLISH or not found or not translated.is_file():
        return found
    own = {question.id: question for question in _read(translated, starter)}
    return [_in_words_of(question, own[question.id]) if question.id in own else question for question in found]


def _in_words_of(question: Question, translation: Question) -> Question:
    """A question with a translation's texts; what is right and wrong, its own file says. A wrong answer without a translation keeps its text."""
    texts = {wrong.value: wrong.why for wrong in translation.mistakes}
    wrong = [{"value": each.value, "why": texts.get(each.value, each.why)} for each in question.mistakes]
    texts_of = {"ask": translation.ask, "unit": translation.unit, "why": translation.why, "otherwise": translation.otherwise, "wrong": wrong}
    return Translated(**{**vars(question), **texts_of}, english_unit=question.unit)


def _read(path: pathlib.Path, starter: str | None) -> list[Question]:
    if not path.exists():
        return []
    said = lab_facts.document(path)
    if not isinstance(said, dict) or list(said) != ["questions"] or not isinstance(said["questions"], list):
        raise Broken(f'{path} is not a JSON object with the one key "questions", which is a list.')
    if not said["questions"]:
        raise Broken(f"{path} has no question. Delete the file if the lab has none.")
    found: list[Question] = []
    todos = None if starter is None else {region.number for region in regions.regions(starter)}
    for place, each in enumerate(said["questions"], 1):
        where = f"{path}, question {place}"
        if not isinstance(each, dict):
            raise Broken(f"{where} is not an object.")
        if isinstance(each.get("id"), str):
            where = f"{path}, question {place} ('{each['id']}')"
        question = lab_facts.make(Question, each, where)
        _check(question, where, todos)
        if any(other.id == question.id for other in found):
            raise Broken(f"{where}: another question has the same 'id'. Answers are kept by it.")
        found.append(question)
    return found


def _check(question: Question, where: str, todos: set[int] | None) -> None:
    """Raises Broken if the parts of a question do not fit together."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", question.id):
        raise Broken(f"{where}: 'id' is not made of lower-case words with - between them.")
    for key in ("ask", "why", "otherwise"):
        if not getattr(question, key).strip():
            raise Broken(f"{where}: '{key}' is empty.")
    if todos is not None and question.todo and question.todo not in todos:
        raise Broken(f"{where}: 'todo' is {question.todo}, and the starter's TODOs are {', '.join(map(str, sorted(todos)))}.")
    if not math.isfinite(question.answer) or not math.isfinite(question.tolerance) or question.tolerance < 0:
        raise Broken(f"{where}: 'answer' has to be finite, and 'tolerance' finite and not below 0.")
    seen: list[float] = []
    for place, each in enumerate(question.wrong, 1):
        here = f"{where}, wrong answer {place}"
        wrong = lab_facts.make(Wrong, each, here)
        if not wrong.why.strip():
            raise Broken(f"{here}: 'why' is empty.")
        if not math.isfinite(wrong.value):
            raise Broken(f"{here}: 'value' is not finite.")
        if near(wrong.value, question.answer, question.tolerance):
            raise Broken(f"{here}: {shown(wrong.value)} counts as right, because the answer is {shown(question.answer)} "
                         f"with a tolerance of {shown(question.tolerance)}.")
        if any(near(wrong.value, other, 0) for other in seen):
            raise Broken(f"{here}: {shown(wrong.value)} is listed twice.")
        seen.append(wrong.value)
