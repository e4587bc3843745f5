"""What the site's pages and scripts say in the words of its language: the texts that translations need, besides the pages' own."""
from __future__ import annotations

from ..language import Translator


def _(english: str) -> str:
    """Marks a text for the catalogue of messages; a page says it in its own language."""
    return english


TEXTS = (
    # the parts of the navigation, and what stands around a page
    _("Start"), _("Labs"), _("Reference"), _("Teaching"), _("Contributing"), _("More"), _("Hints"),
    _("Skip to the text"), _("Menu"), _("The whole site"), _("Search ( / )"), _("Search"), _("Search results"), _("Pages"), _("Language"),
    _("On this page"), _("Previous"), _("Next"), _("Neighbouring pages"), _("Edit this page"), _("This file in the repository"),
    _("A file of {lab}."), _("The English page is newer than this translation."),
    _("What you tick and answer is kept in this browser."), _("Forget it"),
    # questions and hints
    _("Hints for TODO({todo})"), _("Questions that a number answers"), _("Question."), _("Answer"), _("{answer}."), _("Check"), _("✓ Right."), _("✗ Not yet."),
    _("'{typed}' is not a number. Type one like 8, 0.5, 3/4, 1024 or 2^10."), _("'{typed}' is not a number that can be an answer."),
    _("'{typed}' ends with '{rest}'. The answer is a number of {unit}: type the number alone."),
    _("'{typed}' ends with '{rest}'. The answer is a number without a unit: type the number alone."),
    # what the scripts add
    _("{done} of {all}"), _("Your progress: {ticked} of {sections} sections ticked, {right} of {questions} questions answered."),
    _("Your progress: {ticked} of {sections} sections ticked."), _("Done"), _("Read"),
    _("Theme: auto"), _("Theme: light"), _("Theme: dark"), _("Copy"), _("Copied"), _("Not allowed"), _("Text to copy"),
    _("Nothing has all these words."), _("{count} sections; the first {most}:"), _("{count} sections:"), _("1 section:"),
)


def in_language(say: Translator) -> dict[str, str]:
    """The texts by their English ones, as far as the two differ."""
    return {text: told for text in TEXTS if (told := say(text)) != text}
