#pragma once
/// What the rubrics of lab 02's tasks share: inputs, and judgements of what warps asked of global and of shared
/// memory.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
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
    const auto [major, minor] = probe(submission().options()).compute_capability;
    version = 10 * major + minor;
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

/// Some elements of an array: `count` of them, `step` apart.
struct Elements {
  std::size_t first, step, count;
  bool has(std::size_t i) const {
    return i >= first && (i - first) % step == 0 && (i - first) / step < count;
  }
};

/// Moves an array of `words` floats, more than 32 bits count; out[i] should be in[origin(i)]. On a GPU some thousand elements
/// come back. On the simulator the last block alone runs, and there are no other elements than those that it `writes` and
/// `reads`. `place` is an index in words.
template <typename F, typename OriginOf, typename... Arguments>
void check_far_elements(F function, std::size_t words, const Elements& writes, const Elements& reads,
                        const OriginOf& origin, const char* place, Arguments... arguments) {
  constexpr double nothing = -0x1.badp+90; // what no element is
  const bool is_sparse = on_sim();
  if (!is_sparse && (!at_real_size() || !has_room_for(2 * words * sizeof(float)))) return;
  const Drawn<float> values;
  const auto out = generated<float>(words, constant(nothing), 0);
  const auto in = values.buffer(words);
  const auto call = [&] {
    return submission().call({.timeout = std::chrono::seconds(60), .last_block_only = true}, function,
                             is_sparse ? out.sparse(writes.first, writes.step, writes.count) : out.sampled(),
                             is_sparse ? in.sparse(reads.first, reads.step, reads.count) : in.sampled(),
                             arguments...);
  };
  std::optional<Reply> reply;
  std::optional<Failure> failed = failure_in([&] {
    reply = changing(call, [&](Failure& why) {
      for (const char* id : {"out-of-bounds", "global-race", "input-modified", "guard-damaged", "cuda-error"})
        if (is_about(why, id)) return retell(why, message("index-overflow/wrapped", place));
    });
  });
  // A block that does the work of all, or that waits for the others, is not wrong.
  if (failed && is_sparse && !has_diagnosis(*failed, "index-overflow")) return;
  if (failed) pass_on(std::move(*failed));
  const std::span<const float> after = reply->values<float>(0);
  for (std::size_t k = 0; k < after.size(); ++k) {
    const std::size_t i = reply->indices(0)[k];
    const float wanted = is_sparse && !reads.has(origin(i)) ? 0 : values[origin(i)];
    const bool is_others =
        is_sparse && writes.has(i) && after[k] == static_cast<float>(nothing); // another block's
    if (after[k] != wanted && !is_others)
      fail(message("index-overflow", i, to_text(after[k]), to_text(wanted), place), {reply->in_call()});
  }
}

} // namespace shared_memory
