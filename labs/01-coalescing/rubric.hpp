#pragma once
/// What the rubrics of lab 01's tasks share: inputs of every kind, and a judgement of what the warps moved.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

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

/// One direction of global memory traffic: what it is called, and its counters.
struct Way {
  const char* done; ///< "read" or "written"
  std::uint64_t simt::Counters::*requests;
  std::uint64_t simt::Counters::*sectors;
  std::uint64_t simt::Counters::*bytes;
};
inline constexpr Way reading = {"read", &simt::Counters::global_load_requests,
                                &simt::Counters::global_load_sectors, &simt::Counters::global_load_bytes};
inline constexpr Way writing = {"written", &simt::Counters::global_store_requests,
                                &simt::Counters::global_store_sectors, &simt::Counters::global_store_bytes};

/// What a task needs in one direction, and how a kernel is told that did otherwise.
struct Need {
  std::size_t least_bytes = 0, most_bytes = 0;     ///< that lanes ask for; each once if both are the same
  std::size_t least_sectors = 0, most_sectors = 0; ///< over all requests
  std::size_t most_requests = 0;                   ///< 0: as many as they like
  std::string ideal = "";                          ///< "4 sectors a request when …"
  std::string section = "What a warp asks for";    ///< of the handout
  std::string repeated = "Keep the value in a variable."; ///< advice where bytes are asked for again
  std::string too_many_id = "uncoalesced";
  std::string too_many = "the lanes of a warp are not on neighbouring elements at the same time";
  std::string remark = ""; ///< a further line of details about too many sectors, if not empty
};

/// The sectors that the bytes from `begin` to `end` lie in, if the array starts on a boundary.
constexpr std::size_t sectors_between(std::size_t begin, std::size_t end) {
  return end <= begin ? 0 : (end - 1) / 32 - begin / 32 + 1;
}

/// What the warps asked for, in total and on the dearest source lines.
inline std::vector<std::string> traffic(const Reply& reply, const Way& way, const Need& need) {
  const std::uint64_t requests = reply.counters().*way.requests, sectors = reply.counters().*way.sectors;
  std::vector<std::string> lines;
  lines.push_back(number(requests) + " requests, " + number(sectors) + " sectors of 32 bytes " + way.done +
                  ", for " + number(need.least_bytes) + " bytes that the task needs");
  if (requests != 0) {
    lines.push_back(rounded(static_cast<double>(sectors) / static_cast<double>(requests)) +
                    " sectors a request; " + need.ideal);
  }
  for (std::string& line : costly_lines(reply, way.sectors, way.requests, "sectors"))
    lines.push_back(std::move(line));
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    const std::size_t threads = volume(kernel.block);
    if (threads % 32 != 0 && kernel.grid[0] > 1) {
      lines.push_back(
          "A block of " + number(threads) +
          " threads has a warp that is not full, and the next block begins off a boundary: take a "
          "multiple of 32.");
      break;
    }
  }
  if (!need.remark.empty() && sectors > need.most_sectors) lines.push_back(need.remark);
  lines.push_back("In the call " + reply.call_text() + ".");
  lines.push_back(handout(need.section));
  return lines;
}

/// Judges what a call moved in one direction; the result must have been found right before.
inline void judge(const Reply& reply, const Way& way, const Need& need) {
  const std::uint64_t bytes = reply.counters().*way.bytes, sectors = reply.counters().*way.sectors;
  const std::string done = way.done;
  if (bytes > need.most_bytes) {
    fail(done + "-more-than-once",
         "The result is right, and every byte need be " + done + " only once, but " + number(bytes) +
             " bytes were asked for instead of " + number(need.most_bytes) + ". " + need.repeated,
         traffic(reply, way, need));
  }
  if (bytes < need.least_bytes) {
    fail("bytes-missing",
         "The result is right, but kernels have " + done + " only " + number(bytes) + " of " +
             number(need.least_bytes) +
             " bytes: the rest went another way. The task is one for your kernels.",
         traffic(reply, way, need));
  }
  if (sectors > need.most_sectors) {
    fail(need.too_many_id,
         "The result is right, but " + need.too_many + ": " + number(sectors) + " sectors were " + done +
             " where at most " + number(need.most_sectors) + " are needed.",
         traffic(reply, way, need));
  }
  const std::uint64_t requests = reply.counters().*way.requests;
  if (need.most_requests != 0 && requests > need.most_requests) {
    fail("idle-lanes",
         "The result is right and no sector is asked for twice, but " + number(requests) +
             " requests were made where " + number(need.most_requests) +
             " are enough: most lanes of a warp had nothing to do. Give every thread an element.",
         traffic(reply, way, need));
  }
  expect_between("sectors " + done, static_cast<double>(sectors), static_cast<double>(need.least_sectors),
                 static_cast<double>(need.most_sectors), "too-few-sectors",
                 "Fewer sectors were counted than the task's arrays lie in.");
}

/// Where no two threads share an element, an atomic operation protects it from nobody.
inline void expect_no_atomics(const Reply& reply, const std::string& section) {
  const simt::Counters& c = reply.counters();
  if (c.global_atomic_requests == 0) return;
  fail(
      "atomics-not-needed",
      "The result is right, but elements were changed by atomic operations. No two threads share an element, "
      "so "
      "an ordinary access does, at a fraction of the cost.",
      {number(c.global_atomic_requests) + " atomic requests, " + number(c.global_atomic_sectors) + " sectors",
       handout(section)});
}

} // namespace coalescing
