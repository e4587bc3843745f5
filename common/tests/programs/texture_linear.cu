// Linear memory behind a texture: a sparse matrix times a vector that is fetched by index, bytes that come as fractions, and
// the texture functions for one dimension, for gathering, and with a level of detail, which changes nothing without mipmaps.
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

constexpr int rows = 300, row_length = 5;

struct Matrix {
  cudaTextureObject_t columns, vector; ///< objects are values: they may be members
  const float* values;
};

__global__ void multiply(Matrix matrix, float* out) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = row * row_length; k < (row + 1) * row_length; ++k)
    sum += matrix.values[k] * tex1Dfetch<float>(matrix.vector, tex1Dfetch<int>(matrix.columns, k));
  out[row] = sum;
}

__global__ void widen(cudaTextureObject_t bytes, float2* out) {
  out[threadIdx.x] = tex1Dfetch<float2>(bytes, threadIdx.x);
}

__global__ void sample(cudaTextureObject_t line, cudaTextureObject_t image, float* out, float4* gathered) {
  const float x = threadIdx.x * 0.5f;
  const float by_level = tex1DLod<float>(line, x, 0), by_slope = tex1DGrad<float>(line, x, 1, 1);
  out[threadIdx.x] = tex1D<float>(line, x) + by_level - by_slope;
  gathered[threadIdx.x] = tex2Dgather<float4>(image, threadIdx.x + 1, 1, 0);
}

template <class T>
T* upload(const std::vector<T>& values) {
  T* memory;
  CHECK(cudaMalloc(&memory, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

template <class T>
cudaTextureObject_t linear_texture(T* memory, size_t count, cudaTextureReadMode mode) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = count * sizeof(T);
  cudaTextureDesc texture = {};
  texture.readMode = mode;
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  cudaResourceDesc found;
  CHECK(cudaGetTextureObjectResourceDesc(&found, object));
  if (found.res.linear.devPtr != memory) std::exit(1);
  return object;
}

int check_product() {
  std::vector<int> columns(rows * row_length);
  std::vector<float> values(rows * row_length), vector(rows), result(rows);
  for (int i = 0; i < rows * row_length; ++i) columns[i] = i * 7919 % rows, values[i] = i % 5 - 2;
  for (int i = 0; i < rows; ++i) vector[i] = i % 17;
  int* device_columns = upload(columns);
  float *device_values = upload(values), *device_vector = upload(vector), *out = upload(result);
  const Matrix matrix{linear_texture(device_columns, columns.size(), cudaReadModeElementType),
                      linear_texture(device_vector, vector.size(), cudaReadModeElementType), device_values};
  multiply<<<(rows + 127) / 128, 128>>>(matrix, out);
  CHECK(cudaMemcpy(result.data(), out, rows * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int k = row * row_length; k < (row + 1) * row_length; ++k) sum += values[k] * vector[columns[k]];
    wrong += result[row] != sum; // small integers
  }
  CHECK(cudaDestroyTextureObject(matrix.columns));
  CHECK(cudaDestroyTextureObject(matrix.vector));
  CHECK(cudaFree(device_columns));
  CHECK(cudaFree(device_values));
  CHECK(cudaFree(device_vector));
  CHECK(cudaFree(out));
  return wrong;
}

int check_bytes() {
  std::vector<char2> bytes(256);
  std::vector<float2> result(256);
  for (int i = 0; i < 256; ++i) bytes[i] = make_char2(i - 128, 127 - i);
  char2* memory = upload(bytes);
  float2* out = upload(result);
  const cudaTextureObject_t texture = linear_texture(memory, 256, cudaReadModeNormalizedFloat);
  widen<<<1, 256>>>(texture, out);
  CHECK(cudaMemcpy(result.data(), out, 256 * sizeof(float2), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < 256; ++i) {
    const double x = std::fmax((i - 128) / 127.0, -1.0), y = std::fmax((127 - i) / 127.0, -1.0);
    wrong += !(std::fabs(result[i].x - x) <= 1e-6) || !(std::fabs(result[i].y - y) <= 1e-6);
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFree(memory));
  CHECK(cudaFree(out));
  return wrong;
}

int check_samples() {
  constexpr int length = 8;
  float line[length], image[2][length];
  for (int i = 0; i < length; ++i) line[i] = i * i, image[0][i] = i, image[1][i] = 100 + i;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t line_array, image_array;
  CHECK(cudaMallocArray(&line_array, &format, length));
  CHECK(cudaMallocArray(&image_array, &format, length, 2, cudaArrayTextureGather));
  CHECK(cudaMemcpy2DToArray(line_array, 0, 0, line, sizeof line, sizeof line, 1, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DToArray(image_array, 0, 0, image, sizeof line, sizeof line, 2, cudaMemcpyHostToDevice));
  cudaTextureObject_t textures[2];
  for (int i = 0; i < 2; ++i) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = i == 0 ? line_array : image_array;
    cudaTextureDesc texture = {};
    texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
    texture.filterMode = cudaFilterModeLinear;
    CHECK(cudaCreateTextureObject(&textures[i], &resource, &texture, nullptr));
  }
  constexpr int samples = 7;
  float* out;
  float4* gathered;
  CHECK(cudaMalloc(&out, samples * sizeof(float)));
  CHECK(cudaMalloc(&gathered, samples * sizeof(float4)));
  sample<<<1, samples>>>(textures[0], textures[1], out, gathered);
  float result[samples];
  float4 four[samples];
  CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(four, gathered, sizeof four, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < samples; ++i) {
    const double at = i * 0.5 - 0.5;
    const int low = std::floor(at);
    const auto texel = [&](int k) { return line[k < 0 ? 0 : k]; };
    wrong += result[i] != (1 - (at - low)) * texel(low) + (at - low) * texel(low + 1);
    wrong += four[i].x != 100 + i || four[i].y != 101 + i || four[i].z != i + 1 || four[i].w != i;
  }
  for (const cudaTextureObject_t texture : textures) CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(line_array));
  CHECK(cudaFreeArray(image_array));
  CHECK(cudaFree(out));
  CHECK(cudaFree(gathered));
  return wrong;
}

int main() {
  const int product = check_product(), bytes = check_bytes(), samples = check_samples();
  std::printf("wrong values: %d of the product, %d of the bytes, %d samples\n", product, bytes, samples);
  return product + bytes + samples == 0 ? 0 : 1;
}
