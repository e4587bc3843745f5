#pragma once
/// What the kernel tells of processes in /proc.

#include <cstddef>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace warpbook {

struct ProcessStat {
  char state = 0; ///< such as R, S or T; 0: there is no such process or thread
  pid_t session = 0;
  double seconds = 0; ///< of processor time, its own and that of its children which have ended
};

/// Of a process, /proc/PID, or of one of its threads, /proc/PID/task/ID.
ProcessStat read_stat(const std::filesystem::path& process);

/// The memory of its own that a process has taken, as RLIMIT_DATA counts it; 0 if there is no such process.
std::size_t data_bytes_of(pid_t pid);

/// The children of all threads of a process; `pid` may be "self". Empty where the kernel lists none.
std::vector<pid_t> children_of(const std::string& pid);

} // namespace warpbook
