"""What makes a remark in the text of a hand-in: the words, as regular expressions of whole names, and the sentence that each gets."""
from __future__ import annotations

import re

#: Kind, names, and the sentence, in which {name} is the name.
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
     "{name} starts or steers threads of the processor. They can run on after a call, and do work that the GPU should do."),
    ("network", r"socket(pair)?|connect|send(msg|mmsg)?|recv(msg|mmsg)?|getaddrinfo|gethostbyname|sendto|recvfrom|inet_\w+|sockaddr\w*",
     "{name} is for networks."),
    ("environment", r"(secure_)?getenv|environ|__environ|putenv|setenv|program_invocation(_short)?_name|getauxval|__progname|"
                    r"gethostname|uname",
     "{name} reads or changes the environment or the machine's name: code can do one thing here and another under the grader."),
    ("signals", r"signal|sigaction|sigsetjmp|siglongjmp|setjmp|longjmp|setitimer|alarm|timer_create|sigaltstack|sigprocmask",
     "{name} changes what happens on a signal, or jumps out of functions."),
    ("ends-the-program", r"_exit|_Exit|quick_exit", "{name} ends the whole process in the middle of a call."),
    ("resource-limits", r"[sg]etrlimit(64)?|prlimit(64)?|nice|sched_\w+|setpriority", "{name} is about limits or the scheduler."),
    ("reads-the-stack", r"__builtin_(frame_address|return_address|extract_return_addr|apply\w*|unwind_init)|backtrace\w*|"
                        r"_Unwind_Backtrace|getcontext|makecontext|swapcontext|setcontext",
     "{name} looks at the stack of the functions that have called it, which are the runner's."),
    ("simulators-insides", r"__simt_\w+|__tsan_\w+|__asan_\w+|__wrap_\w+|simt_launch_site",
     "{name} is an inside of the simulator. A program has no reason to name it, and counters can be changed through it."),
    ("file-inclusion", r"__has_include|__has_embed|_Pragma", "{name} asks what files there are, or hides a #pragma in a macro."),
)
NAMES = [(kind, re.compile(pattern), sentence) for kind, pattern, sentence in _NAMES]
#: Those of them that are also words of everyday code, and count only before ( or as std::name.
EVERYDAY = re.compile(r"f?open|system|clone|kill|raise|connect|send|recv|signal|alarm|async|rename|nice|wait4|brk|dup2?|bpf|creat|"
                      r"filesystem|thread|socket|uname|environ|backtrace|personality")

_HOOKS = "changes how functions are compiled: the simulator's counting can be left out this way."
#: Kind, names of attributes, and what they do.
_ATTRIBUTES = (
    ("runs-before-main", r"constructor|init_priority", "runs code when the module is loaded, before the grader calls anything."),
    ("runs-outside-of-calls", r"destructor", "runs code when the module is unloaded."),
    ("code-placement", r"section|alias|ifunc|weakref|naked|no_reorder",
     "says by hand where code or data go, or which function a name means. Data can become code this way."),
    ("hooks-off", r"no_sanitize\w*|disable_sanitizer_instrumentation|no_instrument_function|no_profile_instrument_function|"
                  r"no_address_safety_analysis|optimize|optnone|target|target_clones", _HOOKS),
)
ATTRIBUTES = [(kind, re.compile(rf"(?:__)?(?:{pattern})(?:__)?"), sentence) for kind, pattern, sentence in _ATTRIBUTES]
PRAGMAS = re.compile(r"(GCC|clang)\s+(optimize|target|push_options|pop_options|attribute|poison|push_macro|section)")
PRAGMA_SENTENCE = _HOOKS

#: What texts in the code may hold.
TEXTS = re.compile(r"/proc\b|/dev/|/sys/|/etc/|/home/|/root\b|/tmp/|/run/|/var/|\.\./|\blib\w+\.so|\bld-linux|\bdlsym\b|memfd:|"
                   r"\.so\b|warpbook|runner-sim|runner-cuda|WARPBOOK_|max_points|\"points\"|\"status\"")
MACHINE_CODE = re.compile(r"(?:\\x[0-9a-fA-F]{2}){8}")

#: Parts of the names of PTX's instructions, one of which each has: a type or a kind of memory, as no name of x86 does.
PTX_TYPES = frozenset([*(f"{kind}{bits}" for kind in "usbf" for bits in (8, 16, 32, 64, 128)), "f16x2", "bf16", "tf32", "pred", "sync", "global",
                       "shared", "cta", "gpu", "sys", "gl", "aligned"])
PTX_PART = re.compile(r"[a-z0-9_:]+")
PTX_PREDICATE = re.compile(r"@!?%?\w+")

#: Macros that tell compilers, backends and times apart.
BACKENDS = re.compile(r"\b(__SIMT__|__simt__|__SANITIZE_THREAD__|__NVCOMPILER|__GNUC__|__clang__|__OPTIMIZE__|__BASE_FILE__|"
                      r"__INCLUDE_LEVEL__|__TIME__|__DATE__|__COUNTER__)\b")

#: Words that no file may give another meaning to.
OWN_WORDS = set("""if else for while do return switch case break continue goto int float double char short long unsigned signed void bool
    const static extern inline auto struct class union enum template typename namespace using operator new delete this true false nullptr
    sizeof constexpr volatile threadIdx blockIdx blockDim gridDim warpSize atomicAdd assert size_t""".split())

#: A declaration outside of functions that has one of these words makes no variable that code has to fill.
NO_VARIABLE = {"using", "typedef", "template", "extern", "friend", "static_assert", "constexpr", "constinit", "consteval", "namespace",
               "concept", "operator", "__device__", "__constant__", "__managed__", "__global__", "enum", "asm"}

BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
JOINERS = set("\u200c\u200d\ufe0e\ufe0f")  # of emoji and of some scripts: harmless in comments
LOOK_ALIKE_SCRIPTS = {"CYRILLIC", "GREEK", "FULLWIDTH", "MATHEMATICAL", "CHEROKEE", "ARMENIAN"}
