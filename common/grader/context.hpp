#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace warpbook {

struct Failure;
class Rule;

/// What a submission reached, and its yardstick beside it (yardstick.hpp).
struct Speed {
  double gigabytes_per_second = 0; ///< useful bytes over the median time
  double yardstick = 0;            ///< the same of the yardstick, around the same moment
  double ratio() const { return yardstick > 0 ? gigabytes_per_second / yardstick : 0; }
};

/// What was counted, and how little is possible.
struct MeasuredText {
  std::string what, text;
};

/// What the library's parts need to know of the run; main() (or a bench) sets it.
struct Context {
  std::string lab;           ///< "01-coalescing"
  std::string contract_path; ///< lab.hpp
  std::string source_path;   ///< the submission's .cu file
  bool on_gpu = false;       ///< nothing is known of what a call did there
  int todo = 0;              ///< of the item that is running; 0: none
  std::uint64_t seed = 1;
  std::uint64_t seeds_drawn = 0;
  bool trace = false;                  ///< whether calls are traced, to tell more of an item that has failed
  std::vector<std::string> traced_for; ///< calls, one of which is kept before others
  std::size_t size_to_see = 0;         ///< of a scene's call; 0: the scene's own
  std::function<void(Failure&)> explain; ///< what fail() asks of a wrong result of which no more is known
  const Rule* rule = nullptr;            ///< the innermost that is in force (failure.hpp)
  std::vector<Speed> speeds;             ///< attempts of the item that is running
  std::vector<std::string> notes;        ///< what the item that is running measured, told even if it passes
  std::vector<MeasuredText> measured;    ///< of it (tell_measured)
};

Context& context();

} // namespace warpbook
