// Recording, and diagnostics about memory.
#include "simt/runtime/diagnose.hpp"

#include "simt/runtime/cluster.hpp"
#include "simt/runtime/code_map.hpp"
#include "simt/runtime/global_memory.hpp"
#include "simt/runtime/global_race.hpp"
#include "simt/runtime/place.hpp"
#include "simt/runtime/shared_memory.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

namespace simt {

namespace {

/// Two threads of one warp race; others of the block are often about to, and a barrier helps both.
std::string cure_within_warp(bool several_warps) {
  if (!several_warps)
    return "put __syncwarp() (or __syncthreads()) between the two accesses; threads of one warp do not run "
           "in step "
           "by themselves.";
  return "put __syncthreads() between the two accesses, at a place that every thread of the block reaches. "
         "(Where a "
         "warp uses nothing but its own lanes' values __syncwarp() is enough: lanes do not run in step by "
         "themselves.)";
}

// More different findings than this are of no use to anyone.
constexpr std::size_t max_diagnostics = 100;

using Key = std::tuple<std::string, std::uintptr_t, std::uintptr_t>;

std::vector<Diagnostic> diagnostics;
std::map<Key, std::size_t> index_of;

const char* present_tense(Access access) {
  switch (access) {
  case Access::read:
    return "reads ";
  case Access::write:
    return "writes ";
  case Access::atomic:
    return "atomically updates ";
  }
  return "";
}

Participant running_thread(std::string action, std::uintptr_t site) {
  Participant participant;
  participant.action = std::move(action);
  if (machine.lane) participant.thread = thread_id(*machine.block, *machine.lane);
  participant.where = code_address(site);
  return participant;
}

/// The running thread, which accesses memory.
Participant accessing_thread(Access access, unsigned size, std::string action, std::uintptr_t site) {
  Participant participant = running_thread(std::move(action), site);
  participant.access = access;
  participant.bytes = size;
  return participant;
}

/// What a race left, where that is known.
void tell_written(Diagnostic& diagnostic, const WrittenValues& values);

Diagnostic begin(const char* id, Severity severity) {
  Diagnostic diagnostic;
  diagnostic.id = id;
  diagnostic.severity = severity;
  if (machine.grid) diagnostic.kernel = machine.grid->record.name;
  return diagnostic;
}

std::string hexadecimal(std::uintptr_t address) {
  std::ostringstream out;
  out << "0x" << std::hex << address;
  return out.str();
}

/// Bits as the number that they most likely are: which type the student means is not known. Small integers
/// make tiny floating-point numbers, and ordinary floating-point numbers make large integers.
std::string as_number(std::uint64_t bits, unsigned size) {
  double real = size == 4 ? static_cast<double>(__builtin_bit_cast(float, static_cast<std::uint32_t>(bits)))
                          : __builtin_bit_cast(double, bits);
  std::ostringstream out;
  if (std::fabs(real) > 1e-30 && std::fabs(real) < 1e30)
    out << real << (size == 4 ? " (as a float)" : " (as a double)");
  else if (size == 4)
    out << static_cast<std::int32_t>(bits);
  else
    out << static_cast<std::int64_t>(bits);
  return out.str();
}

/// What two threads that race are to each other, as far as it makes them good witnesses.
enum class Witnesses {
  any,
  of_two_warps, ///< of one block; what helps two lanes of a warp need not help them
  of_one_index  ///< the same thread of two blocks, and not the first one, which also speaks for its block
};

/// Whether first threads are the witnesses of a race whose advice is not about their index yet: it is where both add to
/// one element without an atomic.
bool are_first_threads(const Diagnostic& diagnostic) {
  const auto is_atomic = [](const Participant& party) { return party.access == Access::atomic; };
  if (diagnostic.alike && std::ranges::none_of(diagnostic.participants, is_atomic)) return false;
  return std::ranges::all_of(diagnostic.participants, [](const Participant& participant) {
    return participant.thread && participant.thread->thread == std::array<unsigned, 3>{};
  });
}

/// A race at these call sites that is known already is counted, and told again where the new witnesses are better.
enum class Known { no, yes, worse };
Known known_race(const char* id, std::uintptr_t site, std::uintptr_t other_site, Witnesses witnesses) {
  if (!already_recorded(id, site, other_site)) return Known::no;
  if (witnesses == Witnesses::any) return Known::yes;
  auto known = index_of.find({id, std::min(site, other_site), std::max(site, other_site)});
  if (known == index_of.end()) return Known::yes;
  const Diagnostic& diagnostic = diagnostics[known->second];
  const bool better =
      witnesses == Witnesses::of_two_warps ? within_warp(diagnostic) : are_first_threads(diagnostic);
  return better ? Known::worse : Known::yes;
}

void record_race(Diagnostic diagnostic, std::uintptr_t site, std::uintptr_t other_site, Known known) {
  if (known == Known::no) return record(std::move(diagnostic), site, other_site);
  Diagnostic& older =
      diagnostics[index_of.at({diagnostic.id, std::min(site, other_site), std::max(site, other_site)})];
  diagnostic.count = older.count;
  if (diagnostic.cause.empty()) diagnostic.cause = older.cause;
  older = std::move(diagnostic);
}

/// Whether nobody in the block has written the word since the block began. Only known where no access was smaller
/// than a word.
bool never_written(const Block& block, std::uintptr_t address) {
  return !machine.subword_accesses &&
         word_cells[(address - machine.arena) / 4].write.epoch() < block.first_epoch;
}

/// Of a race that was found before: its read came before any write, so it is no read of an older value.
void note_early_read(std::uintptr_t site, std::uintptr_t other_site) {
  auto known = index_of.find({"shared-race", std::min(site, other_site), std::max(site, other_site)});
  if (known != index_of.end()) diagnostics[known->second].cause = "uninitialised-read";
}

/// A barrier that not all threads reach alike orders little: what it leaves unordered comes behind it.
void put_divergence_first() {
  for (std::size_t i = 0; i < diagnostics.size(); ++i) {
    if (diagnostics[i].id != "barrier-divergence") continue;
    const std::string kernel = diagnostics[i].kernel;
    for (Diagnostic& diagnostic : diagnostics)
      if (diagnostic.id == "shared-race" && diagnostic.kernel == kernel)
        diagnostic.cause = "barrier-divergence";
    const auto found = diagnostics.begin() + static_cast<std::ptrdiff_t>(i);
    const auto first = std::find_if(diagnostics.begin(), found, [&](const Diagnostic& diagnostic) {
      return diagnostic.kernel == kernel &&
             (diagnostic.id == "shared-race" || diagnostic.id == "global-race" ||
              diagnostic.id == "uninitialised-read");
    });
    std::rotate(first, found, found + 1);
  }
}

void tell_written(Diagnostic& diagnostic, const WrittenValues& values) {
  if (values.size != 4 && values.size != 8) return;
  diagnostic.written = {values.old, values.now};
  diagnostic.notes.push_back("the first write left " + as_number(values.old, values.size) +
                             ", the second one " + as_number(values.now, values.size));
}

std::string access_text(Access access, unsigned size) { return present_tense(access) + plural(size, "byte"); }

} // namespace

bool already_recorded(const char* id, std::uintptr_t site, std::uintptr_t other_site) {
  if (site > other_site) std::swap(site, other_site);
  auto known = index_of.find({id, site, other_site});
  if (known == index_of.end()) return diagnostics.size() >= max_diagnostics;
  ++diagnostics[known->second].count;
  return true;
}

void record(Diagnostic diagnostic, std::uintptr_t site, std::uintptr_t other_site) {
  if (already_recorded(diagnostic.id.c_str(), site, other_site)) return;
  if (site > other_site) std::swap(site, other_site);
  index_of[{diagnostic.id, site, other_site}] = diagnostics.size();
  diagnostics.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> take_diagnostics() {
  index_of.clear();
  std::stable_partition(diagnostics.begin(), diagnostics.end(),
                        [](const Diagnostic& diagnostic) { return diagnostic.id == "cluster-not-started"; });
  // Where a variable is raced for, reads that come before its writes follow from that.
  std::set<std::pair<std::string, std::string>> raced;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.id == "shared-race" || diagnostic.id == "global-race")
      raced.insert({diagnostic.kernel, diagnostic.variable});
  std::stable_partition(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& diagnostic) {
    return diagnostic.id != "uninitialised-read" || !raced.count({diagnostic.kernel, diagnostic.variable});
  });
  put_divergence_first();
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
  Diagnostic diagnostic = begin("shared-race", Severity::error);
  if (early) diagnostic.cause = "uninitialised-read";
  Place place = find_place(&block, address);
  locate(diagnostic, place);
  std::string what = place.variable.empty() ? "the same shared memory" : place.text();
  bool both_write = earlier_access != Access::read && access != Access::read;
  diagnostic.message =
      "Two threads use " + what + " and nothing orders them: " +
      (both_write ? "both write, so the value that stays depends on which comes last."
                  : "one writes while the other reads, so the value read depends on which comes "
                    "first.");
  Participant first;
  first.action = access_text(earlier_access, size) + " of it";
  first.access = earlier_access;
  first.bytes = size;
  first.thread = thread_id(*party.block, other);
  first.where = code_address(earlier.site());
  diagnostic.participants = {first,
                             accessing_thread(access, size, access_text(access, size) + " of it", site)};
  tell_written(diagnostic, values);
  if (earlier_access == Access::atomic || access == Access::atomic)
    diagnostic.notes.push_back("an atomic update is safe only against other atomic updates");
  diagnostic.suggestion =
      same_warp ? cure_within_warp(block.lanes.size() > lanes_per_warp)
      : same_block
          ? "put __syncthreads() between the two accesses, at a place that every thread of the block "
            "reaches."
          : "put cluster.sync() between the two accesses, at a place that every thread of the cluster "
            "reaches; "
            "__syncthreads() orders the threads of one block only.";
  record_race(std::move(diagnostic), earlier.site(), site, known);
}

namespace {

/// How to order two accesses to global memory.
std::string cure_of_global_race(Mark earlier, bool both_write, bool atomic, bool alike) {
  const bool same_thread = machine.lane->thread == thread_in_block(earlier);
  if (same_warp(earlier)) return cure_within_warp(machine.block->lanes.size() > lanes_per_warp);
  if (same_block(earlier))
    return "put __syncthreads() between the two accesses, at a place that every thread of the block reaches.";
  if (alike && !atomic && same_thread)
    return "both threads have the same threadIdx: if each block is to work on elements of its own, the index "
           "needs "
           "blockIdx, as in `blockIdx.x * blockDim.x + threadIdx.x`. If the element is meant to be shared, "
           "combine "
           "the values with an atomic such as atomicAdd.";
  if (atomic)
    return "make both accesses atomic, or leave the plain one to a kernel that is launched afterwards.";
  if (both_write)
    return "let every element be written by one thread only, or combine the values with an atomic such as "
           "atomicAdd.";
  const std::string order = "blocks run in any order: read from one array and write to another, or split the "
                            "kernel in two where one block "
                            "needs what another has written. If an atomic counter or flag tells the reader "
                            "that the data is there, the "
                            "writer needs a __threadfence() before it sets it.";
  if (!same_thread) return order;
  const std::string own =
      "both threads have the same threadIdx: if each block is to work on elements of its own, one "
      "of the two indices lacks blockIdx, as in `blockIdx.x * blockDim.x + threadIdx.x`.";
  // Thread 0 is also the one that passes on what its block has found.
  return machine.lane->thread == 0 ? order + " But " + own : own + " Otherwise " + order;
}

} // namespace

void report_global_race(Mark earlier, Access earlier_access, std::uintptr_t address, unsigned size,
                        Access access, std::uintptr_t site, const WrittenValues& values) {
  std::uintptr_t earlier_site = site_of_number(site_number_of(earlier));
  Witnesses witnesses = Witnesses::any;
  if (same_block(earlier))
    witnesses = same_warp(earlier) ? Witnesses::any : Witnesses::of_two_warps;
  else if (machine.lane->thread != 0 && machine.lane->thread == thread_in_block(earlier))
    witnesses = Witnesses::of_one_index;
  const Known known = known_race("global-race", earlier_site, site, witnesses);
  if (known == Known::yes) return;
  Diagnostic diagnostic = begin("global-race", Severity::error);
  Place place = find_place(machine.block, address);
  locate(diagnostic, place);
  bool both_write = earlier_access != Access::read && access != Access::read;
  bool atomic = earlier_access == Access::atomic || access == Access::atomic;
  const std::uint32_t other_grid = grid_of(earlier);
  diagnostic.message =
      (other_grid != machine.grid->number
           ? grids_in_conflict(other_grid)
           : "Two threads of " + std::string(same_block(earlier) ? "one block" : "different blocks")) +
      " use " + (place.variable.empty() ? "the same global memory" : place.text()) +
      " and nothing orders them: " +
      (both_write ? "both write, so the value that stays depends on which comes last."
                  : "one writes while the other reads, so the value read depends on which comes first.");
  Participant first;
  first.action = access_text(earlier_access, size) + " of it";
  first.access = earlier_access;
  first.bytes = size;
  first.thread = thread_of(earlier);
  first.where = code_address(earlier_site);
  diagnostic.participants = {first,
                             accessing_thread(access, size, access_text(access, size) + " of it", site)};
  if (other_grid != machine.grid->number) { // the same thread of the same block may be on both sides
    diagnostic.participants[0].depth = depth_of_grid(other_grid);
    diagnostic.participants[1].depth = depth_of_grid(machine.grid->number);
    diagnostic.participants[0].action += place_of_grid(other_grid, machine.grid->number);
    diagnostic.participants[1].action += place_of_grid(machine.grid->number, other_grid);
  }
  tell_written(diagnostic, values);
  if (atomic) diagnostic.notes.push_back("an atomic update is safe only against other atomic updates");
  // Both do the same, as in `a[i] += 1`.
  diagnostic.alike =
      earlier_site == site || (earlier_access != Access::read && was_read_by(earlier, address));
  diagnostic.suggestion = other_grid != machine.grid->number
                              ? cure_of_grid_race(other_grid)
                              : cure_of_global_race(earlier, both_write, atomic, diagnostic.alike);
  record_race(std::move(diagnostic), earlier_site, site, known);
}

namespace {

void report_use_after_free(const Allocation& freed, std::uintptr_t address, unsigned size, Access access,
                           std::uintptr_t site) {
  if (already_recorded("use-after-free", site)) return;
  Diagnostic diagnostic = begin("use-after-free", Severity::error);
  diagnostic.variable = freed.name;
  diagnostic.message = "A thread " + access_text(access, size) + " of " + describe(freed) +
                       ", which has been freed with cudaFree. Its memory may belong to somebody else by now.";
  diagnostic.participants = {accessing_thread(
      access, size, access_text(access, size) + " at its byte " + std::to_string(address - freed.base),
      site)};
  diagnostic.suggestion =
      "free memory after the last kernel that uses it, and look for a pointer that was kept after "
      "cudaFree.";
  record(std::move(diagnostic), site);
}

} // namespace

namespace {

/// Whether the running block is the last one along one of the grid's dimensions.
bool in_last_block() {
  const simt_index3 &extent = machine.grid->extent, &index = machine.block->index;
  const bool only = extent.x == 1 && extent.y == 1 && extent.z == 1;
  return only || (extent.x > 1 && index.x + 1 == extent.x) || (extent.y > 1 && index.y + 1 == extent.y) ||
         (extent.z > 1 && index.z + 1 == extent.z);
}

std::string cure_of_out_of_bounds(std::uintptr_t address) {
  if (in_shared(address)) {
    const Block& owner = shared_owner(address);
    const SharedVariable* variable = nearest_shared_variable(owner, address);
    if (variable && address < owner.shared_base + variable->offset)
      return "find the thread and the turn of the loop for which the index is below 0, and leave that access "
             "out.";
    if (variable && variable->type->size == 0)
      return "count the bytes that the kernel uses: dynamic shared memory has as many as the launch asks "
             "for, in "
             "<<<grid, block, bytes>>>.";
    return "an array of n elements ends at index n - 1: find the thread and the turn of the loop that go "
           "beyond, or "
           "declare the array as large as they need.";
  }
  const Allocation* allocation = nearest_allocation(address);
  if (allocation && address < allocation->valid)
    return "compare the index with 0 before the access, and leave out what lies before the array.";
  return std::string("compare the index with the array's length before the access, as in `if (i < n)`") +
         (in_last_block() ? ", and check the grid's last block, which usually has threads to spare." : ".");
}

/// Nobody is near: no neighbour is blamed.
void describe_far_access(Diagnostic& diagnostic, std::uintptr_t address, unsigned size, Access access) {
  const Place place = place_below_zero(machine.block, address, size);
  locate(diagnostic, place);
  std::string from; // where it comes from, as far as that can be told
  if (!place.index.empty()) from = ", where " + place.text() + " would be";
  if (!place.variable.empty() && place.index.empty())
    from = ", where an index near 4294967296 leads in " + place.text();
  diagnostic.message =
      "A thread " + access_text(access, size) +
      " of memory that belongs to no variable or buffer: the address is far from all of them" + from +
      ". An unsigned index that goes below 0 leads so far: 0u - 1 is 4294967295.";
  diagnostic.suggestion =
      "look for a subtraction in the index: compare before it, as in `if (k <= last)`, since an "
      "unsigned difference is never below 0.";
}

} // namespace

void report_out_of_bounds(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  if (already_recorded("out-of-bounds", site)) return;
  const Allocation* freed = in_global(address) ? nearest_allocation(address) : nullptr;
  if (freed && !freed->live && address - freed->base < freed->bytes)
    return report_use_after_free(*freed, address, size, access, site);
  Diagnostic diagnostic = begin("out-of-bounds", Severity::error);
  if (is_far_away(machine.block, address)) {
    describe_far_access(diagnostic, address, size, access);
  } else {
    Place nearest = nearest_place(machine.block, address);
    locate(diagnostic, nearest);
    diagnostic.outside = outside_of(machine.block, address);
    std::string space = in_shared(address) ? "shared" : "global";
    diagnostic.message =
        "A thread " + access_text(access, size) + " of " + space +
        " memory that belongs to no variable or buffer: " + describe_distance(machine.block, address) + ".";
    diagnostic.suggestion = cure_of_out_of_bounds(address);
  }
  diagnostic.participants = {accessing_thread(access, size, access_text(access, size) + " there", site)};
  record(std::move(diagnostic), site);
}

void report_uninitialised(std::uintptr_t address, unsigned size, std::uintptr_t site) {
  if (already_recorded("uninitialised-read", site)) return;
  Diagnostic diagnostic = begin("uninitialised-read", Severity::error);
  Place place = find_place(machine.block, address);
  locate(diagnostic, place);
  bool shared = in_shared(address);
  diagnostic.message = "A thread reads " + plural(size, "byte") + " of " + place.text() +
                       ", which nobody has written: " +
                       (shared ? "shared memory starts with arbitrary contents in every block."
                               : "memory from cudaMalloc starts with arbitrary contents.");
  diagnostic.participants = {accessing_thread(Access::read, size, "reads it", site)};
  if (place.owner)
    diagnostic.suggestion =
        "let the block that owns it write every element first, and call cluster.sync() before "
        "any other block reads it.";
  else
    diagnostic.suggestion = shared
                                ? "let every element be written before any thread reads it (also the "
                                  "elements that lie beyond the end "
                                  "of the data), with a __syncthreads() in between."
                                : "write it first, with cudaMemset, cudaMemcpy or a kernel; or do not read "
                                  "what you are to overwrite.";
  record(std::move(diagnostic), site);
}

void report_misaligned(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  if (already_recorded("misaligned-access", site)) return;
  Diagnostic diagnostic = begin("misaligned-access", Severity::error);
  Place place = find_place(machine.block, address);
  locate(diagnostic, place);
  diagnostic.message = "A thread " + access_text(access, size) +
                       " at once at an address that is not a multiple of " + std::to_string(size) +
                       (place.variable.empty() ? "" : ": " + place.text()) +
                       ". The device refuses such an access and ends the kernel.";
  diagnostic.participants = {
      accessing_thread(access, size, access_text(access, size) + " at " + hexadecimal(address), site)};
  diagnostic.suggestion =
      "align what you cast to a wider type (a float4 needs 16 bytes), or handle the elements up to "
      "the first aligned one singly.";
  record(std::move(diagnostic), site);
}

void report_host_pointer(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  if (already_recorded("host-pointer-in-kernel", site)) return;
  bool null = address < 64 * 1024;
  Diagnostic diagnostic = begin(null ? "out-of-bounds" : "host-pointer-in-kernel", Severity::error);
  if (null) {
    diagnostic.message = "A thread " + access_text(access, size) + " through a null pointer (address " +
                         hexadecimal(address) + ").";
    diagnostic.suggestion = "check that cudaMalloc succeeded and that the pointer was passed to the kernel.";
  } else {
    const char* owner = "memory of the host program";
    HostRange range = classify_host_address(address);
    if (range == HostRange::stack) owner = "a local variable of the host program";
    if (range == HostRange::writable) owner = "a global variable of the host program";
    diagnostic.message =
        "A thread " + access_text(access, size) + " of " + owner + ". A kernel can only use device memory.";
    diagnostic.suggestion =
        range == HostRange::writable
            ? "declare the variable __device__ or __constant__, or pass its value as an argument."
            : "allocate with cudaMalloc, copy with cudaMemcpy, and pass that pointer.";
  }
  diagnostic.participants = {
      accessing_thread(access, size, access_text(access, size) + " at " + hexadecimal(address), site)};
  record(std::move(diagnostic), site);
}

void report_device_pointer_on_host(std::uintptr_t address, unsigned size, Access access,
                                   std::uintptr_t site) {
  if (already_recorded("device-pointer-on-host", site)) return;
  Diagnostic diagnostic = begin("device-pointer-on-host", Severity::error);
  Place place = find_place(nullptr, address);
  locate(diagnostic, place);
  diagnostic.message = "Host code " + access_text(access, size) + " of device memory" +
                       (place.variable.empty() ? "" : " (" + place.text() + ")") +
                       ". On a machine with a GPU this ends the program.";
  diagnostic.participants = {accessing_thread(access, size, access_text(access, size) + " of it", site)};
  diagnostic.suggestion = "copy it to the host with cudaMemcpy first, or do this in a kernel.";
  record(std::move(diagnostic), site);
}

void report_constant_write(std::uintptr_t address, unsigned size, std::uintptr_t site) {
  if (already_recorded("constant-write", site)) return;
  Diagnostic diagnostic = begin("constant-write", Severity::error);
  Place place = find_place(machine.block, address);
  locate(diagnostic, place);
  diagnostic.message = "A thread writes " + plural(size, "byte") + " of the __constant__ variable " +
                       place.text() + ", which kernels can only read.";
  diagnostic.participants = {accessing_thread(Access::write, size, "writes it", site)};
  diagnostic.suggestion = "set it from the host with cudaMemcpyToSymbol, or make the variable __device__.";
  record(std::move(diagnostic), site);
}

} // namespace simt
