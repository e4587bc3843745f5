"""The page of a notebook: its cells one after the other, as Markdown, with a link that opens it in Colab."""
from __future__ import annotations

import json

_GITHUB, _COLAB = "https://github.com/", "https://colab.research.google.com/github/"


def opening(source: str, repository) -> str:
    """How the notebook `source` is run. `repository` is where the workbook lies on the web: a book.Repository."""
    file = repository.file(source)
    if not file.startswith(_GITHUB):
        return f"This page shows the notebook `{source}`. To run its cells, open it in Jupyter, in VS Code or in Colab."
    return (f"This page shows the notebook `{source}`. To run its cells, [open it in Colab]({_COLAB}{file.removeprefix(_GITHUB)}), where `REPOSITORY` is "
            f"`{repository.address}`, or in Jupyter or VS Code from your copy of the workbook.")


def page(notebook: str, source: str, repository) -> str:
    """The notebook `source`, whose text is `notebook`, as Markdown. How it is run stands below its first cell."""
    parts = []
    for cell in json.loads(notebook)["cells"]:
        text = "".join(cell["source"]).rstrip("\n")
        if cell["cell_type"] == "code":
            text = f"```{'' if text.startswith('%') else 'python'}\n{text}\n```"
        parts.append(text)
    return "\n\n".join([*parts[:1], opening(source, repository), *parts[1:]]) + "\n"
