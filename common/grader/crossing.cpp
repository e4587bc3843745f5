#include "grader/crossing.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "grader/contract_text.hpp"
#include "grader/reply.hpp"
#include "grader/text.hpp"
#include "simt/report/symbolizer.hpp"
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
  const auto found = Pattern("at most ([0-9,]+) bytes? to the " + side).search(text);
  if (!found) return std::nullopt;
  std::string digits = (*found)[1];
  std::erase(digits, ',');
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  return error == std::errc() ? std::optional(bytes) : std::nullopt;
}

std::string bytes_text(std::uint64_t bytes) { return bytes == 1 ? "1 byte" : number(bytes) + " bytes"; }

const char* way_of(simt::Crossing direction) {
  return direction == simt::Crossing::to_host ? "from the device to the host" : "from the host to the device";
}

std::uint64_t limit_of(const Crossing& crossing, simt::Crossing direction) {
  return direction == simt::Crossing::to_host ? crossing.limits.to_host : crossing.limits.to_device;
}

/// The directions in which too much has crossed, the worse one first.
std::vector<simt::Crossing> ways_exceeded(const Crossing& crossing) {
  std::vector<simt::Crossing> ways;
  for (const simt::Crossing way : {simt::Crossing::to_host, simt::Crossing::to_device})
    if (crossed(crossing.transfers, way) > limit_of(crossing, way)) ways.push_back(way);
  return ways;
}

/// "4000 bytes cross from the device to the host, where the contract allows 16".
std::string amounts_text(const Crossing& crossing) {
  std::string text;
  for (const simt::Crossing way : ways_exceeded(crossing)) {
    text += (text.empty() ? "" : ", and ") + bytes_text(crossed(crossing.transfers, way)) + " cross " +
            way_of(way) + ", where the contract allows " + number(limit_of(crossing, way));
  }
  return text;
}

struct CopyPlace {
  simt::SourceLine line;
  std::string told; ///< the line and what crossed there
};

/// Where it crossed in directions in which it was too much. What is of no known line comes without one.
std::vector<CopyPlace> copy_places(const Crossing& crossing, simt::Symbolizer& symbolizer) {
  std::vector<CopyPlace> places;
  const std::vector<simt::Crossing> exceeded = ways_exceeded(crossing);
  for (const simt::Transfer& transfer : crossing.transfers) {
    if (std::ranges::find(exceeded, transfer.direction) == exceeded.end()) continue;
    CopyPlace place;
    std::string line;
    if (const auto source = symbolizer.locate(transfer.where)) {
      place.line = *source;
      line = simt::quoted(*source, symbolizer) + "\n";
    }
    place.told =
        line + "  " + transfer.by + ", " + bytes_text(transfer.bytes) + " " + way_of(transfer.direction);
    places.push_back(std::move(place));
  }
  return places;
}

} // namespace

CrossingLimits crossing_limits(const std::string& contract_text, const std::string& function) {
  const std::vector<std::string> lines = lines_without_indent(contract_text);
  const std::size_t rules_end = static_cast<std::size_t>(
      std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("extern \"C\""); }) -
      lines.begin());
  const std::string rules = comments_in(lines, 0, rules_end);
  const std::vector<Signature> declared = signatures_of(contract_text, function);
  const std::string own = declared.empty() ? "" : comment_above(lines, declared.front().line);
  const auto limit = [&](const std::string& side) {
    const std::optional<std::uint64_t> said = limit_in(own, side);
    return said ? *said : limit_in(rules, side).value_or(0);
  };
  return {limit("host"), limit("device")};
}

std::uint64_t Crossing::excess() const {
  std::uint64_t bytes = 0;
  for (const simt::Crossing way : ways_exceeded(*this))
    bytes += crossed(transfers, way) - limit_of(*this, way);
  return bytes;
}

Failure computed_by_host(const Crossing& crossing) {
  Failure failure{{"computed-by-host"},
                  crossing.function + " does not leave the work to the device: in one call " +
                      amounts_text(crossing) +
                      ". Let kernels compute the result where the data are; a copy that is there to look at "
                      "values has to go when you are done.",
                  {}};
  simt::Symbolizer symbolizer;
  for (const CopyPlace& place : copy_places(crossing, symbolizer)) {
    if (place.line.line != 0) failure.places.emplace_back(place.line.file, place.line.line);
    for (const std::string& line : lines_of(place.told)) failure.details.push_back(line);
  }
  failure.details.push_back(in_call(crossing.call_text));
  return failure;
}

void warn_of(Failure& failure, const Crossing& crossing) {
  if (has_diagnosis(failure, "computed-by-host")) return;
  failure.details.push_back(
      "Besides, in one call of " + crossing.function + " " + amounts_text(crossing) +
      ". With these copies the item would fail even if all else were right: remove them when "
      "you are done.");
  simt::Symbolizer symbolizer;
  for (const CopyPlace& place : copy_places(crossing, symbolizer))
    for (const std::string& line : lines_of(place.told)) failure.details.push_back(line);
}

void expect_from_device(const Reply& reply) {
  if (reply.crossing() != nullptr) fail(computed_by_host(*reply.crossing()));
}

} // namespace warpbook
