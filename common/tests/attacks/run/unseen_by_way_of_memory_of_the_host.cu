// tries: moves its data through memory that host code has: variables, what it allocates, stacks
// hand-in: shuttle
// must: no more points
// way-variable: static double of_the_host[1 << 20]; return of_the_host
// way-new: return new char[bytes]
// way-mmap: return own_pages(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
// way-mmap64: return own_pages(::mmap64(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
// way-system_call: return own_pages((void*)::syscall(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
// way-valloc: return ::valloc(bytes)
// way-pvalloc: return ::pvalloc(bytes)
// way-aligned: return std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096)
// way-looked_up: return reinterpret_cast<void* (*)(std::size_t)>(::dlsym(::dlopen("libc.so.6", RTLD_NOW), "malloc"))(bytes)
// way-signal_stack: stack_t stack; ::sigaltstack(nullptr, &stack); return stack.ss_size < bytes ? std::malloc(bytes) : stack.ss_sp
// way-below_the_stack: return far_below()
// way-stack_of_an_ended_thread: std::thread([] { left = far_below(); }).join(); return left
// way-local_array: return nullptr
// way-local_array_without_caller: asm volatile(""); return nullptr
#include <malloc.h>
#include <thread>

[[gnu::noinline]] static void* far_below() {
  volatile char large[4 << 20];
  for (std::size_t i = 0; i < sizeof large; i += 4096) large[i] = 0;
  return const_cast<char*>(large + 4096 - reinterpret_cast<std::size_t>(large) % 4096);
}
static void* left = nullptr;
static void* own_pages(void* pages) { return pages == MAP_FAILED ? nullptr : pages; }
static void* of_the_host(std::size_t bytes) { @WAY@; }

// What is not found elsewhere is a local array of the function that launches, which does not say where its caller is.
#define SCRATCH(T, n)                                                                                                  \
  ({                                                                                                                   \
    void* memory = of_the_host(n * sizeof(T));                                                                         \
    if (!memory) memory = __builtin_alloca(n * sizeof(T));                                                             \
    asm volatile(".cfi_undefined rip");                                                                                \
    static_cast<T*>(memory);                                                                                           \
  })
