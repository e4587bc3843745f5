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

/// Each of `bytes` of global memory once, in full sectors: `repeated` is the advice where bytes are asked for again.
inline Need need_once(std::size_t bytes, const LabMessage& repeated) {
  return {.least_bytes = bytes,
          .most_bytes = bytes,
          .least_sectors = sectors_between(0, bytes),
          .most_sectors = sectors_between(0, bytes),
          .section = repeated.section,
          .repeated = repeated.sentence,
          .repeated_id = "more-than-once",
          .has_given_blocks = true};
}

/// Judges what a call moved in both directions. The result must have been found right before.
inline void judge_both(const Reply& reply, const Need& need) {
  expect_no_atomics(reply, need.section);
  for (const Way& way : {reading, writing}) judge(reply, way, need);
}

/// A bank conflict: `why` says what the lanes do, and `task` is the section about the task.
inline Conflict conflict_of(const LabMessage& why, const std::string& task, int kernel = 0) {
  return {.id = why.id.empty() ? "bank-conflict" : why.id,
          .why = why.sentence,
          .section = why.section,
          .task = task,
          .kernel = kernel};
}

/// Fails unless at least `bytes` went through shared memory, written and read without conflicts.
inline void expect_banks_apart(const Reply& reply, std::size_t bytes, const Conflict& conflict) {
  for (const Way& way : {shared_writing, shared_reading}) expect_no_conflicts(reply, way, bytes, conflict);
}

/// Fails the item about buffer `k`, whose elements should be `moved`; returns if those that differ are 0 and -0.
template <typename T>
void expect_moved(const Moved<T>& moved, std::size_t k, const std::string& section) {
  std::vector<T> wanted(moved.after.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = moved.before[moved.origin(i)];
  read_in(section, [&] { expect_equal(moved.reply, k, wanted); });
}

/// The most shared memory of a block of any kernel of a call.
inline std::size_t shared_bytes_of(const Reply& reply) {
  std::size_t most = 0;
  for (const simt::KernelRecord& kernel : reply.kernels()) most = std::max(most, kernel.shared_bytes);
  return most;
}

} // namespace shared_memory
