"""The list of what programs may use, made from the tests that use it.

supported.py --check DOC   fails if the list in DOC is not the one that the tests give
supported.py --write DOC   puts it there, between the two markers
"""
from __future__ import annotations

import pathlib
import re
import sys

COMMON = pathlib.Path(__file__).resolve().parents[2]
HEADERS = COMMON / "simt" / "include"
TESTS = [*sorted((COMMON / "tests" / "programs").rglob("*.*")), *sorted((COMMON / "tests" / "simt").glob("*.cu")),
         *sorted((COMMON / "tests" / "simt").glob("*.cpp")), *sorted((COMMON / "tests" / "simt").glob("*.txt")),
         *sorted((COMMON / "tests" / "golden").rglob("*.cu"))]
BEGIN, END = "<!-- supported: begin (made by common/tests/programs/supported.py) -->", "<!-- supported: end -->"

#: Title of each row, and the names that belong into it; the first row that takes a name has it.
ROWS = [
    ("Keywords", r"__(global|device|host|shared|constant|managed|launch_bounds|cluster_dims|grid_constant|"
                 r"noinline|forceinline|restrict|align)__"),
    ("Built-in variables", r"threadIdx|blockIdx|blockDim|gridDim|warpSize"),
    ("Arrays, textures and surfaces", r"cuda(Malloc(3D)?Array|FreeArray|ArrayGetInfo|(Get|Create)ChannelDesc\w*|Memcpy\w*Array\w*|"
                                      r"\w+(Texture|Surface)Object\w*)|(tex|surf)[123]D\w*"),
    ("Memory", r"cuda(Malloc|Free|Mem|Host|GetSymbol|Pointer|StreamAttach)\w*|make_cuda\w+"),
    ("Streams and events", r"cuda(Stream|Event|LaunchHostFunc)\w*"),
    ("Devices, limits, errors", r"cuda(Device|GetDevice|SetDevice|Choose|Get(Last)?Error|PeekAtLast|Driver|Runtime|"
                                r"Profiler|Thread)\w*"),
    ("Launches and occupancy", r"cuda(Launch|Func|Occupancy)\w*"),
    ("Barriers, fences, votes, shuffles", r"__(sync|threadfence|shfl|ballot|any|all|activemask|match|reduce)\w*"),
    ("Atomics", r"atomic[A-Z]\w+"),
    ("Loads and stores with hints", r"__(ld|st)\w+"),
    ("Half precision (cuda_fp16.h)", r"__h\w+|h(2)?(sqrt|rsqrt|rcp|exp|exp2|exp10|log|log2|log10|sin|cos|tanh|ceil|floor|"
                                     r"trunc|rint)|\w*half\w*|__(low|high)s?2\w+|__lowhigh\w+"),
    ("Random numbers (cuRAND)", r"curand(?!_kernel|State|Generator_|Status|RngType|Direction)\w*|skipahead\w*"),
    ("Intrinsics", r"__\w+"),
    ("Cooperative groups", r"this_(thread_block|grid|cluster)|tiled_partition|coalesced_threads|(binary|labeled)_partition|"
                           r"thread_(block|block_tile|group|rank|index)|(grid|cluster|coalesced)_group|meta_group_\w+|"
                           r"(block|cluster|map_shared|query_shared)_rank|num_(blocks|threads|clusters)|group_(index|dim)|"
                           r"barrier_(arrive|wait)|memcpy_async|wait_prior|(in|ex)clusive_scan|invoke_one\w*"),
    ("Vector types", r"make_\w+|(u?(char|short|int|long|longlong)|float|double)[1-4]|dim3"),
    ("Mathematics beyond <cmath>", r"r?sqrt|rsqrtf?|rcbrtf?|r?norm(?!al)\w+|r?hypotf?|sincos\w*|(sin|cos)pif?|fdividef"),
    ("Time and traps", r"clock64|__trap|__nanosleep"),
]
#: The simulator's own, and what macros of the headers are made of.
PRIVATE = re.compile(r"__simt_\w*|__start_\w*|__stop_\w*|__attribute__|__builtin_\w+|__clang__|__cplusplus|__align__|"
                     r"__float128|__int128|__CUDACC__|__is\w+|__SIMT__|cuda\w*_(st|enum)|__half|__half2|__half_raw|"
                     r"__cluster_\w+|__cudaError|__getLastCudaError|__printLastCudaError|half|half2|nv_half2?|half_bits|half_of|half_from|"
                     r"__inline__|__[A-Z]\w*__|__VA_ARGS__")


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\b([A-Za-z_]\w*)\b", text))


def row_of(name: str) -> str | None:
    if PRIVATE.fullmatch(name):
        return None
    return next((title for title, pattern in ROWS if re.fullmatch(pattern, name)), None)


def made_by_macros() -> set[str]:
    """Functions that the headers' macros declare: SIMT_ATOMIC(atomicAdd, ...) makes atomicAdd and atomicAdd_block."""
    names: set[str] = set()
    for path in HEADERS.rglob("*.h"):
        text = path.read_text()
        for macro, first in re.findall(r"^(SIMT_\w+)\((\w+)", text, re.M):
            definition = re.search(rf"#define {macro}\((\w+)(.*?)\n(?!.*\\)", text, re.S)
            names.add(first)
            if definition:
                names |= {first + suffix for suffix in re.findall(rf"\b{definition.group(1)}##(\w+)", definition.group(0))}
    return names


def used() -> set[str]:
    words: set[str] = set()
    for path in TESTS:
        if path.suffix in (".cu", ".cpp", ".h", ".cuh", ".txt", ".c"):
            words |= words_of(without_comments(path.read_text(errors="replace")))
    return words


def table() -> str:
    words = used()
    known = words_of("\n".join(path.read_text() for path in HEADERS.rglob("*.h"))) | {
        "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "__grid_constant__", "__restrict__", "__align__"}
    known |= made_by_macros() | set(re.findall(r'"(__\w+__)"', "".join(
        path.read_text() for path in (COMMON / "simt" / "compiler").glob("*.cpp"))))
    # The headers put these together from pieces.
    known |= {word for word in words if re.fullmatch(r"(make_)?(u?(char|short|int|long|longlong)|float|double)[1-4]", word)}
    rows: dict[str, list[str]] = {title: [] for title, _ in ROWS}
    for name in sorted(words & known, key=str.lower):
        # Types, enumerators and parts of other names are no functions.
        constant = re.fullmatch(r"cuda(Memcpy[A-Z]\w*To\w+|MemcpyDefault|Error\w*|DevAttr\w+|Limit\w+|\w+_t|\w+Params|FuncAttribute\w+|"
                                r"FuncCache\w+|LaunchAttribute\w*|\w*Prop|HostAlloc[A-Z]\w+|HostRegister[A-Z]\w+|"
                                r"MemPool(Attr|Reuse|Props)\w*|MemAllocation\w+|MemHandle\w+|Access(Property|Policy)\w+|StreamAttr(?!ibute)\w+|StreamAttribute\w+|MemAttach\w+|MemAdvise[A-Z]\w+|MemoryType\w*|Stream(NonBlocking|Default|Legacy|PerThread|"
                                r"TailLaunch|FireAndForget)|Event(Default|BlockingSync|DisableTiming|\w+External|WaitDefault|RecordDefault|Interprocess)|"
                                r"DeviceMapHost|DeviceSchedule\w+|Extent|Pos|PitchedPtr|CpuDeviceId|InvalidDeviceId|"
                                r"DeviceAttr|FuncAttribute|FuncCache|MemcpyKind|PointerAttributes|FuncAttributes|OccupancyDefault|DeviceBlockingSync|ComputeMode\w+|"
                                r"OccupancyDisableCachingOverride|MemLocation\w*|MemoryAdvise|SharedMem\w+)", name)
        title = row_of(name)
        if title and not constant:
            rows[title].append(name)
    lines = ["| What | Names that tests use |", "| --- | --- |"]
    lines += [f"| {title} | {', '.join(f'`{name}`' for name in names)} |" for title, names in rows.items() if names]
    return "\n".join(lines)


def main() -> int:
    action, document = sys.argv[1], pathlib.Path(sys.argv[2])
    text = document.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        print(f"{document} has no place for the list: the lines {BEGIN} and {END}.")
        return 1
    before, rest = text.split(BEGIN)
    listed, after = rest.split(END)
    wanted = f"\n{table()}\n"
    if action == "--write":
        document.write_text(before + BEGIN + wanted + END + after)
        return 0
    status = 0
    if listed != wanted:
        print(f"The list in {document} is not what the tests give; make it so: supported.py --write {document}")
        status = 1
    return status


sys.exit(main())
