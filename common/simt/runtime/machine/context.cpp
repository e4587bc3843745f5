#include "simt/runtime/machine/context.hpp"

#if defined(__x86_64__)

#include <cstdint>

// The System V convention: a function keeps rbx, rbp and r12 to r15.
asm(R"(
  .text
  .p2align 4
  .globl simt_switch_context
  .hidden simt_switch_context
  .type simt_switch_context, @function
simt_switch_context:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  xorl %eax, %eax
  ret
  .size simt_switch_context, . - simt_switch_context
)");

namespace simt {

Context make_context(void* top, std::size_t, void (*main)()) {
  constexpr int registers = 6;
  auto* word = static_cast<std::uintptr_t*>(top);
  *--word = 0; // where `main` would return to, which tells those who walk the stack that it ends
  *--word = reinterpret_cast<std::uintptr_t>(main);
  for (int i = 0; i < registers; ++i) *--word = 0;
  return word;
}

} // namespace simt

#else

#include <boost/context/detail/fcontext.hpp>

namespace simt {

namespace {

using namespace boost::context::detail;

void (*entered)() = nullptr; ///< by the context that begins next

void begin(transfer_t from) {
  *static_cast<Context*>(from.data) = from.fctx;
  entered();
}

} // namespace

Context make_context(void* top, std::size_t bytes, void (*main)()) {
  entered = main;
  return make_fcontext(top, bytes, begin);
}

int simt_switch_context(Context* own, Context other) {
  const transfer_t from = jump_fcontext(other, own);
  *static_cast<Context*>(from.data) = from.fctx;
  return 0;
}

} // namespace simt

#endif
