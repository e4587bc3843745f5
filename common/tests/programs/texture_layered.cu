// Layered arrays: images of one size in one array, of which a fetch names one by its number. Layers are not filtered across,
// and a layer beyond the last one is the last one.
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

constexpr int n = 32, layers = 5;

// As NVIDIA's example has it: each layer is negated and gets its number, read with normalised coordinates.
__global__ void transform(cudaTextureObject_t images, float* out, int layer) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[(layer * n + y) * n + x] = -tex2DLayered<float>(images, (x + 0.5f) / n, (y + 0.5f) / n, layer) + layer;
}

__global__ void write_layers(cudaSurfaceObject_t images) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  for (int layer = 0; layer < layers; ++layer)
    surf2DLayeredwrite(float(x + n * (y + n * layer)), images, x * 4, y, layer);
}

__global__ void interpolate(cudaTextureObject_t tables, float2* out) {
  const int i = threadIdx.x, layer = blockIdx.x;
  out[layer * blockDim.x + i] = tex1DLayered<float2>(tables, i * 0.25f, layer);
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

int check_images() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(n, n, layers), cudaArrayLayered | cudaArraySurfaceLoadStore));
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  cudaTextureDesc texture = {};
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeWrap;
  texture.filterMode = cudaFilterModeLinear;
  texture.normalizedCoords = 1;
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  float* out;
  CHECK(cudaMalloc(&out, layers * n * n * sizeof(float)));
  const dim3 threads(8, 8), blocks(n / 8, n / 8);
  write_layers<<<blocks, threads>>>(surface);
  for (int layer = 0; layer < layers; ++layer) transform<<<blocks, threads>>>(object, out, layer);
  CHECK(cudaDeviceSynchronize());
  std::vector<float> result(layers * n * n);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < layers * n * n; ++i) wrong += !(std::fabs(result[i] - (-i + i / (n * n))) <= 1e-3);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaDestroyTextureObject(object));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
  return wrong;
}

int check_tables() {
  constexpr int length = 16, samples = 64;
  std::vector<float2> tables(layers * length), result((layers + 1) * samples);
  for (int i = 0; i < layers * length; ++i) tables[i] = make_float2(i * i % 53, -i);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(length, 0, layers), cudaArrayLayered));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(tables.data(), length * sizeof(float2), length, 1);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(length, 1, layers);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc texture = {};
  texture.addressMode[0] = cudaAddressModeClamp;
  texture.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  float2* out;
  CHECK(cudaMalloc(&out, result.size() * sizeof(float2)));
  interpolate<<<layers + 1, samples>>>(object, out);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(float2), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int layer = 0; layer <= layers; ++layer)
    for (int i = 0; i < samples; ++i) {
      const double at = i * 0.25 - 0.5;
      const int low = std::floor(at);
      const double a = at - low;
      const auto texel = [&](int k) {
        k = k < 0 ? 0 : k >= length ? length - 1 : k;
        return tables[(layer < layers ? layer : layers - 1) * length + k];
      };
      const float2 got = result[layer * samples + i];
      wrong += !(std::fabs(got.x - ((1 - a) * texel(low).x + a * texel(low + 1).x)) <= 1e-4) ||
               !(std::fabs(got.y - ((1 - a) * texel(low).y + a * texel(low + 1).y)) <= 1e-4);
    }
  CHECK(cudaDestroyTextureObject(object));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
  return wrong;
}

int main() {
  const int images = check_images(), tables = check_tables();
  std::printf("wrong values: %d of the images, %d of the tables\n", images, tables);
  return images + tables == 0 ? 0 : 1;
}
