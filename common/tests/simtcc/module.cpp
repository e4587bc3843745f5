#include "module.hpp"

#include "simt/translate/translator.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace simtcc_test {

namespace fs = std::filesystem;

namespace {

/// Those of all Program objects, in the order of their numbers.
std::vector<std::string>& sources() {
  static std::vector<std::string> all;
  return all;
}

/// One text of all sources. Each takes itself for lab.cu. The translator knows kernels by their names, so the usual one
/// is renamed; two programs with one name would have overloads.
std::string joined_sources() {
  std::string text;
  for (std::size_t i = 0; i < sources().size(); ++i) {
    const std::string number = std::to_string(i);
    text += "namespace program_" + number + " {\n#define test test_" + number + "\n#define k k_" + number +
            "\n#line 1 \"lab.cu\"\n" + sources()[i] + "\n#undef k\n#undef test\n}\n";
  }
  return text;
}

struct AllPrograms {
  explicit AllPrograms(const std::string& compiler) {
    folder.write("programs.cu", joined_sources());
    const Outcome built = simtcc(folder, {"--cxx", compiler, "programs.cu", "-o", "programs.so"});
    is_built = built.status == 0 && built.text == "";
    INFO(compiler, ": ", built.text);
    CHECK(is_built); // a program that cannot be among others is to call result_of()
  }
  Folder folder;
  bool is_built;
};

const AllPrograms& all_programs(const std::string& compiler) {
  static std::map<std::string, AllPrograms> built;
  return built.try_emplace(compiler, compiler).first->second;
}

int call(const fs::path& file, const std::string& function) {
  void* module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  const std::string why = module ? "" : ::dlerror();
  INFO(why);
  REQUIRE(module != nullptr);
  const auto test = reinterpret_cast<int (*)()>(::dlsym(module, function.c_str()));
  REQUIRE(bool(test));
  const int result = test();
  ::dlclose(module);
  return result;
}

/// What `result_by` returns for every compiler.
template <class ResultBy>
int agreed(const ResultBy& result_by) {
  int result = 0;
  bool first = true;
  for (const std::string& compiler : compilers()) {
    const int one = result_by(compiler);
    INFO(compiler);
    if (!first) CHECK(one == result);
    result = one;
    first = false;
  }
  return result;
}

} // namespace

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "simtcc-test-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

Folder::~Folder() { fs::remove_all(path_); }

fs::path Folder::write(std::string_view name, std::string_view text) const {
  fs::create_directories(path(name).parent_path());
  std::ofstream(path(name)) << text;
  return path(name);
}

Outcome execute(const Folder& folder, const std::vector<std::string>& command) {
  const fs::path log = folder.path("execute.log");
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    if (::chdir(folder.path("").c_str()) == 0) ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::ifstream file(log);
  outcome.text.assign(std::istreambuf_iterator<char>(file), {});
  return outcome;
}

Outcome plain_simtcc(const Folder& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {SIMTCC};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return execute(folder, command);
}

Outcome simtcc(const Folder& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"--simt-include", FAKE_HEADERS, "--simt-exports", "none"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return plain_simtcc(folder, command);
}

std::vector<std::string> compilers() {
  static const std::vector<std::string> found = [] {
    std::vector<std::string> list;
    const Folder folder;
    for (const char* name : {"g++", "clang++"})
      if (execute(folder, {name, "--version"}).status == 0) list.push_back(name);
    return list;
  }();
  REQUIRE(!found.empty());
  return found;
}

int result_of(std::string_view source, const std::string& compiler) {
  const Folder folder;
  folder.write("lab.cu", source);
  const Outcome built = simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lab.so"});
  INFO(compiler, ": ", built.text);
  REQUIRE(built.status == 0);
  CHECK(built.text == "");
  return call(folder.path("lab.so"), "test");
}

int result_of(std::string_view source) {
  return agreed([&](const std::string& compiler) { return result_of(source, compiler); });
}

Program::Program(std::string source) : source_(std::move(source)), number_(sources().size()) {
  sources().push_back(source_);
}

int Program::result() const {
  return agreed([&](const std::string& compiler) {
    const AllPrograms& all = all_programs(compiler);
    // One that does not build must not fail the others, and is to be heard by itself.
    return all.is_built ? call(all.folder.path("programs.so"), "test_" + std::to_string(number_))
                        : result_of(source_, compiler);
  });
}

std::string translated(std::string_view source) {
  return simt::compiler::translate("# 1 \"lab.cu\"\n" + std::string(source)).text.substr(13);
}

std::string errors_of(std::string_view source) {
  std::string text;
  for (const auto& error : simt::compiler::translate("# 1 \"lab.cu\"\n" + std::string(source)).errors)
    text += simt::compiler::to_string(error) + "\n";
  return text;
}

} // namespace simtcc_test
