"""./warpbook check LAB --questions: asks a lab's questions, one after the other on a terminal; else prints them and takes answers."""
from __future__ import annotations

import json
import shutil
import sys

from . import language, questions, record
from .language import _
from .problem import NOT_YET, SUCCESS, Problem
from .questions import Question
from .workbook import Lab, Workbook


def questions_of(lab: Lab) -> list[Question]:
    """The lab's questions. Raises Problem where it has none, or the file is broken."""
    try:
        found = questions.read(lab.folder, lab.kept_starter.read_text(encoding="utf-8") if lab.kept_starter.exists() else None,
                               language.current())
    except questions.Broken as broken:
        raise Problem(str(broken)) from broken
    if not found:
        raise Problem(_("{lab} has no questions: there is no {file}.", lab=lab.name, file=f"labs/{lab.name}/{questions.FILE}"))
    return found


def is_answered(noted: record.Record, lab: Lab, question: Question) -> bool:
    """Whether the last answer that was noted is right. It is judged again, because the question may have changed since."""
    given = noted.answers(lab, question.id)
    return bool(given) and questions.judge(question, given[-1]).right


def heading(number: int, total: int, question: Question) -> str:
    if question.todo:
        return _("Question {number} of {total}, TODO({todo}): {name}", number=number, total=total, todo=question.todo, name=question.id)
    return _("Question {number} of {total}: {name}", number=number, total=total, name=question.id)


def paragraph(text: str, width: int) -> str:
    """`text` filled to `width`; as it is where no terminal gives one."""
    return "\n".join(language.wrapped(text, max(width, 20))) if width else text


def told(question: Question, value: float, width: int = 0) -> str:
    """The feedback on an answer."""
    judgement = questions.judge(question, value)
    return paragraph(language.joined([_("✓ Right.") if judgement.right else _("✗ Not yet."), judgement.why]), width)


def take(workbook: Workbook, lab: Lab, question: Question, value: float) -> None:
    with record.kept(workbook) as noted:
        noted.note_answer(lab, question.id, value)


def answers_given(words: list[str], known: list[Question]) -> list[tuple[Question, float]]:
    """The answers of `--answer ID=VALUE`. Raises Problem."""
    by_id = {question.id: question for question in known}
    found = []
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise Problem(_("--answer {word}: write ID=VALUE, as in {example}", word=word, example=f"--answer {known[0].id}=1"))
        if name.strip() not in by_id:
            raise Problem(_("There is no question '{name}'.", name=name), [_("The questions are: {names}", names=", ".join(by_id))])
        question = by_id[name.strip()]
        try:
            found.append((question, questions.number_of(text, *question.units)))
        except questions.NotANumber as error:
            raise Problem(f"{name}: {error}") from None
    return found


def as_document(lab: Lab, chosen: list[Question], noted: record.Record, given: list[tuple[Question, float]]) -> dict:
    """The questions without their answers, and what the answers of this call came to."""
    return {"lab": lab.name,
            "questions": [{"id": each.id, "todo": each.todo, "ask": each.ask, "unit": each.unit,
                           "answered": is_answered(noted, lab, each), "answers": noted.answers(lab, each.id)} for each in chosen],
            "answers": [{"id": each.id, "value": value, "right": judgement.right, "why": judgement.why}
                        for each, value in given for judgement in [questions.judge(each, value)]]}


def list_of(lab: Lab, chosen: list[Question], noted: record.Record) -> list[str]:
    """The questions, as they are printed where nothing can be typed."""
    lines = []
    for number, question in enumerate(chosen, 1):
        done = _(", answered") if is_answered(noted, lab, question) else ""
        lines += [heading(number, len(chosen), question) + done, f"  {questions.asked(question)}", ""]
    return [*lines, _("Answer with {command}", command=f"./warpbook check {lab.number} --questions --answer ID=VALUE")]


def interview(workbook: Workbook, lab: Lab, chosen: list[Question]) -> int:
    """Asks on the terminal. An empty line goes on to the next question, and the end of input (Ctrl-D) ends."""
    width = min(shutil.get_terminal_size().columns, 100)
    print(paragraph(_("{lab}: 1 question. No points depend on it. Ctrl-D ends.", lab=lab.name) if len(chosen) == 1 else
                    _("{lab}: {count} questions. No points depend on them. An empty line goes on to the next one, Ctrl-D ends.", lab=lab.name, count=len(chosen)), width))
    answered, ended = 0, False
    for number, question in enumerate(chosen, 1):
        print(f"\n{heading(number, len(chosen), question)}\n{paragraph(question.ask, width)}")
        right = False
        while not right and not ended:
            try:
                text = input(f"{question.unit or _('answer')}> ")
            except EOFError:
                print()
                ended = True
                break
            if not text.strip():
                break
            try:
                value = questions.number_of(text, *question.units)
            except questions.NotANumber as error:
                print(paragraph(str(error), width))
                continue
            take(workbook, lab, question, value)
            print(told(question, value, width))
            right = questions.judge(question, value).right
        answered += right
        if ended:
            break
    left = len(chosen) - answered
    counts = {"right": answered, "all": len(chosen)}
    print("\n" + (_("{right} of {all} answered right; {command} asks the other {left} again.", **counts, left=left, command=f"./warpbook check {lab.number} --questions") if left else
                  _("{right} of {all} answered right.", **counts)))
    return NOT_YET if left else SUCCESS


def run(workbook: Workbook, arguments) -> int:
    lab = workbook.lab(arguments.lab)
    if arguments.file or arguments.watched or arguments.format != "text":
        raise Problem(_("--questions asks the lab's questions and grades nothing: it goes with --todo, --all, --json and --answer only."))
    known = questions_of(lab)
    given = answers_given(arguments.answer, known)
    for question, value in given:
        take(workbook, lab, question, value)
    noted = record.Record(workbook)
    chosen = [each for each in known if arguments.todo in (None, each.todo)]
    if not chosen:
        raise Problem(_("{lab} has no question about TODO({todo}).", lab=lab.name, todo=arguments.todo),
                      [_("It has some about the TODOs {numbers}.", numbers=", ".join(map(str, sorted({each.todo for each in known if each.todo}))))])
    status = NOT_YET if any(not questions.judge(each, value).right for each, value in given) else SUCCESS
    if arguments.json:
        print(json.dumps(as_document(lab, chosen, noted, given), indent=2, ensure_ascii=False))
        return status
    if given:
        for question, value in given:
            print(f"{question.id} = {questions.shown(value)}\n{told(question, value)}")
        return status
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(*list_of(lab, chosen, noted), sep="\n")
        return SUCCESS
    open_ones = chosen if arguments.all else [each for each in chosen if not is_answered(noted, lab, each)]
    if not open_ones:
        print(_("You have answered all {count} questions. --all asks them again.", count=len(chosen)))
        return SUCCESS
    return interview(workbook, lab, open_ones)
