#include "simt/trace/lineage.hpp"

#include <algorithm>
#include <bit>

namespace simt {

namespace {

/// Which of the lanes in the step's mask `lane` is, counted from 0.
std::size_t rank_of(const TracedStep& step, unsigned lane) {
  return static_cast<std::size_t>(std::popcount(step.lanes & ((1u << lane) - 1)));
}

Extent index_of(std::uint32_t linear, const Extent& extent) {
  return {linear % extent[0], linear / extent[0] % extent[1], linear / extent[0] / extent[1]};
}

/// Of an array whose reads are counted.
constexpr std::uint64_t most_units = 1 << 24;

} // namespace

Lineage::Lineage(const Trace& trace)
    : trace_(trace), units_(trace.arrays.size(), 16), reads_(trace.arrays.size()) {
  std::uint32_t threads = 0;
  for (const TracedLaunch& launch : trace.launches) {
    first_thread_.push_back(threads);
    threads += static_cast<std::uint32_t>(volume(launch.grid) * volume(launch.block));
  }
  steps_of_.resize(threads);
  for (const TracedStep& step : trace.steps)
    if (step.is_inside()) units_[step.array] = std::min<unsigned>(units_[step.array], step.bytes);
  for (std::size_t a = 0; a < trace.arrays.size(); ++a)
    if (trace.arrays[a].space == Space::global)
      reads_[a].resize(std::min<std::uint64_t>(trace.arrays[a].bytes / units_[a] + 1, most_units));
  for (std::size_t s = 0; s < trace.steps.size(); ++s) {
    const TracedStep& step = trace.steps[s];
    if (step.is_by_host()) {
      for (std::uint64_t unit = step.offsets[0] / units_[step.array];
           unit * units_[step.array] < step.offsets[1]; ++unit)
        writes_[{step.array, 0, unit}].push_back({s, no_thread});
      continue;
    }
    if (!step.is_inside() && step.kind != TracedStep::Kind::exchange) continue;
    std::size_t k = 0;
    for (std::uint32_t rest = step.lanes; rest != 0; rest &= rest - 1, ++k) {
      const Thread thread = thread_at(step, static_cast<unsigned>(std::countr_zero(rest)));
      steps_of_[thread].push_back(s);
      if (!step.is_inside()) continue;
      for_each_unit(step, k, [&](const Place& place) {
        if (step.access != Access::read)
          writes_[place].push_back({s, thread});
        else if (place.unit < reads_[place.array].size())
          ++reads_[place.array][place.unit];
      });
    }
  }
}

Lineage::Thread Lineage::thread_at(const TracedStep& step, unsigned lane) const {
  return first_thread_[step.launch] + step.block * volume(trace_.launches[step.launch].block) +
         step.first_thread + lane;
}

Lineage::Thread Lineage::launcher_of(Thread thread) const {
  const auto after = std::upper_bound(first_thread_.begin(), first_thread_.end(), thread);
  const TracedLaunch& launch = trace_.launches[static_cast<std::size_t>(after - first_thread_.begin()) - 1];
  if (launch.depth == 0) return no_thread;
  return first_thread_[launch.parent] + launch.parent_block * volume(trace_.launches[launch.parent].block) +
         launch.parent_thread;
}

template <class Visit>
void Lineage::for_each_unit(const TracedStep& step, std::size_t k, Visit visit) const {
  const unsigned unit = units_[step.array];
  for (std::uint64_t at = step.offsets[k] / unit; at * unit < step.offsets[k] + step.bytes; ++at)
    visit(Place{step.array, step.owner, at});
}

/// The writes before step `before` that the value there can come from: the last one, and atomic operations back to it.
/// Returns whether it can be the initial value, too. `followed` remembers what was visited: a counter to which thousands of
/// threads add is asked for by each of them.
template <class Visit>
bool Lineage::for_each_source(const Place& place, std::size_t before, std::map<Place, Followed>& followed,
                              Visit visit) const {
  const auto found = writes_.find(place);
  if (found == writes_.end()) return true;
  const std::vector<Write>& all = found->second;
  const auto end = static_cast<std::size_t>(
      std::lower_bound(all.begin(), all.end(), before,
                       [](const Write& write, std::size_t step) { return write.step < step; }) -
      all.begin());
  if (end == 0) return true;
  Followed& known = followed[place];
  if (known.first < end && end <= known.last) return known.from_start;
  std::size_t first = end;
  bool from_start = true;
  while (first != 0) {
    if (first == known.last && known.first < known.last) { // from here on they were visited
      first = known.first;
      from_start = known.from_start;
      break;
    }
    const Write& write = all[--first];
    visit(write);
    const TracedStep& step = trace_.steps[write.step];
    if (step.is_by_host() || step.access == Access::write) {
      from_start = false;
      break;
    }
  }
  known = {first, end, from_start};
  return from_start;
}

std::vector<TracedWrite> Lineage::writes(std::uint32_t array, std::uint64_t offset,
                                         std::uint64_t bytes) const {
  std::set<std::pair<std::size_t, Thread>> found;
  for (std::uint64_t at = offset / units_[array]; at * units_[array] < offset + bytes; ++at) {
    const auto place = writes_.find({array, 0, at});
    if (place == writes_.end()) continue;
    for (const Write& write : place->second)
      if (write.thread != no_thread) found.insert({write.step, write.thread});
  }
  std::vector<TracedWrite> result;
  for (const auto& [s, thread] : found) {
    const TracedStep& step = trace_.steps[s];
    const TracedLaunch& launch = trace_.launches[step.launch];
    const unsigned linear = thread - first_thread_[step.launch] - step.block * volume(launch.block);
    result.push_back(
        {s, {index_of(step.block, launch.grid), index_of(linear, launch.block), linear / 32, linear % 32}});
  }
  return result;
}

std::size_t Lineage::reads(std::uint32_t array, std::uint64_t offset, std::uint64_t bytes) const {
  std::size_t most = 0;
  for (std::uint64_t at = offset / units_[array]; at * units_[array] < offset + bytes; ++at)
    if (at < reads_[array].size()) most = std::max<std::size_t>(most, reads_[array][at]);
  return most;
}

Ancestry Lineage::ancestry(std::uint32_t array, std::uint64_t offset, std::uint64_t bytes) const {
  Ancestry result;
  std::map<Thread, std::size_t> seen;                    // up to which step each thread has been followed
  std::vector<std::pair<Thread, std::size_t>> to_follow; // a thread, and the step up to which
  std::map<Place, Followed> followed;
  const auto follow = [&](const Write& write) {
    if (write.thread == no_thread)
      result.is_known &= trace_.steps[write.step].kind == TracedStep::Kind::cleared;
    else
      to_follow.push_back({write.thread, write.step + 1});
  };
  for (std::uint64_t at = offset / units_[array]; at * units_[array] < offset + bytes; ++at) {
    if (for_each_source({array, 0, at}, trace_.steps.size(), followed, follow))
      result.origins.insert({array, at * units_[array]});
  }
  while (!to_follow.empty()) {
    const auto [thread, end] = to_follow.back();
    to_follow.pop_back();
    const auto [place, is_new] = seen.try_emplace(thread, 0);
    std::size_t& begin = place->second;
    // A child's arguments may be anything that its launcher has read.
    if (const Thread launcher = launcher_of(thread); is_new && launcher != no_thread)
      to_follow.push_back({launcher, trace_.steps.size()});
    const std::vector<std::size_t>& all = steps_of_[thread];
    for (auto at = std::lower_bound(all.begin(), all.end(), begin); at != all.end() && *at < end; ++at) {
      const TracedStep& step = trace_.steps[*at];
      if (step.kind == TracedStep::Kind::exchange) {
        for (std::uint32_t rest = step.lanes; rest != 0; rest &= rest - 1)
          to_follow.push_back({thread_at(step, static_cast<unsigned>(std::countr_zero(rest))), *at});
        continue;
      }
      if (step.access == Access::write) continue;
      const std::uint32_t before = first_thread_[step.launch] +
                                   step.block * volume(trace_.launches[step.launch].block) +
                                   step.first_thread;
      for_each_unit(step, rank_of(step, thread - before), [&](const Place& place) {
        if (for_each_source(place, *at, followed, follow) &&
            trace_.arrays[place.array].space == Space::global)
          result.origins.insert({place.array, place.unit * units_[place.array]});
      });
    }
    begin = std::max(begin, end);
  }
  return result;
}

std::vector<Origin> Lineage::read_for(const TracedWrite& write) const {
  const TracedStep& last = trace_.steps[write.step];
  const Thread thread = thread_at(last, write.thread.lane);
  const std::vector<std::size_t>& all = steps_of_[thread];
  std::vector<Origin> result;
  for (auto at = std::lower_bound(all.begin(), all.end(), write.step); at != all.begin();) {
    const TracedStep& step = trace_.steps[*--at];
    if (step.kind == TracedStep::Kind::exchange) continue;
    if (step.access == Access::write && step.array == last.array) break;
    if (step.access == Access::write || trace_.arrays[step.array].space != Space::global) continue;
    for_each_unit(step, rank_of(step, write.thread.lane), [&](const Place& place) {
      result.push_back({place.array, place.unit * units_[place.array]});
    });
  }
  std::reverse(result.begin(), result.end());
  return result;
}

} // namespace simt
