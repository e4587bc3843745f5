// Right in its first calls; what they leave behind makes later ones go wrong. WARPBOOK_TOY_LEAVES says what that is.
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "toy.hpp"

namespace {

// More than one item makes, and fewer than two.
constexpr int calls_until_it_shows = 40;

int calls = 0;

bool leaves(const char* what) {
  const char* chosen = std::getenv("WARPBOOK_TOY_LEAVES"); // "a_thread": a word of a command
  std::string word = what;
  std::ranges::replace(word, ' ', '_');
  return chosen != nullptr && chosen == word;
}

std::atomic<bool> thread_has_been_at_it = false;

} // namespace

void toy_increment(int* data, std::size_t n) {
  ++calls;
  bool goes_wrong = leaves("a static variable") && calls > calls_until_it_shows;
  if (leaves("device memory")) {
    std::size_t free = 0;
    std::size_t total = 0;
    void* leak = nullptr;
    cudaMemGetInfo(&free, &total);
    goes_wrong = cudaMalloc(&leak, total / (calls_until_it_shows + 1)) != cudaSuccess;
  }
  if (leaves("a thread") && calls == 1)
    std::thread([] {
      while (*const_cast<volatile int*>(&calls) <= calls_until_it_shows) std::this_thread::yield();
      thread_has_been_at_it = true;
    }).detach();
  if (leaves("a thread") && calls > calls_until_it_shows) {
    while (!thread_has_been_at_it) std::this_thread::yield();
    goes_wrong = true;
  }
  if (leaves("an error") && calls > calls_until_it_shows)
    cudaMemcpy(data, data, n, static_cast<cudaMemcpyKind>(77));

  std::vector<int> values(n);
  cudaMemcpy(values.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int& value : values) value += goes_wrong ? 2 : 1;
  cudaMemcpy(data, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}

void toy_increment_twice(int*, std::size_t) {}

// Another function than the contract's.
void toy_missing(float* out, std::size_t n) { cudaMemset(out, 0, n * sizeof(float)); }
