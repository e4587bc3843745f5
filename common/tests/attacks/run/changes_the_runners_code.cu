// tries: maps other memory over the runner's code and libraries, moves it, unmaps it, or changes its protection
// hand-in: uncoalesced
// must: as without it
#include <vector>
__attribute__((constructor)) static void run() {
  std::vector<std::uintptr_t> pages;
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        if (std::strstr(object->dlpi_name, "@MODULE@") != nullptr || std::strstr(object->dlpi_name, "vdso") != nullptr) return 0;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          if (object->dlpi_phdr[i].p_type == PT_LOAD)
            static_cast<std::vector<std::uintptr_t>*>(data)->push_back(
                (object->dlpi_addr + object->dlpi_phdr[i].p_vaddr) & ~std::uintptr_t{4095});
        }
        return 0;
      },
      &pages);
  if (pages.size() < 8) attack::got_through("the attack has found no code, and shows nothing");
  const int everything = PROT_READ | PROT_WRITE | PROT_EXEC;
  for (const std::uintptr_t address : pages) {
    void* page = reinterpret_cast<void*>(address);
    attack::must_fail(::mprotect(page, 4096, everything) == 0, "mprotect");
    attack::must_fail(::mmap(page, 4096, everything, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED, "mmap");
    void* elsewhere = ::mmap(nullptr, 4096, everything, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    attack::must_fail(::mremap(elsewhere, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, page) != MAP_FAILED, "mremap");
    attack::must_fail(::mremap(page, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere) != MAP_FAILED, "mremap away");
    attack::must_fail(::syscall(SYS_remap_file_pages, page, 4096, 0, 0, 0) == 0, "remap_file_pages");
    // From before it, over it.
    for (std::size_t before = 4096; before < std::size_t{1} << 40; before *= 16) {
      void* start = reinterpret_cast<void*>(address - before);
      attack::must_fail(::mmap(start, before + 4096, everything, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
                               0) != MAP_FAILED, "mmap from before");
      attack::must_fail(::munmap(start, before + 4096) == 0, "munmap from before");
    }
    attack::must_fail(::munmap(page, 4096) == 0, "munmap");
  }
}
