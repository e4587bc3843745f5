#pragma once
/// Regular expressions without <regex>, whose templates take a compiler some seconds in every file that uses them.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook {

/// Where a pattern was found, and what its groups stand for.
struct Match {
  std::size_t position = 0, length = 0;
  std::vector<std::optional<std::string>> groups; ///< group 0 is the whole; one that took no part has no text

  bool has(std::size_t group) const { return groups.at(group).has_value(); }
  /// The group's text; "" if it took no part.
  std::string operator[](std::size_t group) const { return groups.at(group).value_or(""); }
};

/// A regular expression in the grammar of ECMAScript.
class Pattern {
public:
  explicit Pattern(const std::string& expression);

  /// The first place at which the pattern is found at or behind `start`.
  std::optional<Match> search(std::string_view text, std::size_t start = 0) const;
  /// The whole text, if the pattern stands for all of it.
  std::optional<Match> match(std::string_view text) const;
  /// The text with every place replaced; "$1" in `by` is the first group.
  std::string replace(const std::string& text, const std::string& by) const;

private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

} // namespace warpbook
