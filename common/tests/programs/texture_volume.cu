// Rays through a volume: a 3-D array that cudaMemcpy3D fills, sampled with a trilinear filter. The samples lie on quarters of
// a texel, so that the formula holds to the last bits.
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

constexpr int nx = 18, ny = 14, nz = 11, steps = 40;

struct Ray {
  float x, y, z, dx, dy, dz;
};

__global__ void march(cudaTextureObject_t volume, const Ray* rays, float* sums, float* brightest, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Ray ray = rays[i];
  float sum = 0, most = -1e30f;
  for (int k = 0; k < steps; ++k) {
    const float value = tex3D<float>(volume, ray.x + k * ray.dx, ray.y + k * ray.dy, ray.z + k * ray.dz);
    sum += value;
    most = fmaxf(most, value);
  }
  sums[i] = sum;
  brightest[i] = most;
}

int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

int main() {
  std::vector<float> volume(nx * ny * nz);
  for (int i = 0; i < nx * ny * nz; ++i) volume[i] = i * 29 % 97;
  const cudaExtent extent = make_cudaExtent(nx, ny, nz);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(volume.data(), nx * sizeof(float), nx, ny);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));

  cudaExtent asked;
  cudaChannelFormatDesc found;
  unsigned flags;
  CHECK(cudaArrayGetInfo(&found, &asked, &flags, array));
  if (asked.width != nx || asked.height != ny || asked.depth != nz || found.x != 32 || found.y != 0 || flags != 0)
    return 1;

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture = {};
  for (auto& mode : texture.addressMode) mode = cudaAddressModeClamp;
  texture.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));

  std::vector<Ray> rays;
  for (int i = 0; i < 200; ++i)
    rays.push_back({i % 16 * 0.75f, i / 16 * 0.5f - 1, i % 7 * 1.25f, 0.25f + i % 2 * 0.25f, 0.25f - i % 3 * 0.25f, 0.25f});
  const int count = static_cast<int>(rays.size());
  Ray* device_rays;
  float *sums, *brightest;
  CHECK(cudaMalloc(&device_rays, count * sizeof(Ray)));
  CHECK(cudaMalloc(&sums, count * sizeof(float)));
  CHECK(cudaMalloc(&brightest, count * sizeof(float)));
  CHECK(cudaMemcpy(device_rays, rays.data(), count * sizeof(Ray), cudaMemcpyHostToDevice));
  march<<<(count + 63) / 64, 64>>>(object, device_rays, sums, brightest, count);
  CHECK(cudaDeviceSynchronize());
  std::vector<float> got_sums(count), got_brightest(count);
  CHECK(cudaMemcpy(got_sums.data(), sums, count * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(got_brightest.data(), brightest, count * sizeof(float), cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int r = 0; r < count; ++r) {
    double sum = 0, most = -1e30;
    for (int k = 0; k < steps; ++k) {
      const double p[3] = {rays[r].x + k * rays[r].dx - 0.5, rays[r].y + k * rays[r].dy - 0.5,
                           rays[r].z + k * rays[r].dz - 0.5};
      double value = 0;
      for (int corner = 0; corner < 8; ++corner) {
        int at[3];
        double weight = 1;
        for (int d = 0; d < 3; ++d) {
          const int low = std::floor(p[d]), step = corner >> d & 1;
          at[d] = low + step;
          weight *= step ? p[d] - low : 1 - (p[d] - low);
        }
        value += weight * volume[(clamped(at[2], nz) * ny + clamped(at[1], ny)) * nx + clamped(at[0], nx)];
      }
      sum += value;
      most = std::fmax(most, value);
    }
    wrong += !(std::fabs(got_sums[r] - sum) <= 1e-2) || !(std::fabs(got_brightest[r] - most) <= 1e-3);
  }
  CHECK(cudaDestroyTextureObject(object));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(device_rays));
  CHECK(cudaFree(sums));
  CHECK(cudaFree(brightest));
  std::printf("wrong rays: %d\n", wrong);
  return wrong == 0 ? 0 : 1;
}
