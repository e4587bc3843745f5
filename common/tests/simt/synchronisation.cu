// Barriers, votes, shuffles, waiting loops: right and wrong.

namespace {

__global__ void divergent_barrier(int* out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = 1;
    __syncthreads(); // first barrier
  } else {
    __syncthreads(); // second barrier
    out[threadIdx.x] = 2;
  }
}

__global__ void reduce_barriers(int* out) {
  int count = __syncthreads_count(threadIdx.x % 3 == 0);
  int all = __syncthreads_and(threadIdx.x < 64);
  int any = __syncthreads_or(threadIdx.x == 63);
  int none = __syncthreads_or(threadIdx.x > 64);
  out[threadIdx.x] = count * 1000 + all * 100 + any * 10 + none;
}

__global__ void missing_lane(int* out) {
  if (threadIdx.x != 5)
    __syncwarp(); // incomplete
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void lanes_return(int* out) {
  __shared__ int value[32];
  const auto leave = [] { return; };
  leave();
  if (threadIdx.x >= 20)
    return; // no work for this thread
  value[threadIdx.x] = 1;
  int sum = __shfl_down_sync(0xffffffffu, 1, 16); // from those without work
  out[threadIdx.x] = sum + value[31 - threadIdx.x]; // and what they have not written
}

__global__ void shuffles(int* out) {
  int lane = threadIdx.x % 32;
  out[0 * 64 + threadIdx.x] = __shfl_sync(0xffffffffu, lane, 3);
  out[1 * 64 + threadIdx.x] = __shfl_up_sync(0xffffffffu, lane, 2);
  out[2 * 64 + threadIdx.x] = __shfl_down_sync(0xffffffffu, lane, 2);
  out[3 * 64 + threadIdx.x] = __shfl_xor_sync(0xffffffffu, lane, 1);
  out[4 * 64 + threadIdx.x] = __shfl_sync(0xffffffffu, lane, 1, 8);
  out[5 * 64 + threadIdx.x] = __shfl_down_sync(0xffffffffu, lane, 3, 8);
  double half = __shfl_xor_sync(0xffffffffu, lane * 0.5, 4);
  out[6 * 64 + threadIdx.x] = static_cast<int>(half * 2);
}

__global__ void votes(unsigned* out) {
  unsigned lane = threadIdx.x;
  unsigned odd = __ballot_sync(0xffffffffu, lane & 1);
  unsigned part = 0;
  if (lane >= 8) part = __ballot_sync(0xffffff00u, lane < 12);
  int any = __any_sync(0xffffffffu, lane == 3), all = __all_sync(0xffffffffu, lane < 31);
  unsigned same = __match_any_sync(0xffffffffu, lane % 4);
  unsigned active = 0;
  if (lane < 4) active = __activemask();
  out[lane] = odd;
  out[32 + lane] = part;
  out[64 + lane] = any * 2 + all;
  out[96 + lane] = same;
  out[128 + lane] = active;
}

__global__ void wait_for_other_block(volatile int* flag, int* out) {
  if (blockIdx.x == 0)
    while (*flag == 0) {
    }
  else
    *flag = 1;
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

__global__ void spin_lock(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void wait_for_ever(int* flag) {
  while (atomicAdd(flag, 0) == 0) { // hopeless
  }
}

__global__ void endless(int* out) {
  for (unsigned i = 0; out[i % 2] < 1; ++i) out[2 + i % 2] += 1; // endless
}

__global__ void endless_exchange(int* out) {
  int value = out[threadIdx.x];
  for (unsigned distance = 16; distance >= 0; distance /= 2)
    value += __shfl_down_sync(~0U, value, distance); // without end
  out[threadIdx.x] = value;
}

__global__ void endless_rounds(int* out) {
  for (unsigned half = 32; half >= 0; half /= 2) {
    if (threadIdx.x < half) out[threadIdx.x] += out[threadIdx.x + half];
    __syncthreads(); // round after round
  }
}

__global__ void ticket(unsigned* count, int* last) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) *last += 1;
}

} // namespace

extern "C" {
void run_divergent_barrier(int* out) { divergent_barrier<<<1, 64>>>(out); }
void run_reduce_barriers(int* out) { reduce_barriers<<<1, 64>>>(out); }
void run_missing_lane(int* out) { missing_lane<<<1, 32>>>(out); }
void run_lanes_return(int* out) { lanes_return<<<1, 32>>>(out); }
void run_shuffles(int* out) { shuffles<<<1, 64>>>(out); }
void run_votes(unsigned* out) { votes<<<1, 32>>>(out); }
void run_wait_for_other_block(int* flag, int* out) { wait_for_other_block<<<2, 32>>>(flag, out); }
void run_spin_lock(int* lock, int* sum) { spin_lock<<<3, 64>>>(lock, sum); }
void run_wait_for_ever(int* flag) { wait_for_ever<<<2, 32>>>(flag); }
void run_endless(int* out) { endless<<<1, 1>>>(out); }
void run_endless_exchange(int* out) { endless_exchange<<<1, 64>>>(out); }
void run_endless_rounds(int* out) { endless_rounds<<<1, 64>>>(out); }
void run_ticket(unsigned* count, int* last) { ticket<<<7, 64>>>(count, last); }
}
