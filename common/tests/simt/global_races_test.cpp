#include "simt/report/catalogue.hpp"
#include "simulation.hpp"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <set>

using namespace simt;

namespace {

constexpr const char* global_races_source = "global_races.cu";

std::string index_text(unsigned index) { return std::string("[").append(std::to_string(index)).append("]"); }

/// Checks that the report holds a race at these lines between threads of different blocks.
void check_race_between_blocks(const Report& report, const std::vector<unsigned>& lines) {
  Finding race = the_only(report, "global-race");
  CHECK(sorted_lines(race) == lines);
  REQUIRE(race.participants.size() == 2);
  CHECK(race.participants[0].thread->block != race.participants[1].thread->block);
  CHECK(mentions(message_of(race), "different blocks"));
}

} // namespace

TEST_CASE("lanes that write one beside the other, with others between them, are told apart") {
  Buffer<int> data(32);
  for (Schedule schedule : all_schedules) {
    const Report report =
        SIMT_RUN_WITH(with_schedule(schedule), "run_write_close_together", data.get(), data.get());
    const Finding race = the_only(report, "global-race");
    REQUIRE(race.participants.size() == 2);
    CHECK(std::set{race.participants[0].thread->thread[0], race.participants[1].thread->thread[0]} ==
          std::set<unsigned>{2, 5});
    CHECK(report.kernels.at(0).counters.global_store_requests == 2);
    CHECK(report.kernels.at(0).counters.global_store_lanes == 17);
    CHECK(report.kernels.at(0).counters.global_store_sectors == 3);
  }
}

TEST_CASE("threads of one block that share global memory without a barrier race, and with one do not") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(128);
    name(data, 128, "data");
    CHECK(
        SIMT_RUN_WITH(with_schedule(schedule), "run_swap_neighbours", data.get(), true).diagnostics.empty());
    Finding race = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_swap_neighbours", data.get(), false),
                            "global-race");
    CHECK(race.variable == "data");
    CHECK(sorted_lines(race) == marked_lines(global_races_source, "own element", "neighbour's element"));
    const ThreadId &a = *race.participants[0].thread, &b = *race.participants[1].thread;
    CHECK(a.block == b.block);
    CHECK((a.thread[0] ^ b.thread[0]) == 32);
    CHECK(a.warp != b.warp);
    // Each element is written by one thread and read by its neighbour.
    CHECK(race.count == 128);
    unsigned first = a.block[0] * 64 + a.thread[0];
    CHECK((index_text(race) == index_text(first) || index_text(race) == index_text(first ^ 32)));
    CHECK(mentions(cure_of(race), "__syncthreads()"));
  }
}

TEST_CASE("lanes of one warp that share global memory need __syncwarp") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(32), out(32);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_pass_on_in_warp", data.get(), out.get(), true)
              .diagnostics.empty());
    Finding race =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_pass_on_in_warp", data.get(), out.get(), false),
                 "global-race");
    CHECK(sorted_lines(race) == marked_lines(global_races_source, "lane writes", "other lane reads"));
    CHECK(mentions(cure_of(race), "__syncwarp()"));
  }
}

TEST_CASE("a lane that goes to another one's element of a row races with it, whichever comes first") {
  constexpr int lanes[][2] = {{0, 9}, {5, 6}, {20, 3}, {31, 0}, {7, 7}, {0, 0}};
  for (Schedule schedule : all_schedules)
    for (const auto& [lane, element] : lanes) {
      CAPTURE(lane);
      Buffer<int> data(32), out(32);
      const Report reads =
          SIMT_RUN_WITH(with_schedule(schedule), "run_read_in_row", data.get(), out.get(), lane, element);
      const Report writes =
          SIMT_RUN_WITH(with_schedule(schedule), "run_write_in_row", data.get(), out.get(), lane, element);
      if (lane == element) {
        CHECK(reads.diagnostics.empty());
        CHECK(writes.diagnostics.empty());
        continue;
      }
      const Finding read = the_only(reads, "global-race"), write = the_only(writes, "global-race");
      CHECK(sorted_lines(read) == marked_lines(global_races_source, "row is written", "one of it is read"));
      CHECK(sorted_lines(write) == marked_lines(global_races_source, "row is read", "one of it is written"));
      for (const Finding& race : {read, write})
        CHECK(std::set{race.participants[0].thread->thread[0], race.participants[1].thread->thread[0]} ==
              std::set{static_cast<unsigned>(lane), static_cast<unsigned>(element)});
    }
}

TEST_CASE("rows and parts of rows of two warps race where they overlap") {
  struct Case {
    int lanes, shift;
    bool races;
  };
  for (const Case& each : {Case{32, 0, true}, Case{32, 31, true}, Case{32, 32, false}, Case{20, 0, true},
                           Case{20, 10, true}, Case{20, 20, false}, Case{0, 0, false}}) {
    CAPTURE(each.lanes);
    CAPTURE(each.shift);
    Buffer<int> data(64);
    const Report report = SIMT_RUN("run_rows_of_two_warps", data.get(), each.lanes, each.shift);
    if (!each.races) {
      CHECK(report.diagnostics.empty());
      continue;
    }
    const Finding race = the_only(report, "global-race");
    CHECK(sorted_lines(race) == marked_lines(global_races_source, "by the first warp", "by the second warp"));
    CHECK(race.count == static_cast<unsigned>(each.lanes - each.shift));
  }
}

TEST_CASE("lanes of one request that access different sizes are no row") {
  for (Schedule schedule : all_schedules) {
    for (const auto& [first, others, races] :
         {std::array{1, 4, 31}, std::array{4, 1, 1}, std::array{1, 1, 0}}) {
      CAPTURE(first);
      CAPTURE(others);
      Buffer<char> data(128);
      const Report report =
          SIMT_RUN_WITH(with_schedule(schedule), "run_ranges_and_bytes", data.get(), first, others);
      if (races == 0) {
        CHECK(report.diagnostics.empty());
        continue;
      }
      const Finding race = the_only(report, "global-race");
      CHECK(sorted_lines(race) == marked_lines(global_races_source, "ranges", "bytes of them"));
      CHECK(race.count == static_cast<unsigned>(races));
    }
    // The second pair is aligned to 8 bytes only, and so are two accesses, of which the first is to what the first pair ends with.
    Buffer<double> data(64);
    const Finding race =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_overlapping_pairs", data.get()), "global-race");
    CHECK(sorted_lines(race) == marked_lines(global_races_source, "pairs", "pairs"));
  }
}

TEST_CASE("rows that their own lanes read and write again are no race") {
  Buffer<int> data(128), other(std::vector<int>(128, 3));
  CHECK(SIMT_RUN("run_read_and_write_rows", data.get(), static_cast<const int*>(other.get()))
            .diagnostics.empty());
  CHECK(data.values() == std::vector<int>(128, 6));
}

TEST_CASE("a stencil in place races at the blocks' edges, and one between two arrays does not") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(256), out(256);
    name(data, 256, "data");
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_stencil_in_place", data.get(), 256);
    check_race_between_blocks(report,
                              marked_lines(global_races_source, "reads neighbours", "writes in place"));
    Finding race = the_only(report, "global-race");
    CHECK(race.variable == "data");
    CHECK(race.count == 6);
    std::set<std::string> edges = {"[63]", "[64]", "[127]", "[128]", "[191]", "[192]"};
    CHECK(edges.count(index_text(race)) == 1);
    CHECK(mentions(cure_of(race), "read from one array and write to another"));
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_stencil_to_other", static_cast<const int*>(data.get()),
                        out.get(), 256)
              .diagnostics.empty());
  }
}

TEST_CASE("different values in one element race with both values told, equal ones do not") {
  Buffer<int> out(1);
  name(out, 1, "out");
  Report report = SIMT_RUN("run_all_write_block_number", out.get());
  check_race_between_blocks(report, marked_lines(global_races_source, "all write", "all write"));
  Finding race = the_only(report, "global-race");
  CHECK(index_text(race) == "[0]");
  REQUIRE(notes_of(race).size() == 1);
  CHECK(mentions(notes_of(race)[0], "the first write left 1,"));
  CHECK(mentions(notes_of(race)[0], "the second one 2"));
  CHECK(mentions(cure_of(race), "atomicAdd"));
  CHECK(SIMT_RUN("run_all_write_one", out.get()).diagnostics.empty());
}

TEST_CASE("counting across blocks needs an atomic") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(1);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_count_without_atomic", out.get());
    check_race_between_blocks(report, marked_lines(global_races_source, "lost update", "lost update"));
    CHECK(mentions(cure_of(the_only(report, "global-race")), "needs blockIdx"));
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_count_with_atomic", out.get()).diagnostics.empty());
  }
}

TEST_CASE("threads of a block that all add in one place, or all write there, get no barrier for advice") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(1);
    const auto cure = [&](const char* function) {
      return cure_of(the_only(SIMT_RUN_WITH(with_schedule(schedule), function, out.get()), "global-race"));
    };
    CHECK(cure("run_all_add") == one_thread_adds);
    CHECK(cure("run_all_set") == one_thread_writes);
  }
}

TEST_CASE("a plain read that only feeds a compare-and-swap does not race with other threads' exchanges") {
  for (Schedule schedule : all_schedules) {
    Buffer<double> sum(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_sum_by_exchange", sum.get()).diagnostics.empty());
    CHECK(sum.values()[0] == 4 * (63 * 64 / 2) + 64 * 6);
    Buffer<unsigned> count(4);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_sum_by_exchange_in_shared", sum.get(), count.get())
              .diagnostics.empty());
    CHECK(sum.values()[0] == 2 * (4 * (63 * 64 / 2) + 64 * 6));
    CHECK(count.values() == std::vector<unsigned>(4, 64));
  }
}

TEST_CASE(
    "a read in front of a compare-and-swap that feeds something else races with other threads' exchanges") {
  for (Schedule schedule : all_schedules) {
    Buffer<unsigned> count(1), out(64);
    const Report report =
        SIMT_RUN_WITH(with_schedule(schedule), "run_look_and_exchange", count.get(), out.get());
    CHECK(sorted_lines(the_only(report, "global-race")) ==
          marked_lines(global_races_source, "looks for itself, too", "exchanges"));
  }
}

TEST_CASE("a compare-and-swap races with a plain write, whatever its read is for") {
  for (Schedule schedule : all_schedules) {
    Buffer<unsigned> count(1);
    const Report report =
        SIMT_RUN_WITH(with_schedule(schedule), "run_exchange_beside_plain_write", count.get());
    CHECK(sorted_lines(the_only(report, "global-race")) ==
          marked_lines(global_races_source, "plain write", "exchange beside it"));
  }
}

TEST_CASE("a plain read races with other blocks' atomics") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> count(1), out(4);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_read_while_counting", count.get(), out.get());
    Finding race = the_only(report, "global-race");
    CHECK(sorted_lines(race) == marked_lines(global_races_source, "counts", "looks"));
    CHECK(mentions(notes_of(race)[0], "atomic"));
  }
}

TEST_CASE("bytes are told apart, and vectors from their components are not") {
  Buffer<char> bytes(64);
  CHECK(SIMT_RUN("run_bytes_between_blocks", bytes.get(), 2u).diagnostics.empty());
  Buffer<char> halves(64);
  check_race_between_blocks(SIMT_RUN("run_bytes_between_blocks", halves.get(), 1u),
                            marked_lines(global_races_source, "byte", "byte"));
  Buffer<float> vectors(128);
  name(vectors, 128, "vectors");
  for (Schedule schedule : all_schedules) {
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_vectors_between_blocks", vectors.get());
    cudaMemset(vectors.get(), 0, 512);
    check_race_between_blocks(report, marked_lines(global_races_source, "whole vector", "one component"));
  }
}

TEST_CASE("device variables are global memory too") {
  Buffer<int> out(3);
  Report report = SIMT_RUN("run_share_device_variable", out.get());
  CHECK(report.diagnostics.size() == 2);
  for (const Finding& diagnostic : report.diagnostics) CHECK(diagnostic.id == "global-race");
}

TEST_CASE(
    "the last block may read what the others wrote before a fence and a count, and not without the fence") {
  std::vector<int> values(1024, 1);
  for (Schedule schedule : all_schedules) {
    Buffer<int> in(values), partial(16), out(1);
    Buffer<unsigned> ticket(1);
    name(partial, 16, "partial");
    const int* input = in.get();
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_sum_in_last_block", input, partial.get(), ticket.get(),
                        out.get(), true)
              .diagnostics.empty());
    CHECK(out.values()[0] == 1024);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_sum_in_last_block", input, partial.get(),
                                  ticket.get(), out.get(), false);
    check_race_between_blocks(report, marked_lines(global_races_source, "partial sum", "last block reads"));
    Finding race = the_only(report, "global-race");
    CHECK(race.variable == "partial");
    CHECK(race.count == 15);
    CHECK(mentions(cure_of(race), "__threadfence()"));
  }
}

TEST_CASE("a fence of every thread before the barrier, or of one after it, publishes the block's work") {
  for (const char* kernel : {"run_fence_then_barrier", "run_barrier_then_fence"})
    for (Schedule schedule : all_schedules) {
      Buffer<int> data(512), out(1);
      Buffer<unsigned> ticket(1);
      CAPTURE(kernel);
      CHECK(SIMT_RUN_WITH(with_schedule(schedule), kernel, data.get(), ticket.get(), out.get())
                .diagnostics.empty());
      CHECK(out.values()[0] == 512);
    }
}

TEST_CASE("a fence before the write, or for the block only, does not publish it") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> partial(8), out(1);
    Buffer<unsigned> ticket(2);
    check_race_between_blocks(
        SIMT_RUN_WITH(with_schedule(schedule), "run_fence_too_early", partial.get(), ticket.get(), out.get()),
        marked_lines(global_races_source, "behind the fence", "unpublished"));
    check_race_between_blocks(SIMT_RUN_WITH(with_schedule(schedule), "run_fence_for_block_only",
                                            partial.get(), ticket.get() + 1, out.get()),
                              marked_lines(global_races_source, "narrow fence", "other block reads"));
  }
}

TEST_CASE("the block that counts last may set the counter back, and the first may not") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> partial(8), out(1);
    Buffer<unsigned> ticket(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_count_and_reset", partial.get(), ticket.get(),
                        out.get(), false)
              .diagnostics.empty());
    CHECK(out.values()[0] == 8);
    CHECK(ticket.values()[0] == 0);
    check_race_between_blocks(SIMT_RUN_WITH(with_schedule(schedule), "run_count_and_reset", partial.get(),
                                            ticket.get(), out.get(), true),
                              marked_lines(global_races_source, "takes a number", "sets the counter back"));
  }
}

TEST_CASE("one lane's fence publishes what its warp did before __syncwarp") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(256), out(1);
    Buffer<unsigned> ticket(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_warp_then_fence", data.get(), ticket.get(), out.get())
              .diagnostics.empty());
    CHECK(out.values()[0] == 256);
  }
}

TEST_CASE("a volatile flag hands data over if a fence stands before it") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(1), flag(2), out(4);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_produce_and_consume", data.get(), flag.get(), out.get(),
                        true)
              .diagnostics.empty());
    CHECK(out.values() == std::vector<int>{0, 42, 42, 42});
    check_race_between_blocks(SIMT_RUN_WITH(with_schedule(schedule), "run_produce_and_consume", data.get(),
                                            flag.get() + 1, out.get(), false),
                              marked_lines(global_races_source, "produces", "consumes"));
  }
}

TEST_CASE("a flag that is watched as volatile must be set as volatile") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(1), flag(1), out(1);
    check_race_between_blocks(
        SIMT_RUN_WITH(with_schedule(schedule), "run_flag_by_plain_write", data.get(), flag.get(), out.get()),
        marked_lines(global_races_source, "plain flag", "watched flag"));
  }
}

TEST_CASE("lanes that hand each other volatile values as if in step race") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(48, 1);
    const auto report = SIMT_RUN_WITH(with_schedule(schedule), "run_last_warp_in_step", data.get(), false);
    REQUIRE(!report.diagnostics.empty());
    CHECK(report.diagnostics[0].id == "global-race");
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_last_warp_in_step", data.get(), true)
              .diagnostics.empty());
  }
}

TEST_CASE("volatile flags within a warp are no race") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(512), found(1), flags(32), sums(32);
    CHECK(
        SIMT_RUN_WITH(with_schedule(schedule), "run_search", data.get(), found.get(), 0).diagnostics.empty());
    CHECK(found.values()[0] > 0);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_pass_on", flags.get(), sums.get()).diagnostics.empty());
    CHECK(sums.values()[31] == 32);
  }
}

TEST_CASE("order passes through a chain of flags") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(1), flags(6), out(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_chain", data.get(), flags.get(), out.get())
              .diagnostics.empty());
    CHECK(out.values()[0] == 7);
  }
}

TEST_CASE("a lock guards data only with fences") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> lock(1), sum(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_add_under_lock", lock.get(), sum.get(), true)
              .diagnostics.empty());
    CHECK(sum.values()[0] == 6);
    check_race_between_blocks(
        SIMT_RUN_WITH(with_schedule(schedule), "run_add_under_lock", lock.get(), sum.get(), false),
        marked_lines(global_races_source, "guarded", "guarded"));
  }
}

TEST_CASE("the barriers of a grid and of a cluster order global memory between blocks") {
  for (const auto& names :
       {std::pair("run_share_in_grid", "grid"), std::pair("run_share_in_cluster", "cluster")})
    for (Schedule schedule : all_schedules) {
      const char* const kernel = names.first;
      const char* const group = names.second;
      CAPTURE(kernel);
      Buffer<int> data(256), out(256);
      CHECK(SIMT_RUN_WITH(with_schedule(schedule), kernel, data.get(), out.get(), true).diagnostics.empty());
      CHECK(out.values()[0] == 64);
      std::string writes = std::string(group) + " writes", reads = std::string(group) + " reads";
      check_race_between_blocks(SIMT_RUN_WITH(with_schedule(schedule), kernel, data.get(), out.get(), false),
                                marked_lines(global_races_source, writes, reads));
    }
}

TEST_CASE("a child sees what its launching thread knew at the launch, and nothing else") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(64), out(64);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_launch_reader", data.get(), out.get(), true)
              .diagnostics.empty());
    CHECK(out.values()[63] == 63);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_launch_reader", data.get(), out.get(), false);
    Finding race = the_only(report, "global-race");
    CHECK(sorted_lines(race) == marked_lines(global_races_source, "parent writes", "child reads"));
    CHECK(race.count == 63); // the launching thread's own element is ordered
    CHECK(mentions(message_of(race), "its child"));
    Finding late =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_write_behind_launch", data.get(), out.get()),
                 "global-race");
    CHECK(sorted_lines(late) == marked_lines(global_races_source, "late write", "child reads"));
  }
}

TEST_CASE(
    "a parent cannot use its child's results, and siblings are ordered by their stream or a tail launch") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(64), out(64);
    Finding early = the_only(
        SIMT_RUN_WITH(with_schedule(schedule), "run_use_child_result", data.get(), out.get()), "global-race");
    CHECK(sorted_lines(early) == marked_lines(global_races_source, "too early", "child writes"));
    CHECK(mentions(cure_of(early), "cudaStreamTailLaunch"));
    for (bool tail : {false, true})
      CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_chain_of_children", data.get(), out.get(), tail)
                .diagnostics.empty());
    CHECK(out.values()[9] == 5);
    cudaMemset(data.get(), 0, 256);
    Finding siblings =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_siblings_without_order", data.get(), out.get()),
                 "global-race");
    CHECK(sorted_lines(siblings) == marked_lines(global_races_source, "child writes", "child reads"));
  }
}

TEST_CASE("kernels that the host launches one after the other are ordered") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(512), out(512);
    CHECK(
        SIMT_RUN_WITH(with_schedule(schedule), "run_two_kernels", data.get(), out.get()).diagnostics.empty());
    CHECK(out.values() == std::vector<int>(512, 3));
  }
}

TEST_CASE("a kernel that touches more memory than the checks can hold raises no false alarm") {
  std::size_t words = 9 << 20; // of 32 MiB that fit
  Buffer<int> data(words);
  Options options;
  options.step_budget = 20'000'000;
  CHECK(SIMT_RUN_WITH(options, "run_fill", data.get(), static_cast<int>(words / 256)).diagnostics.empty());
  CHECK(SIMT_RUN_WITH(options, "run_fill", data.get(), static_cast<int>(words / 256)).diagnostics.empty());
}

TEST_CASE("lanes of a warp race, too, where other warps have used the elements before a barrier") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(256);
    name(data, 256, "data");
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_last_rounds_without_barrier", data.get());
    Finding race = the_only(report, "global-race");
    CHECK(race.participants[0].thread->warp == race.participants[1].thread->warp);
    CHECK(sorted_lines(race) ==
          marked_lines(global_races_source, "a round of the tree", "a round of the tree"));
    CHECK(cure_of(race) == barrier_or_syncwarp);
  }
}
