"""Which hand-ins look alike, and the page that shows them."""
import html.parser
import json
import pathlib
import random
import re
import subprocess
import unittest
from unittest import mock

from fakes import ROOT, Scratch

from command.classroom import likeness
from command.classroom.model import Fault, HandIn, Person
from command.problem import Problem
from command.regions import regions, with_region
from command.workbook import Lab, Workbook

WORKBOOK = Workbook(ROOT)
LABS = WORKBOOK.labs()
PYTHON = likeness.interpreter(WORKBOOK)
NEEDS_LIBRARY = unittest.skipUnless(PYTHON, "no Python here has copydetect")

#: Three ways to write lab 01, by students who have not met, as the bodies of TODO 1 to 5.
ANNA = ("""const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[offset + i] += T{1};""",
        """const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; // my number
  if (k >= n) return;
  a[k * stride] += T{1};""",
        """const std::size_t shift_in = past_boundary(in), shift_out = past_boundary(out);
  if (shift_in != shift_out) { copy<float>(out, in, n); return; }
  std::size_t before = shift_in == 0 ? 0 : (16 - shift_in) / 4;
  if (before > n) before = n;
  copy<float>(out, in, before);
  const std::size_t fours = (n - before) / 4;
  copy<float4>(out + before, in + before, fours);
  const std::size_t done = before + fours * 4;
  copy<float>(out + done, in + done, n - done);""",
        """const std::size_t p = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (p < n) {
    const float4 first = reinterpret_cast<const float4*>(particles + p)[0];
    const float4 second = reinterpret_cast<const float4*>(particles + p)[1];
    x[p] = first.x + dt * second.x;
    y[p] = first.y + dt * second.y;
    z[p] = first.z + dt * second.z;
  }""",
        """const std::size_t column = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (column < cols) {
    float total = 0.0f;
    for (std::size_t row = 0; row < rows; row++) total += matrix[row * cols + column];
    sums[column] = total;
  }""")
BELA = ("""auto me = threadIdx.x + std::size_t(blockDim.x) * blockIdx.x;
  if (me >= n) return;
  T* target = a + offset;
  target[me] = target[me] + 1;""",
        """auto me = threadIdx.x + std::size_t(blockDim.x) * blockIdx.x;
  while (me < n) { a[stride * me]++; me += std::size_t(gridDim.x) * blockDim.x; }""",
        """std::size_t i = 0;
  std::uintptr_t at = reinterpret_cast<std::uintptr_t>(in), to = reinterpret_cast<std::uintptr_t>(out);
  if ((at ^ to) & 15) { i = n; } else { while (i < n && ((at + 4 * i) & 15) != 0) ++i; }
  if (i) copy<float>(out, in, i);
  std::size_t rest = (n - i) & 3, middle = n - i - rest;
  if (middle) copy<float4>(out + i, in + i, middle >> 2);
  if (rest) copy<float>(out + n - rest, in + n - rest, rest);""",
        """auto me = threadIdx.x + std::size_t(blockDim.x) * blockIdx.x;
  if (me >= n) return;
  auto both = (const float4*)&particles[me];
  float4 place = both[0]; float4 speed = both[1];
  place.x += speed.x * dt; place.y += speed.y * dt; place.z += speed.z * dt;
  x[me] = place.x; y[me] = place.y; z[me] = place.z;""",
        """auto me = threadIdx.x + std::size_t(blockDim.x) * blockIdx.x;
  if (me >= cols) return;
  const float* top = matrix + me;
  float s = 0; std::size_t left = rows;
  while (left-- > 0) { s += *top; top += cols; }
  sums[me] = s;""")


def written(lab: Lab, bodies) -> str:
    """The lab's starter with these bodies of its TODOs."""
    text = lab.kept_starter.read_text(encoding="utf-8")
    for number, body in enumerate(bodies, 1):
        text = with_region(text, number, f"// TODO({number}): x\n  {body}\n// END TODO({number})")
    return text


def renamed(text: str, lab: Lab) -> str:
    """A copy whose names, comments and blanks are changed within the TODOs."""
    lines = text.splitlines()
    for region in regions(text):
        body = "\n".join(lines[region.first:region.last])
        body = re.sub(r"//.*", "", body)
        for name in set(re.findall(r"\b(?:size_t|auto|float4|float|T\*|int|unsigned)\s+([a-z]\w*)", body)) - {"x", "y", "z"}:
            body = re.sub(rf"\b{name}\b", f"the_{name}_of_mine", body)
        body = body.replace("  ", "\t").replace(" = ", "=").replace(" * ", "*") + "\n  // all my own work"
        text = with_region(text, region.number, f"// TODO({region.number}): x\n{body}\n// END TODO({region.number})")
    return text


class Class(Scratch):
    def hand_in(self, name: str, text: str, lab: Lab = LABS[0], **more) -> HandIn:
        file = self.write(f"{name}.cu", "")
        file.write_bytes(text.encode("utf-8", errors="surrogateescape"))
        return HandIn(Person(name, name.title()), lab, file, f"{name}.cu", **more)

    def compared(self, *hand_ins: HandIn) -> likeness.Comparison:
        return likeness.comparison(list(hand_ins), LABS[0], PYTHON)


class Team(Class):
    def test_the_one_file_of_a_team_is_not_compared_with_itself(self):
        members = [self.hand_in(name, written(LABS[0], ANNA)) for name in ("anna", "bela")]
        for member in members:
            member.shown = "lab-01-team/coalescing.cu"
        with mock.patch.object(likeness, "_run", side_effect=AssertionError):
            self.assertEqual(likeness.comparison(members, LABS[0], "python3").pairs, [])


@NEEDS_LIBRARY
class Likenesses(Class):
    def test_a_copy_with_other_names_comments_and_blanks_is_the_whole_file(self):
        anna = written(LABS[0], ANNA)
        found = self.compared(self.hand_in("anna", anna), self.hand_in("carl", renamed(anna, LABS[0])),
                              self.hand_in("bela", written(LABS[0], BELA)))
        self.assertEqual([(pair.likeness.first, pair.likeness.second) for pair in found.pairs], [("01.anna", "01.carl")])
        self.assertGreater(found.pairs[0].likeness.share_of_first, 0.97)
        self.assertGreater(found.pairs[0].likeness.lines, 20)
        self.assertLess(found.pairs[0].same, found.pairs[0].own / 3)  # letter by letter it is another file

    def test_a_copy_in_digraphs_is_the_whole_file(self):
        anna = written(LABS[0], ANNA)
        lines = [line if line.lstrip().startswith(("#", "//")) else line.replace("{", "<%").replace("}", "%>").replace("[", "<:").replace("]", ":>")
                 for line in anna.splitlines(keepends=True)]
        found = self.compared(self.hand_in("anna", anna), self.hand_in("carl", "".join(lines)), self.hand_in("bela", written(LABS[0], BELA)))
        self.assertEqual([(pair.likeness.first, pair.likeness.second) for pair in found.pairs], [("01.anna", "01.carl")])
        self.assertGreater(found.pairs[0].likeness.share_of_first, 0.97)

    def test_two_students_who_have_not_met_are_not_listed(self):
        found = self.compared(self.hand_in("anna", written(LABS[0], ANNA)), self.hand_in("bela", written(LABS[0], BELA)))
        self.assertEqual(found.pairs, [])

    def test_most_of_a_copy_is_found_where_the_rest_is_ones_own(self):
        mixed = written(LABS[0], (*ANNA[:4], BELA[4]))
        found = self.compared(self.hand_in("anna", written(LABS[0], ANNA)), self.hand_in("carl", renamed(mixed, LABS[0])))
        self.assertEqual(len(found.pairs), 1)
        self.assertLess(found.pairs[0].likeness.share_of_first, 0.97)

    def test_the_workbooks_right_files_are_not_alike(self):
        """Whoever solves a task in a style of their own is not listed with the solution or with another style."""
        for lab in LABS:
            files = [WORKBOOK.solution(lab), *sorted((ROOT / "common/tests/accepted" / lab.name).glob("*.cu"))]
            hand_ins = [self.hand_in(f"{lab.number}-{number}", file.read_text(encoding="utf-8"), lab)
                        for number, file in enumerate(files) if file.exists()]
            with self.subTest(lab.name):
                self.assertEqual(likeness.comparison(hand_ins, lab, PYTHON).pairs, [])

    def test_starters_are_not_alike_and_a_line_or_two_are_too_little(self):
        starter = LABS[0].kept_starter.read_text(encoding="utf-8")
        first = with_region(starter, 1, f"// TODO(1): x\n{ANNA[0]}\n// END TODO(1)")
        found = self.compared(*(self.hand_in(f"s{number}", text) for number, text in enumerate((starter, starter, first, first))))
        self.assertEqual((found.pairs, found.short, found.compared), ([], 4, 0))

    def test_what_the_whole_class_writes_does_not_count(self):
        """Forty students write the same three tasks in the same way; two of them have the other two tasks in common as well."""
        random.seed(5)
        texts = []
        for number in range(40):
            own = [f"float u{each} = {random.random():.7f}f {random.choice('+-*/')} {random.choice(['dt', 'x[0]', 'z[1]'])}; "
                   f"if (u{each} > {random.randrange(9)}) "
                   f"y[{random.randrange(99)}] {random.choice(['+=', '-=', '*='])} u{each};" for each in range(8)]
            texts.append(written(LABS[0], (ANNA[0], ANNA[1], ANNA[2], "\n".join(own), BELA[4])))
        texts[30] = renamed(texts[3], LABS[0])
        found = self.compared(*(self.hand_in(f"s{number}", text) for number, text in enumerate(texts)))
        self.assertEqual([(pair.likeness.first, pair.likeness.second) for pair in found.pairs], [("01.s3", "01.s30")])

    def test_the_same_class_gives_the_same_result(self):
        mixed = written(LABS[0], (*BELA[:2], *ANNA[2:]))
        hand_ins = [self.hand_in("anna", written(LABS[0], ANNA)), self.hand_in("carl", renamed(mixed, LABS[0])),
                    self.hand_in("dora", written(LABS[0], ANNA))]
        self.assertEqual(self.compared(*hand_ins), self.compared(*hand_ins))

    def test_passages_are_the_places_that_both_have(self):
        anna = written(LABS[0], ANNA)
        pair = self.compared(self.hand_in("anna", anna), self.hand_in("carl", "// é\r\n" + renamed(anna, LABS[0]))).pairs[0]
        for side, name in ((0, "shift_in"), (1, "the_shift_in_of_mine")):
            shown = "".join(pair.texts[side][begin:end] for _, begin, end in pair.passages[side])
            self.assertIn(f"(16 - {name}) / 4", shown)
        self.assertEqual({number for number, _, _ in pair.passages[0]}, {number for number, _, _ in pair.passages[1]})

    def test_files_that_cannot_be_graded_are_left_out_and_hostile_ones_cost_themselves_alone(self):
        anna = written(LABS[0], ANNA)
        link = self.hand_in("link", "")
        link.file.unlink()
        link.file.symlink_to("/dev/zero")
        found = self.compared(self.hand_in("anna", anna), self.hand_in("long", anna + "x" * 300_000), link, self.hand_in("carl", anna),
                              self.hand_in("empty", "", fault=Fault("empty-file", "It is empty.")),
                              self.hand_in("bytes", anna + "\udcff\udcfe\x00"),
                              self.hand_in("brackets", "(" * 60_000 + '"' * 60_000))
        self.assertEqual({(pair.likeness.first, pair.likeness.second) for pair in found.pairs},
                         {("01.anna", "01.carl"), ("01.anna", "01.bytes"), ("01.carl", "01.bytes")})
        self.assertEqual([name for name, _ in found.unread], ["01.long"])

    def test_attempts_of_one_student_are_not_compared_with_each_other(self):
        anna = written(LABS[0], ANNA)
        before = self.hand_in("before", anna, version=1)
        before.person = Person("anna", "Anna")
        found = self.compared(before, self.hand_in("anna", anna), self.hand_in("carl", renamed(anna, LABS[0])))
        self.assertEqual([(pair.likeness.first, pair.likeness.second) for pair in found.pairs], [("01.anna", "01.carl")])

    def test_one_hand_in_alone_is_like_none(self):
        anna = self.hand_in("anna", written(LABS[0], ANNA))
        self.assertEqual(likeness.comparison([anna], LABS[0]).pairs, [])
        with mock.patch.object(likeness, "interpreter", return_value=PYTHON):
            self.assertEqual(likeness.comparison([anna, self.hand_in("carl", written(LABS[0], ANNA))], LABS[0]).pairs[0].likeness.share_of_second, 1.0)


class Page(Class):
    def comparison(self, *names: str) -> likeness.Comparison:
        text = written(LABS[0], ANNA) + "<script>alert(1)</script> \x1b[31m\u202e&amp;\n"
        begin = text.index("copy<float>(out, in, before)")
        hand_ins = [self.hand_in(name, text) for name in names]
        said = {"files": [0, 1], "shares": [1.0, 0.8], "passages": [[[0, begin, begin + 60]], [[0, begin, begin + 60]]]}
        given = set(likeness._lines(LABS[0].kept_starter.read_text(encoding="utf-8")))
        return likeness.Comparison(LABS[0], 2, [likeness._pair(*hand_ins, said, given)], 3, [("01.x", "it is too long")], 2)

    def page(self) -> str:
        found = self.comparison("anna", "bela")
        return likeness.page([found], {"01.anna": Person("anna", "Ann <b>\u202e\x1b[2JA"), "01.bela": Person("bela", "Bélà 王")})

    def test_no_text_of_a_hand_in_or_name_is_markup(self):
        page = self.page()
        self.assertNotIn("<script", page)
        self.assertNotIn("<b>", page)
        self.assertIn("&lt;script&gt;", page)
        self.assertTrue(all(character.isprintable() or character == "\n" for character in page), "control characters")
        self.assertNotRegex(page, r"(?:src|href)=\"(?!#)")
        self.assertIn("default-src 'none'", page)

    def test_both_sides_have_the_shared_passages_in_one_colour_and_the_starters_lines_none(self):
        page = self.page()
        sides = re.findall(r"<section>.*?</section>", page, re.S)
        self.assertEqual(len(sides), 2)
        for side in sides:
            marked = re.findall(r'<mark class="(c\d)">(?:<sup>(\d+)</sup>)?([^<]*)', side)
            self.assertEqual({colour for colour, _, _ in marked}, {"c0"})
            self.assertEqual([number for _, number, _ in marked if number], ["1"])
            self.assertIn("copy&lt;float&gt;(out, in, before)", marked[0][2])
            self.assertIn('<span class="given">template &lt;typename T&gt;</span>', side)

    def test_it_is_well_formed_and_says_what_the_number_means(self):
        opened = []

        class Reader(html.parser.HTMLParser):
            def handle_starttag(self, tag, attrs):
                if tag not in ("meta", "br", "img"):
                    opened.append(tag)

            def handle_endtag(self, tag):
                assert opened and opened.pop() == tag, tag

        page = self.page()
        Reader(convert_charrefs=True).feed(page)
        self.assertEqual(opened, [])
        for words in ("proves nothing", "Short tasks look alike by nature", "75%", "3 more are above", "it is too long",
                      "2 more have less than"):
            self.assertIn(words, page)

    def test_without_a_likeness_the_page_says_so(self):
        self.assertIn("no pair shares 75% or more", likeness.page([likeness.Comparison(LABS[0], 5, [], 0, [])], {}))


class WithoutTheLibrary(Class):
    def test_a_sentence_says_the_line_that_installs_it_and_grading_goes_on(self):
        with mock.patch.object(likeness, "interpreter", return_value=""):
            found, notes = likeness.look(WORKBOOK, [], LABS, self.folder / "likeness.html")
            self.assertEqual(found, [])
            self.assertRegex(notes[0], r"^Likeness was not looked at.*\n"
                                       r"  python3 -m venv \S+/venv && \S+/venv/bin/pip install copydetect==[\d.]+$")
            self.assertFalse((self.folder / "likeness.html").exists())
            with self.assertRaises(Problem):
                likeness.comparison([], LABS[0])

    def test_a_comparison_that_fails_costs_a_sentence(self):
        hand_ins = [self.hand_in(name, "int a;") for name in ("anna", "bela")]
        broken = self.write("python", "#!/bin/sh\necho broken >&2; exit 1\n")
        broken.chmod(0o755)
        with mock.patch.object(likeness, "interpreter", return_value=str(broken)):
            found, notes = likeness.look(WORKBOOK, hand_ins, LABS[:1], self.folder / "likeness.html")
        self.assertEqual(found, [])
        self.assertIn("Likeness was not looked at", notes[0])

    def test_the_worker_is_run_with_hashes_that_are_the_same_every_time(self):
        nothing = mock.Mock(stdout=json.dumps({"pairs": [], "left": 0, "unread": {}, "short": []}))
        with mock.patch.object(subprocess, "run", return_value=nothing) as run:
            likeness.comparison([self.hand_in(name, "int a;") for name in ("anna", "bela")], LABS[0], "python3")
        self.assertEqual(run.call_args.kwargs["env"]["PYTHONHASHSEED"], "0")
        given = json.loads(run.call_args.kwargs["input"])["given"]
        self.assertEqual([pathlib.Path(path).name for path in given], ["coalescing.cu.starter", "lab.hpp"])


if __name__ == "__main__":
    unittest.main()
