"""./warpbook site --see: the examples are built and run on the simulator, and their pages are part of the site.

  test_see.py SOURCE_DIR BUILD_ROOT [unittest arguments]

BUILD_ROOT is the folder in which the presets' builds lie. Files of the build are brought up to date; the build's lock is held by
`./warpbook test`, of which this is a part, and not asked for.
"""
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

SOURCE, BUILD_ROOT = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(SOURCE / "common"))

from command import cli  # noqa: E402


class Examples(unittest.TestCase):
    def test_each_has_a_page_that_shows_what_it_says(self):
        with tempfile.TemporaryDirectory(prefix="warpbook-test-") as folder:
            out = pathlib.Path(folder) / "site"
            said = io.StringIO()
            with (mock.patch("command.build.Build.locked", lambda self: contextlib.nullcontext()), contextlib.redirect_stdout(said),
                  mock.patch.dict(os.environ, {"WARPBOOK_BUILD": BUILD_ROOT, "WARPBOOK_BACKEND": "sim", "WARPBOOK_LANGUAGE": "en"})):
                cli.dispatch(["site", "--see", "--out", str(out)], str(SOURCE))
            self.assertIn(f"The site: {out}/index.html", said.getvalue())
            listed = (out / "docs/examples.html").read_text(encoding="utf-8")
            programs = sorted(SOURCE.glob("docs/examples/see_*.cu"))
            self.assertGreater(len(programs), 1)
            for program in programs:
                page = (out / f"see/{program.stem}.html").read_text(encoding="utf-8")
                self.assertIn(f"../see/{program.stem}.html", listed)
                self.assertIn(program.name, page)
            strides = (out / "see/see_strides.html").read_text(encoding="utf-8")
            self.assertIn("every_second", strides)
            self.assertIn("shared-race", (out / "see/see_race.html").read_text(encoding="utf-8"))
            self.assertNotIn("shared-race", strides)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
