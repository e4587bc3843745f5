#include "grader/crossing.hpp"

#include <algorithm>
#include <charconv>

#include "grader/contract_text.hpp"
#include "grader/text.hpp"
#include "text/pattern.hpp"

namespace warpbook {
namespace {

std::vector<std::string> lines_without_indent(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  for (std::string& line : lines) line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
  return lines;
}

bool is_comment(const std::string& line) { return line.starts_with("//"); }

/// What stands in the comments of lines [begin, end), in one line.
std::string comments_in(const std::vector<std::string>& lines, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end && i < lines.size(); ++i) {
    if (is_comment(lines[i]))
      text += " " + lines[i].substr(std::min(lines[i].find_first_not_of("/ "), lines[i].size()));
  }
  return text;
}

/// The comment above the declaration in line `number` (from 1), which may be one of several below the same comment.
std::string comment_above(const std::vector<std::string>& lines, std::size_t number) {
  std::size_t end = std::min(number - 1, lines.size());
  while (end > 0 && !lines[end - 1].empty() && !is_comment(lines[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_comment(lines[begin - 1])) --begin;
  return comments_in(lines, begin, end);
}

std::optional<std::uint64_t> limit_in(const std::string& text, const std::string& side) {
  const auto found = Pattern("at most ([0-9,]+) bytes?(?: may go| may cross)? " + side).search(text);
  if (!found) return std::nullopt;
  std::string digits = (*found)[1];
  std::erase(digits, ',');
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  return error == std::errc() ? std::optional(bytes) : std::nullopt;
}

} // namespace

std::uint64_t limit_of(const Crossing& crossing, simt::Crossing direction) {
  switch (direction) {
  case simt::Crossing::to_host:
    return crossing.limits.to_host;
  case simt::Crossing::to_device:
    return crossing.limits.to_device;
  case simt::Crossing::within_device:
    return crossing.limits.within_device;
  }
  return 0;
}

std::vector<simt::Crossing> ways_exceeded(const Crossing& crossing) {
  std::vector<simt::Crossing> ways;
  for (const simt::Crossing way : {simt::Crossing::to_host, simt::Crossing::to_device})
    if (crossed(crossing.transfers, way) > limit_of(crossing, way)) ways.push_back(way);
  return ways;
}

CrossingLimits crossing_limits(const std::string& contract_text, const std::string& function) {
  const std::vector<std::string> lines = lines_without_indent(contract_text);
  const std::size_t rules_end = static_cast<std::size_t>(
      std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("extern \"C\""); }) -
      lines.begin());
  const std::string rules = comments_in(lines, 0, rules_end);
  const std::vector<Signature> declared = signatures_of(contract_text, function);
  const std::string own = declared.empty() ? "" : comment_above(lines, declared.front().line);
  const auto limit = [&](const std::string& side, std::uint64_t otherwise) {
    const std::optional<std::uint64_t> said = limit_in(own, side);
    return said ? *said : limit_in(rules, side).value_or(otherwise);
  };
  constexpr std::uint64_t some_elements = 64;
  return {limit("to the host", 0), limit("to the device", 0), limit("within the device", some_elements)};
}

std::uint64_t Crossing::excess() const {
  std::uint64_t bytes = 0;
  for (const simt::Crossing way : ways_exceeded(*this))
    bytes += crossed(transfers, way) - limit_of(*this, way);
  return bytes;
}

bool Crossing::copies_for_kernels() const {
  return crossed(transfers, simt::Crossing::within_device) > limits.within_device;
}

} // namespace warpbook
