// A CUDA graph built node by node: copies, a memset, kernels of a template too, a host function, and dependencies between them.
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

const int N = 1 << 12, THREADS = 256;

__constant__ float offset;

template <typename T>
__global__ void scale(T *values, T factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = factor * values[i] + offset;
}

__global__ void sum(const float *values, double *total, int n)
{
    __shared__ double part[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? values[i] : 0;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(total, part[0]);
}

struct Result {
    double total;
    int runs;
};

void note(void *data)
{
    Result *result = static_cast<Result *>(data);
    ++result->runs;
}

int main()
{
    std::vector<float> in(N);
    for (int i = 0; i < N; ++i) in[i] = i % 17;
    float *values, shift = 0.5f, factor = 2;
    double *total;
    CHECK(cudaMalloc(&values, N * sizeof(float)));
    CHECK(cudaMalloc(&total, sizeof(double)));
    Result result = {0, 0};

    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t upload, symbol, clear, scaling, adding, download, host;
    CHECK(cudaGraphAddMemcpyNode1D(&upload, graph, nullptr, 0, values, in.data(), N * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, nullptr, 0, offset, &shift, sizeof(float), 0, cudaMemcpyHostToDevice));
    cudaMemsetParams zero = {};
    zero.dst = total;
    zero.value = 0;
    zero.elementSize = 4;
    zero.width = 2;
    zero.height = 1;
    CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &zero));

    int n = N;
    void *scaleArguments[] = {&values, &factor, &n};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)scale<float>;
    kernel.gridDim = dim3((N + THREADS - 1) / THREADS);
    kernel.blockDim = dim3(THREADS);
    kernel.kernelParams = scaleArguments;
    cudaGraphNode_t first[] = {upload, symbol};
    CHECK(cudaGraphAddKernelNode(&scaling, graph, first, 2, &kernel));
    factor = -1; // the node has its own copy of the arguments

    void *sumArguments[] = {&values, &total, &n};
    kernel.func = (void *)sum;
    kernel.kernelParams = sumArguments;
    cudaGraphNode_t second[] = {scaling, clear};
    CHECK(cudaGraphAddKernelNode(&adding, graph, second, 2, &kernel));

    cudaMemcpy3DParms back = {};
    back.srcPtr = make_cudaPitchedPtr(total, sizeof(double), 1, 1);
    back.dstPtr = make_cudaPitchedPtr(&result.total, sizeof(double), 1, 1);
    back.extent = make_cudaExtent(sizeof(double), 1, 1);
    back.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaGraphAddMemcpyNode(&download, graph, nullptr, 0, &back));
    CHECK(cudaGraphAddDependencies(graph, &adding, &download, nullptr, 1));
    cudaHostNodeParams call = {};
    call.fn = note;
    call.userData = &result;
    CHECK(cudaGraphAddHostNode(&host, graph, &download, 1, &call));

    size_t nodes = 0, roots = 0, edges = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    printf("%zu nodes, %zu of them roots, %zu edges\n", nodes, roots, edges);

    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphUpload(exec, stream));
    for (int run = 0; run < 3; ++run) CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));

    double expected = 0;
    for (float value : in) expected += 2 * value + 0.5;
    bool right = result.total == expected && result.runs == 3 && nodes == 7 && roots == 3 && edges == 6;
    printf("the sum is %g after %d runs: %s\n", result.total, result.runs, right ? "right" : "wrong");
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(values));
    CHECK(cudaFree(total));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
