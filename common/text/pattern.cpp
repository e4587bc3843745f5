#include "text/pattern.hpp"

#include <regex>

namespace warpbook {
namespace {

using Found = std::match_results<std::string_view::const_iterator>;

Match to_match(const Found& found, std::string_view text) {
  Match match{
      static_cast<std::size_t>(found[0].first - text.begin()), static_cast<std::size_t>(found.length()), {}};
  for (const auto& group : found)
    match.groups.push_back(group.matched ? std::optional(group.str()) : std::nullopt);
  return match;
}

} // namespace

struct Pattern::Compiled {
  explicit Compiled(const std::string& expression) : regex(expression) {}
  std::regex regex;
};

Pattern::Pattern(const std::string& expression) : compiled_(std::make_shared<Compiled>(expression)) {}

std::optional<Match> Pattern::search(std::string_view text, std::size_t start) const {
  // What stands before `start` decides whether ^ and \b hold there.
  const auto flags = start > 0 ? std::regex_constants::match_prev_avail : std::regex_constants::match_default;
  Found found;
  if (!std::regex_search(text.begin() + start, text.end(), found, compiled_->regex, flags)) return {};
  return to_match(found, text);
}

std::optional<Match> Pattern::match(std::string_view text) const {
  Found found;
  if (!std::regex_match(text.begin(), text.end(), found, compiled_->regex)) return {};
  return to_match(found, text);
}

std::string Pattern::replace(const std::string& text, const std::string& by) const {
  return std::regex_replace(text, compiled_->regex, by);
}

} // namespace warpbook
