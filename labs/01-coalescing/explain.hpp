#pragma once
/// Calls of lab 01 that went wrong, told in the words of the lesson: what the simulator and the grader advise is for
/// any kernel.

#include <functional>
#include <string>

#include "grader/grader.hpp"

namespace coalescing {

using namespace warpbook;

/// Whether what the simulator found in `call` does not come up if this call is the first of a program.
inline bool comes_through_alone(const std::function<void()>& call) {
  if (submission().calls_made() < 2) return false;
  try {
    call(); // a call that failed has ended the process: this one starts another
    return true;
  } catch (const ItemFailed&) {
    return false;
  }
}

/// Runs `call`; what the simulator finds in it goes through `change`.
inline void explaining(const std::function<void()>& call, const std::function<void(Failure&)>& change) {
  try {
    call();
  } catch (ItemFailed& failed) {
    Failure& why = failed.failure;
    if (why.findings.empty()) throw;
    change(why);
    if (comes_through_alone(call)) {
      why.diagnoses.push_back("depends-on-earlier-calls");
      add_cause(why, "It does not come up if this call is the first of a program. What stays from call to "
                     "call? A static variable gets its value once.");
    }
    throw;
  }
}

/// Of a race in a task where every thread has elements of its own: asks for the index, and not for an order. Returns
/// whether it was such a race.
inline bool explain_same_element(Failure& why) {
  const simt::Diagnostic* race = first_finding(why);
  if (race == nullptr || race->id != "global-race" || why.places.size() != 2) return false;
  const auto &one = race->participants.front().thread, &other = race->participants.back().thread;
  if (!one || !other) return false;
  std::string question;
  if (why.places[0] != why.places[1])
    question = "One of them took it in one line, and the other in another: whose is it?";
  else if (one->block == other->block)
    question = "They are of one block: what does your index make of their two threadIdx?";
  else if (one->thread == other->thread)
    question =
        "They have the same threadIdx, in different blocks. How does blockIdx enter your index? And if "
        "there is a loop: how many threads has the whole grid, by which it has to go on?";
  else
    question = "They are of different blocks: all threads of the first block come before the first thread of "
               "the next. How many are they, and what does your index say?";
  retell(why, "same-element",
         "Two threads took the same element, and everyone is to have elements of their own. " + question,
         "Which element is mine?");
  return true;
}

/// Fails the item if a call whose result was wrong comes out right in a process that has just started: then it is not
/// the call that is wrong, but what an earlier one left behind.
inline void fail_if_right_alone(const std::function<bool()>& comes_out_right) {
  if (submission().backend() != Backend::sim || submission().calls_made() < 2) return;
  const std::string call = submission().last_call_text();
  submission().finish(); // the next call starts a process
  bool is_right = false;
  try {
    is_right = comes_out_right();
  } catch (const ItemFailed&) { // wrong in another way
  }
  if (!is_right) return;
  fail("depends-on-earlier-calls",
       "The result is wrong after other calls, and right if this call is the first of a program. What stays "
       "from call to call? A static variable gets its value once, at the first call.",
       {"In the call " + call + "."});
}

} // namespace coalescing
