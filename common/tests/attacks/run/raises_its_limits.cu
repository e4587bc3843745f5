// tries: raises soft and hard limits, then takes the memory
// hand-in: right
// must: as without it
__attribute__((constructor)) static void run() {
  for (const auto resource : {RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_STACK, RLIMIT_CORE, RLIMIT_MSGQUEUE}) {
    rlimit now = {};
    ::getrlimit(resource, &now);
    const rlimit soft = {now.rlim_max, now.rlim_max}, hard = {RLIM_INFINITY, RLIM_INFINITY};
    attack::must_fail(::setrlimit(resource, &hard) == 0, "setrlimit");
    attack::must_fail(::prlimit(0, resource, &hard, nullptr) == 0, "prlimit");
    ::setrlimit(resource, &soft);
    ::getrlimit(resource, &now);
    attack::must_fail(now.rlim_cur == RLIM_INFINITY, "no limit");
  }
  constexpr std::size_t much = std::size_t{1} << 30;
  attack::must_fail(::mmap(nullptr, much, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED,
                    "1 GiB of memory");
}
