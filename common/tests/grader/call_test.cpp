// Calls of a well-behaved submission: every argument arrives and every result comes back.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "call/generate.hpp"
#include "fixture.hpp"
#include "grader/compare.hpp"
#include "grader/inputs.hpp"
#include "toy.hpp"

using namespace warpbook;

TEST_CASE("scalars of every type arrive unchanged") {
  Submission toy(toy_options("well_behaved"));
  const Reply reply = toy.call(CONTRACT(toy_scalars), out<double>(13), true, 'w', std::int8_t{-128},
                               std::uint8_t{255}, std::int16_t{-32768}, std::uint16_t{65535},
                               std::int32_t{-2147483647 - 1}, 4294967295u, std::int64_t{-4503599627370497},
                               std::uint64_t{9007199254740993}, -0.1f, 0.1, ToyMode::multiply);
  const std::vector<double> wanted = {1,
                                      double('w'),
                                      -128.0,
                                      255.0,
                                      -32768,
                                      65535.0,
                                      -2147483648.0,
                                      4294967295.0,
                                      -4503599627370497.0,
                                      9007199254740992.0,
                                      double(-0.1f),
                                      0.1,
                                      7.0};
  const auto found = reply.values<double>(0);
  CHECK(std::vector<double>(found.begin(), found.end()) == wanted);
}

TEST_CASE("sixteen mixed arguments arrive in order") {
  Submission toy(toy_options("well_behaved"));
  const std::vector<double> x = {0.5};
  const Reply reply = toy.call(CONTRACT(toy_sixteen), out<double>(1), in(x), 1.0f, 2.0, 3, 4.0f, 5, 6.0, 7,
                               8.0f, 9.0, 10, 11.0f, 12.0, 13u, true);
  double wanted = 0.5 + 14;
  for (int i = 1; i <= 13; ++i) wanted += i * i;
  CHECK(reply.values<double>(0)[0] == wanted);
}

TEST_CASE("in, out and in-out buffers travel both ways") {
  Submission toy(toy_options("well_behaved"));
  for (const std::size_t n : {0, 1, 257, 100003}) {
    std::vector<float> a(n);
    std::vector<float> b(n);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<float>(i) * 0.25f;
      b[i] = 3 - static_cast<float>(i);
    }
    const Reply reply = toy.call(CONTRACT(toy_buffers), in(a), inout(b), out<float>(n), out<double>(n), n);
    REQUIRE(reply.values<float>(2).size() == n);
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) {
      right = right && reply.values<float>(0)[i] == a[i] && reply.values<float>(1)[i] == 2 * b[i] &&
              reply.values<float>(2)[i] == a[i] + b[i] && reply.values<double>(3)[i] == a[i];
    }
    CHECK(right);
  }
}

TEST_CASE("a shifted buffer starts that many bytes past a 256-byte boundary") {
  Submission toy(toy_options("well_behaved"));
  const std::vector<float> data(10);
  for (const std::size_t shift : {0, 4, 12, 252}) {
    const Reply reply = toy.call(CONTRACT(toy_alignment), in(data).shifted(shift), out<std::uint64_t>(1));
    CHECK(reply.values<std::uint64_t>(1)[0] == shift);
  }
}

TEST_CASE("buffers of structs travel too") {
  Submission toy(toy_options("well_behaved"));
  const std::vector<ToyBody> bodies = {{1, 2, 3}, {4, 5, 6}};
  const Reply reply = toy.call(CONTRACT(toy_bodies), in(bodies), out<ToyBody>(2), std::size_t{2});
  CHECK(reply.values<ToyBody>(1)[1] == ToyBody{4, 5, 12});
}

TEST_CASE("returned values of every width come back") {
  Submission toy(toy_options("well_behaved"));
  CHECK(toy.call(CONTRACT(toy_minus_five)).returned<std::int32_t>() == -5);
  CHECK(toy.call(CONTRACT(toy_two_hundred)).returned<std::uint8_t>() == 200);
  CHECK(toy.call(CONTRACT(toy_huge)).returned<std::size_t>() == 0xFEDCBA9876543210u);
  CHECK(toy.call(CONTRACT(toy_half)).returned<float>() == 0.5f);
  CHECK(toy.call(CONTRACT(toy_third)).returned<double>() == 1.0 / 3);
  CHECK(toy.call(CONTRACT(toy_true)).returned<bool>());
  CHECK(toy.call(CONTRACT(toy_multiply)).returned<ToyMode>() == ToyMode::multiply);
}

TEST_CASE("calls share a process, so that state which is not reset shows") {
  Submission toy(toy_options("well_behaved"));
  CHECK(toy.call(CONTRACT(toy_count_calls), out<int>(1)).values<int>(0)[0] == 1);
  CHECK(toy.call(CONTRACT(toy_count_calls), out<int>(1)).values<int>(0)[0] == 2);
}

TEST_CASE("in-out buffers are restored before each repetition") {
  Submission toy(toy_options("well_behaved"));
  const std::vector<int> data = {10, 20};
  const Reply reply =
      toy.call(CallOptions{.repetitions = 5}, CONTRACT(toy_increment), inout(data), std::size_t{2});
  CHECK(reply.values<int>(0)[1] == 21);
}

TEST_CASE("a generated buffer holds the documented values, and comes back only on request") {
  Submission toy(toy_options("well_behaved"));
  const std::size_t n = 3000000; // long enough for several threads to share it
  const Reply reply = toy.call(CONTRACT(toy_increment), generated<int>(n, uniform(-3, 9), 42).returned(), n);
  const auto values = reply.values<int>(0);
  bool right = values.size() == n;
  for (std::size_t i = 0; right && i < n; ++i)
    right = values[i] == generated_element<int>(uniform(-3, 9), 42, i) + 1;
  CHECK(right);

  const Reply kept = toy.call(CONTRACT(toy_increment), generated<int>(n, uniform(-3, 9), 42), n);
  CHECK_THROWS_AS(kept.values<int>(0), std::logic_error);
}

TEST_CASE("large buffers arrive and come back whole, shifted and generated ones too") {
  constexpr std::size_t n = 300'001; // several threads' work, and no whole number of their pieces
  Submission toy(toy_options("well_behaved"));
  const std::vector<float> a = generated_values<float>(n, uniform(), 1),
                           b = generated_values<float>(n, uniform(), 2);
  const Reply reply =
      toy.call(CONTRACT(toy_buffers), in(a).shifted(4), generated<float>(n, uniform(), 2).returned(),
               out<float>(n).shifted(12), out<double>(n), n);
  const auto doubled = [&](std::size_t i) { return 2 * b[i]; };
  const auto added = [&](std::size_t i) { return a[i] + b[i]; };
  CHECK(std::ranges::equal(reply.values<float>(0), a));
  CHECK_NOTHROW(expect_samples<float>(reply, 1, doubled));
  CHECK_NOTHROW(expect_samples<float>(reply, 2, added));
  CHECK(std::ranges::equal(reply.values<double>(3), a));
  CHECK_FALSE(reply.unwritten(1, n - 1));
}

TEST_CASE("a sampled buffer brings its first, its last and some other elements, with their places") {
  Submission toy(toy_options("well_behaved"));
  const std::size_t n = 100000;
  const Reply reply = toy.call(CONTRACT(toy_increment), generated<int>(n, sequence(5, 3), 1).sampled(64), n);
  const auto values = reply.values<int>(0);
  const std::vector<std::size_t>& places = reply.indices(0);
  REQUIRE(values.size() == 64);
  REQUIRE(places.size() == 64);
  CHECK(places.front() == 0);
  CHECK(places.back() == n - 1);
  for (std::size_t k = 0; k < 64; ++k) {
    CHECK(places[k] < n);
    CHECK(values[k] == 5 + 3 * static_cast<int>(places[k]) + 1);
  }
  expect_samples<int>(reply, 0, [](std::size_t i) { return 6 + 3 * static_cast<int>(i); });
  CHECK_THROWS_AS(expect_samples<int>(reply, 0, [](std::size_t i) { return 5 + 3 * static_cast<int>(i); }),
                  ItemFailed);
}

TEST_CASE("samples of a buffer that has no more elements are the whole buffer") {
  Submission toy(toy_options("well_behaved"));
  const Reply reply =
      toy.call(CONTRACT(toy_increment), generated<int>(5, sequence(0, 1), 1).sampled(64), std::size_t{5});
  CHECK(reply.values<int>(0).size() == 5);
  CHECK(reply.values<int>(0)[4] == 5);
}

TEST_CASE("elements of a generated struct are generated one value after the other") {
  Submission toy(toy_options("well_behaved"));
  const Reply reply = toy.call(CONTRACT(toy_bodies), generated<ToyBody, float>(7, sequence(0, 1), 1),
                               generated<ToyBody, float>(7, constant(0), 1).returned(), std::size_t{7});
  CHECK(reply.values<ToyBody>(1)[6] == ToyBody{18, 19, 40});
}

TEST_CASE("warm-ups are neither timed nor counted, and times come from a GPU alone") {
  Submission toy(toy_options("well_behaved"));
  const CallOptions how{.repetitions = 3, .most_repetitions = 3, .warm_ups = 2, .cold = true};
  const Reply reply = toy.call(how, CONTRACT(toy_increment), inout(std::vector<int>{10, 20}), std::size_t{2});
  CHECK(reply.values<int>(0)[0] == 11);
  CHECK(reply.times_ms().size() == (on_cuda ? 3 : 0));
  const Reply count = toy.call(how, CONTRACT(toy_count_calls), out<int>(1));
  CHECK(count.values<int>(0)[0] == (on_cuda ? 5 : 3));
}

TEST_CASE("asking a reply for the wrong buffer or type is an error of the rubric") {
  Submission toy(toy_options("well_behaved"));
  const Reply reply = toy.call(CONTRACT(toy_count_calls), out<int>(1));
  CHECK_THROWS_AS(reply.values<float>(0), std::logic_error);
  CHECK_THROWS_AS(reply.values<int>(1), std::logic_error);
  CHECK_THROWS_AS(reply.returned<int>(), std::logic_error);
}

TEST_CASE("a scalar that does not fit its parameter is refused before anything runs") {
  Submission toy(toy_options("well_behaved"));
  const std::vector<int> data = {1};
  CHECK_THROWS_AS(toy.call(CONTRACT(toy_increment), inout(data), -1), std::out_of_range);
  CHECK(toy.calls_made() == 0);
}

TEST_CASE("a hundred small calls take well under a tenth of a second") {
  Submission toy(toy_options("well_behaved"));
  const std::vector<int> data(256);
  toy.call(CONTRACT(toy_increment), inout(data), data.size());
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) toy.call(CONTRACT(toy_increment), inout(data), data.size());
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  MESSAGE("100 calls: " << time.count() << " s");
  CHECK(time.count() < 1.0); // ten times the aim: machines that run tests are busy
}
