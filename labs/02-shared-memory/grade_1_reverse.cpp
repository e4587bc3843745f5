// The rubric of TODO(1): reverse_blocks, a static buffer and one barrier.

#include "rubric.hpp"

using namespace shared_memory;

namespace reverse_rubric {

namespace {

constexpr std::size_t p = reverse_piece;
const std::string section = "Somebody else's element";

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
  std::vector<Mistake<Origin>> list;
  if (n > p) {
    list.push_back({"whole-array-reversed",
                    "The whole array was reversed. Each piece of 256 elements should be reversed within "
                    "itself: element k of a piece comes from element length - 1 - k of the same piece.",
                    [n](std::size_t i) { return n - 1 - i; }});
    list.push_back({"block-index-missing",
                    "Only the first piece was reversed. Every block must find out where its own begins: "
                    "blockIdx.x counts the blocks.",
                    right_until(p, as_it_was)});
  }
  if (n > whole + 1) {
    list.push_back({"tail-skipped",
                    "The last piece was left as it was: it has only " + number(n - whole) +
                        " elements, and is to be reversed within itself.",
                    right_until(whole, as_it_was)});
    // Taken for shorter than it is: its first elements were reversed among themselves, the others left.
    for (std::size_t length = n - whole - 1; length > 1; --length) {
      list.push_back({"tail-in-part",
                      "All whole pieces are right, but the last one has " + number(n - whole) +
                          " elements, and was reversed as if it had " + number(length) +
                          ": the others were left as they were. Its length is all that is left of n.",
                      right_until(whole, [=](std::size_t i) {
                        return i < whole + length ? 2 * whole + length - 1 - i : i;
                      })});
    }
  }
  if (n == whole && n > p) {
    list.push_back({"last-whole-piece-left",
                    "All pieces are right but the last, which was left as it was. As n is a multiple of 256, "
                    "it has 256 elements. If its length is computed as n % 256, that is 0 here.",
                    right_until(n - p, as_it_was)});
  }
  for (const std::size_t other : {32, 64, 128, 512, 1024}) {
    if (n <= other) continue;
    list.push_back(
        {"pieces-of-other-length",
         "Pieces of " + number(other) + " elements were reversed; a piece has 256, and so must a block.",
         [=](std::size_t i) { return reversed(i, n, other); }});
  }
  return list;
}

/// Fails the item if the shape of a wrong result is known; returns if it is not.
void recognise(const Moved<int>& moved) {
  const std::size_t n = moved.after.size(), whole = n / p * p;
  const std::vector<std::string> where = {"n = " + number(n), handout(section)};
  moved.fail_if_made(mistakes_at(n), where);
  if (moved.first_wrong() < whole) return;
  fail("tail-of-full-length",
       "All whole pieces are right, but the last one, of " + number(n - whole) +
           " elements, is not. Which place of `piece` does its element k come from? That depends on the "
           "piece's own length: the old element " +
           number(n - whole - 1) + " comes to place 0.",
       where);
}

/// Calls reverse_blocks with this buffer argument.
Reply call_reverse(const auto& a, std::size_t n, Schedule schedule) {
  return read_in(section, [&] {
    return submission().call(CallOptions{.schedule = schedule, .sites = true}, CONTRACT(reverse_blocks), a,
                             n);
  });
}

Reply reverse_and_check(const std::vector<int>& values, Schedule schedule) {
  const std::size_t n = values.size();
  Reply reply = call_reverse(inout(values), n, schedule);
  const Moved<int> moved{reply, values, [n](std::size_t i) { return reversed(i, n, p); }};
  if (moved.first_wrong() == n) return reply;
  if (n >= typical) require_solved(reply);
  recognise(moved);
  std::vector<int> wanted(n);
  for (std::size_t i = 0; i < n; ++i) wanted[i] = values[moved.origin(i)];
  read_in(section, [&] { expect_equal(reply, 0, wanted); });
  return reply;
}

std::vector<int> random_numbers(std::size_t n) { return random_integers<int>(n, -1'000'000, 1'000'000); }

/// An array beyond a GPU's caches, of values that the runner makes.
void check_real_size(std::size_t n) {
  const Drawn<int> values{uniform(-1'000'000, 1'000'000)};
  const Reply reply = call_reverse(values.buffer(n).returned(), n, schedules().front());
  expect_everywhere<int>(
      reply, 0, [&](std::size_t i) { return values[reversed(i, n, p)]; },
      [&] { reverse_and_check(values.values(n), schedules().front()); });
}

/// Of n elements, when whole pieces have come out right: what is read there and was not written is behind the end of a
/// short piece.
void explain_short_piece(Failure& why, std::size_t n) {
  if (!is_about(why, "uninitialised-read") || n % p == 0) return;
  retell(why, "tail-of-full-length",
         "Whole pieces are right, but the last one is read where nobody has written. It has " +
             counted(n % p, "element") +
             ": which place of `piece` is the last of them in? Places behind it are nobody's.");
}

constexpr std::size_t counted_elements = 64 * p;

Reply counted_call(Schedule schedule) {
  return reverse_and_check(random_numbers(counted_elements), schedule);
}

} // namespace

TEST_CASE("reverse_blocks reverses every piece of 256 elements" * points(3) * tests("reverse_blocks") *
          todo(1)) {
  reverse_and_check(random_numbers(4 * p), schedules().front());
  check_and_shrink(typical, {1, 2, 3, 31, 32, 33, 255, 256, 257}, [](std::size_t n) {
    changing([&] { reverse_and_check(random_numbers(n), schedules().front()); },
             [&](Failure& why) { explain_short_piece(why, n); });
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
  constexpr std::size_t bytes = counted_elements * sizeof(int);
  for (const Schedule schedule : schedules())
    expect_each_once(counted_call(schedule), bytes, section,
                     "A thread brings one element into `piece` and takes one out.");
}

TEST_CASE("reverse_blocks passes every element through shared memory without conflicts" * points(1) *
          tests("reverse_blocks") * todo(1) * sim_only()) {
  constexpr std::size_t bytes = counted_elements * sizeof(int);
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    expect_banks_apart(reply, bytes,
                       "Neighbouring lanes on neighbouring elements, forwards or backwards, have none.",
                       section);
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
