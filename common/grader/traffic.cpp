#include "grader/traffic.hpp"

#include <iterator>

#include "grader/compare.hpp"
#include "grader/computed_by_host.hpp"
#include "grader/say.hpp"
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

/// What a call moved in one direction, beside what it needs. What a compiler may join counts as joined: no grade depends on whether
/// it does.
class Judgement {
public:
  Judgement(const Reply& reply, const Way& way, const Need& need)
      : reply_(reply), way_(way), need_(need), requests_(way.requests_if_joined(reply.counters())),
        sectors_(way.cost_if_joined(reply.counters())), bytes_(reply.counters().*way.bytes),
        lanes_(reply.counters().*way.lanes),
        ragged_(need.has_given_blocks ? Ragged{} : ragged_blocks(reply)) {}

  void expect_bytes() const {
    const std::string done = way_.done; // in ids, not in sentences
    const std::string once = need_.repeated_id.empty() ? done + "-more-than-once" : need_.repeated_id;
    if (bytes_ > need_.most_bytes && !need_.others.empty()) {
      blame({"other-elements-" + done, once},
            say("The result is right, but {others} were {reads?read|written}, too: {bytes} bytes of global "
                "memory were {reads?read|written} where {most} are enough. An element stays as it is if "
                "no thread touches it.",
                need_.others, way_.reads(), bytes_, need_.most_bytes),
            need_);
    }
    if (bytes_ > need_.most_bytes)
      blame({once},
            say("The result is right, but {bytes} bytes of global memory were {reads?read|written} where "
                "{most} are enough. {advice}",
                bytes_, way_.reads(), need_.most_bytes, need_.repeated),
            need_);
    if (bytes_ < need_.least_bytes) {
      blame({need_.missing_id},
            say("The result is right, but kernels have {reads?read|written} only {bytes} of {least} bytes: "
                "the rest went another way. The task is one for your kernels.",
                way_.reads(), bytes_, need_.least_bytes),
            need_);
    }
  }

  void expect_sectors() const {
    if (sectors_ > need_.most_sectors) {
      const std::string too_many =
          say("{sectors} sectors were {reads?read|written} where at most {most} are needed", sectors_,
              way_.reads(), need_.most_sectors);
      fail_if_known(too_many, sectors_, need_.most_sectors + requests_);
      if (lanes_ < 2 * requests_ && need_.too_many_id == "uncoalesced") {
        blame(
            {"uncoalesced"},
            say("The result is right, but in most requests by which global memory is {reads?read|written} "
                "one lane of the warp works, and the 31 others wait: {too_many}. Let each thread have its "
                "share, and neighbouring threads neighbouring elements.",
                way_.reads(), too_many),
            need_);
      }
      blame({need_.too_many_id}, say("The result is right, but {why}: {too_many}.", need_.too_many, too_many),
            need_);
    }
    expect_between(way_.reads() ? say("sectors read") : say("sectors written"), static_cast<double>(sectors_),
                   static_cast<double>(need_.least_sectors), static_cast<double>(need_.most_sectors),
                   {"too-few-sectors", say("Fewer sectors were counted than the task's arrays lie in.")});
  }

  /// What a student who passes reads: what was counted, and how little is possible, or how much passes.
  void tell_measured() const {
    if (requests_ == 0) return;
    const std::string sectors = rounded(per(sectors_, requests_));
    warpbook::tell_measured(way_.reads() ? say("read") : say("written"),
                            sectors_ <= need_.least_sectors
                                ? say("{sectors} sectors per request, the least", sectors)
                                : say("{sectors} sectors per request; {most} at most", sectors,
                                      rounded(per(need_.most_sectors, requests_))));
  }

  void expect_requests() const {
    if (need_.most_requests == 0 || requests_ <= need_.most_requests) return;
    const std::string too_many =
        say("{requests} requests were made where {most} are enough", requests_, need_.most_requests);
    fail_if_known(too_many, requests_, need_.most_requests + ragged_.blocks);
    blame({"idle-lanes"},
          say("The result is right and no sector too many is asked for, but {too_many}: of a warp's 32 lanes "
              "{lanes} had something to do on average. Give every thread an element.",
              too_many, rounded(per(lanes_, requests_))),
          need_);
  }

private:
  /// Fails the call, with what it moved, and the section of `need`.
  [[noreturn]] void blame(std::vector<std::string> ids, Sentence sentence, const Need& need) const {
    Failure why{std::move(ids), std::move(sentence), traffic(reply_, way_, need)};
    read_on(why, need.section);
    fail(std::move(why));
  }

  /// Fails a call that asked for more than enough, where it is known why: `too_much` are the figures. `most_if_ragged`
  /// is what blocks that end with a part of a warp can have come to.
  void fail_if_known(const std::string& too_much, std::uint64_t value, std::uint64_t most_if_ragged) const {
    if (ragged_.blocks != 0 && value <= most_if_ragged) {
      blame({"block-not-whole-warps"},
            say("The result is right, but blocks of {threads} threads are not made of whole warps: "
                "{too_much}. Take a multiple of 32 threads.",
                ragged_.threads, too_much),
            need_);
    }
    if (need_.whole == 0) return;
    Need tail = need_;
    tail.section = "More threads than elements";
    blame({"tail-one-by-one"},
          say("The result is right, and with {length} = {whole} all is well. But with {length} = {n}, where "
              "the last block is not full, {too_much}. Are the elements behind the last whole block taken by "
              "neighbouring lanes, too?",
              need_.length, need_.whole, need_.n, too_much),
          tail);
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

Details costs(const Reply& reply, const Way& way, Details lines) {
  Details dearest =
      costly_lines(reply, way.cost, way.requests, way.ideal == nullptr ? say("sectors") : say("wavefronts"));
  std::ranges::move(dearest, std::back_inserter(lines));
  lines.push_back(reply.in_call());
  return lines;
}

Details traffic(const Reply& reply, const Way& way, const Need& need) {
  const simt::Counters& c = reply.counters();
  const std::uint64_t requests = way.requests_if_joined(c), sectors = way.cost_if_joined(c);
  Details lines = {say("{requests} requests, {sectors} sectors of 32 bytes {reads?read|written}, for "
                       "{least} bytes that the task needs",
                       requests, sectors, way.reads(), need.least_bytes)};
  if (requests != 0 && !need.ideal.empty())
    lines.push_back(
        say("{sectors} sectors per request; {ideal}", rounded(per(sectors, requests)), need.ideal));
  if (const Ragged ragged = ragged_blocks(reply); ragged.blocks != 0 && !need.has_given_blocks) {
    lines.push_back(
        say("A block of {threads} threads ends with a warp that is not full, and the next block may begin "
            "off a boundary: take a multiple of 32.",
            ragged.threads));
  }
  return costs(reply, way, std::move(lines));
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
  reading_on(section, [&] {
    fail("atomics-not-needed",
         say("The result is right, but elements were changed by atomic operations. No two threads share an "
             "element, so an ordinary access does, at a fraction of the cost."),
         {say("{requests} atomic requests, {sectors} sectors", c.global_atomic_requests,
              c.global_atomic_sectors)});
  });
}

void expect_shared_traffic(const Reply& reply, const Way& way, std::size_t least_bytes,
                           const std::string& task, int kernel) {
  expect_from_device(reply);
  const std::uint64_t bytes = reply.counters().*way.bytes;
  if (bytes >= least_bytes && bytes != 0) return;
  Failure why{
      {"shared-memory-not-used"},
      say("The result is right, but of {least} bytes only {bytes} were {reads?read from|written to} shared "
          "memory. It is what this task is about.",
          least_bytes, bytes, way.reads()),
      {reply.in_call()}};
  read_on(why, task);
  if (kernel != 0) point_to(why, kernel);
  fail(std::move(why));
}

void expect_no_conflicts(const Reply& reply, const Way& way, std::size_t least_bytes,
                         const Conflict& conflict) {
  expect_from_device(reply);
  if (least_bytes != 0) expect_shared_traffic(reply, way, least_bytes, conflict.task, conflict.kernel);
  const simt::Counters& c = reply.counters();
  const std::uint64_t requests = way.requests_if_joined(c), wavefronts = way.cost_if_joined(c),
                      ideal = way.ideal_if_joined(c);
  if (wavefronts > ideal) {
    Failure why{
        {conflict.id},
        say("The result is right, but shared memory was {reads?read|written} in {times} times as many "
            "wavefronts as needed: lanes meet in the same banks. {why}",
            way.reads(), rounded(per(wavefronts, ideal)), conflict.why),
        costs(reply, way,
              {say("{requests} requests of warps, {wavefronts} wavefronts; they would take {ideal} without "
                   "conflicts",
                   requests, wavefronts, ideal)})};
    read_on(why, conflict.section);
    if (!conflict.cause.empty()) why.diagnoses.push_back(conflict.cause);
    fail(std::move(why));
  }
  if (requests != 0)
    tell_measured(way.reads() ? say("shared memory read") : say("shared memory written"),
                  say("{wavefronts} wavefronts per request, the least", rounded(per(wavefronts, requests))));
  expect_count("wavefronts", static_cast<double>(wavefronts), static_cast<double>(ideal),
               {"too-few-wavefronts", say("Fewer wavefronts were counted than there are groups of lanes.")});
}

} // namespace warpbook
