#pragma once
/// Calls that have been made, to be made again in a module that records what threads do.

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "call/call.hpp"
#include "call/memory.hpp"
#include "grader/submission.hpp"
#include "simt/report/diary.hpp"
#include "simt/trace/trace.hpp"

namespace warpbook {

/// What a second run of a call has shown.
struct Repeated {
  std::shared_ptr<const simt::Trace> trace; ///< null if none was asked for
  simt::Diaries diaries;
  std::vector<simt::Finding> findings;
};

class Repeater {
public:
  /// For calls on the simulator, of a submission that has a module for second runs (SubmissionOptions::replay).
  explicit Repeater(SubmissionOptions options) : options_(std::move(options)) {}

  /// Keeps a call, as it is before it is made; the latest ones are kept, and none with large buffers.
  void keep(const std::string& text, const Call& call, const SharedMemory& memory);
  /// The latest of them in words; empty if there is none.
  std::string latest() const { return kept_.empty() ? std::string() : kept_.back().text; }

  /// Makes the call, given in words, again: what these threads did. Nothing if it was not kept, or the module cannot be made or does not
  /// answer.
  std::optional<Repeated> repeat(const std::string& text, std::vector<simt::WatchedThread> threads,
                                 bool trace);

private:
  struct Kept {
    std::string text;
    Call call;
    std::vector<std::byte> image;
  };
  SubmissionOptions options_;
  std::deque<Kept> kept_;
  std::size_t bytes_ = 0; ///< of their images
};

} // namespace warpbook
