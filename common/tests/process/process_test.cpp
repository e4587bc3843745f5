#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "process/proc.hpp"
#include "process/process.hpp"

using namespace warpbook;

TEST_CASE("a program's status is that of its exit, or tells the signal that ended it") {
  CHECK(run_program({"true"}) == 0);
  CHECK(run_program({"sh", "-c", "exit 7"}) == 7);
  CHECK(run_program({"sh", "-c", "kill -SEGV $$"}) == 128 + SIGSEGV);
}

TEST_CASE("a program that is not there is an exception with its name and the reason") {
  try {
    run_program({"no-such-program"});
    FAIL("it was started");
  } catch (const std::system_error& error) {
    CHECK(error.code().value() == ENOENT);
    CHECK(std::string(error.what()).find("no-such-program") != std::string::npos);
  }
}

TEST_CASE("what a program prints is taken as a whole, and its errors where they are asked for") {
  const std::vector<std::string> command = {"sh", "-c", "echo out; echo error >&2; exit 3"};
  CHECK(output_of(command, false).text == "out\n");
  CHECK(output_of(command, true).text == "out\nerror\n");
  CHECK(output_of(command, true).status == 3);
  CHECK(output_of({"seq", "100000"}, false).text.size() == 588'895);
}

TEST_CASE("words are passed on as they are, without a shell") {
  CHECK(output_of({"printf", "%s|", "a b", "$HOME", "'\"*"}, false).text == "a b|$HOME|'\"*|");
}

TEST_CASE("an interrupt ends a program, whatever this process does with it") {
  const auto before = std::signal(SIGINT, SIG_IGN);
  CHECK(run_program({"sh", "-c", "kill -INT $$; exit 0"}) == 128 + SIGINT);
  std::signal(SIGINT, before);
}

TEST_CASE("waiting for a process that is no child returns at once") { CHECK(wait_for(::getppid()) == 0); }

TEST_CASE("the memory that a process has taken is known, touched or not") {
  const std::size_t before = data_bytes_of(::getpid());
  CHECK(before > 0);
  const std::size_t more = 64 << 20;
  void* taken = ::mmap(nullptr, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(taken != MAP_FAILED);
  CHECK(data_bytes_of(::getpid()) >= before + more);
  ::munmap(taken, more);
  CHECK(data_bytes_of(0x7FFFFFFF) == 0);
}
