"""The list of what programs may use, made from the simulator's headers.

supported.py --check DOC       fails if the list in DOC is not the one that the headers give
supported.py --write DOC       puts it there, between the two markers
supported.py --record HEADER   prints the names of NVIDIA's runtime API, as they stand in a toolkit's
                               cuda_runtime_api.h: the text of runtime_api.txt
"""
from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import textwrap

COMMON = pathlib.Path(__file__).resolve().parents[2]
HEADERS = COMMON / "simt" / "include"
#: What NVIDIA's runtime API has: "# group" lines, and the names of its functions behind each.
RUNTIME_API = pathlib.Path(__file__).resolve().with_name("runtime_api.txt")
BEGIN, END = "<!-- supported: begin (made by common/tests/programs/supported.py) -->", "<!-- supported: end -->"

#: Title of each row, and the names that belong into it; the first row that takes a name has it.
ROWS = [
    ("Keywords", r"__(global|device|host|shared|constant|managed|launch_bounds|cluster_dims|grid_constant|"
                 r"noinline|forceinline|restrict|align)__"),
    ("Built-in variables", r"threadIdx|blockIdx|blockDim|gridDim|warpSize"),
    ("CUDA graphs and capture", r"cudaGraph\w*|cudaDevice\w*GraphMem\w*|cudaUserObject\w*|cudaStream(Begin|End|IsCapturing|GetCapture|UpdateCapture)\w*|"
                                r"cudaThreadExchangeStreamCaptureMode|cuda(GetFuncBySymbol|GetKernel|FuncGetName|FuncGetParamInfo)"),
    ("Driver API (cuda.h)", r"cu(Init|Driver|Device|Ctx|Mem|Pointer|Stream|Event|Launch|Func|Kernel|Occupancy|Get|"
                            r"Module|Library|Link|Array|Tex|Surf)[A-Z0-9]?\w*"),
    ("Compilation at run time (nvrtc.h)", r"nvrtc\w+"),
    ("Libraries of code", r"cuda(Library|Kernel)\w*"),
    ("Arrays, textures and surfaces", r"cuda(Malloc(3D)?Array|FreeArray|ArrayGetInfo|(Get|Create)ChannelDesc\w*|Memcpy\w*Array\w*|"
                                      r"\w+(Texture|Surface)Object\w*)|(tex|surf)[123]D\w*"),
    ("Memory", r"cuda(Malloc|Free|Mem|Host|GetSymbol|Pointer|StreamAttach)\w*|make_cuda\w+"),
    ("Streams and events", r"cuda(Stream|Event|LaunchHostFunc)\w*"),
    ("Devices, limits, errors", r"cuda(Device|GetDevice|SetDevice|Choose|Get(Last)?Error|PeekAtLast|Driver|Runtime|"
                                r"Profiler|Thread)\w*"),
    ("Launches and occupancy", r"cuda(Launch|Func|Occupancy|TriggerProgrammaticLaunch|GridDependency)\w*"),
    ("Barriers, fences, votes, shuffles", r"__(sync|threadfence|shfl|ballot|any|all|activemask|match|reduce)\w*"),
    ("Atomics", r"atomic[A-Z]\w+|__nv_atomic_\w+"),
    ("libcu++ (`cuda::`, `cuda::std::`)", r"atomic_(ref|flag|thread_fence)|thread_scope_\w+|memory_order_\w+|fetch_\w+|"
                                          r"compare_exchange_\w+|test_and_set|notify_\w+|arrive(_and_\w+)?|try_\w+|wait_parity|"
                                          r"make_pipeline|pipeline_\w+|(producer|consumer)_\w+|aligned_size_t|\w+_semaphore|count_down"),
    ("Loads and stores with hints", r"__(ld|st)\w+"),
    ("Time and traps", r"clock(64)?|__trap|__brkpt|__nanosleep|__prof_trigger|__assert_fail"),
    ("bfloat16 (cuda_bf16.h), beside the functions that half has too", r"\w*bfloat16\w*"),
    ("Half precision (cuda_fp16.h)", r"__h\w+|h(2)?(sqrt|rsqrt|rcp|exp|exp2|exp10|log|log2|log10|sin|cos|tanh|ceil|floor|"
                                     r"trunc|rint)|\w*half\w*|__(low|high)s?2\w+|__lowhigh\w+"),
    ("Tensor cores (mma.h, `nvcuda::wmma`)", r"(load|store)_matrix_sync|mma_sync|fill_fragment|__float_to_tf32"),
    ("Random numbers (cuRAND)", r"curand(?!_kernel|State|Generator_|Status|RngType|Direction)\w*|skipahead\w*"),
    ("Intrinsics", r"__\w+"),
    ("Cooperative groups", r"this_(thread_block|grid|cluster)|tiled_partition|coalesced_threads|(binary|labeled)_partition|"
                           r"thread_(block|block_tile|group|rank|index)|(grid|cluster|coalesced)_group|meta_group_\w+|"
                           r"(block|cluster|map_shared|query_shared)_rank|num_(blocks|threads|clusters)|group_(index|dim)|"
                           r"barrier_(arrive|wait)|block_tile_memory|memcpy_async|wait_prior|(in|ex)clusive_scan|invoke_one\w*"),
    ("Vector types", r"make_\w+|(u?(char|short|int|long|longlong)|float|double)[1-4]|dim3"),
    ("Mathematics beyond <cmath>", r"r?sqrt|rsqrtf?|rcbrtf?|r?norm(?!al)\w+|r?hypotf?|sincos\w*|(sin|cos)pif?|fdividef"),
]
#: The simulator's own, and what macros of the headers are made of.
PRIVATE = re.compile(r"__simt_\w*|__start_\w*|__stop_\w*|__attribute__|__builtin_\w+|__clang__|__cplusplus|__align__|"
                     r"__float128|__int128|__CUDACC__|__cuda_cuda_h__|__is\w+|__SIMT__|cuda\w*_(st|enum)|__half|__half2|__half_raw|__half2_raw|(__)?nv_bfloat162?(_raw)?|bfloat16_bits|pair_of_\w+|"
                     r"__cluster_\w+|__cudaError|__getLastCudaError|__printLastCudaError|half|half2|nv_half2?|half_bits|half_of|half_from|"
                     r"__inline__|__[A-Z]\w*__|__VA_ARGS__|__ATOMIC_\w+|__asm__|__volatile__|__aligned__|__no_sanitize\w*|__optimize__|"
                     r"__typeof__|curandOrdering_t|cudaMem(AccessDesc|cpy3D(Peer)?Parms)|cudaDevice(Mask|LmemResizeToMax|SyncMemops)")
#: Types, enumerators and flags.
CONSTANT = re.compile(
    r"cuda(Memcpy[A-Z]\w*To\w+|MemcpyDefault|Error\w*|DevAttr\w+|Limit\w+|\w+_t|\w+(?<!Set|Get)(?<!With)Params(V2)?|FuncAttribute\w+|"
    r"FuncCache\w+|LaunchAttribute\w*|\w*Prop|HostAlloc[A-Z]\w+|HostRegister[A-Z]\w+|"
    r"MemPool(Attr|Reuse|Props)\w*|MemAllocation\w+|MemHandle\w+|Access(Property|Policy)\w+|StreamAttr(?!ibute)\w+|StreamAttribute\w+|MemAttach\w+|MemAdvise[A-Z]\w+|MemoryType\w*|Stream(NonBlocking|Default|Legacy|PerThread|"
    r"TailLaunch|FireAndForget)|Event(Default|BlockingSync|DisableTiming|\w+External|WaitDefault|RecordDefault|Interprocess)|"
    r"DeviceMapHost|DeviceSchedule\w+|Extent|Pos|PitchedPtr|CpuDeviceId|InvalidDeviceId|"
    r"DeviceAttr|FuncAttribute|FuncCache|MemcpyKind|PointerAttributes|FuncAttributes|OccupancyDefault|DeviceBlockingSync|ComputeMode\w+|"
    r"Graph\w*_v2|LaunchMemSyncDomain|StreamGetCaptureInfo_v\d|StreamUpdateCaptureDependencies_v2|StreamCapture\w+|Graph(KernelNodePort|ConditionalHandle|EdgeData|Exec(UpdateResultInfo)?_st|InstantiateParams)\w*|"
    r"OccupancyDisableCachingOverride|MemLocation\w*|MemoryAdvise|SharedMem\w+)|cu[A-Z]\w*_v\d")
#: Not for programs: marks of profilers, OpenMP, what stands in for helpers of samples, and what NVIDIA's libcu++ is read with.
ASIDE = re.compile(r"nvTool|nvtx|omp\.h|samples/|cuda/(std/)?__")


def row_of(name: str) -> str | None:
    if PRIVATE.fullmatch(name):
        return None
    return next((title for title, pattern in ROWS if re.fullmatch(pattern, name)), None)


def preprocessed_headers() -> str:
    """All of the simulator's headers as the compiler sees them, with the macros that they define."""
    public = [path.relative_to(HEADERS) for path in sorted(HEADERS.rglob("*")) if path.is_file()]
    source = "".join(f"#include <{path}>\n" for path in public
                     if path.parts[0] != "simt_shim" and not ASIDE.search(str(path)))
    command = [os.environ.get("CXX", "g++"), "-E", "-dD", "-x", "c++", "-std=gnu++20", "-D__SIMT__", f"-I{HEADERS}", "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def declared() -> set[str]:
    """What the headers declare as functions, types or macros, without what is the compiler's own."""
    names: set[str] = set()
    own = False
    for line in preprocessed_headers().splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            own = marker.group(1).startswith(str(HEADERS))
        elif own:
            names |= set(re.findall(r"^#define (\w+)", line))
            if not line.startswith("#"):
                names |= set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", line)) | set(re.findall(r"\b(?:struct|class|typedef .*)\s(\w+)", line))
    return names


def keywords() -> set[str]:
    """What the translator knows, and no header."""
    texts = "".join(path.read_text() for path in (COMMON / "simt" / "translate").glob("*.cpp"))
    return set(re.findall(r'"(__\w+__)"', texts)) | {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "__grid_constant__",
                                                     "__restrict__", "__align__"}


def recorded_api() -> dict[str, list[str]]:
    """The functions of NVIDIA's runtime API, by group."""
    groups: dict[str, list[str]] = {}
    for line in RUNTIME_API.read_text().splitlines():
        if line.startswith("# "):
            group = groups.setdefault(line[2:], [])
        elif line and not line.startswith("//"):
            group.append(line)
    return groups


def record(header: str) -> str:
    """The runtime API of a toolkit in the form of runtime_api.txt."""
    text = pathlib.Path(header).read_text()
    version = re.search(r"#define CUDART_VERSION\s+(\d+)", text)
    lines = [f"// The functions of NVIDIA's runtime API {int(version.group(1)) // 1000}.{int(version.group(1)) % 1000 // 10} by group: "
             "supported.py --record cuda_runtime_api.h prints them."]
    seen: set[str] = set()
    for part in re.split(r"\\defgroup ", text)[1:]:
        title = part.split("\n")[0].split(maxsplit=1)[1].replace("*/", "").replace("[DEPRECATED]", "(deprecated)").strip()
        names = re.findall(r"^extern .*CUDARTAPI\w*\s+(cuda[A-Z]\w*)\(", part, re.M)
        names = [name for name in dict.fromkeys(names) if name not in seen and not name.endswith(("_ptsz", "_internal"))]
        seen |= set(names)
        if names:
            lines += [f"# {title}", *names]
    return "\n".join(lines) + "\n"


def code(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def missing(names: set[str]) -> str:
    """What of NVIDIA's runtime API is not declared, in a sentence for each group."""
    sentences = []
    for group, functions in recorded_api().items():
        absent = [name for name in functions if name not in names]
        if len(absent) == len(functions):
            sentences.append(f"- {group}: nothing of it ({len(functions)} functions).")
        elif absent:
            sentences.append(f"- {group}: all but {code(absent)}.")
        else:
            sentences.append(f"- {group}: all.")
    version = re.search(r"runtime API ([\d.]+)", RUNTIME_API.read_text()).group(1)
    return f"Of the functions of NVIDIA's runtime API {version} there are:\n\n" + "\n".join(
        textwrap.fill(sentence, 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) for sentence in sentences)


def listing() -> str:
    names = declared()
    rows: dict[str, list[str]] = {title: [] for title, _ in ROWS}
    for name in sorted(names | keywords(), key=lambda name: (name.lower(), name)):
        title = row_of(name)
        # Types, enumerators and parts of other names are no functions.
        if title and not CONSTANT.fullmatch(name):
            rows[title].append(name)
    lines = ["| What | Names |", "| --- | --- |"]
    lines += [f"| {title} | {code(found)} |" for title, found in rows.items() if found]
    return "\n".join(lines) + "\n\n" + missing(names)


def main() -> int:
    action, path = sys.argv[1:3]
    if action == "--record":
        print(record(path), end="")
        return 0
    document = pathlib.Path(path)
    text = document.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        print(f"{document} has no place for the list: the lines {BEGIN} and {END}.")
        return 1
    before, rest = text.split(BEGIN)
    listed, after = rest.split(END)
    wanted = f"\n{listing()}\n"
    if action == "--write":
        document.write_text(before + BEGIN + wanted + END + after)
        return 0
    if listed != wanted:
        print(f"The list in {document} is not what the headers give; make it so: supported.py --write {document}")
        return 1
    return 0


sys.exit(main())
