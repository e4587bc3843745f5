// Diagnostics about synchronisation, launches and crashes.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/diagnostics/parts.hpp"

#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/schedule/device_launch.hpp"
#include "simt/runtime/schedule/warp_sync.hpp"

#include "cuda_runtime_api.h"

#include <bit>

namespace simt {

namespace {

/// What the largest call of a lab's own solution takes, rounded up; for Options::work_budget.
constexpr std::uint64_t usual_operations = 20'000'000;

const char* name_of_wait(const Lane& lane) {
  if (lane.state == LaneState::at_group_barrier) return name_of_group_wait(lane);
  if (lane.state == LaneState::at_barrier) {
    switch (lane.wait.kind) {
    case simt_barrier_count:
      return "__syncthreads_count()";
    case simt_barrier_and:
      return "__syncthreads_and()";
    case simt_barrier_or:
      return "__syncthreads_or()";
    case simt_barrier_cluster:
      return "cluster.sync()";
    default:
      return "__syncthreads()";
    }
  }
  switch (lane.wait.kind) {
  case simt_warp_sync:
    return "__syncwarp()";
  case simt_warp_ballot:
    return "a warp vote";
  case simt_warp_match_any:
  case simt_warp_match_all:
    return "a warp match";
  case simt_warp_active:
    return "__activemask()";
  case simt_warp_reduce:
    return "a warp reduction";
  default:
    return "a warp shuffle";
  }
}

} // namespace

Participant waiting(const Block& block, const Lane& lane) {
  Participant participant;
  participant.thread = thread_id(block, lane);
  if (lane.state == LaneState::spinning) {
    participant.action = "keeps reading the same value in a loop";
    participant.where = code_address(lane.poll.site);
  } else {
    participant.action = std::string("waits at ") + name_of_wait(lane);
    participant.file = lane.wait.file;
    participant.line = static_cast<unsigned>(lane.wait.line);
  }
  return participant;
}

namespace {

/// A stand-in for a return address where a source line says more.
std::uintptr_t site_of_wait(const Lane& lane) {
  if (lane.state == LaneState::spinning) return lane.poll.site;
  return site_of(lane.wait.file, lane.wait.line);
}

std::string lane_list(unsigned mask) {
  std::string text;
  for (std::uint64_t rest = mask; rest != 0;) {
    const int first = std::countr_zero(rest), last = first + std::countr_one(rest >> first) - 1;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) text += (last > first + 1 ? " to " : ", ") + std::to_string(last);
    rest &= ~std::uint64_t{0} << (last + 1);
  }
  return (std::popcount(mask) == 1 ? "lane " : "lanes ") + text;
}

const Lane* find_lane(const Block& block, LaneState state) {
  for (const Lane& lane : block.lanes)
    if (lane.state == state) return &lane;
  return nullptr;
}

} // namespace

void report_barrier_divergence(const Block& block, const Lane& first, const Lane& second) {
  Diagnostic diagnostic = diagnostic_of("barrier-divergence");
  diagnostic.message =
      "Threads of one block wait at different barriers. Every thread of the block has to reach the "
      "same __syncthreads(); otherwise the result is undefined, and the kernel may hang.";
  diagnostic.participants = {waiting(block, first), waiting(block, second)};
  diagnostic.suggestion =
      "move __syncthreads() out of the branch or loop that only some threads execute; keep the "
      "condition around the work, not around the barrier.";
  record(std::move(diagnostic), site_of_wait(first), site_of_wait(second));
}

void report_skipped_barrier(const Block& block, const Lane& waits, const Lane& skipped,
                            const Branch& branch) {
  Diagnostic diagnostic = diagnostic_of("barrier-divergence");
  diagnostic.message =
      "A barrier stands in an `if` that only some threads of the block enter; others skip it and end. Every "
      "thread that comes as far as the `if` has to reach the barrier, also if it has nothing to do any more; "
      "otherwise the result is undefined, and the kernel may hang.";
  diagnostic.participants = {
      waiting(block, waits),
      lane_at_line(block, skipped, "does not enter, and ends later", branch.file, branch.first)};
  diagnostic.suggestion =
      "move __syncthreads() out of the branch or loop that only some threads execute; keep the "
      "condition around the work, not around the barrier.";
  record(std::move(diagnostic), site_of_wait(waits), site_of(branch.file, branch.first));
}

namespace {

std::string times(unsigned count) {
  if (count == 0) return "not once";
  return count == 1 ? "once" : count == 2 ? "twice" : std::to_string(count) + " times";
}

/// "thread 6", or with all its indices where the block has more than one dimension.
std::string short_name(const Block& block, const Lane& lane) {
  const simt_index3 &extent = block.grid->block_extent, &index = lane.index;
  if (extent.y == 1 && extent.z == 1) return "thread " + std::to_string(index.x);
  return "thread (" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

} // namespace

void report_uneven_loop(const Block& block, const Lane& waits, unsigned more, const Lane& left,
                        unsigned fewer, const Branch& loop) {
  Diagnostic diagnostic = diagnostic_of("barrier-divergence");
  diagnostic.message =
      "A barrier stands in a loop, and some threads of the block come to it more often than "
      "others: " +
      short_name(block, waits) + " " + times(more) + " so far, " + short_name(block, left) + " " +
      times(fewer) +
      ", and that one has left the loop and ended. Every thread of the block has to reach the "
      "barrier equally often; otherwise the result is undefined, and the kernel may hang.";
  diagnostic.participants = {
      waiting(block, waits),
      lane_at_line(block, left, "leaves the loop, and ends later", loop.file, loop.first)};
  diagnostic.suggestion =
      "move __syncthreads() behind the loop, where every thread comes once; or, if every turn needs it, let "
      "all "
      "threads make the same number of turns, with the condition around the work and not around the barrier.";
  record(std::move(diagnostic), site_of_wait(waits), site_of(loop.file, loop.first));
}

void report_deadlock(const Block& block) {
  if (const Lane* lane = find_lane(block, LaneState::at_warp_sync)) {
    const Warp& warp = block.warps[lane->thread / lanes_per_warp];
    unsigned missing = missing_lanes(block, warp, *lane);
    Diagnostic diagnostic = diagnostic_of("lanes-missing");
    diagnostic.message = "A warp waits for ever: the mask at " + std::string(name_of_wait(*lane)) +
                         " names " + lane_list(missing) + ", which never " +
                         (std::popcount(missing) == 1 ? "arrives" : "arrive") + " there with the same mask.";
    if (missing == 0)
      diagnostic.message = "A warp waits for ever at " + std::string(name_of_wait(*lane)) + ".";
    diagnostic.participants.push_back(waiting(block, *lane));
    if (missing != 0) {
      const Lane& other = block.lanes[warp.first + static_cast<unsigned>(std::countr_zero(missing))];
      if (other.state != LaneState::ready && other.state != LaneState::finished)
        diagnostic.participants.push_back(waiting(block, other));
    }
    diagnostic.suggestion =
        "move the call out of the branch or loop that only some lanes execute, and let "
        "all lanes make it; the condition belongs around what is done with the value. A mask "
        "of fewer lanes is for values that only these exchange.";
    record(std::move(diagnostic), site_of_wait(*lane));
    return;
  }
  Diagnostic diagnostic = diagnostic_of("deadlock");
  const Lane* spinning = find_lane(block, LaneState::spinning);
  const Lane* at_barrier = find_lane(block, LaneState::at_barrier);
  if (spinning) diagnostic.participants.push_back(waiting(block, *spinning));
  if (at_barrier) diagnostic.participants.push_back(waiting(block, *at_barrier));
  diagnostic.message = spinning ? "Threads wait in a loop for a value that no running thread will ever write."
                                : "The threads that are left wait for each other, and none can go on.";
  diagnostic.suggestion =
      spinning ? "check who writes the value: a block that has not started yet may have to wait "
                 "for this one to end, and a thread of the block may wait at a barrier."
               : "make sure that all threads reach the same barriers in the same order.";
  record(std::move(diagnostic), spinning ? site_of_wait(*spinning) : 0);
}

void report_mask_without_self(const Block& block, const Lane& lane) {
  Diagnostic diagnostic = diagnostic_of("lanes-missing");
  Participant participant;
  participant.thread = thread_id(block, lane);
  participant.action = "calls it";
  participant.file = lane.wait.file;
  participant.line = static_cast<unsigned>(lane.wait.line);
  diagnostic.participants = {participant};
  diagnostic.message = "A lane takes part in a warp operation whose mask does not name it.";
  diagnostic.suggestion = "set the lane's own bit in the mask; 0xffffffff names the whole warp.";
  record(std::move(diagnostic), site_of(lane.wait.file, lane.wait.line));
}

void report_absent_shuffle_source(const Block& block, const Lane& lane, unsigned source) {
  if (already_recorded("lanes-missing", site_of_wait(lane))) return;
  Diagnostic diagnostic = diagnostic_of("lanes-missing");
  diagnostic.severity = Severity::warning;
  diagnostic.message = "A shuffle reads from lane " + std::to_string(source) +
                       ", which takes no part in it: the value is undefined.";
  diagnostic.participants = {waiting(block, lane)};
  diagnostic.suggestion = "let all 32 lanes of the warp reach the shuffle, or do not use the value.";
  record(std::move(diagnostic), site_of_wait(lane));
}

void report_step_budget(std::uintptr_t site) {
  Diagnostic diagnostic = diagnostic_of("step-budget");
  diagnostic.message = "The kernel has used more steps than any exercise needs: a loop probably never ends.";
  if (machine.lane) diagnostic.participants.push_back(running_thread("is still in a loop", site));
  if (!machine.lane && machine.block) {
    const Lane* spinning = find_lane(*machine.block, LaneState::spinning);
    const Lane* ready = find_lane(*machine.block, LaneState::ready);
    if (spinning) {
      diagnostic.participants.push_back(waiting(*machine.block, *spinning));
    } else if (ready) {
      Participant participant = running_thread("is still in a loop", site);
      participant.thread = thread_id(*machine.block, *ready);
      diagnostic.participants.push_back(participant);
    }
  }
  diagnostic.suggestion = "check that the loop's condition changes in every round, for every thread.";
  if (machine.grid) {
    const simt_index3 &grid = machine.grid->extent, &block = machine.grid->block_extent;
    std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
    diagnostic.crowded = blocks * threads > max_cooperative_threads;
    if (diagnostic.crowded)
      diagnostic.suggestion = "check that the loop's condition changes in every round, for every thread; or "
                              "launch fewer blocks: there are " +
                              std::to_string(blocks) + " of " + plural(threads, "thread") +
                              ", and the device holds " + std::to_string(max_cooperative_threads / threads) +
                              " at once.";
  }
  record(std::move(diagnostic), site);
}

void report_too_much_work(std::uintptr_t site) {
  Diagnostic diagnostic = diagnostic_of("too-much-work");
  diagnostic.message = "This is too much work for the simulator: the kernels of this call have made " +
                       separated(machine.options.work_budget) +
                       " simulated operations (accesses of threads to memory, and turns of threads) and are "
                       "not done. The labs' own "
                       "solutions need fewer than " +
                       separated(usual_operations) + " in a call.";
  diagnostic.participants.push_back(running_thread("was at work", site));
  if (machine.block && machine.warp)
    diagnostic.participants.back().thread =
        thread_id(*machine.block, machine.block->lanes[machine.warp->first]);
  diagnostic.suggestion =
      "count how often each element is read and written, and in how many launches, and look for a loop "
      "that makes more turns than it has to.";
  record(std::move(diagnostic), site);
}

void report_endless_loop(std::uintptr_t site) {
  Diagnostic diagnostic = diagnostic_of("step-budget");
  diagnostic.message =
      "A thread has been computing for a second without using memory or reaching a synchronisation: "
      "a loop probably never ends.";
  diagnostic.participants = {running_thread("is still in a loop", site)};
  diagnostic.suggestion = "check that the loop's condition changes in every round, for every thread.";
  record(std::move(diagnostic), site);
}

void report_exception() {
  Diagnostic diagnostic = diagnostic_of("unsupported");
  diagnostic.message = "A C++ exception left a kernel. Device code cannot throw exceptions.";
  diagnostic.participants = {running_thread("throws", 0)};
  diagnostic.suggestion = "use status values, and no library functions that throw.";
  record(std::move(diagnostic), 0);
}

void report_stack_overflow(std::uintptr_t site) {
  Diagnostic diagnostic = diagnostic_of("stack-overflow");
  diagnostic.message = "A thread's stack is full (the simulator gives each thread " +
                       std::to_string(stack_bytes / 1024) + " KiB).";
  diagnostic.participants = {running_thread("runs out of stack", site)};
  diagnostic.suggestion =
      "look for recursion without an end and for large arrays inside the kernel; put large arrays "
      "into shared or global memory.";
  record(std::move(diagnostic), site);
}

void report_crash(const char* id, const char* what, std::uintptr_t address, std::uintptr_t site) {
  const std::string kind = id;
  Diagnostic diagnostic = diagnostic_of(id);
  diagnostic.message = std::string("A thread crashed: ") + what + ".";
  diagnostic.suggestion = "check the pointers that this line uses.";
  if (address != 0 && address < 64 * 1024) diagnostic.message += " The address is close to null.";
  if (kind == "division-by-zero") {
    diagnostic.message = "A thread crashed: integer division by zero (or of the lowest integer by -1).";
    diagnostic.notes = {
        "a GPU does not stop there: the result is undefined, often all bits set, and goes unnoticed"};
    diagnostic.suggestion = "check the divisor before the division, and what makes it zero.";
  } else if (kind == "trap") {
    diagnostic.message = std::string("A thread ended the kernel: ") + what + ".";
    diagnostic.suggestion = "find out why the thread takes this path; the code means it as a failure.";
    if (const Refusal* refusal = latest_refusal()) {
      diagnostic.notes = {std::string("a launch by this thread failed before, with ") +
                          cudaGetErrorName(refusal->error) + ": " + refusal->reason};
      diagnostic.refused = refusal->fact();
      diagnostic.suggestion = refusal->suggestion;
    }
  } else if (kind == "impossible-code") {
    diagnostic.suggestion =
        "let every path of the function return a value, and every switch handle its cases.";
  }
  diagnostic.participants = {running_thread(kind == "division-by-zero" ? "divides" : "crashes", site)};
  record(std::move(diagnostic), site);
}

void report_assertion(const char* expression, const char* file, unsigned line) {
  Diagnostic diagnostic = diagnostic_of("assertion-failed");
  diagnostic.message = std::string("The assertion `") + expression + "` does not hold.";
  diagnostic.participants = {at_line("checks it", file, static_cast<int>(line))};
  diagnostic.suggestion =
      "the assertion states what the code relies on: find out why it is not so for this thread.";
  record(std::move(diagnostic), site_of(file, static_cast<int>(line)));
}

void report_shared_limit(const Grid& grid, const SharedVariable& variable) {
  Diagnostic diagnostic = diagnostic_of("invalid-launch");
  diagnostic.variable = variable.name;
  diagnostic.message =
      "With " + std::string(variable.name) + " a block needs " +
      plural(grid.static_bytes + grid.dynamic_bytes, "byte") +
      " of shared memory, which is more than it may have: " + std::to_string(default_shared_limit) +
      " bytes of static arrays, and " + std::to_string(grid.shared_limit) + " in all for this kernel.";
  diagnostic.participants = {at_line("declares it", variable.file, variable.line)};
  diagnostic.suggestion = "use smaller tiles, or dynamic shared memory with cudaFuncSetAttribute("
                          "kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).";
  record(std::move(diagnostic), site_of(variable.file, variable.line));
}

void report_device_code_on_host(const std::string& what) {
  Diagnostic diagnostic = diagnostic_of("unsupported");
  diagnostic.message = "Host code uses " + what + ", which exists only in kernels.";
  diagnostic.suggestion = "call the function from a kernel: kernel<<<grid, block>>>(...).";
  record(std::move(diagnostic), 0);
}

void report_invalid_launch(const simt_launch_site& site, const Refusal& refusal) {
  Diagnostic diagnostic = diagnostic_of("invalid-launch");
  diagnostic.kernel = site.kernel;
  diagnostic.message = "The device refuses this launch, and the kernel does not run: " + refusal.reason + ".";
  diagnostic.refused = refusal.fact();
  diagnostic.participants = {host_at_line("launches it", site.file, site.line)};
  diagnostic.suggestion = refusal.suggestion;
  record(std::move(diagnostic), site_of(site.file, site.line));
}

} // namespace simt
