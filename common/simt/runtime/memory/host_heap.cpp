#include "simt/runtime/memory/host_heap.hpp"

#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/simt.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <map>
#include <memory_resource>
#include <mutex>
#include <new>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__

namespace simt {

void keep_host_heap_apart() {}
std::vector<std::pair<std::uintptr_t, std::size_t>> close_host_heap() { return {}; }
void open_host_heap() {}
bool in_host_heap(std::uintptr_t) { return false; }
bool serves_host_code(const void*) { return false; }
void* new_of_host_code(std::size_t bytes) { return ::operator new(bytes); }

} // namespace simt

#else

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);
}

namespace simt {

namespace {

constexpr std::size_t heap_span = std::size_t{1} << 40;
constexpr std::size_t least_alignment = 16;

std::uintptr_t heap_begin = 0; ///< 0: nothing is apart
/// The system's loader, which allocates for submissions what the simulator reads while kernels run.
std::uintptr_t loader_begin = 0, loader_bytes = 0;

std::atomic<bool> heap_is_closed = false;
std::mutex heap_guard;
thread_local bool is_in_heap = false; ///< what it needs itself the C library gives

bool in_heap(const void* memory) { return in_host_heap(reinterpret_cast<std::uintptr_t>(memory)); }

/// While one lives the heap is this thread's. A thread that is not in the runtime waits for the grid that runs.
class HeapTurn {
public:
  HeapTurn() {
    lock();
    is_in_heap = true;
  }
  ~HeapTurn() {
    is_in_heap = false;
    heap_guard.unlock();
  }
  HeapTurn(const HeapTurn&) = delete;
  HeapTurn& operator=(const HeapTurn&) = delete;

private:
  static void lock() {
    while (true) {
      heap_guard.lock();
      if (!heap_is_closed || in_runtime()) return;
      heap_guard.unlock();
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
};

/// Pages of the heap. Those that are free hold nothing, and are closed: the system counts what can be written.
class Pages : public std::pmr::memory_resource {
public:
  const std::map<std::uintptr_t, std::size_t>& used() const { return used_; }

private:
  static std::size_t round_up(std::size_t bytes) {
    return (bytes + processor_page - 1) / processor_page * processor_page;
  }

  void* do_allocate(std::size_t bytes, std::size_t) override {
    if (bytes > heap_span) throw std::bad_alloc();
    const std::size_t length = round_up(std::max<std::size_t>(bytes, 1));
    std::uintptr_t at = heap_begin;
    for (const auto& [begin, count] : used_) {
      if (begin - at >= length) break;
      at = begin + count;
    }
    void* const memory = reinterpret_cast<void*>(at);
    if (at + length - heap_begin > heap_span || mprotect(memory, length, PROT_READ | PROT_WRITE) != 0)
      throw std::bad_alloc();
    used_[at] = length;
    return memory;
  }

  void do_deallocate(void* memory, std::size_t, std::size_t) override {
    const auto found = used_.find(reinterpret_cast<std::uintptr_t>(memory));
    madvise(memory, found->second, MADV_DONTNEED);
    mprotect(memory, found->second, PROT_NONE);
    used_.erase(found);
  }

  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::map<std::uintptr_t, std::size_t> used_;
};

/// Of both there is one, as long as the process lives: its very end still frees.
Pages& pages() {
  static Pages* const all = new Pages;
  return *all;
}
constexpr std::size_t largest_small = 64 * 1024;
std::pmr::unsynchronized_pool_resource& small_blocks() {
  static auto* const all = new std::pmr::unsynchronized_pool_resource(
      std::pmr::pool_options{.max_blocks_per_chunk = 0, .largest_required_pool_block = largest_small},
      &pages());
  return *all;
}
std::pmr::memory_resource& blocks_of(std::size_t whole) {
  if (whole > largest_small) return pages();
  return small_blocks();
}

/// Stands in front of each block.
struct alignas(least_alignment) Header {
  std::size_t whole;  ///< bytes, with this and what stands before it
  std::size_t before; ///< bytes from the beginning of the whole to the block
};
Header& header_of(void* block) { return static_cast<Header*>(block)[-1]; }
std::size_t size_of(void* block) { return header_of(block).whole - header_of(block).before; }

void* out_of_memory() { return errno = ENOMEM, nullptr; }

void* allocate(std::size_t bytes, std::size_t alignment = least_alignment) {
  if (std::max(bytes, alignment) > heap_span) return out_of_memory();
  const std::size_t whole = alignment + (bytes + least_alignment - 1) / least_alignment * least_alignment;
  try {
    const HeapTurn turn;
    const auto begin = reinterpret_cast<std::uintptr_t>(blocks_of(whole).allocate(whole, least_alignment));
    const std::uintptr_t place = (begin + alignment) / alignment * alignment;
    auto* const block = reinterpret_cast<void*>(place);
    header_of(block) = {whole, place - begin};
    return block;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

void release(void* block) {
  // Where the heap is closed this ends a kernel's thread, which must not have the turn then.
  const Header header = header_of(block);
  const HeapTurn turn;
  blocks_of(header.whole)
      .deallocate(static_cast<std::byte*>(block) - header.before, header.whole, least_alignment);
}

void* allocate_zeroed(std::size_t bytes, std::size_t alignment = least_alignment) {
  void* const block = allocate(bytes, alignment);
  if (block && header_of(block).whole <= largest_small) std::memset(block, 0, bytes);
  return block;
}

void* new_by(void* (*give)(std::size_t), std::size_t bytes) {
  while (true) {
    if (void* const memory = give(std::max<std::size_t>(bytes, 1))) return memory;
    const std::new_handler tell = std::get_new_handler();
    if (!tell) throw std::bad_alloc();
    tell();
  }
}

int find_loader(dl_phdr_info* info, std::size_t, void*) {
  if (info->dlpi_addr != loader_begin) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (const ElfW(Phdr)& segment = info->dlpi_phdr[i]; segment.p_type == PT_LOAD)
      loader_bytes = std::max(loader_bytes, segment.p_vaddr + segment.p_memsz);
  return 1;
}

} // namespace

void keep_host_heap_apart() {
  if (heap_begin != 0) return;
  take_over_host_library();
  has_other_threads(); // which the confinement, that comes next, would not let it find out
  loader_begin = getauxval(AT_BASE);
  dl_iterate_phdr(find_loader, nullptr);
  constexpr std::uintptr_t wish = 0x5000'0000'0000; // beside the arena's
  void* const memory = mmap(reinterpret_cast<void*>(wish), heap_span, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  madvise(memory, heap_span, MADV_NOHUGEPAGE);
  // The C library would allocate it for whoever prints first, and kernels print, too.
  static char output[BUFSIZ];
  std::setvbuf(stdout, output, _IOFBF, sizeof output);
  heap_begin = reinterpret_cast<std::uintptr_t>(memory);
}

std::vector<std::pair<std::uintptr_t, std::size_t>> close_host_heap() {
  const HeapTurn turn;
  heap_is_closed = true;
  std::vector<std::pair<std::uintptr_t, std::size_t>> all;
  if (heap_begin == 0) return all;
  for (const auto& [begin, bytes] : pages().used())
    if (!all.empty() && all.back().first + all.back().second == begin)
      all.back().second += bytes;
    else
      all.emplace_back(begin, bytes);
  return all;
}

void open_host_heap() { heap_is_closed = false; }

bool serves_host_code(const void* caller) {
  return heap_begin != 0 && !is_in_heap && !in_runtime() &&
         reinterpret_cast<std::uintptr_t>(caller) - loader_begin >= loader_bytes;
}

bool in_host_heap(std::uintptr_t address) { return heap_begin != 0 && address - heap_begin < heap_span; }

void* allocate_pages(std::size_t bytes) { return allocate_zeroed(bytes, processor_page); }

void* new_of_host_code(std::size_t bytes) { return new_by(std::malloc, bytes); }

} // namespace simt

using namespace simt;

extern "C" const char __executable_start, etext;

/// What the simulator keeps of host code, when that calls it at its start or by a hook, is not that code's.
void* operator new(std::size_t bytes) {
  const auto caller = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  const auto own = reinterpret_cast<std::uintptr_t>(&__executable_start);
  const bool is_own = caller - own < static_cast<std::uintptr_t>(&etext - &__executable_start);
  return new_by(is_own ? __libc_malloc : std::malloc, bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

extern "C" {

void* malloc(std::size_t bytes) noexcept {
  return serves_host_code(__builtin_return_address(0)) ? allocate(bytes) : __libc_malloc(bytes);
}

void free(void* memory) noexcept {
  const int before = errno;
  in_heap(memory) ? release(memory) : __libc_free(memory);
  errno = before;
}

void* calloc(std::size_t count, std::size_t bytes) noexcept {
  if (!serves_host_code(__builtin_return_address(0))) return __libc_calloc(count, bytes);
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) return out_of_memory();
  return allocate_zeroed(all);
}

void* realloc(void* memory, std::size_t bytes) noexcept {
  const bool is_apart = in_heap(memory);
  if (!is_apart && (memory || !serves_host_code(__builtin_return_address(0))))
    return __libc_realloc(memory, bytes);
  if (memory && bytes == 0) return release(memory), nullptr;
  if (memory && bytes <= size_of(memory) && bytes >= size_of(memory) / 2) return memory;
  void* const moved = allocate(bytes);
  if (moved && memory) {
    std::memcpy(moved, memory, std::min(bytes, size_of(memory)));
    release(memory);
  }
  return moved;
}

void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  if (!serves_host_code(__builtin_return_address(0))) return __libc_memalign(alignment, bytes);
  return allocate(bytes, std::bit_ceil(std::max(alignment, least_alignment)));
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  if (!serves_host_code(__builtin_return_address(0))) return __libc_memalign(alignment, bytes);
  if (!std::has_single_bit(alignment)) return errno = EINVAL, nullptr;
  return allocate(bytes, std::max(alignment, least_alignment));
}

void* valloc(std::size_t bytes) noexcept {
  if (!serves_host_code(__builtin_return_address(0))) return __libc_memalign(processor_page, bytes);
  return allocate(bytes, processor_page);
}

void* pvalloc(std::size_t bytes) noexcept {
  const std::size_t whole = (bytes + processor_page - 1) / processor_page * processor_page;
  if (!serves_host_code(__builtin_return_address(0))) return __libc_memalign(processor_page, whole);
  return allocate(whole, processor_page);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  if (!std::has_single_bit(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  const int before = errno;
  void* const found = serves_host_code(__builtin_return_address(0))
                          ? allocate(bytes, std::max(alignment, least_alignment))
                          : __libc_memalign(alignment, bytes);
  errno = before;
  if (!found) return ENOMEM;
  *memory = found;
  return 0;
}

std::size_t malloc_usable_size(void* memory) noexcept {
  static const auto of_library =
      reinterpret_cast<std::size_t (*)(void*)>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  return in_heap(memory) ? size_of(memory) : of_library(memory);
}

} // extern "C"

#endif
