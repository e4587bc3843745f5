#pragma once
/// Takes from a process, for good, what a submission or its compiler has no need of.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warpbook {

/// What a process, its threads and its children may still do from confine() on. Paths that do not exist are left out.
struct Confinement {
  bool reads_anywhere = false; ///< else only what the three lists name, files or whole folders, can be opened
  bool writes_anywhere = false;
  std::vector<std::string> readable; ///< to be read
  std::vector<std::string> runnable; ///< to be read, and to be started if `processes` allows it
  std::vector<std::string>
      writable; ///< to be read, written, made, changed and removed; devices: to be controlled

  /// Processes can be started. Without it a start ends the process with SIGSYS, only the system calls that a computing
  /// program needs are there, and no file is opened for writing, whatever `writable` says.
  bool processes = false;
  bool local_sockets =
      false; ///< sockets of the machine's own (AF_UNIX), which some drivers use; never a network
  /// What is mapped by now stays as it is: code, read-only data, tables of imported functions. New memory can be mapped
  /// beside it. Only without `processes`.
  bool keeps_its_code = false;

  // Hard limits.
  std::optional<std::size_t>
      data_bytes; ///< of memory, besides what the process has; malloc and new fail beyond it
  std::optional<std::size_t> file_bytes; ///< of one file, in memory too; SIGXFSZ beyond it
  std::optional<std::size_t> open_files;
  std::optional<std::size_t> processor_seconds; ///< SIGXCPU beyond it, SIGKILL one later
};

/// What the kernel gave.
struct Confined {
  int landlock =
      0; ///< version of Landlock that limits files, network and signals; 0 where the kernel has none
  bool filter = false; ///< whether system calls are filtered
  bool limits = false; ///< whether memory and files are limited
};

/// Applies to this process for good. Never fails: what the kernel refuses stays open, and the result says so.
/// With WARPBOOK_UNCONFINED in the environment, and in a build with the address sanitizer, nothing is limited: for
/// debuggers.
Confined confine(const Confinement& confinement);

/// What confine() would get from this kernel; changes nothing.
Confined confinement_offered();

/// Folders and files that hold the system's programs and shared libraries, and those that this process has loaded.
std::vector<std::string> system_folders();

/// The same in words, as part of a sentence: "Landlock 7, system-call filter, hard limits"; "nothing" if it is nothing.
std::string to_text(const Confined& confined);

} // namespace warpbook
