#include "grader/smallest.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

#include "grader/failure.hpp"
#include "grader/say.hpp"
#include "grader/submission.hpp"

namespace warpbook {
namespace {

// An open TODO fails everywhere, and so does a missing function; a call that hangs would hang again for its whole timeout.
bool is_worth_shrinking(const Failure& failure) {
  return std::ranges::none_of(failure.diagnoses, [](const std::string& id) {
    return id == "unsolved" || id == "hang" || id == "missing-function";
  });
}

/// Whether both are the same mistake, by the id and by what the simulator has found: another one at a smaller size says
/// nothing about this one.
bool is_same(const Failure& one, const Failure& other) {
  if (one.diagnoses.empty() || other.diagnoses.empty() || one.diagnoses.front() != other.diagnoses.front())
    return false;
  const simt::Finding *found = first_finding(one), *found_there = first_finding(other);
  if (!found || !found_there) return found == found_there;
  return found->id == found_there->id && found->kind == found_there->kind &&
         simt::within_block(*found) == simt::within_block(*found_there);
}

/// Whether two failures that are the same mistake also say the same of it: the same facts, or a finding about one place.
bool say_the_same(const Failure& one, const Failure& other) {
  if (!one.facts.empty() || !other.facts.empty()) return one.facts == other.facts;
  if (one.findings.empty()) return false; // not known
  const auto place = [](const ToldFinding& told) {
    const simt::Finding& f = told.finding;
    const auto known = [&]<typename Fact>(Fact none) { return f.get<Fact>() ? *f.get<Fact>() : none; };
    const auto outside = known(simt::Outside());
    const auto refused = known(simt::Refused());
    const bool by_clusters = volume(refused.cluster) > 1;
    return std::tuple(by_clusters ? refused.grid : simt::Extent{}, refused.asked, f.variable,
                      told.telling.element ? f.element : decltype(f.element)(),
                      known(simt::fact::Lanes()).value, known(simt::fact::Amount()).value, outside.distance,
                      outside.array_bytes);
  };
  return place(one.findings.front()) == place(other.findings.front());
}

/// The function of a call that was written down.
std::string_view function_of(std::string_view call) { return call.substr(0, call.find('(')); }

/// Of the calls from number `first` on the one that the failure is about, by what it tells: a rubric may have asked further
/// ones to find the cause, at sizes that come out right. If it tells no call, the last one of the function that was called
/// first: other functions are asked for comparison.
const std::string& failed_call(const Failure& failure, std::size_t first) {
  const std::vector<std::string>& calls = submission().calls();
  const auto told = std::find_if(calls.begin() + static_cast<std::ptrdiff_t>(first), calls.end(),
                                 [&](const std::string& call) {
                                   return std::ranges::any_of(failure.details, [&](const Detail& detail) {
                                     return detail.kind == Detail::Kind::call && detail.id == call;
                                   });
                                 });
  if (told != calls.end()) return *told;
  if (first == calls.size()) return calls.back();
  const auto end = calls.rend() - static_cast<std::ptrdiff_t>(first);
  return *std::find_if(calls.rbegin(), end, [&](const std::string& call) {
    return function_of(call) == function_of(calls[first]);
  });
}

} // namespace

void check_and_shrink(std::size_t size, const std::vector<std::size_t>& sizes,
                      const std::function<void(std::size_t)>& check) {
  std::optional<Failure> failed = failure_in([&] { check(size); });
  if (!failed) return;
  if (is_worth_shrinking(*failed)) {
    // Findings are long, and `./warpbook check` cuts long details off.
    Details& lines = failed->findings.empty() ? failed->details : failed->causes;
    std::vector<std::size_t> smaller = sizes;
    std::erase_if(smaller, [&](std::size_t candidate) { return candidate >= size; });
    std::ranges::sort(smaller);
    bool are_right = true;
    for (const std::size_t candidate : smaller) {
      const std::size_t first = submission().calls_made();
      const std::optional<Failure> again = failure_in([&] { check(candidate); });
      if (!again) continue;
      const bool is_smallest = are_right;
      are_right = false;
      if (!is_worth_shrinking(*again)) break;
      if (!is_same(*again, *failed)) continue;
      const std::string& call = failed_call(*again, first);
      auto smallest = std::make_shared<Failure>(*again);
      smallest->details.insert(smallest->details.begin(), in_call(call));
      failed->smallest = std::move(smallest);
      lines.emplace_back(say("The smallest size found that goes wrong{is_smallest?| in this way}: {call}",
                             is_smallest, call),
                         Detail::Kind::example, call);
      if (!say_the_same(*again, *failed))
        lines.emplace_back("  " + say("There: {sentence}", again->sentence), Detail::Kind::example);
      break;
    }
    if (are_right && !smaller.empty())
      lines.emplace_back(say("The sizes up to {size} come out right.", smaller.back()),
                         Detail::Kind::example);
  }
  pass_on(std::move(*failed));
}

} // namespace warpbook
