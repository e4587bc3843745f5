// Checks one diagnostic of diagnostics.cu: its id, what it says about variable, places, threads, values and number, its
// cure, and that text and JSON carry all of it.
#pragma once

#include "simulation.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace simt {

inline constexpr const char* source = "diagnostics.cu";

inline ThreadId thread(unsigned block, unsigned index) {
  return {{block, 0, 0}, {index, 0, 0}, index / 32, index % 32};
}

struct Expected {
  std::string id;
  std::string variable = {}, index = {};
  std::vector<std::string> marks; ///< of the participants' lines, in their order
  std::vector<std::optional<ThreadId>> threads;
  std::uint64_t count = 1;
  std::vector<std::string> words; ///< of the message or a note
  std::string cure;
};

/// Whether the data of a finding are what its words say.
inline void check_data(const Finding& found) {
  for (std::size_t i = 0; i < found.participants.size(); ++i) {
    const Participant& party = found.participants[i];
    const std::string action = action_of(found, i);
    CAPTURE(action);
    const auto does = [&](const char* verb) { return action.starts_with(verb); };
    CHECK((party.access == Access::read) == does("reads "));
    CHECK((party.access == Access::write) == does("writes "));
    CHECK((party.access == Access::atomic) == does("atomically updates "));
    const std::string size = std::to_string(party.bytes) + " byte";
    if (party.access) CHECK((mentions(action, size) || mentions(message_of(found), size)));
    CHECK(party.depth.has_value() == mentions(action, "(depth "));
  }
  std::string element;
  for (const std::int64_t index : found.element) element += "[" + std::to_string(index) + "]";
  CHECK(index_text(found).starts_with(element));
  CHECK(index_text(found).starts_with("[") == !found.element.empty());
  CHECK(found.owner.has_value() == mentions(place_text(found), " of block ("));
  using Side = Outside::Side;
  const auto is_on = [&](Side side) {
    return found.has<Outside>([&](const Outside& outside) { return outside.side == side; });
  };
  CHECK(is_on(Side::before) == mentions(message_of(found), " before the start of "));
  CHECK(is_on(Side::across) == mentions(message_of(found), " across the end of "));
  CHECK(is_on(Side::past) == mentions(message_of(found), " past the end of "));
  if (const auto* outside = found.get<Outside>(); outside && outside->distance > 0)
    CHECK(mentions(message_of(found), std::to_string(outside->distance) + " byte"));
  const bool tells_values = std::ranges::any_of(
      notes_of(found), [](const std::string& note) { return note.starts_with("the first write left "); });
  CHECK(has_written(found) == tells_values);
}

/// Checks the report's only diagnostic; returns it.
inline Finding check_diagnostic(const Report& report, const Expected& expected) {
  const Finding found = the_only(report, expected.id);
  CHECK(found.severity == Severity::error);
  CHECK(found.variable == expected.variable);
  CHECK(index_text(found) == expected.index);
  CHECK(found.count == expected.count);
  std::vector<unsigned> lines;
  for (const std::string& mark : expected.marks) lines.push_back(marked_line(source, mark));
  CHECK(lines_of(found) == lines);
  REQUIRE(found.participants.size() == expected.threads.size());
  for (std::size_t i = 0; i < expected.threads.size(); ++i)
    CHECK(found.participants[i].thread == expected.threads[i]);

  static Symbolizer symbolizer;
  const std::string text = render(found, symbolizer);
  CAPTURE(text);
  CHECK(mentions(text, "error: " + expected.id));
  for (const std::string& word : expected.words) {
    CAPTURE(word);
    CHECK(mentions(text, word));
  }
  CHECK(mentions(cure_of(found), expected.cure));
  CHECK(mentions(text, "try: " + cure_of(found)));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CHECK(mentions(text, std::string(source).append(":").append(std::to_string(lines[i])).append(" | ")));
    if (expected.threads[i]) CHECK(mentions(text, describe(*expected.threads[i])));
  }
  if (found.count > 1) CHECK(mentions(text, std::to_string(found.count) + " times"));

  check_data(found);
  const nlohmann::json json = found;
  CHECK(json.at("id") == expected.id);
  CHECK(nlohmann::json(json.get<Finding>()) == json);
  CHECK(json.at("suggestion") == cure_of(found));
  return found;
}

} // namespace simt
