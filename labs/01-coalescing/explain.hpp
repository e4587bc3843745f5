#pragma once
/// Calls of lab 01 that went wrong, told in the words of the lesson: what the simulator and the grader advise is for
/// any kernel.

#include <string>

#include "grader/grader.hpp"
#include "messages.hpp"

namespace coalescing {

using namespace warpbook;

/// A size at which a function that changes nothing is taken for an unsolved task, and at which the usual
/// mistakes show their shape: several blocks of any size, and a tail.
constexpr std::size_t typical = 5003;

/// Whether is_right(call()) holds if this is the first call of a program: a call that failed has ended the process, or
/// this ends it. False where this cannot be told.
template <typename Call, typename IsRight>
bool comes_out_alone(const Call& call, const IsRight& is_right) {
  if (submission().calls_made() < 2) return false;
  try {
    return is_right(call());
  } catch (const ItemFailed&) { // wrong in another way
    return false;
  }
}

/// What `call` returns; what the simulator finds in it goes through `change`.
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

/// Of a race in a task where every thread has elements of its own: asks for the index, and not for an order. Returns
/// whether it was such a race.
inline bool explain_same_element(Failure& why) {
  const simt::Finding* race = first_finding(why);
  if (race == nullptr || race->id != "global-race" || why.places.size() != 2) return false;
  const auto &one = race->participants.front().thread, &other = race->participants.back().thread;
  if (!one || !other) return false;
  // A sum in two lines is read in one and written in the other; then both threads also write in the same one.
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

/// What `call` returns, which goes to `tell` if is_right() does not hold of it, unless the task is still to be written or
/// the call comes out right in a process that has just started: then it is not the call that is wrong, but what an earlier
/// one left behind.
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
