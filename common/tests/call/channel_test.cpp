// Messages over the channel, of any length, with and without a file.
#include <doctest/doctest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "call/channel.hpp"
#include "call/memory.hpp"

using namespace warpbook;

TEST_CASE("messages of any length arrive whole and in order") {
  auto [left, right] = Channel::make_pair();
  for (const std::size_t length : {0, 1, 32 * 1024, 32 * 1024 + 1, 5'000'000}) {
    const std::string text(length, static_cast<char>('a' + length % 26));
    left.send(text);
    left.send("next");
    const std::optional<Message> message = right.receive();
    REQUIRE(message);
    CHECK(message->text == text);
    CHECK_FALSE(message->file);
    CHECK(right.receive()->text == "next");
  }
}

TEST_CASE("shared memory travels with a message, short or long") {
  auto [left, right] = Channel::make_pair();
  for (const std::size_t length : {10, 100'000}) {
    const SharedMemory sent = SharedMemory::create(100);
    sent.bytes()[99] = std::byte{42};
    left.send(std::string(length, 'x'), sent.file());
    std::optional<Message> message = right.receive();
    REQUIRE(message);
    const SharedMemory received = SharedMemory::open(std::move(message->file), 100);
    CHECK(received.bytes()[99] == std::byte{42});
    received.bytes()[0] = std::byte{7};
    CHECK(sent.bytes()[0] == std::byte{7});
  }
}

TEST_CASE("shared memory of another size than announced is refused") {
  auto [left, right] = Channel::make_pair();
  const SharedMemory sent = SharedMemory::create(100);
  left.send("", sent.file());
  std::optional<Message> message = right.receive();
  REQUIRE(message);
  CHECK_THROWS_AS(SharedMemory::open(std::move(message->file), 101), std::runtime_error);
}

TEST_CASE("shared memory cannot be shrunk under a mapping") {
  const SharedMemory memory = SharedMemory::create(4096);
  CHECK(::ftruncate(memory.file(), 0) != 0);
}

TEST_CASE("a closed channel ends the messages") {
  auto [left, right] = Channel::make_pair();
  left.send("last");
  { const Channel closed = std::move(left); }
  CHECK(right.receive()->text == "last");
  CHECK_FALSE(right.receive());
  CHECK_FALSE(right.has_message());
}

TEST_CASE("what is no message is refused") {
  auto [left, right] = Channel::make_pair();
  for (const std::string& packet : {std::string("x"), std::string(100, 'x'), Channel::packet("abc") + "d"}) {
    REQUIRE(::send(left.file(), packet.data(), packet.size(), 0) > 0);
    CHECK(right.has_message());
    CHECK_THROWS_AS(right.receive(), std::runtime_error);
  }
}

TEST_CASE("a packet made for a signal handler is a message") {
  auto [left, right] = Channel::make_pair();
  const std::string packet = Channel::packet("note");
  REQUIRE(::send(left.file(), packet.data(), packet.size(), 0) > 0);
  CHECK(right.receive()->text == "note");
}
