// Functions of the C library that give memory past malloc, or have some of a submission's kept: host code of a submission gets what
// host_heap.hpp gives, or nothing. All others get the C library's.
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/memory/host_heap.hpp"

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <malloc.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __SANITIZE_ADDRESS__

using namespace simt;

namespace {

using FindSymbol = void*(void*, const char*);
using FindVersion = void*(void*, const char*, const char*);

FindSymbol* find_symbol() {
  static auto* const found =
      reinterpret_cast<FindSymbol*>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5")); // of all versions for x86-64
  return found;
}

template <typename Function>
Function* of_library(const char* name) {
  return reinterpret_cast<Function*>(find_symbol()(RTLD_NEXT, name));
}

using SystemCall = long(long, long, long, long, long, long, long);
template <typename... Arguments>
long system_call(long number, Arguments... arguments) {
  static auto* const call = of_library<SystemCall>("syscall");
  long all[6] = {(long)arguments...}; // pointers, too
  return call(number, all[0], all[1], all[2], all[3], all[4], all[5]);
}

int no_memory() { return errno = ENOMEM, -1; }

bool is_private_allocator(std::string_view name) { return name.starts_with("__libc_") || name == "__sbrk"; }

} // namespace

#define SIMT_IS_FOR_SUBMISSION serves_host_code(__builtin_return_address(0))

extern "C" {

// Memory without a file, at a place that they choose, and nothing else.

void* mmap(void* wish, std::size_t bytes, int rights, int flags, int file, off_t offset) noexcept {
  if (!SIMT_IS_FOR_SUBMISSION)
    return reinterpret_cast<void*>(system_call(SYS_mmap, wish, bytes, rights, flags, file, offset));
  const bool is_memory =
      (flags & (MAP_TYPE | MAP_ANONYMOUS | MAP_FIXED | MAP_FIXED_NOREPLACE)) == (MAP_PRIVATE | MAP_ANONYMOUS);
  void* const block = is_memory && bytes != 0 ? allocate_pages(bytes) : nullptr;
  return block ? block : (no_memory(), MAP_FAILED);
}

void* mmap64(void* wish, std::size_t bytes, int rights, int flags, int file, off64_t offset) noexcept
    __attribute__((alias("mmap")));

int munmap(void* memory, std::size_t bytes) noexcept {
  if (!in_host_heap(reinterpret_cast<std::uintptr_t>(memory)))
    return static_cast<int>(system_call(SYS_munmap, memory, bytes));
  constexpr std::size_t rounding = 16;
  if (malloc_usable_size(memory) - bytes < rounding) std::free(memory); // a part stays until the process ends
  return 0;
}

void* mremap(void* memory, std::size_t bytes, std::size_t wanted, int flags, ...) noexcept {
  std::va_list more;
  va_start(more, flags);
  void* const place = (flags & MREMAP_FIXED) != 0 ? va_arg(more, void*) : nullptr;
  va_end(more);
  if (SIMT_IS_FOR_SUBMISSION) return no_memory(), MAP_FAILED;
  return reinterpret_cast<void*>(system_call(SYS_mremap, memory, bytes, wanted, flags, place));
}

void* sbrk(std::intptr_t bytes) noexcept {
  if (SIMT_IS_FOR_SUBMISSION) return no_memory(), MAP_FAILED;
  static auto* const library = of_library<void*(std::intptr_t)>("sbrk");
  return library(bytes);
}

int brk(void* end) noexcept {
  if (SIMT_IS_FOR_SUBMISSION) return no_memory();
  static auto* const library = of_library<int(void*)>("brk");
  return library(end);
}

// The stack of signals that a thread has is the simulator's.
int sigaltstack(const stack_t* stack, stack_t* known) noexcept {
  if (!SIMT_IS_FOR_SUBMISSION) return static_cast<int>(system_call(SYS_sigaltstack, stack, known));
  if (known) *known = {nullptr, SS_DISABLE, 0};
  return 0;
}

long syscall(long number, ...) noexcept {
  std::va_list more;
  va_start(more, number);
  long all[6];
  for (long& each : all) each = va_arg(more, long);
  va_end(more);
  const auto pointer = [&all](int i) { return reinterpret_cast<void*>(all[i]); };
  if (SIMT_IS_FOR_SUBMISSION) switch (number) {
    case SYS_mmap:
      return reinterpret_cast<long>(mmap(pointer(0), static_cast<std::size_t>(all[1]),
                                         static_cast<int>(all[2]), static_cast<int>(all[3]),
                                         static_cast<int>(all[4]), all[5]));
    case SYS_munmap:
      return munmap(pointer(0), static_cast<std::size_t>(all[1]));
    case SYS_sigaltstack:
      return sigaltstack(static_cast<const stack_t*>(pointer(0)), static_cast<stack_t*>(pointer(1)));
    case SYS_brk:
    case SYS_mremap:
    case SYS_remap_file_pages:
    case SYS_shmat:
      return no_memory();
    }
  return system_call(number, all[0], all[1], all[2], all[3], all[4], all[5]);
}

// What is looked up is what is called.

void* dlsym(void* handle, const char* name) noexcept {
  const void* const caller = __builtin_return_address(0);
  if (!serves_host_code(caller) || is_main_program(reinterpret_cast<std::uintptr_t>(caller)))
    return find_symbol()(handle, name);
  void* const own = find_symbol()(RTLD_DEFAULT, name);
  if (is_main_program(reinterpret_cast<std::uintptr_t>(own))) return own;
  return is_private_allocator(name) ? nullptr : find_symbol()(handle, name);
}

// A buffer of a submission's would be written to while a kernel prints: the C library takes one of its own.

int setvbuf(std::FILE* file, char* buffer, int mode, std::size_t bytes) noexcept {
  static auto* const library = of_library<int(std::FILE*, char*, int, std::size_t)>("setvbuf");
  return library(file, SIMT_IS_FOR_SUBMISSION ? nullptr : buffer, mode, bytes);
}

void setbuffer(std::FILE* file, char* buffer, std::size_t bytes) noexcept {
  const bool is_apart = buffer && SIMT_IS_FOR_SUBMISSION;
  setvbuf(file, is_apart ? nullptr : buffer, buffer ? _IOFBF : _IONBF, bytes);
}

void setbuf(std::FILE* file, char* buffer) noexcept {
  const bool is_apart = buffer && SIMT_IS_FOR_SUBMISSION;
  setvbuf(file, is_apart ? nullptr : buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}

} // extern "C"

namespace simt {

void take_over_host_library() { system_call(SYS_getpid); }

} // namespace simt

#else

namespace simt {
void take_over_host_library() {}
} // namespace simt

#endif
