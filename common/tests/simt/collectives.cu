// Warp collectives under divergence, and atomics of all kinds.

namespace {

constexpr unsigned all = 0xffffffffu;

__global__ void divergent_shuffles(long long* out) {
  unsigned lane = threadIdx.x;
  long long* row = out + lane * 8;
  // The two halves of a branch, each among itself.
  if (lane % 2 == 0)
    row[0] = __shfl_sync(0x55555555u, lane * 10, (lane + 2) % 32);
  else
    row[0] = __shfl_down_sync(0xaaaaaaaau, lane * 10, 2);
  // The same operation from two places, with one mask.
  if (lane < 16)
    row[1] = __shfl_xor_sync(all, lane, 16);
  else
    row[1] = __shfl_xor_sync(all, lane + 100, 16);
  row[2] = __shfl_sync(all, static_cast<long long>(lane) << 40, 31 - lane);
  row[3] = static_cast<long long>(4 * __shfl_up_sync(all, lane * 0.25, 4, 16));
  row[4] = __shfl_sync(all, static_cast<short>(-lane), lane ^ 1);
  row[5] = __shfl_sync(all, lane == 3, 3);
  row[6] = static_cast<long long>(__shfl_down_sync(all, 1.5f * lane, 1, 4) * 2);
  // Lanes that have returned are not waited for.
  if (lane >= 24) return;
  row[7] = __shfl_xor_sync(0x00ffffffu, lane, 7);
}

__global__ void divergent_votes(unsigned* out) {
  unsigned lane = threadIdx.x, *row = out + lane * 8;
  unsigned loops = 0;
  // Every round fewer lanes take part.
  for (unsigned mask = all; lane >= loops && loops < 32; mask &= mask - 1, ++loops)
    row[0] = __ballot_sync(mask, lane % 2);
  if (lane < 8) {
    row[1] = __any_sync(0xffu, lane == 7);
    row[2] = __all_sync(0xffu, lane < 8);
    row[3] = __match_any_sync(0xffu, lane / 3 * 0.5);
    int equal = 7;
    row[4] = __match_all_sync(0xffu, 5ull << 40, &equal);
    row[5] = equal;
    row[4] += __match_all_sync(0xffu, lane / 7, &equal);
    row[6] = equal;
    row[7] = __activemask();
  } else {
    row[7] = __activemask();
  }
  __syncwarp();
}

__global__ void reductions(int* out) {
  int lane = threadIdx.x;
  int value = (lane * 7 + 3) % 32 - 16;
  if (lane >= 4 && lane < 20) {
    unsigned mask = 0x000ffff0u;
    int* row = out + (lane - 4) * 9;
    row[0] = __reduce_add_sync(mask, value);
    row[1] = __reduce_min_sync(mask, value);
    row[2] = __reduce_max_sync(mask, value);
    row[3] = __reduce_add_sync(mask, static_cast<unsigned>(value));
    row[4] = __reduce_min_sync(mask, static_cast<unsigned>(value));
    row[5] = __reduce_max_sync(mask, static_cast<unsigned>(value));
    row[6] = __reduce_and_sync(mask, static_cast<unsigned>(value) | 0x100u);
    row[7] = __reduce_or_sync(mask, 1u << lane);
    row[8] = __reduce_xor_sync(mask, static_cast<unsigned>(lane) * 5);
  }
}

__global__ void atomics(unsigned long long* out) {
  auto* i = reinterpret_cast<int*>(out);
  auto* u = reinterpret_cast<unsigned*>(out + 16);
  unsigned long long* l = out + 32;
  auto* f = reinterpret_cast<float*>(out + 48);
  auto* d = reinterpret_cast<double*>(out + 56);
  auto* h = reinterpret_cast<unsigned short*>(out + 60);
  int lane = threadIdx.x;
  atomicAdd(&i[0], lane);
  atomicAdd_block(&i[1], -lane);
  atomicAdd_system(&i[2], 2 * lane);
  atomicSub(&i[3], lane);
  atomicSub_block(&i[4], lane);
  atomicSub_system(&i[5], lane);
  atomicExch(&i[6], 9);
  atomicMin(&i[7], -lane);
  atomicMax_block(&i[8], lane - 3);
  atomicAnd(&i[9], ~(1 << lane));
  atomicOr_system(&i[10], 1 << lane);
  atomicXor(&i[11], lane);
  atomicCAS(&i[12], 0, 6);
  atomicCAS_block(&i[13], 0, 5);
  atomicCAS_system(&i[14], 0, 5);
  atomicAdd(&u[0], 0xf0000000u);
  atomicSub(&u[1], 1u);
  atomicExch_system(&u[2], 4000000000u);
  atomicMin_block(&u[3], 5u);
  atomicMax(&u[4], 4000000000u - lane);
  atomicInc(&u[5], 4u);
  atomicInc_system(&u[6], 100u);
  atomicDec(&u[7], 6u);
  atomicDec_block(&u[8], 100u);
  atomicAnd(&u[9], 7u);
  atomicOr(&u[10], 0x80000000u >> lane);
  atomicXor_block(&u[11], 3u << lane);
  atomicCAS(&u[12], 0u, 77u);
  atomicAdd(&l[0], 1ull << 40);
  atomicExch(&l[1], 1ull << 50);
  atomicMin(&l[2], 3ull);
  atomicMax(&l[3], static_cast<unsigned long long>(lane) << 33);
  atomicMin(reinterpret_cast<long long*>(&l[4]), -static_cast<long long>(lane) * (1ll << 33));
  atomicMax(reinterpret_cast<long long*>(&l[5]), -1ll);
  atomicAnd(&l[6], 5ull << 35);
  atomicOr(&l[7], 1ull << (lane + 20));
  atomicXor_system(&l[8], static_cast<unsigned long long>(lane) << 34);
  atomicCAS(&l[9], 0ull, 1ull << 60);
  atomicAdd(&f[0], 0.5f);
  atomicAdd_system(&f[1], -0.25f);
  atomicExch(&f[2], 2.5f);
  atomicAdd(reinterpret_cast<float2*>(&f[4]), make_float2(1.0f, lane * 0.5f));
  atomicAdd(reinterpret_cast<float4*>(&f[8]), make_float4(1.0f, 2.0f, lane * 1.0f, -1.0f));
  atomicAdd(&d[0], 0.125);
  atomicAdd_block(&d[1], lane * 1.0);
  atomicCAS(&h[1], static_cast<unsigned short>(0), static_cast<unsigned short>(7));
  if (lane == 0) {
    float4 old = atomicAdd(reinterpret_cast<float4*>(&f[12]), make_float4(1, 2, 3, 4));
    float2 pair = atomicAdd(reinterpret_cast<float2*>(&f[12]), make_float2(1, 1));
    d[2] = old.x + pair.x + pair.y;
  }
  __threadfence();
  __threadfence_block();
  __threadfence_system();
}

// NaNs have many forms.
__device__ void put(unsigned long long* out, int& n, double x) {
  out[n++] = x != x ? 1 : __double_as_longlong(x);
}
__device__ void put(unsigned long long* out, int& n, float x) { out[n++] = x != x ? 1 : __float_as_uint(x); }
__device__ void put(unsigned long long* out, int& n, int x) { out[n++] = static_cast<unsigned>(x); }
__device__ void put(unsigned long long* out, int& n, unsigned x) { out[n++] = x; }
__device__ void put(unsigned long long* out, int& n, long long x) {
  out[n++] = static_cast<unsigned long long>(x);
}
__device__ void put(unsigned long long* out, int& n, unsigned long long x) { out[n++] = x; }

/// Intrinsics with exact results; the arguments come from memory, so that nothing is folded away.
__global__ void exact_intrinsics(unsigned long long* out, const unsigned* in, const float* x, const double* y,
                                 int* count) {
  int n = 0;
  unsigned a = in[0], b = in[1], c = in[2]; // 0x12345678, 0x9abcdef0, 0xffffff80
  put(out, n, __popc(a));
  put(out, n, __popcll(static_cast<unsigned long long>(b) << 32 | a));
  put(out, n, __clz(static_cast<int>(a)));
  put(out, n, __clzll(static_cast<long long>(a)));
  put(out, n, __ffs(static_cast<int>(b)));
  put(out, n, __ffsll(static_cast<long long>(b) << 32));
  put(out, n, __brev(a));
  put(out, n, __brevll(static_cast<unsigned long long>(a) << 32 | b));
  put(out, n, __byte_perm(a, b, 0x5140));
  put(out, n, __byte_perm(a, b, 0x7362));
  put(out, n, __funnelshift_l(a, b, 8));
  put(out, n, __funnelshift_r(a, b, 40));
  put(out, n, __funnelshift_lc(a, b, 40));
  put(out, n, __funnelshift_rc(a, b, 32));
  put(out, n, __mul24(static_cast<int>(c), 3));
  put(out, n, __umul24(a, b));
  put(out, n, __mulhi(static_cast<int>(a), static_cast<int>(b)));
  put(out, n, __umulhi(a, b));
  put(out, n, __umul64hi(static_cast<unsigned long long>(b) << 32, static_cast<unsigned long long>(b) << 20));
  put(out, n, __mul64hi(-static_cast<long long>(b), static_cast<long long>(b) << 20));
  put(out, n, __hadd(static_cast<int>(b), static_cast<int>(a)));
  put(out, n, __rhadd(static_cast<int>(b), static_cast<int>(a)));
  put(out, n, __uhadd(b, a));
  put(out, n, __urhadd(b, a));
  put(out, n, __sad(static_cast<int>(b), static_cast<int>(a), 5u));
  put(out, n, __usad(b, a, 5u));
  put(out, n, __dp4a(static_cast<int>(a), static_cast<int>(b), -7));
  put(out, n, __dp4a(a, b, 7u));
  put(out, n, min(static_cast<int>(b), 3));
  put(out, n, max(b, 3u));
  put(out, n, max(static_cast<long long>(b), -1ll));
  for (int i = 0; i < 8; ++i) { // 2.5, -2.5, 1e10, -1e10, 1e20, NaN, -0.5, 3e9
    put(out, n, __float2int_rn(x[i]));
    put(out, n, __float2int_rz(x[i]));
    put(out, n, __float2int_rd(x[i]));
    put(out, n, __float2int_ru(x[i]));
    put(out, n, __float2uint_rn(x[i]));
    put(out, n, __float2uint_rz(x[i]));
    put(out, n, __float2ll_rn(x[i]));
    put(out, n, __float2ull_rd(x[i]));
    put(out, n, __double2int_rn(y[i]));
    put(out, n, __double2uint_ru(y[i]));
    put(out, n, __double2ll_rz(y[i]));
    put(out, n, __double2ull_rn(y[i]));
    put(out, n, __saturatef(x[i]));
    put(out, n, fminf(x[i], 1.0f));
    put(out, n, min(x[i], 2.0f));
    put(out, n, max(y[i], 2.0));
    put(out, n, __double2hiint(y[i]));
    put(out, n, __double2loint(y[i]));
    put(out, n, __fmaf_rn(x[i], 3.0f, 1.0f));
    put(out, n, __fma_rn(y[i], 3.0, 1.0));
    put(out, n, __fadd_rn(x[i], 0.1f));
    put(out, n, __dmul_rn(y[i], 0.1));
    put(out, n, __float_as_int(x[i]));
    put(out, n, __fsqrt_rn(fabsf(x[i])));
    put(out, n, __frcp_rn(x[i]));
    put(out, n, __frsqrt_rn(fabsf(x[i])));
    put(out, n, __fdiv_rn(x[i], 3.0f));
  }
  put(out, n, __hiloint2double(static_cast<int>(a), static_cast<int>(b)));
  put(out, n, __int2float_rn(static_cast<int>(b)));
  put(out, n, __ull2float_rn(static_cast<unsigned long long>(b) << 31));
  put(out, n, __ll2double_rn(-static_cast<long long>(b) * 0x12345678ll));
  put(out, n, sinpif(1.0f));
  put(out, n, cospi(0.5));
  *count = n;
}

/// Functions that round differently from one implementation to another.
__global__ void close_intrinsics(double* out, const float* x, int* count) {
  int n = 0;
  for (int i = 0; i < 4; ++i) { // 0.3, 1.0, 2.7, 10.0
    float v = x[i], s, c;
    out[n++] = rsqrtf(v);
    out[n++] = __fdividef(v, 7.0f);
    out[n++] = __expf(v);
    out[n++] = __logf(v + 1.0f);
    out[n++] = __log2f(v + 1.0f);
    out[n++] = __powf(v, 1.5f);
    out[n++] = __sinf(v);
    out[n++] = __cosf(v);
    sincosf(v, &s, &c);
    out[n++] = s;
    out[n++] = c;
    sincospif(v, &s, &c);
    out[n++] = s;
    out[n++] = c;
    out[n++] = normcdff(v);
    out[n++] = normcdf(-static_cast<double>(v));
    out[n++] = erff(v);
    out[n++] = exp10f(v);
    out[n++] = rcbrtf(v);
    out[n++] = hypotf(v, 2.0f);
    out[n++] = rhypotf(v, 2.0f);
    out[n++] = norm3df(v, 1.0f, 2.0f);
    out[n++] = tanhf(v);
    out[n++] = sinpi(static_cast<double>(v));
  }
  *count = n;
}

__global__ void cache_hints(int* out, const int* in) {
  int i = threadIdx.x;
  int sum = __ldg(in + i) + __ldca(in + i + 32) + __ldcg(in + i + 64) + __ldcs(in + i + 96) +
            __ldcv(in + i + 128) + __ldlu(in + i + 160);
  __stwb(out + 4 * i, sum);
  __stcg(out + 4 * i + 1, sum + 1);
  __stcs(out + 4 * i + 2, sum + 2);
  __stwt(out + 4 * i + 3, static_cast<short>(3));
}

__global__ void time_goes_on(int* out) {
  long long start = clock64();
  clock_t small = clock();
  __nanosleep(100);
  volatile int work = 0;
  for (int i = 0; i < 100; ++i) work = work + i;
  out[0] = clock64() > start && clock() > small;
}

static inline __device__ int inline_hits = 3;
__device__ int plain_hits = 4;

__global__ void count_hits(int* out) {
  atomicAdd(&inline_hits, 2);
  out[0] = inline_hits + plain_hits;
}

__global__ void divide(int* out, const int* by) {
  out[threadIdx.x] = 7 / by[threadIdx.x]; // division
}

__global__ void trap() {
  if (threadIdx.x == 5) __trap(); // trap
}

} // namespace

extern "C" {
void run_divergent_shuffles(long long* out) { divergent_shuffles<<<1, 32>>>(out); }
void run_divergent_votes(unsigned* out) { divergent_votes<<<1, 32>>>(out); }
void run_reductions(int* out) { reductions<<<1, 32>>>(out); }
void run_atomics(unsigned long long* out) { atomics<<<1, 32>>>(out); }
void run_exact_intrinsics(unsigned long long* out, const unsigned* in, const float* x, const double* y,
                          int* count) {
  exact_intrinsics<<<1, 1>>>(out, in, x, y, count);
}
void run_close_intrinsics(double* out, const float* x, int* count) {
  close_intrinsics<<<1, 1>>>(out, x, count);
}
void run_cache_hints(int* out, const int* in) { cache_hints<<<1, 32>>>(out, in); }
void run_time_goes_on(int* out) { time_goes_on<<<1, 1>>>(out); }
void run_count_hits(int* out) { count_hits<<<1, 1>>>(out); }
int hits_from_host() {
  int value = 0;
  cudaMemcpyFromSymbol(&value, inline_hits, sizeof value);
  return value;
}
void run_divide(int* out, const int* by) { divide<<<1, 4>>>(out, by); }
void run_trap() { trap<<<1, 32>>>(); }
}
