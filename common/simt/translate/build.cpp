#include "simt/translate/build.hpp"

#include "simt/elf/image_text.hpp"
#include "simt/translate/architecture.hpp"
#include "simt/translate/brackets.hpp"
#include "simt/translate/device_symbols.hpp"
#include "simt/translate/judge.hpp"
#include "simt/translate/lexer.hpp"
#include "simt/translate/messages.hpp"
#include "simt/translate/precompiled_headers.hpp"
#include "simt/translate/preprocessor.hpp"
#include "simt/translate/process.hpp"
#include "simt/translate/source.hpp"
#include "simt/translate/source_file.hpp"
#include "simt/translate/special_functions.hpp"
#include "simt/translate/toolchain.hpp"
#include "simt/translate/translator.hpp"
#include "simt/translate/undefined_symbols.hpp"
#include "text/demangle.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace simt::compiler {
namespace {

namespace fs = std::filesystem;

void require_input(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) throw EnvironmentError{path + " is missing. Is the path right?"};
  if (fs::is_directory(path, error))
    throw EnvironmentError{path + " is a folder; simtcc takes a source file."};
  std::ifstream file(path);
  if (!file) throw EnvironmentError{path + " cannot be read; check its permissions."};
  char first = 0;
  if (!(file >> first)) throw EnvironmentError{path + " is empty; nothing can be built from it."};
}

void print(const std::vector<TranslationError>& errors) {
  constexpr std::size_t most = 20; // what follows is mostly the same mistake again
  for (std::size_t i = 0; i < std::min(errors.size(), most); ++i) std::cerr << to_string(errors[i]) << '\n';
  if (errors.size() > most) std::cerr << "... and " << errors.size() - most << " more errors\n";
}

/// What is written to std::cerr waits here, and is written at the end unless it was taken.
class HeldMessages {
public:
  HeldMessages() : previous_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~HeldMessages() {
    std::cerr.rdbuf(previous_);
    std::cerr << text_.str();
  }
  HeldMessages(const HeldMessages&) = delete;
  HeldMessages& operator=(const HeldMessages&) = delete;

  std::string take() {
    std::string taken = text_.str();
    text_.str("");
    return taken;
  }

private:
  std::ostringstream text_;
  std::streambuf* previous_;
};

class Build {
public:
  Build(const CommandLine& command, const Confines* confines)
      : command_(command), confines_(confines), standard_(command.standard),
        toolchain_(command.compiler, command.detail), shim_(find_shim_folder(command)),
        preprocessor_(command, toolchain_, shim_, confines ? confines->ask : Ask()) {
    if (command.openmp) openmp_ = toolchain_.openmp();
  }

  int run() {
    std::vector<std::string> objects;
    for (const std::string& input : command_.inputs) {
      std::string text;
      if (command_.brackets_only) {
        if (const std::string found = unbalanced(input); !found.empty()) return std::cout << found, 1;
        continue;
      }
      if (command_.translate_only) {
        if (!translated(input, text)) return 1;
        std::cout << text;
        continue;
      }
      objects.push_back(folder_.path() + "/" + std::to_string(objects.size()) + ".o");
      if (!built(input, objects.back())) return 1;
    }
    if (command_.brackets_only) return 0;
    if (!command_.translate_only && !linked(objects)) return 1;
    if (!command_.dependency_file.empty())
      write_file(
          command_.dependency_file,
          depfile(command_.dependency_target.empty() ? command_.output : command_.dependency_target, files_));
    return 0;
  }

private:
  /// Translates and compiles; a file that fails is tried with the older language before its errors are reported.
  bool built(const std::string& input, const std::string& object) {
    std::string text;
    is_merged_ = false;
    standard_ = command_.standard;
    if (command_.next_standard.empty()) return translated(input, text) && compiled(input, text, object);
    HeldMessages held;
    if (!translated(input, text)) return false;
    if (compiled(input, text, object)) return true;
    const std::string errors = held.take();
    standard_ = command_.next_standard;
    if (translated(input, text) && compiled(input, text, object)) return true;
    held.take();
    std::cerr << errors;
    return false;
  }

  int execute(const std::vector<std::string>& arguments, const warpbook::Streams& streams) const {
    return compiler::run(arguments, streams, command_.verbose);
  }

  void keep(const std::string& input, const char* suffix, const std::string& text) const {
    if (command_.keep_folder.empty()) return;
    fs::create_directories(command_.keep_folder);
    write_file((fs::path(command_.keep_folder) / (fs::path(input).stem().string() + suffix)).string(), text);
  }

  /// The file as the preprocessor leaves it, for the host and for the device at once. False after an error, which it reports.
  bool preprocessed(const std::string& input, std::vector<std::string> options, Language language,
                    std::string& before) {
    auto [status, text, said] = preprocessor_.run(input, standard_, options, language);
    before = std::move(text);
    if (confines_) require_allowed(input, options, language, {status, before, said});
    std::string explained = explain_missing_header(said);
    if (explained.empty()) explained = explain_toolkit_header(before, shim_);
    std::cerr << (explained.empty() ? said : explained);
    if (status != 0 || !explained.empty()) return false;
    if (language == Language::cuda && asks_for_architecture(before, {shim_})) {
      is_merged_ = true;
      options.insert(options.begin(), device_pass);
      const Preprocessed device = preprocessor_.run(input, standard_, options, language);
      if (confines_) require_allowed(input, options, language, device);
      std::cerr << device.said;
      if (device.status != 0) return false;
      before = merge_architectures(before, device.text, {shim_});
    }
    return true;
  }

  bool translated(const std::string& input, std::string& text) {
    require_input(input);
    translation_ = {};
    const Language language = command_.language(input);
    std::vector<std::string> options = command_.preprocessor;
    if (const std::string folder = find_cccl_folder(command_); !folder.empty())
      options.insert(options.end(), {"-idirafter", folder});
    options.insert(options.end(), openmp_.begin(), openmp_.end());
    if (confines_) append_confines(options);
    std::string before;
    if (!preprocessed(input, options, language, before)) return false;
    if (command_.program && openmp_.empty() && before.find('"' + shim_ + "/omp.h\"") != before.npos) {
      openmp_ = toolchain_.openmp();
      if (!openmp_.empty()) return translated(input, text);
    }
    keep(input, ".preprocessed.cpp", before);
    if (language == Language::cuda) before = with_usual_spellings(std::move(before));
    if (language != Language::cuda) {
      for (const SourceFile& file : tokenize(before).files)
        if (!file.is_system && !file.name.starts_with('<')) files_.insert(file.name);
      text = before;
      preprocessed_.clear();
      return true;
    }
    translation_ = translate(before, translation_options());
    if (translation_.uses_ptx) { // few files do, so the others need not read what these need
      options.insert(options.end(), {"-include", shim_ + "/simt_shim/ptx.h"});
      if (!preprocessed(input, options, language, before)) return false;
      before = with_usual_spellings(std::move(before));
      translation_ = translate(before, translation_options());
    }
    const Translation& translation = translation_;
    preprocessed_ = std::move(before);
    keep(input, ".translated.cpp", translation.text);
    files_.insert(translation.files.begin(), translation.files.end());
    device_names_.insert(translation.device_names.begin(), translation.device_names.end());
    // Where brackets do not match, the compiler finds the place better.
    if (!translation.errors.empty() && !translation.balanced && !command_.translate_only &&
        !compiled(input, translation.text, folder_.path() + "/unbalanced.o"))
      return false;
    if (std::ranges::find(command_.warnings, "-w") == command_.warnings.end())
      for (const TranslationError& warning : translation.warnings)
        std::cerr << to_string(warning, "warning") << '\n';
    print(translation.errors);
    text = translation.text;
    return translation.errors.empty();
  }

  TranslationOptions translation_options() const {
    return {.shim_folder = shim_,
            .is_submission = confines_ != nullptr,
            .legacy_warp_functions = command_.legacy_warp_functions,
            .registers_kernels = command_.loadable || has_host_files(),
            .has_constexpr_library = !standard_.ends_with("17") && !standard_.ends_with("1z"),
            .constinit_keyword = toolchain_.family() == Family::gcc
                                     ? "__constinit"
                                     : "__attribute__((require_constant_initialization))"};
  }

  bool has_host_files() const {
    return std::ranges::any_of(command_.inputs, [this](const std::string& input) {
      return command_.language(input) != Language::cuda;
    });
  }

  bool is_asked_for(std::string_view warning) const {
    return std::ranges::find(command_.warnings, warning) != command_.warnings.end();
  }

  /// Whether the code of each side uses what that side has, by what the compiler said of the marks. Prints the errors, and
  /// leaves the messages about other things.
  bool is_on_its_side(std::string& said) const {
    if (!translation_.has_marks) return true;
    if (said.size() >= most_said) {
      std::cerr << "simtcc: the compiler says more of this file than can be read; what it is about is seen "
                   "with fewer "
                   "uses of the functions that host and device share a name for\n";
      return false;
    }
    const JudgeOptions further = {.drops_warnings = is_asked_for("-w"),
                                  .drops_deprecated = is_asked_for("-Wno-deprecated-declarations") ||
                                                      is_asked_for("-Wno-deprecated")};
    Judged judged = judge(said, preprocessed_, translation_, translation_options(), further);
    said = std::move(judged.said);
    print(judged.errors);
    return judged.errors.empty();
  }

  std::string dependencies() const { return folder_.path() + "/headers.d"; }
  std::string assembled() const { return folder_.path() + "/assembled.d"; }

  /// Has the preprocessor tell what it reads.
  void append_confines(std::vector<std::string>& options) const {
    for (const char* option : {"-MD", "-MT", "module", "-MF"}) options.push_back(option);
    options.push_back(dependencies());
    if (!confines_->quotes_files)
      options.push_back(toolchain_.family() == Family::gcc ? "-fno-diagnostics-show-caret"
                                                           : "-fno-caret-diagnostics");
  }

  /// Throws where a submission is made of more than it may be, or takes more.
  void require_allowed(const std::string& input, const std::vector<std::string>& options, Language language,
                       const Preprocessed& done) const {
    if (command_.parts.empty()) refuse(refused_directive(input, done.text));
    if (done.status == 0) return refuse(confines_->rule.refusal(input, read_dependencies(dependencies())));
    const std::string refused = confines_->rule.refusal_of_unreadable(input, done.said);
    if (!refused.empty() && was_denied_a_file(input, options, language)) refuse(refused);
    require_within_limits(done.status);
  }

  /// Whether that is what ended the preprocessor: of g++ a `#pragma GCC error` can have any lines, but not in JSON.
  bool was_denied_a_file(const std::string& input, std::vector<std::string> options,
                         Language language) const {
    if (toolchain_.family() != Family::gcc) return true;
    options.push_back("-fdiagnostics-format=json");
    const std::string said = preprocessor_.run(input, standard_, options, language).said;
    const std::size_t last = said.rfind("\"kind\": \"fatal error\"");
    return last != said.npos && said.find(": Permission denied\"", last) != said.npos;
  }

  /// The same for what the assembler has read.
  void require_allowed_to_assembler(const std::string& input, bool is_compiled,
                                    const std::string& said) const {
    std::vector<std::string> read = read_dependencies(assembled());
    if (const char* folder = std::getenv("TMPDIR");
        !read.empty() && folder && lies_below(read.back(), folder))
      read.pop_back(); // what g++ has written for it
    // The first name otherwise, which it lists last, is that of the source in a .file: it has only heard of it.
    if (!read.empty() && read.back() == fs::path(input).filename()) read.pop_back();
    if (is_compiled)
      refuse(confines_->rule.refusal(input, read));
    else if (toolchain_.family() == Family::clang || confines_->witness.saw_failing("as"))
      refuse(confines_->rule.refusal_of_unassembled(input, said));
  }

  static void refuse(const std::string& lines) {
    if (!lines.empty()) throw Refused{lines};
  }

  /// Throws if the compiler has failed for want of something, and not for what is in the file.
  void require_within_limits(int status) const {
    if (confines_ && status != 0) confines_->witness.require_within(command_.limits, status);
  }

  /// What lacks its partner, as a line of text.
  std::string without_partner_in(const std::string& preprocessed) const {
    const auto lone = without_partner(Source(preprocessed, {shim_}));
    return lone ? to_string(*lone) + '\n' : std::string();
  }

  std::string unbalanced(const std::string& input) const {
    require_input(input);
    const Preprocessed before =
        preprocessor_.run(input, command_.standard, command_.preprocessor, Language::cuda);
    return before.status == 0 ? without_partner_in(with_usual_spellings(before.text)) : std::string();
  }

  bool compiled(const std::string& input, const std::string& whole, const std::string& object) {
    SplitText split = split_behind_headers(whole, preprocessor_.headers_in_front(input).size());
    std::string headers(split.headers);
    const bool with_special_functions = may_use_special_functions(split.rest);
    if (!with_special_functions) headers = without_special_functions(headers);
    const std::string text = concatenate({split.name, headers, split.rest});
    split.headers = headers;
    const std::string precompiled = precompiled_headers(input, split.headers, with_special_functions);
    std::string said;
    bool done = !precompiled.empty() && compile(input, with_precompiled(split, precompiled), object, said);
    if (!done) { // it may be for the precompiled headers, so the errors are those of the text as a whole
      done = compile(input, text, object, said);
      if (done && !precompiled.empty() && !confines_) give_up(precompiled);
    }
    if (confines_) require_allowed_to_assembler(input, done, said);
    done = is_on_its_side(said) && done;
    if (confines_ && said.size() > command_.limits.said_bytes) said.resize(command_.limits.said_bytes);
    if (!done && !preprocessed_.empty()) std::cerr << without_partner_in(preprocessed_);
    if (!said.empty()) std::cerr << restore_messages(said, text, shim_);
    if (!done && !confines_) require_room(folder_.path());
    return done;
  }

  bool compile(const std::string& input, const std::string& text, const std::string& object,
               std::string& said) const {
    const MemoryFile source(text);
    const MemoryFile messages;
    std::vector<std::string> warnings = command_.warnings;
    const Language language = command_.language(input);
    if (language == Language::c) warnings.clear();
    if (translation_.has_marks) warnings = with_marks_told(warnings);
    warnings.insert(warnings.end(), openmp_.begin(), openmp_.end());
    auto arguments = toolchain_.compile(input, object, standard_, command_.optimisation, warnings, language);
    if (confines_ && toolchain_.family() == Family::gcc) arguments.push_back("-Wa,--MD," + assembled());
    const int status = execute(arguments, {.in = source.descriptor(), .error = messages.descriptor()});
    said = messages.content(most_said);
    require_within_limits(status);
    return status == 0;
  }

  /// Where a system does not let g++ use its file, trying again each time would cost more than it saves.
  static std::string unusable(const std::string& precompiled) { return precompiled + ".unusable"; }
  static void give_up(const std::string& precompiled) {
    std::ofstream file(unusable(precompiled));
    ::unlink(precompiled.c_str());
  }

  /// The file of these headers, made now if there is none yet; empty if there is to be none, or it cannot be made.
  std::string precompiled_headers(const std::string& input, std::string_view headers,
                                  bool with_special_functions) const {
    if (command_.precompiled_folder.empty() || headers.empty() || toolchain_.family() != Family::gcc ||
        !openmp_.empty() || // another language to g++
        command_.language(input) != Language::cuda)
      return {};
    const auto precompile = [&](const std::string& file) {
      return toolchain_.precompile(file, standard_, command_.optimisation, command_.warnings);
    };
    std::string words;
    for (const std::string& word : precompile({})) words += word + '\n';
    std::string precompiled = precompiled_name(command_.precompiled_folder, headers, words);
    std::error_code error;
    if (fs::exists(precompiled, error)) return precompiled;
    if (fs::exists(unusable(precompiled), error)) return {};
    if (confines_) {
      HeadersInFront wanted = preprocessor_.wanted(input);
      wanted.architecture = is_merged_;
      wanted.special_functions = with_special_functions;
      confines_->ask(letter_of(wanted));
      return fs::exists(precompiled, error) ? precompiled : std::string();
    }
    fs::create_directories(command_.precompiled_folder, error);
    const std::string part = precompiled + ".part" + std::to_string(::getpid());
    const MemoryFile source(headers), unheard;
    const bool is_made =
        execute(precompile(part), {.in = source.descriptor(), .error = unheard.descriptor()}) == 0;
    if (is_made && std::rename(part.c_str(), precompiled.c_str()) == 0) return precompiled;
    ::unlink(part.c_str());
    return {};
  }

  int link(const std::vector<std::string>& objects, const std::string& module,
           const std::vector<std::string>& options, bool all_libraries, std::string& said) const {
    const MemoryFile messages;
    const int status =
        execute(toolchain_.link(objects, module, options, all_libraries), {.error = messages.descriptor()});
    said = messages.content();
    require_within_limits(status);
    return status;
  }

  /// Links next to the output and renames, so that a module is either whole or not there.
  bool linked(const std::vector<std::string>& objects) {
    const std::string module = command_.output + ".part" + std::to_string(::getpid());
    const auto discard = [&] { ::unlink(module.c_str()); };
    const fs::path folder = fs::path(command_.output).parent_path();
    if (!folder.empty() && !fs::is_directory(folder))
      throw EnvironmentError{"The folder " + folder.string() + " of the output is missing."};
    if (command_.program) separate_device_symbols(objects, device_names_);
    const auto exports = read_exports(exports_file(command_));
    if (!command_.program && refuses_symbols(objects, exports)) return false;
    UndefinedSymbols undefined;
    std::vector<std::string> libraries = command_.linker;
    libraries.insert(libraries.end(), openmp_.begin(), openmp_.end());
    // Few modules need more than the runner and the library of mathematics.
    for (bool all_libraries = command_.program || !libraries.empty();; all_libraries = true) {
      std::string said;
      const int status = link(objects, module, libraries, all_libraries, said);
      if (status == 0) undefined = undefined_symbols(module, exports);
      if (!all_libraries && (status != 0 || !undefined.missing.empty())) continue;
      const std::string several = multiple_definitions(said);
      std::cerr << (several.empty() ? said : several);
      if (status == 0) break;
      discard();
      if (!confines_) require_room(folder.empty() ? "." : folder.string());
      return false;
    }
    if (!undefined.missing.empty()) {
      report_missing(undefined, objects, module);
      discard();
      return false;
    }
    if (command_.program && !command_.loadable && !defines_function(module, "main")) {
      std::cerr << command_.inputs.front()
                << ": error: there is no main function; a program needs one (a lab's file has none: "
                   "./warpbook check grades it)\n";
      discard();
      return false;
    }
    if (command_.as_text) write_file(module, text_of_image(read_file(module)));
    if (std::rename(module.c_str(), command_.output.c_str()) != 0) {
      discard();
      throw EnvironmentError{command_.output + " could not be written."};
    }
    return true;
  }

  /// Prints the errors for names of the simulator's that a source defines, as what it counts would not be counted, and for memory that
  /// it takes past the simulator. Returns whether there are any.
  bool refuses_symbols(const std::vector<std::string>& objects,
                       const std::vector<std::string>& exports) const {
    constexpr std::size_t most = 10;
    std::size_t found = 0;
    const auto refuse = [&](const std::string& input, const std::vector<std::string>& lines,
                            const std::string& name, const std::string& why) {
      if (found++ >= most) return;
      const std::string sentence = " error: " + name + why;
      std::uint32_t number = 0, column = 0;
      while (column == 0 && number < lines.size()) column = find_word(lines[number++], name, 0);
      if (column == 0) // its name is made by a macro
        std::cerr << input << ":" << sentence;
      else
        std::cerr << input << ":" << number << ":" << column << ":" << sentence
                  << excerpt(lines[number - 1], number, column);
    };
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const std::string& input = command_.inputs[i];
      const std::vector<std::string> lines = lines_of_source(input);
      for (const std::string& name : reserved_symbols(objects[i], exports))
        refuse(input, lines, name,
               " is defined here, and functions of this name are the simulator's own; leave it out, or give "
               "it another name\n");
      for (const std::string& name : private_allocators(objects[i]))
        refuse(input, lines, name,
               " is the C library's own; call malloc, new or mmap for memory of the host\n");
    }
    return found != 0;
  }

  /// A second link, in which what the runner provides is defined, makes the linker say where the rest is
  /// used.
  void report_missing(const UndefinedSymbols& undefined, const std::vector<std::string>& objects,
                      const std::string& module) const {
    std::vector<std::string> options = command_.linker;
    options.insert(options.end(), openmp_.begin(), openmp_.end());
    options.push_back("-Wl,--no-undefined");
    for (const std::string& symbol : undefined.provided) options.push_back("-Wl,--defsym=" + symbol + "=0");
    std::string said;
    link(objects, module, options, true, said);
    for (const std::string& symbol : undefined.missing) {
      std::string place = place_of_use(symbol, said);
      if (place.starts_with(shim_)) place.clear();
      const std::string here = fs::current_path().string() + "/";
      std::cerr << (place.empty()             ? command_.inputs.front()
                    : place.starts_with(here) ? place.substr(here.size())
                                              : place)
                << ": error: " << warpbook::demangled(symbol)
                << " is declared and used but never defined; write its definition\n";
    }
  }

  static constexpr std::size_t most_said = 16 << 20; ///< by a compiler of one file

  const CommandLine& command_;
  const Confines* confines_; ///< of a submission
  bool is_merged_ = false;   ///< the last input is translated for host and device apart
  std::string standard_;
  Toolchain toolchain_;
  std::vector<std::string> openmp_; ///< options, from the first file on that asks for it
  std::string shim_;
  Preprocessor preprocessor_;
  TemporaryFolder folder_;
  std::string preprocessed_; ///< text of the last input, if it is CUDA
  Translation translation_;  ///< of the last input, if it is CUDA
  std::set<std::string> files_;
  std::set<std::string> device_names_; ///< of all inputs
};

} // namespace

int build(const CommandLine& command, const Confines* confines) { return Build(command, confines).run(); }

std::string find_cccl_folder(const CommandLine& command) {
  if (!command.program || !command.cccl_folder.empty()) return command.cccl_folder;
  std::vector<fs::path> toolkits;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(variable)) toolkits.emplace_back(value);
  std::error_code none;
  if (const fs::path nvcc = fs::canonical(find_program("nvcc"), none); !nvcc.empty())
    toolkits.push_back(nvcc.parent_path().parent_path());
  toolkits.emplace_back("/usr/local/cuda");
  for (const fs::path& toolkit : toolkits)
    for (const char* folder : {"include/cccl", "include"}) // since CUDA 13, and before
      if (fs::exists(toolkit / folder / "cuda/std/detail/__config", none)) return toolkit / folder;
  return {};
}

std::string depfile(const std::string& target, const std::set<std::string>& files) {
  const auto escaped = [](const std::string& name) {
    std::string text;
    for (const char c : name) {
      if (c == ' ' || c == '#') text += '\\';
      if (c == '$') text += '$';
      text += c;
    }
    return text;
  };
  std::string text = escaped(target) + ":";
  for (const std::string& file : files) text += " \\\n  " + escaped(file);
  return text + "\n";
}

} // namespace simt::compiler
