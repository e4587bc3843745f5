#pragma once
/// Takes from a process, for good, what a submission or its compiler has no need of.

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

/// The code that is loaded by now, with the gap before its libraries. What is mapped later can be changed. Nothing if
/// the address space is laid out in another way.
std::optional<LoadedCode> loaded_code();

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

/// What the kernel gave.
struct Confined {
  int landlock =
      0; ///< the version of Landlock that limits files, network and signals; 0: the kernel has none
  bool filter = false; ///< whether system calls are filtered
  bool limits = false; ///< whether memory and files are limited
};

/// Applies to this process for good. Never fails: what the kernel refuses stays open, and the result says so.
/// With WARPBOOK_UNCONFINED in the environment, and in a build with the address sanitizer, nothing is limited: for
/// debuggers.
Confined confine(const Confinement& confinement);

/// What confine() would get from this kernel; changes nothing.
Confined confinement_offered();

/// Folders that hold the system's programs and what they read, and those of the libraries that this process has loaded.
std::vector<std::string> system_folders();
/// The same for shared libraries alone.
std::vector<std::string> library_folders();

/// The same in words, as part of a sentence: "Landlock 7, system-call filter, hard limits"; "nothing" if it is nothing.
std::string to_text(const Confined& confined);

} // namespace warpbook
