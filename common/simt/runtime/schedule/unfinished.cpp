#include "simt/runtime/schedule/unfinished.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/memory/transfers.hpp"
#include "simt/runtime/races/global_race.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <mutex>
#include <optional>
#include <ranges>
#include <utility>

namespace simt {

namespace {

/// Of all that is here. Threads of the host look at it while another one is in the runtime, and before that is entered.
std::recursive_mutex unfinished_guard;

/// Pieces of work that are remembered, and of each the ranges that it reads or writes.
constexpr std::size_t most_works = 4096, most_uses = 1 << 16;
/// With more of them neighbours become one, be they used by different lines.
constexpr std::size_t most_exact_uses = 4096;

struct UsedRange {
  std::uintptr_t begin = 0, end = 0;
  std::uintptr_t site = 0; ///< of a kernel's access; 0: there are several, or none
  bool strong = false;     ///< volatile or atomic
  Mark mark = 0;           ///< of the first of these bytes, as long as it says something
  ThreadId thread = {};    ///< that has accessed that one, if there is a site
};

/// In the order of their addresses, and apart.
class Uses {
public:
  void add(UsedRange use) {
    if (!uses_.empty() && uses_.back().end == use.begin && uses_.back().strong == use.strong &&
        (is_coarse_ || uses_.back().site == use.site)) {
      if (uses_.back().site != use.site) uses_.back().site = 0;
      uses_.back().end = use.end;
    } else if (uses_.size() < (is_coarse_ ? most_uses : most_exact_uses)) {
      uses_.push_back(use);
    } else if (!is_coarse_) {
      is_coarse_ = true;
      for (const UsedRange& each : std::exchange(uses_, {})) add(each);
      add(use);
    }
  }

  /// The same of ranges in any order.
  void add_unsorted(UsedRange use) {
    uses_.push_back(use);
    is_sorted_ = false;
  }
  void sort() {
    if (std::exchange(is_sorted_, true)) return;
    std::ranges::sort(uses_, {}, &UsedRange::begin);
    for (UsedRange each : std::exchange(uses_, {})) {
      if (!uses_.empty()) each.begin = std::max(each.begin, uses_.back().end); // rows may overlap
      if (each.begin < each.end) add(each);
    }
  }

  /// The first one that ends behind the address.
  auto behind(std::uintptr_t address) const {
    return std::ranges::upper_bound(uses_, address, {}, &UsedRange::end);
  }
  auto begin() const { return uses_.begin(); }
  auto begin() { return uses_.begin(); }
  auto end() { return uses_.end(); }
  auto end() const { return uses_.end(); }
  bool empty() const { return uses_.empty(); }

  void forget(std::uintptr_t begin, std::uintptr_t end) {
    std::erase_if(uses_, [&](const UsedRange& use) { return begin <= use.begin && use.end <= end; });
  }
  bool has_bytes_of(const Uses& other) const {
    return std::ranges::equal(uses_, other.uses_, [](const UsedRange& a, const UsedRange& b) {
      return a.begin == b.begin && a.end == b.end && a.strong == b.strong;
    });
  }

private:
  std::vector<UsedRange> uses_;
  bool is_coarse_ = false, is_sorted_ = true;
};

struct Unfinished {
  StreamPoint point;
  Issuer issuer;
  Uses writes = {}, reads = {};
};

struct Stream {
  bool blocking = true, open = true;
  std::uint64_t issued = 0;
  WorkBefore before = {}; ///< its next work
};

std::vector<Stream> all_streams(2);
unsigned current_stream = legacy_stream;
bool has_several_streams = false;
bool has_shared_memory = false; ///< that host code may use, too, beside variables
WorkBefore known_to_host;

std::vector<Unfinished> works;
/// The latest launch, as long as the race check has its marks and they have not been looked at.
std::optional<Unfinished> unread_kernel;
std::optional<Unfinished> under_way;

struct Printed {
  StreamPoint point;
  Issuer issuer;
};
std::vector<Printed> lost_output; ///< by kernels that the host has not waited for, the latest of each stream

/// Whether there is anything that check_host_use() has to look at, and a number that changes when that does.
std::atomic<bool> may_conflict = false;
std::atomic<std::uint64_t> works_version = 1;

std::uint64_t at(const WorkBefore& before, unsigned stream) {
  return stream < before.size() ? before[stream] : 0;
}
void raise(WorkBefore& before, unsigned stream, std::uint64_t number) {
  if (number == 0) return;
  if (before.size() <= stream) before.resize(stream + 1);
  before[stream] = std::max(before[stream], number);
}
void raise(WorkBefore& before, const WorkBefore& others) {
  for (unsigned stream = 0; stream < others.size(); ++stream) raise(before, stream, others[stream]);
}
void raise(WorkBefore& before, const StreamPoint& point) {
  raise(before, point.before);
  raise(before, point.stream, point.number);
}

bool comes_after(const StreamPoint& point, const WorkBefore& before) {
  return at(before, point.stream) >= point.number;
}

void note_change() {
  ++works_version;
  may_conflict = unread_kernel.has_value() || !works.empty();
}

void raise_known(const StreamPoint& point) {
  raise(known_to_host, point);
  const auto is_known = [](const Unfinished& work) { return comes_after(work.point, known_to_host); };
  std::erase_if(works, is_known);
  if (unread_kernel && is_known(*unread_kernel)) unread_kernel.reset();
  note_change();
}

/// What the stream's next work waits for: what the host has waited for before it issues that, and the legacy stream and blocking ones
/// wait for each other.
WorkBefore before_next(unsigned number) {
  WorkBefore before = all_streams[number].before;
  raise(before, known_to_host);
  const auto wait_for_stream = [&](unsigned other) {
    if (all_streams[other].issued <= at(before, other)) return;
    raise(before, all_streams[other].before);
    raise(before, other, all_streams[other].issued);
  };
  if (number != legacy_stream) {
    if (all_streams[number].blocking) wait_for_stream(legacy_stream);
    return before;
  }
  for (unsigned other = 1; other < all_streams.size(); ++other)
    if (all_streams[other].blocking) wait_for_stream(other);
  return before;
}

StreamPoint issue(unsigned number) {
  Stream& stream = all_streams[number];
  has_several_streams |= number != legacy_stream;
  stream.before = before_next(number);
  return {number, ++stream.issued, stream.before};
}

/// Whether work that has not ended may meet other work, or host code. If not, it need not be kept: programs make many small copies.
bool may_meet_others() {
  return has_several_streams || has_shared_memory || has_mapped_blocks() ||
         std::ranges::any_of(all_sections(), [](const auto& section) { return section.kind == managed_section; });
}

/// What the kernel has used, from the marks of the race check.
void read_marks(Unfinished& work) {
  for (const auto& [begin, bytes] : memory_of_kernels(!has_several_streams))
    for_each_latest_access(begin, bytes,
                           [&](std::uintptr_t address, unsigned size, Access access, Mark mark) {
                             Uses& uses = access == Access::read ? work.reads : work.writes;
                             uses.add({address, address + size, site_of_number(site_number_of(mark)),
                                       (mark & mark_strong) != 0, mark});
                           });
  for (Uses* uses : {&work.reads, &work.writes})
    for (UsedRange& use : *uses) use.thread = thread_of(use.mark);
}

/// Keeps what a piece of work has used. A launch that repeats the one before it in its stream, byte by byte, takes that one's place.
void keep(Unfinished work) {
  if (work.writes.empty() && work.reads.empty()) return;
  const auto same = std::find_if(works.rbegin(), works.rend(), [&](const Unfinished& other) {
    return other.point.stream == work.point.stream;
  });
  if (same != works.rend() && same->writes.has_bytes_of(work.writes) && same->reads.has_bytes_of(work.reads))
    works.erase(std::next(same).base());
  else if (works.size() >= most_works)
    works.erase(works.begin());
  works.push_back(std::move(work));
}

/// Before the marks go, or where someone needs to know.
void read_kernel() {
  if (!unread_kernel) return;
  read_marks(*unread_kernel);
  keep(*std::exchange(unread_kernel, std::nullopt));
  note_change();
}

/// Bytes that two pieces of work use, of which one writes; both of them may be atomic or volatile, and then do not count.
struct Shared {
  UsedRange earlier, later;
  bool earlier_writes = false, later_writes = false;
};
std::optional<Shared> first_shared(const Uses& earlier, const Uses& later) {
  for (const UsedRange& use : later) {
    for (auto other = earlier.behind(use.begin); other != earlier.end() && other->begin < use.end; ++other)
      if (!(other->strong && use.strong)) return Shared{*other, use};
  }
  return std::nullopt;
}
std::optional<Shared> conflict(const Unfinished& earlier, const Unfinished& later) {
  for (const auto& [earlier_writes, later_writes] : {std::pair(true, true), {true, false}, {false, true}})
    if (auto shared = first_shared(earlier_writes ? earlier.writes : earlier.reads,
                                   later_writes ? later.writes : later.reads)) {
      shared->earlier_writes = earlier_writes;
      shared->later_writes = later_writes;
      return shared;
    }
  return std::nullopt;
}

std::uintptr_t issued_at(const Issuer& issuer) {
  return issuer.site != 0 ? issuer.site : simt::site_of(issuer.file, issuer.line);
}

/// Who has issued the work, and what that does to the bytes.
Participant party_of(const Issuer& issuer, bool writes, unsigned bytes) {
  Participant party;
  party.kernel = issuer.kernel;
  party.file = issuer.file;
  party.line = static_cast<unsigned>(issuer.line);
  if (issuer.site != 0) party.where = code_address(issuer.site);
  party.access = writes ? Access::write : Access::read;
  party.bytes = bytes;
  return party;
}

/// A thread of a kernel, if it is known.
void add_thread(Finding& finding, const UsedRange& use, bool writes) {
  if (use.site == 0) return;
  Participant party;
  party.thread = use.thread;
  party.access = !writes ? Access::read : (use.mark & mark_atomic) != 0 ? Access::atomic : Access::write;
  party.bytes = bytes_at_site(use.site);
  party.where = code_address(use.site);
  if (party.bytes != 0) finding.participants.push_back(std::move(party));
}

FindingKind<> kind_of_conflict(const Issuer& earlier, const Issuer& later) {
  if (later.effect == Effect::frees) return {"unfinished-work", "of-free"};
  if (earlier.effect == Effect::allocates) return {"unfinished-work", "of-allocation"};
  return {"unfinished-work", "of-stream"};
}

/// Whether the later work is in another stream, which does not wait for the earlier one.
bool is_beside(const Unfinished& earlier, const Unfinished& later) {
  return earlier.point.stream != later.point.stream && !comes_after(earlier.point, later.point.before);
}

/// A finding if they use the same memory; then they count as ordered from now on.
bool report_conflict(const Unfinished& earlier, const Unfinished& later) {
  WorkBefore& before = all_streams[later.point.stream].before;
  if (!is_beside(earlier, later) || comes_after(earlier.point, before)) return false;
  const auto shared = conflict(earlier, later);
  if (!shared) return false;
  raise(before, earlier.point);
  const std::uintptr_t begin = std::max(shared->earlier.begin, shared->later.begin);
  const std::uintptr_t end = std::min(shared->earlier.end, shared->later.end);
  const auto bytes = static_cast<unsigned>(end - begin);
  Finding finding = diagnostic_at(find_place(nullptr, begin), kind_of_conflict(earlier.issuer, later.issuer));
  finding.participants = {party_of(later.issuer, shared->later_writes, bytes),
                          party_of(earlier.issuer, shared->earlier_writes, bytes)};
  record(std::move(finding), issued_at(later.issuer), issued_at(earlier.issuer));
  return true;
}

/// Whether work that has not ended, and that nothing orders, uses what this piece of work uses.
void check_work(const Unfinished& work) {
  if (unread_kernel && is_beside(*unread_kernel, work)) read_kernel();
  for (const Unfinished& other : works) report_conflict(other, work);
}

/// Work that allocates or frees memory, and so changes all of it.
Unfinished work_on(std::uintptr_t begin, std::size_t bytes, Issuer issuer) {
  Unfinished work = {issue(current_stream), std::move(issuer)};
  work.writes.add({begin, begin + bytes});
  return work;
}

const OnReset forget_streams([] {
  const std::lock_guard lock(unfinished_guard);
  wait_for_device();
  for (Stream& stream : all_streams) stream.open = false;
  all_streams[legacy_stream].open = all_streams[per_thread_stream].open = true;
  has_several_streams = has_shared_memory = false;
});

} // namespace

unsigned open_stream(bool blocking) {
  const std::lock_guard lock(unfinished_guard);
  // A number is used again when its work is known to have ended.
  unsigned number = 0;
  while (number < all_streams.size() &&
         (all_streams[number].open || all_streams[number].issued > at(known_to_host, number)))
    ++number;
  if (number == all_streams.size()) all_streams.emplace_back();
  all_streams[number].blocking = blocking;
  all_streams[number].open = true;
  has_several_streams |= !blocking;
  return number;
}

void close_stream(unsigned stream) {
  const std::lock_guard lock(unfinished_guard);
  all_streams[stream].open = false;
}

IntoStream::IntoStream(unsigned stream) : former_(std::exchange(current_stream, stream)) {}
IntoStream::~IntoStream() { current_stream = former_; }

StreamPoint record_point() {
  const std::lock_guard lock(unfinished_guard);
  return issue(current_stream);
}

void follow(const StreamPoint& point) {
  const std::lock_guard lock(unfinished_guard);
  raise(all_streams[current_stream].before, point);
}

StreamPoint end_of(unsigned stream) {
  const std::lock_guard lock(unfinished_guard);
  return {stream, all_streams[stream].issued,
          stream == legacy_stream ? before_next(stream) : all_streams[stream].before};
}

bool is_done(const StreamPoint& point) {
  const std::lock_guard lock(unfinished_guard);
  if (!comes_after(point, known_to_host)) return false;
  // The end of a stream without work is that of what it waits for.
  for (unsigned stream = 0; stream < point.before.size(); ++stream)
    if (point.before[stream] > at(known_to_host, stream)) return false;
  return true;
}

void learn_of(const StreamPoint& point) {
  const std::lock_guard lock(unfinished_guard);
  raise_known(point);
}

void wait_for(const StreamPoint& point) {
  const std::lock_guard lock(unfinished_guard);
  raise_known(point);
  std::erase_if(lost_output, [](const Printed& each) { return comes_after(each.point, known_to_host); });
}

void wait_for_device() {
  const std::lock_guard lock(unfinished_guard);
  StreamPoint all;
  for (unsigned stream = 0; stream < all_streams.size(); ++stream)
    raise(all.before, stream, all_streams[stream].issued);
  wait_for(all);
}

void show_output_before(const StreamPoint& point) {
  const std::lock_guard lock(unfinished_guard);
  std::erase_if(lost_output, [&](const Printed& each) { return comes_after(each.point, point.before); });
}

void begin_kernel_work(Issuer issuer) {
  const std::lock_guard lock(unfinished_guard);
  read_kernel();
  under_way = {issue(current_stream), std::move(issuer)};
}

void end_kernel_work(bool has_run, bool has_printed) {
  const std::lock_guard lock(unfinished_guard);
  Unfinished work = *std::exchange(under_way, std::nullopt);
  if (has_printed) {
    std::erase_if(lost_output, [&](const Printed& each) { return each.point.stream == work.point.stream; });
    lost_output.push_back({work.point, work.issuer});
  }
  if (!has_run) return;
  const bool has_others =
      std::ranges::any_of(works, [&](const Unfinished& other) { return is_beside(other, work); });
  if (has_others) {
    read_marks(work);
    check_work(work);
    keep(std::move(work));
  } else {
    unread_kernel = std::move(work);
  }
  note_change();
}

CopyingWork::CopyingWork(std::uintptr_t site) {
  const std::lock_guard lock(unfinished_guard);
  if (machine.lane) return;
  if (is_main_program(site))
    wait_for_device(); // who calls the functions of a submission is beside all of its streams
  under_way = {issue(current_stream), {.site = site}};
}

CopyingWork::~CopyingWork() {
  if (machine.lane) return; // what device code does is part of its kernel
  const std::lock_guard lock(unfinished_guard);
  Unfinished work = *std::exchange(under_way, std::nullopt);
  if (is_main_program(work.issuer.site)) {
    wait_for(work.point);
    return;
  }
  work.reads.sort();
  work.writes.sort();
  check_work(work);
  if (!may_meet_others()) return;
  keep(std::move(work));
  note_change();
}

void note_copied(const void* begin, std::size_t bytes, Access access) {
  const std::lock_guard lock(unfinished_guard);
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (machine.lane || !under_way || !(in_arena(address) || find_section(address) || is_pinned(address)))
    return;
  (access == Access::read ? under_way->reads : under_way->writes).add_unsorted({address, address + bytes});
}

void expect_host_accesses() {
  const std::lock_guard lock(unfinished_guard);
  has_shared_memory = true;
}

void begin_memory(std::uintptr_t begin, std::size_t bytes, std::uintptr_t site) {
  const std::lock_guard lock(unfinished_guard);
  keep(work_on(begin, bytes, {.site = site, .effect = Effect::allocates}));
  note_change();
}

void end_memory(std::uintptr_t begin, std::size_t bytes, std::uintptr_t site) {
  const std::lock_guard lock(unfinished_guard);
  read_kernel();
  const Unfinished end = work_on(begin, bytes, {.site = site, .effect = Effect::frees});
  for (const Unfinished& work : works | std::views::reverse) // the last use is the one to wait for
    if (work.issuer.effect != Effect::allocates && report_conflict(work, end)) break;
  for (Unfinished& work : works) {
    work.reads.forget(begin, begin + bytes);
    work.writes.forget(begin, begin + bytes);
  }
  note_change();
}

namespace {

/// Around an address there are no bytes that matter. Of a read and of a write.
struct Gap {
  std::uint64_t works_version = 0;
  std::uintptr_t begin = 0, end = 0;
};
thread_local Gap gaps[2];

/// The first use that has bytes of [begin, end); narrows the gap where there is none.
const UsedRange* use_of(const Uses& uses, std::uintptr_t begin, std::uintptr_t end, Gap& gap) {
  const auto use = uses.behind(begin);
  if (use != uses.end() && use->begin < end) return &*use;
  if (use != uses.end()) gap.end = std::min(gap.end, use->begin);
  if (use != uses.begin()) gap.begin = std::max(gap.begin, std::prev(use)->end);
  return nullptr;
}

void report_host_use(std::uintptr_t address, std::size_t bytes, Access access, std::uintptr_t site,
                     const Issuer& issuer, const UsedRange& use, bool writes) {
  const HostCall turn;
  Finding finding =
      diagnostic_at(find_place(nullptr, std::max(address, use.begin)), {"unfinished-work", "of-host"});
  finding.participants = {accessing_thread(access, static_cast<unsigned>(bytes), site),
                          party_of(issuer, writes, static_cast<unsigned>(use.end - use.begin))};
  add_thread(finding, use, writes);
  record(std::move(finding), site, issued_at(issuer));
}

} // namespace

void check_host_use(std::uintptr_t address, std::size_t bytes, Access access, bool strong,
                    std::uintptr_t site) {
  if (!may_conflict.load(std::memory_order_relaxed)) return;
  Gap& gap = gaps[access != Access::read];
  const std::uintptr_t end = address + bytes;
  if (gap.works_version == works_version && gap.begin <= address && end <= gap.end) return;
  struct Found {
    Issuer issuer;
    UsedRange use;
    bool writes;
  };
  std::optional<Found> found;
  {
    const std::lock_guard lock(unfinished_guard);
    read_kernel();
    gap = {works_version, 0, std::numeric_limits<std::uintptr_t>::max()};
    std::optional<StreamPoint> known;
    for (const Unfinished& work : works) {
      const UsedRange* const written = use_of(work.writes, address, end, gap);
      const UsedRange* const use =
          written || access == Access::read ? written : use_of(work.reads, address, end, gap);
      if (!use) continue;
      known = work.point;
      if (!strong) found = {work.issuer, *use, written != nullptr};
      break;
    }
    // The host has learned of it, or gets one finding for all that it has not waited for there.
    if (known && (found || access != Access::write)) raise_known(*known);
  }
  if (found) report_host_use(address, bytes, access, site, found->issuer, found->use, found->writes);
}

void report_lost_output() {
  const HostCall turn;
  const std::lock_guard lock(unfinished_guard);
  if (lost_output.empty()) return;
  Finding finding = diagnostic_of({"unfinished-work", "output"});
  finding.participants = {party_of(lost_output.back().issuer, false, 0)};
  record(std::move(finding), issued_at(lost_output.back().issuer));
}

} // namespace simt
