#pragma once
/// Traffic of a call's kernels with memory, as the simulator counts it, and what rubrics judge of it: every byte once, no
/// sector too many, no bank conflicts, no atomics.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/failure.hpp"
#include "grader/reply.hpp"
#include "grader/say.hpp"
#include "grader/text.hpp"

namespace warpbook {

/// One direction of traffic with one memory: what it is called, and its counters.
struct Way : simt::Traffic {
  const char* done; ///< "read" or "written"

  bool reads() const { return done[0] == 'r'; }
};
inline constexpr Way reading = {simt::traffic_of(simt::Space::global, simt::Access::read), "read"};
inline constexpr Way writing = {simt::traffic_of(simt::Space::global, simt::Access::write), "written"};
inline constexpr Way shared_reading = {simt::traffic_of(simt::Space::shared, simt::Access::read), "read"};
inline constexpr Way shared_writing = {simt::traffic_of(simt::Space::shared, simt::Access::write), "written"};

/// Blocks and threads of all kernels of a call together; none on a GPU.
struct Grid {
  std::size_t blocks = 0, threads = 0;
};
Grid grid_of(const Reply& reply);

/// `lines`, the dearest source lines in one direction, and the call.
Details costs(const Reply& reply, const Way& way, Details lines = {});

/// The sectors of global memory that the bytes from `begin` to `end` lie in, if the array starts on a boundary.
constexpr std::size_t sectors_between(std::size_t begin, std::size_t end) {
  return end <= begin ? 0 : (end - 1) / 32 - begin / 32 + 1;
}

/// What a task needs of global memory in one direction, and the words for a kernel that did otherwise.
struct Need {
  std::size_t least_bytes = 0, most_bytes = 0;     ///< that lanes ask for; each once if both are the same
  std::size_t least_sectors = 0, most_sectors = 0; ///< over all requests
  std::size_t most_requests = 0;                   ///< 0: as many as they like
  std::string section = "What a warp asks for";    ///< of the handout
  Sentence repeated = say("Keep the value in a variable."); ///< advice where bytes are asked for again
  std::string repeated_id = ""; ///< empty: "read-more-than-once" or "written-more-than-once"
  std::string missing_id = "bytes-missing";
  std::string others = ""; ///< other elements asked for, where it is known that they are the bytes too many
  std::string ideal = "";  ///< "4 sectors per request when …", if anything
  std::string too_many_id = "uncoalesced";
  Sentence too_many = say("the lanes of a warp are not on neighbouring elements at the same time");
  bool has_given_blocks = false; ///< the student does not choose the number of threads
  std::string length = "n";      ///< what the number of elements is called
  std::size_t n = 0, whole = 0; ///< if not 0: with `whole`, of whole blocks, all was well, and this is with n
};

/// What the warps asked for in one direction, in total and on the dearest source lines, the call, and where to read on.
Details traffic(const Reply& reply, const Way& way, const Need& need);
/// Judges what a call moved in one direction; the result must have been found right before.
void judge(const Reply& reply, const Way& way, const Need& need);

/// Fails a call that has changed global memory by atomics where no two threads share an element and none is
/// needed. The result must have been found right before; `section` is the handout's.
void expect_no_atomics(const Reply& reply, const std::string& section);

/// What a bank conflict is called, and what the handout says about it.
struct Conflict {
  std::string id = "bank-conflict";
  std::string cause = {}; ///< the id of what `why` is about, where that is more than any conflict
  Sentence why;           ///< what the lanes of a warp do, and where to look
  std::string section;    ///< of the handout
  std::string task = {};  ///< the section about the task itself: why shared memory is used at all
  int kernel = 0;         ///< the TODO that uses it, where that is not the item's own
};

/// Fails unless at least `least_bytes` were moved to or from shared memory. `task` and `kernel` as in Conflict.
void expect_shared_traffic(const Reply& reply, const Way& way, std::size_t least_bytes,
                           const std::string& task, int kernel = 0);
/// The same (unless `least_bytes` is 0), and fails unless it took as few wavefronts as is possible.
void expect_no_conflicts(const Reply& reply, const Way& way, std::size_t least_bytes,
                         const Conflict& conflict);

} // namespace warpbook
