// The rubric of TODO(1): reverse_blocks, a static buffer and one barrier.

#include "rubric.hpp"

using namespace shared_memory;

namespace reverse_rubric {

namespace {

constexpr std::size_t p = reverse_piece;
const std::string section = "Somebody else's element";

/// Several pieces and a short one.
constexpr std::size_t typical = 4 * p + 77;

std::vector<int> reversed(std::vector<int> a, std::size_t piece) {
  for (std::size_t first = 0; first < a.size(); first += piece) {
    const auto begin = a.begin() + static_cast<std::ptrdiff_t>(first);
    std::reverse(begin, begin + static_cast<std::ptrdiff_t>(std::min(piece, a.size() - first)));
  }
  return a;
}

/// Fails the item if the shape of a wrong result is known; returns if it is not.
void recognise(std::span<const int> after, const std::vector<int>& before, const std::vector<int>& wanted) {
  const std::size_t n = before.size(), whole = n / p * p;
  const auto same = [&](std::size_t first, std::size_t last, const std::vector<int>& values) {
    return std::equal(after.begin() + static_cast<std::ptrdiff_t>(first),
                      after.begin() + static_cast<std::ptrdiff_t>(last),
                      values.begin() + static_cast<std::ptrdiff_t>(first));
  };
  const std::vector<std::string> where = {"n = " + number(n), handout(section)};
  if (n > p && same(0, n, reversed(before, n))) {
    fail("whole-array-reversed",
         "The whole array was reversed. Each piece of 256 elements should be reversed within itself: element "
         "k of "
         "a piece comes from element length - 1 - k of the same piece.",
         where);
  }
  if (n > p && same(0, p, wanted) && same(p, n, before)) {
    fail("block-index-missing",
         "Only the first piece was reversed. Every block must find out where its own begins: blockIdx.x "
         "counts "
         "the blocks.",
         where);
  }
  if (n > whole + 1 && same(0, whole, wanted)) {
    if (same(whole, n, before)) {
      fail("tail-skipped",
           "The last piece was left as it was: it has only " + number(n - whole) +
               " elements, and is to be reversed within itself.",
           where);
    }
    // Taken for shorter than it is: its first elements were reversed among themselves, the others left.
    for (std::size_t length = n - whole - 1; length > 1; --length) {
      const auto of_tail = [&](std::size_t k) { return before[whole + (k < length ? length - 1 - k : k)]; };
      std::size_t k = 0;
      while (k < n - whole && after[whole + k] == of_tail(k)) ++k;
      if (k < n - whole) continue;
      fail("tail-in-part",
           "All whole pieces are right, but the last one has " + number(n - whole) +
               " elements, and was reversed as if it had " + number(length) +
               ": the others were left as they were. Its length is all that is left of n.",
           where);
    }
    fail("tail-of-full-length",
         "All whole pieces are right, but the last one, of " + number(n - whole) +
             " elements, is not. Which place of `piece` does its element k come from? That depends on the "
             "piece's own length: the old element " +
             number(n - whole - 1) + " comes to place 0.",
         where);
  }
  if (n == whole && n > p && same(0, n - p, wanted) && same(n - p, n, before)) {
    fail("last-whole-piece-left",
         "All pieces are right but the last, which was left as it was. As n is a multiple of 256, it has 256 "
         "elements. If its length is computed as n % 256, that is 0 here.",
         where);
  }
  for (const std::size_t other : {32, 64, 128, 512, 1024}) {
    if (n <= std::min<std::size_t>(other, p) || !same(0, n, reversed(before, other))) continue;
    fail("pieces-of-other-length",
         "Pieces of " + number(other) + " elements were reversed; a piece has 256, and so must a block.",
         where);
  }
}

/// Calls reverse_blocks with this buffer argument.
Reply call_reverse(const auto& a, std::size_t n, Schedule schedule) {
  Reply reply;
  read_in(section, [&] {
    reply =
        submission().call(CallOptions{.schedule = schedule, .sites = true}, CONTRACT(reverse_blocks), a, n);
  });
  return reply;
}

Reply reverse_and_check(const std::vector<int>& values, Schedule schedule) {
  Reply reply = call_reverse(inout(values), values.size(), schedule);
  const std::vector<int> wanted = reversed(values, p);
  const std::span<const int> after = reply.values<int>(0);
  if (std::equal(after.begin(), after.end(), wanted.begin())) return reply;
  if (values.size() >= typical) require_solved(reply);
  recognise(after, values, wanted);
  read_in(section, [&] { expect_equal(reply, 0, wanted); });
  return reply;
}

std::vector<int> random_values(std::size_t n) { return random_integers<int>(n, -1'000'000, 1'000'000); }

/// An array beyond a GPU's caches, of values that the runner makes.
void check_real_size(std::size_t n) {
  const Distribution values = uniform(-1'000'000, 1'000'000);
  const std::uint64_t seed = next_seed();
  const Reply reply = call_reverse(generated<int>(n, values, seed).returned(), n, schedules().front());
  expect_everywhere<int>(
      reply, 0,
      [&](std::size_t i) {
        const std::size_t first = i / p * p, last = std::min(first + p, n) - 1;
        return generated_element<int>(values, seed, first + last - i);
      },
      [&] { reverse_and_check(generated_values<int>(n, values, seed), schedules().front()); });
}

/// Runs `check` on n elements, when whole pieces have come out right: what is read there and was not written is
/// behind the end of a short piece.
void at_a_short_piece(std::size_t n, const std::function<void()>& check) {
  try {
    check();
  } catch (ItemFailed& failed) {
    const std::size_t last = n % p;
    if (failed.failure.diagnoses.front() == "uninitialised-read" && last != 0) {
      retell(failed.failure, "tail-of-full-length",
             "Whole pieces are right, but the last one is read where nobody has written. It has " +
                 (last == 1 ? std::string("1 element") : number(last) + " elements") +
                 ": which place of `piece` is the last of them in? Places behind it are nobody's.");
    }
    throw;
  }
}

constexpr std::size_t counted_elements = 64 * p;

Reply counted_call(Schedule schedule) { return reverse_and_check(random_values(counted_elements), schedule); }

} // namespace

TEST_CASE("reverse_blocks reverses every piece of 256 elements" * points(3) * tests("reverse_blocks") *
          todo(1)) {
  reverse_and_check(random_values(4 * p), schedules().front());
  check_and_shrink(typical, {1, 2, 3, 31, 32, 33, 255, 256, 257}, [](std::size_t n) {
    at_a_short_piece(n, [&] { reverse_and_check(random_values(n), schedules().front()); });
  });
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes(1999)) reverse_and_check(random_values(n), schedule);
  }
  const std::vector<int> extreme = {std::numeric_limits<int>::min(), -1, 0, std::numeric_limits<int>::max()};
  for (const Input<int>& input : special_inputs(random_values(typical), extreme))
    reverse_and_check(input.values, schedules().front());
  reverse_and_check(random_values(large()), schedules().back());
  if (at_real_size()) check_real_size(real + 3);
}

TEST_CASE("reverse_blocks reads and writes each element of global memory once" * points(1) *
          tests("reverse_blocks") * todo(1) * sim_only()) {
  constexpr std::size_t bytes = counted_elements * sizeof(int);
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    for (const Way& way : {reading, writing}) {
      judge(reply, way,
            {.least_bytes = bytes,
             .most_bytes = bytes,
             .most_sectors = bytes / 32,
             .section = section,
             .repeated = "A thread brings one element into `piece` and takes one out."});
    }
  }
}

TEST_CASE("reverse_blocks passes every element through shared memory without conflicts" * points(1) *
          tests("reverse_blocks") * todo(1) * sim_only()) {
  constexpr std::size_t bytes = counted_elements * sizeof(int);
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    for (const Way& way : {shared_writing, shared_reading}) {
      expect_no_conflicts(
          reply, way, bytes,
          {.why = "Neighbouring lanes on neighbouring elements, forwards or backwards, have none.",
           .section = "Thirty-two banks",
           .task = section});
    }
    if (reply.counters().shared_load_bytes > bytes || reply.counters().shared_store_bytes > bytes) {
      fail("shared-more-than-once",
           "The result is right, but shared memory was used more often than once for each element: " +
               number(reply.counters().shared_store_bytes) + " bytes were written and " +
               number(reply.counters().shared_load_bytes) + " read for " + number(bytes) + ".",
           {handout(section)});
    }
  }
}

} // namespace reverse_rubric
