#pragma once
/// What the rubrics of lab 02's tasks share: inputs, and judgements of what warps asked of global and of shared
/// memory.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "explain.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"

namespace shared_memory {

using namespace warpbook;

/// Whether traffic is counted.
inline bool on_sim() { return submission().backend() == Backend::sim; }

/// Whether real sizes can be graded: on a GPU, and with no tool in front of the runner, which would take minutes.
inline bool at_real_size() {
  const SubmissionOptions& options = submission().options();
  return options.backend == Backend::cuda && options.prefix.empty();
}
/// A prime: near a million at real size, and as large as a few tenths of a second allow on the simulator.
inline std::size_t large() { return at_real_size() ? 999'983 : 50'021; }
/// On a GPU also more elements than fit its caches.
constexpr std::size_t real = std::size_t{1} << 24;

/// The shared memory that one block can have on the submission's device: the programming guide's table.
inline std::size_t most_shared_bytes() {
  int version = 90;
  if (submission().backend() == Backend::cuda) {
    const Availability device = probe(submission().options());
    version = 10 * device.capability_major + device.capability_minor;
  }
  for (const auto& [capability, kib] :
       {std::pair{120, 99}, {90, 227}, {89, 99}, {87, 163}, {86, 99}, {80, 163}, {75, 64}, {70, 96}}) {
    if (version >= capability) return static_cast<std::size_t>(kib) * 1024;
  }
  return 48 * 1024;
}

/// Judges what a call moved in both directions, which should be each of `bytes` once: `repeated` is the advice where
/// bytes are asked for again. The result must have been found right before.
inline void expect_each_once(const Reply& reply, std::size_t bytes, const std::string& section,
                             const std::string& repeated) {
  expect_no_atomics(reply, section);
  for (const Way& way : {reading, writing}) {
    judge(reply, way,
          {.least_bytes = bytes,
           .most_bytes = bytes,
           .least_sectors = bytes / 32,
           .most_sectors = bytes / 32,
           .section = section,
           .repeated = repeated,
           .repeated_id = "more-than-once",
           .has_given_blocks = true});
  }
}

/// Fails unless at least `bytes` went through shared memory, written and read without conflicts: `why` says which lanes
/// have none, `task` is the section about the task.
inline void expect_banks_apart(const Reply& reply, std::size_t bytes, const std::string& why,
                               const std::string& task) {
  for (const Way& way : {shared_writing, shared_reading})
    expect_no_conflicts(reply, way, bytes, {.why = why, .section = "Thirty-two banks", .task = task});
}

/// The most shared memory of a block of any kernel of a call.
inline std::size_t shared_bytes_of(const Reply& reply) {
  std::size_t most = 0;
  for (const simt::KernelRecord& kernel : reply.kernels()) most = std::max(most, kernel.shared_bytes);
  return most;
}

} // namespace shared_memory
