// A graph that is launched over and over with other parameters: single nodes are changed, a whole graph is captured again and put
// in its place, a node is switched off; and a graph as a node of another.
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

const int N = 1000;

__global__ void multiply(int *values, int factor, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] *= factor;
}

__global__ void increase(int *values, int by, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] += by;
}

cudaGraph_t capture(cudaStream_t stream, int *values, int factor, int by)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    multiply<<<1, 128, 0, stream>>>(values, factor, N);
    increase<<<1, 128, 0, stream>>>(values, by, N);
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

int first(int *values)
{
    int value;
    CHECK(cudaMemcpy(&value, values, sizeof(int), cudaMemcpyDeviceToHost));
    return value;
}

int main()
{
    int *values, failures = 0;
    CHECK(cudaMalloc(&values, N * sizeof(int)));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    auto expect = [&](int wanted, const char *what) {
        int found = first(values);
        printf("%-28s %d\n", what, found);
        failures += found != wanted;
    };

    cudaMemsetParams ones = {};
    ones.dst = values;
    ones.value = 1;
    ones.elementSize = 4;
    ones.width = N;
    ones.height = 1;
    cudaGraph_t child = capture(stream, values, 3, 4), graph;
    cudaGraphNode_t set, inner;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &ones));
    CHECK(cudaGraphAddChildGraphNode(&inner, graph, &set, 1, child));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    expect(7, "as captured");

    // The kernels of the child, in the order in which they were captured.
    cudaGraph_t embedded;
    CHECK(cudaGraphChildGraphNodeGetGraph(inner, &embedded));
    cudaGraphNode_t kernels[2];
    size_t count = 2;
    CHECK(cudaGraphGetNodes(embedded, kernels, &count));
    cudaKernelNodeParams params;
    CHECK(cudaGraphKernelNodeGetParams(kernels[0], &params));
    int factor = 10, n = N;
    void *arguments[] = {&values, &factor, &n};
    params.kernelParams = arguments;
    params.blockDim = dim3(64);
    CHECK(cudaGraphExecKernelNodeSetParams(exec, kernels[0], &params));
    CHECK(cudaGraphLaunch(exec, stream));
    expect(14, "another factor");

    cudaGraph_t other = capture(stream, values, 5, 6);
    CHECK(cudaGraphExecChildGraphNodeSetParams(exec, inner, other));
    CHECK(cudaGraphLaunch(exec, stream));
    expect(11, "another child");
    CHECK(cudaGraphNodeSetEnabled(exec, kernels[1], 0));
    CHECK(cudaGraphLaunch(exec, stream));
    expect(5, "a kernel switched off");
    ones.value = 2;
    CHECK(cudaGraphExecMemsetNodeSetParams(exec, set, &ones));
    CHECK(cudaGraphLaunch(exec, stream));
    expect(10, "another value");

    // A graph for launching takes the parameters of a graph of the same shape, and refuses others.
    cudaGraphExec_t plain;
    CHECK(cudaGraphInstantiate(&plain, child, 0));
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(plain, other, &info));
    CHECK(cudaGraphLaunch(plain, stream));
    expect(56, "updated as a whole");
    if (cudaGraphExecUpdate(plain, graph, &info) != cudaErrorGraphExecUpdateFailure) ++failures;
    if (info.result == cudaGraphExecUpdateSuccess) ++failures;
    cudaGetLastError();

    cudaGraph_t clone;
    CHECK(cudaGraphClone(&clone, other));
    CHECK(cudaGraphDestroy(other));
    cudaGraphExec_t cloned;
    CHECK(cudaGraphInstantiate(&cloned, clone, 0));
    CHECK(cudaGraphLaunch(cloned, stream));
    CHECK(cudaStreamSynchronize(stream));
    expect(286, "a clone");

    for (cudaGraphExec_t e : {exec, plain, cloned}) CHECK(cudaGraphExecDestroy(e));
    for (cudaGraph_t g : {graph, child, clone}) CHECK(cudaGraphDestroy(g));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(values));
    printf("%s\n", failures == 0 ? "right" : "wrong");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
