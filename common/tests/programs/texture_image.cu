// An image is enlarged and blurred through textures: bilinear filtering of floats in an array, normalised bytes in an array,
// and rows with a pitch that are read as they are. Every result is compared with the filter's formula.
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

constexpr int width = 37, height = 21, scale = 4;

// Output pixels are `scale` times smaller; their centres fall on eighths of a texel, which the weights hold exactly.
__global__ void enlarge(cudaTextureObject_t image, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width * scale || y >= height * scale) return;
  out[y * width * scale + x] = tex2D<float>(image, (x + 0.5f) / scale, (y + 0.5f) / scale);
}

// The mean of 3 x 3 texels, which are bytes and come as fractions of 255.
__global__ void blur(cudaTextureObject_t image, float4* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const float4 texel = tex2D<float4>(image, x + dx + 0.5f, y + dy + 0.5f);
      sum.x += texel.x, sum.y += texel.y, sum.z += texel.z, sum.w += texel.w;
    }
  out[y * width + x] = make_float4(sum.x / 9, sum.y / 9, sum.z / 9, sum.w / 9);
}

__global__ void differences(cudaTextureObject_t rows, int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  out[y * width + x] = tex2D<int>(rows, x + 1, y) - tex2D<int>(rows, x, y);
}

int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

cudaTextureObject_t texture_of(cudaResourceDesc resource, cudaTextureFilterMode filter, cudaTextureReadMode read) {
  cudaTextureDesc texture = {};
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  texture.filterMode = filter;
  texture.readMode = read;
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  return object;
}

bool near(double a, double b, double tolerance) { return std::fabs(a - b) <= tolerance; }

int check_enlarged() {
  std::vector<float> image(width * height), result(width * height * scale * scale);
  for (int i = 0; i < width * height; ++i) image[i] = (i * 37 % 101) - 50;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height,
                            cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureObject_t texture = texture_of(resource, cudaFilterModeLinear, cudaReadModeElementType);
  float* out;
  CHECK(cudaMalloc(&out, result.size() * sizeof(float)));
  const dim3 threads(16, 8), blocks((width * scale + 15) / 16, (height * scale + 7) / 8);
  enlarge<<<blocks, threads>>>(texture, out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int y = 0; y < height * scale; ++y)
    for (int x = 0; x < width * scale; ++x) {
      const double u = (x + 0.5) / scale - 0.5, v = (y + 0.5) / scale - 0.5;
      const int i = std::floor(u), j = std::floor(v);
      const double a = u - i, b = v - j;
      const auto texel = [&](int p, int q) { return double(image[clamped(q, height) * width + clamped(p, width)]); };
      const double expected = (1 - a) * (1 - b) * texel(i, j) + a * (1 - b) * texel(i + 1, j) +
                              (1 - a) * b * texel(i, j + 1) + a * b * texel(i + 1, j + 1);
      wrong += !near(result[y * width * scale + x], expected, 1e-4);
    }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
  return wrong;
}

int check_blurred() {
  std::vector<uchar4> image(width * height);
  for (int i = 0; i < width * height; ++i)
    image[i] = make_uchar4(i * 7 % 256, i * 11 % 256, i * 13 % 256, 255 - i % 256);
  std::vector<float4> result(width * height);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpyToArray(array, 0, 0, image.data(), image.size() * sizeof(uchar4), cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureObject_t texture = texture_of(resource, cudaFilterModePoint, cudaReadModeNormalizedFloat);
  float4* out;
  CHECK(cudaMalloc(&out, result.size() * sizeof(float4)));
  blur<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(texture, out);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(float4), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double sum[4] = {};
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const uchar4 texel = image[clamped(y + dy, height) * width + clamped(x + dx, width)];
          sum[0] += texel.x / 255.0, sum[1] += texel.y / 255.0, sum[2] += texel.z / 255.0, sum[3] += texel.w / 255.0;
        }
      const float4 got = result[y * width + x];
      wrong += !near(got.x, sum[0] / 9, 1e-5) || !near(got.y, sum[1] / 9, 1e-5) || !near(got.z, sum[2] / 9, 1e-5) ||
               !near(got.w, sum[3] / 9, 1e-5);
    }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
  return wrong;
}

int check_differences() {
  std::vector<int> image(width * height), result(width * height);
  for (int i = 0; i < width * height; ++i) image[i] = i * i % 1009 - 300;
  int* rows;
  size_t pitch;
  CHECK(cudaMallocPitch(&rows, &pitch, width * sizeof(int), height));
  CHECK(cudaMemcpy2D(rows, pitch, image.data(), width * sizeof(int), width * sizeof(int), height,
                     cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = rows;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<int>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  const cudaTextureObject_t texture = texture_of(resource, cudaFilterModePoint, cudaReadModeElementType);
  int* out;
  CHECK(cudaMalloc(&out, result.size() * sizeof(int)));
  differences<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4)>>>(texture, out);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(int), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      wrong += result[y * width + x] != image[y * width + clamped(x + 1, width)] - image[y * width + x];
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFree(rows));
  CHECK(cudaFree(out));
  return wrong;
}

int main() {
  const int enlarged = check_enlarged(), blurred = check_blurred(), other = check_differences();
  std::printf("wrong pixels: %d enlarged, %d blurred, %d differences\n", enlarged, blurred, other);
  return enlarged + blurred + other == 0 ? 0 : 1;
}
