// An image is turned about its middle: normalised coordinates, beyond which it repeats itself (wrap), is mirrored, or has a
// border. A point fetch takes the texel that holds the coordinate; a linear one has weights of 8 bits.
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

constexpr int n = 64;

__global__ void rotate(cudaTextureObject_t image, float* out, float sine, float cosine) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float u = (x + 0.5f) / n - 0.5f, v = (y + 0.5f) / n - 0.5f;
  out[y * n + x] = tex2D<float>(image, u * cosine - v * sine + 0.5f, v * cosine + u * sine + 0.5f);
}

struct Image {
  std::vector<float> texels;
  cudaTextureAddressMode mode;

  double at(int x, int y) const {
    const auto place = [&](int i) {
      if (mode == cudaAddressModeWrap) return (i % n + n) % n;
      if (mode == cudaAddressModeMirror) {
        const int turn = (i % (2 * n) + 2 * n) % (2 * n);
        return turn < n ? turn : 2 * n - 1 - turn;
      }
      return i < 0 || i >= n ? -1 : i;
    };
    const int i = place(x), j = place(y);
    return i < 0 || j < 0 ? 7.0 : texels[j * n + i]; // the colour of the border
  }
  double filtered(double x, double y) const {
    const int i = std::floor(x - 0.5), j = std::floor(y - 0.5);
    const double a = x - 0.5 - i, b = y - 0.5 - j;
    return (1 - a) * (1 - b) * at(i, j) + a * (1 - b) * at(i + 1, j) + (1 - a) * b * at(i, j + 1) +
           a * b * at(i + 1, j + 1);
  }
};

int main() {
  Image image{std::vector<float>(n * n), cudaAddressModeWrap};
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) image.texels[y * n + x] = (x / 8 + y / 8) % 2 * 10 + x * 0.01f + y * 0.02f;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, n, n));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, image.texels.data(), n * sizeof(float), n * sizeof(float), n,
                            cudaMemcpyHostToDevice));
  float* out;
  CHECK(cudaMalloc(&out, n * n * sizeof(float)));
  const double angle = 0.5;
  const float sine = std::sin(angle), cosine = std::cos(angle);
  // A coordinate is a float near 1, or n texels, and a weight's unit is 1/256 of a texel.
  const double rounding = n * 4e-7, weight_unit = 1.0 / 256 + rounding, steepest = 11.5;
  int wrong = 0;
  for (const auto mode : {cudaAddressModeWrap, cudaAddressModeMirror, cudaAddressModeBorder})
    for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
      image.mode = mode;
      cudaResourceDesc resource = {};
      resource.resType = cudaResourceTypeArray;
      resource.res.array.array = array;
      cudaTextureDesc texture = {};
      texture.addressMode[0] = texture.addressMode[1] = mode;
      texture.filterMode = filter;
      texture.readMode = cudaReadModeElementType;
      texture.normalizedCoords = 1;
      texture.borderColor[0] = 7;
      cudaTextureObject_t object = 0;
      CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
      rotate<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(object, out, sine, cosine);
      CHECK(cudaDeviceSynchronize());
      std::vector<float> result(n * n);
      CHECK(cudaMemcpy(result.data(), out, n * n * sizeof(float), cudaMemcpyDeviceToHost));
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
          const double u = (x + 0.5) / n - 0.5, v = (y + 0.5) / n - 0.5;
          const double s = (u * cosine - v * sine + 0.5) * n, t = (v * cosine + u * sine + 0.5) * n;
          const float got = result[y * n + x];
          bool right = false;
          if (filter == cudaFilterModePoint) {
            // Where a coordinate is as near to the next texel as it may be wrong, either will do.
            for (const double ds : {-rounding, rounding})
              for (const double dt : {-rounding, rounding})
                right |= got == static_cast<float>(image.at(std::floor(s + ds), std::floor(t + dt)));
          } else {
            right = std::fabs(got - image.filtered(s, t)) <= 2 * steepest * weight_unit;
          }
          wrong += !right;
        }
      CHECK(cudaDestroyTextureObject(object));
    }
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(out));
  std::printf("wrong pixels: %d\n", wrong);
  return wrong == 0 ? 0 : 1;
}
