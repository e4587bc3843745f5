// Textures, surfaces and CUDA arrays: single fetches, and their misuse.

namespace {

__global__ void fetch_line(cudaTextureObject_t line, const float* at, float* out) {
  out[threadIdx.x] = tex1D<float>(line, at[threadIdx.x]);
}

__global__ void fetch_integers(cudaTextureObject_t texels, int* out) {
  out[threadIdx.x] = tex1Dfetch<int>(texels, threadIdx.x); // integers
}

__global__ void fetch_strided(cudaTextureObject_t texels, float* out, int stride) {
  out[threadIdx.x] = tex1Dfetch<float>(texels, threadIdx.x * stride); // outside
}

__global__ void fetch_floats(cudaTextureObject_t texels, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texels, threadIdx.x); // destroyed
}

__global__ void fetch_plane(cudaTextureObject_t plane, float* out) {
  out[threadIdx.x] = tex2D<float>(plane, threadIdx.x + 0.5f, 1.5f); // plane
}

__global__ void fetch_vector(cudaTextureObject_t plane, float4* out) {
  out[threadIdx.x] = tex2D<float4>(plane, threadIdx.x + 0.5f, 0.5f); // too many channels
}

__global__ void gather(cudaTextureObject_t plane, float4* out) {
  out[threadIdx.x] = tex2Dgather<float4>(plane, threadIdx.x + 0.5f, 0.5f); // gather
}

__global__ void shift_left(cudaTextureObject_t texels, float* values, int n) {
  const int i = threadIdx.x;
  if (i + 1 < n) values[i] = tex1Dfetch<float>(texels, i + 1); // through a texture
}

__global__ void read_after_barrier(cudaTextureObject_t texels, float* values, float* out) {
  values[threadIdx.x] = 1; // written
  __syncthreads();
  out[threadIdx.x] = tex1Dfetch<float>(texels, threadIdx.x); // read back
}

__global__ void add_one(cudaTextureObject_t texels, float* values) {
  values[threadIdx.x] = tex1Dfetch<float>(texels, threadIdx.x) + 1;
}

__global__ void write_surface(cudaSurfaceObject_t surface, int width, int unit) {
  const int i = threadIdx.x;
  if (i < width) surf1Dwrite(float(i), surface, i * unit); // surface
}

__global__ void write_doubles(cudaSurfaceObject_t surface) {
  surf1Dwrite(make_float2(1, 2), surface, 0); // wider
}

__global__ void read_surface(cudaSurfaceObject_t surface, float* out, cudaSurfaceBoundaryMode mode) {
  out[threadIdx.x] = surf1Dread<float>(surface, (int(threadIdx.x) - 2) * 4, mode);
}

__global__ void exchange(cudaSurfaceObject_t surface, float* out) {
  surf1Dwrite(float(threadIdx.x), surface, int(threadIdx.x) * 4); // surface written
  __syncthreads();
  out[threadIdx.x] = surf1Dread<float>(surface, (31 - int(threadIdx.x)) * 4); // surface read
}

__global__ void all_write_first(cudaSurfaceObject_t surface) {
  surf1Dwrite(float(threadIdx.x), surface, 0); // same texel
}

} // namespace

extern "C" {
void run_fetch_line(cudaTextureObject_t line, const float* at, float* out, int count) {
  fetch_line<<<1, count>>>(line, at, out);
}
void run_fetch_integers(cudaTextureObject_t texels, int* out, int count) { fetch_integers<<<1, count>>>(texels, out); }
void run_fetch_strided(cudaTextureObject_t texels, float* out, int stride) {
  fetch_strided<<<1, 32>>>(texels, out, stride);
}
void run_fetch_floats(cudaTextureObject_t texels, float* out) { fetch_floats<<<1, 4>>>(texels, out); }
void run_fetch_plane(cudaTextureObject_t plane, float* out, int count) { fetch_plane<<<1, count>>>(plane, out); }
void run_fetch_vector(cudaTextureObject_t plane, float4* out) { fetch_vector<<<1, 1>>>(plane, out); }
void run_gather(cudaTextureObject_t plane, float4* out) { gather<<<1, 1>>>(plane, out); }
void run_shift_left(cudaTextureObject_t texels, float* values, int n) { shift_left<<<1, n>>>(texels, values, n); }
void run_read_after_barrier(cudaTextureObject_t texels, float* values, float* out) {
  read_after_barrier<<<1, 32>>>(texels, values, out);
}
void run_add_one_twice(cudaTextureObject_t texels, float* values) {
  add_one<<<1, 32>>>(texels, values);
  add_one<<<1, 32>>>(texels, values);
}
void run_write_surface(cudaSurfaceObject_t surface, int width, int unit) {
  write_surface<<<1, 32>>>(surface, width, unit);
}
void run_write_doubles(cudaSurfaceObject_t surface) { write_doubles<<<1, 1>>>(surface); }
void run_read_surface(cudaSurfaceObject_t surface, float* out, int mode) {
  read_surface<<<1, 8>>>(surface, out, static_cast<cudaSurfaceBoundaryMode>(mode));
}
void run_exchange(cudaSurfaceObject_t surface, float* out) { exchange<<<1, 32>>>(surface, out); }
void run_all_write_first(cudaSurfaceObject_t surface) { all_write_first<<<1, 32>>>(surface); }
void allocate_named_array(cudaArray_t* result) {
  cudaArray_t heights;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&heights, &format, 8, 4);
  *result = heights;
}
}
