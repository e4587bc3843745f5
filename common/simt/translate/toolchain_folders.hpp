#pragma once

#include <string>
#include <vector>

namespace simt::compiler {

/// What a compiler has of its own. All are real paths.
struct ToolchainFolders {
  std::vector<std::string> headers;  ///< in which it looks by itself
  std::vector<std::string> programs; ///< what it reads and starts: itself, its libraries, the system's
};

/// Asks the compiler `host`, and `nvcc` if there is one, and keeps the answer in the folder `cache` (empty: nowhere) for as
/// long as they and the environment are the same.
ToolchainFolders toolchain_folders(const std::string& host, const std::string& nvcc,
                                   const std::string& cache);

} // namespace simt::compiler
