// Access patterns whose counts are known. Every function launches one kernel.

union Vector {
  float4 v;
  float f[4];
};

namespace {

template <class T>
__global__ void load(const T* in, T* out, int offset, int stride) {
  out[threadIdx.x] = in[offset + threadIdx.x * stride];
}

__global__ void load_part(const Vector* in, float* out, int offset, int stride) {
  const Vector all = in[offset + threadIdx.x * stride];
  out[threadIdx.x] = all.f[1] + all.v.w;
}

template <class T>
__global__ void store(T* out, int offset, int stride) {
  out[offset + threadIdx.x * stride] = T(1);
}

template <class T>
__global__ void shared_strided(int stride) {
  __shared__ T s[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += 32) s[i] = T(i);
  __syncwarp();
  T value = s[threadIdx.x * stride];
  __syncwarp();
  s[threadIdx.x * stride] = value;
}

__global__ void some_lanes(const float* in, float* out, unsigned mask) {
  if (mask >> threadIdx.x & 1) out[threadIdx.x] = in[threadIdx.x];
}

__global__ void different_trip_counts(const float* in, float* out) {
  float sum = 0;
  for (int i = 0; i <= threadIdx.x; ++i) sum += in[32 * i + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void access_after_branch(const float* in, float* out) {
  float sum = in[threadIdx.x]; // first load
  if (threadIdx.x % 3 == 0) sum += in[64 + threadIdx.x];
  sum += in[128 + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void branch_in_loop(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += in[32 * i + threadIdx.x];
    if ((i + threadIdx.x) % 2 == 0) sum += in[128 + 32 * i + threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

__global__ void long_loop(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[32 * i + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void grid_stride(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

__global__ void add_to_one(int* sum) { atomicAdd(sum, 1); }
__global__ void add_to_each(int* sums) { atomicAdd(&sums[threadIdx.x], 1); }

__global__ void add_in_shared(int* out) {
  __shared__ int sums[32];
  sums[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sums[threadIdx.x / 2], 1);
  __syncthreads();
  out[threadIdx.x] = sums[threadIdx.x];
}

struct Particle {
  float x, y, z, vx, vy, vz;
};

__global__ void copy_particles(const Particle* in, Particle* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void barriers_and_shuffles(int* out) {
  __syncthreads();
  int value = threadIdx.x;
  for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffffu, value, delta);
  __syncwarp();
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

} // namespace

extern "C" {
void load_char(const char* in, char* out, int offset, int stride) {
  load<<<1, 32>>>(in, out, offset, stride);
}
void load_float(const float* in, float* out, int offset, int stride) {
  load<<<1, 32>>>(in, out, offset, stride);
}
void load_double(const double* in, double* out, int offset, int stride) {
  load<<<1, 32>>>(in, out, offset, stride);
}
void load_float2(const void* in, void* out, int offset, int stride) {
  load<<<1, 32>>>(static_cast<const float2*>(in), static_cast<float2*>(out), offset, stride);
}
void load_float4(const void* in, void* out, int offset, int stride) {
  load<<<1, 32>>>(static_cast<const float4*>(in), static_cast<float4*>(out), offset, stride);
}
void load_union(const void* in, void* out, int offset, int stride) {
  load<<<1, 32>>>(static_cast<const Vector*>(in), static_cast<Vector*>(out), offset, stride);
}
void load_part_of_union(const void* in, float* out, int offset, int stride) {
  load_part<<<1, 32>>>(static_cast<const Vector*>(in), out, offset, stride);
}
void store_float(float* out, int offset, int stride) { store<<<1, 32>>>(out, offset, stride); }
void store_float4(void* out, int offset, int stride) {
  store<<<1, 32>>>(static_cast<float4*>(out), offset, stride);
}
void shared_float(int stride) { shared_strided<float><<<1, 32>>>(stride); }
void shared_double(int stride) { shared_strided<double><<<1, 32>>>(stride); }
void run_some_lanes(const float* in, float* out, unsigned mask) { some_lanes<<<1, 32>>>(in, out, mask); }
void run_different_trip_counts(const float* in, float* out) { different_trip_counts<<<1, 32>>>(in, out); }
void run_access_after_branch(const float* in, float* out) { access_after_branch<<<1, 32>>>(in, out); }
void run_branch_in_loop(const float* in, float* out, int n) { branch_in_loop<<<1, 32>>>(in, out, n); }
void run_long_loop(const float* in, float* out, int n) { long_loop<<<1, 32>>>(in, out, n); }
void run_grid_stride(const float* in, float* out, int n) { grid_stride<<<2, 64>>>(in, out, n); }
void run_add_to_one(int* sum) { add_to_one<<<1, 32>>>(sum); }
void run_add_to_each(int* sums) { add_to_each<<<1, 32>>>(sums); }
void run_add_in_shared(int* out) { add_in_shared<<<1, 32>>>(out); }
void run_copy_particles(const float* in, float* out) {
  copy_particles<<<1, 32>>>(reinterpret_cast<const Particle*>(in), reinterpret_cast<Particle*>(out));
}
void run_barriers_and_shuffles(int* out) { barriers_and_shuffles<<<3, 64>>>(out); }
}
