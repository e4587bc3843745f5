#pragma once
/// What a process may still do that compiles or runs a submission.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpbook {

/// Where the program and its libraries lie, so that the confinement can keep them as they are: code,
/// read-only data, tables of imported functions. Memory is mapped, changed and given back between them alone.
struct LoadedCode {
  std::uintptr_t program_begin = 0;
  std::uintptr_t program_end = 0;
  std::uintptr_t libraries_begin = 0; ///< behind a reserved gap
  std::size_t gap = 0;                ///< no change of memory is longer, so that none reaches over it
};

/// What a process, its threads and its children may still do from confine() on. Paths that do not exist are left out.
struct Confinement {
  bool reads_anywhere = false; ///< else only what the three lists name, files or whole folders, can be opened
  bool writes_anywhere = false;
  std::vector<std::string> readable; ///< to be read
  std::vector<std::string> runnable; ///< to be read, and to be started if `processes` allows it
  std::vector<std::string> writable; ///< to be read, written, made, changed, removed and controlled

  /// Processes can be started. Without it a start ends the process with SIGSYS, only the system calls that a computing
  /// program needs are there, and no file is opened for writing, whatever `writable` says.
  bool processes = false;
  bool network = false;           ///< any sockets
  bool local_sockets = false;     ///< those of the machine's own (AF_UNIX), which drivers use
  bool traceable = false;         ///< for a debugger that the process runs under
  std::optional<LoadedCode> code; ///< which stays as it is; only without `processes`

  // Hard limits.
  std::optional<std::size_t> data_bytes; ///< of memory, besides what the process has; malloc fails beyond it
  std::optional<std::size_t> file_bytes; ///< of one file, in memory too; SIGXFSZ beyond it
  std::optional<std::size_t> open_files;
  std::optional<std::size_t> processor_seconds; ///< SIGXCPU beyond it, SIGKILL one later
};

} // namespace warpbook
