// A thousand lists with a lock each, and threads that take many of the locks: what one thread has seen under one lock, others
// learn under the next. The simulator follows who knew of what through all of them, and has to do so quickly.
#include <cstdio>

struct Lists {
  int* locks; // 0: free
  int* heads; // -1: empty
  int* next;
};

__global__ void push_all(Lists lists, int buckets, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bucket = static_cast<int>((static_cast<unsigned>(i) * 2654435761u >> 7) % buckets);
    while (atomicCAS(&lists.locks[bucket], 0, 1) != 0) {
    }
    __threadfence();
    lists.next[i] = lists.heads[bucket];
    lists.heads[bucket] = i;
    __threadfence();
    atomicExch(&lists.locks[bucket], 0);
  }
}

int main() {
  const int buckets = 1024, n = 32768;
  Lists lists;
  cudaMallocManaged(&lists.locks, buckets * sizeof(int));
  cudaMallocManaged(&lists.heads, buckets * sizeof(int));
  cudaMallocManaged(&lists.next, n * sizeof(int));
  for (int b = 0; b < buckets; ++b) {
    lists.locks[b] = 0;
    lists.heads[b] = -1;
  }
  push_all<<<16, 128>>>(lists, buckets, n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;

  int count = 0, misplaced = 0;
  for (int b = 0; b < buckets; ++b)
    for (int i = lists.heads[b]; i >= 0 && count <= n; i = lists.next[i]) {
      ++count;
      misplaced += static_cast<int>((static_cast<unsigned>(i) * 2654435761u >> 7) % buckets) != b;
    }
  std::printf("%d of %d elements in %d lists, %d in a wrong one\n", count, n, buckets, misplaced);
  cudaFree(lists.locks);
  cudaFree(lists.heads);
  cudaFree(lists.next);
  return count == n && misplaced == 0 ? 0 : 1;
}
