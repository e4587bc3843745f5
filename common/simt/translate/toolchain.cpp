#include "simt/translate/toolchain.hpp"

#include "simt/translate/process.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace simt::compiler {
namespace {

Family family_of(const std::string& compiler) {
  std::error_code unresolved; // c++ is mostly a link to one of them, whose name saves a start of it
  for (const std::filesystem::path& path :
       {std::filesystem::path(compiler), std::filesystem::canonical(find_program(compiler), unresolved)}) {
    const std::string name = path.filename();
    if (name.find("clang") != name.npos) return Family::clang;
    if (name.find("g++") != name.npos || name.find("gcc") != name.npos) return Family::gcc;
  }
  MemoryFile version;
  run({compiler, "--version"}, {.out = version.descriptor()});
  return version.content().find("clang") != std::string::npos ? Family::clang : Family::gcc;
}

/// The option of this clang++ by which an argument may be a variable that was never set, as lanes pass one to a shuffle
/// whose result others use. It would take the call for code that cannot be reached.
std::string unset_arguments_option(const std::string& compiler) {
  MemoryFile version;
  run({compiler, "-dumpversion"}, {.out = version.descriptor()});
  const int major = std::atoi(version.content().c_str());
  return major == 14 ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis";
}

void append(std::vector<std::string>& to, const std::vector<std::string>& what) {
  to.insert(to.end(), what.begin(), what.end());
}

/// The hooks before which a thread's diary is kept (replay.cpp).
std::vector<std::string> wrapped_hooks() {
  std::vector<std::string> options;
  const auto wrap = [&](const std::string& hook) { options.push_back("-Wl,--wrap=" + hook); };
  for (const std::string size : {"1", "2", "4", "8", "16"})
    for (const std::string kind : {"read", "write"}) {
      wrap("__tsan_" + kind + size);
      wrap("__tsan_volatile_" + kind + size);
      if (size != "1") wrap("__tsan_unaligned_" + kind + size);
    }
  for (const std::string kind : {"read", "write"}) wrap("__tsan_" + kind + "_range");
  for (const std::string bits : {"8", "16", "32", "64"}) {
    if (bits != "8") wrap("__simt_atomic" + bits);
    wrap("__simt_ordered" + bits);
  }
  for (const std::string size : {"2", "4", "8", "16"}) {
    wrap("__simt_load" + size);
    wrap("__simt_copy" + size);
    if (size != "16") wrap("__simt_expected" + size);
  }
  return options;
}

} // namespace

std::string find_program(const std::string& program) {
  if (program.find('/') != program.npos) return ::access(program.c_str(), X_OK) == 0 ? program : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string file = folder + "/" + program; ::access(file.c_str(), X_OK) == 0) return file;
  return {};
}

Language language_of(const std::string& input) {
  const std::string suffix = std::filesystem::path(input).extension();
  for (const char* host : {".cpp", ".cc", ".cxx", ".c++", ".C"})
    if (suffix == host) return Language::cpp;
  return suffix == ".c" ? Language::c : Language::cuda;
}

Toolchain::Toolchain(const std::string& requested, Detail detail) : compiler_(requested), detail_(detail) {
  if (compiler_.empty())
    compiler_ = find_program("g++").empty() && !find_program("clang++").empty() ? "clang++" : "g++";
  family_ = family_of(compiler_);
}

std::string Toolchain::path() const { return find_program(compiler_); }

std::vector<std::string> Toolchain::openmp() const {
  if (family_ == Family::clang) {
    MemoryFile found;
    run({compiler_, "-print-file-name=libomp.so"}, {.out = found.descriptor()});
    if (!found.content().starts_with('/')) return {};
  }
  return {"-fopenmp"};
}

std::vector<std::string> Toolchain::preprocess(const std::string& input, const std::string& standard,
                                               const std::string& optimisation,
                                               const std::string& shim_folder,
                                               const std::vector<std::string>& options, Language language,
                                               const std::vector<std::string>& first_headers) const {
  std::vector<std::string> command = {compiler_, "-E", optimisation};
  if (language != Language::c) command.push_back(standard);
  if (language != Language::cuda) {
    append(command, {"-U_FORTIFY_SOURCE", "-D__SIMT__", "-I", shim_folder});
    append(command, options);
    append(command, {"-idirafter", shim_folder + "/samples"});
    append(command, {"-x", language == Language::c ? "c" : "c++", input});
    return command;
  }
  // A distribution's hardening would turn memcpy into __memcpy_chk, past the simulator's hooks.
  append(command, {"-U_FORTIFY_SOURCE", "-D__SIMT__"});
  append(command, {"-D__CUDACC__", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0",
                   "-D__CUDACC_VER_BUILD__=88", "-D__CUDA_API_VER_MAJOR__=13", "-D__CUDA_API_VER_MINOR__=0",
                   "-D__CUDA_ARCH_LIST__=900", "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1",
                   "-D__CUDACC_DEVICE_ATOMIC_BUILTINS__=1", "-DCUDA_DOUBLE_MATH_FUNCTIONS"});
  // As themselves: libstdc++ writes __attribute__((__noinline__)), so they cannot be macros.
  append(command, {"-D__noinline__=__noinline__", "-D__forceinline__=__forceinline__"});
  append(command, {"-I", shim_folder});
  for (const std::string& header : first_headers) append(command, {"-include", header});
  append(command, options);
  append(command, {"-idirafter", shim_folder + "/samples"}); // the program's own come first
  append(command, {"-x", "c++", input});
  return command;
}

std::vector<std::string> Toolchain::options(const std::string& standard, const std::string& optimisation,
                                            const std::vector<std::string>& warnings,
                                            Language language) const {
  std::vector<std::string> command = {optimisation};
  if (language != Language::c) command.push_back(standard);
  append(command, {"-fPIC", "-fsanitize=thread", "-fno-stack-protector", "-fno-optimize-sibling-calls"});
  command.push_back(detail_ == Detail::lines ? "-g1" : "-g");
  if (detail_ == Detail::steps)
    append(command, {"-fsanitize-coverage=trace-pc,trace-cmp", "-fno-omit-frame-pointer"});
  // `volatile` sums stand in many textbooks' last warps, and nvcc says nothing of them.
  if (language != Language::c)
    append(command, {family_ == Family::gcc ? "-Wno-volatile" : "-Wno-deprecated-volatile"});
  // A function that ends without its `return` has some value, as with nvcc, and is no licence to run into what follows it.
  // Without the checks of std::unreachable() and the like g++ would take that end for one.
  append(command, family_ == Family::gcc
                      ? std::vector<std::string>{"-fsanitize=unreachable", "-fno-sanitize=return",
                                                 "-fsanitize-undefined-trap-on-error"}
                      : std::vector<std::string>{"-fno-strict-return"});
  if (family_ == Family::gcc) {
    // Vectorised or merged accesses would be counted as fewer; unique symbols would outlive dlclose.
    append(command, {"-pipe", "-fno-tree-vectorize", "-fno-builtin-memcpy", "-fno-builtin-memset",
                     "-fno-builtin-memmove", "-Wno-tsan", "--param", "tsan-instrument-func-entry-exit=0",
                     "-fno-gnu-unique", "-fno-semantic-interposition", "-fno-plt"});
    append(command, {"-gstatement-frontiers"}); // lines as with the full debug information
    // Small functions are written into their callers as nvcc does; -O1 alone does it only for functions called once.
    append(command, {"-finline-small-functions", "-finline-functions"});
    // It makes one store of those of an if's two arms, as -ftree-sink does, but forgets the line.
    append(command, {"-fno-tree-cselim"});
    // Where two conditions are one, it would write what lies between twice, and lanes that meet there, as at a barrier, would not.
    append(command, {"-fno-thread-jumps"});
    append(command, {"-fno-tree-loop-distribute-patterns", "--param", "tsan-distinguish-volatile=1"});
    append(command, {"-fno-diagnostics-show-caret", "-fdiagnostics-column-unit=byte"});
  } else {
    append(command, {"-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-mllvm",
                     "-tsan-instrument-read-before-write=1", "-mllvm", "-tsan-instrument-func-entry-exit=0"});
    append(command, {"-mllvm", "-tsan-distinguish-volatile=1", "-mllvm", "-disable-loop-idiom-all"});
    append(command, {"-fno-caret-diagnostics", "-Xclang", unset_arguments_option(compiler_)});
  }
  // What nvcc warns of by itself, and g++ as clearly.
  append(command, {"-Wformat", "-Wunused-value", "-Wparentheses", "-Wuninitialized", "-Wempty-body",
                   "-Wlogical-not-parentheses"});
  append(command, family_ == Family::gcc
                      ? std::vector<std::string>{"-Wmaybe-uninitialized", "-Wtype-limits"}
                      : std::vector<std::string>{"-Wtautological-unsigned-zero-compare"});
  append(command, warnings);
  return command;
}

std::vector<std::string> Toolchain::compile(const std::string& input, const std::string& object,
                                            const std::string& standard, const std::string& optimisation,
                                            const std::vector<std::string>& warnings,
                                            Language language) const {
  std::vector<std::string> command = {compiler_, "-c"};
  append(command, options(standard, optimisation, warnings, language));
  // Else clang's debug information calls the main file "-".
  if (family_ == Family::clang) append(command, {"-Xclang", "-main-file-name", "-Xclang", input});
  append(command, {"-x", language == Language::c ? "cpp-output" : "c++-cpp-output", "-", "-o", object});
  return command;
}

std::vector<std::string> Toolchain::precompile(const std::string& precompiled, const std::string& standard,
                                               const std::string& optimisation,
                                               const std::vector<std::string>& warnings) const {
  std::vector<std::string> command = {compiler_};
  append(command, options(standard, optimisation, warnings, Language::cuda));
  append(command, {"-fpreprocessed", "-x", "c++-header", "/dev/stdin", "-o", precompiled});
  return command;
}

std::vector<std::string> Toolchain::link(const std::vector<std::string>& objects, const std::string& module,
                                         const std::vector<std::string>& libraries,
                                         bool all_libraries) const {
  std::vector<std::string> command = {compiler_, "-shared"};
  append(command, objects);
  // A function of the student's named like one of libc's must win in the student's own file; so must a variable named
  // like one of CUDA's functions, as in programs that look these up at run time.
  append(command, {"-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset", "-Wl,-Bsymbolic", "-Wl,-z,now"});
  // In kernels these take memory from the device's heap: new and delete, plain, of arrays, with a size, with an alignment.
  append(command, {"-Wl,--wrap=malloc,--wrap=realloc,--wrap=free"});
  for (const std::string suffix : {"", "St11align_val_t"})
    command.push_back("-Wl,--wrap=_Znwm" + suffix + ",--wrap=_Znam" + suffix + ",--wrap=_ZdlPv" + suffix +
                      ",--wrap=_ZdaPv" + suffix + ",--wrap=_ZdlPvm" + suffix + ",--wrap=_ZdaPvm" + suffix);
  append(command, {"-Wl,--wrap=printf,--wrap=puts,--wrap=putchar"}); // whose output has a buffer on a device
  if (detail_ == Detail::steps) append(command, wrapped_hooks());
  append(command, libraries);
  if (!all_libraries) append(command, {"-nodefaultlibs", "-Wl,--as-needed", "-lm", "-lgcc"});
  append(command, {"-o", module});
  return command;
}

} // namespace simt::compiler
