#pragma once
/// What the rubrics of lab 04's tasks share: how sums are asked for, of every length and kind.

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "outcome.hpp"
#include "vectors.hpp"

namespace dot_product {

/// How a sum is asked for.
struct How {
  Schedule schedule = Schedule::forward;
  std::size_t shift_a = 0, shift_b = 0; ///< bytes past a 256-byte boundary
  int repetitions = 1;
  bool was_right = false;
};

/// A call of which the simulator reported a race: if no block counted itself, that is the cause, and not the fence.
inline void recognise_nobody_counted(Failure& failure, const std::string& function) {
  if (function != "dot_deterministic_f32" || failure.diagnoses.front() != "global-race") return;
  if (submission().last_counters().global_atomic_lanes > 0) return;
  retell(failure, "nobody-counted",
         "No block counted itself, so none can know that it is the last to end: blocks end in any order, and "
         "the one with the highest number may end long before the others.");
}

/// The TODOs that a call is made of; those with a launch if that is the mistake.
inline std::vector<int> todos_of_call(const std::string& function, bool is_launch) {
  if (function == "dot_deterministic_f32") return {5};
  return is_launch ? std::vector{4} : std::vector{2, 3, 4};
}

/// Asks for the dot product of two buffer arguments of n elements each.
template <typename T, typename F>
Reply ask_dot(F function, const auto& a, const auto& b, std::size_t n, const How& how) {
  const auto call = [&] {
    return submission().call(CallOptions{.schedule = how.schedule,
                                         .repetitions = how.repetitions,
                                         .sites = true,
                                         .sources = all_of({1, 2}, n)},
                             function, out<T>(1), a.shifted(how.shift_a), b.shifted(how.shift_b), n);
  };
  return changing(call, [&](Failure& why) {
    recognise_nobody_counted(why, function.name);
    const std::vector<std::string> block = told_by_block();
    why.causes.insert(why.causes.begin(), block.begin(), block.end());
    // Lines outside of every TODO, as those of block_sum are: the same TODOs for every item. And behind *result only
    // the part can write that knows where it is.
    const bool is_guard = has_diagnosis(why, "guard-damaged");
    if (!why.places.empty() || is_guard) why.todos = todos_of_call(function.name, !block.empty() || is_guard);
  });
}

/// Asks for the dot product and requires it within the contract's bound. `todos` says which parts make it.
template <typename T, typename F>
Reply dot_and_check(F function, const Vectors<T>& v, const How& how, const std::string& todos) {
  const Reply reply = ask_dot<T>(function, in(v.a), in(v.b), v.size(), how);
  const Exact wanted = exact_dot(v, 0, v.size());
  if (near(static_cast<double>(reply.values<T>(0)[0]), wanted.sum, tolerance<T>(wanted, v.exact)))
    return reply;
  const Outcome<T> call{reply, v, wanted, how.was_right, how.repetitions};
  recognise_unwritten(call, todos);
  recognise(call);
  fail_unknown(call);
}

/// What the smallest size that goes wrong says about a sum of no known shape, for grids as the starter has them: of the
/// sizes that check_typical tries, the one before came out right.
inline std::vector<std::string> told_by_smallest(std::size_t n) {
  constexpr std::size_t block = 256, most_of_one_block = 4095;
  const std::size_t threads = n <= most_of_one_block ? block : 2 * block;
  if (submission().backend() != Backend::sim || submission().last_counters().threads != threads) return {};
  if (n > 1 && n <= warp_size) {
    return {"Fewer products come out right, " + number(n) +
            " of one warp do not: look at the exchanges between lanes first, TODO(3)."};
  }
  if (n == warp_size + 1) {
    return {"One warp comes out right, two do not: block_sum has warp_sum, TODO(3), add up the warps' sums, "
            "too."};
  }
  if (n == block + 1) {
    return {"One product for each thread comes out right, one more does not: how does a thread go on to its "
            "next one, TODO(2)?"};
  }
  if (n == most_of_one_block + 2) {
    return {"One block comes out right, two do not: what do blocks take, TODO(2), and how do their sums come "
            "together?"};
  }
  return {};
}

/// The first question: several blocks and a tail, and the smallest size that goes wrong if they do.
template <typename T, typename F>
void check_typical(F function, const std::string& todos) {
  std::size_t smallest = typical;
  const auto ask = [&](std::size_t n) {
    try {
      dot_and_check<T>(function, random_vectors<T>(n), {.schedule = schedules().front()}, todos);
    } catch (const ItemFailed&) {
      smallest = n;
      throw;
    }
  };
  changing(
      [&] {
        check_and_shrink(typical, {1, 2, 3, 31, 32, 33, 255, 256, 257, 1023, 1025, 2049, 4097}, ask);
      },
      [&](Failure& why) {
        if (is_about(why, "wrong-result"))
          std::ranges::move(told_by_smallest(smallest), std::back_inserter(why.details));
      });
}

/// On a GPU: whole numbers beyond its caches, as whole_vectors() has them, which the runner makes.
template <typename T, typename F>
void check_real_size(F function, const How& how, const std::string& todos) {
  constexpr std::size_t n = real + 3;
  const Drawn<T> a{whole_numbers(-16, 16)}, b{whole_numbers(-16, 16)};
  const Reply reply = ask_dot<T>(function, a.buffer(n).returned(), b.buffer(n).returned(), n, how);
  std::vector<std::int64_t> sums(pieces_of(n));
  for_each_piece(n, [&](std::size_t piece, std::size_t first, std::size_t last) {
    std::int64_t sum = 0;
    for (std::size_t i = first; i < last; ++i)
      sum += static_cast<std::int64_t>(a[i]) * static_cast<std::int64_t>(b[i]);
    sums[piece] = sum;
  });
  const auto wanted = static_cast<T>(std::accumulate(sums.begin(), sums.end(), std::int64_t{0}));
  expect_everywhere<T>(
      reply, 0, [&](std::size_t) { return wanted; },
      [&] {
        dot_and_check<T>(function, {"whole numbers", a.values(n), b.values(n), true}, how, todos);
      });
}

/// Every length, alignment, kind of input and schedule; and every call again, for a function may leave something behind.
template <typename T, typename F>
void check_everywhere(F function, const std::string& todos) {
  const auto ask = [&](const Vectors<T>& v, const How& how) { dot_and_check<T>(function, v, how, todos); };
  check_typical<T>(function, todos);
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
  const bool is_cuda = submission().backend() == Backend::cuda;
  ask(whole_vectors<T>(is_cuda ? large : large_on_sim), {.schedule = schedules().back()});
  if (!is_cuda) return;
  check_real_size<T>(function, {.shift_a = sizeof(T), .shift_b = sizeof(T)}, todos);
  check_real_size<T>(function, {.shift_b = sizeof(T)}, todos);
}

/// The sum of the first n generated whole numbers.
inline std::int64_t sum_of_generated(const Distribution& values, std::uint64_t seed, std::size_t n) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += generated_element<std::int64_t>(values, seed, i);
  return sum;
}

/// More elements than 32 bits count: ones, times small whole numbers of both signs. These repeat, so that their sum is
/// known, and whoever leaves out or repeats a part sees another one: the period is a prime, which is not 0 modulo any
/// power of two. And its sum is so small, but not 0, that no sum of a part needs rounding either.
template <typename T, typename F>
void check_far_elements(F function) {
  constexpr std::size_t n = (std::size_t{1} << 32) + (std::size_t{1} << 20) + 5;
  constexpr std::size_t period = 65'521;
  constexpr std::int64_t most = 100; // times n / period, that is below 2^23
  if (!has_room_for(2 * n * sizeof(T))) return;
  const Distribution values = repeating(whole_numbers(-4, 4), period);
  std::uint64_t seed = 0;
  std::int64_t of_period = 0;
  while (of_period == 0 || std::abs(of_period) > most) { // one of eight is
    seed = next_seed();
    of_period = sum_of_generated(values, seed, period);
  }
  const Reply reply =
      submission().call(CallOptions{.timeout = std::chrono::seconds(60)}, function, poisoned<T>(1).returned(),
                        generated<T>(n, constant(1), 1), generated<T>(n, values, seed), n);
  const auto value = static_cast<double>(reply.template values<T>(0)[0]);
  const auto periods = static_cast<std::int64_t>(n / period);
  const auto wanted = static_cast<double>(periods * of_period + sum_of_generated(values, seed, n % period));
  if (value == wanted) return;
  fail("index-overflow",
       "The sum of " + number(n) + " whole numbers is " + to_text(value) + "; right is " + to_text(wanted) +
           ". Shorter arrays come out right: here the index needs more than 32 bits.",
       {reply.in_call(), handout("One thread, many products")});
}

/// Two arrays, of so many bytes each, read once: all their bytes, in no more sectors than they lie in, and `further` bytes
/// besides.
inline Need need_of_both(std::size_t bytes_of_each, std::size_t further) {
  const std::size_t bytes = 2 * bytes_of_each, sectors = 2 * ((bytes_of_each + sector - 1) / sector);
  return {
      .least_bytes = bytes,
      .most_bytes = bytes + further,
      .most_sectors = sectors + further / sector,
      .section = "One thread, many products",
      .repeated =
          "Does more than one thread read the same element, or are there sums that go through global memory?",
      .repeated_id = "read-again",
      .missing_id = "too-few-bytes",
      .has_given_blocks = true};
}

/// Requires that the arrays, of so many bytes each, were read once. A sixteenth more may be read besides: what blocks
/// tell each other.
inline void expect_read_once(const Reply& reply, std::size_t bytes_of_each) {
  judge(reply, reading, need_of_both(bytes_of_each, bytes_of_each / 8));
}

/// What all accesses to shared memory took, atomics among them.
struct Wavefronts {
  std::uint64_t all = 0, ideal = 0;

  void expect_no_conflicts(const std::string& question, const std::vector<std::string>& details) const {
    if (all > ideal) {
      fail("bank-conflicts",
           "The sum is right, but lanes of a warp were on different words of the same bank: " + number(all) +
               " wavefronts, and " + number(ideal) + " without conflicts." + question,
           details);
    }
    expect_count("wavefronts", static_cast<double>(all), static_cast<double>(ideal), "too-few-wavefronts",
                 "Fewer wavefronts were counted than the requests need.");
  }
};
inline Wavefronts wavefronts_of(const simt::Counters& c) {
  return {c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts,
          c.shared_load_ideal_wavefronts + c.shared_store_ideal_wavefronts +
              c.shared_atomic_ideal_wavefronts};
}

} // namespace dot_product
