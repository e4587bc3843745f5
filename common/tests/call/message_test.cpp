// Calls and replies survive the way through message text; anything else is refused.
#include <doctest/doctest.h>

#include <stdexcept>

#include "call/call.hpp"

using namespace warpbook;

TEST_CASE("a call survives the way through its message") {
  Call call;
  call.token = "17";
  call.function = "f";
  call.returns_value = true;
  call.return_type = ScalarType::u16;
  call.schedule = Schedule::random;
  call.schedule_seed = 0xFFFFFFFFFFFFFFFFu;
  call.repetitions = 3;
  call.sites = true;
  call.memory_bytes = 4096;
  Argument scalar;
  scalar.scalar = {ScalarType::f64, 0x3FF0000000000000u};
  Argument buffer;
  buffer.is_buffer = true;
  buffer.buffer = {Direction::inout,
                   "data",
                   4,
                   100,
                   4100,
                   4096,
                   512,
                   true,
                   {ScalarType::i32, {Distribution::Shape::sequence, 3, 4, 7}, 5},
                   false};
  call.arguments = {scalar, buffer};

  const Call copy = call_from_message(to_message(call));
  CHECK(to_message(copy) == to_message(call));
  CHECK(copy.schedule_seed == call.schedule_seed);
  CHECK(copy.arguments[0].scalar.bits == 0x3FF0000000000000u);
  CHECK(copy.arguments[1].buffer.generator.distribution.high == 4);
  CHECK(copy.arguments[1].buffer.generator.distribution.period == 7);
  CHECK(copy.arguments[1].buffer.direction == Direction::inout);
  CHECK_FALSE(copy.arguments[1].buffer.returned);
  CHECK_FALSE(copy.launch_room.has_value());
  CHECK_FALSE(copy.last_block_only);
  CHECK(copy.patience == 1);

  call.launch_room = {4, 2};
  call.last_block_only = true;
  call.patience = 64;
  const Call scarce = call_from_message(to_message(call));
  REQUIRE(scarce.launch_room.has_value());
  CHECK(scarce.launch_room->launches == 4);
  CHECK(scarce.launch_room->from_depth == 2);
  CHECK(scarce.last_block_only);
  CHECK(scarce.patience == 64);
}

TEST_CASE("a reply survives the way through its message, whatever bytes its texts hold") {
  RawReply reply;
  reply.token = "17";
  reply.status = RawReply::Status::exception;
  reply.error_text = "bad \xFF bytes";
  reply.left_processes = true;
  reply.returned_bits = 42;
  reply.times_ms = {0.5, 0.25};
  reply.report = "{\"kernels\":\n[\"\xFF\"]}";
  reply.trace = "{\"steps\": []}";
  const RawReply copy = reply_from_message(to_message(reply));
  CHECK(copy.status == RawReply::Status::exception);
  CHECK(copy.error_text.substr(0, 4) == "bad ");
  CHECK(copy.left_processes);
  CHECK(copy.times_ms == reply.times_ms);
  CHECK(copy.report == reply.report);
  CHECK(copy.trace == reply.trace);
}

TEST_CASE("what is no call and no reply is refused") {
  for (const char* text : {"", "{", "[]", "{}", R"({"token": 1})", "null"}) {
    CHECK_THROWS_AS(call_from_message(text), std::runtime_error);
    CHECK_THROWS_AS(reply_from_message(text), std::runtime_error);
  }
  std::string unknown = to_message(RawReply{});
  unknown.replace(unknown.find("finished"), 8, "perfect!");
  CHECK_THROWS_AS(reply_from_message(unknown), std::runtime_error);
}

TEST_CASE("sizes of scalar types are those of the machine") {
  CHECK(size_of(ScalarType::boolean) == sizeof(bool));
  CHECK(size_of(ScalarType::i64) == 8);
  CHECK(size_of(ScalarType::f32) == sizeof(float));
  CHECK(std::string(name_of(ScalarType::u8)) == "u8");
}
