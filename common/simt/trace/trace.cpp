#include "simt/trace/trace.hpp"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace simt {

namespace {

using nlohmann::json;

// Steps are many: arrays of numbers, and offsets that are evenly spaced as the first of them and the distance.
json json_of(const TracedStep& step) {
  json value = {static_cast<int>(step.kind),
                static_cast<int>(step.access),
                step.bytes,
                step.launch,
                step.block,
                step.first_thread,
                step.lanes,
                step.site,
                step.array,
                step.owner};
  const auto& at = step.offsets;
  const std::int64_t distance = at.size() < 2 ? 0 : static_cast<std::int64_t>(at[1] - at[0]);
  bool is_even = !at.empty();
  for (std::size_t i = 1; i < at.size(); ++i)
    is_even = is_even && static_cast<std::int64_t>(at[i] - at[i - 1]) == distance;
  if (is_even)
    value.insert(value.end(), {at.size(), at[0], distance});
  else
    value.push_back(at);
  return value;
}

TracedStep step_from(const json& value) {
  TracedStep step;
  step.kind = static_cast<TracedStep::Kind>(value.at(0).get<int>());
  step.access = static_cast<Access>(value.at(1).get<int>());
  step.bytes = value.at(2).get<std::uint8_t>();
  std::uint32_t* const numbers[] = {&step.launch, &step.block, &step.first_thread, &step.lanes,
                                    &step.site,   &step.array, &step.owner};
  for (std::size_t i = 0; i < std::size(numbers); ++i) value.at(3 + i).get_to(*numbers[i]);
  if (value.at(10).is_array()) {
    value.at(10).get_to(step.offsets);
  } else {
    const auto first = value.at(11).get<std::uint64_t>();
    const auto distance = static_cast<std::uint64_t>(value.at(12).get<std::int64_t>());
    const auto lanes = static_cast<std::size_t>(std::popcount(step.lanes));
    for (std::size_t i = 0; i < std::max<std::size_t>(lanes, 2) && i < value.at(10).get<std::size_t>(); ++i)
      step.offsets.push_back(first + i * distance);
  }
  return step;
}

/// Whoever reads a trace relies on it.
bool is_consistent(const Trace& trace) {
  constexpr std::uint32_t most_threads = 1u << 26; // in all, and a limit to what a reader allocates
  std::uint64_t threads = 0;
  for (const TracedLaunch& launch : trace.launches) {
    double product = 1; // that cannot overflow
    for (const auto& extents : {launch.grid, launch.block})
      for (const unsigned extent : extents) product *= extent;
    if (product < 1 || product > most_threads) return false;
    threads += volume(launch.grid) * volume(launch.block);
    if (launch.depth == 0) continue;
    // A child comes after its parent.
    if (launch.parent >= static_cast<std::size_t>(&launch - trace.launches.data())) return false;
    const TracedLaunch& parent = trace.launches[launch.parent];
    if (launch.parent_block >= volume(parent.grid) || launch.parent_thread >= volume(parent.block))
      return false;
  }
  return threads <= most_threads && std::ranges::all_of(trace.steps, [&](const TracedStep& step) {
           if (step.launch >= trace.launches.size()) return false;
           const TracedLaunch& launch = trace.launches[step.launch];
           const auto lanes = static_cast<unsigned>(std::bit_width(step.lanes));
           if (step.block >= volume(launch.grid) || step.first_thread + lanes > volume(launch.block))
             return false;
           if (step.kind == TracedStep::Kind::exchange) return true;
           if (step.array >= trace.arrays.size()) return false;
           if (step.kind == TracedStep::Kind::overwritten || step.kind == TracedStep::Kind::cleared)
             return step.offsets.size() == 2;
           return step.kind == TracedStep::Kind::access && step.access <= Access::atomic && step.bytes > 0 &&
                  step.bytes <= 16 && step.site < trace.sites.size() &&
                  step.offsets.size() == static_cast<std::size_t>(std::popcount(step.lanes));
         });
}

} // namespace

void to_json(json& value, const Trace& trace) {
  json launches = json::array(), arrays = json::array(), steps = json::array();
  for (const TracedLaunch& launch : trace.launches)
    launches.push_back({launch.kernel, launch.grid, launch.block, launch.depth, launch.parent,
                        launch.parent_block, launch.parent_thread});
  for (const TracedArray& array : trace.arrays)
    arrays.push_back({array.name, array.space == Space::shared, array.bytes, array.element_bytes});
  for (const TracedStep& step : trace.steps) steps.push_back(json_of(step));
  value = {{"launches", std::move(launches)}, {"arrays", std::move(arrays)}, {"sites", trace.sites},
           {"steps", std::move(steps)},       {"complete", trace.complete},  {"carried", trace.carried}};
}

void from_json(const json& value, Trace& trace) {
  trace = {};
  for (const json& launch : value.at("launches"))
    trace.launches.push_back({launch.at(0).get<std::string>(), launch.at(1).get<Extent>(),
                              launch.at(2).get<Extent>(), launch.at(3).get<unsigned>(),
                              launch.at(4).get<std::uint32_t>(), launch.at(5).get<std::uint32_t>(),
                              launch.at(6).get<std::uint32_t>()});
  for (const json& array : value.at("arrays"))
    trace.arrays.push_back({array.at(0).get<std::string>(),
                            array.at(1).get<bool>() ? Space::shared : Space::global,
                            array.at(2).get<std::uint64_t>(), array.at(3).get<unsigned>()});
  value.at("sites").get_to(trace.sites);
  for (const json& step : value.at("steps")) trace.steps.push_back(step_from(step));
  value.at("complete").get_to(trace.complete);
  value.at("carried").get_to(trace.carried);
  if (!is_consistent(trace)) throw std::runtime_error("the trace contradicts itself");
}

} // namespace simt
