// Recording, and diagnostics about memory.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/diagnostics/diagnose_texture.hpp"

#include "simt/runtime/cluster/cluster.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/memory/shared_memory.hpp"
#include "simt/runtime/races/global_race.hpp"
#include "simt/runtime/races/race.hpp"
#include "simt/runtime/schedule/order.hpp"
#include "simt/runtime/texture/texel_access.hpp"

#include <algorithm>
#include <map>
#include <set>
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

using Key = std::tuple<std::string, std::uintptr_t, std::uintptr_t>;

std::vector<Finding> diagnostics;
std::uint64_t calls_of_record = 0;
std::map<Key, std::size_t> index_of;

/// What is recorded with this id and these sites; null if nothing is.
Finding* recorded(const std::string& id, std::uintptr_t site, std::uintptr_t other_site) {
  const auto known = index_of.find({id, std::min(site, other_site), std::max(site, other_site)});
  return known == index_of.end() ? nullptr : &diagnostics[known->second];
}

/// What two threads that race are to each other, as far as it makes them good witnesses.
enum class Witnesses {
  any,
  of_two_warps, ///< of one block; what helps two lanes of a warp need not help them
  of_one_index  ///< the same thread of two blocks, and not the first one, which also speaks for its block
};

/// Whether first threads are the witnesses of a race whose advice is not about their index yet: it is where both add to
/// one element without an atomic.
bool are_first_threads(const Finding& diagnostic) {
  if (is_alike(diagnostic) && !has_atomic(diagnostic)) return false;
  return std::ranges::all_of(diagnostic.participants, [](const Participant& participant) {
    return participant.thread && participant.thread->thread == std::array<unsigned, 3>{};
  });
}

/// A race at these call sites that is known already is counted, and told again where the new witnesses are better.
enum class Known { no, yes, worse };
Known known_race(const char* id, std::uintptr_t site, std::uintptr_t other_site, Witnesses witnesses) {
  if (!already_recorded(id, site, other_site)) return Known::no;
  if (witnesses == Witnesses::any) return Known::yes;
  const Finding* known = recorded(id, site, other_site);
  if (!known) return Known::yes;
  const bool better = witnesses == Witnesses::of_two_warps ? within_warp(*known) : are_first_threads(*known);
  return better ? Known::worse : Known::yes;
}

void record_race(Finding diagnostic, std::uintptr_t site, std::uintptr_t other_site, Known known) {
  if (known == Known::no) return record(std::move(diagnostic), site, other_site);
  Finding& older = *recorded(diagnostic.id, site, other_site);
  diagnostic.count = older.count;
  if (diagnostic.cause.empty()) diagnostic.cause = older.cause;
  older = std::move(diagnostic);
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

FindingKind<> kind_of_host_pointer(std::uintptr_t address) {
  if (address < null_page) return {"out-of-bounds", "null-pointer"};
  const HostRange range = classify_host_address(address);
  if (range == HostRange::stack) return {"host-pointer-in-kernel", "local-variable"};
  if (range == HostRange::writable) return {"host-pointer-in-kernel", "global-variable"};
  return "host-pointer-in-kernel";
}

} // namespace

std::uint64_t times_found() { return calls_of_record; }

bool already_recorded(std::string_view id, std::uintptr_t site, std::uintptr_t other_site) {
  ++calls_of_record;
  Finding* known = recorded(std::string(id), site, other_site);
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

void note_write(const char* function, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
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
  index_of.clear();
  strays_of.clear();
  std::stable_partition(diagnostics.begin(), diagnostics.end(),
                        [](const Finding& diagnostic) { return diagnostic.id == "cluster-not-started"; });
  // Where a variable is raced for, reads that come before its writes follow from that.
  const auto memory_of = [](const Finding& finding) {
    return std::tuple(finding.kernel, finding.variable, finding.unnamed_bytes);
  };
  std::set<std::tuple<std::string, std::string, std::uint64_t>> raced;
  for (const Finding& diagnostic : diagnostics)
    if (diagnostic.id == "shared-race" || diagnostic.id == "global-race") raced.insert(memory_of(diagnostic));
  std::stable_partition(diagnostics.begin(), diagnostics.end(), [&](const Finding& diagnostic) {
    return diagnostic.id != "uninitialised-read" || !raced.count(memory_of(diagnostic));
  });
  put_divergence_first();
  put_uncalled_barriers_first();
  put_overflows_first();
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
  const Known known = known_race("shared-race", earlier.site(), site,
                                 same_block && !same_warp ? Witnesses::of_two_warps : Witnesses::any);
  if (known != Known::no && early) note_early_read(earlier.site(), site);
  if (known == Known::yes) return;
  std::vector<Participant> parties = racing_threads(earlier_access, earlier.site(), access, size, site);
  parties[0].thread = thread_id(*party.block, other);
  const bool alike = earlier.site() == site || (earlier_access == Access::write && access == Access::read &&
                                                was_read_at(site, earlier, address));
  Finding diagnostic = diagnostic_at(find_place(&block, address), "shared-race", written_of(parties, values),
                                     fact::Alike{alike});
  if (early) diagnostic.cause = "uninitialised-read";
  diagnostic.participants = std::move(parties);
  record_race(std::move(diagnostic), earlier.site(), site, known);
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
  const Known known = known_race("global-race", earlier_site, site, witnesses);
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
  using Race = FindingKind<fact::Written, fact::Alike>;
  Finding diagnostic = diagnostic_at(find_place(machine.block, address),
                                     too_narrow ? Race{"global-race", "scope"} : Race("global-race"),
                                     written_of(parties, values), fact::Alike{alike});
  diagnostic.participants = std::move(parties);
  record_race(std::move(diagnostic), earlier_site, site, known);
}

void report_out_of_bounds(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  if (explained_by_overflow(address, size, access, site) || already_recorded("out-of-bounds", site)) return;
  const Allocation* nearest = in_global(address) ? nearest_allocation(address) : nullptr;
  if (nearest && !nearest->live && address - nearest->base < nearest->bytes) {
    if (already_recorded("use-after-free", site)) return;
    Finding diagnostic =
        diagnostic_at(place_of(*nearest), nearest->lent    ? FindingKind{"use-after-free", "of-earlier-call"}
                                          : nearest->array ? FindingKind{"use-after-free", "array"}
                                          : nearest->of_graph  ? FindingKind{"use-after-free", "of-graph"}
                                          : nearest->of_driver ? FindingKind{"use-after-free", "not-mapped"}
                                                               : "use-after-free");
    diagnostic.byte = address - nearest->base;
    return record_access(std::move(diagnostic), size, access, site);
  }
  const auto [place, outside, is_far] = nearest_place(machine.block, address);
  if (is_far) // no array is near: no neighbour is blamed
    return record_access(
        diagnostic_at(place_below_zero(machine.block, address, size), {"out-of-bounds", "far"}), size, access,
        site);
  record_access(outside ? diagnostic_at(place, "out-of-bounds", *outside)
                        : diagnostic_at(place, {"out-of-bounds", "no-array"}),
                size, access, site);
}

void report_access(FindingKind<> kind, std::uintptr_t address, unsigned size, Access access,
                   std::uintptr_t site) {
  if (already_recorded(kind.wording->id, site)) return;
  Finding diagnostic = diagnostic_at(find_place(machine.block, address), kind);
  diagnostic.address = address;
  record_access(std::move(diagnostic), size, access, site);
}

void report_uninitialised_read(std::uintptr_t address, unsigned size, std::uintptr_t site) {
  const Block* owner = in_shared(address) ? &shared_owner(address) : nullptr;
  const Lane* returned = owner ? returned_lane(*owner) : nullptr;
  if (!returned && (owner || !failed_write))
    return report_access("uninitialised-read", address, size, Access::read, site);
  if (already_recorded("uninitialised-read", site)) return;
  const Place place = find_place(machine.block, address);
  Finding diagnostic = returned ? diagnostic_at(place, {"uninitialised-read", "returned"})
                                : diagnostic_at(place, {"uninitialised-read", "call-failed"},
                                                failed_write->function, failed_write->error);
  diagnostic.address = address;
  diagnostic.participants = {accessing_thread(Access::read, size, site),
                             returned ? ended_lane(*owner, *returned) : failed_write->caller};
  record(std::move(diagnostic), site);
}

void report_host_pointer(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  if (already_recorded("host-pointer-in-kernel", site)) return;
  Finding diagnostic = diagnostic_of(kind_of_host_pointer(address));
  diagnostic.address = address;
  record_access(std::move(diagnostic), size, access, site);
}

} // namespace simt
