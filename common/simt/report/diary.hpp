// What threads did, moment by moment, in a module that was compiled for it (simtcc --replay): plain data with JSON. A failing call is
// run again so, and evidence.hpp reads from it why it has failed.
#pragma once

#include "simt/report/report.hpp"
#include "simt/report/watched_thread.hpp"

namespace simt {

/// A function that runs, as its code stands: the address to return to, and the address in its frame that debug information counts from.
struct DiaryFrame {
  std::uint32_t module = 0; ///< in Diaries::modules
  std::uint64_t offset = 0;
  std::uint64_t base = 0; ///< the frame pointer's value
};

/// One thing that a thread does.
struct Moment {
  enum class Kind : std::uint8_t {
    block,      ///< it begins a block of code without branches
    comparison, ///< it compares two numbers
    read,       ///< of memory, as the next two
    write,
    atomic,
  };
  Kind kind = Kind::block;
  std::uint8_t bytes = 0;              ///< of each number, or of the access
  bool is_constant = false; ///< of a comparison: the compiler knew the left number
  std::uint64_t left = 0, right = 0;   ///< the numbers, zero-extended
  std::uint64_t address = 0;           ///< of the access
  Place place = {};                    ///< of the access, where known
  std::vector<DiaryFrame> frames = {}; ///< from the innermost outwards, up to the kernel
  std::uint64_t stack_begin = 0;       ///< the address of the first byte of ...
  std::string stack = {};              ///< ... the frames' memory; empty for a block
};

/// What a thread did in one grid, or as much of it as was kept: its writes to global memory, and the latest of the rest.
struct Diary {
  std::string kernel;
  std::uint32_t launch = 0; ///< as in WatchedThread; 0 where there is no trace
  Extent grid{1, 1, 1}, block_extent{1, 1, 1};
  Extent block{}, thread{};
  std::vector<Moment> moments = {};
  std::uint64_t left_out = 0; ///< moments that were not kept
};

struct Diaries {
  std::vector<std::string> modules;
  std::vector<Diary> of;
};

void to_json(nlohmann::json& json, const Diaries& diaries);
/// Throws std::runtime_error if a frame refers to a module that is not there.
void from_json(const nlohmann::json& json, Diaries& diaries);

} // namespace simt
