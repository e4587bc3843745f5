#pragma once
/// Lessons are rules: a condition on what is known of a call, and the words for where it holds. Each kind has one function
/// that goes through a table of them.

#include <algorithm>
#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/failure.hpp"
#include "grader/reply.hpp"

namespace warpbook {

/// The details of a failed item: `lines`, and the call.
Details details_of(const Reply& reply, Details lines = {});

/// The reply of a call; none if it fails.
std::optional<Reply> reply_if_any(const std::function<Reply()>& call);

/// A message, or one with what is known as its values.
template <typename Known>
struct Says {
  Says(LabMessage message) : with([=](const Known&) { return message; }) {}
  template <std::invocable<const Known&> With>
  Says(With with) : with(std::move(with)) {}
  std::function<LabMessage(const Known&)> with;
};

/// What a call that failed shows of its cause, by what is `Known` of it.
template <typename Known>
struct Lesson {
  std::function<bool(const Known&)> holds;
  Says<Known> message;
};

/// The first lesson that holds; null if none does.
template <typename Known>
const Lesson<Known>* lesson_of(const std::vector<Lesson<Known>>& lessons, const Known& known) {
  for (const Lesson<Known>& lesson : lessons)
    if (lesson.holds(known)) return &lesson;
  return nullptr;
}

/// Tells a failure in the words of the first lesson that holds. Returns whether there was one.
template <typename Known>
bool tell(Failure& failure, const std::vector<Lesson<Known>>& lessons, const Known& known) {
  const Lesson<Known>* lesson = lesson_of(lessons, known);
  if (lesson != nullptr) retell(failure, lesson->message.with(known));
  return lesson != nullptr;
}

/// Leaves a failure its sentence, with the words of the first lesson that holds in the place of the simulator's
/// advice. A lesson's id comes behind the others, unless it is empty. Returns whether there was one.
template <typename Known>
bool advise(Failure& failure, const std::vector<Lesson<Known>>& lessons, const Known& known) {
  const Lesson<Known>* lesson = lesson_of(lessons, known);
  if (lesson != nullptr) advise(failure, lesson->message.with(known));
  return lesson != nullptr;
}

/// What can be wrong with a call whose result is right.
struct Fault {
  bool is_there;
  LabMessage message;
};

/// Fails the item for the first fault that is there.
void expect_none(const std::vector<Fault>& faults, const std::function<Details()>& details);

} // namespace warpbook
