#include "simt/runtime/schedule/order.hpp"

#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/races/fence_reads.hpp"
#include "simt/runtime/races/waiting_rows_end.hpp"
#include "simt/runtime/schedule/launch_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace simt {

SegmentTable segment_table;

namespace {

/// Steps that the search for a chain of releases may take; beyond it a chain is taken for granted, so that
/// no alarm is false.
constexpr std::size_t max_search = 100'000;
/// Entries of a view that the search looks at in the time of one step.
constexpr std::size_t entries_per_step = 32;
/// Entries of all views of a launch, 8 bytes each; beyond it, too, all is taken for ordered. Threads that read words of
/// many others through volatile pointers, with fences and without a barrier, need so many.
constexpr std::size_t max_acquired = 8'000'000;
/// Releases of a launch, some 100 bytes each; beyond it, too. Atomic operations of C++ are releases unless they ask not to be.
constexpr std::size_t max_releases = 3'000'000;

constexpr std::uint32_t no_block = 0xffffffff; // no number of a block

using Clocks = std::array<std::uint32_t, lanes_per_warp>;

/// How much of a log has been acquired: its first `length` releases.
struct Acquired {
  std::uint32_t log = 0;
  std::uint32_t length = 0;
};

/// In the order of logs.
using View = std::vector<Acquired>;

/// A thread and the time of its fence, as its marks and as its stamps tell it.
struct FencedThread {
  std::uint16_t thread = 0;
  std::uint32_t step = 0;
  std::uint64_t time = 0;
};
using FencedThreads = std::vector<FencedThread>; // sorted by thread

/// An earlier access, as its mark or its stamp tells of it: in global memory `time`, in shared memory `step` is known.
struct Earlier {
  std::uint32_t block = 0;
  std::uint32_t epoch = 0;
  unsigned thread = 0; ///< linear, in the block
  std::uint32_t clock = 0;
  std::optional<std::uint64_t> time = {};
};

/// What the fences of one kind had covered when a block came to its last barrier, which told all of its threads.
struct Fenced {
  FencedThreads threads;
  std::uint32_t epoch = 0; ///< of the last fence
  std::uint32_t view = 0;
};

/// What a thread published of its own past: the block's epochs before `epoch`, and of the epochs since then
/// what some threads had done up to a fence.
struct Release {
  std::uint32_t block = 0;
  std::uint32_t epoch = 0;
  bool block_only = false;
  bool by_barrier =
      false; ///< of several blocks; in shared memory cluster_race.cpp knows better what it orders
  std::uint32_t clocks = 0; ///< what the releasing lane knew of its warp by __syncwarp; 0: nothing
  std::uint32_t warp = 0;   ///< to which `clocks` belongs
  FencedThreads threads;
  std::shared_ptr<const Fenced> earlier; ///< besides, if not nullptr
  Mark by = 0; ///< when, and by which lane, the write was made that published it; 0: by a barrier or a launch
  std::uint64_t when = 0;   ///< the same as a stamp tells it, if it was in shared memory
  std::uint16_t thread = 0; ///< likewise
};

/// A view of other logs that came with a release.
struct SeenView {
  std::uint32_t place = 0; ///< of the release in its log
  std::uint32_t view = 0;
};

struct Log {
  std::vector<Release> releases;
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_block; ///< places in `releases`
  std::vector<SeenView> views;                                  ///< in the order of the releases
  std::uint32_t sole_block = no_block; ///< whose threads made all releases, if they are of one block
  std::uint32_t latest_epoch = 0;    ///< of that block, when the last one was made
};

struct BlockRecord {
  simt_index3 index;
  simt_index3 extent;
  std::uint32_t grid;
  /// By kind; nullptr: no fence before the last barrier.
  std::array<std::shared_ptr<const Fenced>, fence_kinds> fenced = {};
};

std::vector<BlockRecord> block_records;
std::vector<View> views;   // [0] is empty
std::size_t acquired = 0;  // entries of all views
std::size_t released = 0;  // entries of all logs
std::vector<Clocks> known; // [0] is not used
std::vector<Log> logs;     // [0] is not used
using LogNumbers = std::unordered_map<std::uintptr_t, std::uint32_t>;
LogNumbers global_logs;              // by address
std::vector<LogNumbers> shared_logs; // the same for each shared-memory window, of the block that owns it now

std::uint32_t length_in(const View& view, std::uint32_t log) {
  for (const Acquired& part : view)
    if (part.log == log) return part.length;
  return 0;
}

std::uint32_t intern(View view) {
  acquired += view.size();
  views.push_back(std::move(view));
  return static_cast<std::uint32_t>(views.size() - 1);
}

std::uint32_t extend(std::uint32_t view, std::uint32_t log, std::uint32_t length) {
  View extended = views[view];
  auto place =
      std::find_if(extended.begin(), extended.end(), [log](const Acquired& a) { return a.log >= log; });
  if (place != extended.end() && place->log == log)
    place->length = length;
  else
    extended.insert(place, {log, length});
  return intern(std::move(extended));
}

std::uint32_t join(std::uint32_t a, std::uint32_t b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  View joined;
  const View &left = views[a], &right = views[b];
  for (auto l = left.begin(), r = right.begin(); l != left.end() || r != right.end();) {
    if (r == right.end() || (l != left.end() && l->log < r->log)) {
      joined.push_back(*l++);
    } else if (l == left.end() || r->log < l->log) {
      joined.push_back(*r++);
    } else {
      joined.push_back({l->log, std::max(l->length, r->length)});
      ++l, ++r;
    }
  }
  return intern(std::move(joined));
}

void append(std::uint32_t log_number, Release release, std::uint32_t view) {
  ++released;
  Log& log = logs[log_number];
  std::uint32_t place = static_cast<std::uint32_t>(log.releases.size());
  // What the log itself has said before needs no second mention.
  const View& seen = views[view];
  if (!seen.empty() && !(seen.size() == 1 && seen[0].log == log_number)) log.views.push_back({place, view});
  log.of_block[release.block].push_back(place);
  log.releases.push_back(std::move(release));
}

LogNumbers& logs_around(std::uintptr_t address) {
  if (!in_shared(address)) return global_logs;
  const std::size_t slot = (address - machine.arena) / shared_window;
  if (slot >= shared_logs.size()) shared_logs.resize(slot + 1);
  return shared_logs[slot];
}

std::uint32_t log_for(std::uintptr_t address) {
  auto [position, is_new] =
      logs_around(address).try_emplace(address, static_cast<std::uint32_t>(logs.size()));
  if (is_new) logs.emplace_back();
  return position->second;
}

/// The log of the address, or nullptr, and its number.
std::pair<const Log*, std::uint32_t> find_log(std::uintptr_t address) {
  const LogNumbers& numbers = logs_around(address);
  const auto position = numbers.find(address);
  if (position == numbers.end()) return {nullptr, 0};
  return {&logs[position->second], position->second};
}

/// Whether all that was released there is of the running block, from before its last barrier, which has told
/// all of the block's threads already. So it is with most of what stands in volatile shared memory.
bool is_old_news(const Log& log, const Block& block) {
  return log.sole_block == block.number && log.latest_epoch < block.epoch;
}

bool covers(const Release& release, const Earlier& access) {
  if (release.by_barrier && !access.time) return false;
  if (access.epoch < release.epoch) return true;
  const auto has_fenced = [&](const FencedThreads& threads) {
    const auto fenced = std::ranges::lower_bound(threads, access.thread, {}, &FencedThread::thread);
    if (fenced == threads.end() || fenced->thread != access.thread) return false;
    return access.time ? *access.time <= fenced->time : access.clock <= fenced->step;
  };
  if (has_fenced(release.threads) || (release.earlier && has_fenced(release.earlier->threads))) return true;
  return release.clocks != 0 && access.thread / lanes_per_warp == release.warp &&
         access.epoch == release.epoch &&
         known[release.clocks][access.thread % lanes_per_warp] >= access.clock;
}

/// The logs that a search has met: how much of each is to be read, and how much has been.
class LogQueue {
public:
  LogQueue() {
    if (parts_.size() < logs.size()) parts_.resize(logs.size());
  }
  ~LogQueue() {
    for (const std::uint32_t log : met_) parts_[log] = {};
    met_.clear();
  }
  LogQueue(const LogQueue&) = delete;
  LogQueue& operator=(const LogQueue&) = delete;

  void add(const View& view) {
    for (const auto& [log, length] : view) {
      Part& part = parts_[log];
      if (length <= part.wanted) continue;
      if (part.wanted == part.read) met_.push_back(log); // it does not wait already
      part.wanted = length;
    }
  }
  bool is_empty() const { return next_ == met_.size(); }

  /// The releases [begin, end) of a log, which count as read from now on.
  struct Range {
    std::uint32_t log, begin, end;
  };
  Range take() {
    const std::uint32_t log = met_[next_++];
    Part& part = parts_[log];
    return {log, std::exchange(part.read, part.wanted), part.wanted};
  }

private:
  struct Part {
    std::uint32_t wanted = 0;
    std::uint32_t read = 0;
  };
  // They stay for the next search: one for each conflict is too often to make them again.
  static inline std::vector<Part> parts_; // by log; all 0 between searches
  static inline std::vector<std::uint32_t> met_;
  std::size_t next_ = 0;
};

/// Whether a chain of releases and acquires leads from the access to the view of the running lane. Short chains come
/// first: who holds a lock mostly follows the one who held it before.
bool is_published(std::uint32_t view, const Earlier& access) {
  LogQueue waiting;
  waiting.add(views[view]);
  for (std::size_t steps = 0; !waiting.is_empty();) {
    const auto [number, begin, end] = waiting.take();
    const Log& log = logs[number];
    if (auto places = log.of_block.find(access.block); places != log.of_block.end()) {
      auto place = std::lower_bound(places->second.begin(), places->second.end(), end);
      while (place != places->second.begin() && *--place >= begin) {
        const Release& release = log.releases[*place];
        if (!(release.block_only && release.block != machine.block->number) && covers(release, access))
          return true;
        if (++steps > max_search) return true;
      }
    }
    for (auto further = std::ranges::lower_bound(log.views, begin, {}, &SeenView::place);
         further != log.views.end() && further->place < end; ++further) {
      waiting.add(views[further->view]);
      steps += 1 + views[further->view].size() / entries_per_step;
      if (steps > max_search) return true;
    }
  }
  return false;
}

/// Whether so much is to be remembered that all is taken for ordered.
bool is_full() { return acquired > max_acquired || released > max_releases; }

std::uint32_t clock_of(const Warp& warp, unsigned lane) { return warp.synced ? warp.seen[lane][lane] : 1; }

std::uint32_t new_segment(const Block& block, const Warp& warp, std::uint32_t clock) {
  segment_table.segments.push_back({block.number, block.epoch, clock, warp.first / lanes_per_warp});
  return segment_table.end() - 1;
}

/// Whether the fence of `other` happened before the running lane's next access, or is its own.
bool knows_fence(const Lane& other, const Fence& fence) {
  const Lane& lane = *machine.lane;
  const Warp& warp = *machine.warp;
  if (fence.epoch == 0) return false;
  if (&other == &lane || fence.epoch < machine.block->epoch) return true;
  return warp.synced && other.thread / lanes_per_warp == lane.thread / lanes_per_warp &&
         warp.seen[lane_of(lane)][lane_of(other)] >= fence.clock;
}

/// What the fences of one kind have covered now that the block is at a barrier; nullptr: there was none.
std::shared_ptr<const Fenced> fenced(const Block& block, unsigned kind) {
  Fenced all;
  for (const Lane& lane : block.lanes) {
    const Fence& fence = lane.extras().fences[kind];
    if (fence.epoch == 0) continue;
    all.threads.push_back({lane.thread, fence.step, fence.time});
    all.epoch = std::max(all.epoch, fence.epoch);
    all.view = join(all.view, fence.view);
  }
  return all.threads.empty() ? nullptr : std::make_shared<const Fenced>(std::move(all));
}

/// Publishes what the fences of one kind have covered, as far as the running lane knows of them.
void release_fences(std::uintptr_t address, unsigned kind) {
  const Block& block = *machine.block;
  const Lane& lane = *machine.lane;
  const Warp& warp = *machine.warp;
  const Fence& own = lane.extras().fences[kind];
  bool covers_block = own.epoch == block.epoch;
  unsigned first = lane.thread, last = first + 1;
  if (warp.synced) {
    first = warp.first;
    last = first + warp.size;
  }
  Release release;
  release.block = block.number;
  release.block_only = kind == fence_for_block;
  release.by = machine.mark;
  release.when = machine.now;
  release.thread = lane.thread;
  std::uint32_t view = 0;
  for (unsigned thread = first; thread < last; ++thread) {
    const Fence& fence = block.lanes[thread].extras().fences[kind];
    if (!knows_fence(block.lanes[thread], fence)) continue;
    release.epoch = std::max(release.epoch, fence.epoch);
    release.threads.push_back({static_cast<std::uint16_t>(thread), fence.step, fence.time});
    view = join(view, fence.view);
  }
  if (!covers_block) release.earlier = block_records[block.number].fenced[kind];
  if (release.earlier) {
    release.epoch = std::max(release.epoch, release.earlier->epoch);
    view = join(view, release.earlier->view);
  }
  if (release.threads.empty() && !release.earlier) return;
  if (covers_block) {
    release.clocks = own.known;
    release.warp = lane.thread / lanes_per_warp;
  }
  const std::uint32_t number = log_for(address);
  Log& log = logs[number];
  log.sole_block = log.releases.empty() || log.sole_block == block.number ? block.number : no_block;
  log.latest_epoch = block.epoch;
  append(number, std::move(release), view);
}

} // namespace

bool begin_order() {
  bool used_up = segment_table.end() >> 31 != 0;
  segment_table.first = used_up ? 1 : segment_table.end();
  segment_table.segments.clear();
  block_records.clear();
  views.assign(1, {});
  acquired = released = 0;
  known.assign(1, {});
  logs.assign(1, {});
  global_logs.clear();
  shared_logs.clear();
  machine.fences_used = false;
  return used_up;
}

void expect_segments(std::uint64_t count) {
  constexpr std::uint64_t most = 1 << 20; // confined programs have little room, and the launch may be ended before
  segment_table.segments.reserve(std::min(count, most));
}

void begin_block(Block& block) {
  block.number = static_cast<std::uint32_t>(block_records.size());
  block_records.push_back({block.index, block.grid->block_extent, block.grid->number, {}});
  const GridFacts& facts = facts_of(block.grid->number);
  block.floor = std::max(segment_table.first, facts.floor);
  if (block.slot < shared_logs.size()) shared_logs[block.slot].clear();
  for (Lane& lane : block.lanes) {
    lane.forget_extras();
    if (facts.view != 0) lane.change_extras().view = facts.view;
  }
}

void begin_segment(const Block& block, const Warp& warp) {
  machine.segment_clock = clock_of(warp, 0);
  machine.segment = new_segment(block, warp, machine.segment_clock);
}

void begin_segment_of_synced_lane(const Block& block, const Warp& warp, const Lane& lane) {
  std::uint32_t clock = clock_of(warp, lane_of(lane));
  std::uint32_t segment = clock == machine.segment_clock ? machine.segment : new_segment(block, warp, clock);
  machine.mark = Mark{segment} << 32 | Mark{lane_of(lane)} << 19;
  machine.floor = Mark{block.floor} << 32;
}

bool happened_before(Mark earlier) {
  if (earlier < machine.floor) return true;
  const Block& block = *machine.block;
  const Lane& lane = *machine.lane;
  const Segment& segment = segment_table[earlier];
  if (segment.block == block.number) {
    if (segment.epoch < block.epoch) return true;
    if (segment.warp == lane.thread / lanes_per_warp) {
      const Warp& warp = *machine.warp;
      if (lane_of(earlier) == lane_of(lane)) return true;
      if (warp.synced && warp.seen[lane_of(lane)][lane_of(earlier)] >= segment.clock) return true;
    }
  }
  const std::uint32_t grid = block_records[segment.block].grid;
  if (grid != block.grid->number && is_complete_before(grid, block.grid->number)) return true;
  const Earlier access{segment.block, segment.epoch, thread_in_block(earlier), segment.clock,
                       time_of(earlier)};
  return is_full() || (lane.extras().view != 0 && is_published(lane.extras().view, access));
}

bool happened_before(std::uint64_t when, const Block& block, unsigned thread) {
  const Lane& lane = *machine.lane;
  if (!machine.fences_used) return false;
  constexpr std::uint32_t warp_clock = (1u << warp_clock_bits) - 1;
  const Earlier access{block.number, static_cast<std::uint32_t>(when >> 32), thread,
                       static_cast<std::uint32_t>(when) & warp_clock};
  return is_full() || (lane.extras().view != 0 && is_published(lane.extras().view, access));
}

void join_block(Block& block) {
  if (!machine.fences_used) return;
  std::uint32_t joined = 0;
  for (const Lane& lane : block.lanes) joined = join(joined, lane.extras().view);
  for (Lane& lane : block.lanes) lane.change_extras().view = joined;
  for (unsigned kind = 0; kind < fence_kinds; ++kind)
    block_records[block.number].fenced[kind] = fenced(block, kind);
}

void join_lanes(Block& block, const Warp& warp, std::uint32_t group) {
  if (!machine.fences_used) return;
  std::uint32_t joined = 0;
  for (std::uint32_t rest = group; rest != 0; rest &= rest - 1)
    joined =
        join(joined, block.lanes[warp.first + static_cast<unsigned>(std::countr_zero(rest))].extras().view);
  for (std::uint32_t rest = group; rest != 0; rest &= rest - 1)
    block.lanes[warp.first + static_cast<unsigned>(std::countr_zero(rest))].change_extras().view = joined;
}

void join_blocks(std::span<Block* const> blocks) {
  machine.fences_used = true;
  logs.emplace_back();
  std::uint32_t log = static_cast<std::uint32_t>(logs.size() - 1);
  for (const Block* block : blocks) {
    std::uint32_t view = 0;
    for (const Lane& lane : block->lanes) view = join(view, lane.extras().view);
    Release release;
    release.block = block->number;
    release.epoch = block->epoch + 1;
    release.by_barrier = true;
    append(log, std::move(release), view);
  }
  std::uint32_t all = intern({{log, static_cast<std::uint32_t>(blocks.size())}});
  for (Block* block : blocks)
    for (Lane& lane : block->lanes) lane.change_extras().view = all;
}

void pass_fence(bool block_only) {
  if (machine.reads_wait) end_waiting(); // they came before
  close_rows();
  Lane& lane = *machine.lane;
  const Warp& warp = *machine.warp;
  machine.fences_used = true;
  Fence& fence = lane.change_extras().fences[block_only ? fence_for_block : fence_for_all];
  fence.epoch = machine.block->epoch;
  fence.time = time_of(machine.mark);
  fence.view = lane.extras().view;
  fence.clock = clock_of(warp, lane_of(lane));
  fence.step = fence.clock + lane.fences_passed;
  fence.known = 0;
  if (warp.synced) {
    if (known.size() == 1 || known.back() != warp.seen[lane_of(lane)])
      known.push_back(warp.seen[lane_of(lane)]);
    fence.known = static_cast<std::uint32_t>(known.size() - 1);
  }
  Mark next = machine.mark + mark_fence;
  if (segment_of(next) != segment_of(machine.mark))
    next = Mark{new_segment(*machine.block, warp, fence.clock)} << 32 | Mark{lane_of(lane)} << 19;
  machine.mark = next;
  // A lane has room for a million of them between barriers. Beyond, its accesses count as those before the last fence.
  if (fence.step + 1 < 1u << warp_clock_bits) {
    ++lane.fences_passed;
    ++machine.now;
  }
}

void pass_acquiring_fence() {
  Lane& lane = *machine.lane;
  LaneExtras& extras = lane.change_extras();
  extras.view = join(extras.view, extras.unfenced_view);
  extras.unfenced_view = 0;
}

std::uint32_t release_to_child() {
  Lane& lane = *machine.lane;
  const Block& block = *machine.block;
  pass_fence(false); // accesses after the launch are told apart from those before
  const Fence& fence = lane.extras().fences[fence_for_all];
  Release release;
  release.block = block.number;
  release.epoch = block.epoch;
  release.threads.push_back({lane.thread, fence.step, fence.time});
  release.clocks = fence.known;
  release.warp = lane.thread / lanes_per_warp;
  logs.emplace_back();
  std::uint32_t log = static_cast<std::uint32_t>(logs.size() - 1);
  append(log, std::move(release), lane.extras().view);
  return intern({{log, 1}});
}

std::uint32_t grid_of(Mark mark) { return block_records[segment_table[mark].block].grid; }

void release_to(std::uintptr_t address) {
  if (!machine.fences_used || is_full()) return;
  release_fences(address, fence_for_all);
  release_fences(address, fence_for_block);
}

namespace {

void acquire(std::uintptr_t address, const Block& block, std::uint32_t& view) {
  if (!machine.fences_used) return;
  const auto [log, number] = find_log(address);
  if (log == nullptr || is_old_news(*log, block) || is_full()) return;
  std::uint32_t length = static_cast<std::uint32_t>(log->releases.size());
  if (length_in(views[view], number) < length) view = extend(view, number, length);
}

} // namespace

void acquire_from(std::uintptr_t address) {
  acquire(address, *machine.block, machine.lane->change_extras().view);
}

void acquire_for(Lane& lane, const Block& block, std::uintptr_t address) {
  acquire(address, block, lane.change_extras().view);
}

void acquire_at_next_fence(std::uintptr_t address) {
  acquire(address, *machine.block, machine.lane->change_extras().unfenced_view);
}

bool learned_of_update(Mark update, std::uintptr_t address) {
  if (!machine.fences_used) return false;
  const auto [found, number] = find_log(address);
  if (found == nullptr) return false;
  const Log& log = *found;
  auto places = log.of_block.find(segment_table[update].block);
  if (places == log.of_block.end()) return false;
  const std::uint32_t learned = length_in(views[machine.lane->extras().view], number);
  return std::any_of(places->second.begin(), places->second.end(), [&](std::uint32_t place) {
    const Release& release = log.releases[place];
    return place < learned && !release.block_only && ((release.by ^ update) & mark_moment) == 0;
  });
}

bool learned_of_update(std::uint64_t when, unsigned thread, std::uintptr_t address) {
  if (!machine.fences_used) return false;
  const auto [log, number] = find_log(address);
  if (log == nullptr) return false;
  const std::uint32_t learned = length_in(views[machine.lane->extras().view], number);
  return std::any_of(log->releases.begin(), log->releases.begin() + learned, [&](const Release& release) {
    return release.block == machine.block->number && release.thread == thread && release.when == when;
  });
}

ThreadId thread_of(Mark mark) {
  const Segment& segment = segment_table[mark];
  const BlockRecord& block = block_records[segment.block];
  return {extent_of(block.index), extent_of(index_at(thread_in_block(mark), block.extent)), segment.warp,
          lane_of(mark)};
}

unsigned thread_in_block(Mark mark) { return segment_table[mark].warp * lanes_per_warp + lane_of(mark); }

bool same_block(Mark mark) { return segment_table[mark].block == machine.block->number; }

bool same_warp(Mark mark) {
  return same_block(mark) && segment_table[mark].warp == machine.lane->thread / lanes_per_warp;
}

} // namespace simt
