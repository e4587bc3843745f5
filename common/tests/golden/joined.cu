// What nvcc joins: accesses of one thread to neighbouring members. Beside each kernel stands what a warp of it asks for as the source
// has it, and what nvcc 13.0 -O3 makes of it for sm_90: counted in the machine code, and confirmed by Nsight Compute on an H200,
// the wavefronts of shared memory among them.
// test_joined.py compares both with the simulator's counts. All of memory is 0, and integers are 100. Of shared memory the machine code
// tells the requests; their wavefronts follow from the width (count_wavefronts).
#include <cstdio>
#include <type_traits>
#include <utility>

// A kernel, and what it costs, is a line.
// clang-format off
#define KERNEL __global__ void
#define I const int i = threadIdx.x;

struct alignas(16) P8 { float x, y, z, m, vx, vy, vz, q; };
struct N2 { float x, y; };
struct alignas(8) A2 { float x, y; };
struct N3 { float x, y, z; };
struct alignas(16) A3 { float x, y, z; };
struct N4 { float x, y, z, w; };
struct alignas(8) H4 { float x, y, z, w; };
struct alignas(16) A4 { float x, y, z, w; };
struct N5 { float x, y, z, w, v; };
struct alignas(8) H6 { float a, b, c, d, e, f; };
struct alignas(16) A8 { float a, b, c, d, e, f, g, h; };
struct alignas(16) Mix { float x; int n; float y; int m; };
struct alignas(8) CI { char c; int n; };
struct alignas(16) Arr { float m[4]; };
struct alignas(8) SS { short a, b, c, d; };
struct DD { double x, y; };
struct alignas(16) LI { long long l; int a, b; };
struct alignas(16) Nest { N3 pos; float m; };
struct alignas(16) Meth { float x, y, z, w; __device__ float len() const { return x * x + y * y + z * z; } };
struct V3 { float x, y, z; };
__device__ V3 operator-(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
struct alignas(16) V4 { float x, y, z, w; };
__device__ V4 operator-(const V4& a, const V4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w}; }
__device__ float sumref(const float4& v) { return v.x + v.y + v.z + v.w; }
__device__ float gf[1024];
__device__ __noinline__ float fn(float a) { return a * a + 1; }

KERNEL e4(float* o, const float4* p) { I o[i] = p[i].x + p[i].y + p[i].z + p[i].w; } // 4 -> 1 loads, 1 -> 1 stores
KERNEL e4_other_order(float* o, const float4* p) { I o[i] = p[i].w * p[i].y - p[i].x * p[i].z; } // 4 -> 1 loads, 1 -> 1 stores
KERNEL e_float2(float* o, const float2* p) { I o[i] = p[i].x + p[i].y; } // 2 -> 1 loads, 1 -> 1 stores
KERNEL e_double2(double* o, const double2* p) { I o[i] = p[i].x + p[i].y; } // 2 -> 1 loads, 1 -> 1 stores
KERNEL e_uchar4(int* o, const uchar4* p) { I o[i] = p[i].x + p[i].y + p[i].z + p[i].w; } // 4 -> 1 loads, 1 -> 1 stores
KERNEL e_uchar4_three(int* o, const uchar4* p) { I o[i] = p[i].x + p[i].y + p[i].z; } // 3 -> 1 loads, 1 -> 1 stores
KERNEL e_short4(int* o, const short4* p) { I o[i] = p[i].x + p[i].y + p[i].z + p[i].w; } // 4 -> 1 loads, 1 -> 1 stores
KERNEL e_float3(float* o, const float3* p) { I o[i] = p[i].x + p[i].y + p[i].z; } // 3 -> 3 loads, 1 -> 1 stores
KERNEL m_xy(float* o, const float4* p) { I o[i] = p[i].x * p[i].y; } // 2 -> 1 loads, 1 -> 1 stores
KERNEL m_yz(float* o, const float4* p) { I o[i] = p[i].y * p[i].z; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL m_zw(float* o, const float4* p) { I o[i] = p[i].z * p[i].w; } // 2 -> 1 loads, 1 -> 1 stores
KERNEL m_xz(float* o, const float4* p) { I o[i] = p[i].x * p[i].z; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL m_xw(float* o, const float4* p) { I o[i] = p[i].x * p[i].w; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL m_yw(float* o, const float4* p) { I o[i] = p[i].y * p[i].w; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL m_xyz(float* o, const float4* p) { I o[i] = p[i].x * p[i].y + p[i].z; } // 3 -> 1 loads, 1 -> 1 stores
KERNEL m_yzw(float* o, const float4* p) { I o[i] = p[i].y * p[i].z + p[i].w; } // 3 -> 2 loads, 1 -> 1 stores
KERNEL m_xyw(float* o, const float4* p) { I o[i] = p[i].x * p[i].y + p[i].w; } // 3 -> 1 loads, 1 -> 1 stores
KERNEL m_xzw(float* o, const float4* p) { I o[i] = p[i].x * p[i].z + p[i].w; } // 3 -> 1 loads, 1 -> 1 stores
KERNEL m_P8_xyz_v(float* o, const P8* p) { I o[i] = p[i].x + p[i].y + p[i].z + p[i].vx + p[i].vy + p[i].vz; } // 6 -> 2 loads, 1 -> 1 stores
KERNEL m_P8_m_vx(float* o, const P8* p) { I o[i] = p[i].m * p[i].vx; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL m_P8_z_m_vx_vy(float* o, const P8* p) { I o[i] = p[i].z + p[i].m + p[i].vx + p[i].vy; } // 4 -> 2 loads, 1 -> 1 stores
KERNEL w_locals(float* o, const float4* p) { I float a = p[i].x, b = p[i].y, c = p[i].z, d = p[i].w; o[i] = a * b + c * d; } // 4 -> 1 loads, 1 -> 1 stores
KERNEL w_reference(float* o, const float4* p) { I const float4& v = p[i]; o[i] = v.x + v.y + v.z + v.w; } // 4 -> 1 loads, 1 -> 1 stores
KERNEL w_copy_N4(float* o, const N4* p) { I N4 v = p[i]; o[i] = v.x + v.y + v.z + v.w; } // 4 -> 4 loads, 1 -> 1 stores
KERNEL w_copy_P8_some(float* o, const P8* p) { I P8 v = p[i]; o[i] = v.x + v.vx; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL w_copy_P8_all(P8* o, const P8* p) { I o[i] = p[i]; } // 8 -> 2 loads, 8 -> 2 stores
KERNEL w_float_4i(float* o, const float* p) { I o[i] = p[4 * i] + p[4 * i + 1] + p[4 * i + 2] + p[4 * i + 3]; } // 4 -> 4 loads, 1 -> 1 stores
KERNEL w_constant_index(float* o, const float* p) { I o[i] = p[0] + p[1] + p[2] + p[3]; } // 4 -> 4 loads, 1 -> 1 stores
KERNEL w_constant_index_v(float* o, const float4* p) { I o[i] = p[3].x + p[3].y + p[3].z + p[3].w; } // 4 -> 1 loads, 1 -> 1 stores
KERNEL w_float_i_i1(float* o, const float* p) { I o[i] = p[i] + p[i + 1]; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL w_runtime_index(float* o, const float4* p, const int* q) { I int j = q[i]; o[i] = p[j].x + p[j].y + p[j].z + p[j].w; } // 5 -> 2 loads, 1 -> 1 stores
KERNEL w_two_records(float* o, const float4* p) { I o[i] = p[i].x + p[i].y + p[i + 1].x + p[i + 1].y; } // 4 -> 2 loads, 1 -> 1 stores
KERNEL w_two_float2_records(float* o, const float2* p) { I o[i] = p[2 * i].x + p[2 * i].y + p[2 * i + 1].x + p[2 * i + 1].y; } // 4 -> 2 loads, 1 -> 1 stores
KERNEL t_A2(float* o, const A2* p) { I o[i] = p[i].x + p[i].y; } // 2 -> 1 loads, 1 -> 1 stores
KERNEL t_N3(float* o, const N3* p) { I o[i] = p[i].x + p[i].y + p[i].z; } // 3 -> 3 loads, 1 -> 1 stores
KERNEL t_A3(float* o, const A3* p) { I o[i] = p[i].x + p[i].y + p[i].z; } // 3 -> 1 loads, 1 -> 1 stores
KERNEL t_N4(float* o, const N4* p) { I o[i] = p[i].x + p[i].y + p[i].z + p[i].w; } // 4 -> 4 loads, 1 -> 1 stores
KERNEL t_H4(float* o, const H4* p) { I o[i] = p[i].x + p[i].y + p[i].z + p[i].w; } // 4 -> 2 loads, 1 -> 1 stores
KERNEL t_H4_yz(float* o, const H4* p) { I o[i] = p[i].y + p[i].z; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL t_H4_xyz(float* o, const H4* p) { I o[i] = p[i].x + p[i].y + p[i].z; } // 3 -> 2 loads, 1 -> 1 stores
KERNEL t_H6(float* o, const H6* p) { I o[i] = p[i].a + p[i].b + p[i].c + p[i].d + p[i].e + p[i].f; } // 6 -> 3 loads, 1 -> 1 stores
KERNEL t_A8(float* o, const A8* p) { I o[i] = p[i].a + p[i].b + p[i].c + p[i].d + p[i].e + p[i].f + p[i].g + p[i].h; } // 8 -> 2 loads, 1 -> 1 stores
KERNEL t_mixed(float* o, const Mix* p) { I o[i] = p[i].x * p[i].n + p[i].y * p[i].m; } // 4 -> 1 loads, 1 -> 1 stores
KERNEL t_char_int(int* o, const CI* p) { I o[i] = p[i].c + p[i].n; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL t_ll_int_int(long long* o, const LI* p) { I o[i] = p[i].l + p[i].a + p[i].b; } // 3 -> 2 loads, 1 -> 1 stores
KERNEL t_short_three(int* o, const SS* p) { I o[i] = p[i].a + p[i].b + p[i].c; } // 3 -> 1 loads, 1 -> 1 stores
KERNEL t_bytes_float_ptr(int* o, const unsigned char* p) { I o[i] = p[4 * i] + p[4 * i + 1] + p[4 * i + 2] + p[4 * i + 3]; } // 4 -> 4 loads, 1 -> 1 stores
KERNEL t_two_doubles_N(double* o, const DD* p) { I o[i] = p[i].x + p[i].y; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL b_store(float* o, const float4* p) { I float a = p[i].x + p[i].y; o[i] = a; o[i + 256] = p[i].z + p[i].w; } // 4 -> 2 loads, 2 -> 2 stores
KERNEL b_store_each(float* o, const float4* p) { I o[i] = p[i].x; o[i + 256] = p[i].y; o[i + 512] = p[i].z; o[i + 768] = p[i].w; } // 4 -> 4 loads, 4 -> 4 stores
KERNEL b_store_int(int* o, const float4* p) { I float a = p[i].x; o[i] = 1; o[i + 256] = (int)(a * p[i].y); } // 2 -> 2 loads, 2 -> 2 stores
KERNEL b_store_restrict(float* __restrict__ o, const float4* p) { I o[i] = p[i].x; o[i + 256] = p[i].y; o[i + 512] = p[i].z; o[i + 768] = p[i].w; } // 4 -> 1 loads, 4 -> 4 stores
KERNEL b_load_restrict(float* o, const float4* __restrict__ p) { I o[i] = p[i].x; o[i + 256] = p[i].y; o[i + 512] = p[i].z; o[i + 768] = p[i].w; } // 4 -> 1 loads, 4 -> 4 stores
KERNEL b_store_shared(float* o, const float4* p) { __shared__ float s[256]; I s[i] = p[i].x; float b = p[i].y; __syncthreads(); o[i] = s[i ^ 1] + b; } // 2 -> 1 loads, 1 -> 1 stores
KERNEL b_atomic(float* o, const float4* p, int* q) { I float a = p[i].x; int t = atomicAdd(q, 1); o[i] = a + p[i].y + t; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL b_syncthreads(float* o, const float4* p) { I float a = p[i].x; __syncthreads(); o[i] = a + p[i].y; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL b_syncwarp(float* o, const float4* p) { I float a = p[i].x; __syncwarp(); o[i] = a + p[i].y; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL b_shfl(float* o, const float4* p) { I float a = __shfl_xor_sync(~0u, p[i].x, 1); o[i] = a + p[i].y; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL b_ballot(float* o, const float4* p) { I unsigned a = __ballot_sync(~0u, p[i].x > 0); o[i] = a + p[i].y; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL b_noinline_pure(float* o, const float4* p) { I float a = fn(p[i].x); o[i] = a + p[i].y; } // 2 -> 1 loads, 1 -> 1 stores
KERNEL b_other_load(float* o, const float4* p, const int* q) { I float a = p[i].x; int t = q[i]; o[i] = a + p[i].y + t; } // 3 -> 2 loads, 1 -> 1 stores
KERNEL s4(float4* o, float v) { I o[i].x = v; o[i].y = v + 1; o[i].z = v + 2; o[i].w = v + 3; } // 0 -> 0 loads, 4 -> 1 stores
KERNEL s4_order(float4* o, float v) { I o[i].w = v; o[i].y = v + 1; o[i].x = v + 2; o[i].z = v + 3; } // 0 -> 0 loads, 4 -> 1 stores
KERNEL s_xy(float4* o, float v) { I o[i].x = v; o[i].y = v + 1; } // 0 -> 0 loads, 2 -> 1 stores
KERNEL s_yz(float4* o, float v) { I o[i].y = v; o[i].z = v + 1; } // 0 -> 0 loads, 2 -> 2 stores
KERNEL s_xyz(float4* o, float v) { I o[i].x = v; o[i].y = v + 1; o[i].z = v + 2; } // 0 -> 0 loads, 3 -> 2 stores
KERNEL s_xz(float4* o, float v) { I o[i].x = v; o[i].z = v + 1; } // 0 -> 0 loads, 2 -> 2 stores
KERNEL s_xyw(float4* o, float v) { I o[i].x = v; o[i].y = v + 1; o[i].w = v + 2; } // 0 -> 0 loads, 3 -> 2 stores
KERNEL s_twice(float4* o, float v) { I o[i].x = v; o[i].y = v + 1; o[i].x = v + 2; } // 0 -> 0 loads, 2 -> 1 stores
KERNEL s_float_4i(float* o, float v) { I o[4 * i] = v; o[4 * i + 1] = v + 1; o[4 * i + 2] = v + 2; o[4 * i + 3] = v + 3; } // 0 -> 0 loads, 4 -> 4 stores
KERNEL s_uchar4(uchar4* o, int v) { I o[i].x = v; o[i].y = v + 1; o[i].z = v + 2; o[i].w = v + 3; } // 0 -> 0 loads, 4 -> 1 stores
KERNEL s_short4(short4* o, int v) { I o[i].x = v; o[i].y = v + 1; o[i].z = v + 2; o[i].w = v + 3; } // 0 -> 0 loads, 4 -> 1 stores
KERNEL s_double2(double2* o, double v) { I o[i].x = v; o[i].y = v + 1; } // 0 -> 0 loads, 2 -> 1 stores
KERNEL s_load_between(float4* o, const float* p) { I o[i].x = p[i]; o[i].y = p[i + 256]; } // 2 -> 2 loads, 2 -> 2 stores
KERNEL s_load_between_restrict(float4* o, const float* __restrict__ p) { I o[i].x = p[i]; o[i].y = p[i + 256]; } // 2 -> 2 loads, 2 -> 1 stores
KERNEL s_read_first(float4* o, const float* p) { I float a = p[i], b = p[i + 256]; o[i].x = a; o[i].y = b; } // 2 -> 2 loads, 2 -> 1 stores
KERNEL s_other_store_between(float4* o, float* q, float v) { I o[i].x = v; q[i] = v; o[i].y = v + 1; } // 0 -> 0 loads, 3 -> 3 stores
KERNEL s_other_store_restrict(float4* __restrict__ o, float* __restrict__ q, float v) { I o[i].x = v; q[i] = v; o[i].y = v + 1; } // 0 -> 0 loads, 3 -> 2 stores
KERNEL s_syncthreads(float4* o, float v) { I o[i].x = v; __syncthreads(); o[i].y = v + 1; } // 0 -> 0 loads, 2 -> 2 stores
KERNEL s_rmw(float4* p, float v) { I p[i].x += v; p[i].y += v; p[i].z += v; p[i].w += v; } // 4 -> 1 loads, 4 -> 1 stores
KERNEL s_rmw_two(float4* p, float v) { I p[i].x += v; p[i].z += v; } // 2 -> 2 loads, 2 -> 2 stores
KERNEL s_rmw_from_other(P8* p, float dt) { I p[i].x += dt * p[i].vx; p[i].y += dt * p[i].vy; p[i].z += dt * p[i].vz; } // 6 -> 2 loads, 3 -> 2 stores
KERNEL s_two_records(float4* o, float v) { I o[2 * i].x = v; o[2 * i + 1].x = v; o[2 * i].y = v + 1; o[2 * i + 1].y = v + 1; } // 0 -> 0 loads, 4 -> 2 stores
KERNEL s_load_back(float4* o, float* q, float v) { I o[i].x = v; o[i].y = v + 1; q[i] = o[i].x + o[i].y; } // 0 -> 0 loads, 3 -> 2 stores
KERNEL g_device_float(float* o) { I o[i] = gf[4 * i] + gf[4 * i + 1] + gf[4 * i + 2] + gf[4 * i + 3]; } // 4 -> 4 loads, 1 -> 1 stores
KERNEL x_copy_two_stmts(float* o, const float4* p) { I float4 v = p[i]; o[i] = v.x + v.y; o[i + 256] = v.z + v.w; } // 1 -> 1 loads, 2 -> 2 stores
KERNEL x_uchar4_xz(int* o, const uchar4* p) { I o[i] = p[i].x + p[i].z; } // 2 -> 1 loads, 1 -> 1 stores
KERNEL x_uchar4_xw(int* o, const uchar4* p) { I o[i] = p[i].x + p[i].w; } // 2 -> 1 loads, 1 -> 1 stores
KERNEL x_uchar4_yz(int* o, const uchar4* p) { I o[i] = p[i].y + p[i].z; } // 2 -> 2 loads, 1 -> 1 stores
KERNEL x_short4_ac(int* o, const SS* p) { I o[i] = p[i].a + p[i].c; } // 2 -> 1 loads, 1 -> 1 stores
KERNEL x_short4_ad(int* o, const SS* p) { I o[i] = p[i].a + p[i].d; } // 2 -> 1 loads, 1 -> 1 stores
KERNEL x_short4_bcd(int* o, const SS* p) { I o[i] = p[i].b + p[i].c + p[i].d; } // 3 -> 2 loads, 1 -> 1 stores
KERNEL x_P8_x_z_vx_vz(float* o, const P8* p) { I o[i] = p[i].x + p[i].z + p[i].vx + p[i].vz; } // 4 -> 4 loads, 1 -> 1 stores
KERNEL x_P8_x_y_vx(float* o, const P8* p) { I o[i] = p[i].x + p[i].y + p[i].vx; } // 3 -> 2 loads, 1 -> 1 stores
KERNEL x_P8_y_to_vy(float* o, const P8* p) { I o[i] = p[i].y + p[i].z + p[i].m + p[i].vx + p[i].vy; } // 5 -> 3 loads, 1 -> 1 stores
KERNEL x_A8_seven(float* o, const A8* p) { I o[i] = p[i].a + p[i].b + p[i].c + p[i].d + p[i].e + p[i].f + p[i].g; } // 7 -> 2 loads, 1 -> 1 stores
KERNEL x_H6_abc(float* o, const H6* p) { I o[i] = p[i].a + p[i].b + p[i].c; } // 3 -> 2 loads, 1 -> 1 stores
KERNEL x_last_of_record_xz(float* o, const float4* p) { I o[i] = p[i].y + p[i].z + p[i + 1].x + p[i + 1].y; } // 4 -> 3 loads, 1 -> 1 stores
KERNEL x_fn_ref(float* o, const float4* p) { I o[i] = sumref(p[i]); } // 4 -> 1 loads, 1 -> 1 stores
KERNEL x_method(float* o, const Meth* p) { I o[i] = p[i].len(); } // 3 -> 1 loads, 1 -> 1 stores
KERNEL z_double4_16(double* o, const double4_16a* p) { I o[i] = p[i].x + p[i].y + p[i].z + p[i].w; } // 4 -> 2 loads, 1 -> 1 stores
KERNEL x_minus_V3(V3* o, const V3* p) { I o[i] = p[i] - p[i ^ 1]; } // 6 -> 6 loads, 3 -> 3 stores
KERNEL x_minus_V4(V4* o, const V4* p) { I o[i] = p[i] - p[i ^ 1]; } // 8 -> 2 loads, 4 -> 1 stores

// The same in shared memory.
#define IJ const int i = threadIdx.x, j = i ^ 1;
#define S4 __shared__ float4 s[256]; s[threadIdx.x] = make_float4(threadIdx.x, 1, 2, 3); __syncthreads();
KERNEL h_all(float* o) { S4 IJ o[i] = s[j].x + s[j].y + s[j].z + s[j].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 4 -> 1 loads in 16 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_members(float* o) { __shared__ float4 s[256]; IJ s[i].x = i; s[i].y = 1; s[i].z = 2; s[i].w = 3; __syncthreads(); o[i] = s[j].x + s[j].y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 1 loads in 8 -> 4 wavefronts, 4 -> 1 stores in 16 -> 4
KERNEL h_xz(float* o) { S4 IJ o[i] = s[j].x * s[j].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 8 -> 8 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_xyz(float* o) { S4 IJ o[i] = s[j].x * s[j].y + s[j].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 1 loads in 12 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_yz(float* o) { S4 IJ o[i] = s[j].y * s[j].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 8 -> 8 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_yzw(float* o) { S4 IJ o[i] = s[j].y * s[j].z + s[j].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 1 loads in 12 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_xyw(float* o) { S4 IJ o[i] = s[j].x * s[j].y + s[j].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 1 loads in 12 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_zw(float* o) { S4 IJ o[i] = s[j].z * s[j].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 1 loads in 8 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_xw(float* o) { S4 IJ o[i] = s[j].x * s[j].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 8 -> 8 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_other_store(float* o) { S4 __shared__ float t[256]; IJ float a = s[j].x; t[i] = a; float b = s[j].y; __syncthreads(); o[i] = t[j] + b; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 2 loads in 9 -> 5 wavefronts, 2 -> 2 stores in 5 -> 5
KERNEL h_own_store(float* o) { S4 IJ float a = s[j].x; s[i].z = a; float b = s[j].y; __syncthreads(); o[i] = s[j].z + b; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 2 loads in 12 -> 8 wavefronts, 2 -> 2 stores in 8 -> 8
KERNEL h_own_store_y(float* o) { S4 IJ float a = s[j].x; s[i + 0].y = a; __syncwarp(); float b = s[j].y; o[i] = b; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 8 -> 8 wavefronts, 2 -> 2 stores in 8 -> 8
KERNEL h_global_store(float* o) { S4 IJ o[i] = s[j].x; o[i + 256] = s[j].y; } // 0 -> 0 loads, 2 -> 2 stores; shared: 2 -> 1 loads in 8 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_syncwarp(float* o) { S4 IJ float a = s[j].x; __syncwarp(); o[i] = a + s[j].y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 8 -> 8 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_syncthreads(float* o) { S4 IJ float a = s[j].x; __syncthreads(); o[i] = a + s[j].y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 8 -> 8 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_float2(float* o) { __shared__ float2 s[256]; IJ s[i].x = i; s[i].y = 2; __syncthreads(); o[i] = s[j].x + s[j].y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 1 loads in 4 -> 2 wavefronts, 2 -> 1 stores in 4 -> 2
KERNEL h_float2_other_store(float* o) { __shared__ float2 s[256]; __shared__ float t[256]; IJ s[i].x = i; s[i].y = 2; __syncthreads(); float a = s[j].x; t[i] = a; float b = s[j].y; __syncthreads(); o[i] = t[j] + b; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 2 loads in 5 -> 3 wavefronts, 3 -> 2 stores in 5 -> 3
KERNEL h_float2_own_store(float* o) { __shared__ float2 s[256], r[256]; IJ s[i].x = i; s[i].y = 2; r[i].x = r[i].y = 1; __syncthreads(); float a = s[j].x; r[i].y = a; float b = s[j].y; __syncthreads(); o[i] = r[j].y + b; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 2 loads in 6 -> 4 wavefronts, 5 -> 3 stores in 10 -> 6
KERNEL h_double2(double* o) { __shared__ double2 s[256]; IJ s[i].x = i; s[i].y = 2; __syncthreads(); o[i] = s[j].x + s[j].y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 1 loads in 8 -> 4 wavefronts, 2 -> 1 stores in 8 -> 4
KERNEL h_short4(int* o) { __shared__ short4 s[256]; IJ s[i].x = i; s[i].y = 2; s[i].z = 3; s[i].w = 4; __syncthreads(); o[i] = s[j].x + s[j].y + s[j].z + s[j].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 4 -> 1 loads in 8 -> 2 wavefronts, 4 -> 1 stores in 8 -> 2
KERNEL h_short4_xz(int* o) { __shared__ short4 s[256]; IJ s[i].x = i; s[i].y = 2; s[i].z = 3; s[i].w = 4; __syncthreads(); o[i] = s[j].x + s[j].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 1 loads in 4 -> 2 wavefronts, 4 -> 1 stores in 8 -> 2
KERNEL h_short4_yzw(int* o) { __shared__ short4 s[256]; IJ s[i].x = i; s[i].y = 2; s[i].z = 3; s[i].w = 4; __syncthreads(); o[i] = s[j].y + s[j].z + s[j].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 2 loads in 6 -> 4 wavefronts, 4 -> 1 stores in 8 -> 2
KERNEL h_uchar4(int* o) { __shared__ uchar4 s[256]; IJ s[i].x = i; s[i].y = 2; s[i].z = 3; s[i].w = 4; __syncthreads(); o[i] = s[j].x + s[j].y + s[j].z + s[j].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 4 -> 1 loads in 4 -> 1 wavefronts, 4 -> 1 stores in 4 -> 1
KERNEL h_uchar4_xz(int* o) { __shared__ uchar4 s[256]; IJ s[i].x = i; s[i].y = 2; s[i].z = 3; s[i].w = 4; __syncthreads(); o[i] = s[j].x + s[j].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 1 loads in 2 -> 1 wavefronts, 4 -> 1 stores in 4 -> 1
KERNEL h_A4_copy(float* o, const A4* p) { __shared__ A4 s[256]; IJ s[i] = p[i]; __syncthreads(); A4 v = s[j]; o[i] = v.x + v.y + v.z + v.w; } // 1 -> 1 loads, 1 -> 1 stores; shared: 4 -> 1 loads in 16 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_A2(float* o) { __shared__ A2 s[256]; IJ s[i].x = i; s[i].y = 1; __syncthreads(); o[i] = s[j].x + s[j].y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 1 loads in 4 -> 2 wavefronts, 2 -> 1 stores in 4 -> 2
KERNEL h_P8(float* o) { __shared__ P8 s[256]; IJ s[i].x = i; s[i].y = 1; s[i].z = 2; s[i].vx = 3; s[i].vy = 4; s[i].vz = 5; __syncthreads(); o[i] = s[j].x + s[j].y + s[j].z + s[j].vx + s[j].vy + s[j].vz; } // 0 -> 0 loads, 1 -> 1 stores; shared: 6 -> 2 loads in 48 -> 16 wavefronts, 6 -> 4 stores in 48 -> 32
KERNEL h_P8_m_vx(float* o) { __shared__ P8 s[256]; IJ s[i].m = i; s[i].vx = 1; __syncthreads(); o[i] = s[j].m + s[j].vx; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 16 -> 16 wavefronts, 2 -> 2 stores in 16 -> 16
KERNEL h_P8_load_yzm(float* o) { __shared__ P8 s[256]; IJ s[i].y = i; s[i].z = 1; s[i].m = 2; s[i].vx = 3; __syncthreads(); o[i] = s[j].y + s[j].z + s[j].m + s[j].vx; } // 0 -> 0 loads, 1 -> 1 stores; shared: 4 -> 2 loads in 32 -> 16 wavefronts, 4 -> 3 stores in 32 -> 24
KERNEL h_broadcast(float* o) { S4 IJ o[i] = s[7].x + s[7].y + s[7].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 1 loads in 3 -> 2 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_two(float* o) { S4 IJ o[i] = s[j].x + s[j].y + s[i ^ 2].x + s[i ^ 2].y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 4 -> 2 loads in 16 -> 8 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_two_arrays(float* o) { S4 __shared__ float4 t[256]; IJ t[i] = make_float4(1, 2, 3, i); __syncthreads(); o[i] = s[j].x * t[j].x + s[j].y * t[j].y + s[j].z * t[j].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 6 -> 2 loads in 24 -> 8 wavefronts, 2 -> 2 stores in 8 -> 8
KERNEL h_grid(float* o) { __shared__ float4 s[16][16]; IJ s[i / 16][i % 16] = make_float4(i, 1, 2, 3); __syncthreads(); int r = i % 16, c = i / 16; o[i] = s[r][c].x + s[r][c].y + s[r][c].z + s[r][c].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 4 -> 1 loads in 64 -> 32 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_padded(float* o) { __shared__ float4 s[16][17]; IJ s[i / 16][i % 16] = make_float4(i, 1, 2, 3); __syncthreads(); int r = i % 16, c = i / 16; o[i] = s[r][c].x + s[r][c].y + s[r][c].z + s[r][c].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 4 -> 1 loads in 16 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_eighths(float* o) { S4 IJ int k = i % 8; o[i] = s[k].x + s[k].y + s[k].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 1 loads in 3 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_eighths_all(float* o) { S4 IJ int k = i % 8; o[i] = s[k].x + s[k].y + s[k].z + s[k].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 4 -> 1 loads in 4 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_halves(float* o) { S4 IJ int k = i / 2; o[i] = s[k].x + s[k].y + s[k].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 1 loads in 6 -> 2 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_stores_apart(float* o) { __shared__ float4 s[256]; __shared__ float t[256]; IJ s[i].x = i; s[i].y = 1; t[i] = i; s[i].z = 2; s[i].w = 3; __syncthreads(); o[i] = s[j].x + t[j]; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 5 -> 5 wavefronts, 5 -> 2 stores in 17 -> 5
KERNEL h_stores_xyz(float* o) { __shared__ float4 s[256]; IJ s[i].x = i; s[i].y = 1; s[i].z = 2; __syncthreads(); o[i] = s[j].x + s[j].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 8 -> 8 wavefronts, 3 -> 2 stores in 12 -> 8
KERNEL h_stores_yzw(float* o) { __shared__ float4 s[256]; IJ s[i].y = i; s[i].z = 1; s[i].w = 2; __syncthreads(); o[i] = s[j].y + s[j].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 8 -> 8 wavefronts, 3 -> 2 stores in 12 -> 8
KERNEL h_stores_read_between(float* o) { S4 IJ s[i].x = 1; float a = s[j].z; s[i].y = 2; __syncthreads(); o[i] = a + s[j].x; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 8 -> 8 wavefronts, 3 -> 2 stores in 12 -> 8
KERNEL h_from_global(float* o, const float4* p) { __shared__ float4 s[256]; IJ s[i].x = p[i].x; s[i].y = p[i].y; s[i].z = p[i].z; s[i].w = p[i].w; __syncthreads(); o[i] = s[j].x + s[j].y; } // 4 -> 1 loads, 1 -> 1 stores; shared: 2 -> 1 loads in 8 -> 4 wavefronts, 4 -> 1 stores in 16 -> 4
KERNEL h_pointer(float* o) { S4 IJ const float4* q = s + j; o[i] = q->x + q->y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 1 loads in 8 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_volatile(float* o) { __shared__ volatile float2 s[256]; IJ s[i].x = i; s[i].y = 2; __syncthreads(); o[i] = s[j].x + s[j].y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 4 -> 4 wavefronts, 2 -> 2 stores in 4 -> 4
KERNEL h_dynamic(float* o) { extern __shared__ float4 d[]; IJ d[i].x = i; d[i].y = 1; d[i].z = 2; d[i].w = 3; __syncthreads(); o[i] = d[j].x + d[j].y + d[j].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 1 loads in 12 -> 4 wavefronts, 4 -> 1 stores in 16 -> 4
KERNEL h_rmw(float* o) { S4 IJ s[i].x += 1; s[i].y += 2; s[i].z += 3; s[i].w += 4; __syncthreads(); o[i] = s[j].x + s[j].y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 6 -> 2 loads in 24 -> 8 wavefronts, 5 -> 2 stores in 20 -> 8
KERNEL h_rmw_pair(float* o) { S4 IJ s[i].x += 1; s[i].z += 3; __syncthreads(); o[i] = s[j].x + s[j].y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 4 -> 3 loads in 16 -> 12 wavefronts, 3 -> 3 stores in 12 -> 12
KERNEL h_float3(float* o) { __shared__ float3 s[256]; IJ s[i].x = i; s[i].y = 1; s[i].z = 2; __syncthreads(); o[i] = s[j].x + s[j].y + s[j].z; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 3 loads in 3 -> 3 wavefronts, 3 -> 3 stores in 3 -> 3
KERNEL h_atomic(float* o) { S4 __shared__ int n[256]; IJ n[i] = 0; __syncthreads(); float a = s[j].x; atomicAdd(n + i, 1); o[i] = a + s[j].y; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 8 -> 8 wavefronts, 2 -> 2 stores in 5 -> 5
KERNEL h_int4(int* o) { __shared__ int4 s[256]; IJ s[i] = make_int4(i, 1, 2, 3); __syncthreads(); o[i] = s[j].y + s[j].z + s[j].w; } // 0 -> 0 loads, 1 -> 1 stores; shared: 3 -> 1 loads in 12 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_cached(float* o) { S4 IJ float a = s[j].x; o[i + 256] = a + s[j].x; o[i] = s[j].y + s[j].x; } // 0 -> 0 loads, 2 -> 2 stores; shared: 3 -> 1 loads in 12 -> 4 wavefronts, 1 -> 1 stores in 4 -> 4
KERNEL h_double2_own(double* o) { __shared__ double2 s[256]; IJ s[i] = make_double2(i, 1); __syncthreads(); double a = s[j].x; s[i].y = a; double b = s[j].x; __syncthreads(); o[i] = s[j].y + b; } // 0 -> 0 loads, 1 -> 1 stores; shared: 2 -> 2 loads in 8 -> 8 wavefronts, 2 -> 2 stores in 8 -> 8

// clang-format on

static char* memory[8];
constexpr int dynamic_bytes = 4096;
template <class T>
struct Argument {
  static T get(int) { return std::is_same_v<T, int> ? T(100) : T(1); }
};
template <class T>
struct Argument<T*> {
  static T* get(int n) { return (T*)memory[n]; }
};
template <class... T, size_t... N>
void launch_with(void (*kernel)(T...), std::index_sequence<N...>) {
  kernel<<<1, 256, dynamic_bytes>>>(Argument<T>::get(N)...);
}
template <class... T>
void launch(void (*kernel)(T...)) {
  launch_with(kernel, std::index_sequence_for<T...>());
}
template <class... Kernels>
void launch_all(Kernels*... kernels) {
  (launch(kernels), ...);
}

int main() {
  for (char*& each : memory) {
    cudaMalloc(&each, 1 << 20);
    cudaMemset(each, 0, 1 << 20);
  }
  launch_all(e4, e4_other_order, e_float2, e_double2, e_uchar4, e_uchar4_three, e_short4, e_float3, m_xy,
             m_yz, m_zw, m_xz, m_xw, m_yw, m_xyz, m_yzw, m_xyw, m_xzw, m_P8_xyz_v, m_P8_m_vx, m_P8_z_m_vx_vy,
             w_locals, w_reference, w_copy_N4, w_copy_P8_some, w_copy_P8_all, w_float_4i, w_constant_index,
             w_constant_index_v, w_float_i_i1, w_runtime_index, w_two_records, w_two_float2_records, t_A2,
             t_N3, t_A3, t_N4, t_H4, t_H4_yz, t_H4_xyz, t_H6, t_A8, t_mixed, t_char_int, t_ll_int_int,
             t_short_three, t_bytes_float_ptr, t_two_doubles_N, b_store, b_store_each, b_store_int,
             b_store_restrict, b_load_restrict, b_store_shared, b_atomic, b_syncthreads, b_syncwarp, b_shfl,
             b_ballot, b_noinline_pure, b_other_load, s4, s4_order, s_xy, s_yz, s_xyz, s_xz, s_xyw, s_twice,
             s_float_4i, s_uchar4, s_short4, s_double2, s_load_between, s_load_between_restrict, s_read_first,
             s_other_store_between, s_other_store_restrict, s_syncthreads, s_rmw, s_rmw_two, s_rmw_from_other,
             s_two_records, s_load_back, g_device_float, x_copy_two_stmts, x_uchar4_xz, x_uchar4_xw,
             x_uchar4_yz, x_short4_ac, x_short4_ad, x_short4_bcd, x_P8_x_z_vx_vz, x_P8_x_y_vx, x_P8_y_to_vy,
             x_A8_seven, x_H6_abc, x_last_of_record_xz, x_fn_ref, x_method, z_double4_16, x_minus_V3,
             x_minus_V4, h_all, h_members, h_xz, h_xyz, h_yz, h_yzw, h_xyw, h_zw, h_xw, h_other_store,
             h_own_store, h_own_store_y, h_global_store, h_syncwarp, h_syncthreads, h_float2,
             h_float2_other_store, h_float2_own_store, h_double2, h_short4, h_short4_xz, h_short4_yzw,
             h_uchar4, h_uchar4_xz, h_A4_copy, h_A2, h_P8, h_P8_m_vx, h_P8_load_yzm, h_broadcast, h_two,
             h_two_arrays, h_grid, h_padded, h_eighths, h_eighths_all, h_halves, h_stores_apart, h_stores_xyz,
             h_stores_yzw, h_stores_read_between, h_from_global, h_pointer, h_volatile, h_dynamic, h_rmw,
             h_rmw_pair, h_float3, h_atomic, h_int4, h_cached, h_double2_own);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
