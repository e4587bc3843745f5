"""./warpbook site [--serve] [--see] [--out DIR]: the workbook's texts as a site that works from disk and from any web server."""
from __future__ import annotations

import functools
import http.server
import pathlib
import re
import shutil
import subprocess

from . import install, machine_setup
from .probe import output_of
from .problem import NOT_YET, SUCCESS, Problem
from .workbook import Workbook

MARKER = ".warpbook-site"  # in a folder that site made, and may make again


def _git(root: pathlib.Path, *arguments: str) -> str:
    return (output_of(["git", "-C", str(root), *arguments], stderr=subprocess.DEVNULL) or "").strip()


def web_address(remote: str) -> str:
    """The address of a repository in a browser, of what git calls its remote: on GitHub, or what begins with https. "" for others."""
    match = re.fullmatch(r"(?:git@github\.com:|ssh://git@github\.com/|https?://(?:[^/@]*@)?github\.com/)([^/]+/[^/]+?)(?:\.git)?/?", remote)
    return f"https://github.com/{match[1]}" if match else ""


def repository_of(workbook: Workbook, address: str | None, branch: str | None):
    """Where 'Edit this page' leads."""
    from .website.book import Repository

    if address is not None and address and not re.fullmatch(r"https?://[^\s\"<>]+", address):
        raise Problem(f"--repository {address}: write the address that a browser opens, such as https://github.com/owner/warpbook")
    found = address if address is not None else web_address(_git(workbook.root, "remote", "get-url", "origin"))
    head = branch or _git(workbook.root, "rev-parse", "--abbrev-ref", "HEAD")
    return Repository(found.rstrip("/"), head if head and head != "HEAD" else "main")


def seen(workbook: Workbook) -> dict[str, pathlib.Path]:
    """Pages as of `./warpbook sim --see`, of the documents' examples, by the programs that they show, which are built and run now."""
    from . import cli, see, sim

    pages = {}
    for program in sorted((workbook.root / "docs/examples").glob("see_*.cu")):
        page = workbook.build_root / "see" / f"{program.stem}.html"
        trace = page.with_suffix(".jsonl")
        said = sim.traced(workbook, cli.parser_of_all()[1]["sim"].parse_args([str(program)]), trace)
        if not see.has_accesses(trace):
            raise Problem(f"{workbook.shown(program)} has accessed no memory, so that there is nothing to draw. It said last:", ["  " + line for line in said])
        see.write_page(workbook, [trace], page)
        pages[program.relative_to(workbook.root).as_posix()] = page
    return pages


def write(files: dict[str, bytes], out: pathlib.Path) -> None:
    """Writes a site's files to `out`, which is a new folder, an empty one, or a site that was made before and is replaced."""
    if out.exists() and not out.is_dir():
        raise Problem(f"{out} is a file, and the site is a folder.")
    if out.is_dir() and any(out.iterdir()):
        if not (out / MARKER).exists():
            raise Problem(f"{out} holds other things than a site that ./warpbook site has made; it is left as it is.", ["Name a new folder with --out."])
        shutil.rmtree(out)
    for name, data in {**files, MARKER: b""}.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def serve(workbook: Workbook, out: pathlib.Path, port: int) -> None:
    """Shows the site to this machine's browsers until Ctrl-C."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(out))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise Problem(f"Port {port} cannot be used: {error.strerror}.", ["Choose another one with --port."]) from None
    with server:
        print(f"Serving it at http://127.0.0.1:{server.server_port}/ until Ctrl-C.", flush=True)
        server.serve_forever()


def run(workbook: Workbook, arguments) -> int:
    try:
        from .website.book import Book
    except ModuleNotFoundError as missing:
        raise Problem(f"The site needs the Python package {missing.name}, which newer versions of rich bring along.",
                      ["This line installs it:", "  " + install.pip_line(machine_setup.typed_build_folder(workbook.root), "rich matplotlib markdown-it-py pygments")]) from None
    out = pathlib.Path(arguments.out) if arguments.out else workbook.build_root / "site"
    book = Book(workbook, repository_of(workbook, arguments.repository, arguments.branch), seen(workbook) if arguments.see else None)
    write(book.files(), out)
    print(f"The site: {workbook.shown(out)}/index.html, {len(book.pages) + len(book.seen)} pages, which open in any browser.")
    if book.problems:
        print(*["Links that lead nowhere:", *(f"  {problem}" for problem in book.problems)], sep="\n")
    if arguments.serve:
        serve(workbook, out, arguments.port)
    return NOT_YET if book.problems else SUCCESS
