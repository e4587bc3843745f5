// tries: takes memory that limits on data do not count: shared, growing, in files of memory, in pipes, in message queues
// hand-in: right
// must: as without it
#include <vector>
__attribute__((constructor)) static void run() {
  constexpr std::size_t much = std::size_t{1} << 30;
  const auto map = [](int flags) {
    return ::mmap(nullptr, much, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
  };
  attack::must_fail(map(MAP_SHARED), "shared memory");
  attack::must_fail(map(MAP_SHARED | MAP_NORESERVE), "shared memory without reserve");
  attack::must_fail(map(MAP_PRIVATE | MAP_GROWSDOWN), "memory that grows");
  for (int i = 0; i < 40; ++i) {
    const int file = ::memfd_create("much", 0);
    attack::must_fail(file >= 0 && ::ftruncate(file, 50 << 20) == 0, "a file in memory");
  }
  attack::must_fail(::syscall(SYS_memfd_secret, 0) >= 0, "memfd_secret");
  attack::must_fail(::syscall(SYS_shmget, 0, much, 01666) >= 0, "shmget");
  attack::must_fail(::syscall(SYS_msgget, 0, 01666) >= 0, "msgget");
  attack::must_fail(::syscall(SYS_semget, 0, 1, 01666) >= 0, "semget");
  attack::must_fail(::syscall(SYS_mq_open, "/much", O_RDWR | O_CREAT, 0666, nullptr) >= 0, "mq_open");
  unsigned context = 0;
  attack::must_fail(::syscall(SYS_io_setup, 1 << 16, &context) == 0, "io_setup");
  std::vector<int> files;
  for (int ends[2]; files.size() < 4096 && ::pipe(ends) == 0;) files.insert(files.end(), ends, ends + 2);
  for (const int file : files) ::close(file);
  attack::must_fail(files.size() > 256, "pipes without end");
}
