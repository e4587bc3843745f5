// The catalogue of findings: for each id, and each kind of it, what it says, what its parties do and what helps against
// it. A finding is data; every word about it is here. docs/simulator.md has the same as a page (unit.catalogue-page).
//
// A text has places for facts of the finding, which wording.cpp knows by name: {place} stands for the fact, {place|it}
// for "it" where it is not known, and { (<place>)} for the fact and what is around it, or for nothing. {limit} is a plain
// number, {limit:,} one in groups of digits, {limit:KiB} one of these units, and {limit:byte} "1 byte" or "2 bytes".
#pragma once

#include "simt/report/report.hpp"
#include "simt/runtime/machine/limits.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

namespace simt {

/// A text for findings of which something holds; for any if `holds` is null.
struct Choice {
  bool (*holds)(const Finding& finding) = nullptr;
  const char* text = "";
};

/// One text, or several of which the first that fits is reported.
class Choices {
public:
  constexpr Choices(const char* text) : one_{nullptr, text} {}
  template <std::size_t Count>
  constexpr Choices(const Choice (&several)[Count]) : several_(several) {}
  constexpr std::span<const Choice> all() const { return several_.empty() ? std::span(&one_, 1) : several_; }

private:
  Choice one_;
  std::span<const Choice> several_;
};

/// Which of several kinds of an id, and the facts that findings of this kind have: all of those, and no other ones.
struct WithFacts : std::string_view {
  constexpr WithFacts(const char* name, fact::Set its_facts = 0) : std::string_view(name), facts(its_facts) {}
  constexpr WithFacts operator()(const char* name) const { return {name, facts}; }
  fact::Set facts;
};

struct Wording {
  std::string_view id;
  WithFacts kind;
  const char* message; ///< one or two sentences that need no source line to be understood
  Choices cure;
  const char* action = "";       ///< what its first participant does
  const char* other_action = ""; ///< and its second one
  Severity severity = Severity::error;
};

// What the choices ask for, and what wording.cpp tells from.
inline const Participant& party(const Finding& finding, std::size_t number) {
  static const Participant absent;
  return number < finding.participants.size() ? finding.participants[number] : absent;
}
inline ThreadId thread_of(const Participant& who) { return who.thread.value_or(ThreadId{}); }
inline bool is_ancestor(const Participant& who) { return who.kin == Kin::parent || who.kin == Kin::ancestor; }
inline bool is_descendant(const Participant& who) {
  return who.kin == Kin::child || who.kin == Kin::descendant;
}
inline bool has_party_that(const Finding& finding, Access access) {
  return std::ranges::find(finding.participants, access, &Participant::access) != finding.participants.end();
}

inline bool has_atomic(const Finding& race) { return has_party_that(race, Access::atomic); }
inline bool has_atomic_and_plain(const Finding& race) { return has_atomic(race) && race.kind.empty(); }
inline bool has_two_writes(const Finding& race) { return !has_party_that(race, Access::read); }
inline bool has_written(const Finding& race) {
  return race.has<fact::Written>([](const auto& written) { return written.value.has_value(); });
}
inline bool is_alike(const Finding& race) { return race.has(fact::Alike{true}); }
/// Of a block that has no other warp.
inline bool is_within_lone_warp(const Finding& race) {
  return within_warp(race) && volume(race.block) <= lanes_per_warp;
}
inline bool is_between_grids(const Finding& race) { return party(race, 0).depth.has_value(); }
/// The first party's grid has launched the second one's.
inline bool began_in_parent(const Finding& race) {
  return is_between_grids(race) && is_ancestor(party(race, 0));
}
inline bool began_in_child(const Finding& race) {
  return is_between_grids(race) && is_descendant(party(race, 0));
}
inline bool has_two_indices(const Finding& race) {
  return thread_of(party(race, 0)).thread != thread_of(party(race, 1)).thread;
}
/// It is about several elements.
inline bool is_of_elements(const Finding& race) {
  return race.has<Spread>([](const Spread& spread) { return spread.elements; });
}
/// Each place is read by others, and written by one thread only.
inline bool has_lone_writers(const Finding& race) {
  return race.has<Spread>([](const Spread& spread) { return spread.lone_writers; });
}
/// Of threads of two blocks: their threadIdx is not the same, or not always.
inline bool has_several_indices(const Finding& race) {
  return has_two_indices(race) || race.has<Spread>([](const Spread& spread) { return spread.indices; });
}
/// Both threads do the same to a place without an atomic: `a[i] += 1`, `a[i] = 1`.
inline bool is_plain_update(const Finding& race) {
  return is_alike(race) && !has_atomic(race) && !has_lone_writers(race);
}
/// Threads read what others have, and each writes what it has read itself.
inline bool is_in_place(const Finding& race) {
  return is_alike(race) && has_lone_writers(race) && is_of_elements(race);
}
/// Two threads do the same with the same two elements, in turned roles: both write both of them.
inline bool is_exchange(const Finding& race) {
  return !has_atomic(race) && !has_lone_writers(race) &&
         race.has<Spread>([](const Spread& spread) { return spread.pairs; });
}
/// The same, but each of the two writes one of them, and they are of two blocks.
inline bool is_crosswise(const Finding& race) {
  return !within_block(race) && has_lone_writers(race) &&
         race.has<Spread>([](const Spread& spread) { return spread.pairs; });
}
/// About one element that several threads write.
inline bool has_several_writers(const Finding& race) {
  return !has_atomic(race) && race.has<Spread>([](const Spread& spread) { return spread.writers && !spread.elements; });
}
/// By the same thread of two blocks.
inline bool is_plain_and_alike(const Finding& race) {
  return is_plain_update(race) && !has_several_indices(race);
}
/// Threads of a block that all come to one statement with the same index: what none of them orders by a barrier.
inline bool is_one_statement(const Finding& race) { return is_plain_update(race) && within_block(race); }
/// Threads come to one statement with the same index, which is not always the same one.
inline bool shares_elements(const Finding& race) {
  return is_plain_update(race) && is_of_elements(race) && (within_block(race) || has_several_indices(race));
}
inline bool shares_written_elements(const Finding& race) {
  return shares_elements(race) && has_two_writes(race);
}
inline bool is_one_write(const Finding& race) { return is_one_statement(race) && has_two_writes(race); }
inline bool ends_at_first_thread(const Finding& race) { return thread_of(party(race, 1)).thread == Extent{}; }
/// That by which all blocks add, or of which each takes an index that it has in common with the others.
inline bool is_of_first_threads(const Finding& race) {
  return is_plain_and_alike(race) && ends_at_first_thread(race);
}
/// A plain read beside atomic updates.
inline bool reads_what_others_update(const Finding& race) {
  return has_atomic(race) && has_party_that(race, Access::read);
}
/// A plain write, as of a start value, beside atomic updates.
inline bool sets_what_others_update(const Finding& race) {
  return has_atomic(race) && has_party_that(race, Access::write);
}
inline bool is_in_shared_memory(const Finding& finding) { return finding.space == Space::shared; }
/// In the memory of a CUDA array.
inline bool is_in_array(const Finding& finding) { return finding.in_array; }
inline bool is_of_another_block(const Finding& finding) { return finding.owner.has_value(); }
inline bool is_below_array(const Finding& finding) {
  return finding.has<Outside>([](const Outside& outside) { return outside.side == Outside::Side::before; });
}
/// A vector of several elements, of which not all are in the array.
inline bool is_vector_across_end(const Finding& finding) {
  return finding.has<Outside>([&](const Outside& outside) {
    return outside.side == Outside::Side::across && outside.element_bytes != 0 &&
           party(finding, 0).bytes > outside.element_bytes;
  });
}
inline bool is_below_shared_array(const Finding& finding) {
  return is_in_shared_memory(finding) && is_below_array(finding);
}
inline bool is_beyond_dynamic_memory(const Finding& finding) {
  return is_in_shared_memory(finding) &&
         finding.has<Outside>([](const Outside& outside) { return outside.dynamic; });
}
/// The last one in one of the grid's directions.
inline bool is_in_last_block(const Finding& finding) {
  const Extent block = thread_of(party(finding, 0)).block;
  const auto ends = [&](std::size_t i) { return finding.grid[i] > 1 && block[i] + 1 == finding.grid[i]; };
  return volume(finding.grid) == 1 || ends(0) || ends(1) || ends(2);
}
inline bool has_no_cluster(const Finding& finding) {
  return finding.has<fact::Rank>([](const auto& rank) { return rank.value[1] == 1; });
}
inline bool is_crowded(const Finding& finding) { return finding.has(fact::Crowded{true}); }
inline bool writes(const Finding& finding) { return party(finding, 0).access == Access::write; }
inline bool names_a_copy(const Finding& finding) {
  return finding.has<fact::Subject>(
      [](const auto& subject) { return subject.value.find("Memcpy") != std::string::npos; });
}
inline bool is_in_kernel(const Finding& finding) { return party(finding, 0).thread.has_value(); }
/// The grid has a thread for each element of an array whose bytes are as many as its elements were to be, or as pointers to them take.
inline bool is_allocated_too_small(const Finding& finding) {
  const Outside* outside = finding.get<Outside>();
  if (finding.id != "out-of-bounds" || !outside || outside->side == Outside::Side::before || finding.space != Space::global) return false;
  const std::uint64_t threads = volume(finding.grid) * volume(finding.block);
  const auto is_meant_for = [&](std::uint64_t unit) {
    const std::uint64_t elements = outside->array_bytes / unit;
    return outside->element_bytes > unit && elements <= threads && threads - elements < volume(finding.block);
  };
  return is_meant_for(1) || is_meant_for(sizeof(void*));
}
/// Of numbers that the launch has, or that are a product of two of them: how many elements the array was to have, if their bytes, or
/// they themselves, were cut to 32 bits before they were allocated; else 0.
inline std::uint64_t elements_before_cut(const Finding& finding) {
  const Outside* outside = finding.get<Outside>();
  if (!outside || outside->side == Outside::Side::before || finding.space != Space::global || outside->element_bytes == 0) return 0;
  constexpr std::uint64_t cut = std::uint64_t{1} << 32, most = cut << 16;
  const std::uint64_t size = outside->element_bytes, bytes = outside->array_bytes;
  if (is_near_cut_end(*outside)) return (bytes + (outside->distance + cut - 1) / cut * cut) / size;
  const auto is_cut = [&](std::uint64_t elements) {
    return elements <= most && ((elements * size >= cut && elements * size % cut == bytes) ||
                                (elements >= cut && elements % cut * size == bytes));
  };
  const std::uint64_t threads = volume(finding.grid) * volume(finding.block);
  const std::uint64_t spare = (threads * size - bytes) % cut;
  if (spare % size == 0 && spare / size < volume(finding.block) && is_cut(threads - spare / size)) return threads - spare / size;
  std::vector<std::uint64_t> numbers;
  if (finding.launch)
    for (const Argument& argument : finding.launch->arguments)
      if (std::uint64_t number = 0; std::from_chars(argument.value.data(), argument.value.data() + argument.value.size(), number).ec == std::errc())
        numbers.push_back(number);
  for (const std::uint64_t one : numbers) {
    if (is_cut(one)) return one;
    for (const std::uint64_t other : numbers)
      if (one < cut && other < cut && is_cut(one * other)) return one * other;
  }
  return 0;
}
inline bool is_cut_to_32_bits(const Finding& finding) { return elements_before_cut(finding) != 0; }
/// Whether the launch is passed this number.
inline bool is_passed(const Finding& finding, std::uint64_t number) {
  const std::string text = std::to_string(number);
  return finding.launch && std::ranges::find(finding.launch->arguments, text, &Argument::value) !=
                               finding.launch->arguments.end();
}
/// Where it lies behind an array of several elements in global memory, or nothing.
inline const Outside* behind_elements(const Finding& finding) {
  const Outside* outside = finding.get<Outside>();
  const bool is_behind = outside && outside->side == Outside::Side::past && finding.space == Space::global &&
                         outside->element_bytes != 0 && outside->array_bytes > outside->element_bytes;
  return is_behind ? outside : nullptr;
}
/// How large elements are that the kernel sees in an array which was allocated for smaller ones, as a vector type's; else 0.
inline std::uint64_t larger_element(const Finding& finding) {
  const Outside* outside = behind_elements(finding);
  if (!outside) return 0;
  std::uint64_t size = party(finding, 0).bytes;
  if (finding.launch)
    for (const Argument& argument : finding.launch->arguments)
      if (argument.variable == finding.variable && !finding.variable.empty())
        size = std::max(size, argument.element_bytes);
  const std::uint64_t own = outside->element_bytes;
  const bool is_vector = size > own && size % own == 0 && size <= 4 * own;
  return is_vector && is_passed(finding, outside->array_bytes / own) &&
                 !is_passed(finding, outside->array_bytes / size)
             ? size
             : 0;
}
inline bool has_larger_elements(const Finding& finding) { return larger_element(finding) != 0; }
/// Of elements of a smaller type, for which an array has as many bytes as one that the launch is passed the number of: their size; else 0.
inline std::uint64_t smaller_element(const Finding& finding) {
  const Outside* outside = behind_elements(finding);
  if (!outside || !finding.launch) return 0;
  for (const std::uint64_t size : {1, 2, 4, 8})
    if (size < outside->element_bytes && outside->array_bytes % size == 0 &&
        is_passed(finding, outside->array_bytes / size))
      return size;
  return 0;
}
inline bool is_for_smaller_elements(const Finding& finding) { return smaller_element(finding) != 0; }
/// The rows of memory with a pitch were asked for by the number of their elements, and are as short as that.
inline bool has_short_rows(const Finding& finding) {
  const Outside* outside = behind_elements(finding);
  return outside && outside->pitch != 0 && outside->pitch < outside->width * outside->element_bytes &&
         is_passed(finding, outside->width);
}
/// The row that is accessed is so many times too far as an element has bytes: a pitch was taken for a number of elements.
inline bool has_pitch_of_elements(const Finding& finding) {
  const Outside* outside = behind_elements(finding);
  if (!outside || outside->pitch == 0 || outside->element_bytes == 1) return false;
  const std::uint64_t row = (outside->array_bytes + outside->distance) / outside->pitch,
                      size = outside->element_bytes;
  const ThreadId who = thread_of(party(finding, 0));
  bool is_row = false, is_far = false;
  for (std::size_t i = 0; i < 3; ++i)
    for (const std::uint64_t own : {std::uint64_t{who.block[i]} * finding.block[i] + who.thread[i],
                                    std::uint64_t{who.block[i]}, std::uint64_t{who.thread[i]}}) {
      is_row |= own == row;
      is_far |= own != 0 && own * size == row;
    }
  return is_far && !is_row;
}
/// What is known of it says more than the comparison that it has passed.
inline bool is_explained(const Finding& finding) {
  return is_allocated_too_small(finding) || is_cut_to_32_bits(finding) || has_short_rows(finding) ||
         has_pitch_of_elements(finding) || is_for_smaller_elements(finding) || has_larger_elements(finding);
}
/// An access as large as a pointer.
inline bool has_pointers(const Finding& finding) { return party(finding, 0).bytes == sizeof(void*); }
/// To shared memory, of which each may be right for an array of its own.
inline bool writes_of_two_sizes(const Finding& finding) {
  return party(finding, 0).access == Access::write && party(finding, 1).access == Access::write &&
         party(finding, 0).bytes != party(finding, 1).bytes;
}
inline bool has_refused(const Finding& finding) { return finding.get<Refused>() != nullptr; }
/// Of dynamic shared memory; no cudaFuncSetAttribute can help then.
inline bool has_grid_below_zero(const Finding& finding) {
  return finding.has<Refused>([](const Refused& refused) {
    return std::ranges::any_of(refused.grid, [](unsigned extent) { return extent > 0x7fffffffu; });
  });
}
inline bool asks_for_more_than_a_block_has(const Finding& finding) {
  return finding.has<Refused>([](const Refused& refused) { return refused.asked > opt_in_shared_limit; });
}
inline bool was_allowed_other_memory(const Finding& finding) {
  return finding.has<Refused>([](const Refused& refused) { return refused.allowed != default_shared_limit; });
}
/// It follows from a barrier that is named, and not called.
inline bool lacks_a_barrier_call(const Finding& finding) { return finding.cause == "barrier-not-called"; }
/// In memory that two arrays share, one of which loses what was written into it.
inline bool follows_from_shared_names(const Finding& finding) { return finding.cause == "shared-names"; }
/// What is to order it is a lock that is not taken, or given back, as it has to be.
inline bool follows_from_lock(const Finding& finding) {
  return finding.cause == "global-race" || finding.cause == "shared-race";
}
inline bool has_index_of_a_short(const Finding& finding) { return finding.has(fact::IndexBits{16}); }
/// A number of bytes that was a signed one.
inline bool is_below_zero(const Finding& finding) {
  const fact::Amount* amount = finding.get<fact::Amount>();
  return amount && static_cast<std::int64_t>(amount->value) < 0;
}
inline bool is_near_null(const Finding& finding) {
  return finding.address != 0 && finding.address < null_page;
}
/// One lane or thread is missing.
inline bool is_for_one(const Finding& finding) {
  return finding.has(fact::Amount{1}) ||
         finding.has<fact::Lanes>([](const auto& lanes) { return std::has_single_bit(lanes.value); });
}

// Clauses that host code crashes with, too.
inline constexpr const char* reached_impossible_code =
    "it reached code that is marked as impossible, as by __builtin_unreachable()";
inline constexpr const char* used_unmapped_address = "it used an address that is not mapped";
inline constexpr const char* used_misaligned_address = "it used an address that is not mapped or not aligned";

inline constexpr const char* barrier_between_accesses =
    "put __syncthreads() between the two accesses, at a place that every thread of the block reaches.";
inline constexpr const char* syncwarp_alone =
    "put __syncwarp() (or __syncthreads()) between the two accesses; threads of one warp do not run in step "
    "by themselves.";
inline constexpr const char* barrier_or_syncwarp =
    "both threads are lanes of one warp, and lanes do not run in step by themselves, nor does volatile order them. "
    "Where only this warp uses the elements, as in the last steps of a reduction, let each step read, then write: "
    "`v = s[t + d]; __syncwarp(); s[t] += v; __syncwarp();`. Where other warps use them too, put __syncthreads() "
    "between the two accesses, at a place that every thread of the block reaches.";

inline constexpr const char* one_thread_writes =
    "let one thread of the block do it, as in `if (threadIdx.x == 0)`. If every thread is to have an element "
    "of its own, the index has to differ from thread to thread. If one value of all is to stay, as the "
    "largest or smallest, use "
    "atomicMax or atomicMin. A barrier helps only between two turns of a loop.";
inline constexpr const char* one_thread_adds =
    "let one thread of the block do it, as in `if (threadIdx.x == 0)`, if one has all that is to be added; "
    "else combine the values with an atomic such as atomicAdd, which reads, adds and writes in one step. A "
    "barrier helps only between two turns of a loop.";

inline constexpr const char* one_thread_writes_each =
    "let every element be written by one thread only: look at the index, and in a loop at its step, which is "
    "the number of all threads that share the loop (`gridDim.x * blockDim.x` for those of a grid).";
inline constexpr const char* one_thread_or_atomic =
    "if every element is meant for one thread, look at the index, and in a loop at its step, which is the "
    "number of all threads that share the loop (`gridDim.x * blockDim.x` for those of a grid). If threads "
    "are to share elements, as the counters of a histogram, use an atomic such as atomicAdd, which reads, "
    "adds and writes in one step.";

inline constexpr const char* exchange_by_one =
    "both threads exchange the same two elements, which puts them back, or leaves one value twice: let only "
    "one of the two do it, as "
    "in `if (x < y)` for the elements (x, y) and (y, x) of a matrix, or `if (i < n - 1 - i)` for i and n - 1 "
    "- i. No barrier helps. Or "
    "let each thread write its element of another array.";
inline constexpr const char* two_arrays_or_one =
    "each of the two threads reads what the other one writes, and blocks run in any order: write to another "
    "array. If the two only "
    "exchange their elements, let one of them do both: `v = a; a = b; b = v;` behind `if (x < y)`.";

inline constexpr const char* lock_first =
    "make the lock right first (see the race for the lock), and look whether this is still there.";
inline constexpr const char* barrier_call_first =
    "write the barrier's parentheses first (see barrier-not-called), and look whether this is still there.";
inline constexpr Choice shared_race_cures[] = {
    {lacks_a_barrier_call, barrier_call_first},
    {follows_from_lock, lock_first},
    {follows_from_shared_names, "give each of the two arrays bytes of its own first (see shared-names), and "
                                "look whether this is still there."},
    {writes_of_two_sizes, "the two lines write {bytes written first} and {bytes written second} bytes: if "
                          "they belong to two arrays in one buffer, "
                          "these lie on each other. The second one begins behind the first, after n * "
                          "sizeof(T) bytes of a char pointer, or after n "
                          "elements of a T pointer."},
    {is_exchange, exchange_by_one},
    {is_crosswise, two_arrays_or_one},
    {shares_written_elements, one_thread_writes_each},
    {shares_elements, one_thread_or_atomic},
    {is_one_write, one_thread_writes},
    {is_one_statement, one_thread_adds},
    {is_within_lone_warp, syncwarp_alone},
    {within_warp, barrier_or_syncwarp},
    {within_block, barrier_between_accesses},
    {nullptr, "put cluster.sync() between the two accesses, at a place that every thread of the cluster "
              "reaches; __syncthreads() orders the threads of one block only."}};

inline constexpr Choice global_race_cures[] = {
    {lacks_a_barrier_call, barrier_call_first},
    {follows_from_lock, lock_first},
    {began_in_parent,
     "a child sees what the launching thread wrote or knew of before the launch: put __syncthreads() before "
     "the launch if other threads of the block wrote it, and launch into cudaStreamTailLaunch if other "
     "blocks do. A parent does not see its child's results: what needs them is a kernel of its own, which "
     "the parent "
     "launches into cudaStreamTailLaunch behind the child."},
    {began_in_child, "if this access belongs before the launch, put __syncthreads() before the launch; if it "
                     "needs the child's results, launch it as a kernel into cudaStreamTailLaunch, because "
                     "device code cannot wait for a child."},
    {is_between_grids,
     "if each of the two is to work on data of its own, look at what the launch passes to it, and at how "
     "many threads come to the launch; if they are to share data, launch both into the same stream of one "
     "block, or the later one into cudaStreamTailLaunch, so that one waits for the other."},
    {is_exchange, exchange_by_one},
    {is_crosswise, two_arrays_or_one},
    {shares_written_elements, one_thread_writes_each},
    {shares_elements, one_thread_or_atomic},
    {is_one_write, one_thread_writes},
    {is_one_statement, one_thread_adds},
    {is_within_lone_warp, syncwarp_alone},
    {within_warp, barrier_or_syncwarp},
    {within_block, barrier_between_accesses},
    {is_in_place,
     "blocks run in any order, and __syncthreads() waits for the threads of one block only: read from one "
     "array and write to another, which the next launch reads; or write the new values in a second kernel."},
    {is_of_first_threads,
     "combine the values with an atomic such as atomicAdd, which reads, adds and writes in one step. Or, if "
     "each block is to have an element of its own, the index needs blockIdx: both threads have the same "
     "threadIdx. If it is a lock, a plain read and a plain write cannot take it: use atomicCAS(&lock, 0, 1) "
     "== 0, "
     "and give it back with __threadfence() and atomicExch(&lock, 0)."},
    {is_plain_and_alike,
     "both threads have the same threadIdx: if each block is to work on elements of its own, the index needs "
     "blockIdx, as in `blockIdx.x * blockDim.x + threadIdx.x`. If the element is meant to be shared, combine "
     "the values with an atomic such as atomicAdd."},
    {sets_what_others_update,
     "a start value has to be there before the kernel that adds begins: set it with cudaMemset or in a "
     "kernel that is launched before. If it is no start value, make this access atomic, too."},
    {reads_what_others_update,
     "make both accesses atomic, or leave the plain one to a kernel that is launched afterwards. A loop that "
     "waits for the value has to read it by an atomic (cuda::atomic_ref, or atomicAdd(p, 0)) or through a "
     "volatile pointer: a plain read may be made once, before the loop."},
    {has_atomic,
     "make both accesses atomic, or leave the plain one to a kernel that is launched afterwards."},
    {has_two_writes,
     "let every element be written by one thread only, or combine the values with an atomic "
     "such as atomicAdd, or atomicMax or atomicMin where the largest or smallest is to stay."},
    {has_several_indices, "{blocks in any order}"},
    {ends_at_first_thread, "{blocks in any order} But {one index for all blocks}"},
    {nullptr, "{one index for all blocks} Otherwise {blocks in any order}"}};

inline constexpr Choice out_of_bounds_cures[] = {
    {is_vector_across_end,
     "the access takes {elements:element} from this index on: compare the index of the last one with the "
     "bound, "
     "as in `if (i + {elements further} < n)`, and handle the elements that are left singly."},
    {is_below_shared_array,
     "find the thread and the turn of the loop for which the index is below 0, and leave that access out."},
    {is_beyond_dynamic_memory,
     "count the bytes that the kernel uses: dynamic shared memory has as many as "
     "the launch asks for, in <<<grid, block, bytes>>>. A pointer plus k is k elements on, "
     "whatever their size: sizeof belongs into the launch, and not there."},
    {is_in_shared_memory, "an array of n elements ends at index n - 1: find the thread and the turn of the "
                          "loop that go beyond, or declare the array as large as they need."},
    {is_allocated_too_small,
     "look where {memory|the array} is allocated: cudaMalloc counts bytes, and n elements are n * sizeof(T) "
     "bytes, with an element's type for T "
     "and no pointer's. The launch has threads for more elements than there is room for."},
    {is_cut_to_32_bits, "look where {memory|the array} is allocated, with {array bytes:byte}: {elements "
                        "before cut:element} are {bytes before cut} bytes, and "
                        "this number was cut to 32 bits. {size in 64 bits}"},
    {has_short_rows, "look where {memory|the array} is allocated: cudaMallocPitch was asked for rows of "
                     "{width:byte}, and counts the width of a row in bytes. "
                     "Rows of as many elements take width * sizeof(T)."},
    {has_pitch_of_elements, "the rows lie {pitch:byte} apart. A pitch counts bytes, and an index elements: "
                            "with the pitch as its factor it leads {element size} times "
                            "too far. Element x of row y is `((T*)((char*)p + y * pitch))[x]`."},
    {is_for_smaller_elements, "look where {memory|the array} is allocated: its {array bytes:byte} are "
                              "{elements that fit:element} of {smaller element:byte}, and an element has "
                              "{element size:byte} here. Allocate n * sizeof(T), with the type of the "
                              "elements for T; or let the bound and the grid count these larger "
                              "elements, of which there are fewer."},
    {has_larger_elements, "the kernel takes {memory|the array} as elements of {larger element:byte}, and it "
                          "was allocated as elements of {element size:byte}: its {array "
                          "bytes:byte} are {larger elements:element} of the former. Let the bound and the "
                          "grid count these, as in `n / {times larger}`."},
    {is_below_array, "compare the index with 0 before the access, and leave out what lies before the array."},
    {is_in_last_block, "compare the index with the array's length before the access, as in `if (i < n)`, and "
                       "check the grid's last block, which usually has threads to spare."},
    {nullptr, "compare the index with the array's length before the access, as in `if (i < n)`."}};

/// How an index is made that has passed a comparison.
enum class Made { plainly, of_rows, of_pitch, without_body, always };
/// Behind the comparison that a thread has passed before it accessed what lies beyond an array, by how its index is made.
inline constexpr struct LetsThrough {
  Made made;
  const char* text;
} lets_through[] = {
    {Made::plainly, "lets this index through: either this bound is wrong, or the index that is made of what "
                    "is compared, or the "
                    "array is too small. An array of n elements ends at index n - 1."},
    {Made::of_rows, "lets this index through: either this bound is wrong, or the index that is made of what "
                    "is compared, or the "
                    "array is too small. In a matrix that lies row by row the index is `row * width + "
                    "column`: the factor is the "
                    "length of a row, and not the number of rows."},
    {Made::of_pitch,
     "lets this index through, and these rows lie {pitch:byte} apart. A pitch counts bytes, and an index "
     "elements: "
     "element x of row y is `((T*)((char*)p + y * pitch))[x]`. If that is so, the bound is wrong."},
    {Made::without_body, "guards nothing: the `;` is all that belongs to this `if`, and what stands below is "
                         "done in any case. Remove "
                         "the `;`."},
    {Made::always, "lets every index through: a value is always unequal to one of two, so `||` makes the "
                   "condition true for all. Write "
                   "`&&` in its place."},
};

inline constexpr Choice uninitialised_cures[] = {
    {lacks_a_barrier_call, barrier_call_first},
    {is_of_another_block, "let the block that owns it write every element first, and call cluster.sync() "
                          "before any other block reads it."},
    {is_in_shared_memory, "let every element be written before any thread reads it (also the elements that "
                          "lie beyond the end of the data), with a __syncthreads() in between."},
    {is_in_array,
     "write it first, with cudaMemcpy2DToArray, cudaMemcpy3D or a kernel that writes a surface."},
    {nullptr,
     "write it first, with cudaMemset, cudaMemcpy or a kernel; or do not read what you are to overwrite."}};

inline constexpr Choice failed_call_cures[] = {
    {is_in_array, "write the array with cudaMemcpy2DToArray or cudaMemcpy3D, and check what {subject} returns."},
    {names_a_copy, "look at the direction of the copy (cudaMemcpyHostToDevice writes to the device) and at "
                   "both pointers; and check what {subject} returns."},
    {nullptr, "pass the pointer to device memory itself, and not its address (`p`, not `&p`), and as many "
              "bytes as it has; and check what {subject} returns."}};
inline constexpr const char* copy_direction =
    "the first argument is where the bytes go, and the second where they come from: cudaMemcpyHostToDevice copies to "
    "the device, cudaMemcpyDeviceToHost back.";
inline constexpr Choice device_pointer_on_host_cures[] = {
    {writes,
     "write it from the host with cudaMemset or cudaMemcpy, before the launch of the kernel that needs it."},
    {has_pointers, "copy it to the host with cudaMemcpy first, or do this in a kernel. If host code fills it with pointers, as in "
                   "cudaMalloc(&rows[i], bytes), it has to be an array of the host, which cudaMemcpy brings to the device then."},
    {nullptr, "copy it to the host with cudaMemcpy first, or do this in a kernel."}};

inline constexpr Choice symbol_on_host_cures[] = {
    {writes, "set it with cudaMemcpyToSymbol, or declare it __managed__, which both sides can use by its name."},
    {nullptr, "copy it to the host with cudaMemcpyFromSymbol, or declare it __managed__, which both sides can use "
              "by its name."}};

inline constexpr Choice returned_before_writing_cures[] = {
    {is_of_another_block,
     "let the block that owns it write every element first, and call cluster.sync() before any other block "
     "reads it; no thread returns before both. In the place of the `return`, put the condition around the "
     "work."},
    {nullptr,
     "let every element be written before any thread reads it (also the elements that lie beyond the end "
     "of the data), with a __syncthreads() in between. If the threads that returned were to write it, put "
     "the condition around the work that they have not, in the place of the `return`."}};

inline constexpr Choice sizes_that_fit[] = {
    {is_below_zero,
     "a size_t is never below 0: the number was an int before, and either too small or too large for that. A product of ints "
     "that is 2147483648 or more goes on below 0. {size in 64 bits}"},
    {nullptr, "check the size (is it in bytes?), free what is no longer needed, and use the error that cudaMalloc "
              "returns."}};

inline constexpr Choice cluster_rank_cures[] = {
    {has_no_cluster, "launch with cudaLaunchKernelEx and cudaLaunchAttributeClusterDimension, or give the "
                     "kernel __cluster_dims__."},
    {nullptr, "compute the rank modulo cluster.num_blocks(), or check it against that."}};

inline constexpr const char* changing_condition =
    "check that the loop's condition changes in every round, for every thread.";
inline constexpr const char* changing_condition_or_read =
    "check that the loop's condition changes in every round, for every thread. If the loop waits for what "
    "another thread writes, a plain read may be made once, before the loop: read through a volatile pointer "
    "or "
    "by an atomic (cuda::atomic_ref, or atomicAdd(p, 0)). Where blocks wait for each other, all of them have "
    "to "
    "run together: launch with cudaLaunchCooperativeKernel, and use grid.sync().";
inline constexpr Choice fewer_blocks = {
    is_crowded,
    "check that the loop's condition changes in every round, for every thread; or launch fewer blocks: "
    "there are {blocks} of {threads:thread}, and the device holds {blocks held} at once. Blocks that wait for all others "
    "can end there instead: a second launch begins when all blocks of the first one have ended."};
inline constexpr Choice step_budget_cures[] = {fewer_blocks, {nullptr, changing_condition}};

inline constexpr Choice block_budget_cures[] = {
    fewer_blocks,
    {nullptr,
     "check that the loop's condition changes in every round, for every thread; if the loop does end, "
     "--steps gives each block more."}};

inline constexpr const char* barrier_out_of_branch =
    "move {barrier} out of the branch or loop that only some threads execute; keep the condition around the "
    "work, not around the barrier.";
inline constexpr const char* barrier_out_of_loop =
    "if an `if` inside of the loop is around {barrier}, move the barrier behind this `if`, still inside of the loop. If the loop itself "
    "has fewer turns for some threads, let all make the same number of turns, with the condition around the work and not around the "
    "barrier; or, if it is needed only once, move it after the loop.";
inline constexpr const char* work_in_place_of_return =
    "let all of them come there: in the place of the `return`, put the condition around the work of those "
    "that have some.";
inline constexpr const char* not_allocated =
    "allocate with cudaMalloc, copy with cudaMemcpy, and pass that pointer. A structure that is copied takes the "
    "pointers in it along as they are: what they lead to needs memory on the device of its own, whose address goes into "
    "the copy.";
inline constexpr const char* check_pointers = "check the pointers that this line uses.";
inline constexpr const char* same_lanes =
    "move the call out of the branch or loop that only some lanes execute, and let all lanes make it; the "
    "condition belongs around what is done with the value. A mask of fewer lanes is for values that only "
    "these exchange.";
inline constexpr const char* same_group_calls =
    "let every thread of the {group} reach the same {group}.sync() calls: keep conditions and early returns "
    "around the work, not around the barrier.";
inline constexpr const char* exact_pointer =
    "give cudaFree exactly the pointer that cudaMalloc has stored; free host memory with what belongs to its "
    "allocation (free, delete, cudaFreeHost).";
inline constexpr const char* free_by_its_function =
    "free each block once, by the function that belongs to its allocation: cudaMalloc and cudaFree, "
    "cudaMallocHost and cudaFreeHost, malloc "
    "and free.";
inline constexpr const char* value_itself =
    "pass the value itself, or put the data into global memory before the launch.";

inline constexpr const char* divide_by_hand = "let the second array begin after all elements of the first "
                                              "one. A pointer plus k is k of its own elements on: n elements "
                                              "take n with a pointer of their type, and n * sizeof(T) with a "
                                              "pointer to char. Ask for the bytes of both in the launch.";

template <typename... Facts>
inline constexpr WithFacts with("", fact::of<Facts...>);
inline constexpr WithFacts of_race = with<fact::Written, fact::Alike, Spread>,
                           of_subject = with<fact::Subject>,
                           of_texel_call = with<fact::Subject, fact::Amount, Texels>,
                           of_amount_and_limit = with<fact::Amount, fact::Limit>,
                           of_lanes = with<fact::Lanes>, of_group = with<fact::Group>,
                           of_call = with<fact::Subject, fact::Error>,
                           of_call_with_bytes = with<fact::Subject, fact::Error, fact::Amount, fact::Limit>,
                           of_call_about_event = with<fact::Subject, fact::Error, fact::Amount>;

/// In the order of the page.
inline constexpr Wording catalogue[] = {
    {"global-race", of_race,
     "{parties} use {place|the same global memory} and nothing orders them: {conflict}.", global_race_cures,
     "{access} of it{in its grid}", "{access} of it{in its grid}"},
    {"global-race", of_race("scope"),
     "{parties} use {place|the same global memory} by atomic operations whose scope is one block: they are "
     "atomic only among the threads of a block, so that updates of others may be lost.",
     "give the operations the scope of all who use the variable: cuda::thread_scope_device, or a function "
     "without _block such as atomicAdd.",
     "{access} of it{in its grid}", "{access} of it{in its grid}"},
    {"shared-race", of_race,
     "Two threads use {place|the same shared memory} and nothing orders them: {conflict}.", shared_race_cures,
     "{access} of it", "{access} of it"},
    {"out-of-bounds", with<Outside>,
     "A thread {access} of {space} memory that belongs to no variable or buffer: it lies {distance} {array}.",
     out_of_bounds_cures, "{access} there"},
    {"out-of-bounds", "no-array",
     "A thread {access} of {space} memory that belongs to no variable or buffer: {nothing there}.",
     "look where the pointer comes from: there is nothing that it could point to.", "{access} there"},
    {"out-of-bounds", with<Outside, fact::IndexBits>("overflow"),
     "A thread {access} of {space} memory that belongs to no variable or buffer: it lies {distance} {array}. "
     "In {index bits} bits, as {type that overflows} has, an index ends at {largest index}, and what is "
     "larger goes on below 0: {meant index}, for one, becomes {wrapped index}.",
     "compute the index in 64 bits from the first product on, as in `std::size_t i = std::size_t(blockIdx.x) "
     "* blockDim.x + threadIdx.x;`.",
     "{access} there"},
    {"out-of-bounds", "far",
     "A thread {access} of memory that belongs to no variable or buffer: the address is far from all of "
     "them{, where <wrapped place>}. An unsigned index that goes below 0 gets that large: 0u - 1 is "
     "4294967295.",
     "look for a subtraction in the index: compare before it, as in `if (k <= last)`, since an unsigned "
     "difference is never below 0.",
     "{access} there"},
    {"out-of-bounds", "far-from-all",
     "A thread {access} of memory that belongs to no variable or buffer: the address is far from all of "
     "them.",
     "look at the index, and at what it is made of: it is far too large, or it or the pointer was never set. "
     "If the index is right, the "
     "array has fewer bytes than it needs, as where a product of ints is too large for an int. {size in 64 "
     "bits}",
     "{access} there"},
    {"out-of-bounds", with<fact::Subject, fact::Amount, fact::Limit>("host-block"),
     "{subject} uses {amount:byte} of a block of the host, from malloc or new[], that has {limit:byte} "
     "there.",
     "ask malloc or new[] for as much as is copied: malloc counts bytes, as the copy does, and n elements "
     "are n * sizeof(T) bytes; new T[n] "
     "counts elements.",
     "calls it"},
    {"out-of-bounds", "null-pointer", "A thread {access} through a null pointer (address {address}).",
     "check that cudaMalloc succeeded and that the pointer was passed to the kernel.",
     "{access} at {address}"},
    {"out-of-bounds", "lost-pointer",
     "A thread {access} through a null pointer (address {address}). Memory that host code has allocated "
     "before is in no argument of this launch.",
     "let the pointer that the kernel is given be the one that cudaMalloc has set. A function that is passed "
     "a pointer, or a structure with "
     "pointers, by value sets its own copy, and the caller's stays null: take it by reference, as in `void "
     "allocate(Vectors& v)`, or return "
     "it.",
     "{access} at {address}"},
    {"out-of-bounds", with<fact::Amount>("behind-null"),
     "A thread {access} through a null pointer and an index, {amount:byte} behind address 0.",
     "check that cudaMalloc succeeded and that the pointer was passed to the kernel.", "{access} there"},
    {"out-of-bounds", with<fact::Subject>("not-allocated"),
     "A thread {access} through a null pointer (address {address}): {subject}, which was called before, has "
     "failed and "
     "allocated nothing.",
     "look at the number of bytes, and use the error that {subject} returns.", "{access} at {address}",
     "calls {subject}, which fails"},
    {"out-of-bounds", with<fact::Amount>("below-null"),
     "A thread {access} through a null pointer and a negative index, {amount:byte} before address 0.",
     "check that cudaMalloc succeeded and that the pointer was passed to the kernel; then look at the index, "
     "which is below 0.",
     "{access} there"},
    {"out-of-bounds", with<fact::Subject>("no-bytes"),
     "A thread {access} through a null pointer (address {address}): {subject}, which was called before, was "
     "asked for 0 bytes, and gives a null pointer for that, and cudaSuccess.",
     "look at the number of bytes. A product of ints that is 4294967296 or more loses its upper half. {size "
     "in 64 bits}",
     "{access} at {address}", "calls {subject} for 0 bytes"},
    {"out-of-bounds", with<fact::Subject>("copied-contents"),
     "A thread {access} through a pointer that leads nowhere (address {address}): {subject}, which was "
     "called "
     "before, has copied the first bytes of an array of the device, and not the array's address.",
     "if the variable is to hold the pointer, give the call the address of the host's pointer: `&d` in the "
     "place of "
     "`d`, with sizeof d.",
     "{access} at {address}", "calls {subject}, whose source is an array of the device"},
    {"out-of-bounds", of_amount_and_limit("heap-full"),
     "A thread {access} through a null pointer (address {address}): malloc or new has returned null in this "
     "kernel, because the {amount:byte} that were asked for do not fit into the device's heap, which has "
     "{limit:byte} (cudaLimitMallocHeapSize).",
     "call cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes) before the first launch, free what kernels "
     "have "
     "allocated, and check what malloc returns.",
     "{access} at {address}"},
    {"uninitialised-read", "",
     "A thread reads {size:byte} of {place}, which no thread has written: {arbitrary contents}.",
     uninitialised_cures, "reads it"},
    {"uninitialised-read", "returned",
     "A thread reads {size:byte} of {place}, which no thread has written: {arbitrary contents}. Threads of "
     "the "
     "block whose memory it is have returned before.",
     returned_before_writing_cures, "reads it", "returned"},
    {"uninitialised-read", "copy-under-way",
     "A thread reads {size:byte} of {place}, and the copy that is to bring it is still under way.",
     "wait for the copy before the data are read: cg::wait(group) after cg::memcpy_async, or wait() of the "
     "cuda::pipeline or cuda::barrier that it was given. __syncthreads() and sync() wait for threads and not "
     "for "
     "copies; where threads read what others have copied, they come after the wait.",
     "reads it", "has started the copy"},
    {"uninitialised-read", with<fact::Subject, fact::Error>("call-failed"),
     "A thread reads {size:byte} of {place}, which no thread has written: {subject}, which was called "
     "before, "
     "has failed with {error}.",
     failed_call_cures, "reads it", "calls {subject}, which fails"},
    {"uninitialised-read", with<fact::Subject, fact::Amount, fact::Limit>("written-in-part"),
     "A thread reads {size:byte} of {place}, which no thread has written: {subject} has written {amount:,} "
     "of the "
     "{limit:byte} that are allocated.",
     "give {subject} as many bytes as there are: n elements are n * sizeof(T) bytes.", "reads it",
     "calls {subject}"},
    {"uninitialised-read", with<fact::Subject, fact::Amount>("rows-in-part"),
     "A thread reads {size:byte} of {place}, which no thread has written: {subject} has written "
     "{amount:byte} of each row.",
     "{subject} counts the width of a row in bytes: give it width * sizeof(T) for rows of width elements.",
     "reads it", "calls {subject}"},
    {"uninitialised-read", of_subject("copied-unwritten"),
     "Host code reads {size:byte} that {subject} has copied from {place|memory of the device}, where nothing "
     "has been written: {arbitrary contents}.",
     "let the kernel write every element before the copy. Has the grid a thread for each, as with (n + "
     "threads - 1) / threads "
     "blocks? A division without that rounds down, and leaves the last ones out.",
     "reads it", "calls {subject}"},
    {"uninitialised-read", with<fact::Subject, fact::Amount, fact::Limit>("not-copied"),
     "Host code reads {size:byte} of an array that no copy has filled: {subject} has copied {amount:,} of "
     "the {limit:byte} of "
     "{memory|the array on the device}.",
     "give {subject} as many bytes as there are: n elements are n * sizeof(T) bytes, with T the type of the "
     "array's elements.",
     "reads it", "calls {subject}"},
    {"uninitialised-read", with<fact::Subject, fact::Amount, fact::Limit>("symbol-not-copied"),
     "A thread reads {size:byte} of {place}, which nothing has set: {subject} has copied {amount:,} of the "
     "{limit:byte} of the variable.",
     "give {subject} as many bytes as there are: n elements are n * sizeof(T) bytes, with T the type of the "
     "array's elements.",
     "reads it", "calls {subject}", Severity::warning},
    {"uninitialised-read", with<fact::Subject, fact::Amount, fact::Limit>("symbol-offset"),
     "A thread reads {size:byte} of {place}, which nothing has set: {subject} has copied {amount:byte} to "
     "the "
     "offset {limit:,}, and counts an offset in bytes, not in elements.",
     "give {subject} the offset n * sizeof(T) for the element n.", "reads it", "calls {subject}",
     Severity::warning},
    {"uninitialised-read", of_subject("written-later"),
     "A thread reads {size:byte} of {place}, which no thread has written by then: {subject} writes it after "
     "the "
     "kernel has been launched.",
     "call {subject} before the launch: the calls of one stream take place one after the other.", "reads it",
     "calls {subject}, later"},
    {"texture-written", "",
     "A kernel writes {place|memory} and reads it through a texture or surface as well. Within one launch "
     "such a read is "
     "not kept up to date with writes, by its own thread or by others: the value read is undefined.",
     "let one kernel write and a later one read; or read through the pointer that is written, with the "
     "barriers that this takes.",
     "{access} of it", "{access} of it"},
    {"texture-index", with<Texels>,
     "A thread reads {place|a place} through a texture over linear memory, which has {texels:texel}: an "
     "index outside of them gives 0.",
     "compare the index with the number of texels before the fetch, unless the 0 is meant.", "reads it", "",
     Severity::warning},
    {"texture-type", of_texel_call,
     "A thread calls {subject} for {resource}: the bits that it gets are no values of that type.",
     "fetch as {texel type}, or as a vector of fewer of its channels; as float, where the read mode is "
     "cudaReadModeNormalizedFloat. The format is what cudaCreateChannelDesc has said.",
     "calls it"},
    {"texture-type", of_texel_call("surface"),
     "A thread calls {subject} with {amount:byte} for {resource}, which have {texel bytes:byte} each.",
     "read and write a surface as the type that its array was made for, {texel type}.", "calls it"},
    {"texture-function", of_texel_call,
     "A thread calls {subject} for {resource}, which it is not for: what it gives is undefined.",
     "call the function of that kind: tex1Dfetch for linear memory, tex2D for memory with a pitch, and for "
     "arrays what has their dimensions in its name (tex1D, tex2D, tex3D, tex1DLayered, tex2DLayered, "
     "texCubemap, texCubemapLayered, and surf likewise).",
     "calls it"},
    {"texture-function", of_texel_call("gather"),
     "A thread calls {subject} for {resource} that was made without cudaArrayTextureGather.",
     "give cudaMallocArray this flag; without it an array has no layout that four texels can be gathered "
     "from.",
     "calls it"},
    {"texture-object", of_subject,
     "A thread calls {subject} with a number that is no texture or surface object.",
     "pass what cudaCreateTextureObject or cudaCreateSurfaceObject has stored, and check the error that it "
     "returns.",
     "calls it"},
    {"texture-object", of_subject("destroyed"),
     "A thread calls {subject} with an object that the host has destroyed.",
     "destroy an object after the last kernel that uses it has ended.", "calls it"},
    {"texture-object", of_subject("surface"), "A thread calls {subject} with a surface object.",
     "make a texture object of the same array with cudaCreateTextureObject, or read with a function for "
     "surfaces.",
     "calls it"},
    {"texture-object", of_subject("texture"), "A thread calls {subject} with a texture object.",
     "make a surface object of the same array with cudaCreateSurfaceObject; a texture can only be read.",
     "calls it"},
    {"surface-coordinate", of_texel_call,
     "A thread calls {subject} at {coordinates}, outside of {resource}. With cudaBoundaryModeTrap this ends "
     "the kernel. The x of surfaces is in bytes.",
     "compare the coordinates with the array's extents before the access, or pass cudaBoundaryModeZero or "
     "cudaBoundaryModeClamp.",
     "calls it"},
    {"surface-coordinate", of_texel_call("bytes"),
     "A thread calls {subject} at {coordinates}, and x is in bytes there: it is not a multiple of the "
     "{amount:byte} that the access has.",
     "multiply the x of surface functions by the size of a texel, as in `x * sizeof(float)`.", "calls it"},
    {"shared-names", with<fact::Subject, fact::Other>,
     "A thread reads {size:byte} by the name {subject} after they have been written by the name {other}: all "
     "extern "
     "__shared__ arrays of a kernel begin at one address, so that both are names of the same bytes, and what "
     "was "
     "written as {subject} is lost.",
     "declare one extern __shared__ array for both, and divide it by hand: the second one begins after the n "
     "elements "
     "of the first one, at `first + n`, with a reinterpret_cast to its type. Ask for the bytes of both in "
     "the launch, "
     "and put the one with the larger elements first.",
     "reads it as {subject}", "wrote it as {other}"},
    {"shared-names", with<fact::Subject, fact::Other, fact::Amount>("in-subject"),
     "A thread reads {size:byte} as an element of {subject} after they have been written as one of {other}: "
     "{other} begins "
     "{amount:byte} after the beginning of {subject}, and {subject} is used further than that, so that what "
     "was written as "
     "{subject} is lost.",
     divide_by_hand, "reads it as {subject}", "wrote it as {other}"},
    {"shared-names", with<fact::Subject, fact::Other, fact::Amount>("in-other"),
     "A thread reads {size:byte} as an element of {subject} after they have been written as one of {other}: "
     "{subject} begins "
     "{amount:byte} after the beginning of {other}, and {other} is used further than that, so that what was "
     "written as "
     "{subject} is lost.",
     divide_by_hand, "reads it as {subject}", "wrote it as {other}"},
    {"misaligned-access", "",
     "A thread {access} at once at an address that is not a multiple of {size}{: <place>}. The device "
     "refuses such an access and ends the kernel.",
     "align what you cast to a wider type (a float4 needs 16 bytes), or handle the elements up to the first "
     "aligned one singly.",
     "{access} at {address}"},
    {"misaligned-access", of_amount_and_limit("carved"),
     "A thread {access} at once at an address that is not a multiple of {size}: {place}. {memory} begins "
     "{amount:byte} behind the start of "
     "the dynamic shared memory. The device refuses such an access and ends the kernel.",
     "put the array with the largest elements first; or let {memory} begin {limit} bytes behind the start, "
     "which is {amount} rounded up to a "
     "multiple of {size}, and ask for as many bytes more in the launch.",
     "{access} at {address}"},
    {"misaligned-access", of_amount_and_limit("joined"),
     "A thread {access} of an object that does not begin where its type says, at a multiple of "
     "{limit:byte}{: <place>}. Here each "
     "member is accessed by itself. nvcc makes one access of {amount:byte} of this one and others: the "
     "device refuses such an "
     "access at this address, and ends the kernel.",
     "pass a pointer to a multiple of {limit} bytes, as cudaMalloc returns one, and let it move by whole "
     "elements from there. "
     "A pointer that is cast to a type with a larger alignment (`float* + 1` to float4*) need not be one: "
     "read what lies there "
     "through a pointer to its own type.",
     "{access} at {address}"},
    {"misaligned-access", "matrix",
     "A matrix, or one of its rows or columns, begins in memory at an address that is not a multiple of "
     "{size}{: <place>}. What tensor cores read or write there is undefined.",
     "make the stride a multiple of 16 bytes (8 halves, 4 floats), and begin matrices at multiples of 32 "
     "bytes: an array of its own in shared memory is `alignas(32)`.",
     "{access} at {address}"},
    {"unseen-access", "",
     "A thread uses {place|memory of the device} in a way that the simulator does not see, so that neither "
     "this "
     "access nor what comes of it can be judged.",
     "copy what a function needs into a local variable with `=` and pass that, and write results with `=`. A "
     "structure "
     "that is passed by value straight from memory may go unseen, and so may `__builtin_...` functions, "
     "functions of the "
     "host that are called through pointers, and assembly.",
     "uses it"},
    {"host-pointer-in-kernel", "",
     "A thread {access} of memory of the host program. A kernel can only use device memory.", not_allocated,
     "{access} at {address}"},
    {"host-pointer-in-kernel", "of-rows",
     "A thread {access} of memory of the host program. A kernel can only use device memory. What it finds "
     "there is an address in device "
     "memory: what that leads to is on the device, and the array or structure that holds the address is not.",
     "bring the addresses to the device, too: for an array of rows cudaMalloc rows * sizeof(T*) bytes, and "
     "copy the pointers there with "
     "cudaMemcpy before the launch; the array on the host stays, for cudaMalloc and cudaFree. A structure "
     "can be passed by value.",
     "{access} at {address}"},
    {"host-pointer-in-kernel", "local-variable",
     "A thread {access} of a local variable of the host program. A kernel can only use device memory.",
     not_allocated, "{access} at {address}"},
    {"host-pointer-in-kernel", "global-variable",
     "A thread {access} of a global variable of the host program. A kernel can only use device memory.",
     "declare the variable __device__ or __constant__, or pass its value as an argument.",
     "{access} at {address}"},
    {"host-pointer-in-kernel", of_subject("reference"),
     "The kernel's parameter {subject} is a reference to a variable of the host program. On a GPU this is an "
     "address of the host's memory, which "
     "a kernel cannot use.",
     "leave out the & in the kernel's parameter, so that the launch hands over the value. A result goes into "
     "device memory, through a "
     "pointer.",
     "{access|gets an address} through this reference"},
    {"host-pointer-in-kernel", "captured-this",
     "A thread {access} of the object of the host program that `this` points to: the lambda uses a member, "
     "and has captured `this` for that, and "
     "not the member.",
     "copy the member into a local variable before the lambda, as in `const auto factor = factor_;`, and use "
     "that; or capture a copy of the "
     "object, with [=, *this].",
     "{access} at {address}"},
    {"host-pointer-in-kernel", "of-another-thread",
     "A thread {access} of a local variable of another thread. Local memory is each thread's own: on a GPU "
     "the "
     "same address means another place in each.",
     "hand values over through shared memory, or within a warp by a shuffle.", "{access} at {address}"},
    {"host-pointer-in-kernel", of_subject("function-address"),
     "A thread calls {subject} by an address that host code has taken. The device has its own copy of the "
     "function, at another address: on a GPU this call ends the kernel.",
     "take the address in device code, as in `__device__ auto device_address = {subject};`, copy that "
     "variable "
     "to the host with cudaMemcpyFromSymbol, and pass the copy to the kernel; or pass a functor or a "
     "template "
     "argument, which needs no address.",
     "calls it"},
    {"host-pointer-in-kernel", of_subject("host-function"),
     "A thread calls {subject}, which is a function of the host alone, by its address. On a GPU this call "
     "ends "
     "the kernel.",
     "write __device__ before its declaration and take the address in device code, as in `__device__ auto "
     "device_address = {subject};`, which the host can copy with cudaMemcpyFromSymbol; or pass a functor or "
     "a "
     "template argument, which needs no address.",
     "calls it"},
    {"host-pointer-in-kernel", of_subject("virtual-function"),
     "A thread calls a virtual function of an object of class {subject} that host code has constructed. Such "
     "an "
     "object holds the address of the table of its class's functions, and on a GPU the host's table is not "
     "in "
     "device memory.",
     "construct the object in a kernel, with new or with placement new in memory from cudaMalloc, and let "
     "the "
     "host pass what its constructor needs; or use a template instead of virtual functions.",
     "calls it"},
    {"host-pointer-in-kernel", of_subject("symbol"),
     "The kernel is passed the address of {subject}, which is a variable of the device, as host code has it. "
     "On a "
     "GPU this is the address of another variable, on the host, and the kernel cannot use it.",
     "use {subject} in the kernel by its name, without a parameter; or ask for its address on the device "
     "with "
     "cudaGetSymbolAddress((void**)&p, {subject}), and pass p.",
     "launches the kernel"},
    {"unfinished-work", "of-host",
     "Host code {access} of {place|memory} that {earlier work} may still {earlier use}: the host goes on as "
     "soon as it has issued that, and has not waited for its end.",
     "call cudaDeviceSynchronize() before this line; or wait for the stream (cudaStreamSynchronize), or for "
     "an event that is recorded after that work (cudaEventSynchronize).",
     "{access} of it", "{part in work}"},
    {"unfinished-work", "of-stream",
     "{Later work} uses {place|memory} that {earlier work} in another stream may still {earlier use}: "
     "nothing "
     "orders the two.",
     "issue both into the same stream; or record an event after the earlier one (cudaEventRecord) and let "
     "the "
     "stream of the later one wait for it (cudaStreamWaitEvent); or let the host wait in between. A stream "
     "from cudaStreamNonBlocking and the default stream do not wait for each other.",
     "{part in work}", "{part in work}"},
    {"unfinished-work", "of-allocation",
     "{Later work} uses {place|memory} that cudaMallocAsync allocates in another stream: nothing orders the "
     "two, so that the memory may not be there yet.",
     "allocate it in the stream that uses it first; or record an event after the allocation "
     "(cudaEventRecord) and let the other stream wait for it (cudaStreamWaitEvent); or let the host wait in "
     "between (cudaStreamSynchronize).",
     "{part in work}", "allocates it"},
    {"unfinished-work", "of-free",
     "cudaFreeAsync frees {place|memory} that {earlier work} in another stream may still {earlier use}: "
     "nothing orders the two.",
     "free it in the stream that uses it last; or record an event after that work (cudaEventRecord) and let "
     "the stream of cudaFreeAsync wait for it (cudaStreamWaitEvent); or let the host wait in between "
     "(cudaStreamSynchronize).",
     "frees it", "{part in work}"},
    {"unfinished-work", "output",
     "The program ends without having waited for a kernel that prints. On a device its output is lost: it "
     "comes to the host when that waits.",
     "call cudaDeviceSynchronize() before the end of the program.", "{part in work}"},
    {"device-pointer-on-host", "",
     "Host code {access} of device memory{ (<place>)}. On a machine with a GPU this ends the program.",
     device_pointer_on_host_cures, "{access} of it"},
    {"device-pointer-on-host", "symbol",
     "Host code {access} of {place|a variable}, which is a variable of the device. On a GPU host code has "
     "another "
     "variable under this name, which no kernel sees.",
     symbol_on_host_cures, "{access} of it"},
    {"constant-write", "",
     "A thread writes {size:byte} of the __constant__ variable {place}, which kernels can only read.",
     "set it from the host with cudaMemcpyToSymbol, or make the variable __device__.", "writes it"},
    {"barrier-divergence", "",
     "Threads of one block wait at different barriers. Every thread of the block has to reach the same "
     "{barrier}; otherwise the result is undefined, and the kernel may hang.",
     barrier_out_of_branch, "{waits}", "{waits}"},
    {"barrier-divergence", "left",
     "Threads of one block wait at different barriers: some have returned from a function in which the "
     "others wait. Every thread of the block has to reach the same {barrier}; otherwise the result is "
     "undefined, and the kernel may hang.",
     work_in_place_of_return, "{waits}", "returned before that"},
    {"barrier-divergence", "skipped",
     "A barrier stands in an `if` that only some threads of the block enter; others skip it and end. Every "
     "thread that comes as far as the `if` has to reach the barrier, also if it has nothing to do any more; "
     "otherwise the result is undefined, and the kernel may hang.",
     barrier_out_of_branch, "{waits}", "does not enter, and ends later"},
    {"barrier-divergence", "uneven-loop",
     "A barrier stands in a loop, and some threads of the block come to it more often than others: {first "
     "visits} so far, {second visits}, and that one has left the loop and ended. Every thread of the block "
     "has to reach the barrier equally often; otherwise the result is undefined, and the kernel may hang.",
     barrier_out_of_loop, "{waits}", "leaves the loop, and ends later"},
    {"barrier-divergence", "uneven-loop-waits",
     "A barrier stands in a loop, and some threads of the block come to it more often than others: {first "
     "visits} so far, {second visits}, and that one has left the loop and waits at another barrier. Every "
     "thread of the block has to reach the barrier equally often; otherwise the result is undefined, and the "
     "kernel may hang.",
     barrier_out_of_loop, "{waits}", "{waits}"},
    {"barrier-not-called", of_subject,
     "`{subject};` is no call: without parentheses it only names the function, and does nothing. Compilers "
     "accept it, at most with a warning.",
     "write {subject}().", "comes to it, and goes on", "", Severity::warning},
    {"deadlock", "", "The threads that are left wait for each other, and none can go on.",
     "make sure that all threads reach the same barriers in the same order.", "{waits}", "{waits}"},
    {"deadlock", "waiting-loop", "Threads wait in a loop for a value that no running thread will ever write.",
     "check who writes the value: a block that has not started yet may have to wait for this one to end, and "
     "a thread of the block may wait at a barrier. Where all blocks of a grid wait for each other, end the "
     "kernel there, "
     "and go on in a second launch; or launch as many blocks as run together with "
     "cudaLaunchCooperativeKernel, and use "
     "grid.sync().",
     "{waits}", "{waits}"},
    {"waits-for-host", "",
     "The kernel waits for the host: threads read {place|a word} over and over until its value changes, the "
     "host can write there, and no running thread of the kernel ever will.",
     "let the host set the value before the launch, or by a copy, an event or cudaLaunchHostFunc in front of "
     "the kernel in its stream: the simulator runs a kernel to its end where it is launched, so what stands "
     "behind the launch comes too late. If a block is meant to set it, that block may have to wait for this "
     "one to end before it starts.",
     "{waits}"},
    {"waits-for-child", "",
     "A thread reads {place|a word} over and over until its child grid has written there. Nothing makes a "
     "child "
     "grid run before the grid that launched it has ended: on a GPU this loop may never end.",
     "launch the work that needs the child's results as a kernel into cudaStreamTailLaunch: it begins when "
     "this "
     "grid and its child grids have ended.",
     "keeps reading it", "writes it{in its grid}"},
    {"waits-for-child", "not-started",
     "Threads read {place|a word} over and over until its value changes, and no running thread ever changes "
     "it. "
     "Their grid has launched child grids, which need not run before the grid that launched them has ended.",
     "launch the work that needs a child's results as a kernel into cudaStreamTailLaunch: it begins when "
     "this "
     "grid and its child grids have ended.",
     "{waits}"},
    {"deadlock", of_amount_and_limit("phase"),
     "Threads wait for ever for a phase of {place|a cuda::barrier} to end: {amount:arrival} of "
     "the {limit} that init() has asked for never {arrive}.",
     "init() says how many arrivals a phase has: as many threads have to call arrive() or arrive_and_wait() "
     "in every phase. A thread that leaves early calls arrive_and_drop() before it does.",
     "{waits}", "{waits}"},
    {"deadlock", of_amount_and_limit("tile"),
     "Threads wait for ever at the barrier of a group of {limit:thread}: {amount:arrival} of these never "
     "{arrive}.",
     "let every thread of the group reach the same sync(), barrier_arrive() and collective calls.", "{waits}",
     "{waits}"},
    {"deadlock", with<fact::Group, fact::Amount>("group-incomplete"),
     "Threads wait for ever at {barrier}: {amount:unfinished thread} of the {group} never {arrive} there.",
     same_group_calls, "{waits}", "{waits}"},
    {"deadlock", with<fact::Group, fact::Amount>("group-ended"),
     "Threads wait for ever at {barrier}: {amount:thread} of the {group} ended without arriving there.",
     same_group_calls, "{waits}", "ended"},
    {"barrier-not-initialised", "",
     "A thread uses {place|a cuda::barrier} before init() has set up the barrier.",
     "let one thread call init(&barrier, count), and put __syncthreads() between that and the first arrival.",
     "uses it"},
    {"barrier-overrun", "",
     "A thread arrives at {place|a cuda::barrier} more often than its phase waits for.",
     "give init() the sum of all arrivals of a phase; arrive(n) counts as n of them.", "arrives"},
    {"lanes-missing", of_lanes,
     "A warp waits for ever: the mask at {barrier} names {lanes}, which never {arrive} there with the same "
     "mask.",
     same_lanes, "{waits}", "{waits}"},
    {"lanes-missing", of_lanes("left"),
     "A warp waits for ever: the mask at {barrier} names {lanes}. Threads have returned from the function "
     "before they came there.",
     work_in_place_of_return, "{waits}", "returned before that"},
    {"lanes-missing", of_lanes("matrix"),
     "A warp waits for ever: its 32 lanes hold a matrix together, and {lanes} never {arrive} at {barrier}.",
     "let all lanes of the warp call the functions of nvcuda::wmma: block sizes are multiples of 32, and "
     "conditions around these functions are the same for the whole warp.",
     "{waits}", "{waits}"},
    {"lanes-missing", of_lanes("stuck"), "A warp waits for ever at {barrier}.", same_lanes, "{waits}",
     "{waits}"},
    {"lanes-missing", with<fact::Amount>("own-lane"),
     "A lane takes part in a warp operation whose mask, {mask}, does not name it.",
     "set the lane's own bit in the mask, which is the first argument; 0xffffffff names the whole warp.",
     "calls it"},
    {"lanes-missing", of_lanes("source"),
     "A shuffle reads from {lanes}, which takes no part in it: the value is undefined.",
     "let all 32 lanes of the warp reach the shuffle, or do not use the value.", "{waits}", "",
     Severity::warning},
    {"lanes-missing", of_lanes("source-returned"),
     "A shuffle reads from {lanes}, which has returned before: the value is undefined.",
     "let all 32 lanes of the warp reach the shuffle: in the place of the `return`, put the condition around "
     "the work of those that have some.",
     "{waits}", "returned", Severity::warning},
    {"step-budget", with<fact::Crowded>,
     "The kernel has used more steps than any exercise needs: a loop probably never ends.", step_budget_cures,
     "{waits|is still in a loop}"},
    {"step-budget", with<fact::Crowded, fact::Limit>("block"),
     "{limit:,} steps (requests of warps, and switches between lanes) have led no block to its end: a loop "
     "probably never ends.",
     block_budget_cures, "{waits|is still in a loop}"},
    {"step-budget", "no-progress",
     "A thread has been computing for a second without coming to a memory access or a synchronisation (the "
     "compiler may have moved a loop's accesses out of it): a loop probably never ends.",
     changing_condition_or_read, "is still in a loop"},
    {"step-budget", with<fact::Subject, fact::Amount>("launches"),
     "One launch by the host has led to {amount:child grid}: the recursion probably never ends.",
     "check the condition under which a kernel launches another one.", "launches {subject}"},
    {"too-much-work", with<fact::Limit>,
     "This is too much work for the simulator: the kernels of this call have made {limit:,} simulated "
     "operations (accesses of threads to memory, and turns of threads) and are not done. The labs' own "
     "solutions need fewer than 20,000,000 in a call.",
     "count how often each element is read and written, and in how many launches, and look for a loop that "
     "makes more turns than it has to.",
     "was at work"},
    {"grid-too-large", of_amount_and_limit,
     "The grid has {amount:,} threads. The simulator ends a kernel after {limit:,} steps, and every thread "
     "needs at least one, so this kernel would not get to its end.",
     "check how the number of blocks is computed (it should follow from n and the block's size); for large n "
     "let a thread handle several elements.",
     "launches it"},
    {"grid-too-large", of_amount_and_limit("program"),
     "The grid has {amount:,} threads, for which the simulator would take hours: it runs grids of at most "
     "{limit:,}.",
     "check how the number of blocks is computed (it should follow from n and the block's size); or give the "
     "program a smaller size.",
     "launches it"},
    {"stack-overflow", with<fact::Limit>,
     "A thread's stack is full (the simulator gives each thread {limit:KiB}).",
     "a thread of a device has 1 KiB by itself (cudaLimitStackSize), and cudaDeviceSetLimit gives it more: "
     "write a loop in "
     "the place of deep recursion, look whether it ends at all, and put large arrays into shared or global "
     "memory.",
     "runs out of stack"},
    {"stack-overflow", of_amount_and_limit("recursion"),
     "A function calls itself so deep ({amount:call} or more) that it takes far more stack than a GPU gives "
     "a "
     "thread: {limit:byte} (cudaLimitStackSize). There the kernel ends with an error.",
     "call cudaDeviceSetLimit(cudaLimitStackSize, bytes) before the launch, with what the deepest calls take "
     "together (-Xptxas -v tells it for a function), or write a loop in place of the recursion.",
     "is that deep"},
    {"printf-overflow", with<fact::Limit>,
     "This launch prints more than the buffer for the output of kernels holds, {limit:byte} "
     "(cudaLimitPrintfFifoSize): on a GPU the oldest lines are lost, without a word.",
     "print less, as in `if (i < 10)`, or call cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes) before the "
     "first launch.",
     "prints", "", Severity::warning},
    {"use-after-free", "",
     "A thread {access} of {memory}, which has been freed with cudaFree. Its memory may belong to another "
     "allocation by now.",
     "free memory after the last kernel that uses it, and look for a pointer that was kept after cudaFree.",
     "{access} at its byte {byte}", "has freed it"},
    {"use-after-free", "of-earlier-call",
     "A thread {access} of {memory}, a buffer of an earlier call of this function: its caller has freed it "
     "since.",
     "keep no pointer from one call to the next. If you keep none, look at the index: it leads far away from "
     "the array that is meant.",
     "{access} at its byte {byte}"},
    {"use-after-free", "array",
     "A thread {access} of {memory|a CUDA array}, which has been freed with cudaFreeArray. Its memory may "
     "belong to another allocation by now.",
     "free an array after the last kernel that uses it, and destroy its texture and surface objects before.",
     "{access} at its byte {byte}", "has freed it"},
    {"use-after-free", "of-texture",
     "A thread {access} of {memory} through a texture object that is made of it, and this memory has been "
     "freed with cudaFree: it may belong to "
     "another allocation by now.",
     "free the memory of a texture object after the last kernel that uses the object, and destroy the object "
     "before.",
     "{access} at its byte {byte}", "has freed it"},
    {"use-after-free", "of-graph",
     "A thread {access} of {memory}, which is memory of a CUDA graph: it is there from the node that "
     "allocates it to the one that frees it, and not now.",
     "let the kernel depend on the node that allocates the memory, and the node that frees it on the kernel.",
     "{access} at its byte {byte}"},
    {"use-after-free", "not-mapped",
     "A thread {access} of {memory}, where no memory is: the addresses are reserved (cuMemAddressReserve), "
     "but nothing is mapped there, or access is not granted.",
     "call cuMemMap and cuMemSetAccess before the launch, and cuMemUnmap after the last kernel that uses it.",
     "{access} at its byte {byte}"},
    {"double-free", "", "For the second time cudaFree is given {memory}.",
     "free every block once, and set the pointer to nullptr afterwards: cudaFree(nullptr) does nothing. If a "
     "destructor frees it, so does that of "
     "each copy of the object: pass it by reference, and delete the copy constructor.",
     "frees it again", "has freed it"},
    {"double-free", "after-reset", "cudaFree is given {memory}, which cudaDeviceReset has freed before.",
     "leave out cudaDeviceReset: it frees all device memory of the program, also what other parts of it "
     "still use.",
     "frees it again"},
    {"invalid-free", "",
     "cudaFree is given an address of the host program, which cudaMalloc has not returned.", exact_pointer,
     "frees it"},
    {"invalid-free", "local-variable",
     "cudaFree is given the address of a local variable of the host program, which cudaMalloc has not "
     "returned.",
     "free memory of the device by its pointer itself: `p`, and not `&p`. A local variable needs no call to "
     "free it.",
     "frees it"},
    {"invalid-free", "global-variable",
     "cudaFree is given the address of a global variable, which cudaMalloc has not returned.",
     "free memory of the device by its pointer itself: `p`, and not `&p`. A global variable needs no call to "
     "free it.",
     "frees it"},
    {"invalid-free", "cuda-array", "cudaFree is given a CUDA array.",
     "free with cudaFreeArray what cudaMallocArray or cudaMalloc3DArray has given.", "frees it"},
    {"invalid-free", "by-library",
     "Host code gives {memory} to free or delete, which is memory that CUDA has allocated. On a machine with "
     "a GPU this ends the program.",
     "free with cudaFree what cudaMalloc and cudaMallocManaged have given, and with cudaFreeHost what "
     "cudaMallocHost and cudaHostAlloc have.",
     "frees it"},
    {"invalid-free", "inside", "cudaFree is given an address {byte:byte} after the start of {memory}.",
     "give cudaFree exactly the pointer that cudaMalloc has stored. One that was moved on, as by `++p` or `p "
     "+= n`, is another one: keep the first.",
     "frees it"},
    {"invalid-free", "page-locked", "cudaFree is given {memory}, which is page-locked memory of the host.",
     "free with cudaFreeHost what cudaMallocHost or cudaHostAlloc has given.", "frees it"},
    {"invalid-free", "of-caller",
     "cudaFree is given {memory}, which belongs to the caller of this function: the caller has allocated it, "
     "uses it afterwards and frees it.",
     "leave out this cudaFree: a function frees what it has allocated itself, and nothing else.", "frees it"},
    {"invalid-free", "no-start",
     "cudaFree is given an address in device memory that no allocation starts at.", exact_pointer,
     "frees it"},
    {"out-of-memory", with<fact::Amount, fact::Limit, fact::Used>,
     "cudaMalloc cannot give {amount:,} bytes{, which is <number below 0>}: the simulated device has "
     "{limit:MiB}, and "
     "{used:MiB} are in use.",
     sizes_that_fit, "asks for {amount:,} bytes"},
    {"invalid-launch", with<Refused>,
     "The device refuses this launch, and the kernel does not run: {refusal}.", "{cure of the refusal}",
     "launches it", "has destroyed the stream"},
    {"invalid-launch", of_amount_and_limit("shared-memory"),
     "With {place} a block needs {amount:byte} of shared memory, which is more than it may have: {static "
     "limit} bytes of static arrays, and {limit} in all for this kernel.",
     "use smaller tiles, or dynamic shared memory with cudaFuncSetAttribute(kernel, "
     "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).",
     "declares it"},
    {"unchecked-launch", with<Refused>,
     "The launch of {kernel} failed with {launch error}, and the program went on without asking. A launch "
     "returns no error by itself, so on a GPU nothing would have told you that the kernel did not run.",
     "ask right after the launch: `cudaError_t error = cudaGetLastError();`, and report it if it is not "
     "cudaSuccess.",
     "launches it"},
    {"unchecked-launch", with<fact::Subject, Refused>("in-kernel"),
     "A launch by device code failed with {launch error}: {refusal}. The child grid does not run, and the "
     "thread that launched it ended without asking for the error.",
     "{cure of the refusal} In any case check cudaGetLastError() after a launch in a kernel.",
     "launches {subject}"},
    {"unheard-error", of_call, "{subject} fails with {error}, and no code looks at what it returns.",
     "look at it: `cudaError_t error = {subject}(...);`, and report what is not cudaSuccess.", "calls it"},
    {"unheard-error", of_call("target-on-host"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "by its direction it writes memory of the device, but its first argument is memory of "
     "the host. No byte is copied.",
     copy_direction, "calls it"},
    {"unheard-error", of_call("source-on-host"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "by its direction it reads memory of the device, but its second argument is memory of "
     "the host. No byte is copied.",
     copy_direction, "calls it"},
    {"unheard-error", of_call("array"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "it is given a CUDA array, which is no memory of bytes, and has no address. No byte is copied.",
     "copy with cudaMemcpy2DToArray or cudaMemcpy2DFromArray, which take the array itself, the pitch of "
     "the other side in "
     "bytes, and the width in bytes: `cudaMemcpy2DToArray(array, 0, 0, h, width * sizeof(T), width * "
     "sizeof(T), height, "
     "cudaMemcpyHostToDevice)`.",
     "calls it"},
    {"unheard-error", of_call("not-on-device"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "its first argument is memory of the host.",
     "pass the pointer that cudaMalloc has given, itself: `p`, and not `&p`.", "calls it"},
    {"unheard-error", of_call("freed"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "the memory of the device that it is given has been freed before.",
     "free memory after the last call that uses it. If a destructor frees it, so does that "
     "of each copy of the object: "
     "pass it by reference.",
     "calls it", "has freed it"},
    {"unheard-error", of_call("symbol-by-name"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "it is given {place|a variable of the device}, which is a variable of the device, by "
     "its name, and in host code this "
     "is the name of another variable, on the host. No byte is changed.",
     "cudaMemcpyToSymbol and cudaMemcpyFromSymbol take the name, as in "
     "`cudaMemcpyToSymbol(variable, h, sizeof(variable))`; "
     "for others ask for the address on the device with cudaGetSymbolAddress((void**)&p, "
     "variable), and pass p.",
     "calls it"},
    {"unheard-error", of_call("no-address"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "its first argument is a null pointer, and should be the address of the pointer that it sets.",
     "give it the address: `cudaMalloc(&p, bytes)`; a cast to void** of p itself hides the missing `&`.",
     "calls it"},
    {"unheard-error", with<fact::Subject, fact::Error, fact::Other, fact::Limit>("no-device"),
     "{subject} fails with {error}, and no code looks at what it returns: it is asked for device {other}, "
     "and there is {limit:device}.",
     "devices are counted from 0: the last one has the number that cudaGetDeviceCount gives, less 1.",
     "calls it"},
    {"unheard-error", of_call("not-ready"),
     "{subject} fails with {error}, and no code looks at what it returns: the host has not waited for the "
     "work that it "
     "measures, and no time is there.",
     "wait for the second event first: cudaEventSynchronize(stop).", "calls it"},
    {"unheard-error", of_call_about_event("not-recorded"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "its {which event} has not been recorded, and has no time.",
     "call cudaEventRecord for each of the two, in the stream of the work that is measured: "
     "`cudaEventRecord(start);` before "
     "that work, `cudaEventRecord(stop);` behind it, and `cudaEventSynchronize(stop);` then.",
     "calls it", "has created that event"},
    {"unheard-error", of_call_about_event("untimed"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "its {which event} was created with cudaEventDisableTiming, and has no time.",
     "create events that are to measure with cudaEventCreate(&event); those without a time are for "
     "cudaStreamWaitEvent and cudaEventSynchronize.",
     "calls it", "has created that event"},
    {"unheard-error", of_call("destroyed-event"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "the event that it is given has been destroyed before. With CUDA 13.0 such a call crashes the program.",
     "destroy an event after the last call that uses it. If a destructor destroys it, so "
     "does that of each copy of the "
     "object: pass it by reference.",
     "calls it", "has destroyed it"},
    {"unheard-error", of_call("destroyed-stream"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "the stream that it is given has been destroyed before. With CUDA 13.0 such a call crashes the program.",
     "{destroy streams last}", "calls it", "has destroyed it"},
    {"unheard-error", of_call("no-event"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "what it is given is no event that cudaEventCreate has made. With CUDA 13.0 such a call crashes the "
     "program.",
     "create the event with cudaEventCreate(&event) before its first use; a variable that "
     "nothing has set holds any number. A "
     "function that gets an event by value, and creates it, sets its own copy.",
     "calls it"},
    {"unheard-error", of_call("no-stream"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "what it is given is no stream that cudaStreamCreate has made. With CUDA 13.0 such a call crashes the "
     "program.",
     "{create streams first}", "calls it"},
    {"unheard-error", of_call_with_bytes("narrow-pitch"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "its rows have {amount:byte}, and one of its pitches is {limit:byte}. No byte is copied.",
     "a pitch is the distance of two rows in bytes: that of cudaMallocPitch, or of an array without gaps "
     "the row's "
     "width in bytes. cudaMallocPitch, too, counts the width in bytes: width * sizeof(T).",
     "calls it"},
    {"unheard-error", of_call("null-pointer"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "it is given a null pointer.",
     "allocate the memory first, and check that the pointer is set by then.", "calls it"},
    {"unheard-error", of_call_with_bytes("too-long"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "it is to use {amount:byte}, and {place|the memory} has {limit:byte} from there on. No "
     "byte is changed.",
     "count bytes, and as many as were allocated: n elements are n * sizeof(T) bytes.", "calls it"},
    {"unheard-error", with<fact::Subject, fact::Error, fact::Limit>("beyond-symbol"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "it is to use more bytes than {place|the variable} has, which is {limit:byte}. No byte is changed.",
     "count bytes, and no more than the variable has: n elements are n * sizeof(T) bytes.", "calls it"},
    {"unheard-error", of_call("address-of-symbol"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "it takes the variable itself, and is given its address.",
     "write the variable itself, without & and not a pointer to it: `{subject}(variable, ...)`. Where a "
     "pointer from "
     "cudaGetSymbolAddress is used, it is cudaMemcpy that takes it.",
     "calls it"},
    {"unheard-error", of_call("name-of-symbol"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "it takes the variable itself, and is given its name as text.",
     "leave the quotation marks out: `{subject}(variable, ...)`.", "calls it"},
    {"unheard-error", of_call("no-symbol"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "its symbol is no variable of the device.",
     "name a __device__ or __constant__ variable itself; memory of cudaMalloc is copied by cudaMemcpy.",
     "calls it"},
    {"unheard-error", of_call("not-page-locked"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "it is given memory that cudaMallocHost and cudaHostAlloc have not allocated, or that "
     "is free already.",
     free_by_its_function, "calls it"},
    {"unheard-error", of_call("page-locked-twice"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "it is given {memory}, which has been freed before.",
     "free every block once, and set the pointer to nullptr afterwards.", "calls it", "has freed it"},
    {"unheard-error", of_call("page-locked-inside"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "it is given an address {byte:byte} after the start of {memory}.",
     "give it exactly the pointer that cudaMallocHost or cudaHostAlloc has stored.", "calls it"},
    {"unheard-error", of_call("of-device"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "it is given {memory}, which is memory of the device.",
     free_by_its_function, "calls it"},
    {"unheard-error", of_call("no-array"),
     "{subject} fails with {error}, and no code looks at what it returns: "
     "what it is given is no CUDA array, or is one that has been freed before.",
     "give it what cudaMallocArray or cudaMalloc3DArray has stored, and free an array once, "
     "after the last call that uses it.",
     "calls it"},
    {"copied-types", with<fact::Subject, fact::Amount, fact::Limit>,
     "{subject} copies bytes, and converts nothing: its target has elements of {amount:byte}, and its source "
     "has elements of {limit:byte}.",
     "give the array on the host and the one on the device the same type of elements, such as float, and "
     "copy n * sizeof(T) bytes.",
     "calls it", "", Severity::warning},
    {"memset-value", with<fact::Subject, fact::Amount>,
     "cudaMemset sets bytes, and {subject} does not fit into one: each byte becomes {amount}, its lowest "
     "one.",
     "set elements of other values than 0 and -1 by a kernel, or copy them there.", "sets it"},
    {"memset-value", of_amount_and_limit("of-elements"),
     "cudaMemset sets bytes: where each byte is {limit}, an element of {memory|the array} is {amount} as an "
     "integer.",
     "set elements of other values than 0 and -1 by a kernel, or copy them there.", "sets it", "",
     Severity::warning},
    {"division-by-zero", "", "A thread crashed: integer division by zero (or of the lowest integer by -1).",
     "check the divisor before the division, and what makes it zero.", "divides"},
    {"division-by-zero", of_subject("of-number"),
     "A thread divides {subject} by zero: C++ leaves the result undefined. A GPU goes on with a number of "
     "which all bits are set (the lowest 32 of some that have 64), and so does the simulator.",
     "check the divisor before the division, and what makes it zero.", "divides"},
    {"division-by-zero", of_subject("by-minus-one"),
     "A thread divides {subject}, the lowest number of its type, by -1, and the result does not fit into the "
     "type: C++ leaves it undefined. A GPU gives {subject} again, and so does the simulator.",
     "divide in a wider type, or treat that number by itself.", "divides", "", Severity::warning},
    {"impossible-code", "", "A thread crashed: {impossible code}.",
     "find out why this path is taken; where it is meant to be, give it code of its own.", "crashes"},
    {"trap", "", "A thread ended the kernel: it executed __trap().",
     "find out why the thread takes this path; the code means it as a failure.", "crashes"},
    {"trap", with<Refused>("after-refusal"), "A thread ended the kernel: it executed __trap().",
     "{cure of the refusal}", "crashes"},
    {"crash-in-kernel", "", "A thread crashed: {unmapped}.{ <near null>}", check_pointers, "crashes"},
    {"crash-in-kernel", "misaligned", "A thread crashed: {unmapped or misaligned}.{ <near null>}",
     check_pointers, "crashes"},
    {"assertion-failed", of_subject, "The assertion `{subject}` does not hold.",
     "the assertion states what the code relies on: find out why it is not so for this thread.", "checks it"},
    {"assertion-failed", of_subject("not-cooperative"),
     "The assertion `{subject}` does not hold: the kernel was launched the ordinary way, in which the blocks "
     "of "
     "a grid need not be resident together and cannot wait for each other, so is_valid() is false.",
     "launch with cudaLaunchCooperativeKernel, or with cudaLaunchKernelEx and "
     "cudaLaunchAttributeCooperative; <<<grid, block>>> makes no cooperative launch.",
     "checks it"},
    {"cluster-not-started", "",
     "A thread {access} of {place|the shared memory of another block} before it can know that this block has "
     "started: the blocks of a cluster run at the same time, but they do not start at the same moment.",
     "call cluster.sync() before the first access to another block's shared memory, after every block has "
     "initialised its own.",
     "{access} of it"},
    {"cluster-left-early", "",
     "Block {ending block} may end while another block of its cluster still uses {element|a place} in its "
     "shared memory, which then belongs to no block. The device ends such a kernel with an error, or uses "
     "wrong values.",
     "call cluster.sync() after the last access to another block's shared memory, in every block, before any "
     "of its threads returns.",
     "{access} of it", "ends, with nothing that makes it wait for that"},
    {"cluster-left-early", "returned",
     "Threads of block {ending block} return while another block of its cluster may still use {element|a "
     "place} in the block's shared memory, which belongs to no block once all of them have. The device ends "
     "such a kernel with an error, or uses wrong values.",
     "let every thread of the cluster come to a cluster.sync() after the last access to another block's "
     "shared memory, and none return before: in the place of the `return`, put the condition around the "
     "work.",
     "{access} of it", "returned, with nothing that makes it wait for that"},
    {"cluster-rank", with<fact::Rank>,
     "A thread asks for the shared memory of block rank {rank}, and its cluster has {ranks:block}{which "
     "ranks}",
     cluster_rank_cures, "calls map_shared_rank()"},
    {"cluster-address", of_subject,
     "A thread gives {subject} an address that is not in shared memory{: it is in <place>}.",
     "pass the address of a __shared__ variable of the calling block.", "calls {subject}"},
    {"barrier-arrive-without-wait", of_group,
     "A thread arrives at the barrier of its {group} and ends without having waited there.",
     "call barrier_wait() where the results of the others are needed, and before the kernel ends; "
     "{group}.sync() arrives and waits.",
     "arrives, and never waits"},
    {"barrier-arrive-without-wait", of_group("twice"),
     "A thread arrives at the barrier of its {group} again without having waited for its last arrival: what "
     "the barrier does then is undefined.",
     "let every barrier_arrive() be followed by one barrier_wait(); {group}.sync() does both.",
     "arrived first", "arrives again"},
    {"barrier-wait-without-arrive", of_group,
     "A thread waits at the barrier of its {group} without having arrived there: it waits for nothing, or "
     "for ever.",
     "call barrier_arrive() first, in every thread; {group}.sync() does both.", "waits"},
    {"grid-sync-not-cooperative", "",
     "grid.sync() is called in a kernel that was launched the ordinary way. Its blocks need not be resident "
     "together, so they cannot wait for each other; the device ends the kernel with an error.",
     "launch with cudaLaunchCooperativeKernel, or with cudaLaunchKernelEx and "
     "cudaLaunchAttributeCooperative; or end the kernel here and launch a second one.",
     "calls it"},
    {"private-pointer-to-child", of_subject,
     "A child grid is passed a pointer to a local variable of the thread that launches it. Local memory "
     "belongs to one thread alone: on a device the child fails with cudaErrorInvalidAddressSpace when it "
     "uses the pointer.",
     value_itself, "launches {subject}"},
    {"private-pointer-to-child", of_subject("shared-memory"),
     "A child grid is passed a pointer to the shared memory of its parent's block{ (<place>)}. Shared memory "
     "belongs to one block alone: on a device the child fails with cudaErrorInvalidAddressSpace when it uses "
     "the pointer.",
     value_itself, "launches {subject}"},
    {"graph-condition", "",
     "A conditional node of a CUDA graph is reached, and no kernel has set its condition in this launch of "
     "the graph, so the value is undefined. The simulator runs none of the node's bodies.",
     "let a kernel on which the node depends call cudaGraphSetConditional, or give the condition a value to "
     "start with: cudaGraphConditionalHandleCreate(&handle, graph, value, cudaGraphCondAssignDefault).",
     "adds the node"},
    {"graph-condition", "endless",
     "The body of a WHILE node of a CUDA graph has run 100,000 times, and in none of these rounds has a "
     "kernel set the node's condition: the loop probably never ends.",
     "let a kernel of the body call cudaGraphSetConditional(handle, 0) when there is nothing left to do.",
     "adds the node"},
    {"graph-condition", "no-handle",
     "A kernel calls cudaGraphSetConditional with a handle that cudaGraphConditionalHandleCreate has not "
     "made, or that does not exist any more. The call sets nothing.",
     "pass the kernel the handle itself, by value, and create it before the kernel's node is added.",
     "calls it"},
    {"unsupported", of_subject, "Host code uses {subject}, which exists only in kernels.",
     "call the function from a kernel: kernel<<<grid, block>>>(...)."},
    {"unsupported", "exception", "A C++ exception left a kernel. Device code cannot throw exceptions.",
     "use status values, and no library functions that throw.", "throws"},
    {"unsupported", "untyped-launch",
     "A kernel is launched through a pointer without a type, which does not tell the simulator its "
     "parameters.",
     "name the kernel itself in the call, as in cudaLaunchKernelExC(&config, (const void*)kernel, arguments) "
     "or cudaLaunchCooperativeKernel((void*)kernel, grid, block, arguments).",
     "launches it"},
    {"unsupported", "device-graph-launch",
     "A CUDA graph is to be launched from a kernel, which the simulator does not do.",
     "launch the graph from the host, or launch its kernels from the kernel.", "asks for it"},
    {"unsupported", "gpu-code",
     "The program loads code for a GPU (PTX, cubin or a fat binary), which the simulator cannot run.",
     "build the kernels' source for the simulator, and load that: simtcc --fatbin -o kernels.fatbin "
     "kernels.cu.",
     "loads it"},
    {"unsupported", "several-images",
     "The program links several images at run time, which the simulator does not do.",
     "build their sources into one image: simtcc --fatbin -o kernels.fatbin a.cu b.cu.", "links them"},
};

inline constexpr Choice conflicts[] = {
    {has_two_writes, "both write, so the value that stays depends on which comes last"},
    {nullptr, "one writes while the other reads, so the value read depends on which comes first"}};
inline constexpr Choice arbitrary_contents[] = {
    {is_in_shared_memory, "shared memory starts with arbitrary contents in every block"},
    {is_in_array, "a CUDA array starts with arbitrary contents"},
    {nullptr, "memory from cudaMalloc starts with arbitrary contents"}};
inline constexpr Choice absent_arrays[] = {{is_in_shared_memory, "this kernel has no shared memory there"},
                                           {nullptr, "nothing has been allocated on the device"}};
inline constexpr Choice spaces[] = {{is_in_shared_memory, "shared"}, {nullptr, "global"}};
inline constexpr Choice which_ranks[] = {{has_no_cluster, " (the launch gives no cluster size)."},
                                         {nullptr, ". Ranks go from 0 to {last rank}."}};
inline constexpr Choice arrivals[] = {{is_for_one, "arrives"}, {nullptr, "arrive"}};
inline constexpr Choice allowed_memory[] = {
    {asks_for_more_than_a_block_has, "a block can have, which is {opt-in limit}"},
    {was_allowed_other_memory, "the {allowed} that cudaFuncSetAttribute has last allowed this kernel"},
    {nullptr, "the {allowed} that a kernel may have before cudaFuncSetAttribute allows it more"}};
inline constexpr Choice types_that_overflow[] = {{has_index_of_a_short, "a short"}, {nullptr, "an int"}};
inline constexpr Choice events_of_call[] = {{is_for_one, "first event"}, {nullptr, "second event"}};
inline constexpr Choice near_null[] = {{is_near_null, "The address is close to null."}, {nullptr, ""}};

/// Parts of texts, in which {name} stands for them.
inline constexpr struct Phrase {
  std::string_view name;
  Choices text;
} phrases[] = {
    {"conflict", conflicts},
    {"arbitrary contents", arbitrary_contents},
    {"nothing there", absent_arrays},
    {"space", spaces},
    {"near null", near_null},
    {"which event", events_of_call},
    {"destroy streams last", "destroy a stream after the last launch and the last call that use it. If a "
                             "destructor destroys it, so does that of each copy of the "
                             "object: pass it by reference."},
    {"create streams first", "create the stream with cudaStreamCreate(&stream) before its first use, or give "
                             "0 for the default one; a variable that nothing has set "
                             "holds any number."},
    {"type that overflows", types_that_overflow},
    {"allowed memory", allowed_memory},
    {"which ranks", which_ranks},
    {"arrive", arrivals},
    {"impossible code", reached_impossible_code},
    {"unmapped", used_unmapped_address},
    {"unmapped or misaligned", used_misaligned_address},
    {"size in 64 bits", "Compute it in 64 bits from the first product on, and keep it in a std::size_t: "
                        "`std::size_t(n) * n * sizeof(float)`."},
    {"blocks in any order",
     "blocks run in any order: read from one array and write to another, or split the kernel in two where "
     "one block needs what another has written. If an atomic counter or flag tells the reader that the data "
     "is there, the writer needs a __threadfence() before it sets it, and the reader an atomic or a volatile "
     "pointer to look at it."},
    {"one index for all blocks",
     "both threads have the same threadIdx: if each block is to work on elements of its own, one of the two "
     "indices lacks blockIdx, as in `blockIdx.x * blockDim.x + threadIdx.x`."},
};

/// Told below the parties, all that fit.
inline constexpr struct Note {
  std::string_view id;
  Choice note;
} notes[] = {
    {"global-race", {has_written, "the first write left {first value}, the second one {second value}"}},
    {"shared-race", {has_written, "the first write left {first value}, the second one {second value}"}},
    {"global-race", {has_atomic_and_plain, "an atomic update is safe only against other atomic updates"}},
    {"shared-race", {has_atomic, "an atomic update is safe only against other atomic updates"}},
    {"unchecked-launch",
     {is_in_kernel, "the host does not learn of it: device code has to check its own launches"}},
    {"trap", {has_refused, "a launch by this thread failed before, with {launch error}: {refusal}"}},
};

/// What is reported of a shared-race where a barrier stands between its lines, by the cause that is known.
inline constexpr struct AcrossBarrier {
  std::string_view cause;
  const char* note;
  const char* cure;
} across_barrier[] = {
    {"barrier-divergence",
     "a barrier stands between these lines, but the threads of this block do not all reach their barriers "
     "alike (see barrier-divergence)",
     "correct the barrier first, and look whether this race is still there."},
    {"uninitialised-read",
     "a barrier stands between these lines, and still the element had never been written when it was read: "
     "it is taken before a later turn of the loop (or a later call) brings it",
     "let all be brought before the first is taken: two loops, with one barrier between them."},
    {"",
     "a barrier stands between these lines, so one thread has gone on to the next turn of a loop (or to the "
     "next call) while the other is still in this one: between one turn and the next there is none",
     "put another barrier where one turn ends and the next begins, at a place that every thread reaches."},
};

// What is reported of a race within a block by its lines. Of one line nothing stands between the accesses, so that "between the
// two accesses" would not say where a barrier belongs; and in a loop without a barrier it is not known whether both threads are in
// one turn.
inline constexpr const char* read_then_barrier =
    "both accesses are this line: read what it needs into a local variable, then put __syncthreads(), then "
    "write, as in `v = s[t - d]; __syncthreads(); s[t] += v;`. Every thread of the block has to reach the "
    "barrier: keep an `if` around the read and around the write, and not around the barrier.";
inline constexpr const char* read_then_syncwarp =
    "both accesses are this line: read what it needs into a local variable, then put __syncwarp(), then "
    "write, "
    "as in `v = s[t + d]; __syncwarp(); s[t] += v;`. Threads of one warp do not run in step by themselves; "
    "where other warps use the same elements, it takes __syncthreads().";
inline constexpr const char* one_line_of_a_loop =
    "both accesses are this line: one thread has gone on to a later turn of the loop, or two threads share "
    "an element in one turn";
inline constexpr const char* two_lines_of_a_loop =
    "both lines are in one loop without a barrier: one thread may have gone on to a later turn";
inline constexpr const char* barrier_at_end_of_turn =
    "put __syncthreads() at the end of the loop's body, outside any `if`, where every thread of the block "
    "reaches it. If threads share an element in one turn, check their indices, too.";
inline constexpr const char* two_barriers_of_turn =
    "put __syncthreads() at the end of the loop's body, outside any `if`, where every thread of the block "
    "reaches it. If in one turn a thread reads what another one writes, read into a local variable first, "
    "and "
    "put another __syncthreads() between that and the write.";
inline constexpr const char* barrier_at_end_and_between =
    "put __syncthreads() at the end of the loop's body, outside any `if`, where every thread of the block "
    "reaches it. If in one turn a thread reads what another one writes, put another one between these lines.";
inline constexpr const char* barrier_of_steps =
    "put __syncthreads() at the end of each step, outside any `if`, where every thread of the block reaches "
    "it (where the elements are "
    "those of one warp, __syncwarp() is enough). If in one step a thread reads what another one writes, read "
    "into a local variable first, "
    "and put another barrier between that and the write.";
inline constexpr const char* count_in_one_step =
    "each thread reads {memory|this element}, changes it and writes it back, and others come in between: do it in one step, with an "
    "atomic such as atomicAdd. It returns what was there before, and so gives each thread a place of its own: "
    "`int place = atomicAdd(count, 1); out[place] = value;`.";
inline constexpr const char* value_of_update =
    "the atomic update and the plain read are two steps, and other threads update {memory|the counter} in "
    "between: use the value that the "
    "atomic function returns, which is what was there before: `int place = atomicAdd(count, 1); out[place] = "
    "value;`. No barrier helps.";
inline constexpr const char* barrier_before_flag =
    "the flag is set by one thread, and other threads of its block have written the data: put "
    "__syncthreads() before that, so that all "
    "of them have written, and then let this thread call __threadfence() and set the flag. The blocks that "
    "wait for it read the flag "
    "through a volatile pointer or by an atomic, with a __threadfence() after the loop.";
inline constexpr const char* lock_in_one_step =
    "a plain read and a plain write cannot take a lock: two threads may both find it free before one of them writes. Take it in one step, "
    "with `atomicCAS(&lock, 0, 1) == 0`, and __threadfence() behind that; give it back with __threadfence() and atomicExch(&lock, 0). "
    "To add numbers up, atomicAdd is enough. If it is no lock, but a mark that any thread may set, use atomicExch for that, and a "
    "volatile pointer or an atomic to look at it.";
inline constexpr const char* compare_in_one_step =
    "each thread compares with {memory|this element} first and writes it later, and others write in between, "
    "so that the wrong value may "
    "stay: do both in one step, with atomicMax or atomicMin; or let a reduction find the value, each block "
    "its own, and a second kernel "
    "the one of all blocks. What is no integer takes atomicCAS in a loop, and a value with its index one "
    "unsigned long long for both, "
    "with the value in the upper half.";
inline constexpr const char* scattered_updates =
    "threads that share elements, as the counters of a histogram, need an atomic such as atomicAdd, which "
    "reads, adds and writes in one "
    "step, or atomicExch, which sets a new value and returns the old one. Or turn it round: one thread for "
    "each element, which reads all that belongs to it.";
inline constexpr const char* scattered_writes =
    "if every index is to come once, look at how these are made. If several threads may come to one element, "
    "say which value is to stay: "
    "atomicAdd, atomicMax or atomicMin make one of all; or turn it round: one thread for each element, which "
    "reads what belongs to it.";
inline constexpr const char* lock_given_back =
    "the lock is taken by an atomic operation and given back by a plain write, which orders nothing: another "
    "thread may take it, and not "
    "see yet what was written under it. Give it back with __threadfence() and then atomicExch(&lock, 0), and "
    "put another __threadfence() "
    "behind the taking. No barrier helps. To add numbers up, atomicAdd alone is enough.";
inline constexpr const char* fences_of_lock =
    "a lock orders what is done under it only with a __threadfence() behind its taking and another one "
    "before it is given back by "
    "atomicExch(&lock, 0). No barrier helps. To add numbers up, atomicAdd alone is enough.";
inline constexpr const char* two_arrays =
    "let the launch read from one array and write to another, and swap the two pointers before the next "
    "launch: no order of the threads makes one array enough.";

/// Why the device refuses a launch, by Refused::rule: a clause, and what helps.
inline constexpr Choice empty_grid_cures[] = {
    {is_in_kernel, "if there is nothing left to do, do not launch; if there is, look at how the number is "
                   "computed: has a division rounded down to 0?"},
    {nullptr, "look at how the number of blocks is computed: a division rounds down, and (n + threads - 1) / threads does "
              "not. Where there is nothing to do, do not launch, as in `if (n == 0) return;`."}};
inline constexpr Choice grid_size_cures[] = {
    {has_grid_below_zero, "a number that is below 0 as an int gets that large: look at how the number of blocks is "
                          "computed, and whether all that it is computed from is set by then."},
    {nullptr, "put the longest dimension into x, or let each thread do more work."}};
inline constexpr Choice shared_memory_cures[] = {
    {asks_for_more_than_a_block_has, "let a block work on less at a time, so that it needs fewer bytes; "
                                     "cudaFuncSetAttribute refuses a larger "
                                     "number, too, and leaves the kernel what it had before."},
    {nullptr, "above {static limit} bytes, call cudaFuncSetAttribute(kernel, "
              "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) before the launch, with the bytes of this "
              "launch; a block can have up to {opt-in limit}."}};
inline constexpr struct RefusalWording {
  std::string_view rule;
  const char* reason;
  Choices cure;
} refusals[] = {
    {"empty-grid", "grid {grid} with blocks {block} has a zero in it", empty_grid_cures},
    {"block-size", "a block of {block} has {asked} threads; {allowed} are the most",
     "use smaller blocks and more of them."},
    {"block-extent", "a block of {block} is too large in one direction; {largest block} is the most",
     "give the largest of the three numbers to x, and in the kernel the index that goes with it. More than "
     "64 threads in z are never "
     "possible."},
    {"grid-size", "a grid of {grid} is too large; {largest grid} is the most", grid_size_cures},
    {"launch-bounds", "a block has {asked} threads, and the kernel's __launch_bounds__ allows {allowed}",
     "launch within the bounds, or raise them."},
    {"dynamic-shared-memory", "{asked} bytes of dynamic shared memory are more than {allowed memory}",
     shared_memory_cures},
    {"unknown-attribute", "the simulator does not know launch attribute {asked}",
     "leave it out, or run this on a GPU."},
    {"empty-cluster", "the cluster {cluster} has a zero in it",
     "give all three cluster dimensions; those that are not needed are 1."},
    {"cluster-size", "a cluster of {cluster} has {asked} blocks; {allowed} are the most",
     "use smaller clusters."},
    {"portable-cluster-size",
     "a cluster of {asked} blocks is more than the {allowed} that every device allows",
     "use {allowed} blocks or fewer, or call cudaFuncSetAttribute(kernel, "
     "cudaFuncAttributeNonPortableClusterSizeAllowed, 1) before the launch, for up to {largest cluster}."},
    {"grid-of-whole-clusters", "the grid {grid} cannot be divided into clusters of {cluster}",
     "round the grid up to a multiple of the cluster size in each direction, and let the blocks that are too "
     "many do nothing but the barriers."},
    {"declared-cluster", "the launch asks for clusters of {cluster}, and the kernel is declared with others",
     "leave cudaLaunchAttributeClusterDimension away, or the kernel's __cluster_dims__."},
    {"cooperative-from-device", "a kernel cannot launch a cooperative grid",
     "launch it from the host, or leave the cooperative attribute away."},
    {"resident-grid",
     "a cooperative grid has to be resident as a whole, and of its {asked} blocks the device holds {allowed}",
     "launch at most cudaOccupancyMaxActiveBlocksPerMultiprocessor blocks per multiprocessor, and let each "
     "loop over its share of the work."},
    {"stream",
     "its stream is none that the host has created (cudaStreamFireAndForget and cudaStreamTailLaunch are for "
     "launches by kernels)",
     "{create streams first}"},
    {"destroyed-stream", "its stream has been destroyed before", "{destroy streams last}"},
    {"device-stream", "the stream is none that device code has created",
     "leave the stream out, use cudaStreamFireAndForget or cudaStreamTailLaunch, or create one in the kernel "
     "with cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)."},
    {"pending-launches", "the limit of {allowed:pending launch} by device code is reached",
     "launch fewer and larger grids, or raise the limit from the host before the kernel: "
     "cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, count)."},
};

/// Null if the catalogue has no findings of this id and kind.
constexpr const Wording* entry_of(std::string_view id, std::string_view kind) {
  const auto found = std::ranges::find_if(
      catalogue, [&](const Wording& wording) { return wording.id == id && wording.kind == kind; });
  return found == std::end(catalogue) ? nullptr : found;
}

/// What a finding is: an id of the catalogue, and where it has several kinds, which. A compile error if there is none, or if
/// its findings have other facts than those given.
template <typename... Given>
struct FindingKind {
  consteval FindingKind(const char* id, const char* kind = "") : wording(entry_of(id, kind)) {
    if (!wording) throw std::invalid_argument("the catalogue has no such finding");
    if (wording->kind.facts != fact::of<Given...>) throw std::invalid_argument("it has other facts");
  }
  const Wording* wording;
};

/// Makes it a finding of this kind, with its facts.
template <typename... Given>
void become(Finding& finding, std::type_identity_t<FindingKind<Given...>> kind, Given... given) {
  finding.id = kind.wording->id;
  finding.kind = kind.wording->kind;
  finding.severity = kind.wording->severity;
  finding.facts = {std::move(given)...};
  std::ranges::sort(finding.facts, {}, &fact::Any::index); // as they are read
}

/// The same for what a launch is refused for.
struct RefusalRule {
  consteval RefusalRule(const char* of_name) : name(of_name) {
    for (const RefusalWording& refusal : refusals)
      if (refusal.rule == name) return;
    throw std::invalid_argument("the catalogue has no such rule");
  }
  const char* name;
};

} // namespace simt
