// The rubric of TODO(1) to TODO(3): the flat reductions, one block per part. Technique items ask for the
// right sums first and then count requests.

#include "rubric.hpp"

using namespace dynamic_parallelism;

namespace {

constexpr std::size_t counted_parts = 16;

/// The requests of the load instructions in a part's block. Shuffles are no requests: all lanes take part.
struct Requests {
  double count, lanes; ///< per part; active lanes of 32, on average

  explicit Requests(const simt::Counters& c) {
    const std::uint64_t loads = c.global_load_requests + c.shared_load_requests;
    count = static_cast<double>(loads + c.global_atomic_requests + c.shared_atomic_requests) / counted_parts;
    lanes = loads == 0 ? 0 : per(c.global_load_lanes + c.shared_load_lanes, loads);
  }
};

Details costs(const Reply& reply) {
  const Requests requests(reply.counters());
  return details_of(
      reply, followed_by({say("{requests} requests to read per part, {lanes} active lanes of 32 on average",
                              rounded(requests.count), rounded(requests.lanes))},
                         costly_lines(reply, &simt::Counters::global_load_sectors,
                                      &simt::Counters::global_load_requests, say("sectors"))));
}

/// A tree of 128, 64, 32 … 1 neighbouring threads reads two elements each: 2 * (4 + 2 + 1 + 5) requests; 8
/// more read the part, and one the sum. With every round written out it may be 40. Threads that lie apart
/// need 103.
constexpr double most_requests = 40;
/// A tree in shared memory first copies the part there: each of the eight warps reads its elements once more.
constexpr double copy_requests = 8;
/// Threads that lie apart have 7 to 9 lanes at work on average, neighbours 23 and more.
constexpr double few_lanes = 16;
/// A tree needs no atomic operation. One per warp, or one per lane of one warp, leaves most work to the tree.
constexpr double most_atomics = 32;
/// 32 lanes can read at most 512 bytes with one request.
constexpr double least_requests = 2;

template <typename F>
Reply counted_call(F function, Schedule schedule) {
  return reduce_and_check(function, random_input(counted_parts * part_size), schedule);
}

/// Few requests, and few atomic updates: those of one place run one after the other, even within one request.
void expect_lanes_together(const Reply& reply) {
  using C = simt::Counters;
  const C& c = reply.counters();
  const double atomics = per(c.global_atomic_lanes + c.shared_atomic_lanes, counted_parts);
  expect_none({{atomics > most_atomics, message("added-by-atomics", rounded(atomics))}}, [&] {
    return details_of(
        reply,
        followed_by(costly_lines(reply, &C::global_atomic_lanes, &C::global_atomic_requests, say("lanes")),
                    costly_lines(reply, &C::shared_atomic_lanes, &C::shared_atomic_requests, say("lanes"))));
  });
  const Requests requests(c);
  const double enough = most_requests + (c.shared_load_requests > 0 ? copy_requests : 0);
  const bool too_many = requests.count > enough;
  const std::string made = rounded(requests.count), most = rounded(enough), lanes = rounded(requests.lanes);
  expect_none({{too_many && requests.lanes < 3, message("added-one-by-one", made, most, lanes)},
               {too_many && requests.lanes < few_lanes, message("divergent-threads", made, most, lanes)},
               {too_many, message("too-many-requests", made, most, lanes)}},
              [&] { return costs(reply); });
  expect_between("requests to read per part", requests.count, least_requests, enough,
                 message("too-few-requests"));
  tell_measured(
      say("requests"),
      say("{requests} per part, {most} at most; {lanes} active lanes of 32 on average", made, most, lanes));
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
  constexpr double most_sectors = part_sectors + 80;
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(CONTRACT(reduce_interleaved), schedule);
    expect_lanes_together(reply);
    const simt::Counters& c = reply.counters();
    const double sectors = per(c.global_load_sectors, counted_parts);
    const std::uint64_t wavefronts = c.shared_load_wavefronts, ideal = c.shared_load_ideal_wavefronts;
    expect_none({{sectors > most_sectors, message("elements-apart", rounded(sectors), rounded(most_sectors))},
                 {wavefronts > ideal, message("elements-apart/in-shared-memory", wavefronts, ideal)}},
                [&] { return costs(reply); });
    expect_between("sectors read per part", sectors, part_sectors, most_sectors, message("too-few-sectors"));
    tell_measured(say("sectors read"),
                  say("{sectors} per part, {most} at most", rounded(sectors), rounded(most_sectors)));
  }
}
