// Races in shared memory, and code that looks like one but is ordered.

namespace {

__global__ void reverse_without_barrier(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];       // racing write
  out[threadIdx.x] = tile[63 - threadIdx.x]; // racing read
}

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void reuse_without_barrier(const int* in, int* out) {
  __shared__ int tile[64];
  for (int round = 0; round < 2; ++round) {
    tile[threadIdx.x] = in[threadIdx.x] + round; // reusing write
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x]; // late read
  }
}

__global__ void broadcast_then_write(int* out) {
  __shared__ int value;
  if (threadIdx.x == 0) value = 7;
  __syncthreads();
  int mine = value;                        // all read
  if (threadIdx.x == 31) value = mine + 1; // one writes
  out[threadIdx.x] = mine;
}

// Four warps read all of a variable that has been written in part, and then one thread changes what others have read.
__global__ void readers_then_writer(int* out, unsigned writer, bool barrier) {
  __shared__ int row[129]; // the last element is padding
  row[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (unsigned i = 0; i < 4; ++i) sum += row[(threadIdx.x + i) % 128]; // reads of four warps
  if (barrier) __syncthreads();
  if (threadIdx.x == writer) row[64] = sum; // write behind them
  out[threadIdx.x] = sum;
}

// Lanes read words, and behind that bytes of them; what one lane writes is what it has read alone.
__global__ void words_then_bytes(int* out) {
  __shared__ int words[32];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int mine = words[threadIdx.x];
  char* const bytes = reinterpret_cast<char*>(words + threadIdx.x);
  mine += bytes[1];
  bytes[2] = 1;
  out[threadIdx.x] = mine;
}

// A thread reads before a fence, or behind it, and sets a flag; who has seen that writes to what was read.
__global__ void read_around_fence(int* out, bool behind) {
  __shared__ int value, flag;
  if (threadIdx.x == 0) value = flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    int mine = 1;
    if (!behind) mine += value;
    __threadfence_block();
    if (behind) mine += value; // read behind the fence
    atomicExch(&flag, mine);
  }
  if (threadIdx.x == 32 && atomicAdd(&flag, 0) != 0) value = 5; // seen and written
  out[threadIdx.x] = 0;
}

__global__ void warp_sum(const int* in, int* out, bool synchronise) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  for (int step = 16; step > 0; step /= 2) {
    if (synchronise) __syncwarp();
    int other = threadIdx.x < step ? s[threadIdx.x + step] : 0;
    if (synchronise) __syncwarp();
    if (threadIdx.x < step) s[threadIdx.x] += other;
  }
  if (threadIdx.x == 0) *out = s[0];
}

__global__ void half_warps(int* out, unsigned reader) {
  __shared__ int s[2];
  unsigned mask = threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;
  if (threadIdx.x % 16 == 0) s[threadIdx.x / 16] = 5;
  __syncwarp(mask);
  if (threadIdx.x == reader) out[0] = s[0];
}

__global__ void bytes(const char* in, char* out) {
  __shared__ char tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void bytes_and_words(int* out) {
  __shared__ int words[16];
  reinterpret_cast<char*>(words)[threadIdx.x] = 1;
  if (threadIdx.x == 0) out[0] = words[2];
}

__global__ void histogram(const int* in, int* out, bool barrier) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] % 8], 1); // atomic
  if (barrier) __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x]; // plain
}

__global__ void early_exit(int* out) {
  __shared__ int tile[64];
  if (threadIdx.x >= 40) return;
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[39 - threadIdx.x];
}

__global__ void all_add(const int* in, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  sum += in[threadIdx.x]; // all add
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}

__global__ void all_write(const int* in, int* out) {
  __shared__ bool is_odd;
  is_odd = in[threadIdx.x] % 2 == 1; // all write
  __syncthreads();
  if (threadIdx.x == 0) *out = is_odd;
}

// Each thread reads and writes its own place, and in the next turn another one reads it.
__global__ void tree_without_barrier(const int* in, int* out) {
  __shared__ int s[256];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2)
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half]; // a level
  if (threadIdx.x == 0) *out = s[0];
}

// Columns of a tile whose last column is unused, by two warps. Lanes read in even steps.
__global__ void padded_columns(int* out, bool misses_one, bool writes_late) {
  __shared__ int tile[32][33];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned row = warp; row < 32; row += 2)
    if (!misses_one || row != 17 || lane != 4) tile[row][lane] = static_cast<int>(row * 32 + lane);
  __syncthreads();
  int sum = 0;
  for (unsigned column = 0; column < 32; ++column) sum += tile[lane][column];       // of a row by a lane
  for (unsigned column = 32; column-- > 0;) sum -= tile[31 - lane][column] & ~1023; // steps go down
  if (writes_late && threadIdx.x == 39) tile[5][3] = 0;                              // late write
  out[threadIdx.x] = sum;
}

} // namespace

extern "C" {
void run_padded_columns(int* out, bool misses_one, bool writes_late) {
  padded_columns<<<1, 64>>>(out, misses_one, writes_late);
}
void run_reverse_without_barrier(const int* in, int* out) { reverse_without_barrier<<<2, 64>>>(in, out); }
void run_reverse(const int* in, int* out) { reverse<<<2, 64>>>(in, out); }
void run_reuse_without_barrier(const int* in, int* out) { reuse_without_barrier<<<1, 64>>>(in, out); }
void run_broadcast_then_write(int* out) { broadcast_then_write<<<1, 32>>>(out); }
void run_readers_then_writer(int* out, unsigned writer, bool barrier) {
  readers_then_writer<<<2, 128>>>(out, writer, barrier);
}
void run_words_then_bytes(int* out) { words_then_bytes<<<1, 32>>>(out); }
void run_read_around_fence(int* out, bool behind) { read_around_fence<<<1, 64>>>(out, behind); }
void run_warp_sum(const int* in, int* out, bool synchronise) { warp_sum<<<1, 32>>>(in, out, synchronise); }
void run_half_warps(int* out, unsigned reader) { half_warps<<<1, 32>>>(out, reader); }
void run_bytes(const char* in, char* out) { bytes<<<1, 64>>>(in, out); }
void run_bytes_and_words(int* out) { bytes_and_words<<<1, 64>>>(out); }
void run_histogram(const int* in, int* out, bool barrier) { histogram<<<1, 64>>>(in, out, barrier); }
void run_early_exit(int* out) { early_exit<<<1, 64>>>(out); }
void run_all_add(const int* in, int* out) { all_add<<<1, 64>>>(in, out); }
void run_all_write(const int* in, int* out) { all_write<<<1, 64>>>(in, out); }
void run_tree_without_barrier(const int* in, int* out) { tree_without_barrier<<<1, 256>>>(in, out); }
}
