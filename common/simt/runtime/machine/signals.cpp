#include "simt/runtime/machine/signals.hpp"
#include "simt/runtime/machine/device_limits.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/fiber.hpp"
#include "simt/runtime/memory/announced.hpp"
#include "simt/runtime/memory/bounds_watch.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/host_memory.hpp"
#include "simt/runtime/memory/transfers.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/schedule/order.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <pthread.h>
#include <string>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

namespace simt {

namespace {

alignas(16) char signal_stack[256 * 1024]; // on_host_crash may have a report to print
// A crashed thread's own stack may be full, so its end is prepared on this one.
alignas(16) char emergency_stack[128 * 1024];

void (*crash_action)(const HostCrash& crash) = nullptr;

struct Crash {
  int signal;
  std::uintptr_t address;
  std::uintptr_t site;
  bool by_write;
} crash;
constexpr greg_t page_fault_by_write = 2; ///< in the error code of x86

/// What a signal is in a kernel, and a clause for host code.
struct Meaning {
  int signal;
  FindingKind<> finding;
  const char* clause;
};
constexpr Meaning meanings[] = {{SIGFPE, "division-by-zero", "integer division by zero"},
                                {SIGILL, "impossible-code", reached_impossible_code},
                                {SIGBUS, {"crash-in-kernel", "misaligned"}, used_misaligned_address},
                                {SIGSEGV, "crash-in-kernel", used_unmapped_address}};

const Meaning& meaning_of(int signal) { return *std::ranges::find(meanings, signal, &Meaning::signal); }

/// Where a crashed simulated thread goes on, as if it had called this.
[[noreturn]] void end_crashed_thread() {
  if (is_stack_guard(crash.address)) {
    forget_deep_stack();
    report("stack-overflow", crash.site, fact::Limit{stack_bytes});
    abandon_grid(cudaErrorLaunchFailure);
  }
  report_crash(meaning_of(crash.signal).finding, crash.address, crash.site);
  abandon_grid(crash.signal == SIGFPE || crash.signal == SIGILL ? cudaErrorLaunchFailure
                                                                : cudaErrorIllegalAddress);
}

/// The same where it used memory in a way that no hook tells of.
[[noreturn]] void end_unseen_access() {
  report_access("unseen-access", crash.address, 1, crash.by_write ? Access::write : Access::read, crash.site);
  abandon_grid(cudaErrorIllegalAddress);
}

/// The same out of all bounds, where no hook has said so.
[[noreturn]] void end_access_out_of_bounds() {
  report_out_of_bounds(crash.address, 1, crash.by_write ? Access::write : Access::read, crash.site);
  abandon_grid(cudaErrorIllegalAddress);
}

constexpr int tick_microseconds = 100'000;
constexpr int idle_ticks = 10;

bool same_module(const void* code, const void* other) {
  Dl_info here, there;
  return dladdr(code, &here) && dladdr(other, &there) && here.dli_fbase == there.dli_fbase;
}

bool is_kernels(const greg_t* registers) {
  return same_module(reinterpret_cast<const void*>(registers[REG_RIP]),
                     reinterpret_cast<const void*>(machine.grid->operations->invoke));
}

/// The place in the kernel's module that is running, or that has called what is running, as a return address;
/// 0 if there is none near.
std::uintptr_t place_in_kernel(const greg_t* registers) {
  const void* kernel = reinterpret_cast<const void*>(machine.grid->operations->invoke);
  if (is_kernels(registers)) return static_cast<std::uintptr_t>(registers[REG_RIP]) + 1;
  std::uintptr_t top = static_cast<std::uintptr_t>(registers[REG_RSP]);
  if (is_stack_guard(top)) top = above_stack_guard(top);
  const auto* stack = reinterpret_cast<void* const*>(top);
  for (std::size_t i = 0; i < 1024; ++i) { // 8 KiB: what the kernel has called may have large frames
    if (!on_stack(reinterpret_cast<std::uintptr_t>(stack + i + 1))) break;
    if (same_module(stack[i], kernel)) return reinterpret_cast<std::uintptr_t>(stack[i]);
  }
  return 0;
}

/// Whether the simulator is running, or what it has called: a function of the C library, for instance.
bool simulator_is_at_work(const greg_t* registers) {
  if (is_main_program(static_cast<std::uintptr_t>(registers[REG_RIP]))) return true;
  const void* kernel = reinterpret_cast<const void*>(machine.grid->operations->invoke);
  if (is_kernels(registers)) return false;
  const auto* stack = reinterpret_cast<void* const*>(registers[REG_RSP]);
  for (std::size_t i = 0; i < 1024; ++i) {
    if (!on_stack(reinterpret_cast<std::uintptr_t>(stack + i + 1)) || same_module(stack[i], kernel))
      return false;
    if (is_main_program(reinterpret_cast<std::uintptr_t>(stack[i]))) return true;
  }
  return false;
}

std::uintptr_t endless_site = 0;

[[noreturn]] void end_endless_thread() {
  report({"step-budget", "no-progress"}, endless_site);
  abandon_grid(cudaErrorLaunchTimeout);
}

/// Lets an interrupted simulated thread go on in `function`, on a stack of its own.
void divert(greg_t* registers, void (*function)()) {
  // The ABI wants the stack 8 bytes off a multiple of 16 where a function begins.
  registers[REG_RSP] = reinterpret_cast<greg_t>(emergency_stack + sizeof emergency_stack - 8);
  registers[REG_RIP] = reinterpret_cast<greg_t>(function);
}

/// The thread of the host that runs a grid; the system may tick another one.
std::atomic<bool> is_watched = false;
pthread_t watched;
bool runs_grid(pthread_t thread) { return is_watched && pthread_equal(watched, thread); }

/// Once per tick of CPU time while a grid runs.
void tick(int, siginfo_t*, void* context) {
  if (is_watched && !runs_grid(pthread_self())) {
    pthread_kill(watched, SIGVTALRM);
    return;
  }
  static std::uint64_t last_progress = 0;
  static int idle = 0;
  std::uint64_t progress = machine.steps_left + machine.local_steps_left + segment_table.end();
  if (!machine.lane || progress != last_progress) {
    last_progress = progress;
    idle = 0;
    note_progress();
    return;
  }
  if (++idle < idle_ticks) return;
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (simulator_is_at_work(registers)) return note_progress();
  endless_site = place_in_kernel(registers);
  idle = 0;
  divert(registers, &end_endless_thread);
}

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

constexpr greg_t after_one_instruction = 0x100; ///< a SIGTRAP, in the processor's flags

bool one_instruction_runs = false; ///< with memory open to it
bool host_memory_passes = false;

void run_one_instruction(greg_t* registers) {
  one_instruction_runs = true;
  registers[REG_EFL] |= after_one_instruction;
}

/// Memory was open for the one instruction that has run. The signal's own word for that (si_code) is lost on some virtual
/// machines at times.
void end_instruction(int, siginfo_t*, void* context) {
  if (!std::exchange(one_instruction_runs, false)) { // of the program's own
    signal(SIGTRAP, SIG_DFL);
    raise(SIGTRAP);
    return;
  }
  if (std::exchange(host_memory_passes, false)) let_pass(false);
  end_step();
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~after_one_instruction;
}

/// The instruction runs again.
bool wait_for_grid() {
  constexpr timespec a_while = {0, 50'000};
  nanosleep(&a_while, nullptr);
  return true;
}

/// Whether memory of the host, which is closed to kernels, was used by another: the instruction runs again.
bool may_use_host_memory(std::uintptr_t address, greg_t* registers) {
  if (!runs_grid(pthread_self())) return host_waits(address) && wait_for_grid();
  if (!is_closed_to_kernels(address)) return false;
  // The simulator itself: what the C library keeps for both, and registered memory.
  if (on_stack(static_cast<std::uintptr_t>(registers[REG_RSP])) &&
      !(is_pinned(address) && simulator_is_at_work(registers)))
    return false;
  let_pass(host_memory_passes = true);
  run_one_instruction(registers);
  return true;
}

/// Whether memory is closed there to look at what is used of it, and all is in order: the instruction runs again.
bool is_in_order(std::uintptr_t address, greg_t* registers) {
  if (!is_bounds_watched(address)) return false;
  if (!runs_grid(pthread_self())) return wait_for_grid();
  if (machine.lane && !is_in_bounds(address) && (is_kernels(registers) || !is_near_bounds(address)) &&
      !simulator_is_at_work(registers))
    return false;
  if (begin_step(address)) run_one_instruction(registers);
  return true;
}

/// Whether it was memory that host code may use: what no hook has seen counts as all that is opened.
bool open_to_host(std::uintptr_t address, std::uintptr_t site) {
  const ClosedPart part = closed_to_host(address);
  if (part.bytes == 0) return false;
  note_host_access(part.begin, part.bytes, Access::atomic, site);
  open_memory_at(address);
  return true;
}

/// Tells of a crash in host code, and gives the signal back to the system.
void end_host(int signal, const char* cause, std::uintptr_t instruction) {
  const HostCrash host{signal, cause, instruction};
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  if (crash_action) {
    crash_action(host);
  } else {
    say("The program crashed in host code: ");
    say(host.cause);
    say(".\n");
  }
}

/// A division (DIV, IDIV) of x86, as an instruction.
struct Division {
  unsigned length = 0; ///< 0 if it is another instruction
  unsigned size = 0;   ///< of its numbers, in bytes
  bool is_signed = false;
  int divisor = -1; ///< index into the registers, or -1 where it is in memory
};
Division division_at(const unsigned char* code) {
  const unsigned char* at = code;
  Division found{0, 4};
  if (*at == 0x66) found.size = 2, ++at;
  unsigned extension = 0;
  if ((*at & 0xf0) == 0x40) { // REX
    if ((*at & 8) != 0) found.size = 8;
    extension = (*at++ & 1) * 8;
  }
  if (*at != 0xf6 && *at != 0xf7) return {};
  if (*at++ == 0xf6) found.size = 1;
  const unsigned mode = *at >> 6, operation = *at >> 3 & 7, base = *at & 7;
  if (operation < 6) return {};
  found.is_signed = operation == 7;
  constexpr int registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                               REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  if (mode == 3) found.divisor = registers[base + extension];
  ++at;
  const bool has_index = mode != 3 && base == 4;
  const bool is_absolute = mode == 0 && (has_index ? (*at & 7) == 5 : base == 5);
  at += has_index;
  at += mode == 1 ? 1 : mode == 2 || is_absolute ? 4 : 0;
  found.length = static_cast<unsigned>(at - code);
  return found;
}

/// Reports a division by zero by a kernel, or of the lowest integer by -1, and lets the thread go on with what a GPU gives, as measured
/// on an H200: all bits set, or 32 of them where 64 bits hold a number of 32; or the lowest integer and no remainder.
bool divide_as_a_gpu(greg_t* registers) {
  if (!is_kernels(registers)) return false;
  const Division division = division_at(reinterpret_cast<const unsigned char*>(registers[REG_RIP]));
  if (division.length == 0 || division.size == 1) return false;
  const unsigned unused = 64 - 8 * division.size;
  const std::uint64_t mask = ~std::uint64_t{0} >> unused, low = static_cast<std::uint64_t>(registers[REG_RAX]) & mask,
                      high = static_cast<std::uint64_t>(registers[REG_RDX]) & mask;
  const auto as_signed = static_cast<std::int64_t>(low << unused) >> unused;
  // A dividend of twice the size is none that C++ has.
  if (high != (division.is_signed && as_signed < 0 ? mask : 0)) return false;
  const std::uintptr_t site = static_cast<std::uintptr_t>(registers[REG_RIP]) + 1;
  const fact::Subject number{division.is_signed ? std::to_string(as_signed) : std::to_string(low)};
  const bool is_lowest = division.is_signed && low == mask / 2 + 1;
  if (is_lowest && division.divisor < 0) return false; // by 0 or by -1
  std::uint64_t quotient = low, remainder = 0;
  if (is_lowest && (static_cast<std::uint64_t>(registers[division.divisor]) & mask) == mask) {
    report({"division-by-zero", "by-minus-one"}, site, number);
  } else {
    quotient = remainder = division.size == 8 && low >> 32 == 0 ? 0xffffffff : mask;
    report({"division-by-zero", "of-number"}, site, number);
  }
  registers[REG_RAX] = static_cast<greg_t>(quotient);
  registers[REG_RDX] = static_cast<greg_t>(remainder);
  registers[REG_RIP] += division.length;
  return true;
}

void handle(int signal, siginfo_t* info, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (signal == SIGSEGV && (may_use_host_memory(address, registers) || is_in_order(address, registers)))
    return;
  if (!machine.lane || (is_watched && !runs_grid(pthread_self()))) {
    if (signal == SIGSEGV && open_to_host(address, static_cast<std::uintptr_t>(registers[REG_RIP]) + 1))
      return;
    end_host(signal,
             machine.arena != 0 && in_arena(address) ? "it used a device pointer as if it were a host pointer"
                                                     : meaning_of(signal).clause,
             static_cast<std::uintptr_t>(registers[REG_RIP]));
    return; // the instruction runs again and meets the default action
  }
  if (signal == SIGFPE && divide_as_a_gpu(registers)) return;
  crash = {signal, signal == SIGSEGV || signal == SIGBUS ? address : 0, place_in_kernel(registers),
           (registers[REG_ERR] & page_fault_by_write) != 0};
  divert(registers, signal != SIGSEGV                  ? &end_crashed_thread
                    : is_unseen_access(crash.address)  ? &end_unseen_access
                    : is_bounds_watched(crash.address) ? &end_access_out_of_bounds
                                                       : &end_crashed_thread);
}

} // namespace

void on_host_crash(void (*action)(const HostCrash& crash)) { crash_action = action; }

void install_signal_handlers() {
  stack_t stack = {};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const Meaning& meaning : meanings) sigaction(meaning.signal, &action, nullptr);
  action.sa_sigaction = tick;
  action.sa_flags |= SA_RESTART;
  sigaction(SIGVTALRM, &action, nullptr);
}

void watch_grid(bool on) {
  watched = pthread_self();
  is_watched = on;
  itimerval timer = {};
  if (on) timer.it_interval.tv_usec = timer.it_value.tv_usec = tick_microseconds;
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
  static struct sigaction programs = {};
  struct sigaction action = {};
  action.sa_sigaction = end_instruction;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGTRAP, on ? &action : &programs, on ? &programs : nullptr);
}

} // namespace simt
