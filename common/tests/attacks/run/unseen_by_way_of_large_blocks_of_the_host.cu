// tries: moves its data through memory that host code allocates in the grandest way, page by page
// hand-in: shuttle
// must: 4 points
static void* own_pages(std::size_t bytes) {
  void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096) : pages;
}
#define SCRATCH(T, n) static_cast<T*>(own_pages(n * sizeof(T)))
