// Cubemaps: six square faces in one array. A fetch names a direction, and reads the face that the direction meets; surfaces name
// the face itself. Layered cubemaps have six layers for each cube.
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

constexpr int n = 16, faces = 6, cubes = 3;

// The direction of a place on a face: s and t go from -1 to 1. As the programming guide's table has it.
__host__ __device__ float3 direction(int face, float s, float t, float length) {
  const float3 unit = face == 0   ? make_float3(1, -t, -s)
                      : face == 1 ? make_float3(-1, -t, s)
                      : face == 2 ? make_float3(s, 1, t)
                      : face == 3 ? make_float3(s, -1, -t)
                      : face == 4 ? make_float3(s, -t, 1)
                                  : make_float3(-s, -t, -1);
  return make_float3(unit.x * length, unit.y * length, unit.z * length);
}

__global__ void read_centres(cudaTextureObject_t cube, float *out) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
  const float3 d = direction(face, (x + 0.5f) / n * 2 - 1, (y + 0.5f) / n * 2 - 1, 3 + face);
  out[(face * n + y) * n + x] = texCubemap<float>(cube, d.x, d.y, d.z);
}

// Half-way between the centres of two texels of a row, filtered.
__global__ void read_between(cudaTextureObject_t cube, float *out) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
  const float3 d = direction(face, (x + 1.0f) / n * 2 - 1, (y + 0.5f) / n * 2 - 1, 1);
  if (x < n - 1) out[(face * n + y) * n + x] = texCubemap<float>(cube, d.x, d.y, d.z);
}

__global__ void write_faces(cudaSurfaceObject_t cubes_out) {
  const int x = threadIdx.x, y = threadIdx.y, layer_face = blockIdx.x;
  surfCubemapLayeredwrite(make_int2(layer_face, y * n + x), cubes_out, x * int(sizeof(int2)), y, layer_face);
}

__global__ void read_layers(cudaTextureObject_t cubes_in, int2 *out) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x, cube = blockIdx.y;
  const float3 d = direction(face, (x + 0.5f) / n * 2 - 1, (y + 0.5f) / n * 2 - 1, 0.25f);
  out[((cube * faces + face) * n + y) * n + x] = texCubemapLayered<int2>(cubes_in, d.x, d.y, d.z, cube);
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

int check_cube() {
  std::vector<float> texels(faces * n * n), result(texels.size());
  for (size_t i = 0; i < texels.size(); ++i) texels[i] = float(i * i % 1024);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(n, n, faces), cudaArrayCubemap));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), n * sizeof(float), n, n);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(n, n, faces);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc texture = {};
  texture.addressMode[0] = texture.addressMode[1] = texture.addressMode[2] = cudaAddressModeClamp;
  texture.filterMode = cudaFilterModeLinear;
  texture.normalizedCoords = 1;
  cudaTextureObject_t cube = 0;
  CHECK(cudaCreateTextureObject(&cube, &resource, &texture, nullptr));
  float *out;
  CHECK(cudaMalloc(&out, result.size() * sizeof(float)));
  int wrong = 0;
  read_centres<<<faces, dim3(n, n)>>>(cube, out);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < result.size(); ++i) wrong += !(std::fabs(result[i] - texels[i]) <= 1e-3);
  CHECK(cudaMemset(out, 0, result.size() * sizeof(float)));
  read_between<<<faces, dim3(n, n)>>>(cube, out);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < result.size(); ++i)
    if (i % n != n - 1) // weights are multiples of 1/256
      wrong += !(std::fabs(result[i] - (texels[i] + texels[i + 1]) / 2) <= 1024 / 256);
  CHECK(cudaDestroyTextureObject(cube));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
  return wrong;
}

int check_layers() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int2>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(n, n, faces * cubes),
                          cudaArrayCubemap | cudaArrayLayered | cudaArraySurfaceLoadStore));
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  cudaTextureDesc texture = {};
  texture.normalizedCoords = 1;
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  std::vector<int2> result(cubes * faces * n * n);
  int2 *out;
  CHECK(cudaMalloc(&out, result.size() * sizeof(int2)));
  write_faces<<<cubes * faces, dim3(n, n)>>>(surface);
  read_layers<<<dim3(faces, cubes), dim3(n, n)>>>(object, out);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(int2), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < cubes * faces * n * n; ++i) wrong += result[i].x != i / (n * n) || result[i].y != i % (n * n);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaDestroyTextureObject(object));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
  return wrong;
}

// What is no cube is refused.
int check_refusals() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  int wrong = 0;
  wrong += cudaMalloc3DArray(&array, &format, make_cudaExtent(n, n / 2, faces), cudaArrayCubemap) != cudaErrorInvalidValue;
  wrong += cudaMalloc3DArray(&array, &format, make_cudaExtent(n, n, 5), cudaArrayCubemap) != cudaErrorInvalidValue;
  wrong += cudaMalloc3DArray(&array, &format, make_cudaExtent(n, n, 8), cudaArrayCubemap | cudaArrayLayered) !=
           cudaErrorInvalidValue;
  cudaGetLastError();
  return wrong;
}

int main() {
  const int cube = check_cube(), layers = check_layers(), refusals = check_refusals();
  std::printf("wrong values: %d of the cube, %d of the layers; wrong refusals: %d\n", cube, layers, refusals);
  return cube + layers + refusals == 0 ? 0 : 1;
}
