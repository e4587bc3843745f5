#include "grader/computed_by_host.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "grader/say.hpp"
#include "grader/text.hpp"
#include "simt/report/symbolizer.hpp"

namespace warpbook {
namespace {

/// "4000 bytes from the device to the host".
std::string bytes_text(std::uint64_t bytes, simt::Crossing direction) {
  if (direction == simt::Crossing::within_device) return say("{size:byte} within the device", bytes);
  return direction == simt::Crossing::to_host ? say("{size:byte} from the device to the host", bytes)
                                              : say("{size:byte} from the host to the device", bytes);
}

/// "4000 bytes from the device to the host in one call, where the contract allows 16".
std::string amounts_text(const Crossing& crossing) {
  std::string text;
  for (const simt::Crossing way : ways_exceeded(crossing)) {
    const std::string bytes = bytes_text(crossed(crossing.transfers, way), way);
    const std::uint64_t allowed = limit_of(crossing, way);
    text += text.empty() ? say("{bytes} in one call, where the contract allows {allowed}", bytes, allowed)
                         : say(", and {bytes}, where it allows {allowed}", bytes, allowed);
  }
  return text;
}

/// What crossed in one direction, at one line where that is known.
struct LineCrossed {
  simt::Transfer transfer;
  std::optional<simt::SourceLine> line;
};

/// What crossed in the directions in which it was too much, line by line, the dearest ones first.
std::vector<LineCrossed> dearest_lines(const Crossing& crossing, const std::vector<simt::Crossing>& exceeded,
                                       simt::Symbolizer& symbolizer) {
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

void tell_places(Failure& failure, const Crossing& crossing, const std::vector<simt::Crossing>& ways) {
  constexpr std::size_t most = 4;
  simt::Symbolizer symbolizer;
  const std::vector<LineCrossed> lines = dearest_lines(crossing, ways, symbolizer);
  for (std::size_t i = 0; i < lines.size() && i < most; ++i) {
    const auto& [transfer, line] = lines[i];
    if (line) {
      failure.places.emplace_back(line->file, line->line);
      failure.details.emplace_back(simt::quoted(*line, symbolizer), Detail::Kind::source, *line);
    }
    failure.details.push_back("  " + say("{function}, {bytes}{has_parts?, in {count} parts}", transfer.by,
                                         bytes_text(transfer.bytes, transfer.direction), transfer.count > 1,
                                         transfer.count));
  }
  if (lines.size() > most)
    failure.details.push_back(say("... and in {count:more line}.", lines.size() - most));
}

} // namespace

Failure computed_by_host(const Crossing& crossing) {
  Failure failure{{"computed-by-host"},
                  say("{function} moves {amounts}. The result has to be computed by kernels: let them do the "
                      "work where the data "
                      "are. A copy that is there to look at values has to go when you are done.",
                      crossing.function, amounts_text(crossing)),
                  {}};
  tell_places(failure, crossing, ways_exceeded(crossing));
  failure.details.push_back(in_call(crossing.call_text));
  return failure;
}

Failure copied_by_runtime(const Crossing& crossing) {
  using enum simt::Crossing;
  Failure failure{{"copied-by-runtime"},
                  say("In {function} copies of the runtime move {bytes}, and nothing of that is counted. The "
                      "item judges how "
                      "kernels do it: let a kernel write the result, and read what you were given.",
                      crossing.function,
                      bytes_text(crossed(crossing.transfers, within_device), within_device)),
                  {}};
  tell_places(failure, crossing, {within_device});
  failure.details.push_back(in_call(crossing.call_text));
  return failure;
}

void warn_of(Failure& failure, const Crossing& crossing) {
  if (has_diagnosis(failure, "computed-by-host")) return;
  failure.details.push_back(say("Besides, {function} moves {amounts}. Remove these copies when you are done "
                                "with them: with them the item fails even if all else is right.",
                                crossing.function, amounts_text(crossing)));
  const auto places = failure.places; // the failure is about something else
  tell_places(failure, crossing, ways_exceeded(crossing));
  failure.places = places;
}

void expect_from_device(const Reply& reply) {
  if (reply.crossing() != nullptr) fail(computed_by_host(*reply.crossing()));
}

} // namespace warpbook
