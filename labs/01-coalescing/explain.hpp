#pragma once
/// Calls of lab 01 that went wrong, told in the words of the lesson: what the simulator and the grader advise is for
/// any kernel.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "grader/grader.hpp"
#include "text/pattern.hpp"

namespace coalescing {

using namespace warpbook;

/// Whether the simulator saw it happen.
inline bool is_finding(const Failure& why) {
  return !why.details.empty() && why.details.front().starts_with("error: ");
}

/// Whether the simulator's first finding is `id`.
inline bool is_found(const Failure& why, const std::string& id) {
  return is_finding(why) && why.diagnoses.front() == id;
}

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
    if (!is_finding(why)) throw;
    change(why);
    if (comes_through_alone(call)) {
      why.diagnoses.push_back("depends-on-earlier-calls");
      why.details.insert(
          why.details.begin(),
          "It does not come up if this call is the first of a program. What stays from call to "
          "call? A static variable gets its value once.");
    }
    throw;
  }
}

/// Adds where to read on: in `section`.
inline void read_on(Failure& why, const std::string& section) {
  if (std::ranges::find(why.details, handout(section)) == why.details.end())
    why.details.push_back(handout(section));
}

/// Gives the simulator's first finding another sentence, where the rubric knows how it came about: what the finding
/// said goes into the details, and its general advice goes.
inline void retell(Failure& why, const std::string& id, const std::string& sentence) {
  std::vector<std::string>& details = why.details;
  const std::size_t colon = why.sentence.find(": "); // behind the function's name
  details.insert(details.begin() + 1,
                 "  " + (colon == std::string::npos ? why.sentence : why.sentence.substr(colon + 2)));
  const auto next = std::find_if(details.begin() + 1, details.end(),
                                 [](const std::string& line) { return line.starts_with("error: "); });
  details.erase(std::remove_if(details.begin(), next,
                               [](const std::string& line) { return line.starts_with("  try: "); }),
                next);
  why.diagnoses.insert(why.diagnoses.begin(), id);
  why.sentence = sentence;
}

/// Of a race in a task where every thread has elements of its own: asks for the index, and not for an order. Returns
/// whether it was such a race.
inline bool explain_same_element(Failure& why) {
  if (!is_found(why, "global-race") || why.places.size() != 2) return false;
  static const Pattern party(R"(^  - (thread \([\d,]+\)) of (block \([\d,]+\)))");
  std::vector<Match> parties;
  for (const std::string& line : why.details) {
    const std::optional<Match> found = party.search(line);
    if (found && parties.size() < 2) parties.push_back(*found);
  }
  if (parties.size() != 2) return false;
  const bool is_same_thread = parties[0][1] == parties[1][1], is_same_block = parties[0][2] == parties[1][2];
  std::string question;
  if (why.places[0] != why.places[1])
    question = "One of them took it in one line, and the other in another: whose is it?";
  else if (is_same_block)
    question = "They are of one block: what does your index make of their two threadIdx?";
  else if (is_same_thread)
    question =
        "They have the same threadIdx, in different blocks. How does blockIdx enter your index? And if "
        "there is a loop: how many threads has the whole grid, by which it has to go on?";
  else
    question = "They are of different blocks: all threads of the first block come before the first thread of "
               "the next. How many are they, and what does your index say?";
  retell(why, "same-element",
         "Two threads took the same element, and everyone is to have elements of their own. " + question);
  read_on(why, "Which element is mine?");
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
