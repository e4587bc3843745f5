#include "simt/translate/command_line.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace simt::compiler {
namespace {

class Parser {
public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  CommandLine run() {
    const auto is_given = [&](const char* option) {
      return std::find(arguments_.begin(), arguments_.end(), option) != arguments_.end();
    };
    result_.brackets_only = is_given("--brackets");
    result_.loadable = std::ranges::any_of(image_options, is_given);
    result_.as_text = is_given("--ptx") || is_given("-ptx");
    result_.program = is_given("--program") || result_.brackets_only || result_.loadable;
    for (; next_ < arguments_.size(); ++next_) {
      if (arguments_[next_] == "--") {
        result_.command.assign(arguments_.begin() + static_cast<std::ptrdiff_t>(next_) + 1, arguments_.end());
        break;
      }
      argument(arguments_[next_]);
    }
    if (result_.help) return std::move(result_);
    if (result_.inputs.empty()) throw UsageError{"no input file"};
    if (result_.submission && (result_.program || result_.inputs.size() > 1))
      throw UsageError{"a submission is one file, and no program"};
    if (result_.submission && result_.legacy_warp_functions)
      throw UsageError{"--legacy-warp-functions is for programs, and not for a submission"};
    if (!result_.submission && (!result_.parts.empty() || !result_.command.empty()))
      throw UsageError{"--part and -- COMMAND belong to --submission"};
    if (result_.output.empty() && !result_.translate_only && !result_.brackets_only)
      throw UsageError{"-o OUT.so is missing"};
    if (result_.detail == Detail::steps) result_.optimisation = "-O0";
    // The simulator's headers need C++17, which takes older programs as well.
    if (result_.program)
      for (const std::string_view old : {"98", "03", "0x", "11", "14", "1y"})
        if (result_.standard.size() > 2 && result_.standard.substr(result_.standard.size() - 2) == old)
          result_.standard = "-std=gnu++17";
    // Programs may be of either, and nvcc's own default is the older one.
    if (result_.standard.empty() && result_.program) result_.next_standard = "-std=gnu++17";
    if (result_.standard.empty()) result_.standard = result_.program ? "-std=gnu++20" : "-std=c++20";
    return std::move(result_);
  }

private:
  /// nvcc's words for what a program loads while it runs. On the simulator it is a module whatever it is called.
  static constexpr const char* image_options[] = {"--fatbin", "-fatbin", "--cubin",
                                                  "-cubin",   "--ptx",   "-ptx"};

  static bool starts(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
  }

  std::string value(const std::string& option) {
    if (next_ + 1 >= arguments_.size()) throw UsageError{option + " needs a value"};
    return arguments_[++next_];
  }

  void argument(const std::string& text) {
    if (!starts(text, "-")) {
      result_.inputs.push_back(text);
    } else if (!named_value(text) && !limit(text) && !nvcc_option(text) && !pass_on(text) && !flag(text) &&
               !result_.brackets_only) {
      throw UsageError{"unknown option " + text};
    }
  }

  /// What a line for nvcc has and the simulator needs nothing of: targets, debug and line information,
  /// relocatable code, fast math, options that allow what is allowed here.
  bool nvcc_option(const std::string& text) {
    if (!result_.program) return false;
    for (const std::string_view option :
         {"-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code", "--gpu-code", "-ccbin",
          "--compiler-bindir", "-maxrregcount", "--maxrregcount", "-Xptxas", "--ptxas-options"}) {
      if (text == option) static_cast<void>(value(text));
      if (text == option || starts(text, std::string(option) + "=")) return true;
    }
    constexpr std::pair<std::string_view, const char*> defining[] = {
        {"-rdc=true", "-D__CUDACC_RDC__"},
        {"--relocatable-device-code=true", "-D__CUDACC_RDC__"},
        {"-dc", "-D__CUDACC_RDC__"},
        {"--expt-relaxed-constexpr", "-D__CUDACC_RELAXED_CONSTEXPR__"},
        {"-expt-relaxed-constexpr", "-D__CUDACC_RELAXED_CONSTEXPR__"},
        {"--expt-extended-lambda", "-D__CUDACC_EXTENDED_LAMBDA__"},
        {"-expt-extended-lambda", "-D__CUDACC_EXTENDED_LAMBDA__"},
        {"--extended-lambda", "-D__CUDACC_EXTENDED_LAMBDA__"},
        {"-extended-lambda", "-D__CUDACC_EXTENDED_LAMBDA__"}};
    for (const auto& [option, definition] : defining)
      if (text == option) return result_.preprocessor.emplace_back(definition), true;
    for (const std::string_view option :
         {"-rdc=false", "--relocatable-device-code=false", "-G", "--device-debug", "-lineinfo",
          "--generate-line-info", "-O3", "-m64", "-pg", "-use_fast_math", "--use_fast_math", "-cudart=static",
          "-cudart=shared"})
      if (text == option) return true;
    if (text == "-fopenmp") {
      result_.openmp = true;
    } else if (starts(text, "--std=")) {
      result_.standard = text.substr(1);
    } else if (text == "-std" || text == "--std") {
      result_.standard = "-std=" + value(text);
    } else if (const bool apart = text == "-x" || text == "--x";
               apart || starts(text, "-x=") || starts(text, "--x=")) {
      result_.all_cuda = (apart ? value(text) : text.substr(text.find('=') + 1)) == "cu";
    } else if (text == "-Xcompiler" || starts(text, "-Xcompiler=") || text == "--compiler-options") {
      host_options(text.find('=') == text.npos ? value(text) : text.substr(text.find('=') + 1));
    } else {
      return false;
    }
    return true;
  }

  /// The options behind -Xcompiler, with commas or blanks between them.
  void host_options(const std::string& list) {
    for (std::size_t begin = 0; begin < list.size();) {
      const std::size_t end = std::min(list.find_first_of(", ", begin), list.size());
      const std::string option = list.substr(begin, end - begin);
      begin = end + 1;
      if (starts(option, "-D") || starts(option, "-I") || starts(option, "-U")) {
        result_.preprocessor.push_back(option);
      } else if (starts(option, "-W") || option == "-w") {
        result_.warnings.push_back(option);
      } else if (option == "-fopenmp") {
        result_.openmp = true;
      } // others change how host code is optimised or linked
    }
  }

  bool named_value(const std::string& text) {
    const struct {
      std::string_view option;
      std::string* target;
    } named[] = {{"--cxx", &result_.compiler},
                 {"-o", &result_.output},
                 {"-MF", &result_.dependency_file},
                 {"-MT", &result_.dependency_target},
                 {"--simt-include", &result_.shim_folder},
                 {"--simt-exports", &result_.exports_file},
                 {"--cccl", &result_.cccl_folder},
                 {"--keep", &result_.keep_folder},
                 {"--nvcc", &result_.nvcc},
                 {"--precompiled", &result_.precompiled_folder}};
    if (text == "--part") {
      result_.parts.push_back(value(text));
      return true;
    }
    for (const auto& [option, target] : named) {
      if (text == option) {
        *target = value(text);
        return true;
      }
      if (starts(option, "--") && starts(text, std::string(option) + "=")) {
        *target = text.substr(option.size() + 1);
        return true;
      }
    }
    return false;
  }

  bool limit(const std::string& text) {
    const auto number = [&] {
      const std::string digits = value(text);
      if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != digits.npos)
        throw UsageError{text + " takes a number, and " + digits + " is none"};
      return static_cast<unsigned>(std::stoul(digits));
    };
    if (text == "--processor-seconds")
      result_.limits.processor_seconds = number();
    else if (text == "--idle-seconds")
      result_.limits.idle_seconds = number();
    else if (text == "--memory-mib")
      result_.limits.memory_mib = number();
    else if (text == "--file-mib")
      result_.limits.file_mib = number();
    else
      return false;
    return true;
  }

  bool pass_on(const std::string& text) {
    for (const std::string_view option : {"-I", "-D", "-U", "-isystem", "-include", "-l", "-L"}) {
      const bool joined = option.size() == 2 && starts(text, option) && text.size() > 2;
      if (text != option && !joined) continue;
      auto& list = option == "-l" || option == "-L" ? result_.linker : result_.preprocessor;
      if (result_.program && option == "-l") return library(joined ? text.substr(2) : value(text));
      list.push_back(text);
      if (!joined) list.push_back(value(text));
      return true;
    }
    return false;
  }

  /// A program's library: the runtime is the simulator, other parts of the toolkit are not there.
  bool library(const std::string& name) {
    for (const std::string_view runtime :
         {"cuda", "cudart", "cudart_static", "cudadevrt", "curand", "nvrtc", "nvrtc_static", "nvToolsExt"})
      if (name == runtime) return true;
    if (name == "gomp") return result_.openmp = true;
    for (const std::string_view prefix :
         {"cublas", "cufft", "cusolver", "cusparse", "cudnn", "npp", "nccl", "nvjpeg", "cutensor"})
      if (starts(name, prefix))
        throw UsageError{
            "the library " + name +
            " is code for a GPU and is not simulated; do without it, or build the program for a GPU"};
    result_.linker.push_back("-l" + name);
    return true;
  }

  bool flag(const std::string& text) {
    if (text == "--program" || text == "--brackets" ||
        std::ranges::find(image_options, text) != std::end(image_options))
      return true; // read before all others
    else if (text == "--submission")
      result_.submission = true;
    else if (text == "--legacy-warp-functions")
      offer_legacy_warp_functions();
    else if (text == "--translate")
      result_.translate_only = true;
    else if (text == "-v" || text == "--verbose")
      result_.verbose = true;
    else if (text == "-h" || text == "--help")
      result_.help = true;
    else if (text == "-g")
      result_.detail = Detail::variables;
    else if (text == "--replay")
      result_.detail = Detail::steps;
    else if (text == "-O0" || text == "-O1" || text == "-O2")
      result_.optimisation = text;
    else if (starts(text, "-std="))
      result_.standard = text;
    else if (starts(text, "-W") && !starts(text, "-Wl,"))
      result_.warnings.push_back(text);
    else if (text == "-w")
      result_.warnings.push_back(text);
    else if (text != "-fPIC")
      return false; // it is always on
    return true;
  }

  void offer_legacy_warp_functions() {
    result_.legacy_warp_functions = true;
    result_.preprocessor.push_back("-D__SIMT_LEGACY_WARP_FUNCTIONS__");
  }

  const std::vector<std::string>& arguments_;
  std::size_t next_ = 0;
  CommandLine result_;
};

} // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) { return Parser(arguments).run(); }

std::string usage() {
  return R"(simtcc [OPTION]... -o OUT.so IN.cu...     builds CUDA sources into a module for the simulator
simtcc --program [OPTION]... -o OUT.so IN...  the same for a program with a main, which simtrun runs; .cu files
                                          are CUDA, .cpp and .c files host code; takes nvcc's usual options
simtcc --fatbin [OPTION]... -o OUT IN.cu...   builds kernels that a program loads while it runs, with cuModuleLoad;
                                          --cubin and --ptx, and each with one dash, mean the same
simtcc --submission [OPTION]... -o OUT.so IN.cu [-- COMMAND...]
                                          builds a student's file, confined and limited: it can include the files
                                          given with -include, the simulator's headers and the compiler's, and no
                                          other. COMMAND with its options, such as nvcc, builds it instead
simtcc --translate [OPTION]... IN.cu...   prints the C++ that the compiler would get
simtcc --brackets [OPTION]... IN.cu       of a file that nvcc, with these options, does not compile: prints which
                                          bracket lacks its partner, or which comment its end, where that is sure

  --cxx COMPILER        g++, clang++, or a path (default: g++, else clang++)
  -O0 -O1 -O2           optimisation (default -O1)
  -g                    variables and types for a debugger; lines are always there
  --replay              for a second run of what has failed: not optimised, and each branch and comparison calls a hook
  -std=STANDARD         default c++20, for programs gnu++20, and gnu++17 if that fails
  -I -isystem -D -U -include -W... -w -l -L   as for the compiler
  -MF FILE [-MT TARGET] write a depfile
  --legacy-warp-functions   __shfl, __ballot and the like without a mask are there, among the active lanes
  --simt-include DIR    the simulator's headers
  --simt-exports FILE   the list of symbols that the runner provides
  --cccl DIR            for programs: the folder of NVIDIA's libcu++ that holds cuda/std (default: the CUDA toolkit's)
  --keep DIR            leave the preprocessed and translated text in DIR
  --precompiled DIR     g++ reads and compiles the simulator's headers once, into DIR, and not with every file
  --part FILE           the submission was composed: it may include FILE, and say by #line that it is FILE
  --nvcc NVCC           the CUDA compiler that COMMAND runs
  --processor-seconds N --idle-seconds N --memory-mib N --file-mib N
                        a submission's limits: of time for all processes, of time without using any, of memory for
                        one, and of each file that is written (default 60, 60, 640, 64)
  -v                    print the commands that are run

Exit status: 0 built, 1 the source has errors or is beyond a limit, 2 simtcc could not do its work.
)";
}

} // namespace simt::compiler
