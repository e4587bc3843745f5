// The rubric of TODO(1) to TODO(3): the flat reductions, one block for a part. Technique items ask for the
// right sums first and then count what the warps asked for.

#include "rubric.hpp"

using namespace dynamic_parallelism;

namespace {

constexpr std::size_t counted_parts = 16;

/// What a part's block asked memory for, by load instructions of its warps. Shuffles are no requests: all
/// lanes take part.
struct Requests {
  double count, lanes; ///< per part; active lanes of 32, on average
};
Requests requests_of(const Reply& reply) {
  const simt::Counters& c = reply.counters();
  const std::uint64_t loads = c.global_load_requests + c.shared_load_requests;
  return {static_cast<double>(loads + c.global_atomic_requests + c.shared_atomic_requests) / counted_parts,
          loads == 0
              ? 0
              : static_cast<double>(c.global_load_lanes + c.shared_load_lanes) / static_cast<double>(loads)};
}

std::vector<std::string> costs(const Reply& reply, const std::string& section) {
  const Requests requests = requests_of(reply);
  return details_of(reply, section,
                    followed_by({rounded(requests.count) + " requests to read for each part, " +
                                 rounded(requests.lanes) + " active lanes of 32 on average"},
                                costly_lines(reply, &simt::Counters::global_load_sectors,
                                             &simt::Counters::global_load_requests, "sectors")));
}

/// A tree of 128, 64, 32 … 1 neighbouring threads reads two elements each: 2 * (4 + 2 + 1 + 5) requests; 8
/// more read the part, and one the sum. With every round written out it may be 40. Threads that lie apart
/// need 103.
constexpr double most_requests = 40;
/// A tree in shared memory first copies the part there: each of the eight warps reads its elements once more.
constexpr double copy_requests = 8;
/// Threads that lie apart have 7 to 9 lanes at work on average, neighbours 23 and more.
constexpr double few_lanes = 16;
/// A tree needs no atomic. One for each warp, or for each lane of one warp, leaves most of the work to it.
constexpr double most_atomics = 32;
/// 32 lanes can read at most 512 bytes by one request.
constexpr double least_requests = 2;

template <typename F>
Reply counted_call(F function, Schedule schedule) {
  return reduce_and_check(function, random_input(counted_parts * part_size), schedule);
}

/// Atomics on one place come one after the other, however few requests of the warps they are.
void expect_no_atomics(const Reply& reply) {
  using C = simt::Counters;
  const C& c = reply.counters();
  const double atomics =
      static_cast<double>(c.global_atomic_lanes + c.shared_atomic_lanes) / static_cast<double>(counted_parts);
  expect_none(
      "The sums are right, but ",
      {{atomics > most_atomics, "added-by-atomics",
        rounded(atomics) +
            " atomic updates were made for each part, and those of one place come one after the other. In a "
            "tree every pair has a thread of its own, and a barrier behind each round: nothing is left for "
            "an atomic to do. Which pairs does the task ask for?"}},
      [&] {
        return details_of(
            reply, "Three ways to pair up",
            followed_by(costly_lines(reply, &C::global_atomic_lanes, &C::global_atomic_requests, "lanes"),
                        costly_lines(reply, &C::shared_atomic_lanes, &C::shared_atomic_requests, "lanes")));
      });
}

void expect_lanes_together(const Reply& reply) {
  expect_no_atomics(reply);
  const Requests requests = requests_of(reply);
  const bool in_shared_memory = reply.counters().shared_load_requests > 0;
  const double enough = most_requests + (in_shared_memory ? copy_requests : 0);
  const bool serial = requests.lanes < 3, apart = requests.lanes < few_lanes;
  expect_none(
      "The sums are right, but ",
      {{requests.count > enough,
        serial  ? "added-one-by-one"
        : apart ? "divergent-threads"
                : "too-many-requests",
        "the warps made " + rounded(requests.count) + " requests for each part where " + rounded(enough) +
            " are enough, with " + rounded(requests.lanes) + " of 32 lanes at work on average. " +
            (serial ? "Almost everything is done by single threads, while their block waits."
             : apart
                 ? "The threads that add lie apart, so that every warp goes through every round. Which "
                   "threads could do the same additions, so that whole warps are done early?"
                 : "In each round a thread with work reads two elements, and a warp without work none: "
                   "is anything read beyond that, or do in some round the threads with work lie apart?")}},
      [&] { return costs(reply, "Lanes that only watch"); });
  expect_between("requests to read, for each part", requests.count, least_requests, enough,
                 "too-few-requests", "Fewer requests were counted than it takes to read a part.");
}

} // namespace

TEST_CASE("reduce_neighbored adds up every part" * points(2) * tests("reduce_neighbored") * todo(1)) {
  check_everywhere(CONTRACT(reduce_neighbored));
}

TEST_CASE("reduce_neighbored_less adds up every part" * points(2) * tests("reduce_neighbored_less") *
          todo(2)) {
  check_everywhere(CONTRACT(reduce_neighbored_less));
}

TEST_CASE("reduce_neighbored_less lets whole warps finish early" * points(2) *
          tests("reduce_neighbored_less") * todo(2) * sim_only()) {
  for (const Schedule schedule : schedules())
    expect_lanes_together(counted_call(CONTRACT(reduce_neighbored_less), schedule));
}

TEST_CASE("reduce_interleaved adds up every part" * points(2) * tests("reduce_interleaved") * todo(3)) {
  check_everywhere(CONTRACT(reduce_interleaved));
}

TEST_CASE("reduce_interleaved has neighbouring threads on neighbouring elements" * points(2) *
          tests("reduce_interleaved") * todo(3) * sim_only()) {
  // Reading the part takes 32 sectors. The tree: 2 * (16 + 8 + 4) for halves of 128, 64 and 32 threads, 4 +
  // 2 + 2 + 2 + 2 below, and one for the sum: 69. Pairs of neighbours need 255.
  constexpr double part_sectors = 32, most_sectors = part_sectors + 80;
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(CONTRACT(reduce_interleaved), schedule);
    expect_lanes_together(reply);
    const simt::Counters& c = reply.counters();
    const double sectors = static_cast<double>(c.global_load_sectors) / counted_parts;
    expect_none(
        "The sums are right, but ",
        {{sectors > most_sectors, "elements-apart",
          rounded(sectors) + " sectors were read for each part where " + rounded(most_sectors) +
              " are enough: neighbouring threads are on elements that lie apart. Add what is half the part "
              "away, not the neighbour."},
         {c.shared_load_wavefronts > c.shared_load_ideal_wavefronts, "elements-apart",
          "lanes of a warp were on different words of one bank of shared memory: " +
              number(c.shared_load_wavefronts) + " wavefronts where " +
              number(c.shared_load_ideal_wavefronts) +
              " are enough. Neighbouring threads belong on neighbouring elements."}},
        [&] { return costs(reply, "Three ways to pair up"); });
    expect_between("sectors read, for each part", sectors, part_sectors, most_sectors, "too-few-sectors",
                   "Fewer sectors were read than a part lies in.");
  }
}
