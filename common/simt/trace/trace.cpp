#include "simt/trace/trace.hpp"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace simt {

namespace {

using nlohmann::json;

using Kind = TracedStep::Kind;

// Steps are many: arrays of numbers, and offsets that are evenly spaced as the first of them and the distance.
void add_offsets(json& value, const std::vector<std::uint64_t>& at) {
  const std::int64_t distance = at.size() < 2 ? 0 : static_cast<std::int64_t>(at[1] - at[0]);
  bool is_even = !at.empty();
  for (std::size_t i = 1; i < at.size(); ++i)
    is_even = is_even && static_cast<std::int64_t>(at[i] - at[i - 1]) == distance;
  if (is_even)
    value.insert(value.end(), {at.size(), at[0], distance});
  else
    value.push_back(at);
}

json json_of(const TracedStep& step) {
  json value = {static_cast<int>(step.kind), step.launch, step.block, step.first_thread, step.lanes};
  switch (step.kind) {
  case Kind::access:
    value.insert(value.end(), {static_cast<int>(step.access), step.bytes, step.site, step.array, step.owner,
                               step.outside, step.joined, step.cost, step.least});
    add_offsets(value, step.offsets);
    break;
  case Kind::overwritten:
  case Kind::cleared:
    value.push_back(step.array);
    add_offsets(value, step.offsets);
    break;
  case Kind::barrier:
    value.insert(value.end(), {step.site, static_cast<int>(step.scope), step.phase, step.ended});
    break;
  case Kind::launch:
    value.push_back(step.child);
    break;
  case Kind::exchange:
    break;
  }
  return value;
}

/// Reads the numbers of a step one after the other.
class Numbers {
public:
  explicit Numbers(const json& value) : value_(value) {}
  template <class T>
  void take(T& to) {
    if constexpr (std::is_enum_v<T>)
      to = static_cast<T>(value_.at(next_++).get<int>());
    else
      to = value_.at(next_++).get<T>();
  }
  /// As add_offsets() has left them; no more than `most`.
  void take(std::vector<std::uint64_t>& to, std::size_t most) {
    if (value_.at(next_).is_array()) return take(to);
    std::size_t count = 0;
    std::uint64_t first = 0;
    std::int64_t distance = 0;
    take(count);
    take(first);
    take(distance);
    for (std::size_t i = 0; i < count && i < most; ++i)
      to.push_back(first + i * static_cast<std::uint64_t>(distance));
  }

private:
  const json& value_;
  std::size_t next_ = 0;
};

TracedStep step_from(const json& value) {
  TracedStep step;
  Numbers numbers(value);
  numbers.take(step.kind);
  for (std::uint32_t* number : {&step.launch, &step.block, &step.first_thread, &step.lanes})
    numbers.take(*number);
  if (step.kind == Kind::access) {
    numbers.take(step.access);
    numbers.take(step.bytes);
    for (std::uint32_t* number : {&step.site, &step.array, &step.owner}) numbers.take(*number);
    numbers.take(step.outside);
    numbers.take(step.joined);
    numbers.take(step.cost);
    numbers.take(step.least);
    numbers.take(step.offsets, static_cast<std::size_t>(std::popcount(step.lanes)));
  } else if (step.is_by_host()) {
    numbers.take(step.array);
    numbers.take(step.offsets, 2);
  } else if (step.kind == Kind::barrier) {
    numbers.take(step.site);
    numbers.take(step.scope);
    numbers.take(step.phase);
    numbers.take(step.ended);
  } else if (step.kind == Kind::launch) {
    numbers.take(step.child);
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
  const auto is_known = [&](const TracedTotal& total) {
    return total.site < trace.sites.size() && total.access <= Access::atomic;
  };
  return threads <= most_threads && std::ranges::all_of(trace.totals, is_known) &&
         std::ranges::all_of(trace.steps, [&](const TracedStep& step) {
           if (step.launch >= trace.launches.size()) return false;
           const TracedLaunch& launch = trace.launches[step.launch];
           const auto lanes = static_cast<unsigned>(std::bit_width(step.lanes));
           if (step.block >= volume(launch.grid) || step.first_thread + lanes > volume(launch.block))
             return false;
           if (step.kind == Kind::exchange) return true;
           if (step.kind == Kind::barrier)
             return step.site < trace.barriers.size() && step.scope <= TracedStep::Scope::grid;
           if (step.kind == Kind::launch) return step.child < trace.launches.size();
           const bool has_array = step.array < trace.arrays.size();
           if (step.is_by_host()) return has_array && step.offsets.size() == 2;
           return step.kind == Kind::access && step.access <= Access::atomic && step.bytes > 0 &&
                  (has_array || (step.array == TracedStep::no_array && step.outside)) && step.bytes <= 16 &&
                  step.site < trace.sites.size() &&
                  step.offsets.size() == static_cast<std::size_t>(std::popcount(step.lanes));
         });
}

} // namespace

namespace {

json json_of(const TracedLaunch& launch) {
  return {launch.kernel, launch.grid,   launch.block,        launch.cluster,      launch.shared_bytes,
          launch.depth,  launch.parent, launch.parent_block, launch.parent_thread};
}

json json_of(const TracedArray& array) {
  return {array.name,   array.space == Space::shared, array.bytes, array.element_bytes, array.address,
          array.extents};
}

json json_of(const TracedTotal& total) {
  return {total.site,
          total.space == Space::shared,
          static_cast<int>(total.access),
          total.remote,
          total.requests,
          total.cost,
          total.least,
          total.lanes,
          total.bytes};
}

Space space_from(const json& is_shared) { return is_shared.get<bool>() ? Space::shared : Space::global; }

} // namespace

Counters counters_of(const Trace& trace) {
  using Field = std::uint64_t Counters::*;
  // By Access: requests, cost, lanes, bytes.
  constexpr Field global[3][4] = {{&Counters::global_load_requests, &Counters::global_load_sectors,
                                   &Counters::global_load_lanes, &Counters::global_load_bytes},
                                  {&Counters::global_store_requests, &Counters::global_store_sectors,
                                   &Counters::global_store_lanes, &Counters::global_store_bytes},
                                  {&Counters::global_atomic_requests, &Counters::global_atomic_sectors,
                                   &Counters::global_atomic_lanes, &Counters::global_atomic_bytes}};
  constexpr Field shared[3][4] = {{&Counters::shared_load_requests, &Counters::shared_load_wavefronts,
                                   &Counters::shared_load_lanes, &Counters::shared_load_bytes},
                                  {&Counters::shared_store_requests, &Counters::shared_store_wavefronts,
                                   &Counters::shared_store_lanes, &Counters::shared_store_bytes},
                                  {&Counters::shared_atomic_requests, &Counters::shared_atomic_wavefronts,
                                   &Counters::shared_atomic_lanes, &Counters::shared_atomic_bytes}};
  Counters counters;
  for (const TracedTotal& total : trace.totals) {
    if (total.remote) continue;
    const auto& fields = (total.space == Space::shared ? shared : global)[static_cast<int>(total.access)];
    counters.*fields[0] += total.requests;
    counters.*fields[1] += total.cost;
    counters.*fields[2] += total.lanes;
    counters.*fields[3] += total.bytes;
  }
  return counters;
}

void to_json(json& value, const Trace& trace) {
  json launches = json::array(), arrays = json::array(), barriers = json::array(), totals = json::array(),
       steps = json::array();
  for (const TracedLaunch& launch : trace.launches) launches.push_back(json_of(launch));
  for (const TracedArray& array : trace.arrays) arrays.push_back(json_of(array));
  for (const SourcePlace& place : trace.barriers) barriers.push_back({place.file, place.line});
  for (const TracedTotal& total : trace.totals) totals.push_back(json_of(total));
  for (const TracedStep& step : trace.steps) steps.push_back(json_of(step));
  value = {{"launches", std::move(launches)}, {"arrays", std::move(arrays)}, {"sites", trace.sites},
           {"barriers", std::move(barriers)}, {"totals", std::move(totals)}, {"steps", std::move(steps)},
           {"left_out", trace.left_out},      {"complete", trace.complete},  {"carried", trace.carried}};
}

void from_json(const json& value, Trace& trace) {
  trace = {};
  for (const json& launch : value.at("launches")) {
    TracedLaunch& read = trace.launches.emplace_back();
    Numbers numbers(launch);
    numbers.take(read.kernel);
    for (Extent* extent : {&read.grid, &read.block, &read.cluster}) numbers.take(*extent);
    numbers.take(read.shared_bytes);
    numbers.take(read.depth);
    for (std::uint32_t* number : {&read.parent, &read.parent_block, &read.parent_thread})
      numbers.take(*number);
  }
  for (const json& array : value.at("arrays"))
    trace.arrays.push_back({array.at(0).get<std::string>(), space_from(array.at(1)),
                            array.at(2).get<std::uint64_t>(), array.at(3).get<unsigned>(),
                            array.at(4).get<unsigned>(), array.at(5).get<std::vector<std::uint64_t>>()});
  value.at("sites").get_to(trace.sites);
  for (const json& place : value.at("barriers"))
    trace.barriers.push_back({place.at(0).get<std::string>(), place.at(1).get<unsigned>()});
  for (const json& total : value.at("totals")) {
    TracedTotal& read = trace.totals.emplace_back();
    read.site = total.at(0).get<std::uint32_t>();
    read.space = space_from(total.at(1));
    read.access = static_cast<Access>(total.at(2).get<int>());
    read.remote = total.at(3).get<bool>();
    std::size_t next = 4;
    for (std::uint64_t* number : {&read.requests, &read.cost, &read.least, &read.lanes, &read.bytes})
      total.at(next++).get_to(*number);
  }
  for (const json& step : value.at("steps")) trace.steps.push_back(step_from(step));
  value.at("left_out").get_to(trace.left_out);
  value.at("complete").get_to(trace.complete);
  value.at("carried").get_to(trace.carried);
  if (!is_consistent(trace)) throw std::runtime_error("the trace contradicts itself");
}

} // namespace simt
