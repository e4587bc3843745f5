#include "grader/smallest.hpp"

#include <algorithm>
#include <string>

#include "grader/failure.hpp"
#include "grader/submission.hpp"

namespace warpbook {
namespace {

// An open TODO fails everywhere, and so does a missing function; a call that hangs would hang again for its whole timeout.
bool is_worth_shrinking(const Failure& failure) {
  return std::ranges::none_of(failure.diagnoses, [](const std::string& id) {
    return id == "unsolved" || id == "hang" || id == "missing-function";
  });
}

// What fails at the smallest size is a shadow of the mistake: another name for it there would only confuse. A result that
// is wrong in no known way may be better known there.
bool says_more(const Failure& there, const Failure& failure) {
  if (there.sentence == failure.sentence || there.diagnoses.empty() || failure.diagnoses.empty())
    return false;
  const std::string& known = failure.diagnoses.front();
  return known == "wrong-result" || known == there.diagnoses.front();
}

/// Of the calls from number `first` on the one that the failure is about, by what it tells: a rubric may have asked further
/// ones to find the cause, at sizes that come out right.
const std::string& failed_call(const Failure& failure, std::size_t first) {
  const std::vector<std::string>& calls = submission().calls();
  const auto told = std::find_if(
      calls.begin() + static_cast<std::ptrdiff_t>(first), calls.end(), [&](const std::string& call) {
        return std::ranges::find(failure.details, in_call(call)) != failure.details.end();
      });
  return told != calls.end() ? *told : calls.back();
}

} // namespace

void check_and_shrink(std::size_t size, const std::vector<std::size_t>& sizes,
                      const std::function<void(std::size_t)>& check) {
  try {
    check(size);
  } catch (ItemFailed& failed) {
    if (!is_worth_shrinking(failed.failure)) throw;
    // Findings are long, and `./warpbook check` cuts long details off.
    std::vector<std::string>& lines =
        failed.failure.findings.empty() ? failed.failure.details : failed.failure.causes;
    std::vector<std::size_t> smaller = sizes;
    std::erase_if(smaller, [&](std::size_t candidate) { return candidate >= size; });
    std::ranges::sort(smaller);
    for (const std::size_t candidate : smaller) {
      const std::size_t first = submission().calls_made();
      try {
        check(candidate);
      } catch (const ItemFailed& again) {
        lines.push_back("The smallest size found that goes wrong: " + failed_call(again.failure, first));
        if (says_more(again.failure, failed.failure)) lines.push_back("  There: " + again.failure.sentence);
        smaller.clear();
        break;
      }
    }
    if (!smaller.empty())
      lines.push_back("The sizes up to " + std::to_string(smaller.back()) + " come out right.");
    throw;
  }
}

} // namespace warpbook
