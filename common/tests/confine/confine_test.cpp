// What a confined process can still do; each is tried in a child, because a confinement is for good.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "confine/confine.hpp"
#include "confine/limits.hpp"

using namespace warpbook;

namespace {

const bool can_confine = confinement_offered().filter;
const bool has_landlock = confinement_offered().landlock > 0;

/// How a child ends that is confined and then does `action`: its exit status, or minus the signal. 0 where `action` is
/// true of it.
int ending(const Confinement& confinement, const std::function<bool()>& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    confine(confinement);
    ::_exit(action() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

bool opens(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

/// A folder of its own, with a file in it.
struct Folder {
  std::filesystem::path path = [] {
    char name[] = "/tmp/warpbook-confine-XXXXXX";
    return std::filesystem::path(::mkdtemp(name));
  }();
  std::string file = path / "file";
  Folder() { std::ofstream(file) << "contents\n"; }
  ~Folder() { std::filesystem::remove_all(path); }
};

/// As for a compiler: it starts programs, and writes into one folder.
Confinement for_programs(const Folder& folder) {
  Confinement confinement;
  confinement.processes = true;
  confinement.runnable = system_folders();
  confinement.writable = {folder.path, "/dev/null"};
  return confinement;
}

/// As for a computing program: it starts none, and writes nothing.
Confinement for_computing(const Folder& folder) {
  Confinement confinement;
  confinement.readable = library_folders();
  confinement.readable.push_back(folder.path);
  return confinement;
}

} // namespace

TEST_CASE("the kernel's offer and what was applied are the same, in words") {
  const Confined offered = confinement_offered();
  if (!can_confine) return;
  CHECK(to_text({7, true, true}) == "Landlock 7, system-call filter, hard limits");
  CHECK(to_text({}) == "nothing");
  CHECK(ending({}, [] { return true; }) == 0);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(to_text(confine({})) == to_text(offered) ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("what is switched off confines nothing") {
  ::setenv("WARPBOOK_UNCONFINED", "1", 1);
  CHECK(to_text(confinement_offered()) == "nothing");
  CHECK_FALSE(loaded_code());
  CHECK(ending({}, [] { return opens("/etc/passwd", O_RDONLY) && ::socket(AF_INET, SOCK_DGRAM, 0) >= 0; }) ==
        0);
  ::unsetenv("WARPBOOK_UNCONFINED");
}

TEST_CASE("a program that starts others writes into its folder, and reads and writes nowhere else" *
          doctest::skip(!has_landlock)) {
  const Folder own, other;
  const Confinement confinement = for_programs(own);
  CHECK(ending(confinement, [&] { return opens(own.path / "new", O_WRONLY | O_CREAT); }) == 0);
  CHECK(ending(confinement, [&] { return ::unlink(own.file.c_str()) == 0; }) == 0);
  CHECK(ending(confinement, [&] { return !opens(other.file, O_RDONLY); }) == 0);
  CHECK(ending(confinement, [&] { return !opens(other.file, O_WRONLY); }) == 0);
  CHECK(ending(confinement, [&] { return !opens(other.path / "new", O_WRONLY | O_CREAT); }) == 0);
  CHECK(ending(confinement, [&] { return ::unlink(other.file.c_str()) != 0; }) == 0);
  CHECK(ending(confinement, [&] { return ::rename(own.file.c_str(), (other.path / "x").c_str()) != 0; }) ==
        0);
  CHECK(ending(confinement, [] { return !opens("/etc/passwd", O_RDONLY) && opens("/dev/null", O_WRONLY); }) ==
        0);
}

TEST_CASE("it starts programs, which are confined as it is" * doctest::skip(!has_landlock)) {
  const Folder own, other;
  const auto shell = [&](const std::string& line) {
    return ending(for_programs(own), [&] { return std::system(line.c_str()) == 0; });
  };
  CHECK(shell("true | cat") == 0);
  CHECK(shell("echo new > " + (own.path / "new").string()) == 0);
  CHECK(shell("cat " + other.file + " 2> /dev/null") == 1);
  CHECK(shell("(kill -9 " + std::to_string(::getpid()) + ") 2> /dev/null") == 1);
}

TEST_CASE("it has no network, no other process's memory and no namespaces" * doctest::skip(!can_confine)) {
  const Folder own;
  const Confinement confinement = for_programs(own);
  CHECK(ending(confinement, [] { return ::socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EACCES; }) == 0);
  CHECK(ending(confinement, [] { return ::socket(AF_UNIX, SOCK_STREAM, 0) < 0; }) == 0);
  CHECK(ending(confinement, [] { return ::kill(::getppid(), 0) != 0; }) == 0);
  CHECK(ending(confinement, [] { return ::unshare(CLONE_NEWUSER) != 0; }) == 0);
  Confinement with_driver = confinement;
  with_driver.local_sockets = true;
  CHECK(ending(with_driver, [] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }) == 0);
  CHECK(ending(with_driver, [] { return ::socket(AF_INET6, SOCK_DGRAM, 0) < 0; }) == 0);
  CHECK(ending(with_driver, [] { return ::socket(AF_NETLINK, SOCK_RAW, 0) < 0; }) == 0);
}

TEST_CASE(
    "a request of too much memory at once ends a program, and smaller ones, addresses and files do not" *
    doctest::skip(!can_confine)) {
  constexpr std::size_t limit = 8 << 20;
  const auto asks = [](std::size_t bytes, int protection, int flags, int file = -1) {
    Confinement none;
    none.processes = true;
    none.writable = {"/"};
    return ending(none, [=] {
      return end_at_requests_of(limit) &&
             ::mmap(nullptr, bytes, protection, MAP_PRIVATE | flags, file, 0) != MAP_FAILED;
    });
  };
  CHECK(asks(limit, PROT_READ | PROT_WRITE, MAP_ANONYMOUS) == -SIGSYS);
  CHECK(asks(limit - 4096, PROT_READ | PROT_WRITE, MAP_ANONYMOUS) == 0);
  CHECK(asks(2 * limit, PROT_NONE, MAP_ANONYMOUS) == 0);
  const Folder folder;
  const int file = ::open(folder.file.c_str(), O_RDONLY);
  CHECK(asks(2 * limit, PROT_READ, 0, file) == 0);
  ::close(file);
}

TEST_CASE("limits cannot be raised again" * doctest::skip(!can_confine)) {
  const Folder own;
  Confinement confinement = for_programs(own);
  confinement.data_bytes = 64 << 20;
  confinement.file_bytes = 1 << 20;
  confinement.open_files = 32;
  confinement.processor_seconds = 100;
  for (const auto resource : {RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_CPU}) {
    CHECK(ending(confinement, [&] {
            const rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
            rlimit now = {};
            return ::getrlimit(resource, &now) == 0 && now.rlim_max != RLIM_INFINITY &&
                   ::setrlimit(resource, &more) != 0;
          }) == 0);
  }
  const auto take = [](std::size_t bytes) {
    return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
  };
  CHECK(ending(confinement, [&] { return take(32 << 20) && !take(64 << 20); }) == 0);
  CHECK(ending(confinement, [&] {
          const int file = ::open((own.path / "long").c_str(), O_WRONLY | O_CREAT, 0600);
          return ::ftruncate(file, 2 << 20) == 0;
        }) == -SIGXFSZ);
}

TEST_CASE("a program that starts none computes with threads and reads its folder" *
          doctest::skip(!can_confine)) {
  const Folder own;
  CHECK(ending(for_computing(own), [&] {
          std::string word;
          std::thread([&] { std::ifstream(own.file) >> word; }).join();
          return word == "contents";
        }) == 0);
}

TEST_CASE("it is ended when it starts one, and writes nothing" * doctest::skip(!can_confine)) {
  const Folder own;
  const Confinement confinement = for_computing(own);
  CHECK(ending(confinement, [] { return ::fork() >= 0; }) == -SIGSYS);
  CHECK(ending(confinement, [] { return std::system("true") >= 0; }) == -SIGSYS);
  CHECK(ending(confinement, [&] { return !opens(own.file, O_WRONLY) && errno == EACCES; }) == 0);
  CHECK(ending(confinement, [&] { return !opens(own.path / "new", O_RDONLY | O_CREAT); }) == 0);
  CHECK(ending(confinement, [] { return ::memfd_create("more", 0) < 0; }) == 0);
}

TEST_CASE("the code that is loaded stays as it is, and memory beside it can be changed" *
          doctest::skip(!can_confine)) {
  const Folder own;
  Confinement confinement = for_computing(own);
  confinement.code = loaded_code();
  REQUIRE(confinement.code);
  const auto page_of = [](auto* address) {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t{4095});
  };
  void* program = page_of(reinterpret_cast<void*>(&ending));
  void* library = page_of(reinterpret_cast<void*>(&std::abort));
  for (void* page : {program, library}) {
    CHECK(ending(confinement, [&] { return ::mprotect(page, 4096, PROT_READ | PROT_WRITE) != 0; }) == 0);
    CHECK(ending(confinement, [&] {
            return ::mmap(page, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
                   MAP_FAILED;
          }) == 0);
  }
  CHECK(ending(confinement, [] {
          void* page = ::mmap(nullptr, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          return page != MAP_FAILED && ::mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0 &&
                 ::mmap(page, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page &&
                 ::munmap(page, 8192) == 0;
        }) == 0);
}
