#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpbook {

/// What the library's parts need to know of the run; main() (or a bench) sets it.
struct Context {
  std::string lab;           ///< "01-coalescing"
  std::string contract_path; ///< lab.hpp
  std::string source_path;   ///< the submission's .cu file
  int todo = 0;              ///< of the item that is running; 0: none
  std::uint64_t seed = 1;
  std::uint64_t seeds_drawn = 0;
  std::vector<std::string> notes; ///< what the item that is running measured, told even if it passes
};

Context& context();

} // namespace warpbook
