#include "simt/trace/trace.hpp"

#include <algorithm>
#include <bit>
#include <concepts>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace simt {

namespace {

using nlohmann::json;

using Kind = TracedStep::Kind;

/// Appends what it is given to an array: steps are many, and arrays of numbers are short.
struct Writer {
  json& array;

  void operator()(const auto&... fields) { (put(fields), ...); }
  template <class T>
  void put(const T& field) {
    if constexpr (std::is_same_v<T, Space>)
      array.push_back(field == Space::shared);
    else if constexpr (std::is_enum_v<T>)
      array.push_back(static_cast<int>(field));
    else
      array.push_back(field);
  }
  /// Evenly spaced ones as their number, the first of them and the distance.
  void offsets(const std::vector<std::uint64_t>& at, std::size_t) {
    const std::int64_t distance = at.size() < 2 ? 0 : static_cast<std::int64_t>(at[1] - at[0]);
    bool is_even = !at.empty();
    for (std::size_t i = 1; i < at.size(); ++i)
      is_even = is_even && static_cast<std::int64_t>(at[i] - at[i - 1]) == distance;
    if (is_even)
      array.insert(array.end(), {at.size(), at[0], distance});
    else
      array.push_back(at);
  }
};

/// Takes from an array, one after the other, what a Writer has left there.
struct Reader {
  const json& array;
  std::size_t next = 0;

  void operator()(auto&... fields) { (take(fields), ...); }
  template <class T>
  void take(T& field) {
    if constexpr (std::is_same_v<T, Space>)
      field = array.at(next++).get<bool>() ? Space::shared : Space::global;
    else if constexpr (std::is_enum_v<T>)
      field = static_cast<T>(array.at(next++).get<int>());
    else
      field = array.at(next++).get<T>();
  }
  /// No more than `most`.
  void offsets(std::vector<std::uint64_t>& at, std::size_t most) {
    if (array.at(next).is_array()) return take(at);
    std::size_t count = 0;
    std::uint64_t first = 0;
    std::int64_t distance = 0;
    (*this)(count, first, distance);
    for (std::size_t i = 0; i < count && i < most; ++i)
      at.push_back(first + i * static_cast<std::uint64_t>(distance));
  }
};

template <class T, class Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

// The fields of each record in their order, for both.
void visit(auto& io, Is<TracedLaunch> auto& launch) {
  io(launch.kernel, launch.grid, launch.block, launch.cluster, launch.shared_bytes, launch.depth,
     launch.parent, launch.parent_block, launch.parent_thread);
}
void visit(auto& io, Is<TracedArray> auto& array) {
  io(array.name, array.space, array.bytes, array.element_bytes, array.address, array.extents);
}
void visit(auto& io, Is<SourcePlace> auto& place) { io(place.file, place.line); }
void visit(auto& io, Is<TracedTotal> auto& total) {
  io(total.site, total.space, total.access, total.remote, total.requests, total.cost, total.least,
     total.lanes, total.bytes);
}
void visit(auto& io, Is<TracedStep> auto& step) {
  io(step.kind, step.launch, step.block, step.first_thread, step.lanes);
  switch (step.kind) {
  case Kind::access:
    io(step.access, step.bytes, step.site, step.array, step.owner, step.outside, step.joined, step.cost,
       step.least);
    return io.offsets(step.offsets, static_cast<std::size_t>(std::popcount(step.lanes)));
  case Kind::overwritten:
  case Kind::cleared:
    io(step.array);
    return io.offsets(step.offsets, 2);
  case Kind::barrier:
    return io(step.site, step.scope, step.phase, step.ended);
  case Kind::launch:
    return io(step.child);
  case Kind::exchange:
    return;
  }
}

template <class Record>
json written(const std::vector<Record>& records) {
  json all = json::array();
  for (const Record& record : records) {
    Writer writer{all.emplace_back(json::array())};
    visit(writer, record);
  }
  return all;
}

template <class Record>
void read(const json& all, std::vector<Record>& records) {
  for (const json& record : all) {
    Reader reader{record};
    visit(reader, records.emplace_back());
  }
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

Counters counters_of(const Trace& trace) {
  Counters counters;
  for (const TracedTotal& total : trace.totals) {
    if (total.remote) continue;
    const Traffic& traffic = traffic_of(total.space, total.access);
    counters.*traffic.requests += total.requests;
    counters.*traffic.cost += total.cost;
    counters.*traffic.lanes += total.lanes;
    counters.*traffic.bytes += total.bytes;
  }
  return counters;
}

void to_json(json& value, const Trace& trace) {
  value = {{"launches", written(trace.launches)},
           {"arrays", written(trace.arrays)},
           {"sites", trace.sites},
           {"barriers", written(trace.barriers)},
           {"totals", written(trace.totals)},
           {"steps", written(trace.steps)},
           {"left_out", trace.left_out},
           {"complete", trace.complete},
           {"carried", trace.carried}};
}

void from_json(const json& value, Trace& trace) {
  trace = {};
  read(value.at("launches"), trace.launches);
  read(value.at("arrays"), trace.arrays);
  value.at("sites").get_to(trace.sites);
  read(value.at("barriers"), trace.barriers);
  read(value.at("totals"), trace.totals);
  read(value.at("steps"), trace.steps);
  value.at("left_out").get_to(trace.left_out);
  value.at("complete").get_to(trace.complete);
  value.at("carried").get_to(trace.carried);
  if (!is_consistent(trace)) throw std::runtime_error("the trace contradicts itself");
}

} // namespace simt
