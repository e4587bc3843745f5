// Conditional nodes of CUDA graphs: kernels decide, while the graph runs, which of its parts run and how often. IF with and
// without ELSE, SWITCH, WHILE, a WHILE within a WHILE, values to start with, bodies built by hand and by capture.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                    \
  do {                                                                                                 \
    cudaError_t error = (call);                                                                        \
    if (error != cudaSuccess) {                                                                        \
      std::printf("%s: %s (line %d)\n", #call, cudaGetErrorString(error), __LINE__);                   \
      std::exit(1);                                                                                    \
    }                                                                                                  \
  } while (0)

__global__ void decide(cudaGraphConditionalHandle handle, const unsigned *value) {
  cudaGraphSetConditional(handle, *value);
}

__global__ void append(int *log, int number) { log[++log[0]] = number; }

// Newton's method for the square root of a: the loop ends when two steps in a row agree.
__global__ void newton(double a, double *x, int *steps, cudaGraphConditionalHandle handle) {
  const double next = 0.5 * (*x + a / *x);
  const bool is_done = fabs(next - *x) <= 1e-14 * next;
  *x = next;
  ++*steps;
  if (is_done) cudaGraphSetConditional(handle, 0);
}

// Counts down; the outer loop has the inner one run again.
__global__ void restart(int *inner, cudaGraphConditionalHandle inner_handle) {
  *inner = 3;
  cudaGraphSetConditional(inner_handle, 1);
}
__global__ void count(int *left, int *turns, cudaGraphConditionalHandle handle) {
  ++*turns;
  cudaGraphSetConditional(handle, --*left > 0);
}

template <class... Arguments>
cudaGraphNode_t add_kernel(cudaGraph_t graph, std::vector<cudaGraphNode_t> after, void (*kernel)(Arguments...),
                           Arguments... values) {
  void *arguments[] = {&values...};
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = (void *)kernel;
  params.kernel.gridDim = params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &params));
  return node;
}

cudaGraphNode_t add_condition(cudaGraph_t graph, std::vector<cudaGraphNode_t> after, cudaGraphConditionalHandle handle,
                              cudaGraphConditionalNodeType type, std::vector<cudaGraph_t> &bodies) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = bodies.size();
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &params));
  for (size_t i = 0; i < bodies.size(); ++i) bodies[i] = params.conditional.phGraph_out[i];
  return node;
}

cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

// A kernel copies *value to the condition; each body appends its number, and what follows the node appends 9.
bool check_choice(cudaGraphConditionalNodeType type, size_t bodies, const std::vector<std::vector<int>> &expected) {
  unsigned *value;
  int *log;
  CHECK(cudaMallocManaged(&value, sizeof *value));
  CHECK(cudaMallocManaged(&log, 8 * sizeof *log));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
  const cudaGraphNode_t decides = add_kernel<cudaGraphConditionalHandle, const unsigned *>(graph, {}, decide, handle, value);
  std::vector<cudaGraph_t> parts(bodies);
  const cudaGraphNode_t choice = add_condition(graph, {decides}, handle, type, parts);
  for (size_t i = 0; i < bodies; ++i) add_kernel<int *, int>(parts[i], {}, append, log, int(i));
  add_kernel<int *, int>(graph, {choice}, append, log, 9);
  cudaGraphExec_t exec = instantiate(graph);
  bool is_right = true;
  for (size_t k = 0; k < expected.size(); ++k) {
    *value = unsigned(k);
    log[0] = 0;
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    is_right &= std::vector<int>(log + 1, log + 1 + log[0]) == expected[k];
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(value));
  CHECK(cudaFree(log));
  return is_right;
}

// A loop that runs at least once, because its condition has a value to start with; the body is captured from a stream.
bool check_newton() {
  double *x;
  int *steps;
  CHECK(cudaMallocManaged(&x, sizeof *x));
  CHECK(cudaMallocManaged(&steps, sizeof *steps));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  std::vector<cudaGraph_t> body(1);
  add_condition(graph, {}, handle, cudaGraphCondTypeWhile, body);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCaptureToGraph(stream, body[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  newton<<<1, 1, 0, stream>>>(2.0, x, steps, handle);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  cudaGraphExec_t exec = instantiate(graph);
  bool is_right = true;
  for (int launch = 0; launch < 2; ++launch) { // the second one starts with the condition's value again
    *x = 1;
    *steps = 0;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    is_right &= fabs(*x - 1.4142135623730951) <= 1e-15 && *steps >= 5 && *steps <= 8;
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
  CHECK(cudaFree(steps));
  return is_right;
}

// The inner loop runs 3 times in each of the 4 turns of the outer one.
bool check_nested() {
  int *numbers; // what is left of the outer and the inner loop, and their turns
  CHECK(cudaMallocManaged(&numbers, 4 * sizeof *numbers));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle outer, inner;
  CHECK(cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault));
  std::vector<cudaGraph_t> outer_body(1), inner_body(1);
  add_condition(graph, {}, outer, cudaGraphCondTypeWhile, outer_body);
  CHECK(cudaGraphConditionalHandleCreate(&inner, outer_body[0]));
  const cudaGraphNode_t begins = add_kernel<int *, cudaGraphConditionalHandle>(outer_body[0], {}, restart, numbers + 1, inner);
  const cudaGraphNode_t loop = add_condition(outer_body[0], {begins}, inner, cudaGraphCondTypeWhile, inner_body);
  add_kernel<int *, int *, cudaGraphConditionalHandle>(inner_body[0], {}, count, numbers + 1, numbers + 3, inner);
  add_kernel<int *, int *, cudaGraphConditionalHandle>(outer_body[0], {loop}, count, numbers, numbers + 2, outer);
  cudaGraphExec_t exec = instantiate(graph);
  numbers[0] = 4;
  numbers[2] = numbers[3] = 0;
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  const bool is_right = numbers[2] == 4 && numbers[3] == 12;
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(numbers));
  return is_right;
}

int main() {
  const bool if_alone = check_choice(cudaGraphCondTypeIf, 1, {{9}, {0, 9}, {0, 9}});
  const bool if_else = check_choice(cudaGraphCondTypeIf, 2, {{1, 9}, {0, 9}, {0, 9}});
  const bool switches = check_choice(cudaGraphCondTypeSwitch, 3, {{0, 9}, {1, 9}, {2, 9}, {9}});
  const bool newtons = check_newton(), nested = check_nested();
  std::printf("if %d, if-else %d, switch %d, while %d, nested %d\n", if_alone, if_else, switches, newtons, nested);
  const bool is_right = if_alone && if_else && switches && newtons && nested;
  std::printf("%s\n", is_right ? "PASSED" : "FAILED");
  return is_right ? 0 : 1;
}
