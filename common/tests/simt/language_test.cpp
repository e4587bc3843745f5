#include "simulation.hpp"

#include <doctest/doctest.h>

using namespace simt;

TEST_CASE("vector types move as one access and compute as members") {
  std::vector<float> values(128);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  Buffer<float> in(values), out(128);
  for (Schedule schedule : all_schedules) {
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_vectors", static_cast<const void*>(in.get()),
                                  static_cast<void*>(out.get()));
    CHECK(report.diagnostics.empty());
    const Counters& c = report.kernels[0].counters;
    CHECK(c.shared_store_requests == 1);
    CHECK(c.shared_store_bytes == 512);
    CHECK(c.shared_store_wavefronts == 4);
    CHECK(c.global_store_requests == 1);
    CHECK(out.values()[1] == 31 * 4 + 1 + 2 + 1);
  }
}

TEST_CASE("kernel templates launch with given and with deduced arguments") {
  Buffer<int> a(32);
  Buffer<double> b(32);
  Report report = SIMT_RUN("run_templates", a.get(), b.get());
  REQUIRE(report.kernels.size() == 2);
  CHECK(a.values()[3] == 9);
  CHECK(b.values()[3] == 13);
}

TEST_CASE("indices and extents cover the grid in every schedule") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(12 * 60);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_indices", out.get()).diagnostics.empty());
    std::vector<int> values = out.values();
    for (int block = 0; block < 12; ++block)
      for (int thread = 0; thread < 60; ++thread)
        CHECK(values[static_cast<std::size_t>(block * 60 + thread)] == block * 1000 + thread);
  }
}

TEST_CASE("intrinsics give the device's results") {
  Buffer<float> f(4);
  Buffer<int> i(6);
  SIMT_RUN("run_arithmetic", f.get(), i.get());
  CHECK(f.values() == std::vector<float>{0.5f, 10, 5, 10});
  CHECK(i.values() == std::vector<int>{8, 31, 4, 5, 0x3f800000, 1});
}

TEST_CASE("minima and maxima with types in their names compare in these types") {
  Buffer<long long> out(6);
  SIMT_RUN("run_limits", out.get());
  CHECK(out.values() == std::vector<long long>{3, 7, -1, 2, 5, 1ll << 40});
}

TEST_CASE("atomics of every type update memory exactly") {
  Buffer<int> i(5);
  Buffer<unsigned> u(4);
  Buffer<unsigned long long> l(1);
  Buffer<float> f(1);
  Buffer<double> d(1);
  for (int round = 1; round <= 3; ++round) {
    Schedule schedule = all_schedules[round - 1];
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_atomics", i.get(), u.get(), l.get(), f.get(), d.get())
              .diagnostics.empty());
    CHECK(i.values() == std::vector<int>{64 * round, -32 * round, -31, 31, 9});
    CHECK(u.values()[0] == 0xffffffffu);
    CHECK(u.values()[1] == 0);
    CHECK(u.values()[2] == 32u * static_cast<unsigned>(round) % 10);
    CHECK(l.values()[0] == (32ull << 33) * static_cast<unsigned>(round));
    CHECK(f.values()[0] == 16.0f * static_cast<float>(round));
    CHECK(d.values()[0] == 8.0 * round);
  }
  CHECK(u.values()[3] == (10u - 96u % 10) % 10);
}

TEST_CASE("structures and vectors can be kernel arguments") {
  Buffer<float> data(6);
  CHECK(SIMT_RUN("run_structure_argument", data.get()).diagnostics.empty());
  CHECK(data.values() == std::vector<float>{2, 12, 22, 32, 42, 52});
}

TEST_CASE("stores of classes that calls return are seen") {
  Buffer<short> smalls(32);
  Buffer<float> triples(3 * 128), fives(5 * 32);
  const Report report = SIMT_RUN("run_store_results", smalls.get(), triples.get(), fives.get());
  CHECK(report.diagnostics.empty());
  CHECK(report.kernels.at(0).counters.global_store_sectors == 2 + 4 * 3 * 12 + 5 * 20);
  CHECK(smalls.values() == std::vector<short>(32, 1));
  CHECK(triples.values()[0] == 2);
  CHECK(triples.values()[3 * 32] == 3);
  CHECK(triples.values()[3 * 64] == 4);
  CHECK(triples.values()[3 * 96] == 4);
  CHECK(fives.values()[5 * 7 - 1] == 5);
  CHECK(fives.values()[5 * 7] == 6);
}

TEST_CASE("printf in a kernel runs, with its arguments, without complaints") {
  CHECK(SIMT_RUN("run_print").diagnostics.empty());
}
