#pragma once

#include <string>
#include <vector>

namespace simt::compiler {

/// What a compiler has of its own, folders and files. All are real paths.
struct ToolchainFolders {
  std::vector<std::string>
      headers; ///< in which it looks by itself, and what the system's links in these lead to
  std::vector<std::string> programs; ///< what it reads and starts: itself, its libraries, the system's
};

/// Asks the compiler `host`, and `nvcc` if there is one, and keeps the answer in the folder `cache` (empty: nowhere) for as
/// long as they, the environment and the folders of headers are the same.
ToolchainFolders toolchain_folders(const std::string& host, const std::string& nvcc,
                                   const std::string& cache);

} // namespace simt::compiler
