#include "simt/runtime/memory/host_memory.hpp"

#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/host_heap.hpp"
#include "simt/runtime/memory/transfers.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <link.h>
#include <sys/mman.h>
#include <unwind.h>

namespace simt {

namespace {

std::uintptr_t first_of_page(std::uintptr_t address) { return address / processor_page * processor_page; }
std::uintptr_t next_page(std::uintptr_t address) { return first_of_page(address + processor_page - 1); }

using PageRange = std::pair<std::uintptr_t, std::size_t>;
std::vector<PageRange> closed_variables, closed_heap;
// Signals of other threads ask.
std::atomic<bool> host_is_closed = false;
std::atomic<std::uintptr_t> variables_begin = 0, variables_end = 0;

template <class Function>
void for_each_range(Function function) {
  for (const std::vector<PageRange>* ranges : {&closed_variables, &closed_heap})
    for (const auto& [begin, bytes] : *ranges) function(begin, bytes);
}

/// The writable memory of a module, but for what becomes constant when it is loaded.
struct WritablePart {
  std::uintptr_t code; ///< in the module
  std::uintptr_t begin = 0, end = 0;
};

int find_variables(dl_phdr_info* info, std::size_t, void* data) {
  WritablePart& found = *static_cast<WritablePart*>(data);
  const auto begin_of = [info](const ElfW(Phdr) & segment) { return info->dlpi_addr + segment.p_vaddr; };
  const std::span segments(info->dlpi_phdr, info->dlpi_phnum);
  if (std::ranges::none_of(segments, [&](const ElfW(Phdr) & segment) {
        return segment.p_type == PT_LOAD && found.code - begin_of(segment) < segment.p_memsz;
      }))
    return 0;
  for (const ElfW(Phdr) & segment : segments)
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0)
      found = {found.code, first_of_page(begin_of(segment)), next_page(begin_of(segment) + segment.p_memsz)};
  for (const ElfW(Phdr) & segment : segments)
    if (segment.p_type == PT_GNU_RELRO)
      found.begin = std::max(found.begin, first_of_page(begin_of(segment) + segment.p_memsz));
  return 1;
}

/// What functions of the submission have on the stack of the thread that launches.
struct Frames {
  std::uintptr_t begin = 0, end = 0;
  bool are_all = false; ///< their caller was found
};

/// `data` are the Frames. The runtime's own frames lie before them, and those of whoever has called the submission behind.
_Unwind_Reason_Code find_frames(_Unwind_Context* context, void* data) {
  Frames& found = *static_cast<Frames*>(data);
  const std::uintptr_t lowest = _Unwind_GetCFA(context);
  const bool is_own = is_main_program(_Unwind_GetIP(context));
  if (!is_own && found.begin == 0) found.begin = lowest;
  if (found.begin != 0) found.end = lowest;
  found.are_all = is_own && found.begin != 0;
  return found.are_all ? _URC_END_OF_STACK : _URC_NO_REASON;
}

bool in_host_stack(std::uintptr_t address) {
  const auto [begin, bytes] = host_stack();
  return address - begin < bytes;
}

Frames frames_of_submission() {
  Frames found;
  _Unwind_Backtrace(find_frames, &found);
  // A function that does not say where its caller is hides the rest.
  if (!found.are_all && in_host_stack(found.begin)) found.end = std::max(found.end, stack_of_caller());
  return found;
}

/// What lies below the frame of whoever calls, from `end` on, is used again at once: overwritten rather than given up.
[[gnu::noinline]] void overwrite_stack(std::uintptr_t end) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  auto* const bytes = static_cast<unsigned char*>(__builtin_alloca(here - end));
  std::memset(bytes, 0, here - end);
  __asm__ volatile("" : : "r"(bytes) : "memory");
}

std::vector<DeviceSection> sections_in(const WritablePart& module) {
  std::vector<DeviceSection> sections = all_sections();
  std::erase_if(sections, [&](const DeviceSection& each) {
    return each.begin < module.begin || each.begin >= module.end;
  });
  std::ranges::sort(sections, {}, &DeviceSection::begin);
  return sections;
}

std::FILE* const output = stdout; ///< which the submission may change
bool output_is_locked = false;

/// Whoever of the host's threads prints has done so before: with its memory closed it would wait for the kernel, which may wait for it
/// to print itself. A thread that has locked it for longer is not printing.
void lock_output() {
  constexpr int most_tries = 10'000;
  constexpr timespec a_while = {0, 50'000};
  for (int i = 0; i < most_tries && !output_is_locked; ++i) {
    output_is_locked = ftrylockfile(output) == 0;
    if (!output_is_locked) nanosleep(&a_while, nullptr);
  }
}

void close() {
  lock_output();
  closed_heap = close_host_heap();
  host_is_closed = true;
  let_pass(false);
}

} // namespace

std::vector<std::span<unsigned char>> close_host_memory(const Grid& grid) {
  WritablePart module{reinterpret_cast<std::uintptr_t>(grid.operations->invoke)};
  dl_iterate_phdr(find_variables, &module);
  variables_begin = module.begin, variables_end = module.end;
  std::vector<std::span<unsigned char>> beside;
  const auto add_beside = [&](std::uintptr_t begin, std::uintptr_t end) {
    if (begin < end) beside.emplace_back(reinterpret_cast<unsigned char*>(begin), end - begin);
  };
  closed_variables.clear();
  std::uintptr_t used = module.begin, open_up_to = module.begin;
  const auto close_up_to = [&](std::uintptr_t page) {
    if (page <= open_up_to) return;
    add_beside(used, open_up_to);
    closed_variables.emplace_back(open_up_to, page - open_up_to);
    used = open_up_to = page;
  };
  for (const DeviceSection& section : sections_in(module)) {
    close_up_to(first_of_page(section.begin));
    add_beside(used, section.begin);
    used = section.begin + section.bytes;
    open_up_to = next_page(used);
  }
  add_beside(used, open_up_to);
  used = open_up_to;
  close_up_to(module.end);
  // Other threads may look at them, which a confined program cannot close.
  const Frames frames = has_other_threads() ? Frames() : frames_of_submission();
  add_beside(frames.begin, frames.end);
  close();
  return beside;
}

void empty_stack_below() {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (!in_host_stack(here)) return;
  const std::uintptr_t begin = next_page(host_stack().first);
  const std::uintptr_t end = first_of_page(here) - 6 * processor_page;
  overwrite_stack(end);
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void open_host_memory() {
  let_pass(true);
  host_is_closed = false;
  if (std::exchange(output_is_locked, false)) funlockfile(output);
  open_host_heap();
}

void let_pass(bool all) {
  for_each_range([all](std::uintptr_t begin, std::size_t bytes) {
    if (mprotect(reinterpret_cast<void*>(begin), bytes, all ? PROT_READ | PROT_WRITE : PROT_NONE) != 0 && all)
      end_for_want_of_memory();
  });
}

bool host_waits(std::uintptr_t address) {
  static thread_local std::uintptr_t tried = 0;
  const std::uintptr_t begin = variables_begin;
  if (!in_host_heap(address) && address - begin >= variables_end - begin) return false;
  return host_is_closed || std::exchange(tried, address) != address;
}

bool is_closed_to_kernels(std::uintptr_t address) { return closed_pages(address, 1).second != 0; }

std::pair<std::uintptr_t, std::size_t> closed_pages(std::uintptr_t address, std::size_t bytes) {
  PageRange found = {};
  if (!host_is_closed) return found;
  for_each_range([&](std::uintptr_t first, std::size_t length) {
    const std::uintptr_t begin = std::max(first, first_of_page(address));
    const std::uintptr_t end = std::min(first + length, next_page(address + bytes));
    if (begin < end && found.second == 0) found = {begin, end - begin};
  });
  return found;
}

OpenToHost::OpenToHost() : was_closed_(host_is_closed) {
  if (was_closed_) open_host_memory();
}

OpenToHost::~OpenToHost() {
  if (!was_closed_) return;
  close();
}

} // namespace simt
