"""What the site's pages and scripts say in the words of its language: the texts that translations need, besides the pages' own."""
from __future__ import annotations

from ..language import N_, Translator

TEXTS = (
    # the parts of the navigation, and what stands around a page
    N_("Start"), N_("Labs"), N_("Reference"), N_("Teaching"), N_("Contributing"), N_("More"), N_("Hints"),
    N_("Skip to the text"), N_("Menu"), N_("The whole site"), N_("Search ( / )"), N_("Search"), N_("Search results"), N_("Pages"), N_("Language"),
    N_("On this page"), N_("Previous"), N_("Next"), N_("Neighbouring pages"), N_("Edit this page"), N_("This file in the repository"),
    N_("A file of {lab}."), N_("The English page is newer than this translation."),
    N_("What you tick and answer is kept in this browser."), N_("Forget it"),
    # questions and hints
    N_("Hints for TODO({todo})"), N_("Questions that a number answers"), N_("Question."), N_("Answer"), N_("The answer is {answer}."), N_("Check"), N_("✓ Right."), N_("✗ Not yet."),
    N_("'{typed}' is not a number. Type one like 8, 0.5, 3/4, 1024 or 2^10."), N_("'{typed}' is not a number that can be an answer."),
    N_("'{typed}' ends with '{rest}'. The answer is a number of {unit}: type the number alone."),
    N_("'{typed}' ends with '{rest}'. The answer is a number without a unit: type the number alone."),
    # what the scripts add
    N_("{done} of {all}"), N_("Your progress: {ticked} of {sections} sections ticked, {right} of {questions} questions answered."),
    N_("Your progress: {ticked} of {sections} sections ticked."), N_("Done"), N_("Read"),
    N_("Theme: auto"), N_("Theme: light"), N_("Theme: dark"), N_("Copy"), N_("Copied"), N_("Not allowed"), N_("Text to copy"),
    N_("Nothing has all these words."), N_("{count} sections; the first {most}:"), N_("{count} sections:"), N_("1 section:"),
)


def in_language(say: Translator) -> dict[str, str]:
    """The texts by their English ones, as far as the two differ."""
    return {text: told for text in TEXTS if (told := say(text)) != text}
