#include "simt/translate/toolchain_folders.hpp"

#include "confine/confine.hpp"
#include "simt/translate/header_links.hpp"
#include "simt/translate/precompiled_headers.hpp"
#include "simt/translate/process.hpp"
#include "simt/translate/toolchain.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <sys/stat.h>

namespace simt::compiler {
namespace {

namespace fs = std::filesystem;

/// By which compilers find their parts.
constexpr const char* variables[] = {"PATH",           "LD_LIBRARY_PATH",    "LIBRARY_PATH", "CPATH",
                                     "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH"};

std::vector<std::string> parts_of(const char* list) {
  std::vector<std::string> parts;
  std::istringstream stream(list == nullptr ? "" : list);
  for (std::string part; std::getline(stream, part, ':');)
    if (part.starts_with('/')) parts.push_back(part);
  return parts;
}

/// The program's own place, behind all links; empty if there is none.
fs::path found(const std::string& program) {
  std::error_code none;
  return fs::canonical(find_program(program), none);
}

class Folders {
public:
  void add_headers(const std::string& path) { add(folders_.headers, path); }
  void add_program(const std::string& path) { add(folders_.programs, path); }

  /// What an installation below `prefix` has for compilers. The rest of it, a home folder perhaps, is not theirs.
  void add_installation(const fs::path& prefix) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(prefix, none)) {
      const std::string name = entry.path().filename();
      const bool is_wanted =
          std::ranges::find(parts_of_an_installation, name) != std::end(parts_of_an_installation);
      if (is_wanted || name.find("-linux-") != name.npos) add_program(entry.path());
    }
  }

  ToolchainFolders take() { return std::move(folders_); }

private:
  static constexpr std::string_view parts_of_an_installation[] = {
      "bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "include", "targets", "nvvm"};

  static void add(std::vector<std::string>& list, const std::string& path) {
    std::error_code none;
    const std::string real = fs::canonical(path, none);
    if (!real.empty() && real != "/" && std::ranges::find(list, real) == list.end()) list.push_back(real);
  }

  ToolchainFolders folders_;
};

std::string said_by(const std::vector<std::string>& command) {
  std::vector<std::string> words = {"env", "LC_ALL=C"};
  words.insert(words.end(), command.begin(), command.end());
  const MemoryFile said;
  run(words, {.out = said.descriptor(), .error = said.descriptor()});
  return said.content();
}

/// The folders between the two lines that g++ and clang++ print around them.
void add_headers_of_host_compiler(const std::string& compiler, Folders& folders) {
  std::istringstream said(said_by({compiler, "-E", "-v", "-x", "c++", "/dev/null"}));
  bool is_list = false;
  for (std::string line; std::getline(said, line);) {
    if (line.starts_with("#include <...>"))
      is_list = true;
    else if (line.starts_with("End of search list"))
      is_list = false;
    else if (is_list)
      folders.add_headers(line.substr(std::min(line.size(), line.find_first_not_of(' '))));
  }
}

/// The folders of the libraries that a program of the compiler needs.
void add_libraries(const std::string& program, Folders& folders) {
  std::istringstream said(said_by({"LD_TRACE_LOADED_OBJECTS=1", program}));
  for (std::string word; said >> word;)
    if (word.starts_with('/')) folders.add_program(fs::path(word).parent_path());
}

void add_host_compiler(const std::string& compiler, Folders& folders) {
  add_headers_of_host_compiler(compiler, folders);
  const fs::path path = found(compiler);
  folders.add_installation(path.parent_path().parent_path());
  std::istringstream dirs(said_by({compiler, "-print-search-dirs"}));
  constexpr std::string_view libraries = "libraries: =";
  for (std::string line; std::getline(dirs, line);)
    if (line.starts_with(libraries))
      for (const std::string& folder : parts_of(line.c_str() + libraries.size())) folders.add_program(folder);
  for (const char* name : {"cc1plus", "as", "ld"}) {
    std::string program = said_by({compiler, std::string("-print-prog-name=") + name});
    program = program.substr(0, program.find('\n'));
    const fs::path part = found(program);
    if (part.empty()) continue;
    folders.add_program(part.parent_path());
    if (!part.string().starts_with("/usr/")) add_libraries(part, folders);
  }
}

/// Of what `nvcc --dryrun` prints, the folders of headers.
void add_nvcc(const std::string& nvcc, Folders& folders) {
  folders.add_installation(found(nvcc).parent_path().parent_path());
  folders.add_program("/etc/nvcc.profile"); // Debian's nvcc has it there
  std::istringstream said(said_by({nvcc, "--dryrun", "-x", "cu", "-c", "/dev/null", "-o", "/dev/null"}));
  for (std::string line; std::getline(said, line);) {
    if (const std::size_t top = line.find(" TOP="); top != line.npos)
      folders.add_installation(line.substr(top + 5));
    if (line.find("INCLUDES=") == line.npos) continue;
    std::ranges::replace(line, '"', ' ');
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word.starts_with("-I")) word.erase(0, 2);
      if (word.starts_with('/')) folders.add_headers(word);
    }
  }
}

ToolchainFolders asked(const std::string& host, const std::string& nvcc) {
  Folders folders;
  for (const char* prefix : {"/", "/usr", "/usr/local"}) folders.add_installation(prefix);
  for (const char* path : {"/etc/ld.so.cache", "/nix/store", "/gnu/store"}) folders.add_program(path);
  for (const std::string& path : warpbook::system_folders())
    if (path != "/usr") folders.add_program(path);
  for (const char* variable : {"LD_LIBRARY_PATH", "LIBRARY_PATH", "COMPILER_PATH"})
    for (const std::string& path : parts_of(std::getenv(variable))) folders.add_program(path);
  add_host_compiler(host, folders);
  if (!nvcc.empty()) add_nvcc(nvcc, folders);
  return folders.take();
}

/// The compilers' times and sizes, and the environment.
std::string key_of(const std::string& host, const std::string& nvcc) {
  std::string key;
  for (const std::string& name : {host, nvcc}) {
    const fs::path path = found(name);
    std::error_code none;
    key += path.string() + ' ' + std::to_string(fs::file_size(path, none)) + ' ' +
           std::to_string(fs::last_write_time(path, none).time_since_epoch().count()) + '\n';
  }
  for (const char* variable : variables)
    if (const char* value = std::getenv(variable)) key += std::string(variable) + '=' + value + '\n';
  return key;
}

constexpr std::string_view end_of_file = "end, with links"; // an older simtcc wrote another end

/// A folder, with the time at which something in it came or went.
std::string state_of(const std::string& folder) {
  struct stat status = {};
  if (::stat(folder.c_str(), &status) != 0) status.st_ctim = {};
  return std::to_string(status.st_ctim.tv_sec) + '.' + std::to_string(status.st_ctim.tv_nsec) + ' ' + folder;
}

/// `is_whole`: and as true as when it was kept.
ToolchainFolders read(const std::string& text, bool& is_whole) {
  ToolchainFolders folders;
  std::istringstream lines(text);
  is_whole = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("headers ")) folders.headers.push_back(line.substr(8));
    if (line.starts_with("programs ")) folders.programs.push_back(line.substr(9));
    if (line.starts_with("searched ") && line.substr(9) != state_of(line.substr(line.find(' ', 9) + 1)))
      break;
    is_whole |= line == end_of_file;
  }
  return folders;
}

void keep(const std::string& file, const ToolchainFolders& folders,
          const std::vector<std::string>& searched) {
  std::string text;
  for (const std::string& path : folders.headers) text += "headers " + path + '\n';
  for (const std::string& path : folders.programs) text += "programs " + path + '\n';
  for (const std::string& path : searched) text += "searched " + state_of(path) + '\n';
  replace_file(file, text + std::string(end_of_file) + '\n');
}

/// Adds what the links in the folders of headers lead to. Returns the folders in which they were looked for.
std::vector<std::string> add_links(ToolchainFolders& folders) {
  struct stat system = {};
  ::stat("/usr", &system); // of root, who has another number in some containers
  const HeaderLinks links = header_links(folders.headers, {system.st_uid});
  folders.headers.insert(folders.headers.end(), links.targets.begin(), links.targets.end());
  return links.folders;
}

} // namespace

ToolchainFolders toolchain_folders(const std::string& host, const std::string& nvcc,
                                   const std::string& cache) {
  const std::string file = cache + "/toolchain-" + hashed(key_of(host, nvcc)) + ".txt";
  bool is_whole = false;
  ToolchainFolders folders = read(cache.empty() ? "" : read_file(file), is_whole);
  if (is_whole) return folders;
  folders = asked(host, nvcc);
  const std::vector<std::string> searched = add_links(folders);
  std::error_code none;
  fs::create_directories(cache, none);
  if (!cache.empty()) keep(file, folders, searched);
  return folders;
}

} // namespace simt::compiler
