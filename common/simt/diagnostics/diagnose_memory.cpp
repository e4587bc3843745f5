// Recording, and diagnostics about memory.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/diagnostics/diagnose_texture.hpp"

#include "simt/runtime/cluster/cluster.hpp"
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/fiber.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/simt.hpp"
#include "simt/runtime/memory/bounds_watch.hpp"
#include "simt/runtime/memory/device_heap.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/memory/shared_memory.hpp"
#include "simt/runtime/races/global_race.hpp"
#include "simt/runtime/races/race.hpp"
#include "simt/runtime/schedule/order.hpp"
#include "simt/runtime/texture/texel_access.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace simt {

namespace {

// More different findings than this are of no use to anyone.
constexpr std::size_t max_diagnostics = 100;

/// The last call that was to write to device memory, and failed.
struct FailedWrite {
  fact::Subject function;
  fact::Error error;
  Participant caller;
};
std::optional<FailedWrite> failed_write;

struct UselessPointer {
  FindingKind<fact::Subject> kind;
  fact::Subject function;
  Participant caller;
};
std::optional<UselessPointer> useless_pointer;

/// Objects of host code whose addresses kernels have got lately, though no pointer was passed to them.
struct Handed {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::string
      parameter; ///< of the kernel, which is a reference to it; else a lambda has captured it as `this`
};
std::deque<Handed> handed;

void note_handed(const void* object, std::size_t bytes, const char* parameter) {
  const auto begin = reinterpret_cast<std::uintptr_t>(object);
  constexpr std::size_t most = 64;
  const auto is_known = [&](const Handed& each) { return each.begin == begin && each.bytes == bytes; };
  if (std::ranges::any_of(handed, is_known)) return;
  if (handed.size() == most) handed.pop_front();
  handed.push_back({begin, bytes, parameter});
}

/// The call that has written the beginnings of the rows of the allocation at this address, and not as far as there; null if none has.
const FirstRows* short_rows_before(std::uintptr_t address) {
  const Allocation* allocation = find_allocation(address);
  if (!allocation || !allocation->first_rows.function) return nullptr;
  const FirstRows& rows = allocation->first_rows;
  const std::size_t offset = address - allocation->base;
  return offset / rows.pitch < rows.count && offset % rows.pitch >= rows.bytes ? &rows : nullptr;
}

/// The call that has written the beginning of the allocation at this address, and nothing up to there; null if none has.
const FirstWrite* short_write_before(std::uintptr_t address) {
  const Allocation* allocation = find_allocation(address);
  return allocation && allocation->first_write.function &&
                 address - allocation->base >= allocation->first_write.bytes
             ? &allocation->first_write
             : nullptr;
}

using Key = std::tuple<std::string, std::uintptr_t, std::uintptr_t>;
/// Ids that are looked up need no string of their own; most keys differ in a site.
struct KeyOrder {
  using is_transparent = void;
  template <class One, class Other>
  bool operator()(const One& one, const Other& other) const {
    if (std::get<1>(one) != std::get<1>(other)) return std::get<1>(one) < std::get<1>(other);
    if (std::get<2>(one) != std::get<2>(other)) return std::get<2>(one) < std::get<2>(other);
    return std::string_view(std::get<0>(one)) < std::string_view(std::get<0>(other));
  }
};

std::vector<Finding> diagnostics;
std::uint64_t calls_of_record = 0;
std::map<Key, std::size_t, KeyOrder> index_of;
TimesUnwritten times_unwritten;

/// What is recorded with this id and these sites; null if nothing is.
Finding* recorded(std::string_view id, std::uintptr_t site, std::uintptr_t other_site) {
  const auto known = index_of.find(std::tuple(id, std::min(site, other_site), std::max(site, other_site)));
  return known == index_of.end() ? nullptr : &diagnostics[known->second];
}

/// What two threads that race are to each other, as far as it makes them good witnesses.
enum class Witnesses {
  any,
  of_two_warps,  ///< of one block; what helps two lanes of a warp need not help them
  of_two_blocks, ///< no barrier of a block helps them
  of_one_index   ///< the same thread of two blocks, and not the first one, which also speaks for its block
};

/// Whether first threads are the witnesses of a race whose advice is not about their index yet: it is where both add to
/// one element without an atomic.
bool are_first_threads(const Finding& diagnostic) {
  if (is_alike(diagnostic) && !has_atomic(diagnostic)) return false;
  return std::ranges::all_of(diagnostic.participants, [](const Participant& participant) {
    return participant.thread && participant.thread->thread == std::array<unsigned, 3>{};
  });
}

Spread* spread_of(Finding& race) {
  for (fact::Any& any : race.facts)
    if (Spread* spread = std::get_if<Spread>(&any)) return spread;
  return nullptr;
}

/// A thread of a launch, and between which barriers of its block.
struct Visitor {
  std::pair<std::uint32_t, unsigned> thread; ///< the block's number, and that of the thread in it
  std::uint32_t epoch = 0;
};

/// Where in memory a race was last found, in which grid of which launch, who wrote there, and who met whom by which call: another
/// launch may use other memory. In shared memory all blocks have the same places.
struct RacedAt {
  std::uint64_t grid = 0;
  std::uintptr_t place = 0;
  ThreadId writer;
  Visitor own, other;
  std::uintptr_t site = 0; ///< of the thread that came later: `own`
  RacedAt(std::uintptr_t address, const ThreadId& its_writer, const Visitor& met, std::uintptr_t own_site)
      : grid(std::uint64_t{global_shadow.launch} << 32 | machine.grid->number),
        place(in_shared(address) ? (address - machine.arena) % shared_window : address),
        writer(its_writer), own{{machine.block->number, machine.lane->thread}, machine.block->epoch},
        other(met), site(own_site) {
    if (in_shared(address)) writer.block = {};
  }
};

/// Which threads have met in a race.
class Meetings {
public:
  void add(const RacedAt& now) {
    constexpr std::size_t most = 4096; // threads that are looked at
    if (std::exchange(grid_, now.grid) != now.grid) met_.clear();
    if (!are_pairs_ || met_.size() > most) return;
    Meeting& last = meeting_of(now.own, now.other);
    meeting_of(now.other, now.own);
    cross_ |= last.site != 0 && last.site != now.site && last.place != now.place;
    last.site = now.site, last.place = now.place;
  }
  bool are_pairs() const { return are_pairs_; }
  /// One thread does at one place what the other one does at another place.
  bool cross() const { return cross_; }

private:
  struct Meeting {
    std::pair<std::uint32_t, unsigned> with;
    std::uint32_t epoch = 0;
    std::uintptr_t site = 0, place = 0; ///< where the thread has come later than the other one
  };

  Meeting& meeting_of(const Visitor& own, const Visitor& other) {
    Meeting& last = met_.try_emplace(own.thread, Meeting{other.thread, own.epoch}).first->second;
    if (last.with != other.thread) {
      are_pairs_ &= last.epoch != own.epoch;
      last = {other.thread};
    }
    last.epoch = own.epoch;
    return last;
  }

  std::uint64_t grid_ = 0;
  std::map<std::pair<std::uint32_t, unsigned>, Meeting> met_;
  bool are_pairs_ = true, cross_ = false;
};

struct Raced {
  RacedAt last;
  std::map<std::uintptr_t, ThreadId> writers; ///< by place, in the grid of the last one
  Meetings meetings;

  void add(const RacedAt& now, Spread& spread) {
    constexpr std::size_t most = 4096; // places that are looked at
    if (last.grid != now.grid) writers.clear();
    spread.elements |= last.grid == now.grid && last.place != now.place;
    if (const auto known = writers.find(now.place); known != writers.end())
      spread.writers |= known->second != now.writer;
    else if (writers.size() < most)
      writers.emplace(now.place, now.writer);
    last = now;
    meetings.add(now);
  }
};
std::map<std::size_t, Raced> raced; ///< by the race's place among the findings

/// Threads have written the same value to one place since the report before.
bool met_equal_writes = false;

bool can_be_better(const Finding& known, Witnesses witnesses) {
  if (witnesses == Witnesses::of_two_warps) return within_warp(known);
  if (within_block(known)) return !is_alike(known) && has_party_that(known, Access::read);
  return witnesses == Witnesses::of_one_index && are_first_threads(known);
}

/// A race at these call sites that is known already is counted, and told again where the new witnesses are better.
enum class Known { no, yes, worse };
Known known_race(const char* id, std::uintptr_t site, std::uintptr_t other_site, const RacedAt& now,
                 Witnesses witnesses, bool has_two_threads) {
  if (!already_recorded(id, site, other_site)) return Known::no;
  Finding* const known = recorded(id, site, other_site);
  if (!known) return Known::yes;
  Spread& spread = *spread_of(*known);
  raced.at(static_cast<std::size_t>(known - diagnostics.data())).add(now, spread);
  spread.indices |= has_two_threads;
  return witnesses != Witnesses::any && can_be_better(*known, witnesses) ? Known::worse : Known::yes;
}

void record_race(Finding diagnostic, std::uintptr_t site, std::uintptr_t other_site, const RacedAt& now,
                 Known known) {
  if (known == Known::no) {
    raced.emplace(diagnostics.size(), Raced{now, {}, {}}).first->second.add(now, *spread_of(diagnostic));
    return record(std::move(diagnostic), site, other_site);
  }
  Finding& older = *recorded(diagnostic.id, site, other_site);
  diagnostic.count = older.count;
  if (diagnostic.cause.empty()) diagnostic.cause = older.cause;
  *spread_of(diagnostic) = *spread_of(older);
  older = std::move(diagnostic);
}

/// The memory that a finding is about.
auto memory_of(const Finding& finding) {
  return std::tuple(finding.kernel, finding.variable, finding.unnamed_bytes);
}

/// Where each place is written by one thread, a read that races with it is of what that thread changes.
void note_lone_writers() {
  if (met_equal_writes || diagnostics.size() >= max_diagnostics) return;
  std::set<decltype(memory_of(Finding()))> shared_by_writers;
  for (const Finding& race : diagnostics)
    if (race.get<Spread>() && !has_party_that(race, Access::read)) shared_by_writers.insert(memory_of(race));
  for (Finding& race : diagnostics)
    if (Spread* const spread = spread_of(race))
      spread->lone_writers = !has_atomic(race) && !shared_by_writers.contains(memory_of(race));
}

/// Where threads meet in pairs, and at two places in turned roles, each of the two does what the other one does.
void note_pairs() {
  std::map<decltype(memory_of(Finding())), std::pair<bool, bool>> of_memory;
  for (const auto& [number, race] : raced) {
    auto& [are_pairs, cross] =
        of_memory.try_emplace(memory_of(diagnostics[number]), true, false).first->second;
    are_pairs &= race.meetings.are_pairs();
    cross |= race.meetings.cross();
  }
  for (const auto& [number, race] : raced) {
    const auto [are_pairs, cross] = of_memory.at(memory_of(diagnostics[number]));
    spread_of(diagnostics[number])->pairs = are_pairs && cross;
  }
  raced.clear();
}

/// Whether no thread of the block has written the word since the block began. Only known where no access was smaller
/// than a word.
bool never_written(const Block& block, std::uintptr_t address) {
  return !machine.subword_accesses &&
         word_cells[(address - machine.arena) / 4].write.epoch() < block.first_epoch;
}

/// Whether the thread that has written the word in this epoch has read it before at the same site as the running lane does
/// now, as in `s[i] += 1`. Only known where no access was smaller than a word.
bool was_read_at(std::uintptr_t site, const Stamp& write, std::uintptr_t address) {
  if (machine.subword_accesses) return false;
  const Stamp& read = word_cells[(address - machine.arena) / 4].read;
  return read.site() == site && read.epoch() == write.epoch() && read.thread() == write.thread();
}

/// Of a race that was found before: its read came before any write, so it is no read of an older value.
void note_early_read(std::uintptr_t site, std::uintptr_t other_site) {
  if (Finding* known = recorded("shared-race", site, other_site)) known->cause = "uninitialised-read";
}

/// A barrier that not all threads reach alike orders little: what it leaves unordered comes behind it.
void put_divergence_first() {
  for (std::size_t i = 0; i < diagnostics.size(); ++i) {
    if (diagnostics[i].id != "barrier-divergence") continue;
    const std::string kernel = diagnostics[i].kernel;
    for (Finding& diagnostic : diagnostics)
      if (diagnostic.id == "shared-race" && diagnostic.kernel == kernel)
        diagnostic.cause = "barrier-divergence";
    const auto found = diagnostics.begin() + static_cast<std::ptrdiff_t>(i);
    const auto first = std::find_if(diagnostics.begin(), found, [&](const Finding& diagnostic) {
      return diagnostic.kernel == kernel &&
             (diagnostic.id == "shared-race" || diagnostic.id == "global-race" ||
              diagnostic.id == "uninitialised-read");
    });
    std::rotate(first, found, found + 1);
  }
}

/// What a race left, where that is known, and is a number of one type.
fact::Written written_of(const std::vector<Participant>& parties, const WrittenValues& values) {
  if ((values.size != 4 && values.size != 8) || parties[0].bytes != values.size) return {};
  return {{{values.old, values.now}}};
}

bool lacks_launch(const Finding& diagnostic) { return !diagnostic.kernel.empty() && !diagnostic.launch; }

/// Whether what a barrier orders can have come about because this one is named, and not called.
bool may_follow(const Finding& finding, const Finding& not_called) {
  if (finding.kernel != not_called.kernel) return false;
  return finding.id == "shared-race" || finding.id == "global-race" || finding.id == "uninitialised-read" ||
         finding.id == "cluster-not-started" || finding.id == "cluster-left-early";
}

/// A barrier that is not called is an error where something follows from that, and comes before it.
void put_uncalled_barriers_first() {
  for (std::size_t i = 0; i < diagnostics.size(); ++i) {
    if (diagnostics[i].id != "barrier-not-called") continue;
    const Finding not_called = diagnostics[i];
    for (Finding& diagnostic : diagnostics) {
      if (!may_follow(diagnostic, not_called)) continue;
      diagnostic.cause = not_called.id;
      diagnostics[i].severity = Severity::error;
    }
    const auto found = diagnostics.begin() + static_cast<std::ptrdiff_t>(i);
    const auto first = std::find_if(diagnostics.begin(), found, [&](const Finding& diagnostic) {
      return may_follow(diagnostic, not_called);
    });
    std::rotate(first, found, found + 1);
  }
}

/// Of one call site: between which addresses its accesses outside of all arrays lie.
struct Strays {
  std::uintptr_t lowest = ~std::uintptr_t{0}, highest = 0;
};
std::map<std::uintptr_t, Strays> strays_of;

bool overflows(const Finding& diagnostic) { return diagnostic.get<fact::IndexBits>() != nullptr; }

/// Whether an access outside of all arrays, and all others of its site, come from an index that overflows; records that.
bool explained_by_overflow(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  Strays& strays = strays_of[site];
  const bool is_lowest = address < strays.lowest;
  const bool is_highest = address > strays.highest;
  if (is_lowest) strays.lowest = address;
  if (is_highest) strays.highest = address;
  Finding* known = recorded("out-of-bounds", site, 0);
  if (!is_lowest && !is_highest) return false;
  const auto overflow = overflow_at(strays.lowest, size);
  if (!overflow || strays.highest - strays.lowest >= overflow->outside.distance) {
    if (known && overflows(*known)) become(*known, "out-of-bounds", Outside(*known->get<Outside>()));
    return false;
  }
  if (!is_lowest || (known && overflows(*known))) return false;
  Finding diagnostic = diagnostic_at(overflow->place, {"out-of-bounds", "overflow"}, overflow->outside,
                                     fact::IndexBits{overflow->index_bits});
  diagnostic.participants = {accessing_thread(access, size, site)};
  diagnostic.count = known ? known->count + 1 : 1;
  if (known)
    *known = std::move(diagnostic);
  else
    record(std::move(diagnostic), site);
  return true;
}

/// What an index that overflows leads to comes behind it, and is no use of memory that was freed.
void put_overflows_first() {
  const auto behind =
      std::stable_partition(diagnostics.begin(), diagnostics.end(), overflows) - diagnostics.begin();
  std::erase_if(diagnostics, [&](const Finding& diagnostic) {
    return diagnostic.id == "use-after-free" &&
           std::any_of(diagnostics.begin(), diagnostics.begin() + behind, [&](const Finding& first) {
             return first.participants[0].where == diagnostic.participants[0].where;
           });
  });
}

/// Where two arrays are in one place, threads also race for it.
void put_shared_names_first() {
  const auto behind = std::ranges::stable_partition(
      diagnostics, [](const Finding& diagnostic) { return diagnostic.id == "shared-names"; });
  for (const Finding& names : std::span(diagnostics.begin(), behind.begin()))
    for (Finding& race : behind)
      if (race.id == "shared-race" && race.kernel == names.kernel && race.cause.empty() &&
          (names.has(fact::Subject{race.variable}) || names.has(fact::Other{race.variable})))
        race.cause = names.id;
}

FindingKind<> kind_of_host_pointer(std::uintptr_t address) {
  if (address < null_page) return {"out-of-bounds", "null-pointer"};
  if (on_stack(address)) return {"host-pointer-in-kernel", "of-another-thread"};
  const HostRange range = classify_host_address(address);
  if (range == HostRange::stack) return {"host-pointer-in-kernel", "local-variable"};
  if (range == HostRange::writable) return {"host-pointer-in-kernel", "global-variable"};
  return "host-pointer-in-kernel";
}

} // namespace

void note_equal_writes() { met_equal_writes = true; }

std::uint64_t times_found() { return calls_of_record; }

const TimesUnwritten& times_read_unwritten() { return times_unwritten; }

std::uint64_t* times_read_unwritten(std::uintptr_t site) {
  return recorded("uninitialised-read", site, 0) ? &times_unwritten[site] : nullptr;
}

bool already_recorded(std::string_view id, std::uintptr_t site, std::uintptr_t other_site) {
  ++calls_of_record;
  Finding* known = recorded(id, site, other_site);
  if (!known) return diagnostics.size() >= max_diagnostics;
  ++known->count;
  return true;
}

void record(Finding diagnostic, std::uintptr_t site, std::uintptr_t other_site) {
  if (already_recorded(diagnostic.id, site, other_site)) return;
  if (site > other_site) std::swap(site, other_site);
  index_of[{diagnostic.id, site, other_site}] = diagnostics.size();
  diagnostics.push_back(std::move(diagnostic));
}

bool lack_launch() { return std::ranges::any_of(diagnostics, lacks_launch); }

void tell_launch(const HostLaunch& launch) {
  for (Finding& diagnostic : diagnostics)
    if (lacks_launch(diagnostic)) diagnostic.launch = launch;
}

void note_failed_write(const char* function, const char* error, std::uintptr_t site) {
  failed_write = {{function}, {error}, running_thread(site)};
}

void report_set_elements(const Allocation& array, unsigned byte, std::uintptr_t site) {
  if (already_recorded("memset-value", site)) return;
  const std::uint64_t element = array.element_size == 2 ? byte * 0x0101u : byte * 0x01010101u;
  Finding diagnostic = diagnostic_at(place_of(array), {"memset-value", "of-elements"}, fact::Amount{element}, fact::Limit{byte});
  record_at(std::move(diagnostic), site);
}

void report_left_out(const ShortCopy& copy, unsigned size, Access access, std::uintptr_t site) {
  if (already_recorded("uninitialised-read", site)) return;
  const Allocation* array = find_allocation(copy.from);
  Finding diagnostic =
      copy.bytes < copy.whole
          ? diagnostic_at(array ? place_of(*array) : Place{}, {"uninitialised-read", "not-copied"},
                          fact::Subject{copy.function}, fact::Amount{copy.bytes}, fact::Limit{copy.whole})
          : diagnostic_at(find_place(nullptr, copy.from), {"uninitialised-read", "copied-unwritten"},
                          fact::Subject{copy.function});
  diagnostic.participants = {accessing_thread(access, size, site), running_thread(copy.site)};
  record(std::move(diagnostic), site);
}

void report_unset_part(const SymbolCopy& copy, std::uintptr_t address, unsigned size, std::uintptr_t site) {
  if (already_recorded("uninitialised-read", site)) return;
  const Place place = find_place(nullptr, address);
  Finding diagnostic =
      copy.offset == 0
          ? diagnostic_at(place, {"uninitialised-read", "symbol-not-copied"}, fact::Subject{copy.function},
                          fact::Amount{copy.bytes}, fact::Limit{copy.whole})
          : diagnostic_at(place, {"uninitialised-read", "symbol-offset"}, fact::Subject{copy.function},
                          fact::Amount{copy.bytes}, fact::Limit{copy.offset});
  diagnostic.participants = {accessing_thread(Access::read, size, site), copy.caller};
  record(std::move(diagnostic), site);
}

void note_useless_pointer(FindingKind<fact::Subject> kind, const char* function, std::uintptr_t site) {
  useless_pointer = {kind, {function}, running_thread(site)};
}

void note_write(const char* function, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
  if (Allocation* allocation = find_allocation(address);
      allocation && allocation->base == address && !allocation->first_write.function)
    allocation->first_write = {function, bytes, site};
  for (Finding& diagnostic : diagnostics) {
    if (diagnostic.id != "uninitialised-read" || !diagnostic.kind.empty() ||
        diagnostic.space != Space::global || diagnostic.address < address ||
        diagnostic.address - address >= bytes)
      continue;
    become(diagnostic, {"uninitialised-read", "written-later"}, fact::Subject{function});
    diagnostic.participants.push_back(running_thread(site));
  }
}

std::vector<Finding> take_diagnostics() {
  failed_write.reset();
  useless_pointer.reset();
  handed.clear();
  for (const auto& [site, times] : times_unwritten) recorded("uninitialised-read", site, 0)->count += times;
  times_unwritten.clear();
  unwritten_reads = {};
  index_of.clear();
  strays_of.clear();
  note_pairs();
  note_lone_writers();
  met_equal_writes = false;
  for (const char* cause : {"out-of-memory", "cluster-not-started", "unheard-error"})
    std::ranges::stable_partition(diagnostics,
                                  [&](const Finding& diagnostic) { return diagnostic.id == cause; });
  // Where a variable is raced for, reads that come before its writes follow from that.
  std::set<std::tuple<std::string, std::string, std::uint64_t>> raced_for;
  for (const Finding& diagnostic : diagnostics)
    if (diagnostic.id == "shared-race" || diagnostic.id == "global-race")
      raced_for.insert(memory_of(diagnostic));
  std::stable_partition(diagnostics.begin(), diagnostics.end(), [&](const Finding& diagnostic) {
    return diagnostic.id != "uninitialised-read" || !raced_for.count(memory_of(diagnostic));
  });
  put_divergence_first();
  put_uncalled_barriers_first();
  put_overflows_first();
  put_shared_names_first();
  return std::exchange(diagnostics, {});
}

void report_shared_race(const Stamp& earlier, Access earlier_access, std::uintptr_t address, unsigned size,
                        Access access, std::uintptr_t site, const WrittenValues& values) {
  const Party party = party_of(earlier);
  const Lane& other = *party.lane;
  const Block& block = *machine.block;
  bool same_block = party.block == &block;
  bool same_warp = same_block && other.thread / lanes_per_warp == machine.lane->thread / lanes_per_warp;
  const bool early =
      earlier_access == Access::read && access == Access::write && never_written(block, address);
  const RacedAt now(address,
                    access == Access::read ? thread_id(*party.block, other) : thread_id(block, *machine.lane),
                    {{party.block->number, other.thread}, earlier.epoch()}, site);
  const Known known = known_race("shared-race", earlier.site(), site, now,
                                 same_block && !same_warp ? Witnesses::of_two_warps : Witnesses::any, false);
  if (known != Known::no && early) note_early_read(earlier.site(), site);
  if (known == Known::yes) return;
  std::vector<Participant> parties = racing_threads(earlier_access, earlier.site(), access, size, site);
  parties[0].thread = thread_id(*party.block, other);
  const bool alike = earlier.site() == site || (earlier_access == Access::write && access == Access::read &&
                                                was_read_at(site, earlier, address));
  Finding diagnostic = diagnostic_at(find_place(&block, address), "shared-race", written_of(parties, values),
                                     fact::Alike{alike}, Spread());
  if (early) diagnostic.cause = "uninitialised-read";
  diagnostic.participants = std::move(parties);
  record_race(std::move(diagnostic), earlier.site(), site, now, known);
}

void report_global_race(Mark earlier, Access earlier_access, std::uintptr_t address, unsigned size,
                        Access access, std::uintptr_t site, const WrittenValues& values) {
  std::uintptr_t earlier_site = site_of_number(site_number_of(earlier));
  if (earlier_access != access && (is_texel_site(earlier_site) || is_texel_site(site)))
    return report_texture_written(earlier, earlier_access, address, size, access, site);
  Witnesses witnesses = Witnesses::any;
  if (same_block(earlier))
    witnesses = same_warp(earlier) ? Witnesses::any : Witnesses::of_two_warps;
  else if (machine.lane->thread != 0 && machine.lane->thread == thread_in_block(earlier))
    witnesses = Witnesses::of_one_index;
  else if (grid_of(earlier) == machine.grid->number)
    witnesses = Witnesses::of_two_blocks;
  const bool has_two_threads = !same_block(earlier) && machine.lane->thread != thread_in_block(earlier);
  const RacedAt now(
      address, access == Access::read ? thread_of(earlier) : thread_id(*machine.block, *machine.lane),
      {{segment_table[earlier].block, thread_in_block(earlier)}, segment_table[earlier].epoch}, site);
  const Known known = known_race("global-race", earlier_site, site, now, witnesses, has_two_threads);
  if (known == Known::yes) return;
  const bool both_strong =
      (earlier & mark_strong) != 0 && (access == Access::atomic || (machine.atomic_flags & mark_strong) != 0);
  const bool too_narrow = both_strong && is_too_narrow(earlier, machine.atomic_flags);
  std::vector<Participant> parties = racing_threads(earlier_access, earlier_site, access, size, site);
  parties[0].thread = thread_of(earlier);
  if (const std::uint32_t other = grid_of(earlier), own = machine.grid->number; other != own) {
    tell_grid(parties[0], other, own);
    tell_grid(parties[1], own, other);
  }
  // Both do the same, as in `a[i] += 1`. Within a block a later statement may as well read what this one has changed.
  const std::uintptr_t own_read = earlier_access == Access::read ? 0 : own_read_site(earlier, address);
  const bool alike = earlier_site == site || (own_read != 0 && (own_read == site || !same_block(earlier)));
  using Race = FindingKind<fact::Written, fact::Alike, Spread>;
  Finding diagnostic = diagnostic_at(
      find_place(machine.block, address), too_narrow ? Race{"global-race", "scope"} : Race("global-race"),
      written_of(parties, values), fact::Alike{alike}, Spread{.indices = has_two_threads});
  diagnostic.participants = std::move(parties);
  record_race(std::move(diagnostic), earlier_site, site, now, known);
}

void report_out_of_bounds(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  end_bounds_watch();
  if (explained_by_overflow(address, size, access, site) || already_recorded("out-of-bounds", site)) return;
  const Allocation* nearest = in_global(address) ? nearest_allocation(address) : nullptr;
  if (nearest && !nearest->live && address - nearest->base < nearest->bytes) {
    if (already_recorded("use-after-free", site)) return;
    Finding diagnostic =
        diagnostic_at(place_of(*nearest), nearest->lent    ? FindingKind{"use-after-free", "of-earlier-call"}
                                          : nearest->array ? FindingKind{"use-after-free", "array"}
                                          : nearest->of_graph   ? FindingKind{"use-after-free", "of-graph"}
                                          : nearest->of_driver  ? FindingKind{"use-after-free", "not-mapped"}
                                          : is_texel_site(site) ? FindingKind{"use-after-free", "of-texture"}
                                                                : "use-after-free");
    diagnostic.byte = address - nearest->base;
    if (nearest->freed_at != 0) diagnostic.participants = {host_at(nearest->freed_at)};
    return record_access(std::move(diagnostic), size, access, site);
  }
  const auto [place, outside, is_far] = nearest_place(machine.block, address);
  if (is_far) { // no array is near: no neighbour is blamed
    const Place below = place_below_zero(machine.block, address, size);
    const bool is_known = !below.variable.empty() || below.unnamed_bytes != 0;
    if (const auto cut = is_known ? std::nullopt : place_before_cut(address))
      return record_access(diagnostic_at(cut->place, "out-of-bounds", *cut->outside), size, access, site);
    return record_access(diagnostic_at(below, is_known ? FindingKind{"out-of-bounds", "far"}
                                                       : FindingKind{"out-of-bounds", "far-from-all"}),
                         size, access, site);
  }
  Finding diagnostic = outside ? diagnostic_at(place, "out-of-bounds", *outside)
                               : diagnostic_at(place, {"out-of-bounds", "no-array"});
  if (nearest && !nearest->lent) diagnostic.allocated = callers_at(nearest->origin.frames);
  record_access(std::move(diagnostic), size, access, site);
}

void report_access(FindingKind<> kind, std::uintptr_t address, unsigned size, Access access,
                   std::uintptr_t site) {
  if (already_recorded(kind.wording->id, site)) return;
  Finding diagnostic = diagnostic_at(find_place(machine.block, address), kind);
  diagnostic.address = address;
  record_access(std::move(diagnostic), size, access, site);
}

void report_misaligned(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  const auto begin = machine.block ? offset_of_pointer(*machine.block, address) : std::nullopt;
  if (!begin || *begin % size == 0) return report_access("misaligned-access", address, size, access, site);
  if (already_recorded("misaligned-access", site)) return;
  Finding diagnostic = diagnostic_at(find_place(machine.block, address), {"misaligned-access", "carved"},
                                     fact::Amount{*begin}, fact::Limit{(*begin + size - 1) / size * size});
  diagnostic.address = address;
  record_access(std::move(diagnostic), size, access, site);
}

void report_joined(const Lane& lane, std::uintptr_t address, unsigned size, Access access,
                   std::uintptr_t site, std::size_t joined, std::size_t aligned) {
  if (already_recorded("misaligned-access", site)) return;
  Finding diagnostic = diagnostic_at(find_place(machine.block, address), {"misaligned-access", "joined"},
                                     fact::Amount{joined}, fact::Limit{aligned});
  diagnostic.address = address;
  Participant accesses = accessing_thread(access, size, site);
  accesses.thread = thread_id(*machine.block, lane);
  diagnostic.participants = {std::move(accesses)};
  record(std::move(diagnostic), site);
}

namespace {

/// Whether a copy in the background is to bring the byte, for which nothing waits yet: reports that.
bool report_copy_under_way(std::uintptr_t address, unsigned size, std::uintptr_t site) {
  const Block& block = *machine.block;
  for (std::size_t thread = 0; thread < block.copies.size(); ++thread) {
    for (const PendingCopy& copy : block.copies[thread].pending) {
      if (address - reinterpret_cast<std::uintptr_t>(copy.to) >= copy.bytes) continue;
      if (already_recorded("uninitialised-read", site)) return true;
      Finding diagnostic =
          diagnostic_at(find_place(&block, address), {"uninitialised-read", "copy-under-way"});
      Participant copies;
      copies.thread = thread_id(block, block.lanes[thread]);
      copies.where = code_address(copy.site);
      diagnostic.address = address;
      diagnostic.participants = {accessing_thread(Access::read, size, site), std::move(copies)};
      record(std::move(diagnostic), site);
      return true;
    }
  }
  return false;
}

} // namespace

void report_uninitialised_read(std::uintptr_t address, unsigned size, std::uintptr_t site) {
  if (std::uint64_t* const times = in_global(address) ? times_read_unwritten(site) : nullptr) {
    ++*times;
    return;
  }
  if (machine.block && report_copy_under_way(address, size, site)) return;
  if (already_recorded("uninitialised-read", site)) return; // before anything is looked for
  const Block* owner = in_shared(address) ? &shared_owner(address) : nullptr;
  const Lane* returned = owner ? returned_lane(*owner) : nullptr;
  const FirstWrite* in_part = owner || failed_write ? nullptr : short_write_before(address);
  const FirstRows* rows = owner || failed_write ? nullptr : short_rows_before(address);
  if (!returned && !in_part && !rows && (owner || !failed_write))
    return report_access("uninitialised-read", address, size, Access::read, site);
  const Place place = find_place(machine.block, address);
  Finding diagnostic;
  Participant other;
  if (returned) {
    diagnostic = diagnostic_at(place, {"uninitialised-read", "returned"});
    other = ended_lane(*owner, *returned);
  } else if (rows) {
    diagnostic = diagnostic_at(place, {"uninitialised-read", "rows-in-part"}, fact::Subject{rows->function},
                               fact::Amount{rows->bytes});
    other.where = code_address(rows->site);
  } else if (in_part) {
    diagnostic =
        diagnostic_at(place, {"uninitialised-read", "written-in-part"}, fact::Subject{in_part->function},
                      fact::Amount{in_part->bytes}, fact::Limit{find_allocation(address)->bytes});
    other.where = code_address(in_part->site);
  } else {
    diagnostic = diagnostic_at(place, {"uninitialised-read", "call-failed"}, failed_write->function,
                               failed_write->error);
    other = failed_write->caller;
  }
  diagnostic.address = address;
  diagnostic.participants = {accessing_thread(Access::read, size, site), std::move(other)};
  record(std::move(diagnostic), site);
}

namespace {

/// The words of the arguments of the running launch.
std::vector<std::uintptr_t> words_of_launch() {
  const Grid& grid = *machine.grid;
  if (!grid.operations || !grid.closure) return {};
  std::vector<std::uintptr_t> words(grid.operations->size / sizeof(std::uintptr_t));
  std::memcpy(words.data(), grid.closure, words.size() * sizeof(std::uintptr_t));
  return words;
}

/// Whether the address is in an object that the kernel refers to by a parameter, or by the `this` of a lambda; null if not.
const Handed* handed_at(std::uintptr_t address) {
  for (const Handed& each : handed) {
    if (address - each.begin >= each.bytes) continue;
    if (!each.parameter.empty() || std::ranges::count(words_of_launch(), each.begin) != 0) return &each;
  }
  return nullptr;
}

/// Memory from cudaMalloc that nothing has been written to, and that no argument of the launch leads to, where one is a null pointer;
/// null if there is none.
const Allocation* lost_allocation() {
  const std::vector<std::uintptr_t> words = words_of_launch();
  if (std::ranges::find(words, std::uintptr_t{0}) == words.end()) return nullptr;
  const auto is_lost = [&](const Allocation& one) {
    const bool is_plain = one.live && !one.lent && !one.array && !one.managed && !one.origin.frames.empty();
    return is_plain && none_written(one.base, one.bytes) &&
           std::ranges::none_of(words, [&](std::uintptr_t word) { return word - one.base < one.bytes; });
  };
  const auto lost = std::ranges::find_if(all_allocations(), is_lost);
  return lost == all_allocations().end() ? nullptr : &*lost;
}

Finding finding_of_host_pointer(std::uintptr_t address) {
  if (const Handed* object = machine.grid ? handed_at(address) : nullptr)
    return object->parameter.empty()
               ? diagnostic_of({"host-pointer-in-kernel", "captured-this"})
               : diagnostic_of({"host-pointer-in-kernel", "reference"}, fact::Subject{object->parameter});
  if (const std::size_t refused = address < null_page ? refused_by_heap() : 0; refused != 0)
    return diagnostic_of({"out-of-bounds", "heap-full"}, fact::Amount{refused},
                         fact::Limit{heap_limit_bytes()});
  constexpr std::uintptr_t lowest_of_host = std::uintptr_t{1} << 40; // no program of the host has memory before that
  // What is copied over a pointer may lead anywhere.
  const bool is_nowhere =
      address < lowest_of_host ||
      (useless_pointer && useless_pointer->function.value.starts_with("cudaMemcpy") &&
       classify_host_address(address) == HostRange::elsewhere);
  if (useless_pointer && is_nowhere) {
    Finding diagnostic = diagnostic_of(useless_pointer->kind, useless_pointer->function);
    diagnostic.participants = {useless_pointer->caller};
    return diagnostic;
  }
  if (const Allocation* lost = address < null_page && machine.grid ? lost_allocation() : nullptr) {
    Finding diagnostic = diagnostic_of({"out-of-bounds", "lost-pointer"});
    diagnostic.allocated = callers_at(lost->origin.frames);
    return diagnostic;
  }
  if (address >= null_page && address < lowest_of_host)
    return diagnostic_of({"out-of-bounds", "behind-null"}, fact::Amount{address});
  constexpr std::uintptr_t farthest_index = 1u << 31; // with elements of a byte
  if (address != 0 && -address <= farthest_index)
    return diagnostic_of({"out-of-bounds", "below-null"}, fact::Amount{-address});
  return diagnostic_of(kind_of_host_pointer(address));
}

/// Whether a thread reads a pointer to device memory out of the host's: `rows[r][c]` of rows that cudaMalloc has given.
bool finds_address_of_device(std::uintptr_t address, unsigned size, Access access) {
  if (size != sizeof(void*) || access != Access::read || address % size != 0 || on_stack(address))
    return false;
  const HostRange range = classify_host_address(address);
  const bool is_there = range == HostRange::stack || range == HostRange::writable ||
                        bytes_left_in_host_block(address).value_or(0) >= size;
  return is_there && find_allocation(*reinterpret_cast<const std::uintptr_t*>(address));
}

} // namespace

void report_host_pointer(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  if (already_recorded("host-pointer-in-kernel", site)) return;
  Finding diagnostic = finding_of_host_pointer(address);
  const bool is_of_data =
      diagnostic.kind.empty() || diagnostic.kind == "local-variable" || diagnostic.kind == "global-variable";
  if (is_of_data && finds_address_of_device(address, size, access))
    diagnostic = diagnostic_of({"host-pointer-in-kernel", "of-rows"});
  diagnostic.address = address;
  record_access(std::move(diagnostic), size, access, site);
}

} // namespace simt

using namespace simt;

// What a launch has copied for a kernel that refers to it, as that of a template whose arguments are deduced, lies with the thread here.
extern "C" void __simt_note_reference(const void* object, std::size_t bytes, const char* parameter) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  // Of a template whose arguments are deduced a lane has the object itself, wherever it was.
  const bool is_of_device = in_arena(address) || find_section(address) || is_pinned(address) || on_stack(address);
  if (machine.lane && !is_of_device) note_handed(object, bytes, parameter);
}

extern "C" void __simt_note_captured(const void* object, std::size_t bytes) {
  if (machine.lane) return;
  const HostCall turn;
  note_handed(object, bytes, "");
}
