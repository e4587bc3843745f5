#pragma once

#include "process/process.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace simt::compiler {

/// Something outside the student's file that stops the work: a missing compiler, a full disk, ...
/// The text is a sentence for the person at the keyboard.
struct EnvironmentError {
  std::string text;
};

/// An anonymous file in memory, closed on destruction.
class MemoryFile {
public:
  MemoryFile();
  explicit MemoryFile(std::string_view content);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// Everything written so far, or its beginning.
  std::string content(std::size_t most = std::string::npos) const;

private:
  int descriptor_ = -1;
};

/// warpbook::run_program() for a compiler: throws EnvironmentError if it cannot be started. `told`: the command is printed
/// first.
int run(const std::vector<std::string>& command, const warpbook::Streams& streams = {}, bool told = false);

/// From now on run() gives this compiler these options as well, which are asked for each time.
void watch(const std::string& compiler, std::vector<std::string> (*options)());

/// A private folder for temporary files, removed with all it holds on destruction.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

/// What is in a file; empty if it cannot be read.
std::string read_file(const std::string& path);

/// Writes a file as a whole; throws EnvironmentError with the reason if it cannot.
void write_file(const std::string& path, std::string_view content);

/// Writes next to the file and renames, so that it is whole for whoever reads it. Where that fails, the file is as it was.
void replace_file(const std::string& path, std::string_view content);

/// Throws EnvironmentError if the file system does not give `folder` the room that a file's build may take.
void require_room(const std::string& folder);

} // namespace simt::compiler
