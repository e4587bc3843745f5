// Inline PTX: each family of instructions against what the PTX ISA says of it.
#include <cstdio>

#define T(condition) \
  if (!(condition)) atomicAdd(wrong, 1), printf("line %d\n", __LINE__)
#define R1(instruction, a, want) { unsigned r; asm(instruction " %0, %1;" : "=r"(r) : "r"(a)); T(r == unsigned(want)); }
#define R2(instruction, a, b, want) { unsigned r; asm(instruction " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); T(r == unsigned(want)); }
#define R3(instruction, a, b, c, want) { unsigned r; asm(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); T(r == unsigned(want)); }
#define R4(instruction, a, b, c, d, want) { unsigned r; asm(instruction " %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); T(r == unsigned(want)); }
#define L2(instruction, a, b, want) { unsigned long long r; asm(instruction " %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b)); T(r == (unsigned long long)(want)); }
#define F1(instruction, a, want) { float r; asm(instruction " %0, %1;" : "=f"(r) : "f"(a)); T(r == (want)); }
#define F2(instruction, a, b, want) { float r; asm(instruction " %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); T(r == (want)); }
#define F3(instruction, a, b, c, want) { float r; asm(instruction " %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); T(r == (want)); }
#define D2(instruction, a, b, want) { double r; asm(instruction " %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b)); T(r == (want)); }
#define TO(to, letter, from_letter, instruction, a, want) { to r; asm(instruction " %0, %1;" : "=" letter(r) : from_letter(a)); T(r == (want)); }

__global__ void integers(int* wrong) {
  R2("add.u32", 5u, 7u, 12);
  R2("sub.s32", 5, 7, -2);
  R2("add.sat.s32", 0x7fffffff, 1, 0x7fffffff);
  R2("sub.sat.s32", 0x80000000, 1, 0x80000000);
  R2("mul.lo.u32", 0x10001u, 0x10001u, 0x20001);
  R2("mul.hi.u32", 0x80000000u, 6u, 3);
  R2("mul.hi.s32", -2, 3, -1);
  R3("mad.lo.s32", -3, 4, 5, -7);
  R3("mad.hi.u32", 0x80000000u, 6u, 1u, 4);
  R2("mul24.lo.s32", -3, 5, -15);
  R2("div.s32", -7, 2, -3);
  R2("rem.u32", 17u, 5u, 2);
  R2("min.s32", -1, 1, -1);
  R2("max.u32", 0xffffffffu, 1u, 0xffffffffu);
  R1("neg.s32", 5, -5);
  R1("abs.s32", -5, 5);
  R3("sad.u32", 3u, 10u, 100u, 107);
  R3("dp4a.u32.u32", 0x01020304u, 0x01010101u, 5u, 15);
  R3("dp4a.s32.s32", 0xff020304u, 0x01010101u, 5, 13);
  L2("add.u64", 0xffffffffull, 1ull, 0x100000000ull);
  L2("mul.hi.u64", 0x8000000000000000ull, 6ull, 3);
  L2("max.s64", -5ll, 3ll, 3);
  long long product;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(product) : "r"(-3), "r"(0x40000000));
  T(product == -3ll * 0x40000000);
  asm("mad.wide.s32 %0, %1, %2, %0;" : "+l"(product) : "r"(3), "r"(0x40000000));
  T(product == 0);
  short small;
  asm("add.s16 %0, %1, %2;" : "=h"(small) : "h"(short(300)), "h"(short(-1)));
  T(small == 299);
  unsigned low, high;  // 64 bits in two registers
  asm("add.cc.u32 %0, %2, %3;\n\t"
      "addc.u32 %1, %4, %5;"
      : "=r"(low), "=r"(high)
      : "r"(0xffffffffu), "r"(2u), "r"(1u), "r"(1u));
  T(low == 1 && high == 3);
  asm("sub.cc.u32 %0, %2, %3; subc.u32 %1, %4, %5;" : "=r"(low), "=r"(high) : "r"(1u), "r"(2u), "r"(5u), "r"(1u));
  T(low == 0xffffffffu && high == 3);
  asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;" : "=r"(low), "=r"(high) : "r"(0xffffffffu), "r"(2u), "r"(2u));
  T(low == 0 && high == 2);
}

__global__ void bits(int* wrong) {
  R2("and.b32", 0xff0u, 0x0ffu, 0x0f0);
  R2("or.b32", 0xf0u, 0x0fu, 0xff);
  R2("xor.b32", 0xffu, 0x0fu, 0xf0);
  R1("not.b32", 0u, 0xffffffffu);
  R2("shl.b32", 1u, 31u, 0x80000000u);
  R2("shl.b32", 1u, 32u, 0);
  R2("shr.u32", 0x80000000u, 31u, 1);
  R2("shr.s32", 0x80000000u, 40u, 0xffffffffu);
  R3("shf.l.wrap.b32", 0x80000000u, 1u, 33u, 3);
  R3("shf.r.clamp.b32", 5u, 7u, 40u, 7);
  R3("bfe.u32", 0xabcdu, 4u, 8u, 0xbc);
  R3("bfe.s32", 0xf0u, 4u, 4u, -1);
  R4("bfi.b32", 0xfu, 0u, 8u, 4u, 0xf00);
  R1("bfind.u32", 0x00f0u, 7);
  R1("bfind.s32", -2, 0);
  R1("bfind.shiftamt.u32", 0x00f0u, 24);
  R1("bfind.u32", 0u, 0xffffffffu);
  R1("clz.b32", 0x00f0u, 24);
  R1("popc.b32", 0xf0f0u, 8);
  R1("brev.b32", 1u, 0x80000000u);
  R3("prmt.b32", 0x33221100u, 0x77665544u, 0x7531u, 0x77553311);
  R3("prmt.b32", 0x80u, 0u, 0x0008u, 0x808080ffu);
  {
    unsigned r;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(0xf0u), "r"(0xccu), "r"(0xaau));
    T(r == (0xf0u ^ 0xccu ^ 0xaau));
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(0xf0u), "r"(0xccu), "r"(0xaau), "n"((0xf0 & 0xcc) | 0xaa));
    T(r == ((0xf0u & 0xccu) | 0xaau));
    asm("clz.b64 %0, %1;" : "=r"(r) : "l"(1ull));
    T(r == 63);
  }
  unsigned long long both;
  asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(1u), "r"(2u));
  T(both == 0x200000001ull);
  unsigned low, high;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(both));
  T(low == 1 && high == 2);
  float as_float;
  asm("mov.b32 %0, %1;" : "=f"(as_float) : "r"(0x3f800000));
  T(as_float == 1.0f);
  R3("vabsdiff4.u32.u32.u32.add", 0x01020304u, 0x04030201u, 10u, 18);
}

__global__ void floats(int* wrong) {
  F2("add.f32", 1.5f, 2.0f, 3.5f);
  F2("add.rz.f32", 1.0f, 0x1.8p-24f, 1.0f);
  F2("add.rp.f32", 1.0f, 0x1p-30f, 1.0f + 0x1p-23f);
  F2("sub.rn.f32", 1.5f, 2.0f, -0.5f);
  F2("mul.f32", 1.5f, 2.0f, 3.0f);
  F2("mul.ftz.f32", 0x1p-100f, 0x1p-30f, 0.0f);
  F2("mul.sat.f32", 3.0f, 2.0f, 1.0f);
  F3("fma.rn.f32", 2.0f, 3.0f, 4.0f, 10.0f);
  F2("div.rn.f32", 1.0f, 4.0f, 0.25f);
  F2("div.full.f32", 1.0f, 4.0f, 0.25f);
  F2("min.f32", 1.0f, -4.0f, -4.0f);
  F2("max.ftz.f32", 1.0f, -4.0f, 1.0f);
  F1("neg.f32", 1.0f, -1.0f);
  F1("abs.f32", -1.0f, 1.0f);
  F1("sqrt.rn.f32", 9.0f, 3.0f);
  F1("rcp.rn.f32", 4.0f, 0.25f);
  F1("ex2.approx.f32", 3.0f, 8.0f);
  F1("lg2.approx.ftz.f32", 8.0f, 3.0f);
  F1("sin.approx.f32", 0.0f, 0.0f);
  F1("cos.approx.f32", 0.0f, 1.0f);
  F1("tanh.approx.f32", 0.0f, 0.0f);
  F1("rsqrt.approx.f32", 4.0f, 0.5f);
  F2("copysign.f32", -1.0f, 3.0f, -3.0f);
  F1("cvt.rni.f32.f32", 2.5f, 2.0f);
  D2("add.f64", 1.5, 2.0, 3.5);
  D2("mul.rn.f64", 1.5, 2.0, 3.0);
  D2("max.f64", 1.5, 2.0, 2.0);
  float constant;
  asm("add.f32 %0, %1, 0f3F800000;" : "=f"(constant) : "f"(1.0f));
  T(constant == 2.0f);
  unsigned short half_sum;
  asm("add.f16 %0, %1, %2;" : "=h"(half_sum) : "h"((unsigned short)0x3c00), "h"((unsigned short)0x4000));
  T(half_sum == 0x4200);
  R3("fma.rn.f16x2", 0x3c003c00u, 0x40004000u, 0x3c000000u, 0x42004000u);
}

__global__ void conversions(int* wrong) {
  TO(int, "r", "f", "cvt.rzi.s32.f32", -2.75f, -2);
  TO(int, "r", "f", "cvt.rni.s32.f32", 2.5f, 2);
  TO(unsigned, "r", "f", "cvt.rpi.u32.f32", 2.25f, 3u);
  TO(float, "f", "r", "cvt.rn.f32.s32", -3, -3.0f);
  TO(float, "f", "r", "cvt.rz.f32.u32", 0x1000001u, 0x1p24f);
  TO(double, "d", "f", "cvt.f64.f32", 0.5f, 0.5);
  TO(float, "f", "d", "cvt.rn.f32.f64", 0.5, 0.5f);
  TO(unsigned long long, "l", "r", "cvt.u64.u32", 0xffffffffu, 0xffffffffull);
  TO(long long, "l", "r", "cvt.s64.s32", -1, -1ll);
  TO(unsigned, "r", "l", "cvt.u32.u64", 0x100000005ull, 5u);
  TO(unsigned, "r", "r", "cvt.u8.u32", 0x1ffu, 0xffu);
  TO(int, "r", "r", "cvt.s8.s32", 0x1ff, -1);
  TO(unsigned, "r", "r", "cvt.sat.u8.s32", 300, 255u);
  TO(unsigned short, "h", "f", "cvt.rn.f16.f32", 1.5f, 0x3e00);
  TO(float, "f", "h", "cvt.f32.f16", (unsigned short)0x3e00, 1.5f);
  TO(unsigned short, "h", "f", "cvt.rn.bf16.f32", 1.5f, 0x3fc0);
  TO(unsigned, "r", "f", "cvt.rna.tf32.f32", 1.0f + 0x1p-11f, 0x3f802000u);
  unsigned pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(1.0f), "f"(2.0f));
  T(pair == 0x3c004000u);
}

__device__ int clamped(int x) {
  int result;
  asm("{\n\t"
      " .reg .pred below, above;\n\t"
      " .reg .s32 kept;\n\t"
      " mov.s32 kept, %1;           // a comment\n\t"
      " setp.lt.s32 below, %1, 0;\n\t"
      " setp.gt.and.s32 above, %1, 9, !below;\n\t"
      "@below mov.s32 kept, 0;\n\t"
      "@above mov.s32 kept, 9;\n\t"
      " mov.s32 %0, kept;\n\t"
      "}"
      : "=r"(result)
      : "r"(x));
  return result;
}

/// The sum of 1 to n, in a loop.
__device__ int loop_sum(int n) {
  int sum;
  asm volatile("{\n\t"
               ".reg .pred more;\n\t"
               ".reg .s32 left;\n\t"
               "mov.s32 %0, 0;\n\t"
               "mov.s32 left, %1;\n\t"
               "again:\n\t"
               "add.s32 %0, %0, left;\n\t"
               "sub.s32 left, left, 1;\n\t"
               "setp.gt.s32 more, left, 0;\n\t"
               "@more bra again;\n\t"
               "}"
               : "=&r"(sum)
               : "r"(n));
  return sum;
}

__global__ void control(int* wrong) {
  T(clamped(-4) == 0 && clamped(4) == 4 && clamped(40) == 9);
  T(loop_sum(10) == 55);
  R3("{ .reg .pred p; setp.ne.u32 p, %3, 0; selp.u32 %0, %1, %2, p; } //", 5u, 6u, 1u, 5);
  R2("set.lt.u32.s32", -1, 1, 0xffffffffu);
  unsigned both;
  asm("{ .reg .pred p, q; setp.le.f32 p|q, %1, %2; selp.u32 %0, 1, 0, q; }" : "=r"(both) : "f"(2.0f), "f"(1.0f));
  T(both == 1);
  if (both == 1)
    asm volatile("nanosleep.u32 20;");
  else
    asm volatile("trap;");
}

__global__ void memory(int* wrong, const float* from, float* to, int* cells, unsigned long long* wide) {
  __shared__ alignas(16) float tile[64];
  const unsigned lane = threadIdx.x;
  float a, b, c, d;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(from + 4 * lane));
  T(a == 4 * lane && d == 4 * lane + 3);
  asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to + 4 * lane), "f"(d), "f"(c), "f"(b), "f"(a) : "memory");
  unsigned byte;
  asm volatile("ld.global.u8 %0, [%1+3];" : "=r"(byte) : "l"(from + 1));
  T(byte == 0x3f);
  unsigned shared;
  asm("{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }" : "=r"(shared) : "l"(tile));
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(shared + 4 * lane), "f"(a) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  float other;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(other) : "r"(shared + 4 * (31 - lane)) : "memory");
  T(other == 4 * (31 - lane));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n cp.async.commit_group;" ::"r"(shared + 128 + 4 * lane), "l"(from + lane) : "memory");
  asm volatile("cp.async.wait_group %0;" ::"n"(0) : "memory");
  __syncthreads();
  T(tile[32 + (lane ^ 1)] == float(lane ^ 1));
  int old;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(cells), "r"(2) : "memory");
  T(old % 2 == 0 && old < 64);
  asm volatile("red.global.max.s32 [%0], %1;" ::"l"(cells + 1), "r"(int(lane)) : "memory");
  asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(cells + 2), "f"(0.5f) : "memory");
  unsigned long long before = 1;
  asm volatile("atom.cas.b64 %0, [%1], %2, %3;" : "=l"(before) : "l"(wide), "l"(0ull), "l"(lane + 1ull) : "memory");
  T(before <= 32);
  asm volatile("membar.gl; fence.acq_rel.gpu;" ::: "memory");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
  if (lane == 0) {
    unsigned flag;
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(cells + 3), "r"(7) : "memory");
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(flag) : "l"(cells + 3) : "memory");
    T(flag == 7);
  }
}

__global__ void warps(int* wrong) {
  const unsigned lane = threadIdx.x;
  unsigned r, inside;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  T(r == lane);
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 4; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(r) : "r"(lane));
  T(r == 15);
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 1, 0x1f, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(r), "=r"(inside) : "r"(lane));
  T(lane == 31 ? r == 31 && !inside : r == lane + 1 && inside);
  asm volatile("shfl.sync.bfly.b32 %0, %1, 4, 0x1f, -1;" : "=r"(r) : "r"(lane));
  T(r == (lane ^ 4));
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x181f, -1;" : "=r"(r) : "r"(lane), "r"(2));
  T(r == (lane & ~7u) + 2);
  asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(r) : "r"(lane / 16));
  T(r == (lane < 16 ? 0xffffu : 0xffff0000u));
  asm volatile("redux.sync.add.u32 %0, %1, -1;" : "=r"(r) : "r"(lane));
  T(r == 31 * 16);
  asm volatile("bar.warp.sync 0xffffffff;");
}

int main() {
  int *wrong, *cells;
  float *from, *to;
  unsigned long long* wide;
  cudaMallocManaged(&wrong, sizeof(int));
  cudaMallocManaged(&cells, 4 * sizeof(int));
  cudaMallocManaged(&from, 128 * sizeof(float));
  cudaMallocManaged(&to, 128 * sizeof(float));
  cudaMallocManaged(&wide, sizeof *wide);
  *wrong = 0;
  *wide = 0;
  for (int i = 0; i < 4; ++i) cells[i] = 0;
  for (int i = 0; i < 128; ++i) from[i] = i;
  integers<<<1, 1>>>(wrong);
  bits<<<1, 1>>>(wrong);
  floats<<<1, 1>>>(wrong);
  conversions<<<1, 1>>>(wrong);
  control<<<1, 1>>>(wrong);
  memory<<<1, 32>>>(wrong, from, to, cells, wide);
  warps<<<1, 32>>>(wrong);
  cudaDeviceSynchronize();
  int failed = *wrong;
  for (int i = 0; i < 128; ++i) failed += to[i] != (i ^ 3);
  float half_sum;
  memcpy(&half_sum, &cells[2], 4);
  failed += cells[0] != 64 || cells[1] != 31 || half_sum != 16.0f || cells[3] != 7 || *wide == 0 || *wide > 32;
  std::printf("%d wrong\n", failed);
  for (void* buffer : {(void*)wrong, (void*)cells, (void*)from, (void*)to, (void*)wide}) cudaFree(buffer);
  return failed != 0;
}
