// Generated values: reproducible, in range, and the same whoever makes them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "call/generate.hpp"

using namespace warpbook;

TEST_CASE("the values of a seed are fixed for good") {
  // SplitMix64 of a counter; a change would silently change every bench's input.
  CHECK(random_bits(0, 0) == 0xE220A8397B1DCDAFu);
  CHECK(random_bits(0, 1) == 0x6E789E6AA1B965F4u);
  CHECK(random_bits(1, 0) != random_bits(0, 0));
}

TEST_CASE("a filled buffer equals its elements asked for one by one") {
  const Generator generator{ScalarType::f32, {Distribution::Shape::uniform, -2, 5}, 99};
  std::vector<float> values(2'500'000);
  generate(generator, values.data(), 1000, values.size());
  bool same = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    same = same && values[i] == generated_element<float>(generator.distribution, 99, 1000 + i);
  }
  CHECK(same);
}

TEST_CASE("uniform reals lie in the half-open range and fill it evenly") {
  double sum = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const auto value = generated_element<float>({Distribution::Shape::uniform, -1, 3}, 7, i);
    REQUIRE(value >= -1);
    REQUIRE(value < 3);
    sum += value;
  }
  CHECK(sum / 100000 == doctest::Approx(1).epsilon(0.02));
}

TEST_CASE("uniform integers reach both ends and nothing beyond") {
  std::vector<int> counts(6);
  for (std::uint64_t i = 0; i < 60000; ++i) {
    const auto value = generated_element<std::int8_t>({Distribution::Shape::uniform, -3, 2}, 7, i);
    REQUIRE(value >= -3);
    REQUIRE(value <= 2);
    ++counts[static_cast<std::size_t>(value + 3)];
  }
  for (const int count : counts) CHECK(std::abs(count - 10000) < 500);
}

TEST_CASE("constants and sequences are what they say") {
  const Distribution constant{Distribution::Shape::constant, 7, 0};
  const Distribution sequence{Distribution::Shape::sequence, 10, -2};
  CHECK(generated_element<double>(constant, 1, 123) == 7.0);
  CHECK(generated_element<std::uint16_t>(constant, 1, 123) == 7);
  CHECK(generated_element<float>(sequence, 1, 3) == 4.0f);
  CHECK(generated_element<std::int64_t>(sequence, 1, 8) == -6);
}

TEST_CASE("with a period the elements come again from the first on") {
  const Distribution once{Distribution::Shape::uniform, -50, 50};
  Distribution again = once;
  again.period = 7;
  const Generator generator{ScalarType::i32, again, 3};
  std::vector<int> values(200'000); // several threads' work
  generate(generator, values.data(), 5, values.size());
  bool same = true;
  for (std::size_t i = 0; i < values.size(); ++i)
    same = same && values[i] == generated_element<int>(once, 3, (5 + i) % 7);
  CHECK(same);
}
