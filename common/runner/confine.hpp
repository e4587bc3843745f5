#pragma once
/// Keeps a submission's mistakes from taking the machine down. It is no sandbox: docs/what-can-be-faked.md.

#include <cstddef>

namespace warpbook {

/// What a submission may take from the machine, from confine() on.
struct Allowance {
  std::size_t host_bytes; ///< of host memory, besides what the process has; malloc and new fail beyond it
  std::size_t file_bytes; ///< of one file; SIGXFSZ beyond it
  bool processes;         ///< without it, starting a process or a program is SIGSYS
  bool devices;        ///< a driver's files may be written: those of /dev, and its cache in the home folder
  bool writes = false; ///< files may be written anywhere: for a tool that the process runs under
};

/// Applies to this process for good: no file is written or changed from here on but as `allowance` says, and no other
/// process's memory or signals are reached. What the kernel refuses is left unlimited: the grader's own checks for
/// left processes and its limits stay in force. WARPBOOK_UNCONFINED=1 leaves everything unlimited, for a
/// debugger or for a sandbox that does not get along with it.
void confine(const Allowance& allowance);

} // namespace warpbook
