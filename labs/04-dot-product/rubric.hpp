#pragma once
/// What the rubrics of lab 04's tasks share: how sums are asked for, of every length and kind.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "needs.hpp"
#include "outcome.hpp"
#include "vectors.hpp"
#include "whole_dot.hpp"

namespace dot_product {

/// A function of the contract that adds up everything.
template <typename T>
using Dot = Function<void(T*, const T*, const T*, std::size_t)>;

/// What the simulator found first in a call of a sum of everything.
struct Found {
  const simt::Finding& finding;
  bool by_last_block;

  bool is_between_blocks() const { return finding.id == "global-race" && simt::between_blocks(finding); }
  /// Whether the one party did this, and the other one after it that.
  bool has_parties(simt::Access first, simt::Access second) const {
    const std::vector<simt::Participant>& parties = finding.participants;
    return parties.size() == 2 && parties[0].access == first && parties[1].access == second;
  }
  bool is_at_result() const { return finding.variable == "result"; }
  /// Whether blocks read, change and write what they have in common, as in `count++`.
  bool is_plain_update() const {
    return is_between_blocks() && finding.has(simt::fact::Alike{true}) &&
           (has_parties(simt::Access::write, simt::Access::read) ||
            has_parties(simt::Access::read, simt::Access::write));
  }
};

/// What races of blocks come from.
inline const std::vector<Lesson<Found>>& race_lessons() {
  using enum simt::Access;
  static const std::vector<Lesson<Found>> lessons = {
      {[](const Found& f) { return f.by_last_block && f.is_plain_update() && !f.is_at_result(); },
       [](const Found& f) { return message("counted-without-atomic", f.finding.variable); }},
      {[](const Found& f) {
         // If no block counted itself, a race comes from that, and not from a fence.
         return f.by_last_block && f.finding.id == "global-race" &&
                submission().last_counters().global_atomic_lanes == 0;
       },
       message("nobody-counted/race")},
      // The reader came later, and has seen the count: else it would have been found before the writer wrote.
      {[](const Found& f) {
         return f.by_last_block && f.is_between_blocks() && f.has_parties(write, read) && !f.is_at_result();
       },
       message("fence-missing")},
      {[](const Found& f) { return !f.by_last_block && f.is_plain_update() && f.is_at_result(); },
       message("added-without-atomic")},
      {[](const Found& f) {
         return !f.by_last_block && f.is_between_blocks() && f.is_at_result() &&
                (f.has_parties(write, atomic) || f.has_parties(atomic, write));
       },
       message("set-while-others-add")},
  };
  return lessons;
}

/// Asks for the dot product of two buffer arguments of n elements each.
template <typename T>
Reply ask_dot(Dot<T> function, const auto& a, const auto& b, std::size_t n, const How& how) {
  const auto call = [&] {
    return submission().call(CallOptions{.schedule = how.schedule,
                                         .repetitions = how.repetitions,
                                         .sites = true,
                                         .sources = all_of({1, 2}, n)},
                             function, out<T>(1), a.shifted(how.shift_a), b.shifted(how.shift_b), n);
  };
  return changing(call, [&](Failure& why) {
    const bool by_last_block = has_last_block(function.name);
    if (const simt::Finding* finding = first_finding(why))
      tell(why, race_lessons(), Found{*finding, by_last_block});
    const Details block = told_by_block();
    why.causes.insert(why.causes.begin(), block.begin(), block.end());
    // Lines outside of every TODO, as those of block_sum are: the same TODOs for every item. And behind *result only
    // the part can write that knows where it is.
    const bool is_guard = has_diagnosis(why, "guard-damaged");
    if (is_guard && sizeof(T) < sizeof(void*)) advise(why, message("/size-of-a-pointer"));
    if (why.places.empty() && !is_guard) return;
    why.todos = by_last_block                ? std::vector{5}
                : !block.empty() || is_guard ? std::vector{4}
                                             : std::vector{2, 3, 4};
  });
}

/// Of a right sum: blocks that write it one after the other without an atomic operation were lucky. Volatile accesses do not
/// race, so the simulator does not tell. Where all blocks meet, one of them may write.
template <typename T>
void expect_no_lost_additions(Dot<T> function, const Reply& reply) {
  if (!is_on_sim() || has_last_block(function.name)) return;
  const simt::Counters& c = reply.counters();
  const std::size_t blocks = grid_of(reply).blocks;
  if (reply.kernels().size() != 1 || blocks < 2 || c.launches != 1 || c.child_grids != 0) return;
  const bool has_met = c.grid_barriers + c.cluster_barriers != 0;
  const bool is_by_host = c.device_to_host_bytes != 0;
  if (!has_met && !is_by_host && c.global_atomic_lanes == 0 && c.global_store_lanes == blocks)
    fail(message("added-without-atomic"), {reply.in_call()});
}

/// Asks for the dot product and requires it within the contract's bound.
template <typename T>
Reply dot_and_check(Dot<T> function, const Vectors<T>& v, const How& how) {
  Reply reply = ask_dot(function, in(v.a), in(v.b), v.size(), how);
  const Outcome call(reply, v, exact_dot(v), how);
  if (near(call.value, call.wanted.sum, call.allowed())) {
    expect_no_lost_additions(function, reply);
    return reply;
  }
  const Rule about = about_wrong(reply, 0, [](std::size_t) { return false; });
  recognise_unwritten(call);
  const std::uint64_t launches = is_on_sim() ? reply.counters().launches : 0;
  const auto times = static_cast<double>(launches);
  if (launches > 1 && !has_last_block(function.name) && std::abs(call.wanted.sum) > call.allowed() &&
      near(call.value, times * call.wanted.sum, times * call.allowed()))
    call.fail(message("launched-again", launches));
  recognise(call);
  fail_unknown(call);
}

/// Adds what the smallest size that goes wrong, with so many threads, says about a sum of no known shape, for grids as the
/// starter has them: of the sizes that check_typical tries, the one before came out right.
inline void advise_by_smallest(Failure& why, std::size_t n, std::uint64_t threads) {
  constexpr std::size_t block = 256, most_of_one_block = 4095;
  if (!is_about(why, "wrong-result") || !is_on_sim() || is_todo_empty(3) ||
      threads != (n <= most_of_one_block ? block : 2 * block))
    return;
  if (n > 1 && n <= warp_size) advise(why, message("/one-warp-wrong", n));
  if (n == warp_size + 1) advise(why, message("/two-warps-wrong"));
  if (n == block + 1) advise(why, message("/second-product-wrong"));
  if (n == most_of_one_block + 2) advise(why, message("/two-blocks-wrong"));
}

/// The first question: several blocks and a tail, and the smallest size that goes wrong if they do.
template <typename T>
void check_typical(Dot<T> function) {
  std::size_t smallest = typical;
  std::uint64_t threads = 0;
  const auto ask = [&](std::size_t n) {
    changing([&] { dot_and_check(function, random_vectors<T>(n), {.schedule = schedules().front()}); },
             [&](Failure&) {
               if (n > smallest) return;
               smallest = n;
               threads = submission().last_counters().threads;
             });
  };
  changing(
      [&] {
        check_and_shrink(typical, {1, 2, 3, 31, 32, 33, 255, 256, 257, 1023, 1025, 2049, 4097}, ask);
      },
      [&](Failure& why) { advise_by_smallest(why, smallest, threads); });
}

/// At which the technique items count. They ask the first question first, so that a wrong sum is the same failure there,
/// and told once.
template <typename T>
void for_each_counted(Dot<T> function, const std::function<void(const Reply&)>& judge_call) {
  check_typical(function);
  for (const Schedule schedule : schedules()) {
    judge_call(
        dot_and_check(function, random_vectors<T>(counted_n), {.schedule = schedule, .was_right = true}));
  }
}

/// On a GPU: whole numbers beyond its caches, as whole_vectors() has them, which the runner makes.
template <typename T>
void check_real_size(Dot<T> function, const How& how) {
  constexpr std::size_t n = real + 3;
  const Drawn<T> a{whole_numbers(-16, 16)}, b{whole_numbers(-16, 16)};
  const Reply reply = ask_dot(function, a.buffer(n).returned(), b.buffer(n).returned(), n, how);
  const auto wanted = static_cast<T>(whole_dot(a, b, 0, n));
  expect_everywhere<T>(
      reply, 0, [&](std::size_t) { return wanted; },
      [&] {
        dot_and_check(function, {"whole numbers", a.values(n), b.values(n), true}, how);
      });
}

/// Every length, alignment, kind of input and schedule; and every call again, for a function may leave something behind.
template <typename T>
void check_everywhere(Dot<T> function) {
  const auto ask = [&](const Vectors<T>& v, const How& how) { dot_and_check(function, v, how); };
  check_typical(function);
  ask(whole_vectors<T>(typical), {.schedule = schedules().front(), .was_right = true});
  ask(whole_vectors<T>(typical), {.schedule = schedules().front(), .repetitions = 3, .was_right = true});
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes()) ask(random_vectors<T>(n), {.schedule = schedule});
  }
  for (const auto& [a, b] : {std::pair{1, 1}, std::pair{1, 0}, std::pair{0, 3}, std::pair{3, 2}}) {
    for (const std::size_t n : {1, 2, 3, 5, 8, 67, 1025}) {
      ask(random_vectors<T>(n),
          {.schedule = schedules().back(), .shift_a = a * sizeof(T), .shift_b = b * sizeof(T)});
    }
  }
  for (const Vectors<T>& v : special_vectors<T>(typical)) ask(v, {.schedule = schedules().front()});
  ask(whole_vectors<T>(is_on_sim() ? large_on_sim : large), {.schedule = schedules().back()});
  if (is_on_sim()) return;
  check_real_size(function, {.shift_a = sizeof(T), .shift_b = sizeof(T)});
  check_real_size(function, {.shift_b = sizeof(T)});
}

/// Two arrays, of so many bytes each, read once: all their bytes, in no more sectors than they lie in, and `further` bytes
/// besides. `repeated` is for bytes that are read again.
inline void expect_read_once(const Reply& reply, std::size_t bytes_of_each, std::size_t further,
                             const LabMessage& repeated) {
  Need need = read_once_need(bytes_of_each, further);
  need.section = repeated.section;
  need.repeated = repeated.sentence;
  need.repeated_id = repeated.id;
  need.missing_id = "too-few-bytes";
  need.has_given_blocks = true;
  judge(reply, reading, need);
}

/// The same of sums of everything. A sixteenth more may be read besides: what blocks tell each other.
template <typename T>
void check_reads(Dot<T> function) {
  for_each_counted(function, [](const Reply& reply) {
    constexpr std::size_t bytes = counted_n * sizeof(T);
    expect_read_once(reply, bytes, bytes / 8, message("read-again/sum"));
  });
}

/// Fails with `conflicts` if there were more than there had to be.
inline void expect_no_conflicts(const Wavefronts& shared, const LabMessage& conflicts,
                                const Details& details) {
  if (shared.all > shared.ideal) fail(conflicts, details);
  expect_count("wavefronts", static_cast<double>(shared.all), static_cast<double>(shared.ideal),
               message("too-few-wavefronts"));
  tell_measured(say("shared memory"), say("{wavefronts} wavefronts, the least", shared.all));
}

} // namespace dot_product
