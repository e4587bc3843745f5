#include "grader/traffic.hpp"

#include <iterator>

#include "grader/compare.hpp"
#include "grader/computed_by_host.hpp"
#include "grader/source_costs.hpp"

namespace warpbook {
namespace {

/// Blocks that end with a warp that is not full, and are not the only one of their kernel.
struct Ragged {
  std::size_t threads = 0; ///< of a block
  std::size_t blocks = 0;
};

Ragged ragged_blocks(const Reply& reply) {
  Ragged found;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    const std::size_t threads = volume(kernel.block), blocks = volume(kernel.grid);
    if (threads % 32 == 0 || blocks == 1) continue;
    if (found.blocks == 0) found.threads = threads;
    found.blocks += blocks;
  }
  return found;
}

/// What a call moved in one direction, beside what it needs.
class Judgement {
public:
  Judgement(const Reply& reply, const Way& way, const Need& need)
      : reply_(reply), way_(way), need_(need), requests_(reply.counters().*way.requests),
        sectors_(reply.counters().*way.cost), bytes_(reply.counters().*way.bytes),
        lanes_(reply.counters().*way.lanes),
        ragged_(need.has_given_blocks ? Ragged{} : ragged_blocks(reply)) {}

  void expect_bytes() const {
    const std::string done = way_.done;
    const std::string once = need_.repeated_id.empty() ? done + "-more-than-once" : need_.repeated_id;
    const std::string too_many = number(bytes_) + " bytes of global memory were " + done + " where " +
                                 number(need_.most_bytes) + " are enough. ";
    if (bytes_ > need_.most_bytes && !need_.others.empty()) {
      fail(Failure{{"other-elements-" + done, once},
                   "The result is right, but " + need_.others + " were " + done + ", too: " + too_many +
                       "An element stays as it is if no thread touches it.",
                   told()});
    }
    if (bytes_ > need_.most_bytes)
      fail(once, "The result is right, but " + too_many + need_.repeated, told());
    if (bytes_ < need_.least_bytes) {
      fail(need_.missing_id,
           "The result is right, but kernels have " + done + " only " + number(bytes_) + " of " +
               number(need_.least_bytes) +
               " bytes: the rest went another way. The task is one for your kernels.",
           told());
    }
  }

  void expect_sectors() const {
    if (sectors_ > need_.most_sectors) {
      const std::string too_many = number(sectors_) + " sectors were " + way_.done + " where at most " +
                                   number(need_.most_sectors) + " are needed";
      fail_if_known(too_many, sectors_, need_.most_sectors + requests_);
      if (lanes_ < 2 * requests_ && need_.too_many_id == "uncoalesced") {
        fail("uncoalesced",
             "The result is right, but in most requests by which global memory is " + std::string(way_.done) +
                 " one lane of the warp works, and the 31 others wait: " + too_many +
                 ". Let each thread have its share, and neighbouring threads neighbouring elements.",
             told());
      }
      fail(need_.too_many_id, "The result is right, but " + need_.too_many + ": " + too_many + ".", told());
    }
    expect_between("sectors " + std::string(way_.done), static_cast<double>(sectors_),
                   static_cast<double>(need_.least_sectors), static_cast<double>(need_.most_sectors),
                   "too-few-sectors", "Fewer sectors were counted than the task's arrays lie in.");
  }

  /// What a student who passes reads: what was counted, and how little is possible, or how much passes.
  void tell_measured() const {
    if (requests_ == 0) return;
    const std::string beside = sectors_ <= need_.least_sectors
                                   ? ", the least"
                                   : "; " + rounded(per(need_.most_sectors, requests_)) + " at most";
    warpbook::tell_measured(way_.done, rounded(per(sectors_, requests_)) + " sectors per request" + beside);
  }

  void expect_requests() const {
    if (need_.most_requests == 0 || requests_ <= need_.most_requests) return;
    const std::string too_many =
        number(requests_) + " requests were made where " + number(need_.most_requests) + " are enough";
    fail_if_known(too_many, requests_, need_.most_requests + ragged_.blocks);
    fail("idle-lanes",
         "The result is right and no sector too many is asked for, but " + too_many +
             ": of a warp's 32 lanes " + rounded(per(lanes_, requests_)) +
             " had something to do on average. Give every thread an element.",
         told());
  }

private:
  std::vector<std::string> told() const { return traffic(reply_, way_, need_); }

  /// Fails a call that asked for more than enough, where it is known why: `too_much` are the figures. `most_if_ragged`
  /// is what blocks that end with a part of a warp can have come to.
  void fail_if_known(const std::string& too_much, std::uint64_t value, std::uint64_t most_if_ragged) const {
    if (ragged_.blocks != 0 && value <= most_if_ragged) {
      fail("block-not-whole-warps",
           "The result is right, but blocks of " + number(ragged_.threads) +
               " threads are not made of whole warps: " + too_much + ". Take a multiple of 32 threads.",
           told());
    }
    if (need_.whole == 0) return;
    Need tail = need_;
    tail.section = "More threads than elements";
    const std::string with = "with " + need_.length + " = ";
    fail("tail-one-by-one",
         "The result is right, and " + with + number(need_.whole) + " all is well. But " + with +
             number(need_.n) + ", where the last block is not full, " + too_much +
             ". Are the elements behind the last whole block taken by neighbouring lanes, too?",
         traffic(reply_, way_, tail));
  }

  const Reply& reply_;
  const Way& way_;
  const Need& need_;
  const std::uint64_t requests_, sectors_, bytes_, lanes_;
  const Ragged ragged_;
};

} // namespace

Grid grid_of(const Reply& reply) {
  Grid grid;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    const std::size_t blocks = volume(kernel.grid);
    grid.blocks += blocks;
    grid.threads += blocks * volume(kernel.block);
  }
  return grid;
}

std::vector<std::string> costs(const Reply& reply, const Way& way, const std::string& section,
                               std::vector<std::string> lines) {
  std::vector<std::string> dearest =
      costly_lines(reply, way.cost, way.requests, way.ideal == nullptr ? "sectors" : "wavefronts");
  std::ranges::move(dearest, std::back_inserter(lines));
  lines.push_back(reply.in_call());
  lines.push_back(handout(section));
  return lines;
}

std::vector<std::string> traffic(const Reply& reply, const Way& way, const Need& need) {
  const std::uint64_t requests = reply.counters().*way.requests, sectors = reply.counters().*way.cost;
  std::vector<std::string> lines = {number(requests) + " requests, " + number(sectors) +
                                    " sectors of 32 bytes " + way.done + ", for " + number(need.least_bytes) +
                                    " bytes that the task needs"};
  if (requests != 0 && !need.ideal.empty())
    lines.push_back(rounded(per(sectors, requests)) + " sectors per request; " + need.ideal);
  if (const Ragged ragged = ragged_blocks(reply); ragged.blocks != 0 && !need.has_given_blocks) {
    lines.push_back("A block of " + number(ragged.threads) +
                    " threads ends with a warp that is not full, and the next block may begin off a "
                    "boundary: take a multiple of 32.");
  }
  if (!need.remark.empty() && sectors > need.most_sectors) lines.push_back(need.remark);
  return costs(reply, way, need.section, std::move(lines));
}

void judge(const Reply& reply, const Way& way, const Need& need) {
  expect_from_device(reply);
  const Judgement judgement(reply, way, need);
  judgement.expect_bytes();
  judgement.expect_sectors();
  judgement.expect_requests();
  judgement.tell_measured();
}

void expect_no_atomics(const Reply& reply, const std::string& section) {
  expect_from_device(reply);
  const simt::Counters& c = reply.counters();
  if (c.global_atomic_requests == 0) return;
  fail(
      "atomics-not-needed",
      "The result is right, but elements were changed by atomic operations. No two threads share an element, "
      "so an ordinary access does, at a fraction of the cost.",
      {number(c.global_atomic_requests) + " atomic requests, " + number(c.global_atomic_sectors) + " sectors",
       handout(section)});
}

void expect_shared_traffic(const Reply& reply, const Way& way, std::size_t least_bytes,
                           const std::string& task, int kernel) {
  expect_from_device(reply);
  const std::uint64_t bytes = reply.counters().*way.bytes;
  if (bytes >= least_bytes && bytes != 0) return;
  Failure why{{"shared-memory-not-used"},
              "The result is right, but of " + number(least_bytes) + " bytes only " + number(bytes) +
                  " were " + way.done + (way.reads() ? " from" : " to") +
                  " shared memory. It is what this task is about.",
              {reply.in_call(), handout(task)}};
  if (kernel != 0) point_to(why, kernel);
  fail(std::move(why));
}

void expect_no_conflicts(const Reply& reply, const Way& way, std::size_t least_bytes,
                         const Conflict& conflict) {
  expect_from_device(reply);
  if (least_bytes != 0) expect_shared_traffic(reply, way, least_bytes, conflict.task, conflict.kernel);
  const simt::Counters& c = reply.counters();
  const std::uint64_t wavefronts = c.*way.cost, ideal = c.*way.ideal;
  if (wavefronts > ideal) {
    Failure why{{conflict.id},
                "The result is right, but shared memory was " + std::string(way.done) + " in " +
                    rounded(per(wavefronts, ideal)) +
                    " times as many wavefronts as needed: lanes meet in the same banks. " + conflict.why,
                costs(reply, way, conflict.section,
                      {number(c.*way.requests) + " requests of warps, " + number(wavefronts) +
                       " wavefronts; they would take " + number(ideal) + " without conflicts"})};
    if (!conflict.cause.empty()) why.diagnoses.push_back(conflict.cause);
    fail(std::move(why));
  }
  if (const std::uint64_t requests = c.*way.requests; requests != 0)
    tell_measured("shared memory " + std::string(way.done),
                  rounded(per(wavefronts, requests)) + " wavefronts per request, the least");
  expect_count("wavefronts", static_cast<double>(wavefronts), static_cast<double>(ideal),
               "too-few-wavefronts", "Fewer wavefronts were counted than there are groups of lanes.");
}

} // namespace warpbook
