#include "simt/translate/process.hpp"

#include "call/file_descriptor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace simt::compiler {
namespace {

std::string reason() { return std::strerror(errno); }

void write_all(int descriptor, std::string_view content, const std::string& name) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw EnvironmentError{name + " could not be written: " + reason() + "."};
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string how_to_install(const std::string& program) {
  const std::string name = std::filesystem::path(program).filename();
  if (name.rfind("clang", 0) == 0)
    return "Install it (Debian, Ubuntu: apt-get install clang) or choose another with --cxx.";
  if (name.rfind("g++", 0) == 0 || name.rfind("c++", 0) == 0)
    return "Install it (Debian, Ubuntu: apt-get install g++) or choose another with --cxx.";
  return "Check the path given with --cxx.";
}

std::string watched;
std::vector<std::string> (*watched_options)() = nullptr;

} // namespace

void watch(const std::string& compiler, std::vector<std::string> (*options)()) {
  watched = compiler;
  watched_options = options;
}

MemoryFile::MemoryFile() : descriptor_(::memfd_create("simtcc", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw EnvironmentError{"No memory for the compiler's text: " + reason() + "."};
}

MemoryFile::MemoryFile(std::string_view content) : MemoryFile() {
  write_all(descriptor_, content, "The translated text");
  ::lseek(descriptor_, 0, SEEK_SET);
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

std::string MemoryFile::content(std::size_t most) const {
  struct stat information {};
  ::fstat(descriptor_, &information);
  std::string text(std::min(most, static_cast<std::size_t>(information.st_size)), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count =
        ::pread(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw EnvironmentError{"The compiler's text could not be read back: " + reason() + "."};
    done += static_cast<std::size_t>(count);
  }
  return text;
}

int run(const std::vector<std::string>& words, const warpbook::Streams& streams, bool told) {
  std::vector<std::string> command = words;
  if (watched_options && command.front() == watched) {
    const std::vector<std::string> options = watched_options();
    command.insert(command.begin() + 1, options.begin(), options.end());
    if (!options.empty())
      std::erase(command, "-pipe"); // of a pipe's programs g++ starts the first one alone so
  }
  if (told) {
    for (const std::string& argument : command) std::cerr << argument << ' ';
    std::cerr << std::endl;
  }
  try {
    return warpbook::run_program(command, streams);
  } catch (const std::system_error& error) {
    const std::string& program = command.front();
    if (error.code() == std::errc::no_such_file_or_directory)
      throw EnvironmentError{"The compiler " + program + " is not installed. " + how_to_install(program)};
    throw EnvironmentError{"The compiler " + program + " could not be started: " + error.code().message() +
                           "."};
  }
}

TemporaryFolder::TemporaryFolder() {
  const char* base = std::getenv("TMPDIR");
  path_ = std::string(base && *base ? base : "/tmp") + "/simtcc-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr)
    throw EnvironmentError{"No temporary folder could be made as " + path_ + ": " + reason() +
                           ". Set TMPDIR to a folder with room."};
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::string content(file ? static_cast<std::size_t>(file.tellg()) : 0, '\0');
  file.seekg(0);
  return file.read(content.data(), static_cast<std::streamsize>(content.size())) ? content : std::string();
}

void write_file(const std::string& path, std::string_view content) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) throw EnvironmentError{path + " could not be written: " + reason() + "."};
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const std::string why = reason();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed)
    throw EnvironmentError{path + " could not be written: " + (written ? reason() : why) + "."};
}

void replace_file(const std::string& path, std::string_view content) {
  const std::string part = path + ".part" + std::to_string(::getpid());
  std::ofstream file(part, std::ios::binary);
  file << content;
  file.close();
  if (!file || std::rename(part.c_str(), path.c_str()) != 0) ::unlink(part.c_str());
}

void require_room(const std::string& folder) {
  constexpr off_t room = 8 << 20;
  std::string name = folder + "/.simtcc-room-XXXXXX";
  const warpbook::FileDescriptor file(::mkstemp(name.data()));
  const int refusal = file ? ::posix_fallocate(file.get(), 0, room) : errno;
  if (file) ::unlink(name.c_str());
  if (refusal == ENOSPC || refusal == EDQUOT)
    throw EnvironmentError{"The disk that holds " + folder + " is full; make room and build again."};
}

} // namespace simt::compiler
