"""What an instructor may want to look at in a hand-in: unusual imports of its module, and unusual code of its source.

A remark costs no points and proves nothing. What is usual is data, usual.json: what the workbook's own solutions, steps, mutants
and accepted files include and import, and beyond them what serves computing alone. A test keeps both lists true.
"""
from __future__ import annotations

import bisect
import dataclasses
import functools
import json
import pathlib
import re
import stat
import struct
import unicodedata

from .model import HandIn, Remark

MOST_BYTES = 1_000_000      # of a source, as intake has it
MOST_OF_A_KIND = 5          # remarks of one kind for one hand-in
LONGEST_LINE = 400          # characters
WIDEST_GAP = 60             # spaces between code and code of one line
FIRST_FUNCTIONS = 3         # entries of .init_array in every module: the C library's, the simulator's, the hooks'

_USUAL = pathlib.Path(__file__).with_name("usual.json")


@functools.cache
def usual() -> dict:
    """usual.json: `imports` and `headers` are lists that the workbook's own files give; `more_imports` are patterns of whole
    names, and `more_headers` a list, of what serves computing alone."""
    return json.loads(_USUAL.read_text(encoding="utf-8"))


# ---- the source ------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
  | (?P<string>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?(?:\)(?P=mark)"|\Z) | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*(?:"|(?=\n)|\Z))
  | (?P<character>(?:u8|[uUL])?'(?:\\.|[^'\\\n])*(?:'|(?=\n)|\Z))
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'(?=\w)|[\w.])*)
  | (?P<name>[^\W\d]\w*)
  | (?P<newline>\n)
  | (?P<punctuation>::|->|<<|>>|\S)
""", re.X | re.S)


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str  # comment, string, character, number, name, punctuation, or directive: a whole preprocessor line
    text: str
    line: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of C++ `text`. A backslash at a line's end joins it with the next one, as compilers do. A directive is one token
    without its comments, and #include <x> is in it as it stands."""
    plain, starts, at = [], [], 0  # starts: where a line that was joined begins, in the joined text
    for match in re.finditer(r"\\[ \t]*\r?\n", text):
        plain.append(text[at:match.start()])
        starts.append((starts[-1] if starts else 0) + len(plain[-1]))
        at = match.end()
    plain.append(text[at:])
    joined = "".join(plain)
    breaks = [match.start() for match in re.finditer("\n", joined)]

    def line_at(place: int) -> int:
        return bisect.bisect_left(breaks, place) + bisect.bisect_right(starts, place) + 1

    found: list[Token] = []
    place, begins_line = 0, True
    while match := _TOKEN.search(joined, place):
        kind, place = match.lastgroup if match.lastgroup != "mark" else "string", match.end()
        if kind == "newline":
            begins_line = True
        elif kind == "punctuation" and match.group() == "#" and begins_line:
            end = joined.find("\n", match.start())
            whole = joined[match.start():end if end >= 0 else len(joined)]
            found.append(Token("directive", re.sub(r"\s+", " ", re.sub(r"/\*.*?(\*/|$)|//.*", " ", whole)).strip(),
                               line_at(match.start())))
            place = match.start() + len(whole)
            begins_line = True
        else:
            found.append(Token(kind, match.group(), line_at(match.start())))
            begins_line = begins_line and kind == "comment"
    return found


#: Names, as regular expressions of whole names, that make a remark: kind, and what they do.
_NAMES = (
    ("runs-outside-of-calls", r"atexit|at_quick_exit|on_exit|__cxa_atexit|cudaLaunchHostFunc|cudaStreamAddCallback",
     "{name} has a function called later, outside of the grader's calls."),
    ("loads-code", r"dlopen|dlmopen|dlsym|dlvsym|dladdr1?|dlinfo|dl_iterate_phdr|_r_debug|_DYNAMIC|cuModule\w+|cuLibrary\w+",
     "{name} finds or loads code that is not in the file; the runner's own functions can be reached this way."),
    ("system-call", r"syscall|SYS_\w+|__NR_\w+|prctl|ptrace|process_vm_\w+|seccomp\w*|personality|io_uring\w*|bpf",
     "{name} asks the kernel directly."),
    ("changes-memory-maps", r"mmap(64)?|mremap|mprotect|pkey_mprotect|memfd_create|shm_open|shmget|shmat|brk|sbrk|userfaultfd",
     "{name} maps memory or changes who may write it. No task needs that; it can change code and tables of the runner."),
    ("files", r"f?open(64|at)?|freopen|fdopen|creat|[io]?fstream|filebuf|filesystem|opendir|readlink|unlink|rename|symlink|mkfifo|"
              r"dup[23]?|fcntl|sendfile|pread|pwrite|lseek",
     "{name} works on files or file descriptors. A lab's functions get their data as arguments; the grader's channel is a descriptor."),
    ("processes", r"v?fork|clone3?|exec[vl]\w*|posix_spawnp?|system|popen|kill|tgkill|raise|sigqueue|waitpid|wait4|setpgid|setsid|getppid",
     "{name} starts processes or signals them."),
    ("threads", r"pthread_\w+|thrd_\w+|jthread|async|pthread_t|condition_variable|sem_(open|post|wait|init)",
     "{name} starts or steers threads of the processor. They run on after a call, and work that the GPU should do can be done by them."),
    ("network", r"socket(pair)?|connect|getaddrinfo|gethostbyname|sendto|recvfrom|inet_\w+|sockaddr\w*",
     "{name} is for networks."),
    ("environment", r"(secure_)?getenv|environ|__environ|putenv|setenv|program_invocation(_short)?_name|getauxval|__progname|gethostname|uname",
     "{name} reads or changes the environment or the name of the machine: code can do one thing here and another under the grader."),
    ("signals", r"signal|sigaction|sigsetjmp|siglongjmp|setjmp|longjmp|setitimer|alarm|timer_create|sigaltstack|sigprocmask",
     "{name} changes what happens on a signal, or jumps out of functions."),
    ("ends-the-program", r"_exit|_Exit|quick_exit",
     "{name} ends the whole process in the middle of a call."),
    ("resource-limits", r"[sg]etrlimit(64)?|prlimit(64)?|nice|sched_\w+|setpriority",
     "{name} is about limits or the scheduler."),
    ("reads-the-stack", r"__builtin_(frame_address|return_address|extract_return_addr|apply\w*|unwind_init)|backtrace\w*|_Unwind_Backtrace|getcontext|"
                        r"makecontext|swapcontext|setcontext",
     "{name} looks at the stack of the functions that have called it, which are the runner's."),
    ("simulators-insides", r"__simt_\w+|__tsan_\w+|__asan_\w+|__wrap_\w+|simt_launch_site",
     "{name} is an inside of the simulator; a program has no reason to name it, and counters can be changed through it."),
    ("file-inclusion", r"__has_include|__has_embed|_Pragma",
     "{name} asks what files there are, or hides a #pragma in a macro."),
)
_NAMED = [(kind, re.compile(pattern), sentence) for kind, pattern, sentence in _NAMES]
#: Those of them that are also words of everyday code, and count only before ( or as std::name.
_EVERYDAY = re.compile(r"f?open|system|clone|kill|raise|connect|signal|alarm|async|rename|nice|wait4|brk|dup2?|bpf|creat|"
                       r"filesystem|thread|socket|uname|environ|backtrace|personality")

_ATTRIBUTES = (
    ("runs-before-main", r"constructor|init_priority", "runs code when the module is loaded, before the grader calls anything."),
    ("runs-outside-of-calls", r"destructor", "runs code when the module is unloaded."),
    ("code-placement", r"section|alias|ifunc|weakref|naked|no_reorder",
     "says by hand where code or data go, or which function a name means. Data can become code this way."),
    ("hooks-off", r"no_sanitize\w*|disable_sanitizer_instrumentation|no_instrument_function|no_profile_instrument_function|no_address_safety_analysis|"
                  r"optimize|optnone|target|target_clones", "changes how a function is compiled: the simulator's counting can be left out this way."),
)
_ATTRIBUTED = [(kind, re.compile(rf"(?:__)?(?:{pattern})(?:__)?"), sentence) for kind, pattern, sentence in _ATTRIBUTES]

_STRINGS = re.compile(r"/proc\b|/dev/|/sys/|/etc/|/home/|/root\b|/tmp/|/run/|/var/|\.\./|lib\w+\.so|\bld-linux|\bdlsym\b|memfd:|"
                      r"\.so\b|warpbook|runner-sim|runner-cuda|WARPBOOK_|max_points|\"points\"|\"status\"")
_MACHINE_CODE = re.compile(r"(?:\\x[0-9a-fA-F]{2}){8}")

#: A statement of PTX: the name of each instruction ends with a type or a kind of memory, which no name of x86 does.
_PTX = re.compile(r"(?:@!?%?\w+\s+)?[a-z][a-z0-9]*(?:\.[a-z0-9_:]+)*\.(?:[usbf](?:8|16|32|64|128)|f16x2|bf16|tf32|pred|sync|global|shared|cta|gpu|sys|gl|aligned)"
                  r"(?:\.[a-z0-9_:]+)*(?:\s+[^;]*)?|mov\s*$|[{}]|\.reg\b[^;]*")

_BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JOINERS = set("\u200c\u200d\ufe0e\ufe0f")  # of emoji and of some scripts: harmless in comments


def shown(text: str, most: int = 60) -> str:
    """A piece of a hand-in for a sentence: printable ASCII as it is, anything else as \\u…"""
    text = text if len(text) <= most else text[:most - 1] + "…"
    return "".join(each if each == "…" or " " <= each <= "~" else ascii(each)[1:-1] for each in text)


def of_source(text: str) -> list[tuple[str, int, str]]:
    """What is remarkable in the source `text`, as (kind, line, sentence)."""
    text = text.removeprefix("\ufeff")
    tokens = tokens_of(text)
    code = [token for token in tokens if token.kind != "comment"]
    return [*_of_characters(text, tokens), *_of_lines(text), *_of_directives(code), *_of_names(code), *_of_strings(code), *_of_attributes(code),
            *_of_assembly(code), *_of_addresses(code), *_of_globals(code), *_of_backends(code)]


def _of_characters(text: str, tokens: list[Token]):
    commented = {token.line + extra for token in tokens if token.kind == "comment" for extra in range(token.text.count("\n") + 1)}
    coded = {token.line for token in tokens if token.kind != "comment"}
    for number, line in enumerate(text.splitlines(), 1):
        if line.isascii() and line.isprintable():
            continue
        for character in line:
            name = f"U+{ord(character):04X} {unicodedata.name(character, 'without a name')}"
            category = unicodedata.category(character)
            only_comment = number in commented and number not in coded
            if character in _BIDI:
                yield "hidden-character", number, f"The line holds {name}, which can show a line's text in another order than the compiler reads it."
            elif category in ("Cc", "Cf", "Co", "Cn", "Zl", "Zp") and character not in "\t\f\v\r" and not (only_comment and character in _JOINERS):
                yield "hidden-character", number, f"The line holds {name}, which an editor does not show."
            else:
                continue
            break
    for token in tokens:
        if token.kind == "name" and not token.text.isascii():
            scripts = {unicodedata.name(character, "?").split()[0] for character in token.text if character.isalpha()}
            if "LATIN" in scripts and len(scripts) > 1 or scripts & {"CYRILLIC", "GREEK", "FULLWIDTH", "MATHEMATICAL", "CHEROKEE", "ARMENIAN"}:
                yield "look-alike-letters", token.line, \
                    f"The name {shown(token.text)} has letters that look like others: two names that look the same can be two functions."


def _of_lines(text: str):
    for number, line in enumerate(text.split("\n"), 1):
        gap = re.search(rf"\S[ \t]{{{WIDEST_GAP},}}(\S.*)", line)
        if len(line) > LONGEST_LINE:
            yield "long-line", number, f"The line has {len(line)} characters; an editor's window may not show its end."
        elif gap and not gap[1].startswith(("//", "/*", "\\")):
            yield "long-line", number, "Code stands far right of other code, where an editor's window may not show it."
        elif re.match(rf"\s{{{2 * WIDEST_GAP},}}[^\s/*]", line):
            yield "long-line", number, "The line's code begins far right, where an editor's window may not show it."


def _of_directives(code: list[Token]):
    headers = {*usual()["headers"], *usual()["more_headers"]}
    for token in code:
        if token.kind != "directive":
            continue
        name, _, rest = token.text[1:].strip().partition(" ")
        name = re.match(r"\w*", name)[0] if not name.startswith("include") else "include"
        if name in ("include", "import", "include_next", "embed"):
            what = re.sub(r"^#\s*\w+\s*", "", token.text)
            header = re.fullmatch(r"<([^>]*)>|\"([^\"]*)\"", what)
            if name != "include" or not header:
                yield "unusual-include", token.line, f"{shown(token.text)}: which file that is cannot be read here."
            elif (header[1] or header[2] or "") not in headers:
                yield "unusual-include", token.line, \
                    f"{shown(token.text)}: no solution of the workbook includes this header, and it is for more than computing."
        elif name == "line" or re.match(r"#\s*\d", token.text):
            yield "line-numbers", token.line, f"{shown(token.text)} gives the lines below other numbers or another file's name in every message."
        elif name == "pragma" and re.match(r"(GCC|clang)\s+(optimize|target|push_options|pop_options|attribute|poison|push_macro|section)", rest):
            yield "hooks-off", token.line, f"{shown(token.text)} changes how functions are compiled: the simulator's counting can be left out this way."
        elif name in ("define", "undef"):
            defined = re.match(r"\w+", rest)
            if defined and (defined[0] in _OWN_WORDS or defined[0].startswith("__")):
                yield "redefined-word", token.line, f"{shown(token.text)} gives a word of the language or of CUDA another meaning."
        for kind, pattern, sentence in _NAMED:  # what a macro's body names
            hit = next((word for word in re.findall(r"[A-Za-z_]\w*", rest) if name not in ("include", "pragma", "error", "warning")
                        and pattern.fullmatch(word) and not _EVERYDAY.fullmatch(word)), None)
            if hit:
                yield kind, token.line, sentence.format(name=shown(hit))


_OWN_WORDS = set("""if else for while do return switch case break continue goto int float double char short long unsigned signed void bool const
    static extern inline auto struct class union enum template typename namespace using operator new delete this true false nullptr sizeof
    constexpr volatile threadIdx blockIdx blockDim gridDim warpSize atomicAdd assert size_t""".split())


def _of_names(code: list[Token]):
    for index, token in enumerate(code):
        if token.kind != "name":
            continue
        before = code[index - 1].text if index else ""
        after = code[index + 1].text if index + 1 < len(code) else ""
        of_std = before == "::" and index > 1 and code[index - 2].text == "std"
        if token.text == "thread" and of_std:
            yield "threads", token.line, _sentence("threads").format(name="std::thread")
            continue
        if before in (".", "->") or (_EVERYDAY.fullmatch(token.text) and after != "(" and not of_std):
            continue
        for kind, pattern, sentence in _NAMED:
            if pattern.fullmatch(token.text):
                yield kind, token.line, sentence.format(name=token.text)
                break


def _sentence(kind: str) -> str:
    return next(sentence for each, _, sentence in _NAMED if each == kind)


def _of_strings(code: list[Token]):
    for token in code:
        if token.kind == "string":
            found = _STRINGS.search(token.text)
            if found:
                yield "suspicious-text", token.line, f"A text in the code holds {shown(found.group())!r}; it may name a file, a library or a part of the grader."
            elif _MACHINE_CODE.search(token.text):
                yield "suspicious-text", token.line, "A text in the code is written as numbers of bytes; it may be machine code."


def _group(code: list[Token], opened: int) -> int:
    """The index behind the bracket that closes the one at `opened`."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    closing = pairs[code[opened].text]
    depth = 0
    for index in range(opened, len(code)):
        depth += (code[index].text == code[opened].text) - (code[index].text == closing)
        if depth == 0:
            return index + 1
    return len(code)


def _of_attributes(code: list[Token]):
    index = 0
    while index < len(code):
        token = code[index]
        is_gnu = token.kind == "name" and token.text in ("__attribute__", "__attribute") and index + 1 < len(code) and code[index + 1].text == "("
        is_standard = token.text == "[" and index + 1 < len(code) and code[index + 1].text == "["
        if not (is_gnu or is_standard):
            index += 1
            continue
        end = _group(code, index + is_gnu)
        for each in code[index + 1:end]:
            for kind, pattern, sentence in _ATTRIBUTED:
                if each.kind == "name" and pattern.fullmatch(each.text):
                    yield kind, each.line, f"The attribute {each.text} {sentence}"
        index = end


def _is_ptx(assembly: str) -> bool:
    statements = [each.strip() for each in re.split(r"[;\n]|\\n|\\t", assembly)]
    return any(statements) and all(not each or _PTX.fullmatch(each) for each in statements)


def _assembly(code: list[Token]) -> list[tuple[int, bool]]:
    """Where inline assembly stands in `code`, and whether it is PTX, which is the GPU's."""
    found = []
    for index, token in enumerate(code):
        if token.kind == "directive":
            inline = re.search(r"\b(?:asm|__asm|__asm__)\b(?:\s*(?:volatile|__volatile__))?\s*\(\s*((?:\"(?:\\.|[^\"\\])*\"\s*)*)", token.text)
            if inline:
                found.append((index, _is_ptx("".join(re.findall(r"\"((?:\\.|[^\"\\])*)\"", inline[1])))))
        elif token.kind == "name" and token.text in ("asm", "__asm", "__asm__"):
            end = next((place for place in range(index, min(index + 4, len(code))) if code[place].text == "("), None)
            template = ""
            for each in code[end + 1:] if end is not None else []:
                if each.kind != "string":
                    break
                template += each.text.partition('"')[2].rpartition('"')[0]
            found.append((index, _is_ptx(template)))
    return found


def _of_assembly(code: list[Token]):
    for index, is_ptx in _assembly(code):
        if not is_ptx:
            yield "inline-assembly", code[index].line, "Assembly of the processor, or a name given by hand: it can do what the source does not show."


def _of_addresses(code: list[Token]):
    for index, token in enumerate(code):
        if token.kind == "number" and re.match(r"0[xX][0-9a-fA-F']{6,}", token.text):
            before = "".join(each.text for each in code[max(0, index - 3):index])
            if re.search(r"\*>?\)?\(?$", before) and before.endswith(("*)", "*>(", "*)(")):
                yield "address-as-number", token.line, f"{token.text} is made a pointer: a fixed address in the process."


_NO_VARIABLE = {"using", "typedef", "template", "extern", "friend", "static_assert", "constexpr", "constinit", "consteval", "namespace", "concept",
                "__device__", "__constant__", "__managed__", "__global__", "enum", "asm"}


def _of_globals(code: list[Token]):
    """Objects outside of functions whose beginning takes a call: it happens when the module is loaded."""
    tokens = [token for token in code if token.kind != "directive"]
    made = {tokens[place + 1].text for place in range(len(tokens) - 1) if tokens[place].text in ("struct", "class")}
    with_work = {name for place, name in ((place, token.text) for place, token in enumerate(tokens)) if name in made and place + 1 < len(tokens)
                 and tokens[place + 1].text == "(" and tokens[place - 1].text in ("{", "}", ";", ":", "explicit", "~", "public", "constexpr")}
    index = 0
    statement: list[Token] = []
    outer: list[str] = []  # its words outside of brackets
    while index < len(tokens):
        token = tokens[index]
        if token.text == "{" and _opens_namespace(outer):
            statement, outer, index = [], [], index + 1
        elif token.text in ("{", "(", "["):
            end = _group(tokens, index)
            is_body = token.text == "{" and ")" in outer and "=" not in outer
            statement += tokens[index:end]
            outer += [token.text, tokens[end - 1].text]
            index = end
            if is_body and not (index < len(tokens) and tokens[index].text in (";", ",", "(")):
                statement, outer = [], []
        elif token.text in (";", "}"):
            sentence = _initialiser(statement, outer, with_work)
            if sentence:
                yield "runs-before-main", statement[0].line, sentence
            statement, outer, index = [], [], index + 1
        else:
            statement.append(token)
            outer.append(token.text)
            index += 1


def _opens_namespace(words: list[str]) -> bool:
    return "namespace" in words or (words[:1] == ["extern"] and len(words) == 2)


_A_NAME = re.compile(r"[^\W\d]\w*")


def _initialiser(statement: list[Token], outer: list[str], with_work: set[str]) -> str:
    """Why the variable that `statement` declares takes a call, or "". `with_work` are the classes that have constructors."""
    words = [token.text for token in statement]
    declared = outer[:next((place for place, word in enumerate(outer) if word in ("=", "(", "{")), len(outer))]
    if not words or _NO_VARIABLE & set(declared):
        return ""
    ends = "when the module is loaded, before the grader calls anything"
    if words[0] in ("struct", "class", "union") and "{" in words:
        behind = words[_group(statement, words.index("{")):]
        return f"An object of {shown(words[1])} is made {ends}." if behind and words[1] in with_work else ""
    if "=" in outer:
        value = words[words.index("=") + 1:]
        calls = any(before not in ("sizeof", "alignof") and (_A_NAME.fullmatch(before) or before in ("]", ">", "}", ")"))
                    for before, after in zip(value, value[1:]) if after == "(")
        return f"A global object gets its value by a call {ends}." if calls else ""
    for place, (word, after) in enumerate(zip(outer, outer[1:])):
        if word in with_work and _A_NAME.fullmatch(after) and outer[place + 2:place + 3] != ["("]:
            return f"An object of {shown(word)} is made {ends}."
    if outer[-1:] == ["}"] and "(" not in outer and "(" in words:
        return f"A global object gets its value by a call {ends}."
    return ""


def _of_backends(code: list[Token]):
    """Code for one backend alone. A few lines that stand for PTX, which the simulator does not run, are usual."""
    ptx = [code[index].line for index, is_ptx in _assembly(code) if is_ptx]
    for token in code:
        word = re.search(r"\b(__SIMT__|__simt__|__SANITIZE_THREAD__|__NVCOMPILER|__GNUC__|__clang__|__OPTIMIZE__|__BASE_FILE__|__INCLUDE_LEVEL__|"
                         r"__TIME__|__DATE__|__COUNTER__)\b", token.text) if token.kind in ("directive", "name") else None
        if word and not any(token.line <= line <= token.line + 8 for line in ptx):
            yield "backend-detection", token.line, f"{word[1]} tells who compiles the file or when: code can do one thing on the simulator and another on a GPU."


# ---- the module ------------------------------------------------------------------------------------------


class Unreadable(Exception):
    """The module is not an ELF file as linkers write it."""


@dataclasses.dataclass(frozen=True)
class Symbols:
    """What a module's dynamic symbol table says. `first_functions` is how many functions run when it is loaded."""

    imported: tuple[str, ...]
    exported: tuple[str, ...]
    first_functions: int


def symbols_of(module: pathlib.Path) -> Symbols:
    """Reads a shared library of x86-64. Raises Unreadable."""
    try:
        data = module.read_bytes()
        if data[:6] != b"\x7fELF\x02\x01":
            raise Unreadable("no ELF file of 64 bits")
        offset, = struct.unpack_from("<Q", data, 0x28)
        size, count, names = struct.unpack_from("<HHH", data, 0x3A)
        sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + size * index) for index in range(count)]
        text_of = functools.partial(_text, data)
        first, imported, exported = 0, [], []
        for name, kind, _, _, at, length, link, _, _, entry in sections:
            if kind in (14, 16):  # SHT_INIT_ARRAY, SHT_PREINIT_ARRAY
                first += length // 8
            elif kind == 1 and text_of(sections[names][4] + name) in (".ctors",):
                first += length // 8
            elif kind == 11:  # SHT_DYNSYM
                for place in range(at + entry, at + length, entry or 24):
                    symbol, info, _, section = struct.unpack_from("<IBBH", data, place)
                    if info >> 4:  # not a local one
                        (exported if section else imported).append(text_of(sections[link][4] + symbol))
        return Symbols(tuple(sorted(set(imported))), tuple(sorted(set(exported))), first)
    except (OSError, struct.error, IndexError, ValueError, OverflowError) as error:
        raise Unreadable(str(error)) from None


def _text(data: bytes, at: int) -> str:
    return data[at:data.index(b"\0", at)].decode("utf-8", errors="backslashreplace")


def of_module(module: pathlib.Path, source: str, contract: str) -> list[tuple[str, int, str]]:
    """What is remarkable in a module of the simulator, built from `source`. `contract` is the lab's lab.hpp."""
    try:
        symbols = symbols_of(module)
    except Unreadable as error:
        return [("module-unreadable", 0, f"The built module's table of symbols cannot be read ({shown(str(error))}).")]
    code = [token for token in tokens_of(source) if token.kind != "comment"]

    def line_of(name: str) -> int:
        plain = re.match(r"_ZN?K?S?t?(\d+)", name)
        word = name[plain.end():plain.end() + int(plain[1])] if plain else name
        return next((token.line for token in code if token.kind == "name" and token.text == word), 0)

    found = []
    known = {*usual()["imports"]}
    pattern = re.compile("|".join(usual()["more_imports"]))
    prints = any("ios_base4Init" in name for name in symbols.imported)  # <iostream> makes an object of its own in every file
    for name in symbols.imported:
        if name in known or pattern.fullmatch(name) or (name == "__cxa_atexit" and prints):
            continue
        why = next((sentence.format(name=shown(name)) for _, each, sentence in _NAMED if each.fullmatch(re.sub(r"^_*|(64)?(_chk)?$", "", name))
                    or each.fullmatch(name)), "No solution of the workbook calls it, and it is for more than computing.")
        found.append(("unusual-import", line_of(name), f"The built module imports {shown(name)}. {why}"))
    own = set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", contract))
    for name in symbols.exported:
        if name not in own and not name.startswith(("_Z", "__start_", "__stop_")) and _is_systems(name):
            found.append(("replaced-function", line_of(name), f"The file defines {shown(name)}, a function of the system or of the simulator, anew."))
    if symbols.first_functions > FIRST_FUNCTIONS:
        found.append(("runs-before-main", 0, f"{symbols.first_functions - FIRST_FUNCTIONS} more functions than usual run when the module is loaded, "
                                             "before the grader calls anything."))
    return found


def _is_systems(name: str) -> bool:
    return name.startswith(("cuda", "__")) or any(pattern.fullmatch(name) for _, pattern, _ in _NAMED) \
        or any(re.compile(each).fullmatch(name) for each in usual()["more_imports"])


# ---- both ------------------------------------------------------------------------------------------------


def remarks_of(hand_in: HandIn, modules: dict[str, pathlib.Path]) -> list[Remark]:
    """What an instructor may want to look at in `hand_in`, by line; at most MOST_OF_A_KIND of each kind. `modules` are its built
    modules by backend. Only the simulator's is read: a GPU's is linked with CUDA's runtime, which imports what it likes."""
    if hand_in.fault is not None:
        return []
    try:
        status = hand_in.file.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            return []
        text = hand_in.file.read_bytes().decode("utf-8", errors="replace")
    except OSError:
        return []
    found = of_source(text)
    if "sim" in modules:
        try:
            contract = (hand_in.lab.folder / "lab.hpp").read_text(encoding="utf-8")
        except OSError:
            contract = ""
        found += of_module(modules["sim"], text, contract)
    taken: dict[str, int] = {}
    remarks = []
    for kind, line, sentence in sorted(dict.fromkeys(found), key=lambda each: (each[1] == 0, each[1])):
        taken[kind] = taken.get(kind, 0) + 1
        if taken[kind] <= MOST_OF_A_KIND:
            remarks.append(Remark(hand_in.id, kind, sentence, line))
    return remarks
