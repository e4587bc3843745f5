// NVRTC: the program gives a kernel's source, and simtcc, which lies beside this program, compiles it.
#include "nvrtc.h"

#include "process/process.hpp"
#include "simt/elf/image_text.hpp"
#include "simt/runtime/driver/loaded_code.hpp"
#include "simt/runtime/machine/host_call.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

struct _nvrtcProgram {
  std::string source, name;
  std::map<std::string, std::string> headers; ///< texts by the names under which they are included
  std::vector<std::string> expressions;
  std::map<std::string, std::string> lowered; ///< names by expressions
  bool was_compiled = false;
  std::string image, text, log; ///< the module, and as PTX
};

namespace {

std::vector<std::unique_ptr<_nvrtcProgram>>& programs() {
  static auto& all = *new std::vector<std::unique_ptr<_nvrtcProgram>>;
  return all;
}
bool is_program(nvrtcProgram program) {
  return std::ranges::find(programs(), program, &std::unique_ptr<_nvrtcProgram>::get) != programs().end();
}

/// A folder that is gone with its files when this is.
class WorkFolder {
public:
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / "warpbook-nvrtc-XXXXXX").string();
    if (::mkdtemp(name.data())) path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const fs::path& path() const { return path_; }
  bool write(const fs::path& name, const std::string& text) const {
    std::error_code ignored;
    fs::create_directories((path_ / name).parent_path(), ignored);
    return static_cast<bool>(std::ofstream(path_ / name, std::ios::binary) << text);
  }

private:
  fs::path path_;
};

/// simtcc's options for one of NVRTC's; nothing if NVRTC has no such option. `next` is the word behind it, for an option whose
/// value stands apart, and is emptied when it is used.
std::optional<std::vector<std::string>> translated_option(std::string option, std::string& next) {
  static const std::pair<const char*, const char*> passed_on[] = {{"--include-path", "-I"},
                                                                  {"-I", "-I"},
                                                                  {"--define-macro", "-D"},
                                                                  {"-D", "-D"},
                                                                  {"--undefine-macro", "-U"},
                                                                  {"-U", "-U"},
                                                                  {"--pre-include", "-include"},
                                                                  {"-pre-include", "-include"},
                                                                  {"--std", "-std"},
                                                                  {"-std", "-std"}};
  // What the simulator has no use for: the target, arithmetic that is less exact, debugging, how code is made.
  static const char* const taken[] = {"--gpu-architecture",
                                      "-arch",
                                      "--device-c",
                                      "-dc",
                                      "--device-w",
                                      "-dw",
                                      "--relocatable-device-code",
                                      "-rdc",
                                      "--extensible-whole-program",
                                      "-ewp",
                                      "--device-debug",
                                      "-G",
                                      "--generate-line-info",
                                      "-lineinfo",
                                      "--dopt",
                                      "-dopt",
                                      "--ptxas-options",
                                      "-Xptxas",
                                      "--maxrregcount",
                                      "-maxrregcount",
                                      "--ftz",
                                      "-ftz",
                                      "--prec-sqrt",
                                      "-prec-sqrt",
                                      "--prec-div",
                                      "-prec-div",
                                      "--fmad",
                                      "-fmad",
                                      "--use_fast_math",
                                      "-use_fast_math",
                                      "--extra-device-vectorization",
                                      "-extra-device-vectorization",
                                      "--dlink-time-opt",
                                      "-dlto",
                                      "--no-source-include",
                                      "-no-source-include",
                                      "--builtin-move-forward",
                                      "-builtin-move-forward",
                                      "--builtin-initializer-list",
                                      "-builtin-initializer-list",
                                      "--disable-warnings",
                                      "-w",
                                      "--restrict",
                                      "-restrict",
                                      "--display-error-number",
                                      "-err-no",
                                      "--no-display-error-number",
                                      "-no-err-no",
                                      "--diag-suppress",
                                      "-diag-suppress",
                                      "--diag-warn",
                                      "-diag-warn",
                                      "--diag-error",
                                      "-diag-error",
                                      "--time",
                                      "-time",
                                      "--split-compile",
                                      "-split-compile",
                                      "--minimal",
                                      "-minimal",
                                      "--version-ident",
                                      "--device-int128",
                                      "-device-int128",
                                      "--modify-stack-limit",
                                      "-modify-stack-limit",
                                      "--frandom-seed",
                                      "--device-as-default-execution-space",
                                      "-default-device"};
  const std::size_t equals = option.find('=');
  const std::string word = option.substr(0, equals);
  const auto value = [&]() -> std::string {
    if (equals != option.npos) return option.substr(equals + 1);
    return std::exchange(next, std::string());
  };
  for (const auto& [from, to] : passed_on) {
    const std::string_view target = to;
    if (word == from)
      return target == "-std"       ? std::vector<std::string>{"-std=" + value()}
             : target == "-include" ? std::vector<std::string>{"-include", value()}
                                    : std::vector<std::string>{to + value()};
    if (std::strlen(from) == 2 && option.starts_with(from)) return std::vector<std::string>{option};
  }
  for (const char* known : taken) {
    if (word != known) continue;
    const bool has_value_apart = equals == option.npos && !next.empty() && !next.starts_with('-');
    if (has_value_apart) next.clear();
    return std::vector<std::string>();
  }
  return {};
}

std::string file_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr const char* lowered_prefix = "simt_lowered_";

/// The source with its name, and behind it a constant for each expression that names a kernel or a variable.
std::string whole_source(const _nvrtcProgram& program) {
  std::string name;
  for (const char c : program.name) name += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  std::string text = "#line 1 \"" + name + "\"\n" + program.source + "\n";
  for (std::size_t i = 0; i < program.expressions.size(); ++i)
    text += "extern \"C\" { extern const void* const " + (lowered_prefix + std::to_string(i)) +
            " __attribute__((used)); const void* const " + lowered_prefix + std::to_string(i) +
            " = (const void*)(" + program.expressions[i] + "); }\n";
  return text;
}

/// The names of what the constants point to. False if one points to nothing that has a name.
bool find_lowered_names(_nvrtcProgram& program, const fs::path& module) {
  if (program.expressions.empty()) return true;
  // It stays: what it has told the simulator about its kernels is not to be taken back.
  void* handle = ::dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  for (std::size_t i = 0; i < program.expressions.size(); ++i) {
    const void* constant = ::dlsym(handle, (lowered_prefix + std::to_string(i)).c_str());
    Dl_info info;
    if (!constant || ::dladdr(*static_cast<const void* const*>(constant), &info) == 0 || !info.dli_sname)
      return false;
    program.lowered[program.expressions[i]] = info.dli_sname;
  }
  return true;
}

nvrtcResult compile(_nvrtcProgram& program, std::vector<std::string> options) {
  const WorkFolder folder;
  if (folder.path().empty()) return NVRTC_ERROR_INTERNAL_ERROR;
  bool written = folder.write("source.cu", whole_source(program));
  for (const auto& [name, text] : program.headers)
    written = written && folder.write(fs::path("headers") / fs::path(name).relative_path(), text);
  if (!written) return NVRTC_ERROR_INTERNAL_ERROR;
  std::error_code error;
  const fs::path compiler = fs::read_symlink("/proc/self/exe", error).parent_path() / "simtcc";
  const fs::path module = folder.path() / "module.so";
  std::vector<std::string> command = {compiler.string(),
                                      "--fatbin",
                                      "-D__CUDACC_RTC__",
                                      "-include",
                                      "cassert",
                                      "-w",
                                      "-o",
                                      module.string(),
                                      "-I",
                                      (folder.path() / "headers").string(),
                                      "-I",
                                      "."};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back((folder.path() / "source.cu").string());
  if (!fs::exists(compiler, error)) {
    program.log = compiler.string() + " is missing, which compiles for NVRTC on the simulator.\n";
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
  const warpbook::Output output = warpbook::output_of(command, true);
  program.log = output.text;
  if (output.status != 0) return output.status == 1 ? NVRTC_ERROR_COMPILATION : NVRTC_ERROR_INTERNAL_ERROR;
  program.image = file_text(module);
  program.text = simt::text_of_image(program.image);
  return find_lowered_names(program, module) ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult take_size(nvrtcProgram program, const std::string& text, std::size_t* bytes) {
  if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
  if (program->image.empty()) return NVRTC_ERROR_INVALID_PROGRAM;
  *bytes = text.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult take_text(nvrtcProgram program, const std::string& text, char* room) {
  if (!room) return NVRTC_ERROR_INVALID_INPUT;
  if (program->image.empty()) return NVRTC_ERROR_INVALID_PROGRAM;
  std::memcpy(room, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

} // namespace

extern "C" {

const char* nvrtcGetErrorString(nvrtcResult result) {
  static const char* const names[] = {"NVRTC_SUCCESS",
                                      "NVRTC_ERROR_OUT_OF_MEMORY",
                                      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                      "NVRTC_ERROR_INVALID_INPUT",
                                      "NVRTC_ERROR_INVALID_PROGRAM",
                                      "NVRTC_ERROR_INVALID_OPTION",
                                      "NVRTC_ERROR_COMPILATION",
                                      "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                      "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                      "NVRTC_ERROR_INTERNAL_ERROR",
                                      "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                      "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                      "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                      "NVRTC_ERROR_PCH_CREATE",
                                      "NVRTC_ERROR_CANCELLED",
                                      "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};
  const auto number = static_cast<std::size_t>(result);
  return number < std::size(names) ? names[number] : "NVRTC_ERROR unknown";
}
nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = CUDA_VERSION / 1000;
  *minor = CUDA_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (!count) return NVRTC_ERROR_INVALID_INPUT;
  *count = 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  if (!architectures) return NVRTC_ERROR_INVALID_INPUT;
  *architectures = 90;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int header_count,
                               const char* const* headers, const char* const* include_names) {
  const simt::HostCall turn;
  if (!program || !source || header_count < 0 || (header_count > 0 && (!headers || !include_names)))
    return NVRTC_ERROR_INVALID_INPUT;
  auto made = std::make_unique<_nvrtcProgram>();
  made->source = source;
  made->name = name && *name ? name : "default_program";
  for (int i = 0; i < header_count; ++i) made->headers[include_names[i]] = headers[i];
  *program = programs().emplace_back(std::move(made)).get();
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  const simt::HostCall turn;
  if (!program || !is_program(*program)) return NVRTC_ERROR_INVALID_PROGRAM;
  std::erase_if(programs(), [&](const auto& known) { return known.get() == *program; });
  *program = nullptr;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char* const* options) {
  const simt::HostCall turn;
  if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (option_count < 0 || (option_count > 0 && !options)) return NVRTC_ERROR_INVALID_INPUT;
  std::vector<std::string> passed;
  for (int i = 0; i < option_count; ++i) {
    std::string next = i + 1 < option_count ? options[i + 1] : "";
    const bool has_next = !next.empty();
    const auto some = translated_option(options[i], next);
    if (!some) {
      program->log = std::string(options[i]) + " is no option of NVRTC.\n";
      return NVRTC_ERROR_INVALID_OPTION;
    }
    passed.insert(passed.end(), some->begin(), some->end());
    if (has_next && next.empty()) ++i; // it was this one's value
  }
  program->was_compiled = true;
  try {
    return compile(*program, passed);
  } catch (const std::exception& error) {
    program->log = std::string(error.what()) + '\n';
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes) {
  const simt::HostCall turn;
  if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = program->log.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  const simt::HostCall turn;
  if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!log) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes) {
  const simt::HostCall turn;
  return is_program(program) ? take_size(program, program->text, bytes) : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* ptx) {
  const simt::HostCall turn;
  return is_program(program) ? take_text(program, program->text, ptx) : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  const simt::HostCall turn;
  return is_program(program) ? take_size(program, program->image, bytes) : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* cubin) {
  const simt::HostCall turn;
  return is_program(program) ? take_text(program, program->image, cubin) : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  const simt::HostCall turn;
  if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression) return NVRTC_ERROR_INVALID_INPUT;
  if (program->was_compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  if (std::ranges::find(program->expressions, expression) == program->expressions.end())
    program->expressions.emplace_back(expression);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
  const simt::HostCall turn;
  if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
  if (!program->was_compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const auto found = program->lowered.find(expression);
  if (found == program->lowered.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *name = found->second.c_str();
  return NVRTC_SUCCESS;
}
}
