#include "simt/runtime/replay/replay.hpp"

#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/fiber.hpp"
#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt_shim/entry_points.h"

#include <algorithm>
#include <deque>
#include <iterator>

using namespace simt;

namespace {

constexpr std::size_t most_diaries = 64;
constexpr std::size_t most_moments = 1024; ///< of the latest; earlier ones are left out but for ...
constexpr std::size_t most_writes = 128;   ///< ... the first writes to global memory
constexpr std::size_t most_frames = 12;
constexpr std::size_t most_stack_bytes = 16384, most_stack_bytes_kept = std::size_t{32} << 20;
constexpr std::size_t passed_on_stack = 128; ///< bytes of arguments above the outermost frame

struct Kept {
  std::uint64_t host_launch = 0;
  std::uint32_t grid = 0; ///< among those of the host's launch
  Diary diary;
};

std::vector<WatchedThread> watched_threads;
std::vector<std::string> modules;
std::deque<Kept> diaries;
std::size_t stack_bytes_kept = 0; ///< of all diaries, at least

bool is_of_running_thread(const Kept& kept) {
  return kept.host_launch == machine.launches && kept.grid == machine.grid->number &&
         kept.diary.block == extent_of(machine.block->index) &&
         kept.diary.thread == extent_of(machine.lane->index);
}

bool is_running_thread(const WatchedThread& watched) {
  return watched.thread == extent_of(machine.lane->index) &&
         watched.block == extent_of(machine.block->index) &&
         (watched.launch == 0 || watched.launch == machine.grid->traced) &&
         (watched.kernel.empty() || watched.kernel == machine.grid->record.name);
}

/// The running thread's diary, or null if it keeps none.
Diary* find_diary() {
  if (std::ranges::none_of(watched_threads, is_running_thread)) return nullptr;
  const auto known = std::find_if(diaries.rbegin(), diaries.rend(), is_of_running_thread);
  if (known != diaries.rend()) return &known->diary;
  if (diaries.size() == most_diaries) diaries.pop_front();
  const Grid& grid = *machine.grid;
  const KernelRecord& record = grid.record;
  diaries.push_back({machine.launches,
                     grid.number,
                     {record.name, grid.traced, record.grid, record.block, extent_of(machine.block->index),
                      extent_of(machine.lane->index)}});
  return &diaries.back().diary;
}

/// Whose diary was asked for last: most threads keep none, and do much between two switches.
struct Asked {
  const Lane* lane = nullptr;
  std::uint64_t host_launch = 0;
  std::uint32_t grid = 0, block = 0;
  bool operator==(const Asked&) const = default;
};
Asked asked;
Diary* answer = nullptr;

Diary* own_diary() {
  if (!machine.lane || watched_threads.empty()) return nullptr;
  const Asked now{machine.lane, machine.launches, machine.grid->number, machine.block->number};
  if (now == asked) return answer;
  answer = find_diary();
  asked = now;
  return answer;
}

std::uint32_t number_of(const std::string& module) {
  const auto known = std::ranges::find(modules, module);
  const auto number = static_cast<std::uint32_t>(known - modules.begin());
  if (known == modules.end()) modules.push_back(module);
  return number;
}

/// Of a function of the module that calls a hook: the address to return to, its frame, and the first byte of the stack that is its own.
struct Replayed {
  std::uintptr_t site = 0, frame = 0, stack = 0;
};
/// In the body of a hook.
#define SIMT_REPLAYED                                                                                        \
  Replayed {                                                                                                 \
    SIMT_SITE, *static_cast<const std::uintptr_t*>(__builtin_frame_address(0)),                              \
        reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + 2 * sizeof(std::uintptr_t)            \
  }

void keep_frames(Moment& moment, const Replayed& by) {
  auto [site, frame, stack] = by;
  std::uintptr_t end = frame;
  while (moment.frames.size() < most_frames && on_stack(frame) && !is_main_program(site)) {
    const CodeAddress where = code_address(site);
    moment.frames.push_back({number_of(where.module), where.offset, frame});
    const auto* links =
        reinterpret_cast<const std::uintptr_t*>(frame); // the caller's frame, and where to return to
    end = frame + 2 * sizeof *links;
    if (links[0] <= frame) break;
    site = links[1];
    frame = links[0];
  }
  if (moment.frames.empty()) return;
  const std::uintptr_t top = stack_of(machine.lane->fiber) + stack_stride;
  const std::size_t bytes = std::min({end + passed_on_stack - stack, top - stack, most_stack_bytes});
  moment.stack_begin = stack;
  moment.stack.assign(reinterpret_cast<const char*>(stack), bytes);
}

bool is_kept_for_good(const Moment& moment) {
  return moment.kind >= Moment::Kind::write && moment.place.space != Space::shared;
}

/// Takes frames away that have grown too many for the process: all but the latest of this diary.
void make_room(Diary& diary) {
  constexpr std::size_t most_latest = 256;
  for (Kept& kept : diaries) {
    std::vector<Moment>& moments = kept.diary.moments;
    const std::size_t latest = &kept.diary == &diary ? std::min(moments.size(), most_latest) : 0;
    for (std::size_t i = 0; i + latest < moments.size(); ++i) moments[i].stack = {};
  }
  stack_bytes_kept = 0;
  for (const Moment& moment : diary.moments) stack_bytes_kept += moment.stack.size();
}

void add(Diary& diary, Moment moment) {
  std::vector<Moment>& moments = diary.moments;
  stack_bytes_kept += moment.stack.size();
  moments.push_back(std::move(moment));
  if (stack_bytes_kept > most_stack_bytes_kept) make_room(diary);
  if (moments.size() < 2 * most_moments) return;
  // Of the older half the first writes are left.
  const auto half = moments.begin() + most_moments;
  std::size_t writes = 0;
  const auto end = std::remove_if(moments.begin(), half, [&](const Moment& old) {
    return !is_kept_for_good(old) || ++writes > most_writes;
  });
  diary.left_out += static_cast<std::size_t>(half - end);
  moments.erase(end, half);
}

void note_block(const Replayed& by) {
  Diary* diary = own_diary();
  if (!diary) return;
  const CodeAddress where = code_address(by.site);
  Moment moment;
  moment.frames.push_back({number_of(where.module), where.offset, by.frame});
  add(*diary, std::move(moment));
}

void note_comparison(std::uint64_t left, std::uint64_t right, unsigned bytes, bool is_constant,
                     const Replayed& by) {
  Diary* diary = own_diary();
  if (!diary) return;
  Moment moment;
  moment.kind = Moment::Kind::comparison;
  moment.bytes = static_cast<std::uint8_t>(bytes);
  moment.is_constant = is_constant;
  moment.left = left;
  moment.right = right;
  keep_frames(moment, by);
  add(*diary, std::move(moment));
}

void note_access(Moment::Kind kind, const void* address, std::size_t bytes, const Replayed& by) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (on_stack(begin)) return;
  Diary* diary = own_diary();
  if (!diary) return;
  Moment moment;
  moment.kind = kind;
  moment.bytes = static_cast<std::uint8_t>(std::min<std::size_t>(bytes, 255));
  moment.address = begin;
  moment.place = find_place(machine.block, begin);
  if (moment.place.variable.empty()) moment.place = nearest_place(machine.block, begin).place;
  keep_frames(moment, by);
  add(*diary, std::move(moment));
}

} // namespace

namespace simt {

void watch(std::vector<WatchedThread> threads) {
  watched_threads = std::move(threads);
  asked = {};
}

Diaries take_diaries() {
  stack_bytes_kept = 0;
  asked = {};
  Diaries taken{std::exchange(modules, {}), {}};
  for (Kept& kept : std::exchange(diaries, {})) taken.of.push_back(std::move(kept.diary));
  return taken;
}

} // namespace simt

extern "C" {

void __sanitizer_cov_trace_pc(void) { note_block(SIMT_REPLAYED); }

#define SIMT_COMPARISON(name, Bits, is_constant)                                                             \
  void name(Bits left, Bits right) {                                                                         \
    note_comparison(left, right, sizeof(Bits), is_constant, SIMT_REPLAYED);                                  \
  }
#define SIMT_COMPARISONS(size, Bits)                                                                         \
  SIMT_COMPARISON(__sanitizer_cov_trace_cmp##size, Bits, false)                                              \
  SIMT_COMPARISON(__sanitizer_cov_trace_const_cmp##size, Bits, true)
SIMT_COMPARISONS(1, std::uint8_t)
SIMT_COMPARISONS(2, std::uint16_t)
SIMT_COMPARISONS(4, std::uint32_t)
SIMT_COMPARISONS(8, std::uint64_t)
void __sanitizer_cov_trace_cmpf(float, float) {}
void __sanitizer_cov_trace_cmpd(double, double) {}
void __sanitizer_cov_trace_switch(std::uint64_t, void*) {}

// Each goes on as the hook that it stands before, with the caller's own call site: the jump to it is the compiler's, as these functions
// have nothing left to do.
#define SIMT_BEFORE(name, kind, size)                                                                        \
  void __tsan_##name(void*);                                                                                 \
  void __wrap___tsan_##name(void* address) {                                                                 \
    note_access(Moment::Kind::kind, address, size, SIMT_REPLAYED);                                           \
    __tsan_##name(address);                                                                                  \
  }
#define SIMT_BEFORE_EACH(size)                                                                               \
  SIMT_BEFORE(read##size, read, size)                                                                        \
  SIMT_BEFORE(write##size, write, size)                                                                      \
  SIMT_BEFORE(volatile_read##size, read, size)                                                               \
  SIMT_BEFORE(volatile_write##size, write, size)
SIMT_BEFORE_EACH(1)
SIMT_BEFORE_EACH(2)
SIMT_BEFORE_EACH(4)
SIMT_BEFORE_EACH(8)
SIMT_BEFORE_EACH(16)
#define SIMT_BEFORE_UNALIGNED(size)                                                                          \
  SIMT_BEFORE(unaligned_read##size, read, size)                                                              \
  SIMT_BEFORE(unaligned_write##size, write, size)
SIMT_BEFORE_UNALIGNED(2)
SIMT_BEFORE_UNALIGNED(4)
SIMT_BEFORE_UNALIGNED(8)
SIMT_BEFORE_UNALIGNED(16)

#define SIMT_BEFORE_RANGE(name, kind)                                                                        \
  void __tsan_##name(void*, unsigned long);                                                                  \
  void __wrap___tsan_##name(void* address, unsigned long bytes) {                                            \
    note_access(Moment::Kind::kind, address, bytes, SIMT_REPLAYED);                                          \
    __tsan_##name(address, bytes);                                                                           \
  }
SIMT_BEFORE_RANGE(read_range, read)
SIMT_BEFORE_RANGE(write_range, write)

#define SIMT_BEFORE_ATOMIC(bits, Bits)                                                                       \
  Bits __wrap___simt_atomic##bits(int operation, void* address, Bits operand, Bits compare) {                \
    note_access(Moment::Kind::atomic, address, sizeof(Bits), SIMT_REPLAYED);                                 \
    return __simt_atomic##bits(operation, address, operand, compare);                                        \
  }
SIMT_BEFORE_ATOMIC(16, std::uint16_t)
SIMT_BEFORE_ATOMIC(32, std::uint32_t)
SIMT_BEFORE_ATOMIC(64, std::uint64_t)
#define SIMT_BEFORE_ORDERED(bits, Bits)                                                                      \
  Bits __wrap___simt_ordered##bits(int operation, void* address, Bits operand, Bits compare, int order) {    \
    note_access(Moment::Kind::atomic, address, sizeof(Bits), SIMT_REPLAYED);                                 \
    return __simt_ordered##bits(operation, address, operand, compare, order);                                \
  }
SIMT_BEFORE_ORDERED(8, std::uint8_t)
SIMT_BEFORE_ORDERED(16, std::uint16_t)
SIMT_BEFORE_ORDERED(32, std::uint32_t)
SIMT_BEFORE_ORDERED(64, std::uint64_t)

// Vectors of an alignment of their own, and what only a swap looks at.
#define SIMT_BEFORE_LOAD(name, Bits, size)                                                                   \
  Bits __wrap___simt_##name(const void* from) {                                                              \
    note_access(Moment::Kind::read, from, size, SIMT_REPLAYED);                                              \
    return __simt_##name(from);                                                                              \
  }
SIMT_BEFORE_LOAD(expected2, std::uint16_t, 2)
SIMT_BEFORE_LOAD(expected4, std::uint32_t, 4)
SIMT_BEFORE_LOAD(expected8, std::uint64_t, 8)
#define SIMT_BEFORE_VECTOR(size)                                                                             \
  SIMT_BEFORE_LOAD(load##size, simt_bits##size, size)                                                        \
  void __wrap___simt_copy##size(void* to, const void* from) {                                                \
    const Replayed by = SIMT_REPLAYED;                                                                       \
    note_access(Moment::Kind::read, from, size, by);                                                         \
    note_access(Moment::Kind::write, to, size, by);                                                          \
    __simt_copy##size(to, from);                                                                             \
  }
SIMT_BEFORE_VECTOR(2)
SIMT_BEFORE_VECTOR(4)
SIMT_BEFORE_VECTOR(8)
SIMT_BEFORE_VECTOR(16)

} // extern "C"
