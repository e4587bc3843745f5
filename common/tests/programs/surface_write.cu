// Surfaces: one kernel writes an array, the next ones read it, as a surface and as a texture. Beyond the edge a surface gives
// 0 or its nearest texel, as asked. The x of a surface is in bytes.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                              \
  do {                                                                                           \
    cudaError_t error = (call);                                                                  \
    if (error != cudaSuccess) {                                                                  \
      std::printf("%s: %s (line %d)\n", #call, cudaGetErrorString(error), __LINE__);             \
      std::exit(1);                                                                              \
    }                                                                                            \
  } while (0)

constexpr int width = 40, height = 24, depth = 6;

__host__ __device__ float field(int x, int y) { return x * 0.5f + y * y; }

__global__ void write_image(cudaSurfaceObject_t image) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  // What lies outside is not written.
  surf2Dwrite(field(x, y), image, x * int(sizeof(float)), y, cudaBoundaryModeZero);
}

__global__ void sum_neighbours(cudaSurfaceObject_t image, float* zeros, float* clamped) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float with_zeros = 0, with_clamped = 0;
  for (int dx = -1; dx <= 1; dx += 2) {
    with_zeros += surf2Dread<float>(image, (x + dx) * 4, y, cudaBoundaryModeZero);
    float value;
    surf2Dread(&value, image, (x + dx) * 4, y + dx, cudaBoundaryModeClamp);
    with_clamped += value;
  }
  zeros[y * width + x] = with_zeros;
  clamped[y * width + x] = with_clamped;
}

__global__ void transpose(cudaTextureObject_t image, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = tex2D<float>(image, x, y);
}

// Each thread changes its own texel, and no other reads it.
__global__ void double_in_place(cudaSurfaceObject_t volume) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  const short2 value = surf3Dread<short2>(volume, x * int(sizeof(short2)), y, z);
  surf3Dwrite(make_short2(2 * value.x, value.y - 1), volume, x * int(sizeof(short2)), y, z);
}

template <class T>
T* allocate(int count) {
  T* memory;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  return memory;
}

int check_image() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  cudaTextureDesc desc = {};
  desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));

  const int count = width * height;
  float *zeros = allocate<float>(count), *clamped = allocate<float>(count), *turned = allocate<float>(count);
  const dim3 threads(16, 16), blocks((width + 15) / 16, (height + 15) / 16);
  write_image<<<blocks, threads>>>(surface);
  sum_neighbours<<<blocks, threads>>>(surface, zeros, clamped);
  transpose<<<blocks, threads>>>(texture, turned);
  CHECK(cudaDeviceSynchronize());
  std::vector<float> image(count), got_zeros(count), got_clamped(count), got_turned(count);
  CHECK(cudaMemcpy2DFromArray(image.data(), width * sizeof(float), array, 0, 0, width * sizeof(float), height,
                              cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(got_zeros.data(), zeros, count * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(got_clamped.data(), clamped, count * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(got_turned.data(), turned, count * sizeof(float), cudaMemcpyDeviceToHost));
  const auto limit = [](int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; };
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int i = y * width + x;
      const float left = x > 0 ? field(x - 1, y) : 0, right = x + 1 < width ? field(x + 1, y) : 0;
      const float before = field(limit(x - 1, width), limit(y - 1, height));
      const float after = field(limit(x + 1, width), limit(y + 1, height));
      wrong += image[i] != field(x, y) || got_zeros[i] != left + right || got_clamped[i] != before + after ||
               got_turned[x * height + y] != field(x, y);
    }
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(zeros));
  CHECK(cudaFree(clamped));
  CHECK(cudaFree(turned));
  return wrong;
}

int check_volume() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<short2>();
  const cudaExtent extent = make_cudaExtent(16, 8, depth);
  const int count = 16 * 8 * depth;
  std::vector<short2> volume(count), result(count);
  for (int i = 0; i < count; ++i) volume[i] = make_short2(i, 1000 - i);
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, extent, cudaArraySurfaceLoadStore));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(volume.data(), 16 * sizeof(short2), 16, 8);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  double_in_place<<<depth, dim3(16, 8)>>>(surface);
  CHECK(cudaDeviceSynchronize());
  cudaMemcpy3DParms back = {};
  back.srcArray = array;
  back.dstPtr = make_cudaPitchedPtr(result.data(), 16 * sizeof(short2), 16, 8);
  back.extent = extent;
  back.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&back));
  int wrong = 0;
  for (int i = 0; i < count; ++i)
    wrong += result[i].x != static_cast<short>(2 * i) || result[i].y != static_cast<short>(999 - i);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
  return wrong;
}

int main() {
  const int image = check_image(), volume = check_volume();
  std::printf("wrong texels: %d of the image, %d of the volume\n", image, volume);
  return image + volume == 0 ? 0 : 1;
}
