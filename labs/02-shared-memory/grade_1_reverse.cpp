// The rubric of TODO(1): reverse_blocks, a static buffer and one barrier.

#include "rubric.hpp"

using namespace shared_memory;

namespace reverse_rubric {

namespace {

constexpr std::size_t p = reverse_piece;
const std::string section = "TODO(1): exchange elements";

/// Several pieces and a short one.
constexpr std::size_t typical = 4 * p + 77;

/// Where element i of n comes from, if pieces of so many are reversed.
Origin reversed(std::size_t i, std::size_t n, std::size_t piece) {
  const std::size_t first = i / piece * piece;
  return first + std::min(first + piece, n) - 1 - i;
}

std::vector<Mistake<Origin>> mistakes_at(std::size_t n) {
  const std::size_t whole = n / p * p;
  const auto right_until = [n](std::size_t last, auto behind) {
    return [=](std::size_t i) { return i < last ? reversed(i, n, p) : behind(i); };
  };
  const auto as_it_was = [](std::size_t i) { return i; };
  std::vector<Mistake<Origin>> list = {
      {message("whole-array-reversed/pieces"), [n](std::size_t i) { return n - 1 - i; }},
      {message("block-index-missing"), right_until(p, as_it_was)},
      {message("tail-skipped/piece", n - whole), right_until(whole, as_it_was)}};
  // A tail taken for shorter than it is: its first elements were reversed among themselves, the others left.
  for (std::size_t length = n - whole; length-- > 2;) {
    list.push_back({message("tail-in-part", n - whole, length), right_until(whole, [=](std::size_t i) {
                      return i < whole + length ? 2 * whole + length - 1 - i : i;
                    })});
  }
  if (n == whole && n > p) list.push_back({message("last-whole-piece-left"), right_until(n - p, as_it_was)});
  for (const std::size_t other : {32, 64, 128, 512, 1024}) {
    if (n <= other) continue;
    list.push_back(
        {message("pieces-of-other-length", other), [=](std::size_t i) { return reversed(i, n, other); }});
  }
  return list;
}

Reply reverse_and_check(const std::vector<int>& values, Schedule schedule) {
  const std::size_t n = values.size(), whole = n / p * p;
  const auto explain = [](Failure& why) {
    const simt::Finding* finding = first_finding(why);
    if (finding != nullptr && is_about(why, "global-race") && between_blocks(*finding))
      advise(why, message("/other-blocks-piece"));
  };
  Reply reply = call_explained({.section = section, .schedule = schedule, .explain = explain},
                               CONTRACT(reverse_blocks), inout(values), n);
  const Moved<int> moved{reply, values, [n](std::size_t i) { return reversed(i, n, p); }};
  const std::size_t wrong = moved.first_wrong();
  if (wrong == n) return reply;
  const Rule about = about_wrong(moved);
  if (n >= typical) require_solved(reply);
  moved.fail_if_made(mistakes_at(n), {"n = " + number(n)});
  if (wrong >= whole) fail(message("tail-of-full-length", n - whole, n - whole - 1), {"n = " + number(n)});
  expect_moved(moved, 0, section);
  return reply;
}

std::vector<int> random_numbers(std::size_t n) { return random_integers<int>(n, -1'000'000, 1'000'000); }

/// An array beyond a GPU's caches, of values that the runner makes.
void check_real_size(std::size_t n) {
  const Drawn<int> values{uniform(-1'000'000, 1'000'000)};
  const Schedule schedule = schedules().front();
  const Reply reply =
      call_explained({section, schedule}, CONTRACT(reverse_blocks), values.buffer(n).returned(), n);
  expect_everywhere<int>(
      reply, 0, [&](std::size_t i) { return values[reversed(i, n, p)]; },
      [&] { reverse_and_check(values.values(n), schedule); });
}

constexpr std::size_t counted_elements = 64 * p;
constexpr std::size_t counted_bytes = counted_elements * sizeof(int);

Reply counted_call(Schedule schedule) {
  return reverse_and_check(random_numbers(counted_elements), schedule);
}

} // namespace

TEST_CASE("reverse_blocks reverses every piece of 256 elements" * points(3) * tests("reverse_blocks") *
          todo(1)) {
  reverse_and_check(random_numbers(4 * p), schedules().front());
  check_and_shrink(typical, {1, 2, 3, 31, 32, 33, 255, 256, 257}, [](std::size_t n) {
    changing([&] { reverse_and_check(random_numbers(n), schedules().front()); },
             [&](Failure& why) { // whole pieces have come out right
               if (is_about(why, "uninitialised-read") && n % p != 0)
                 retell(why, message("tail-of-full-length/unwritten", n % p));
             });
  });
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes(1999)) reverse_and_check(random_numbers(n), schedule);
  }
  const std::vector<int> extreme = {std::numeric_limits<int>::min(), -1, 0, std::numeric_limits<int>::max()};
  for (const std::vector<int>& input : special_inputs(random_numbers(typical), extreme))
    reverse_and_check(input, schedules().front());
  reverse_and_check(random_numbers(large()), schedules().back());
  if (at_real_size()) check_real_size(real + 3);
}

TEST_CASE("reverse_blocks reads and writes each element of global memory once" * points(1) *
          tests("reverse_blocks") * todo(1) * sim_only()) {
  for (const Schedule schedule : schedules())
    judge_both(counted_call(schedule), need_once(counted_bytes, message("/piece-once")));
}

TEST_CASE("reverse_blocks passes every element through shared memory without conflicts" * points(1) *
          tests("reverse_blocks") * todo(1) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    expect_banks_apart(reply, counted_bytes, conflict_of(message("/banks-of-a-piece"), section));
    const std::size_t written = reply.counters().shared_store_bytes,
                      read = reply.counters().shared_load_bytes;
    if (read > counted_bytes || written > counted_bytes)
      fail(message("shared-more-than-once", written, read, counted_bytes));
  }
}

} // namespace reverse_rubric
