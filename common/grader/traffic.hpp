#pragma once
/// Traffic of a call's kernels with memory, as the simulator counts it: what rubrics judge of it in common.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/failure.hpp"
#include "grader/reply.hpp"
#include "grader/text.hpp"

namespace warpbook {

/// One direction of traffic with one memory: what it is called, and its counters.
struct Way {
  const char* done; ///< "read" or "written"
  std::uint64_t simt::Counters::*requests;
  std::uint64_t simt::Counters::*cost; ///< sectors of global memory, wavefronts of shared memory
  std::uint64_t simt::Counters::*bytes;
  std::uint64_t simt::Counters::*lanes;
};
inline constexpr Way reading = {"read", &simt::Counters::global_load_requests,
                                &simt::Counters::global_load_sectors, &simt::Counters::global_load_bytes,
                                &simt::Counters::global_load_lanes};
inline constexpr Way writing = {"written", &simt::Counters::global_store_requests,
                                &simt::Counters::global_store_sectors, &simt::Counters::global_store_bytes,
                                &simt::Counters::global_store_lanes};
inline constexpr Way shared_reading = {
    "read", &simt::Counters::shared_load_requests, &simt::Counters::shared_load_wavefronts,
    &simt::Counters::shared_load_bytes, &simt::Counters::shared_load_lanes};
inline constexpr Way shared_writing = {
    "written", &simt::Counters::shared_store_requests, &simt::Counters::shared_store_wavefronts,
    &simt::Counters::shared_store_bytes, &simt::Counters::shared_store_lanes};

/// Fails a call that has changed global memory by atomics where no two threads share an element and none is
/// needed. The result must have been found right before; `section` is the handout's.
inline void expect_no_atomics(const Reply& reply, const std::string& section) {
  const simt::Counters& c = reply.counters();
  if (c.global_atomic_requests == 0) return;
  fail(
      "atomics-not-needed",
      "The result is right, but elements were changed by atomic operations. No two threads share an element, "
      "so an ordinary access does, at a fraction of the cost.",
      {number(c.global_atomic_requests) + " atomic requests, " + number(c.global_atomic_sectors) + " sectors",
       handout(section)});
}

/// Fails a call whose kernels moved fewer bytes than the task has: copies by the host count nowhere.
inline void expect_moved_by_kernels(const Reply& reply, const Way& way, std::size_t least_bytes,
                                    const std::function<std::vector<std::string>()>& details) {
  const std::uint64_t bytes = reply.counters().*way.bytes;
  if (bytes >= least_bytes) return;
  fail("bytes-missing",
       "The result is right, but kernels have " + std::string(way.done) + " only " + number(bytes) + " of " +
           number(least_bytes) + " bytes: the rest went another way. The task is one for your kernels.",
       details());
}

} // namespace warpbook
