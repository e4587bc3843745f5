#include "grader/crossing.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

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

/// "4000 bytes from the device to the host in one call, where the contract allows 16".
std::string amounts_text(const Crossing& crossing) {
  std::string text;
  for (const simt::Crossing way : ways_exceeded(crossing)) {
    const std::string bytes = bytes_text(crossed(crossing.transfers, way)) + " " + way_of(way);
    const std::string allowed = number(limit_of(crossing, way));
    text += text.empty() ? bytes + " in one call, where the contract allows " + allowed
                         : ", and " + bytes + ", where it allows " + allowed;
  }
  return text;
}

/// What crossed in one direction, at one line where that is known.
struct LineCrossed {
  simt::Transfer transfer;
  std::optional<simt::SourceLine> line;
};

/// What crossed in the directions in which it was too much, line by line, the dearest ones first.
std::vector<LineCrossed> dearest_lines(const Crossing& crossing, simt::Symbolizer& symbolizer) {
  const std::vector<simt::Crossing> exceeded = ways_exceeded(crossing);
  std::vector<LineCrossed> lines;
  for (const simt::Transfer& transfer : crossing.transfers) {
    if (std::ranges::find(exceeded, transfer.direction) == exceeded.end()) continue;
    const auto line = symbolizer.locate(transfer.where);
    const auto same = std::ranges::find_if(lines, [&](const LineCrossed& other) {
      return line && other.line && line->line == other.line->line && line->file == other.line->file &&
             transfer.direction == other.transfer.direction && transfer.by == other.transfer.by;
    });
    if (same == lines.end()) {
      lines.push_back({transfer, line});
    } else {
      same->transfer.bytes += transfer.bytes;
      same->transfer.count += transfer.count;
    }
  }
  std::ranges::stable_sort(lines, [](const LineCrossed& one, const LineCrossed& other) {
    return std::tuple(one.transfer.direction, other.transfer.bytes) <
           std::tuple(other.transfer.direction, one.transfer.bytes);
  });
  return lines;
}

void tell_places(Failure& failure, const Crossing& crossing) {
  constexpr std::size_t most = 4;
  simt::Symbolizer symbolizer;
  const std::vector<LineCrossed> lines = dearest_lines(crossing, symbolizer);
  for (std::size_t i = 0; i < lines.size() && i < most; ++i) {
    const auto& [transfer, line] = lines[i];
    if (line) {
      failure.places.emplace_back(line->file, line->line);
      failure.details.push_back(simt::quoted(*line, symbolizer));
    }
    failure.details.push_back("  " + transfer.by + ", " + bytes_text(transfer.bytes) + " " +
                              way_of(transfer.direction) +
                              (transfer.count > 1 ? ", in " + number(transfer.count) + " parts" : ""));
  }
  if (lines.size() > most)
    failure.details.push_back("... and in " + number(lines.size() - most) + " more lines.");
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
  Failure failure{
      {"computed-by-host"},
      crossing.function + " moves " + amounts_text(crossing) +
          ". The result has to be computed by kernels: let them do the work where the data are. A copy "
          "that is there to look at values has to go when you are done.",
      {}};
  tell_places(failure, crossing);
  failure.details.push_back(in_call(crossing.call_text));
  return failure;
}

void warn_of(Failure& failure, const Crossing& crossing) {
  if (has_diagnosis(failure, "computed-by-host")) return;
  failure.details.push_back(
      "Besides, " + crossing.function + " moves " + amounts_text(crossing) +
      ". Remove these copies when you are done with them: with them the item fails even "
      "if all else is right.");
  const auto places = failure.places; // the failure is about something else
  tell_places(failure, crossing);
  failure.places = places;
}

void expect_from_device(const Reply& reply) {
  if (reply.crossing() != nullptr) fail(computed_by_host(*reply.crossing()));
}

} // namespace warpbook
