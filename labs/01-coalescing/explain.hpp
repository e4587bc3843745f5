#pragma once
/// Explains wrong calls of lab 01 in the words of the lesson. The advice of the simulator and the grader is for any
/// kernel.

#include <string>

#include "grader/grader.hpp"
#include "messages.hpp"

namespace coalescing {

using namespace warpbook;

/// A size at which a function that changes nothing is taken for an unsolved task, and at which the usual
/// mistakes show their shape: several blocks of any size, and a tail.
constexpr std::size_t typical = 5003;

/// Whether is_right(call()) holds if this is the first call of a program. A call that failed has ended the process;
/// otherwise this function ends it. False where it cannot be found out.
template <typename Call, typename IsRight>
bool comes_out_alone(const Call& call, const IsRight& is_right) {
  if (submission().calls_made() < 2) return false;
  bool is_so = false; // nor where it is wrong in another way
  failure_in([&] { is_so = is_right(call()); });
  return is_so;
}

/// What `call` returns; `change` edits what the simulator finds in it.
template <typename Call, typename Change>
Reply explaining(const Call& call, const Change& change) {
  return changing(call, [&](Failure& why) {
    if (why.findings.empty()) return;
    change(why);
    if (!comes_out_alone(call, [](const Reply&) { return true; })) return;
    const LabMessage late = message("depends-on-earlier-calls/stopped");
    why.diagnoses.push_back(late.id);
    add_cause(why, late.sentence);
  });
}

/// Of a race in a task where every thread has elements of its own: the index is wrong, and no order between threads is
/// missing. Returns whether it was such a race.
inline bool explain_same_element(Failure& why) {
  const simt::Finding* race = first_finding(why);
  if (race == nullptr || race->id != "global-race" || why.places.size() != 2) return false;
  const auto &one = race->participants.front().thread, &other = race->participants.back().thread;
  if (!one || !other) return false;
  // A sum in two lines is read in one line and written in the other; then both threads also write in the same line.
  const bool one_line = why.places[0] == why.places[1] || any_finding(why, [](const simt::Finding& found) {
                          return found.id == "global-race" && found.participants.size() == 2 &&
                                 found.participants.front().where == found.participants.back().where;
                        });
  const bool one_block = one->block == other->block;
  const simt::Counters& c = submission().last_counters();
  const std::uint64_t turns = c.global_store_lanes / std::max<std::uint64_t>(c.threads, 1);
  retell(why, message("same-element", !one_line, one_block, turns > 1, turns, one->thread == other->thread));
  return true;
}

/// What `call` returns. Where is_right() does not hold, `tell` gets the reply; but a task that is still to be written fails as
/// such, and so does a call that is right in a process that has just started: then an earlier call left something behind.
template <typename Call, typename IsRight, typename Tell>
Reply checked(std::size_t size, const Call& call, const IsRight& is_right, const Tell& tell) {
  Reply reply = call();
  if (is_right(reply)) return reply;
  if (size >= typical) require_solved(reply);
  if (submission().backend() == Backend::sim) {
    submission().finish(); // the next call starts a process
    if (comes_out_alone(call, is_right)) fail(message("depends-on-earlier-calls"), {reply.in_call()});
  }
  tell(reply);
  return reply;
}

} // namespace coalescing
