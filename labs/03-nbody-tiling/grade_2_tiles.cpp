// The rubric of TODO(2): tiles, judged by what they read, how, and how often the block waits.

#include <optional>

#include "needs.hpp"
#include "rubric.hpp"

using namespace nbody;

namespace {

/// Several tiles for blocks of any usual size; the second is a multiple of no tile.
constexpr std::size_t counted_sizes[] = {1024, 1201};
constexpr float softening = 0.05F;
constexpr std::size_t body_bytes = sizeof(float4);
constexpr std::size_t smallest_tile = 64; // bodies: two warps of threads
constexpr std::size_t most_bodies_per_thread = 16;

/// How often a tile is filled for n bodies.
std::size_t fillings(std::size_t n, std::size_t tile) { return (n + tile - 1) / tile; }

/// What is said of a call that read no shared memory, about where the bodies came from: only what was counted is claimed.
LabMessage no_tiles(const Reply& reply, std::size_t n) {
  const simt::Counters& c = reply.counters();
  if (c.global_load_bytes < n * body_bytes) return message("no-tiles/bodies-not-read");
  const bool all_by_all = c.global_load_lanes >= std::min(grid_of(reply).threads, n) * n;
  return message("no-tiles", all_by_all, c.shuffles != 0);
}

/// The right result first; then shared memory at all.
Reply counted_call(std::size_t n, Schedule schedule) {
  Reply reply = accelerate_and_check(random_bodies(n), softening, schedule, true);
  const simt::Counters& c = reply.counters();
  if (c.shared_load_requests == 0 || launched(reply).blocks == 0) {
    reading_on("Tiles", [&] {
      fail(c.shared_store_requests != 0 ? message("tile-not-used") : no_tiles(reply, n),
           costs(reply, reading,
                 {say("{reads} reads of global memory by single threads for {bodies} bodies",
                      c.global_load_lanes, n)}));
    });
  }
  return reply;
}

/// Calls judge_it(n, reply) for every number of bodies at which is counted, and every order.
template <typename Judge>
void at_counted_sizes(const Judge& judge_it) {
  for (const std::size_t n : counted_sizes) {
    for (const Schedule schedule : schedules()) judge_it(n, counted_call(n, schedule));
  }
}

/// How often blocks waited: at barriers of their own, at those of their clusters, and, where a block is a single warp
/// that has no others, by __syncwarp.
std::uint64_t waits_of_blocks(const Reply& reply) {
  std::uint64_t sum = 0;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    const simt::Counters& c = kernel.counters;
    const std::uint64_t waits = c.barriers + c.cluster_barriers * volume(kernel.cluster);
    sum += waits == 0 && volume(kernel.block) <= 32 ? c.warp_syncs : waits;
  }
  return sum;
}

/// How often a block waits as the bodies become more.
struct Waiting {
  double first = 0;           ///< with the fewest bodies
  double most_further = 0;    ///< for so many more
  std::size_t same_until = 0; ///< bodies for which it waits as for the fewest: those of a tile
};

/// Finds out by calls with ever more bodies, in steps of the smallest tile: each further tile of that size or a larger
/// one begins in a step of its own. `room`: bodies that a tile may have at most.
Waiting measured_waiting(std::size_t room) {
  Waiting result;
  double before = 0;
  const std::size_t last = std::min(2 * room, counted_sizes[0]) + smallest_tile;
  for (std::size_t n = smallest_tile; n <= last; n += smallest_tile) {
    const Reply reply = accelerate_and_check(random_bodies(n), softening, schedules().front());
    const double waits = per(waits_of_blocks(reply), launched(reply).blocks);
    if (n == smallest_tile) {
      result.first = waits;
    } else {
      result.most_further = std::max(result.most_further, waits - before);
    }
    if (result.most_further == 0) result.same_until = n;
    before = waits;
  }
  return result;
}

} // namespace

TEST_CASE("accelerations reads each body from global memory once a block" * points(4) *
          tests("accelerations") * todo(2) * sim_only()) {
  at_counted_sizes([&](std::size_t n, const Reply& reply) {
    const simt::Counters& c = reply.counters();
    const auto [blocks, threads, shared_bodies, threads_per_block] = launched(reply);
    // Every block reads all bodies once, and every thread its own; blocks that share the work over the bodies of
    // the tiles leave partial sums, which are read again.
    const std::size_t own_and_partial = threads + c.global_store_lanes + c.global_atomic_lanes;
    const Need need = {.least_bytes = n * least_reads_of_a_body * body_bytes,
                       .most_bytes = (blocks * n + own_and_partial) * body_bytes,
                       .most_sectors = c.global_load_bytes / 32 * 17 / 16 + 8,
                       .section = "Tiles",
                       .repeated = message("/bodies-fetched-again", blocks, n).sentence,
                       .has_given_blocks = true};
    const std::size_t enough_bytes = (fillings(n, smallest_tile) * n + own_and_partial) * body_bytes;
    if (c.global_load_bytes <= need.most_bytes && c.global_load_bytes > enough_bytes)
      reading_on(need.section, [&, blocks = blocks] {
        fail(message("tile-too-small/blocks", blocks, n, smallest_tile), traffic(reply, reading, need));
      });
    judge(reply, reading, need);
  });
}

TEST_CASE("accelerations gives each body of a tile to a whole warp at once" * points(3) *
          tests("accelerations") * todo(2) * sim_only()) {
  at_counted_sizes([&](std::size_t n, const Reply& reply) {
    const simt::Counters& c = reply.counters();
    const std::uint64_t requests = c.shared_load_requests;
    // One word of 4 or 8 bytes goes to 32 lanes in one wavefront, one of 16 bytes in two: half a warp at a time.
    const bool wide = per(c.shared_load_bytes, c.shared_load_lanes) > 8;
    const Details lines =
        costs(reply, shared_reading,
              {say("{requests} requests to shared memory, {wavefronts} wavefronts: {ratio} per request; a "
                   "broadcast of "
                   "{is_wide?16 bytes takes 2|up to 8 bytes takes 1}",
                   requests, c.shared_load_wavefronts, significant(per(c.shared_load_wavefronts, requests)),
                   wide)});
    // Partial sums that are added up in shared memory are no broadcasts: a few for each body.
    const std::uint64_t few = n;
    if (c.shared_load_wavefronts > (wide ? 2 : 1) * requests + few)
      reading_on("Broadcast", [&] { fail(message("no-broadcast"), lines); });
    // A warp reads each body of the tiles, padding included, with one read of 16 bytes or four of 4.
    const auto [blocks, threads, shared_bodies, threads_per_block] = launched(reply);
    const std::uint64_t once_each = threads / 32 * (n + shared_bodies), most = 4 * once_each + few;
    if (requests > most) {
      reading_on("Broadcast",
                 [&] { fail(message("read-piecemeal", significant(per(requests, once_each))), lines); });
    }
    expect_between("requests to shared memory", static_cast<double>(requests),
                   static_cast<double>(n * n / 32 / most_bodies_per_thread), static_cast<double>(most),
                   message("tile-not-used/hardly"));
    tell_measured(say("shared memory read"),
                  say("{requests} requests, {most} at most; {ratio} wavefronts per request", requests, most,
                      rounded(per(c.shared_load_wavefronts, requests))));
  });
}

TEST_CASE("accelerations waits at most twice a tile" * points(2) * tests("accelerations") * todo(2) *
          sim_only()) {
  std::optional<Waiting> waiting; // costs some calls: only where the room does not tell
  at_counted_sizes([&](std::size_t n, const Reply& reply) {
    const auto [blocks, threads, shared_bodies, threads_per_block] = launched(reply);
    const std::uint64_t barriers = waits_of_blocks(reply);
    // Two buffers have room for twice a tile, and need one barrier for each: the same bound. Two more at the ends.
    const auto bound = [n, blocks = blocks](std::size_t tile) {
      return blocks * (2 * fillings(n, tile) + 2);
    };
    const std::size_t room = std::max<std::size_t>(shared_bodies, 1);
    std::size_t tile = std::max(room, smallest_tile);
    if (barriers > bound(tile) && room > smallest_tile) {
      // Does the tile leave a part of the room to a second buffer, or to something else?
      if (!waiting) waiting = measured_waiting(room);
      const std::size_t used = std::min(tile, waiting->same_until);
      if (barriers > bound(used)) {
        tile = used;
      } else if (waiting->first <= 4 && waiting->most_further <= 2) {
        return;
      }
    }
    const std::size_t most = bound(tile);
    const std::string room_text = say("{count} {is_one?body|bodies}", shared_bodies, shared_bodies == 1);
    const Details lines = {
        say("{barriers} barriers in {blocks:block}; shared memory for {room}", barriers, blocks, room_text),
        say("{most} = {blocks:block} * (2 * {fillings} fillings + 2 at the ends)", most, blocks,
            fillings(n, tile)),
        reply.in_call()};
    if (barriers > most && barriers <= bound(room))
      fail(message("tile-too-small/barriers", room_text, barriers, smallest_tile, most), lines);
    if (barriers > most) fail(message("too-many-barriers", barriers, most), lines);
    if (barriers < blocks * least_barriers_of_a_block && n > 32)
      fail(message("no-barrier", blocks, barriers), lines);
    tell_measured(say("barriers"),
                  say("{barriers} in {blocks:block}, {most} at most", barriers, blocks, most));
  });
}
