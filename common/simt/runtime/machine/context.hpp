// Going from one stack to another. Threads stop hundreds of millions of times, so this is as little as the calling
// convention allows: the registers that a function keeps for its caller, and the stack pointer. It ends with a return,
// which the processor predicts where threads stop in the same place. The modes of floating point are not switched:
// kernels have none.
#pragma once

#include <cstddef>

namespace simt {

/// Where a stack goes on: its stack pointer, at which the registers lie. Null: nowhere.
using Context = void*;

/// A context that calls `main`, which never returns, on the `bytes` below `top`, which is aligned to 16 bytes.
Context make_context(void* top, std::size_t bytes, void (*main)());

#if defined(__x86_64__)
extern "C" [[gnu::visibility("hidden")]] int simt_switch_context(Context* own, Context other);
#else
int simt_switch_context(Context* own, Context other);
#endif

/// Goes on at `other`. Returns when a switch leads to this one, which waits in `own` until then: 0, so that an entry point with
/// a result can end in a switch. (Each return on the way from here to the kernel that went by another thread's calls is one
/// that the processor does not predict.)
inline int switch_context(Context& own, Context other) { return simt_switch_context(&own, other); }

/// Goes on at `other` for good: nothing waits here. A jump, so that the calls whose returns the processor expects are those of
/// earlier threads that are like the one that goes on.
[[noreturn, gnu::always_inline]] inline void leave_for(Context other) {
#if defined(__x86_64__)
  asm volatile(R"(
    movq %0, %%rsp
    popq %%r15
    popq %%r14
    popq %%r13
    popq %%r12
    popq %%rbx
    popq %%rbp
    popq %%rcx
    xorl %%eax, %%eax
    jmp *%%rcx)" ::"r"(other)
               : "memory");
#else
  static Context abandoned; // written when the stack may have another thread's frames
  simt_switch_context(&abandoned, other);
#endif
  __builtin_unreachable();
}

} // namespace simt
