#include "simt/translate/submission.hpp"

#include "call/file_descriptor.hpp"
#include "confine/confine.hpp"
#include "simt/translate/build.hpp"
#include "simt/translate/header_rule.hpp"
#include "simt/translate/preprocessor.hpp"
#include "simt/translate/process.hpp"
#include "simt/translate/source_file.hpp"
#include "simt/translate/supervise.hpp"
#include "simt/translate/toolchain.hpp"
#include "simt/translate/toolchain_folders.hpp"
#include "text/harmless.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace simt::compiler {
namespace {

namespace fs = std::filesystem;

constexpr off_t most_source_bytes = 1'000'000;

std::string absolute(const std::string& path) { return fs::absolute(path); }

/// Why a file is not to be opened; empty if it is an ordinary one, or there is none.
std::string fault_of(const std::string& file) {
  struct stat status = {};
  if (::lstat(file.c_str(), &status) != 0 || S_ISDIR(status.st_mode)) return {};
  if (S_ISLNK(status.st_mode)) return "it is a symbolic link; hand in the file itself";
  if (!S_ISREG(status.st_mode)) return "it is no ordinary file";
  if (status.st_size > most_source_bytes)
    return "it has " + std::to_string(status.st_size) + " bytes; a lab's file has a few thousand";
  return {};
}

/// The values of an option that is given as two words.
std::vector<std::string> values_of(const std::vector<std::string>& options, std::string_view name) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i + 1 < options.size(); ++i)
    if (options[i] == name) values.push_back(options[++i]);
  return values;
}

/// The environment of whatever a student's text could get at: how the compilers find their parts, and the language.
void clean_environment(const std::string& temporary_folder) {
  const auto value = [](const char* name) -> std::string {
    const char* text = std::getenv(name);
    return text == nullptr ? "" : text;
  };
  std::string characters;
  for (const char* name : {"LANG", "LC_CTYPE", "LC_ALL"})
    if (const std::string text = value(name); !text.empty()) characters = text;
  std::vector<std::pair<std::string, std::string>> kept;
  for (const char* name : {"PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH",
                           "CPLUS_INCLUDE_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX"})
    if (const std::string text = value(name); !text.empty()) kept.emplace_back(name, text);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (text.starts_with("NIX_"))
      kept.emplace_back(text.substr(0, text.find('=')), text.substr(text.find('=') + 1));
  }
  ::clearenv();
  for (const auto& [name, text] : kept) ::setenv(name.c_str(), text.c_str(), 1);
  ::setenv("LC_CTYPE", characters.c_str(), 1);
  ::setenv("TMPDIR", temporary_folder.c_str(), 1);
}

/// How simtcc ends for a submission. 1 is not among them: so ends much that is not simtcc.
enum { could_not_work = 2, has_errors = 3, verdict_given = 4 };

class Submission {
public:
  explicit Submission(const CommandLine& given)
      : command_(given), source_(given.inputs.front()), contracts_(values_of(given.preprocessor, "-include")),
        toolchain_(given.compiler, given.detail), shim_(absolute(find_shim_folder(given))) {}

  int run() {
    if (const std::string fault = fault_of(source_); !fault.empty()) return tell(fault + " [not-a-source]");
    const fs::path folder = fs::path(command_.output).parent_path();
    if (!folder.empty() && !fs::is_directory(folder))
      throw EnvironmentError{"The folder " + folder.string() + " of the output is missing."};
    folders_ = toolchain_folders(toolchain_.compiler(), command_.nvcc, command_.precompiled_folder);
    const HeaderRule rule = rule_for(source_);
    const Ending ending = attempt(rule, source_);
    if (ending.kind == Ending::Kind::interrupted) return could_not_work;
    if (const std::string verdict = verdict_of(ending); !verdict.empty()) return tell(verdict);
    if (ending.status != 0) return failed(ending);
    std::cerr << warpbook::harmless(ending.said);
    if (!deliver(module_in_folder(), command_.output)) return tell(too_large());
    if (!command_.dependency_file.empty()) write_depfile(rule);
    return 0;
  }

private:
  std::string module_in_folder() const { return folder_.path() + "/module.so"; }
  std::string list_in_folder() const { return folder_.path() + "/module.d"; }

  HeaderRule rule_for(const std::string& source) const {
    std::vector<std::string> own = contracts_;
    own.insert(own.end(), command_.parts.begin(), command_.parts.end());
    own.insert(own.end(), {source, shim_});
    if (!command_.precompiled_folder.empty()) own.push_back(command_.precompiled_folder);
    return {own, folders_.headers};
  }

  Ending attempt(const HeaderRule& rule, const std::string& source) {
    return supervise([&](const Ask& ask) { return work(rule, source, ask); }, command_.limits,
                     [this](char letter) { make_headers(letter); });
  }

  /// Says why nothing came of the file. What compilers say of it may be the file's own words, so they are believed in
  /// nothing: whether the disk has room, and whether another file compiles here, shows whose fault it is.
  int failed(const Ending& ending) {
    if (ending.status == as_waited(verdict_given))
      return std::cerr << warpbook::harmless(ending.word), verdict_given;
    if (ending.status != as_waited(has_errors)) throw EnvironmentError{ending.word};
    if (took_much(ending)) return tell(sentence_about(Limit::memory));
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove_all(entry.path());
    require_room(folder_.path());
    require_room(fs::path(absolute(command_.output)).parent_path());
    const std::string control = folder_.path() + "/control.cu";
    write_file(control, "int simtcc_control;\n");
    const Ending compared = attempt(rule_for(control), control);
    if (compared.kind == Ending::Kind::interrupted) return could_not_work;
    if (compared.status != 0)
      throw EnvironmentError{"The compiler cannot build any file as it is confined here: " + compared.word +
                             warpbook::harmless(compared.said) +
                             "\nWARPBOOK_UNCONFINED=1 in the environment builds without confinement."};
    std::cerr << warpbook::harmless(ending.said);
    return has_errors;
  }

  static int as_waited(int status) { return W_EXITCODE(status, 0); }

  /// In the child.
  Done work(const HeaderRule& rule, const std::string& source, const Ask& ask) const {
    const warpbook::Confined confined = warpbook::confine(confinement());
    clean_environment(folder_.path());
    const Witness witness;
    try {
      if (!command_.command.empty()) return {run_command(rule, source, witness), {}};
      if (toolchain_.family() == Family::gcc) watch(toolchain_.compiler(), &Witness::options);
      CommandLine own = command_;
      own.inputs = {source};
      own.output = module_in_folder();
      own.dependency_file = list_in_folder();
      own.dependency_target = "module";
      own.shim_folder = shim_;
      const Confines confines = {rule, ask, witness, confined.landlock == 0};
      return {build(own, &confines) == 0 ? 0 : has_errors, {}};
    } catch (const Refused& refused) {
      return {verdict_given, refused.lines};
    } catch (const LimitReached& reached) {
      return {verdict_given, line_of(sentence_about(reached.limit))};
    } catch (const EnvironmentError& error) {
      return {could_not_work, error.text};
    } catch (const std::bad_alloc&) {
      return {verdict_given, line_of(sentence_about(Limit::memory))};
    } catch (const std::length_error&) { // of a string
      return {verdict_given, line_of(sentence_about(Limit::memory))};
    } catch (const std::exception& error) {
      return {could_not_work, std::string("internal error: ") + error.what()};
    }
  }

  warpbook::Confinement confinement() const {
    warpbook::Confinement confinement;
    confinement.processes = true;
    for (const std::string& path : folders_.headers)
      if (!is_within_programs(path)) confinement.readable.push_back(path);
    for (const std::string& file : contracts_) confinement.readable.push_back(absolute(file));
    for (const std::string& file : command_.parts) confinement.readable.push_back(absolute(file));
    for (const std::string& path :
         {absolute(source_), folder_.path(), shim_, exports_file(command_), std::string("/dev/urandom")})
      confinement.readable.push_back(path);
    if (!command_.precompiled_folder.empty())
      confinement.readable.push_back(absolute(command_.precompiled_folder));
    confinement.runnable = folders_.programs;
    confinement.runnable.push_back("/proc/self/exe");
    for (const std::string& word : command_.command)
      if (word.starts_with('/')) confinement.runnable.push_back(word);
    confinement.writable = {folder_.path(), "/dev/null"};
    return confinement;
  }

  bool is_within_programs(const std::string& path) const { // hundreds of headers can be, to which links lead
    return std::ranges::any_of(folders_.programs,
                               [&](const std::string& folder) { return path.starts_with(folder + '/'); });
  }

  /// Another compiler than simtcc's, which does all in one command.
  int run_command(const HeaderRule& rule, const std::string& source, const Witness& witness) const {
    std::vector<std::string> words = command_.command;
    words.insert(words.end(), command_.preprocessor.begin(), command_.preprocessor.end());
    const std::string dependencies = list_in_folder() + ".part";
    for (const std::string& word :
         {std::string("-MD"), std::string("-MT"), std::string("module"), std::string("-MF"), dependencies,
          std::string("-x"), std::string("cu"), std::string("-o"), module_in_folder(), source})
      words.push_back(word);
    if (!command_.nvcc.empty())
      for (const std::string& option : Witness::options()) words.push_back("-Xcompiler=" + option);
    const MemoryFile messages;
    const int status = compiler::run(words, {.out = messages.descriptor(), .error = messages.descriptor()},
                                     command_.verbose);
    const std::string said = messages.content(command_.limits.said_bytes);
    const std::vector<std::string> read = read_dependencies(dependencies);
    std::string refused = command_.parts.empty() ? refused_directive(source, {}) : "";
    if (refused.empty())
      refused = status != 0 ? rule.refusal_of_unreadable(source, said) : rule.refusal(source, read);
    if (refused.empty() && witness.saw_failing("as")) refused = rule.refusal_of_unassembled(source, said);
    if (!refused.empty()) throw Refused{refused};
    if (status != 0) witness.require_within(command_.limits, status);
    std::cerr << said;
    if (status != 0) return has_errors;
    write_file(list_in_folder(), depfile("module", {read.begin(), read.end()}));
    return 0;
  }

  /// Here, outside of the confinement: of a source of our own, by which all that is kept is made.
  void make_headers(char letter) const {
    try {
      const TemporaryFolder folder;
      CommandLine own = command_;
      own.submission = false;
      own.inputs = {folder.path() + "/headers.cu"};
      own.output = folder.path() + "/headers.so";
      own.dependency_file.clear();
      own.keep_folder.clear();
      own.shim_folder = shim_;
      own.preprocessor.clear();
      for (const std::string& option : command_.preprocessor)
        if (option.size() > 2 && (option.starts_with("-D") || option.starts_with("-U")))
          own.preprocessor.push_back(option);
      write_file(own.inputs.front(), source_that_needs(letter));
      build(own);
    } catch (const EnvironmentError&) { // the student's file is compiled without
    } catch (const std::exception&) {
    }
  }

  std::string line_of(const std::string& sentence) const { return source_ + ": error: " + sentence + "\n"; }

  int tell(const std::string& sentence) const {
    std::cerr << warpbook::harmless(line_of(sentence));
    return verdict_given;
  }

  std::string too_large() const {
    return "what the compiler makes of this file is larger than " + std::to_string(command_.limits.file_mib) +
           " MiB, and a lab's file makes less than one. Look for a large array with initial values, for "
           "macros that "
           "repeat themselves, or for .space and .rept in inline assembly [compile-too-large]";
  }

  bool took_much(const Ending& ending) const {
    const double seen =
        static_cast<double>(ending.most_bytes >> 20) / static_cast<double>(command_.limits.memory_mib);
    return std::max(seen, share_of_memory(command_.limits)) >= large_share;
  }

  /// Why the child was ended before it could finish; empty if it did finish.
  std::string verdict_of(const Ending& ending) const {
    const int signal = WIFSIGNALED(ending.status) ? WTERMSIG(ending.status) : 0;
    if (ending.kind == Ending::Kind::too_long || signal == SIGXCPU) return sentence_about(Limit::time);
    if (ending.kind == Ending::Kind::waits)
      return "the compiler has waited for " + std::to_string(command_.limits.idle_seconds) +
             " seconds for a file that gives it nothing, and was ended. Look for an #include or #line of "
             "something that "
             "is no ordinary file [compile-too-long]";
    if (signal == SIGXFSZ) return too_large();
    if (signal == SIGSYS || (signal != 0 && took_much(ending))) return sentence_about(Limit::memory);
    if (signal == SIGKILL) throw EnvironmentError{"The compiler was killed from outside."};
    return signal == 0 ? "" : sentence_about(Limit::depth);
  }

  std::string sentence_about(Limit limit) const {
    switch (limit) {
    case Limit::time:
      return "the compiler has computed for " + std::to_string(command_.limits.processor_seconds) +
             " seconds and was ended; a lab's file takes one or two. Look for templates, constexpr functions "
             "or macros "
             "that unfold without end [compile-too-long]";
    case Limit::memory:
      return "the compiler needs more than " + std::to_string(command_.limits.memory_mib) +
             " MiB of memory for this file, and a lab's file takes 100. Look for templates or macros that "
             "unfold without "
             "end, or for a large array with initial values [compile-out-of-memory]";
    case Limit::size:
      return too_large();
    case Limit::depth:
      break;
    }
    return "the compiler broke down over this file. Look for brackets, or for templates, that are nested "
           "thousands "
           "deep, or for a large array with initial values [compile-too-large]";
  }

  /// Puts a file that the child has left where it belongs, whole or not at all. False if it is larger than it may be.
  bool deliver(const std::string& from, const std::string& to) const {
    const warpbook::FileDescriptor file(::open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status = {};
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
      throw EnvironmentError{"The compiler has left no module."};
    if (status.st_size > static_cast<off_t>(command_.limits.file_mib) << 20) return false;
    const std::string part = to + ".part" + std::to_string(::getpid());
    const warpbook::FileDescriptor copy(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0777));
    char piece[1 << 16];
    ssize_t count = copy ? 1 : -1;
    while (count > 0 && (count = ::read(file.get(), piece, sizeof piece)) > 0)
      if (::write(copy.get(), piece, static_cast<std::size_t>(count)) != count) count = -1;
    if (count < 0 || std::rename(part.c_str(), to.c_str()) != 0) {
      const std::string why = std::strerror(errno);
      ::unlink(part.c_str());
      require_room(fs::path(absolute(to)).parent_path());
      throw EnvironmentError{to + " could not be written: " + why + "."};
    }
    return true;
  }

  /// The files that the child says it has used, as far as they are what a submission may be made of: a text can call
  /// itself anything.
  void write_depfile(const HeaderRule& rule) const {
    std::set<std::string> files = {source_};
    for (const std::string& file : read_dependencies(list_in_folder()))
      if (rule.allows(file)) files.insert(file);
    const std::string& target = command_.dependency_target;
    write_file(command_.dependency_file, depfile(target.empty() ? command_.output : target, files));
  }

  const CommandLine& command_;
  std::string source_;
  std::vector<std::string> contracts_;
  Toolchain toolchain_;
  std::string shim_;
  ToolchainFolders folders_;
  TemporaryFolder folder_;
};

} // namespace

int build_submission(const CommandLine& command) { return Submission(command).run(); }

} // namespace simt::compiler
