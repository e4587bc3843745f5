#pragma once
/// Calls that have been made, to be made again in a module that records what threads do.

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "call/call.hpp"
#include "call/memory.hpp"
#include "simt/report/diary.hpp"
#include "simt/trace/trace.hpp"

namespace warpbook {

/// How a submission is compiled for a second, slow run of a call that fails, and which module that makes. Without a command there is
/// no such run.
struct ReplayBuild {
  std::vector<std::string> command;
  std::string module_path;
};

/// What a second run of a call has shown.
struct Repeated {
  std::shared_ptr<const simt::Trace> trace; ///< null if none was asked for
  simt::Diaries diaries;
  std::vector<simt::Finding> findings;
};

class Repeater {
public:
  /// Sends a call to the module for second runs, with its buffers, and returns what it answers. Throws ItemFailed if it does not.
  using Answer = std::function<RawReply(Call, const SharedMemory&)>;
  Repeater(ReplayBuild build, Answer answer) : build_(std::move(build)), answer_(std::move(answer)) {}

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
  ReplayBuild build_;
  Answer answer_;
  std::deque<Kept> kept_;
  std::size_t bytes_ = 0; ///< of their images
};

} // namespace warpbook
