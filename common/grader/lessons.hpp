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

/// The details of a failed item: `lines`, the call, and where to read on in the handout (not if empty).
std::vector<std::string> details_of(const Reply& reply, const std::string& section,
                                    std::vector<std::string> lines = {});

/// The reply of a call; none if it fails.
std::optional<Reply> reply_if_any(const std::function<Reply()>& call);

/// A sentence, or one that says what is known.
template <typename Known>
struct Words {
  Words(const char* sentence) : say([=](const Known&) { return std::string(sentence); }) {}
  template <std::invocable<const Known&> Say>
  Words(Say say) : say(std::move(say)) {}
  std::function<std::string(const Known&)> say;
};
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
  Lesson(std::function<bool(const Known&)> condition, Says<Known> says)
      : holds(std::move(condition)), message(std::move(says)) {}
  // OLD
  Lesson(std::string id, std::function<bool(const Known&)> condition, Words<Known> words, std::string section = {},
         int todo = 0)
      : holds(std::move(condition)), message([=](const Known& known) {
          return LabMessage{id, words.say(known), section, todo == 0 ? std::vector<int>() : std::vector{todo}};
        }) {}
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
  if (lesson == nullptr) return false;
  retell(failure, lesson->message.with(known));
  return true;
}

/// Leaves a failure its sentence, with the words of the first lesson that holds in the place of the simulator's
/// advice. A lesson's id comes behind the others, unless it is empty. Returns whether there was one.
template <typename Known>
bool advise(Failure& failure, const std::vector<Lesson<Known>>& lessons, const Known& known) {
  const Lesson<Known>* lesson = lesson_of(lessons, known);
  if (lesson == nullptr) return false;
  advise(failure, lesson->message.with(known));
  return true;
}

/// A mistake that gives itself away by the result to which it leads.
template <typename T>
struct WrongResult {
  std::string id;
  std::string sentence;
  std::string section; ///< of the handout; none if empty
  std::function<std::vector<T>()> predicts;
};

/// The first mistake that leads to this result, if one does. One that leads to the right result proves nothing.
template <typename T>
std::optional<WrongResult<T>> mistake_behind(const std::vector<WrongResult<T>>& mistakes,
                                             std::span<const T> result, const std::vector<T>& right) {
  for (const WrongResult<T>& mistake : mistakes) {
    const std::vector<T> predicted = mistake.predicts();
    if (predicted != right && std::ranges::equal(predicted, result)) return mistake;
  }
  return {};
}

/// What can be wrong with a call whose result is right.
struct Fault {
  Fault(bool there, LabMessage says) : is_there(there), message(std::move(says)) {}
  // OLD
  Fault(bool there, std::string id_, std::string sentence_) : is_there(there), id(id_), sentence(sentence_) {}
  bool is_there;
  LabMessage message;
  std::string id;
  std::string sentence; ///< behind what is right
};

/// Fails the item for the first fault that is there.
void expect_none(const std::vector<Fault>& faults, const std::function<std::vector<std::string>()>& details);
// OLD: "The sums are right, but ", and the fault's sentence.
void expect_none(const std::string& right_but, const std::vector<Fault>& faults,
                 const std::function<std::vector<std::string>()>& details);

} // namespace warpbook
