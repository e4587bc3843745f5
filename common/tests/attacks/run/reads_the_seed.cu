// tries: reads the seed of the inputs out of the environment, the command line and the memory around it
// hand-in: right
// needs: Landlock
// must: as without it
#include <string>
__attribute__((constructor)) static void run() {
  for (char** entry = environ; *entry != nullptr; ++entry)
    attack::must_fail(std::strstr(*entry, "SEED") != nullptr || std::strstr(*entry, "@SEED@") != nullptr ||
                          std::strstr(*entry, "SECRET") != nullptr, *entry);
  // Where the kernel has put environment and arguments: everything from the first one to the end of the stack.
  const char* first = environ[0] != nullptr ? environ[0] : "";
  const char* end = reinterpret_cast<const char*>((reinterpret_cast<std::uintptr_t>(first) | 4095) + 1);
  const std::string seed = "@SEED@";
  for (const char* at = first - 2048; at + seed.size() < end; ++at)
    attack::must_fail(std::memcmp(at, seed.data(), seed.size()) == 0, "the seed is in memory");
  attack::must_fail(attack::can_open("/proc/self/environ", O_RDONLY), "/proc/self/environ");
}
