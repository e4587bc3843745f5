"""A page for each student: what each item came to, why it failed, where, and what to read. HTML and Markdown say the same.

Nothing of another student stands here, nor the class's seed, nor a value that ./warpbook check does not show.
"""
from __future__ import annotations

import dataclasses
import functools
import pathlib
import re
import shutil

from .. import lab_facts, render, results
from ..results import ItemResult, number
from . import pages
from .harmless import shown
from .journal import PUBLIC_SEED
from .model import NOT_BEGUN, Graded, HandIn, Mark, total
from .pictures import Picture
from .texts import markdown, markdown_block

MOST_DETAILS = 40  # lines of one failure
MOST_TEXT = 4000  # characters of a reason, or of a line of details
MOST_QUOTED = 3  # places of one failure
AROUND = 2  # lines before and after a quoted one
MOST_WIDTH = 160  # characters of a quoted line

STATES = {"passed": "passed", "failed": "failed", "skipped": "skipped", "undecided": "not judged"}


@dataclasses.dataclass(frozen=True)
class Quote:
    """Lines of the hand-in, the first one's number, and which of them are meant."""

    first: int
    lines: list[str]
    meant: int


@dataclasses.dataclass(frozen=True)
class Trouble:
    """Why the items of `titles` failed."""

    titles: list[str]
    reason: str
    details: list[str]
    quotes: list[Quote]
    reads: list[str]
    diagnosis: str
    picture: Picture | None


@dataclasses.dataclass(frozen=True)
class Row:
    """An item of the table. `state` is one word or two, `kind` its colour: good, bad, wait or quiet."""

    item: str
    todo: str
    points: str
    state: str
    kind: str


@dataclasses.dataclass(frozen=True)
class LabPart:
    """What a page says of one lab."""

    mark: Mark
    title: str
    facts: list[tuple[str, str]]
    rows: list[Row]
    troubles: list[Trouble]


def lab_title(mark_or_lab) -> str:
    lab = getattr(mark_or_lab, "lab", mark_or_lab)
    return f"Lab {lab.number}: {lab.facts.title}"


def share(mark: Mark) -> float:
    """The points by what is possible, 0 to 1."""
    return mark.points / mark.max_points if mark.max_points else 0


def points(mark: Mark) -> str:
    return f"{mark.points} of {mark.max_points}" if not mark.is_open else "no" if mark.excused else "not decided"


def worth(mark: Mark) -> str:
    return f"{points(mark)}{'' if mark.is_held else ' points'}"


def all_points(marks: list[Mark]) -> str:
    """What a person's marks come to, in words; of labs that have none it is said."""
    decided, waiting = [mark for mark in marks if not mark.is_open], [mark.lab.number for mark in marks if mark.is_held]
    got, most = total(decided)
    said = [f"{got} of {most} points"] if decided else []
    said += [f"lab {', '.join(waiting)} {'is' if len(waiting) == 1 else 'are'} not decided"] if waiting else []
    return "; ".join(said) or "excused"


def own_name(hand_in: HandIn) -> str:
    """What the student calls the file."""
    return pathlib.PurePosixPath(hand_in.shown).name or hand_in.lab.starter.name


def told(text: str, hand_in: HandIn | None) -> str:
    """`text` as the student is to read it: the graded copy has the name of the student's file."""
    text = text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"
    if hand_in is not None:
        for path in (str(hand_in.file), str(hand_in.file.resolve())):
            text = text.replace(path, own_name(hand_in))
        if hand_in.file.name != own_name(hand_in):
            text = re.sub(rf"(?<![\w.-]){re.escape(hand_in.file.name)}(?![\w-])", lambda _: own_name(hand_in), text)
    return shown(text.expandtabs(4), lines=True)


@functools.lru_cache(maxsize=8)
def _lines_of(file: pathlib.Path) -> tuple[str, ...]:
    try:
        return tuple(file.read_text(encoding="utf-8", errors="replace").split("\n"))
    except OSError:
        return ()


def quotes_of(result: ItemResult, hand_in: HandIn | None) -> list[Quote]:
    """The places in the hand-in that a failure names. A #line in the file may make them wrong, so that names must agree."""
    if hand_in is None:
        return []
    lines = _lines_of(hand_in.file)
    names = {hand_in.file.name, own_name(hand_in)}
    meant = [place["line"] for place in result.places
             if isinstance(place.get("line"), int) and pathlib.PurePosixPath(str(place.get("file"))).name in names]
    meant += [detail["line"] for detail in result.details if pathlib.PurePosixPath(detail.get("file", "")).name in names]
    found = []
    for line in list(dict.fromkeys(line for line in meant if 1 <= line <= len(lines)))[:MOST_QUOTED]:
        if any(quote.first <= line < quote.first + len(quote.lines) for quote in found):
            continue
        first, last = max(line - AROUND, 1), min(line + AROUND, len(lines))
        found.append(Quote(first, [shown(text.rstrip("\r").expandtabs(4))[:MOST_WIDTH] for text in lines[first - 1:last]], line))
    return found


def _reads(result: ItemResult, lab) -> list[str]:
    """Where to read on, in sentences."""
    reads = [f"labs/{lab.name}/{lab_facts.page_of_section(lab.folder, section).name}, '{section}'." for section in result.sections]
    todo = result.cause
    if todo and not result.lacks_function:
        section = results.hint_place(lab.folder / "hints.md", result.function, todo)
        place = f" They stand in labs/{lab.name}/hints.md, '{section}'." if section else ""
        reads.append(f"Hints, one at a time: ./warpbook hint {lab.number} --todo {todo}.{place}")
    return reads


def _trouble(titles: list[str], result: ItemResult, mark: Mark, pictures: dict[tuple[str, str], Picture]) -> Trouble:
    details = [told(line, mark.hand_in) for line in result.lines[:MOST_DETAILS]]
    reason = told(result.reason, mark.hand_in)
    if len(result.lines) > MOST_DETAILS:
        details.append(f"… {len(result.lines) - MOST_DETAILS} more lines: ./warpbook check {mark.lab.number} FILE --json has them all")
    picture = pictures.get((mark.hand_in.id, result.function)) if mark.hand_in and result.can_be_seen else None
    return Trouble(titles, reason, details, quotes_of(result, mark.hand_in), _reads(result, mark.lab),
                   result.diagnoses[0] if result.diagnoses else "", picture)


def _rows(mark: Mark) -> list[Row]:
    verdict = mark.verdict
    if verdict is None or verdict.build_failure:
        return []
    several = {result.item: result for result in verdict.results}
    rows = []
    for score in verdict.scores():
        result = several[score.item]
        state, kind = STATES[score.status], {"passed": "good", "failed": "bad"}.get(score.status, "wait")
        if score.status == "failed" and not score.begun:
            state, kind = "not begun", "quiet"
        elif score.cause:
            state += f", for TODO({score.cause})"
        worth = f"{number(score.points)} of {number(score.max_points)}" if score.max_points else "none"
        rows.append(Row(score.item, f"TODO({result.task})" if result.task else "", worth, state, kind))
    return rows


def part_of(graded: Graded, mark: Mark, pictures: dict[tuple[str, str], Picture]) -> LabPart:
    """What a page says of one lab."""
    hand_in, verdict = mark.hand_in, mark.verdict
    own_due = graded.rules.own_due(mark.person, mark.lab)
    facts = [("Due", own_due)] if own_due else []
    if hand_in and mark.is_held:
        return LabPart(mark, lab_title(mark), [*facts, ("Files", shown(hand_in.all_shown))], [], [])
    if hand_in:
        facts.append(("File", shown(hand_in.shown)))
        late = "late" if graded.rules.is_late(mark) else ""
        if hand_in.submitted or late:
            when = graded.rules.when(hand_in.submitted) if hand_in.submitted else ""
            facts.append(("Handed in", ", ".join(filter(None, [when, late]))))
        if hand_in.sha256:
            facts.append(("SHA-256", f"{hand_in.sha256[:16]}…"))
        if hand_in.others:
            facts.append(("Instead of", ", ".join(shown(each) for each in hand_in.others)))
    if verdict and not verdict.build_failure and mark.raw != mark.points and not mark.is_open:
        facts.append(("The rubric's points", f"{mark.raw} of {mark.raw_max}"))
    troubles = []
    if hand_in and hand_in.fault:
        troubles.append(Trouble([], told(hand_in.fault.sentence, hand_in), [], [], [], hand_in.fault.id, None))
    elif verdict and verdict.build_failure:
        troubles.append(_trouble([], verdict.build_failure, mark, pictures))
    elif verdict:
        several = len({result.backend for result in verdict.results}) > 1
        failures = results.to_explain([result for result in verdict.failures if result.graded])
        troubles += [_trouble(titles, result, mark, pictures) for titles, result in render.grouped(failures, several)]
    return LabPart(mark, lab_title(mark), facts, _rows(mark), troubles)


def _summary(part: LabPart) -> str:
    """What became of the lab, in one sentence."""
    mark = part.mark
    if mark.hand_in is None or mark.is_open:
        return shown(mark.missing)
    if mark.verdict is None or mark.verdict.build_failure or mark.hand_in.fault:
        items = len(mark.verdict.scores()) if mark.verdict else 0
        if items and mark.why_no_file:
            return f"{told(mark.why_no_file, mark.hand_in)} So none of the {items} items was run."
        return f"The file could not be built, so that none of the {items} items was run." if items else "The file could not be graded."
    if mark.undecided:
        return "An item ended without a verdict. That is no fault of your file; it will be graded again."
    lost, open_ = (sum(row.kind == kind for row in part.rows) for kind in ("bad", "quiet"))
    if mark.not_begun:
        return NOT_BEGUN
    said = [f"{lost} of {len(part.rows)} items {'has' if lost == 1 else 'have'} failed."] if lost else []
    said += [f"{open_} of {len(part.rows)} {'is' if open_ == 1 else 'are'} not begun."] if open_ else []
    return " ".join(said) or "Every item has passed."


def how_to_ask(graded: Graded) -> list[str]:
    """The page's last words: how to see it at home, and what to say in a question."""
    lines = ["To see a failure at home: ./warpbook check LAB FILE judges the same file by the same items."]
    if graded.seed != PUBLIC_SEED:
        lines.append("For this grading other inputs were drawn than at home, so that a program that is right for some inputs alone may pass there.")
    contact = graded.rules.contact
    lines.append(f"If you think that a point is wrong, ask{' ' + contact if contact else ''}: name the lab, the item and the first"
                 " characters of the file's SHA-256, which says what version was graded.")
    return lines


def parts_of(graded: Graded, person, pictures: dict[tuple[str, str], Picture]) -> list[LabPart]:
    return [part_of(graded, mark, pictures) for mark in graded.of(person)]


def html_page(graded: Graded, person, pictures: dict[tuple[str, str], Picture]) -> str:
    parts = parts_of(graded, person, pictures)
    text = pages.text
    body = [f"<h1>Feedback for {text(person.name)}</h1>",
            f'<p class="big">{text(all_points(graded.of(person)))}</p>']
    rows = [[f'<a href="#lab-{part.mark.lab.number}">{text(part.title)}</a>', text(points(part.mark)),
             pages.bar(share(part.mark), ""), text(_summary(part))] for part in parts]
    body.append(pages.table(["Lab", "Points", "", "State"], rows, right=(1,)))
    for part in parts:
        mark = part.mark
        body.append(f'<h2 id="lab-{mark.lab.number}">{text(part.title)}: {text(worth(mark))}</h2>')
        body.append(f"<p>{text(_summary(part))}</p>")
        body += [f'<p class="note">{text(note)}</p>' for note in mark.notes]
        if part.facts:
            facts = "<br>".join(f"{text(name)}: <code>{text(value)}</code>" for name, value in part.facts)
            body.append(f'<p class="quiet">{facts}</p>')
        if part.rows:
            body.append(pages.table(["Item", "TODO", "Points", "Result"], [
                [text(row.item), f'<span class="tight">{text(row.todo)}</span>', f'<span class="tight">{text(row.points)}</span>',
                 f'<span class="{row.kind}">{text(row.state)}</span>'] for row in part.rows], right=(2,)))
        drawn: set[str] = set()
        for trouble in part.troubles:
            body += _html_trouble(trouble, drawn)
    said = graded.rules.sentences(graded.labs)
    if said:
        body += ["<h2>The course's rules</h2>", pages.listed([text(line) for line in said])]
    body += ["<h2>Questions</h2>", *(f"<p>{text(line)}</p>" for line in how_to_ask(graded))]
    return pages.document(f"Feedback for {person.name}", body)


def _html_trouble(trouble: Trouble, drawn: set[str]) -> list[str]:
    """`drawn` are the functions that have their picture above."""
    text = pages.text
    body = []
    if trouble.titles:
        body.append("<h3>" + "<br>".join(f'<span class="bad">✗</span> {text(title)}' for title in trouble.titles) + "</h3>")
    body += [f"<p>{text(line)}</p>" for line in trouble.reason.splitlines()]
    for quote in trouble.quotes:
        width = len(str(quote.first + len(quote.lines) - 1))
        rows = [f"{line:>{width}} | {text(content)}" for line, content in enumerate(quote.lines, quote.first)]
        rows[quote.meant - quote.first] = f"<mark>{rows[quote.meant - quote.first]}</mark>"
        body.append("<pre>" + "\n".join(rows) + "</pre>")
    if trouble.details:
        body.append('<pre class="said">' + "\n".join(text(line) for line in trouble.details) + "</pre>")
    if trouble.picture and trouble.picture.function not in drawn:
        drawn.add(trouble.picture.function)
        body += _html_picture(trouble.picture)
    if trouble.reads:
        body.append(pages.listed([text(line) for line in trouble.reads]))
    if trouble.diagnosis:
        body.append(f'<p class="quiet">Diagnosis: <code>{text(trouble.diagnosis)}</code></p>')
    return body


def _html_picture(picture: Picture) -> list[str]:
    text = pages.text
    linked = pages.link(picture.page, f"The page that shows every access of {picture.function}")
    if not picture.light:
        return [f"<p>{linked}.</p>"]
    source = "data:image/svg+xml;base64,"
    dark = f'<source media="(prefers-color-scheme: dark)" srcset="{source}{picture.dark}">' if picture.dark else ""
    words = f"One request of {picture.function}, in the call {picture.call}"
    drawn = f'<picture>{dark}<img src="{source}{picture.light}" alt="{text(words)}"></picture>'
    return [f'<figure class="drawn"><div class="wide">{drawn}</div>'
            f"<figcaption>{text(words)}, with the inputs of ./warpbook see. {linked}.</figcaption></figure>"]


def markdown_page(graded: Graded, person, pictures: dict[tuple[str, str], Picture]) -> str:
    parts = parts_of(graded, person, pictures)
    lines = [f"# Feedback for {markdown(person.name)}", "", f"**{all_points(graded.of(person))}**", "",
             "| Lab | Points | State |", "| --- | ---: | --- |"]
    lines += [f"| {markdown(part.title)} | {points(part.mark)} | {markdown(_summary(part))} |" for part in parts]
    for part in parts:
        lines += ["", f"## {markdown(part.title)}: {worth(part.mark)}", "", markdown(_summary(part))]
        for note in part.mark.notes:
            lines += ["", f"> {markdown(note)}"]
        if part.facts:
            lines += ["", *(f"- {markdown(name)}: {markdown(value)}" for name, value in part.facts)]
        if part.rows:
            lines += ["", "| Item | TODO | Points | Result |", "| --- | --- | ---: | --- |"]
            lines += [f"| {markdown(row.item)} | {markdown(row.todo)} | {row.points} | {markdown(row.state)} |" for row in part.rows]
        drawn: set[str] = set()
        for trouble in part.troubles:
            lines += ["", *_markdown_trouble(trouble, drawn)]
    said = graded.rules.sentences(graded.labs)
    if said:
        lines += ["", "## The course's rules", "", *(f"- {markdown(line)}" for line in said)]
    lines += ["", "## Questions"]
    for line in how_to_ask(graded):
        lines += ["", markdown(line, is_ours=True)]
    return "\n".join([*lines, ""])


def _markdown_trouble(trouble: Trouble, drawn: set[str]) -> list[str]:
    lines = []
    for title in trouble.titles:
        lines += [f"### ✗ {markdown(title)}", ""]
    for line in trouble.reason.splitlines():
        lines += [markdown(line), ""]
    for quote in trouble.quotes:
        rows = [f"{'>' if at == quote.meant else ' '} {at:>4} | {content}" for at, content in enumerate(quote.lines, quote.first)]
        lines += [*markdown_block(rows), ""]
    if trouble.details:
        lines += [*markdown_block(trouble.details), ""]
    if trouble.picture and trouble.picture.function not in drawn:
        drawn.add(trouble.picture.function)
        if trouble.picture.file:
            lines += [f"![One request of {markdown(trouble.picture.function)}]({trouble.picture.file})", ""]
        lines += [f"[Every access of {markdown(trouble.picture.function)}]({trouble.picture.page})", ""]
    lines += [f"- {markdown(read)}" for read in trouble.reads]
    if trouble.diagnosis:
        lines += ["", f"Diagnosis: {markdown(trouble.diagnosis)}"]
    return lines


def write(graded: Graded, out: pathlib.Path, pictures: dict[tuple[str, str], Picture]) -> None:
    """feedback/FOLDER/index.html and feedback.md for each person. A folder of an earlier run goes, if no one here is called so any more, and so does a
    picture that is none of this one's."""
    folders = {person.folder for person in graded.class_.people}
    for page in (out / "feedback").glob("*/feedback.md"):
        if page.parent.name not in folders:
            shutil.rmtree(page.parent)
    for person in graded.class_.people:
        folder = out / "feedback" / person.folder
        folder.mkdir(parents=True, exist_ok=True)
        own = {name for mark in graded.of(person) if mark.hand_in for (id_, _), picture in pictures.items() if id_ == mark.hand_in.id for name in (picture.page, picture.file)}
        for path in folder.glob("[0-9][0-9]-*.*"):
            if path.name not in own:
                path.unlink()
        (folder / "index.html").write_text(html_page(graded, person, pictures), encoding="utf-8")
        (folder / "feedback.md").write_text(markdown_page(graded, person, pictures), encoding="utf-8")
