#include "simt/runtime/signals.hpp"

#include "simt/runtime/diagnose.hpp"
#include "simt/runtime/fiber.hpp"
#include "simt/runtime/global_memory.hpp"
#include "simt/runtime/scheduler.hpp"

#include <csignal>
#include <cstring>
#include <ucontext.h>
#include <unistd.h>

namespace simt {

namespace {

constexpr int handled[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

alignas(16) char signal_stack[64 * 1024];
// A crashed thread's own stack may be full, so its end is prepared on this one.
alignas(16) char emergency_stack[128 * 1024];

struct Crash {
  int signal;
  std::uintptr_t address;
  std::uintptr_t site;
} crash;

const char* description(int signal) {
  switch (signal) {
  case SIGFPE:
    return "integer division by zero";
  case SIGILL:
    return "it reached code that the compiler takes for impossible, such as the end of a function "
           "without a return";
  case SIGBUS:
    return "it used an address that is not mapped or not aligned";
  default:
    return "it used an address that is not mapped";
  }
}

/// Where a crashed simulated thread goes on, as if it had called this.
[[noreturn]] void end_crashed_thread() {
  if (is_stack_guard(crash.address)) {
    report_stack_overflow(crash.site);
    abandon_grid(cudaErrorLaunchFailure);
  }
  report_crash(description(crash.signal), crash.address, crash.site);
  abandon_grid(crash.signal == SIGFPE || crash.signal == SIGILL ? cudaErrorLaunchFailure
                                                                : cudaErrorIllegalAddress);
}

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void handle(int signal, siginfo_t* info, void* context) {
  if (!machine.lane) {
    std::uintptr_t address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    say("The program crashed in host code: ");
    say(machine.arena != 0 && in_arena(address) ? "it used a device pointer as if it were a host pointer"
                                                : description(signal));
    say(".\n");
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
    return; // the instruction runs again and meets the default action
  }
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  // One past the instruction, as for a return address.
  crash = {signal,
           signal == SIGSEGV || signal == SIGBUS ? reinterpret_cast<std::uintptr_t>(info->si_addr) : 0,
           static_cast<std::uintptr_t>(registers[REG_RIP]) + 1};
  // The ABI wants the stack 8 bytes off a multiple of 16 where a function begins.
  registers[REG_RSP] = reinterpret_cast<greg_t>(emergency_stack + sizeof emergency_stack - 8);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&end_crashed_thread);
}

} // namespace

void install_signal_handlers() {
  stack_t stack = {};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int signal : handled) sigaction(signal, &action, nullptr);
}

} // namespace simt
