#pragma once
/// What the rubrics of lab 01's tasks share: inputs of every kind, and a judgement of what the warps moved.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "explain.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"

namespace coalescing {

using namespace warpbook;

/// A size at which a function that changes nothing is taken for an unsolved task, and at which the usual
/// mistakes show their shape: several blocks of any size, and a tail.
constexpr std::size_t typical = 5003;
/// The largest prime below a million: divisible by no block and no vector width.
constexpr std::size_t large = 999'983;
/// On a GPU also more elements than fit its caches.
constexpr std::size_t real = std::size_t{1} << 24;

/// One input: what it is, and its values.
template <typename T>
struct Input {
  std::string what;
  std::vector<T> values;
};

template <typename T>
std::vector<T> random_values(std::size_t count) {
  if constexpr (sizeof(T) == sizeof(float))
    return random_floats(count, -100, 100);
  else
    return random_doubles(count, -100, 100);
}

/// Constant, sorted and, over and over, these `extreme` values.
template <typename T>
std::vector<Input<T>> special_inputs(std::size_t count, const std::vector<T>& extreme) {
  std::vector<Input<T>> list;
  list.push_back({"one value everywhere", std::vector<T>(count, random_values<T>(1)[0])});
  std::vector<T> sorted = random_values<T>(count);
  std::sort(sorted.begin(), sorted.end());
  list.push_back({"sorted values", std::move(sorted)});
  std::vector<T> adversarial(count);
  for (std::size_t i = 0; i < count; ++i) adversarial[i] = extreme[i % extreme.size()];
  list.push_back({"extreme values", std::move(adversarial)});
  return list;
}

/// What a task needs in one direction, and how a kernel is told that did otherwise.
struct Need {
  std::size_t least_bytes = 0, most_bytes = 0;     ///< that lanes ask for; each once if both are the same
  std::size_t least_sectors = 0, most_sectors = 0; ///< over all requests
  std::size_t most_requests = 0;                   ///< 0: as many as they like
  std::string ideal = "";                          ///< "4 sectors a request when …"
  std::string section = "What a warp asks for";    ///< of the handout
  std::string repeated = "Keep the value in a variable."; ///< advice where bytes are asked for again
  std::string others = ""; ///< other elements asked for, where it is known that they are the bytes too many
  std::string too_many_id = "uncoalesced";
  std::string too_many = "the lanes of a warp are not on neighbouring elements at the same time";
  std::string remark = "";      ///< a further line of details about too many sectors, if not empty
  std::string length = "n";     ///< what the number of elements is called
  std::size_t n = 0, whole = 0; ///< if not 0: with `whole`, of whole blocks, all was well, and this is with n
};

/// What `n` elements need, which no whole blocks have, after `whole` have been counted exactly. Who cuts the work in
/// other places than we do begins each of a few parts off a boundary: one sector more a request, and some requests.
inline Need with_tail(Need need, std::size_t n, std::size_t whole, std::size_t further_sectors) {
  need.n = n;
  need.whole = whole;
  need.most_sectors += further_sectors;
  if (need.most_requests != 0) need.most_requests += 8;
  return need;
}

/// An odd size near `whole`, for counting tails. Vectors of 2, 4 and 8 elements leave one element over, in a sector of
/// its own; blocks and warps of any size leave many.
constexpr std::size_t with_odd_end(std::size_t whole) { return whole - 7; }

/// The sectors that the bytes from `begin` to `end` lie in, if the array starts on a boundary.
constexpr std::size_t sectors_between(std::size_t begin, std::size_t end) {
  return end <= begin ? 0 : (end - 1) / 32 - begin / 32 + 1;
}

/// Blocks that end with a warp that is not full, and are not the only one of their kernel.
struct Ragged {
  std::size_t threads = 0; ///< of a block
  std::size_t blocks = 0;
};
inline Ragged ragged_blocks(const Reply& reply) {
  Ragged found;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    const std::size_t threads = volume(kernel.block), blocks = volume(kernel.grid);
    if (threads % 32 == 0 || blocks == 1) continue;
    if (found.blocks == 0) found.threads = threads;
    found.blocks += blocks;
  }
  return found;
}

/// Warps with a lane for each of n elements.
constexpr std::size_t warps_for(std::size_t n) { return (n + 31) / 32; }

/// What the warps asked for, in total and on the dearest source lines.
inline std::vector<std::string> traffic(const Reply& reply, const Way& way, const Need& need) {
  const std::uint64_t requests = reply.counters().*way.requests, sectors = reply.counters().*way.cost;
  std::vector<std::string> lines;
  lines.push_back(number(requests) + " requests, " + number(sectors) + " sectors of 32 bytes " + way.done +
                  ", for " + number(need.least_bytes) + " bytes that the task needs");
  if (requests != 0) {
    lines.push_back(rounded(static_cast<double>(sectors) / static_cast<double>(requests)) +
                    " sectors a request; " + need.ideal);
  }
  for (std::string& line : costly_lines(reply, way.cost, way.requests, "sectors"))
    lines.push_back(std::move(line));
  if (const Ragged ragged = ragged_blocks(reply); ragged.blocks != 0) {
    lines.push_back(
        "A block of " + number(ragged.threads) +
        " threads ends with a warp that is not full, and the next block may begin off a boundary: "
        "take a multiple of 32.");
  }
  if (!need.remark.empty() && sectors > need.most_sectors) lines.push_back(need.remark);
  lines.push_back("In the call " + reply.call_text() + ".");
  lines.push_back(handout(need.section));
  return lines;
}

/// Fails a call that asked for more than enough, where it is known why: `too_much` are the figures. `most_if_ragged` is
/// what blocks that end with a part of a warp can have come to.
inline void fail_if_known(const Reply& reply, const Way& way, const Need& need, const std::string& too_much,
                          std::uint64_t value, std::uint64_t most_if_ragged) {
  const Ragged ragged = ragged_blocks(reply);
  if (ragged.blocks != 0 && value <= most_if_ragged) {
    fail("block-not-whole-warps",
         "The result is right, but blocks of " + number(ragged.threads) +
             " threads are not made of whole warps: " + too_much + ". Take a multiple of 32 threads.",
         traffic(reply, way, need));
  }
  if (need.whole != 0) {
    Need tail = need;
    tail.section = "More threads than elements";
    fail("tail-one-by-one",
         "The result is right, and with " + need.length + " = " + number(need.whole) +
             " all is well. But with " + need.length + " = " + number(need.n) +
             ", where the last block is not full, " + too_much +
             ". Are the elements behind the last whole block taken by neighbouring lanes, too?",
         traffic(reply, way, tail));
  }
}

/// Judges what a call moved in one direction; the result must have been found right before.
inline void judge(const Reply& reply, const Way& way, const Need& need) {
  const std::uint64_t bytes = reply.counters().*way.bytes, sectors = reply.counters().*way.cost;
  const std::uint64_t requests = reply.counters().*way.requests;
  const std::string done = way.done;
  if (bytes > need.most_bytes && !need.others.empty()) {
    fail(Failure{{"other-elements-" + done, done + "-more-than-once"},
                 "The result is right, but " + need.others + " were " + done + ", too: " + number(bytes) +
                     " bytes were asked for instead of " + number(need.most_bytes) +
                     ". An element stays as it is if nobody touches it.",
                 traffic(reply, way, need)});
  }
  if (bytes > need.most_bytes) {
    fail(done + "-more-than-once",
         "The result is right, and every byte need be " + done + " only once, but " + number(bytes) +
             " bytes were asked for instead of " + number(need.most_bytes) + ". " + need.repeated,
         traffic(reply, way, need));
  }
  expect_moved_by_kernels(reply, way, need.least_bytes, [&] { return traffic(reply, way, need); });
  if (sectors > need.most_sectors) {
    const std::string too_many = number(sectors) + " sectors were " + done + " where at most " +
                                 number(need.most_sectors) + " are needed";
    fail_if_known(reply, way, need, too_many, sectors, need.most_sectors + requests);
    fail(need.too_many_id, "The result is right, but " + need.too_many + ": " + too_many + ".",
         traffic(reply, way, need));
  }
  if (need.most_requests != 0 && requests > need.most_requests) {
    const std::string too_many =
        number(requests) + " requests were made where " + number(need.most_requests) + " are enough";
    fail_if_known(reply, way, need, too_many, requests, need.most_requests + ragged_blocks(reply).blocks);
    const double lanes = static_cast<double>(reply.counters().*way.lanes) / static_cast<double>(requests);
    fail("idle-lanes",
         "The result is right and no sector too many is asked for, but " + too_many +
             ": of a warp's 32 lanes " + rounded(lanes) +
             " had something to do on average. Give every thread an element.",
         traffic(reply, way, need));
  }
  expect_between("sectors " + done, static_cast<double>(sectors), static_cast<double>(need.least_sectors),
                 static_cast<double>(need.most_sectors), "too-few-sectors",
                 "Fewer sectors were counted than the task's arrays lie in.");
}

} // namespace coalescing
