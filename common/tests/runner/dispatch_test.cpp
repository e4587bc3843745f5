// Calls made from types alone, without a runner around them.
#include <doctest/doctest.h>

#include <cstring>
#include <stdexcept>

#include "runner/dispatch.hpp"

using namespace warpbook;

namespace {

template <typename T>
Argument scalar(ScalarType type, T value) {
  Argument argument;
  argument.scalar.type = type;
  std::memcpy(&argument.scalar.bits, &value, sizeof(value));
  return argument;
}

Argument buffer() {
  Argument argument;
  argument.is_buffer = true;
  return argument;
}

double seen[4];
extern "C" void record(double a, float b, std::int16_t c, const int* d) {
  seen[0] = a;
  seen[1] = b;
  seen[2] = c;
  seen[3] = *d;
}
extern "C" std::int8_t minus_one() { return -1; }
extern "C" bool all_true(bool a, bool b) { return a && b; }
extern "C" float twice(float x) { return 2 * x; }
extern "C" void throws() { throw std::runtime_error("from inside"); }

template <typename F>
void* address(F* function) {
  return reinterpret_cast<void*>(function);
}

} // namespace

TEST_CASE("scalars and pointers reach their parameters") {
  Call call;
  call.arguments = {scalar(ScalarType::f64, 1.5), scalar(ScalarType::f32, -2.25f),
                    scalar(ScalarType::i16, std::int16_t{-3}), buffer()};
  int value = 77;
  Dispatch(address(record), call, {&value})();
  CHECK(seen[0] == 1.5);
  CHECK(seen[1] == -2.25);
  CHECK(seen[2] == -3);
  CHECK(seen[3] == 77);
}

TEST_CASE("a returned value is zero-extended from its own width") {
  Call call;
  call.returns_value = true;
  call.return_type = ScalarType::i8;
  CHECK(Dispatch(address(minus_one), call, {})() == 0xFF);

  call.return_type = ScalarType::boolean;
  call.arguments = {scalar(ScalarType::boolean, true), scalar(ScalarType::boolean, true)};
  CHECK(Dispatch(address(all_true), call, {})() == 1);

  call.return_type = ScalarType::f32;
  call.arguments = {scalar(ScalarType::f32, 1.25f)};
  const std::uint64_t bits = Dispatch(address(twice), call, {})();
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  CHECK(result == 2.5f);
}

TEST_CASE("exceptions pass through the call") {
  CHECK_THROWS_WITH_AS(Dispatch(address(throws), Call{}, {})(), "from inside", std::runtime_error);
}

TEST_CASE("a call without enough buffers is refused") {
  Call call;
  call.arguments = {buffer()};
  CHECK_THROWS_AS(Dispatch(address(minus_one), call, {}), std::out_of_range);
}
