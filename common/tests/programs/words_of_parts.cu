// Four bytes or two halfwords in a word at a time, and the steps of dynamic programming that Hopper has: an alignment of
// two texts, and every intrinsic against a loop over the parts.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

constexpr int operations = 20;

__global__ void by_bytes(unsigned a, unsigned b, unsigned* results) {
  const unsigned all[operations] = {__vadd4(a, b),       __vsub4(a, b),    __vaddss4(a, b), __vaddus4(a, b),     __vsubss4(a, b),
                                    __vsubus4(a, b),     __vavgs4(a, b),   __vavgu4(a, b),  __vhaddu4(a, b),     __vmaxs4(a, b),
                                    __vmaxu4(a, b),      __vmins4(a, b),   __vminu4(a, b),  __vabsdiffs4(a, b),  __vabsdiffu4(a, b),
                                    __vcmpgts4(a, b),    __vsetgeu4(a, b), __vabs4(a),      __vnegss4(a),        __vcmpne4(a, b)};
  for (int i = 0; i < operations; ++i) results[i] = all[i];
}

__global__ void by_halves(unsigned a, unsigned b, unsigned* results) {
  const unsigned all[operations] = {__vadd2(a, b),       __vsub2(a, b),    __vaddss2(a, b), __vaddus2(a, b),     __vsubss2(a, b),
                                    __vsubus2(a, b),     __vavgs2(a, b),   __vavgu2(a, b),  __vhaddu2(a, b),     __vmaxs2(a, b),
                                    __vmaxu2(a, b),      __vmins2(a, b),   __vminu2(a, b),  __vabsdiffs2(a, b),  __vabsdiffu2(a, b),
                                    __vcmpgts2(a, b),    __vsetgeu2(a, b), __vabs2(a),      __vnegss2(a),        __vcmpne2(a, b)};
  for (int i = 0; i < operations; ++i) results[i] = all[i];
}

__global__ void sums(unsigned a, unsigned b, unsigned* results) {
  results[0] = __vsadu4(a, b);
  results[1] = __vsads2(a, b);
  results[2] = static_cast<unsigned>(__dp2a_lo(static_cast<int>(a), static_cast<int>(b), 7));
  results[3] = __dp2a_hi(a, b, 7u);
  results[4] = __fns(0b10110100u, 0, 2);
  results[5] = __fns(0b10110100u, 6, -1);
  results[6] = __fns(0b10110100u, 8, 1);
}

template <typename Signed, typename Unsigned>
void expect(unsigned x, unsigned y, unsigned* results) {
  constexpr int parts = 4 / sizeof(Signed), most = (1 << (8 * sizeof(Signed) - 1)) - 1, all = 2 * most + 1;
  Signed s[parts], t[parts];
  Unsigned u[parts], v[parts];
  std::memcpy(s, &x, 4), std::memcpy(t, &y, 4), std::memcpy(u, &x, 4), std::memcpy(v, &y, 4);
  Unsigned found[operations][parts];
  for (int i = 0; i < parts; ++i) {
    const int signed_sum = s[i] + t[i], signed_difference = s[i] - t[i], sum = u[i] + v[i], difference = u[i] - v[i];
    const int each[operations] = {sum,
                                  difference,
                                  std::clamp(signed_sum, -most - 1, most),
                                  std::min(sum, all),
                                  std::clamp(signed_difference, -most - 1, most),
                                  std::max(difference, 0),
                                  (signed_sum + (signed_sum >= 0)) >> 1,
                                  (sum + 1) >> 1,
                                  sum >> 1,
                                  std::max(s[i], t[i]),
                                  std::max(u[i], v[i]),
                                  std::min(s[i], t[i]),
                                  std::min(u[i], v[i]),
                                  std::abs(signed_difference),
                                  std::abs(difference),
                                  s[i] > t[i] ? -1 : 0,
                                  u[i] >= v[i],
                                  std::abs(int(s[i])),
                                  std::min(-int(s[i]), most),
                                  u[i] != v[i] ? -1 : 0};
    for (int k = 0; k < operations; ++k) found[k][i] = static_cast<Unsigned>(each[k]);
  }
  std::memcpy(results, found, sizeof found);
}

/// The best local alignment of two texts: 2 for equal letters, -1 for others, -1 for a gap. A block takes the diagonals one
/// after the other.
__global__ void align(const char* a, int rows, const char* b, int columns, int* scores, int* best) {
  for (int diagonal = 0; diagonal < rows + columns - 1; ++diagonal) {
    for (int i = threadIdx.x; i < rows; i += blockDim.x) {
      const int j = diagonal - i;
      if (j < 0 || j >= columns) continue;
      int* here = scores + (i + 1) * (columns + 1) + j + 1;
      const int match = a[i] == b[j] ? 2 : -1;
      const int with_gap = __viaddmax_s32(here[-1], -1, here[-(columns + 1)] - 1);
      *here = __viaddmax_s32_relu(here[-(columns + 1) - 1], match, with_gap);
      atomicMax(best, *here);
    }
    __syncthreads();
  }
}

int alignment_on_host(const std::string& a, const std::string& b) {
  std::vector<std::vector<int>> score(a.size() + 1, std::vector<int>(b.size() + 1));
  int best = 0;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      score[i][j] = std::max({0, score[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1), score[i - 1][j] - 1, score[i][j - 1] - 1});
      best = std::max(best, score[i][j]);
    }
  return best;
}

__global__ void steps(int* numbers, unsigned* words, bool* first) {
  numbers[0] = __vimax3_s32(-3, 9, 4);
  numbers[1] = __vimin3_s32_relu(-3, 9, 4);
  numbers[2] = __vibmax_s32(5, 5, &first[0]);
  numbers[3] = __vibmin_s32(7, 6, &first[1]);
  words[0] = __vimax3_u32(1u, 0x80000000u, 3u);
  words[1] = __vimax3_s16x2(0xffff0001u, 0x00020005u, 0xfff00003u);
  words[2] = __viaddmin_u16x2(0x00010001u, 0xffff0002u, 0x00070009u);
  words[3] = __vibmax_s16x2(0xffff0004u, 0x00020003u, &first[2], &first[3]);
}

int main() {
  unsigned *words, expected[operations];
  int *numbers, *scores, *best;
  bool* first;
  char *a, *b;
  const std::string text = "the quick brown fox jumps over the lazy dog", other = "a quack blown ox jumped over lazy logs";
  cudaMallocManaged(&words, operations * sizeof(unsigned));
  cudaMallocManaged(&numbers, 4 * sizeof(int));
  cudaMallocManaged(&first, 4 * sizeof(bool));
  cudaMallocManaged(&scores, (text.size() + 1) * (other.size() + 1) * sizeof(int));
  cudaMallocManaged(&best, sizeof(int));
  cudaMallocManaged(&a, text.size());
  cudaMallocManaged(&b, other.size());
  int wrong = 0;
  const unsigned pairs[][2] = {{0x80ff7f01u, 0x01ff80feu}, {0x12345678u, 0x9abcdef0u}, {0x80008000u, 0x7fff8000u}, {0, 0xffffffffu}};
  for (const auto& [x, y] : pairs) {
    by_bytes<<<1, 1>>>(x, y, words);
    cudaDeviceSynchronize();
    expect<std::int8_t, std::uint8_t>(x, y, expected);
    for (int i = 0; i < operations; ++i) wrong += words[i] != expected[i];
    by_halves<<<1, 1>>>(x, y, words);
    cudaDeviceSynchronize();
    expect<std::int16_t, std::uint16_t>(x, y, expected);
    for (int i = 0; i < operations; ++i) wrong += words[i] != expected[i];
  }
  sums<<<1, 1>>>(0x00fe0102u, 0x0305fffeu, words);
  cudaDeviceSynchronize();
  const unsigned sums_expected[7] = {3 + 249 + 254 + 252, (0x0305 - 0xfe) + 0x0104, unsigned(7 + 0x0102 * -2 + 0xfe * -1), 7 + 0x0102 * 5 + 0xfe * 3, 4, 5,
                                     0xffffffffu};
  for (int i = 0; i < 7; ++i) wrong += words[i] != sums_expected[i];

  steps<<<1, 1>>>(numbers, words, first);
  cudaDeviceSynchronize();
  wrong += numbers[0] != 9 || numbers[1] != 0 || numbers[2] != 5 || !first[0] || numbers[3] != 6 || first[1];
  wrong += words[0] != 0x80000000u || words[1] != 0x00020005u || words[2] != 0x00000003u || words[3] != 0x00020004u || first[2] || !first[3];

  std::copy(text.begin(), text.end(), a);
  std::copy(other.begin(), other.end(), b);
  cudaMemset(scores, 0, (text.size() + 1) * (other.size() + 1) * sizeof(int));
  cudaMemset(best, 0, sizeof(int));
  align<<<1, 64>>>(a, int(text.size()), b, int(other.size()), scores, best);
  cudaDeviceSynchronize();
  std::printf("%d wrong results; the best alignment has %d points, expected %d\n", wrong, *best, alignment_on_host(text, other));
  const bool right = wrong == 0 && *best == alignment_on_host(text, other);
  for (void* memory : {(void*)words, (void*)numbers, (void*)first, (void*)scores, (void*)best, (void*)a, (void*)b}) cudaFree(memory);
  return right ? 0 : 1;
}
