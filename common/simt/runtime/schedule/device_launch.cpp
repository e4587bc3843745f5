#include "simt/runtime/schedule/device_launch.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/counting.hpp"
#include "simt/runtime/machine/kernels.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/recorder.hpp"
#include "simt/runtime/memory/shared_memory.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/schedule/launch_order.hpp"
#include "simt/runtime/schedule/order.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace simt {

/// A copy of a kernel call's arguments.
class Arguments {
public:
  Arguments(const simt_closure_operations* operations, const void* from) : operations_(operations) {
    // The copy runs in the module and is not an access of the kernel.
    Lane* lane = std::exchange(machine.lane, nullptr);
    data_ = ::operator new (operations->size, std::align_val_t{operations->alignment});
    operations->copy(data_, from);
    machine.lane = lane;
  }
  Arguments(Arguments&& other) noexcept
      : operations_(other.operations_), data_(std::exchange(other.data_, nullptr)) {}
  Arguments& operator=(Arguments&&) = delete;
  ~Arguments() {
    if (!data_) return;
    operations_->destroy(data_);
    ::operator delete (data_, std::align_val_t{operations_->alignment});
  }
  const simt_closure_operations* operations() const { return operations_; }
  void* data() const { return data_; }

private:
  const simt_closure_operations* operations_;
  void* data_;
};

struct Launch {
  simt_launch_site site;
  simt_launch_config config;
  const KernelTraits* traits;
  Arguments arguments;
};

using StreamKey = std::pair<StreamKind, std::uint64_t>;

/// A grid from its launch until it is complete.
struct LaunchNode {
  LaunchNode* parent = nullptr; ///< null: launched by the host
  std::uint32_t number = 0;
  unsigned depth = 0;
  unsigned nested = 0; ///< ancestors that are not complete before this one is: depth without tail launches
  StreamKey stream{};
  TracedThread launcher;                               ///< if calls are traced
  std::optional<Launch> launch;                        ///< until it has run
  std::map<StreamKey, std::list<LaunchNode*>> streams; ///< children that are not complete, the head may run
  std::list<LaunchNode*> tails;                        ///< those that have not started
  std::uint64_t open = 0;                              ///< children that are not complete, but for tails
  std::uint64_t begun = 0;                             ///< children that have started before the blocks end
  bool tail_runs = false;
  bool blocks_done = false;
};

namespace {

/// How many grids may stand still in the middle of a stop while another runs; further children wait for their
/// parent to finish. It bounds the simulator's own stack, not the depth of launches.
constexpr unsigned max_nested_runs = 24;
/// A tree of launches without an end is an endless loop.
constexpr std::uint64_t max_child_grids = 250'000;
/// So is a recursion that goes on and on, every grid waiting for its child to be complete.
constexpr unsigned max_nested_launches = 1500;
/// Deeper launches (chains of tail launches) share their records.
constexpr unsigned max_recorded_depth = 256;
/// Distinct failures that are remembered for threads that do not ask.
constexpr std::size_t max_failures = 1000;

constexpr std::size_t default_pending_limit = 2048;
constexpr std::uint64_t first_stream_handle = 0x5000'0000'0000;

struct Failure {
  simt_launch_site site;
  Refusal refusal;
};

/// Child grids of one name, shape and depth have one record.
using RecordKey = std::tuple<std::string, std::array<unsigned, 3>, std::array<unsigned, 3>,
                             std::array<unsigned, 3>, std::size_t, unsigned>;
struct ChildRecord {
  KernelRecord record;
  SiteTable sites;
};

/// What a grid that stands still gets back when it goes on.
struct Standstill {
  Grid* grid = machine.grid;
  Block* block = machine.block;
  Warp* warp = machine.warp;
  std::uint32_t epoch = machine.epoch;
  Counters totals = machine.totals;
  std::uint64_t steps_left = machine.steps_left;
  std::uint64_t local_steps_left = machine.local_steps_left;
  std::uint64_t steps_refunded = machine.steps_refunded;
  WaitedTime waited = machine.waited;
  bool subword_accesses = machine.subword_accesses;
  bool shared_atomics = machine.shared_atomics;

  void restore() const {
    machine.grid = grid;
    machine.block = block;
    machine.warp = warp;
    machine.epoch = epoch;
    machine.totals = totals;
    machine.steps_left = steps_left;
    machine.local_steps_left = local_steps_left;
    machine.steps_refunded = steps_refunded;
    machine.waited = waited;
    machine.subword_accesses = subword_accesses;
    machine.shared_atomics = shared_atomics;
    machine.valid[static_cast<int>(Space::shared)] = {};
  }
};

/// A child grid from its start until its blocks have finished.
struct StartedChild {
  StartedChild(LaunchNode* own, Launch taken) : node(own), launch(std::move(taken)) {}

  LaunchNode* node;
  Launch launch;
  Grid grid;
  SiteTable sites;
  BlocksOwner blocks;
  Standstill standstill; ///< where it has given way
};

struct State {
  std::unique_ptr<LaunchNode> root;                                   ///< the host's launch
  std::unordered_map<LaunchNode*, std::unique_ptr<LaunchNode>> nodes; ///< launches that are not complete
  std::vector<LaunchNode*> ready;                                     ///< launches that may start
  std::size_t pending = 0;                                            ///< as the limit counts them
  std::uint64_t grids = 0;
  std::vector<const Grid*> running; ///< the last one does, the others stand still until it has
  std::deque<std::unique_ptr<StartedChild>> waiting; ///< they have given way
  std::uint64_t streams = 0;
  std::vector<Failure> failures;
  std::map<std::pair<const char*, int>, std::uint32_t> failure_at;
  std::map<RecordKey, std::size_t> record_index;
  std::deque<ChildRecord> records;
} state;

std::size_t pending_limit = default_pending_limit;
bool limit_is_the_hosts = false;
const OnReset forget_launches([] {
  state = {};
  pending_limit = default_pending_limit;
  limit_is_the_hosts = false;
});

/// The limit for launches by a grid of this depth.
std::size_t pending_limit_at(unsigned depth) {
  const Options& options = machine.options;
  const bool scarce = !limit_is_the_hosts && options.launch_room && depth >= options.launch_room_from;
  return scarce ? std::min(*options.launch_room, pending_limit) : pending_limit;
}

std::optional<StreamKey> stream_of(cudaStream_t stream) {
  const Grid& grid = *machine.grid;
  std::uint64_t block = number_at(machine.block->index, grid.extent);
  if (!stream || stream == cudaStreamLegacy) return StreamKey{StreamKind::block_default, block};
  if (stream == cudaStreamTailLaunch) return StreamKey{StreamKind::tail, 0};
  if (stream == cudaStreamFireAndForget) return StreamKey{StreamKind::fire_and_forget, 0};
  if (stream == cudaStreamPerThread)
    return StreamKey{StreamKind::named, block * max_threads_per_block + machine.lane->thread};
  std::uint64_t handle = reinterpret_cast<std::uintptr_t>(stream);
  if (handle < first_stream_handle || handle - first_stream_handle >= state.streams) return {};
  return StreamKey{StreamKind::named, handle};
}

std::uint64_t Counters::*counter_of(StreamKind kind) {
  switch (kind) {
  case StreamKind::block_default:
    return &Counters::default_stream_launches;
  case StreamKind::named:
    return &Counters::named_stream_launches;
  case StreamKind::fire_and_forget:
    return &Counters::fire_and_forget_launches;
  case StreamKind::tail:
    return &Counters::tail_launches;
  }
  return nullptr;
}

/// Notes a failed launch for the running thread; the first one that it does not ask for is reported.
cudaError_t fail(const simt_launch_site& site, Refusal refusal) {
  LaunchErrors& errors = machine.lane->change_extras().launch_errors;
  errors.last = refusal.error;
  ++errors.unasked;
  ++machine.totals.failed_device_launches;
  auto [place, is_new] =
      state.failure_at.try_emplace({site.file, site.line}, static_cast<std::uint32_t>(state.failures.size()));
  if (is_new && state.failures.size() < max_failures) state.failures.push_back({site, std::move(refusal)});
  errors.refused = place->second + 1;
  if (errors.unchecked == 0) errors.unchecked = errors.refused;
  return errors.last;
}

/// A node that may be complete: if so its parent, and so on.
void settle(LaunchNode* node) {
  while (node->blocks_done && node->open == 0 && !node->tail_runs) {
    if (!node->tails.empty()) {
      state.ready.push_back(node->tails.front());
      node->tails.pop_front();
      node->tail_runs = true;
      return;
    }
    LaunchNode* parent = node->parent;
    if (!parent) return;
    if (node->stream.first == StreamKind::tail) {
      parent->tail_runs = false;
    } else {
      --parent->open;
      if (node->stream.first != StreamKind::fire_and_forget) {
        auto queue = parent->streams.find(node->stream);
        queue->second.pop_front();
        if (queue->second.empty())
          parent->streams.erase(queue);
        else
          state.ready.push_back(queue->second.front());
      }
    }
    state.nodes.erase(node);
    node = parent;
  }
}

ChildRecord& record_of(const Grid& grid) {
  const KernelRecord& r = grid.record;
  auto [place, is_new] = state.record_index.try_emplace(
      RecordKey{r.name, r.grid, r.block, r.cluster, r.shared_bytes, r.depth}, state.records.size());
  if (is_new) {
    state.records.emplace_back();
    state.records.back().record = r;
    state.records.back().record.counters = {};
  }
  return state.records[place->second];
}

/// Lets a child go on, or start. Its children may start in between or come later.
Progress let_run(std::unique_ptr<StartedChild> child, bool may_give_way) {
  state.running.push_back(&child->grid);
  const Standstill standstill;
  SiteTable* others = use_sites(&child->sites);
  if (child->blocks)
    child->standstill.restore();
  else
    child->blocks = start_blocks(child->grid);
  const Progress progress = run_blocks(*child->blocks, may_give_way);
  if (progress == Progress::finished) {
    child->blocks.reset();
    child->grid.record.counters = machine.totals;
    ChildRecord& record = record_of(child->grid);
    record.record.counters += child->grid.record.counters;
    record.sites.add(child->sites);
  } else {
    child->standstill = {};
  }
  use_sites(others);
  standstill.restore();
  state.running.pop_back();
  if (progress != Progress::finished)
    state.waiting.push_back(std::move(child));
  else if (!machine.fatal)
    settle(child->node);
  return progress;
}

/// Runs the blocks of a launch that may start, as far as they come.
void run_node(LaunchNode* node) {
  LaunchNode* parent = node->parent;
  --state.pending;
  if (!parent->blocks_done) ++parent->begun;
  auto child = std::make_unique<StartedChild>(node, std::move(*node->launch));
  node->launch.reset();
  const Launch& launch = child->launch;
  Grid& grid = child->grid;
  set_up_grid(grid, launch.site, launch.config, launch.traits, launch.arguments.operations(),
              launch.arguments.data());
  grid.number = node->number;
  grid.node = node;
  grid.launcher = node->launcher;
  grid.record.depth = std::min(node->depth, max_recorded_depth);
  note_start(node->number, segment_table.end());
  let_run(std::move(child), true);
}

/// Gives each child that has given way one more turn, or only those with an answer. True if one has advanced.
bool resume_children(bool only_answered) {
  bool has_advanced = false;
  for (std::size_t turns = state.waiting.size(); turns > 0 && !state.waiting.empty() && !machine.fatal;
       --turns) {
    std::unique_ptr<StartedChild> child = std::move(state.waiting.front());
    state.waiting.pop_front();
    if (only_answered && !is_answered(*child->blocks))
      state.waiting.push_back(std::move(child));
    else
      has_advanced |= let_run(std::move(child), true) != Progress::none;
  }
  return has_advanced;
}

LaunchNode* take_ready(std::size_t index) {
  std::swap(state.ready[index], state.ready.back());
  LaunchNode* node = state.ready.back();
  state.ready.pop_back();
  return node;
}

/// The launch that starts next when nothing runs. Reverse schedules start none before its parent's blocks have finished.
std::optional<std::size_t> next_ready() {
  if (state.ready.empty()) return {};
  if (machine.options.schedule == Schedule::random) return random_below(state.ready.size());
  if (machine.options.schedule == Schedule::forward) return state.ready.size() - 1;
  for (std::size_t i = state.ready.size(); i-- > 0;)
    if (state.ready[i]->parent->blocks_done) return i;
  return {};
}

/// Whether there is room for another grid beside those that stand still.
bool has_room() {
  std::uint64_t threads = 0; // of grids that stand still
  const auto add = [&threads](const Grid& grid) {
    threads += grid.windows.size() * volume(grid.block_extent);
  };
  for (std::size_t i = 0; i + 1 < state.running.size(); ++i) add(*state.running[i]);
  for (const auto& child : state.waiting) add(child->grid);
  return state.running.size() <= max_nested_runs &&
         windows_in_use() + max_resident_blocks <= max_cooperative_blocks &&
         threads + 2 * max_resident_threads <= max_cooperative_threads;
}

} // namespace

bool resume_all_children() { return resume_children(false); }

void begin_device_launches(Grid& grid) {
  state.root = std::make_unique<LaunchNode>();
  state.pending = state.grids = 0;
  state.running.assign(1, &grid);
  state.failures.clear();
  state.failure_at.clear();
  begin_launch_order(grid.record.name);
  grid.node = state.root.get();
}

void end_device_launches(std::vector<KernelRecord>& records) {
  for (ChildRecord& child : state.records) {
    for (auto& [site, counters] : child.sites.take())
      child.record.sites.push_back({code_address(site), counters});
    records.push_back(std::move(child.record));
  }
  state.records.clear();
  state.record_index.clear();
  // After a fatal diagnostic some launches are left over.
  state.ready.clear();
  state.nodes.clear();
}

cudaError_t launch_from_device(const simt_launch_site& site, const simt_launch_config& config,
                               const KernelTraits* known, Refusal refusal,
                               const simt_closure_operations* operations, void* closure) {
  if (refusal.error != cudaSuccess) {
    // The device's own runtime has one answer to all of them.
    refusal.error = cudaErrorInvalidConfiguration;
    return fail(site, std::move(refusal));
  }
  std::optional<StreamKey> stream = stream_of(static_cast<cudaStream_t>(config.stream));
  if (!stream) return fail(site, {cudaErrorInvalidValue, "device-stream"});
  if (std::size_t pending = state.pending + machine.grid->node->begun,
      limit = pending_limit_at(machine.grid->node->depth);
      pending >= limit)
    return fail(site, {cudaErrorLaunchPendingCountExceeded, "pending-launches", pending + 1, limit});
  LaunchNode* parent = machine.grid->node;
  if (++state.grids > max_child_grids || parent->nested >= max_nested_launches) {
    report({"step-budget", "launches"}, site.file, site.line, fact::Subject{site.kernel},
           fact::Amount{state.grids - 1});
    abandon_grid(cudaErrorLaunchTimeout);
  }
  auto owner = std::make_unique<LaunchNode>();
  LaunchNode* node = owner.get();
  state.nodes.emplace(node, std::move(owner));
  node->parent = parent;
  node->depth = parent->depth + 1;
  node->nested = parent->nested + (stream->first == StreamKind::tail ? 0 : 1);
  node->stream = *stream;
  node->number = note_launch(stream->first, stream->second, site.kernel, release_to_child());
  if (machine.options.trace) node->launcher = record_launcher();
  node->launch.emplace(Launch{site, config, known, Arguments(operations, closure)});
  ++state.pending;
  ++machine.lane->change_extras().launch_errors.unasked;
  ++(machine.totals.*counter_of(stream->first));
  if (stream->first == StreamKind::tail) {
    parent->tails.push_back(node);
    return cudaSuccess;
  }
  ++parent->open;
  if (stream->first == StreamKind::fire_and_forget) {
    state.ready.push_back(node);
    return cudaSuccess;
  }
  std::list<LaunchNode*>& queue = parent->streams[*stream];
  queue.push_back(node);
  if (queue.size() == 1) state.ready.push_back(node);
  return cudaSuccess;
}

void run_children_at_stop() {
  if ((state.ready.empty() && state.waiting.empty()) || machine.options.schedule == Schedule::reverse) return;
  if (machine.options.schedule == Schedule::random) {
    if (!state.waiting.empty() && state.running.size() <= max_nested_runs && random_below(2) == 0)
      resume_children(true);
    while (!machine.fatal && !state.ready.empty() && has_room() && random_below(2) == 0)
      run_node(take_ready(random_below(state.ready.size())));
    return;
  }
  if (state.running.size() <= max_nested_runs) resume_children(true);
  // Those of grids that stand still further down wait for these.
  auto is_own = [node = machine.grid->node](const LaunchNode* other) {
    for (; other; other = other->parent)
      if (other == node) return true;
    return false;
  };
  while (!machine.fatal && !state.ready.empty() && has_room() && is_own(state.ready.back()))
    run_node(take_ready(state.ready.size() - 1));
}

bool has_open_launches(const Grid& grid) {
  return grid.node && (grid.node->open != 0 || !grid.node->tails.empty());
}

void finish_blocks(Grid& grid) { grid.node->blocks_done = true; }

void run_remaining_launches() {
  state.running.clear();
  settle(state.root.get());
  while (!machine.fatal && !(state.ready.empty() && state.waiting.empty())) {
    if (const std::optional<std::size_t> next = next_ready(); next && has_room()) {
      run_node(take_ready(*next));
    } else if (!resume_children(false) && !machine.fatal) {
      // What it waits for may yet come from the others, which it gives turns; if not, that is what there is to report.
      std::unique_ptr<StartedChild> child = std::move(state.waiting.front());
      state.waiting.pop_front();
      let_run(std::move(child), false);
    }
  }
  state.waiting.clear(); // after an error
}

cudaError_t create_device_stream(cudaStream_t* stream, unsigned flags) {
  LaunchErrors& errors = machine.lane->change_extras().launch_errors;
  if (!stream || flags > cudaStreamNonBlocking) return errors.last = cudaErrorInvalidValue;
  *stream = reinterpret_cast<cudaStream_t>(first_stream_handle + state.streams++);
  return cudaSuccess;
}

cudaError_t destroy_device_stream(cudaStream_t stream) {
  std::optional<StreamKey> key = stream_of(stream);
  bool named = key && key->first == StreamKind::named && stream != cudaStreamPerThread;
  // Work that is still in the stream goes on, and nothing here knows whether there will be more.
  return named ? cudaSuccess : machine.lane->change_extras().launch_errors.last = cudaErrorInvalidValue;
}

cudaError_t device_last_error(bool clear) {
  LaunchErrors& errors = machine.lane->change_extras().launch_errors;
  errors.unchecked = errors.unasked = 0;
  return clear ? std::exchange(errors.last, cudaSuccess) : errors.last;
}

cudaError_t device_error(cudaError_t error) {
  return machine.lane->change_extras().launch_errors.last = error;
}

void check_unchecked_launches() {
  const LaunchErrors& errors = machine.lane->extras().launch_errors;
  machine.totals.unchecked_launches += errors.unasked;
  if (errors.unchecked == 0 || errors.unchecked > state.failures.size()) return;
  const Failure& failure = state.failures[errors.unchecked - 1];
  report({"unchecked-launch", "in-kernel"}, failure.site.file, failure.site.line,
         fact::Subject{failure.site.kernel}, failure.refusal.fact());
}

Refused Refusal::fact() const {
  Refused refused = broken;
  refused.error = cudaGetErrorName(error);
  return refused;
}

std::optional<Refused> latest_refusal() {
  const std::uint32_t refused = machine.lane->extras().launch_errors.refused;
  if (refused == 0 || refused > state.failures.size()) return {};
  return state.failures[refused - 1].refusal.fact();
}

void set_pending_launch_limit(std::size_t limit) {
  pending_limit = limit;
  limit_is_the_hosts = true;
}
std::size_t pending_launch_limit() {
  return pending_limit_at(std::numeric_limits<unsigned>::max()); // where there is least room
}

} // namespace simt
