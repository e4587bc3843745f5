#pragma once
/// What the rubrics of lab 02's tasks share: inputs, and judgements of what warps asked of global and of shared
/// memory.

#include <algorithm>
#include <cmath>
#include <functional>
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

/// One input: what it is, and its values.
template <typename T>
struct Input {
  std::string what;
  std::vector<T> values;
};

/// Constant, sorted and, over and over, these `extreme` values.
template <typename T>
std::vector<Input<T>> special_inputs(std::vector<T> random, const std::vector<T>& extreme) {
  std::vector<Input<T>> list;
  list.push_back({"one value everywhere", std::vector<T>(random.size(), random.at(0))});
  std::vector<T> adversarial(random.size());
  for (std::size_t i = 0; i < random.size(); ++i) adversarial[i] = extreme[i % extreme.size()];
  list.push_back({"extreme values", std::move(adversarial)});
  std::sort(random.begin(), random.end());
  list.push_back({"sorted values", std::move(random)});
  return list;
}

/// Blocks of all grids of a call together.
inline std::size_t blocks_of(const Reply& reply) {
  std::size_t blocks = 0;
  for (const simt::KernelRecord& kernel : reply.kernels()) blocks += volume(kernel.grid);
  return blocks;
}

/// The dearest source lines, the call, and where to read on.
inline std::vector<std::string> costs(const Reply& reply, const Way& way, const char* unit,
                                      const std::string& section) {
  std::vector<std::string> lines = costly_lines(reply, way.cost, way.requests, unit);
  lines.push_back("In the call " + reply.call_text() + ".");
  lines.push_back(handout(section));
  return lines;
}

/// What a task needs of global memory in one direction.
struct Need {
  std::size_t least_bytes = 0, most_bytes = 0; ///< that lanes ask for
  std::size_t most_sectors = 0;
  std::string section;  ///< of the handout
  std::string repeated; ///< advice where bytes are asked for again
  std::string repeated_id = "more-than-once";
};

/// Judges what a call moved in one direction; the result must have been found right before.
inline void judge(const Reply& reply, const Way& way, const Need& need) {
  const simt::Counters& c = reply.counters();
  const std::uint64_t bytes = c.*way.bytes, sectors = c.*way.cost;
  const std::string done = way.done;
  const auto details = [&] { return costs(reply, way, "sectors", need.section); };
  expect_no_atomics(reply, need.section);
  if (bytes > need.most_bytes) {
    fail(need.repeated_id,
         "The result is right, but " + number(bytes) + " bytes of global memory were " + done +
             ", and at most " + number(need.most_bytes) + " are needed. " + need.repeated,
         details());
  }
  expect_moved_by_kernels(reply, way, need.least_bytes, details);
  if (sectors > need.most_sectors && c.*way.lanes == c.*way.requests) {
    fail("uncoalesced",
         "The result is right, but in every request by which global memory is " + done +
             " one lane of the warp works, and the 31 others wait: let each thread of the block have its "
             "share.",
         details());
  }
  if (sectors > need.most_sectors) {
    fail("uncoalesced",
         "The result is right, but the lanes of a warp are not on neighbouring elements when global memory "
         "is " +
             done + ": " + number(sectors) + " sectors were " + done + " where at most " +
             number(need.most_sectors) + " are needed.",
         details());
  }
  expect_between("sectors " + done, static_cast<double>(sectors), static_cast<double>(bytes / 32),
                 static_cast<double>(need.most_sectors), "too-few-sectors",
                 "Fewer sectors were counted than the bytes fit in.");
}

/// What a conflict is called, and what the handout says about it.
struct Conflict {
  std::string id = "bank-conflict";
  std::string cause = {}; ///< the id of what `why` is about, where that is more than any conflict
  std::string why;        ///< what the lanes of a warp do, and where to look
  std::string section;    ///< of the handout
  std::string task;       ///< the section about the task itself: why shared memory is used at all
  int kernel = 0;         ///< the TODO that uses it, where that is not the item's own
};

/// Fails unless at least `least_bytes` were moved to or from shared memory. `task` and `kernel` as in Conflict.
inline void expect_shared_traffic(const Reply& reply, const Way& way, std::size_t least_bytes,
                                  const std::string& task, int kernel = 0) {
  const std::uint64_t bytes = reply.counters().*way.bytes;
  if (bytes >= least_bytes && bytes != 0) return;
  Failure why{{"shared-memory-not-used"},
              "The result is right, but of " + number(least_bytes) + " bytes only " + number(bytes) +
                  " were " + way.done + (way.cost == shared_reading.cost ? " from" : " to") +
                  " shared memory. It is what this task is about.",
              {"In the call " + reply.call_text() + ".", handout(task)}};
  if (kernel != 0) point_to(why, kernel);
  fail(std::move(why));
}

/// Fails unless at least `least_bytes` were moved to or from shared memory, and in as few wavefronts as is
/// possible.
inline void expect_no_conflicts(const Reply& reply, const Way& way, std::size_t least_bytes,
                                const Conflict& conflict) {
  expect_shared_traffic(reply, way, least_bytes, conflict.task, conflict.kernel);
  const simt::Counters& c = reply.counters();
  const std::uint64_t ideal = way.bytes == &simt::Counters::shared_load_bytes
                                  ? c.shared_load_ideal_wavefronts
                                  : c.shared_store_ideal_wavefronts;
  const std::uint64_t wavefronts = c.*way.cost;
  if (wavefronts > ideal) {
    std::vector<std::string> details = {number(c.*way.requests) + " requests of warps, " +
                                        number(wavefronts) + " wavefronts; " + number(ideal) +
                                        " without conflicts"};
    for (std::string& line : costs(reply, way, "wavefronts", conflict.section))
      details.push_back(std::move(line));
    Failure why{{conflict.id},
                "The result is right, but shared memory was " + std::string(way.done) + " in " +
                    rounded(static_cast<double>(wavefronts) / static_cast<double>(ideal)) +
                    " times as many wavefronts as needed: lanes meet in the same banks. " + conflict.why,
                std::move(details)};
    if (!conflict.cause.empty()) why.diagnoses.push_back(conflict.cause);
    fail(std::move(why));
  }
  expect_count("wavefronts", static_cast<double>(wavefronts), static_cast<double>(ideal),
               "too-few-wavefronts", "Fewer wavefronts were counted than there are groups of lanes.");
}

} // namespace shared_memory
