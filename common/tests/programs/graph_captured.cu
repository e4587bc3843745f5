// A graph captured from streams: the work forks into a second stream by an event, and joins again. Captured are launches of
// three kinds, copies, a memset, a host function, and memory that the graph allocates and frees.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                              \
    do {                                                                         \
        cudaError_t error = (call);                                              \
        if (error != cudaSuccess) {                                              \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                  \
        }                                                                        \
    } while (0)

const int N = 3000;

__global__ void add(int *out, const int *a, const int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

template <typename T>
__global__ void fill(T *out, T start, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = start + i;
}

__global__ void count(const int *values, int n, unsigned *triples)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] % 3 == 0) atomicAdd(triples, 1u);
}

void increment(void *data) { ++*static_cast<int *>(data); }

int main()
{
    int *a, *b, *out, calls = 0;
    unsigned *triples, host_triples = 0;
    CHECK(cudaMalloc(&a, N * sizeof(int)));
    CHECK(cudaMalloc(&b, N * sizeof(int)));
    CHECK(cudaMalloc(&out, N * sizeof(int)));
    CHECK(cudaMalloc(&triples, sizeof(unsigned)));
    std::vector<int> result(N);

    cudaStream_t main_stream, side_stream;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreate(&main_stream));
    CHECK(cudaStreamCreateWithFlags(&side_stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

    CHECK(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, main_stream));
    CHECK(cudaStreamWaitEvent(side_stream, fork, 0));
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(side_stream, &status));
    bool joined = status == cudaStreamCaptureStatusActive;

    fill<<<(N + 127) / 128, 128, 0, main_stream>>>(a, 10, N);
    int start = 5, n = N;
    void *arguments[] = {&b, &start, &n};
    CHECK(cudaLaunchKernel((const void *)fill<int>, dim3((N + 127) / 128), dim3(128), arguments, 0, side_stream));
    start = 99;
    int *scratch;
    CHECK(cudaMallocAsync((void **)&scratch, N * sizeof(int), side_stream));
    CHECK(cudaMemcpyAsync(scratch, b, N * sizeof(int), cudaMemcpyDeviceToDevice, side_stream));
    CHECK(cudaMemsetAsync(triples, 0, sizeof(unsigned), side_stream));
    CHECK(cudaEventRecord(join, side_stream));
    CHECK(cudaStreamWaitEvent(main_stream, join, 0));

    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((N + 127) / 128);
    config.blockDim = dim3(128);
    config.stream = main_stream;
    CHECK(cudaLaunchKernelEx(&config, add, out, (const int *)a, (const int *)scratch, N));
    count<<<(N + 127) / 128, 128, 0, main_stream>>>(out, N, triples);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(scratch, main_stream));
    CHECK(cudaMemcpyAsync(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost, main_stream));
    CHECK(cudaMemcpyAsync(&host_triples, triples, sizeof(unsigned), cudaMemcpyDeviceToHost, main_stream));
    CHECK(cudaLaunchHostFunc(main_stream, increment, &calls));
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(main_stream, &graph));
    bool untouched = calls == 0 && result[0] == 0;

    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (int run = 0; run < 2; ++run) CHECK(cudaGraphLaunch(exec, main_stream));
    CHECK(cudaStreamSynchronize(main_stream));

    bool right = joined && untouched && calls == 2 && nodes == 11;
    unsigned expected = 0;
    for (int i = 0; i < N; ++i) {
        right = right && result[i] == 15 + 2 * i;
        expected += result[i] % 3 == 0;
    }
    right = right && host_triples == expected;
    printf("%zu nodes, %u sums divisible by 3, %d calls: %s\n", nodes, host_triples, calls, right ? "right" : "wrong");
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    CHECK(cudaStreamDestroy(main_stream));
    CHECK(cudaStreamDestroy(side_stream));
    for (void *p : {(void *)a, (void *)b, (void *)out, (void *)triples}) CHECK(cudaFree(p));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
