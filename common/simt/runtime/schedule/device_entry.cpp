// The remaining entry points of device code: indices, barriers, exchanges, time, assertions.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/branches.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/memory_access.hpp"
#include "simt/runtime/memory/shared_memory.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/schedule/device_launch.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace simt;

void simt::used_outside_of_kernel(const char* what) {
  record(diagnostic_of("unsupported", fact::Subject{what}), 0);
  std::fprintf(stderr, "%s was used outside of a kernel\n", what);
  std::abort();
}

namespace {

// A lane that has left a function, and now waits. Others wait by a tail call: each return behind a switch of stacks costs
// time.
[[gnu::noinline]] int barrier_after_leaving(int kind, int predicate, const char* file, int line) {
  const int result = block_barrier(kind, predicate, file, line);
  machine.lane->change_extras().left = {};
  return result;
}
[[gnu::noinline]] std::uint64_t exchange_after_leaving(int kind, unsigned mask, std::uint64_t value,
                                                       int operand, int width, const char* file, int line) {
  const std::uint64_t result = warp_exchange(kind, mask, value, operand, width, file, line);
  machine.lane->change_extras().left = {};
  return result;
}

/// "twice<float>" of "... [with auto Function = twice<float>; Result = ...]" and "... [Function = &twice<float>, Result = ...]".
std::string argument_told(std::string_view instance) {
  constexpr std::string_view parameter = "Function = ";
  std::size_t begin = instance.find(parameter) + parameter.size();
  while (begin < instance.size() && std::strchr("(& ", instance[begin])) ++begin;
  std::size_t end = begin;
  for (int nesting = 0; end < instance.size(); ++end) {
    if (instance[end] == '<') ++nesting;
    if (instance[end] == '>') --nesting;
    if (nesting == 0 && std::strchr(";,])", instance[end])) break;
  }
  return std::string(instance.substr(begin, end - begin));
}

simt_packed_index packed(const simt_index3& index) {
  return simt_packed_index{index.z} << 48 | simt_packed_index{index.y} << 32 | index.x;
}

} // namespace

extern "C" {

simt_packed_index __simt_thread_index(void) {
  require_kernel("threadIdx");
  return packed(machine.lane->index);
}
simt_packed_index __simt_block_index(void) {
  require_kernel("blockIdx");
  return packed(machine.block->index);
}
simt_packed_index __simt_block_extent(void) {
  require_kernel("blockDim");
  return packed(machine.grid->block_extent);
}
simt_packed_index __simt_grid_extent(void) {
  require_kernel("gridDim");
  return packed(machine.grid->extent);
}

int __simt_block_barrier(int kind, int predicate, const char* file, int line) {
  require_kernel("__syncthreads()");
  if (machine.lane->has_extras() && machine.lane->extras().left.file) [[unlikely]]
    return barrier_after_leaving(kind, predicate, file, line);
  return block_barrier(kind, predicate, file, line);
}

void __simt_return(const char* file, int line) {
  if (machine.lane) machine.lane->change_extras().returned = {file, line};
}

void __simt_left(const char* file, int line, int last) {
  if (machine.lane) machine.lane->change_extras().left = {file, line, last};
}

bool __simt_branch(bool taken, bool entered_if, const char* file, int first, int last) {
  if (machine.lane) note_branch(taken == entered_if, file, first, last);
  return taken;
}

bool __simt_loop(bool goes_on, const char* file, int first, int last) {
  if (machine.lane) note_loop(goes_on, file, first, last);
  return goes_on;
}

void __simt_enter_loop(void) {
  if (machine.lane) enter_loop();
}

std::uint64_t __simt_warp_exchange(int kind, unsigned mask, std::uint64_t value, int operand, int width,
                                   const char* file, int line) {
  require_kernel("a warp operation");
  if (machine.lane->has_extras() && machine.lane->extras().left.file) [[unlikely]]
    return exchange_after_leaving(kind, mask, value, operand, width, file, line);
  return warp_exchange(kind, mask, value, operand, width, file, line);
}

void __simt_not_called(const char* function, const char* file, int line) {
  if (machine.lane) report("barrier-not-called", file, line, fact::Subject{function});
}

void __simt_fence(int block_only) {
  require_kernel("a memory fence");
  note_fence(SIMT_SITE);
  pass_acquiring_fence();
  pass_fence(block_only != 0);
}

void __simt_ordering_fence(int order, int scope) {
  if (!machine.lane || scope == simt_scope_thread || order == __ATOMIC_RELAXED) return;
  if (order != __ATOMIC_RELEASE) pass_acquiring_fence();
  if (order >= __ATOMIC_RELEASE) pass_fence(scope == simt_scope_block);
}

long long __simt_clock(void) {
  // Not time: steps, which grow and are the same in every run. Asking is one.
  if (machine.lane && --machine.local_steps_left == 0)
    local_budget_exhausted(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  const std::uint64_t steps = machine.steps_refunded + steps_since_refund();
  return static_cast<long long>(steps + machine.waited.asked(steps, machine.lane));
}

void __simt_called_on_host(const char* function, const void* caller, int also_on_device) {
  if (!machine.lane) return;
  const auto site = reinterpret_cast<std::uintptr_t>(caller);
  if (also_on_device)
    report({"host-pointer-in-kernel", "function-address"}, site, fact::Subject{argument_told(function)});
  else
    report({"host-pointer-in-kernel", "host-function"}, site, fact::Subject{function});
  abandon_grid(cudaErrorInvalidPc);
}

void __simt_check_child_pointer(const simt_launch_site* site, const void* pointer) {
  if (!machine.lane) return;
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!in_shared(address) && !on_stack(address)) return;
  report_private_pointer(*site, address);
  abandon_grid(cudaErrorInvalidAddressSpace);
}

void __simt_check_child_object(const simt_launch_site* site, const void* object, std::size_t bytes) {
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  for (std::size_t i = 0; i + sizeof(std::uintptr_t) <= bytes; i += sizeof(std::uintptr_t)) {
    std::uintptr_t member;
    std::memcpy(&member, static_cast<const char*>(object) + i, sizeof member);
    // Two numbers side by side may look like an address of memory that nothing is in, and what was left in a member without a
    // value may point below all that lives.
    if ((in_shared(member) && find_shared_variable(*machine.block, member, 1)) ||
        (member > frame && member - machine.own_stack < stack_stride))
      __simt_check_child_pointer(site, reinterpret_cast<const void*>(member));
  }
}

bool __simt_in_kernel(void) { return machine.lane != nullptr; }

void __simt_trap(void) {
  require_kernel("__trap()");
  const auto site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (const std::optional<Refused> refused = latest_refusal())
    report({"trap", "after-refusal"}, site, *refused);
  else
    report("trap", site);
  abandon_grid(cudaErrorLaunchFailure);
}

// The C library's assert() ends here, from kernels as from host code.
[[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line,
                                const char* function) {
  if (machine.lane) {
    if (!machine.grid->cooperative && std::strstr(expression, "is_valid()"))
      report({"assertion-failed", "not-cooperative"}, file, static_cast<int>(line),
             fact::Subject{expression});
    else
      report("assertion-failed", file, static_cast<int>(line), fact::Subject{expression});
    abandon_grid(cudaErrorAssert);
  }
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  std::abort();
}

} // extern "C"
