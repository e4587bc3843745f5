// CUDA graphs: their structure, what nodes do, capture of streams, launches and updates. Codes are those of CUDA 13.
#include "simulation.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace simt;

namespace {

cudaGraph_t new_graph() {
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  return graph;
}
cudaStream_t new_stream(unsigned flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
  return stream;
}
cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
  return event;
}
cudaGraphNode_t empty(cudaGraph_t graph, std::vector<cudaGraphNode_t> after = {}) {
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddEmptyNode(&node, graph, after.data(), after.size()) == cudaSuccess);
  return node;
}
cudaGraphExec_t instantiated(cudaGraph_t graph, unsigned long long flags = 0) {
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, flags) == cudaSuccess);
  return exec;
}
std::size_t size_of(cudaGraph_t graph) {
  std::size_t count = 0;
  REQUIRE(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
  return count;
}

/// What a graph's host nodes append to, so that their order shows.
std::string trail;
void append(void* data) { trail += static_cast<const char*>(data); }
cudaGraphNode_t letter(cudaGraph_t graph, const char* name, std::vector<cudaGraphNode_t> after = {}) {
  const cudaHostNodeParams params = {append, const_cast<char*>(name)};
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddHostNode(&node, graph, after.data(), after.size(), &params) == cudaSuccess);
  return node;
}

/// Kernel node parameters with arguments of their own.
struct Increase {
  int* values;
  int by, n;
  void* arguments[3] = {&values, &by, &n};
  cudaKernelNodeParams params = {kernel("kernel_increase"), dim3(1), dim3(32), 0, arguments, nullptr};
  Increase(int* values_, int by_, int n_) : values(values_), by(by_), n(n_) {}
};

cudaGraph_t end(cudaStream_t stream, cudaError_t expected = cudaSuccess) {
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph) == expected);
  CHECK((graph != nullptr) == (expected == cudaSuccess));
  cudaGetLastError();
  return graph;
}
void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  REQUIRE(cudaStreamBeginCapture(stream, mode) == cudaSuccess);
}

} // namespace

TEST_CASE("a graph knows its nodes, roots and edges, and how to change them") {
  FreshSimulator fresh;
  const cudaGraph_t graph = new_graph();
  const cudaGraphNode_t a = empty(graph), b = empty(graph), c = empty(graph, {a, b});
  cudaGraphNode_t nodes[4] = {c, c, c, c};
  std::size_t count = 4;
  CHECK(cudaGraphGetNodes(graph, nodes, &count) == cudaSuccess);
  CHECK(count == 3);
  CHECK(nodes[2] == c);
  CHECK(nodes[3] == nullptr);
  count = 1;
  CHECK(cudaGraphGetRootNodes(graph, nodes, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(nodes[0] == a);
  count = 4;
  CHECK(cudaGraphNodeGetDependencies(c, nodes, nullptr, &count) == cudaSuccess);
  CHECK(count == 2);
  count = 4;
  CHECK(cudaGraphNodeGetDependentNodes(a, nodes, &count) == cudaSuccess); // as before CUDA 13
  CHECK(count == 1);
  CHECK(nodes[0] == c);
  cudaGraphNode_t from[2], to[2];
  count = 2;
  CHECK(cudaGraphGetEdges(graph, from, to, nullptr, &count) == cudaSuccess);
  CHECK(from[1] == b);
  CHECK(to[1] == c);
  CHECK(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1) == cudaErrorInvalidValue); // is there
  CHECK(cudaGraphAddDependencies(graph, &a, &a, nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphRemoveDependencies(graph, &a, &b, nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphRemoveDependencies(graph, &a, &b, nullptr, 1) == cudaErrorInvalidValue); // is not there
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(a, &type) == cudaSuccess);
  CHECK(type == cudaGraphNodeTypeEmpty);
  CHECK(cudaGraphDestroyNode(a) == cudaSuccess);
  CHECK(cudaGraphDestroyNode(a) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeGetDependencies(c, nullptr, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaErrorInvalidValue);
  CHECK(cudaGraphGetNodes(graph, nullptr, &count) == cudaErrorInvalidValue);
}

TEST_CASE("edges keep their data, and a caller that does not ask for it gets an error") {
  FreshSimulator fresh;
  const cudaGraph_t graph = new_graph();
  const cudaGraphNode_t a = empty(graph), b = empty(graph);
  cudaGraphEdgeData data = {}, found = {};
  data.type = cudaGraphDependencyTypeProgrammatic;
  data.from_port = cudaGraphKernelNodePortProgrammatic;
  REQUIRE(cudaGraphAddDependencies(graph, &a, &b, &data, 1) == cudaSuccess);
  cudaGraphNode_t node = nullptr;
  std::size_t count = 1;
  CHECK(cudaGraphNodeGetDependencies(b, &node, &found, &count) == cudaSuccess);
  CHECK(found.type == cudaGraphDependencyTypeProgrammatic);
  CHECK(cudaGraphNodeGetDependencies(b, &node, nullptr, &count) == cudaErrorLossyQuery);
}

TEST_CASE("a circle is found when the graph is instantiated") {
  FreshSimulator fresh;
  const cudaGraph_t graph = new_graph();
  const cudaGraphNode_t a = empty(graph), b = empty(graph, {a});
  REQUIRE(cudaGraphAddDependencies(graph, &b, &a, nullptr, 1) == cudaSuccess);
  cudaGraphInstantiateParams params = {};
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiateWithParams(&exec, graph, &params) == cudaErrorInvalidValue);
  CHECK(params.result_out == cudaGraphInstantiateInvalidStructure);
  CHECK(cudaGraphInstantiate(&exec, graph, 64) == cudaErrorInvalidValue);
  CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch) == cudaErrorNotSupported);
}

TEST_CASE("each schedule runs the nodes in an order that the dependencies allow, and they differ") {
  FreshSimulator fresh;
  const cudaGraph_t graph = new_graph();
  const cudaGraphNode_t a = letter(graph, "a"), b = letter(graph, "b", {a}), c = letter(graph, "c", {a});
  letter(graph, "d", {b, c});
  const cudaGraphExec_t exec = instantiated(graph);
  const auto order = [&](Schedule schedule, std::uint64_t seed) {
    Options options = with_schedule(schedule);
    options.seed = seed;
    configure(options);
    trail.clear();
    CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    return trail;
  };
  CHECK(order(Schedule::forward, 1) == "abcd");
  CHECK(order(Schedule::reverse, 1) == "acbd");
  bool seen[2] = {};
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    const std::string found = order(Schedule::random, seed);
    REQUIRE((found == "abcd" || found == "acbd"));
    seen[found == "acbd"] = true;
  }
  CHECK(seen[0]);
  CHECK(seen[1]);
}

TEST_CASE("kernel nodes keep their arguments, tell them and take others") {
  FreshSimulator fresh;
  Buffer<int> values(32);
  const cudaGraph_t graph = new_graph();
  Increase increase(values.get(), 5, 32);
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &increase.params) == cudaSuccess);
  increase.by = 1000;
  cudaKernelNodeParams told = {};
  CHECK(cudaGraphKernelNodeGetParams(node, &told) == cudaSuccess);
  CHECK(told.func == increase.params.func);
  CHECK(told.blockDim.x == 32);
  CHECK(*static_cast<int*>(told.kernelParams[1]) == 5);
  const cudaGraphExec_t exec = instantiated(graph);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(values.values() == std::vector<int>(32, 5));

  increase.by = 7;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, node, &increase.params) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(values.values() == std::vector<int>(32, 12));
  CHECK(cudaGraphKernelNodeGetParams(node, &told) == cudaSuccess);
  CHECK(*static_cast<int*>(told.kernelParams[1]) == 5); // of the graph itself, that is as before

  int value = 9;
  int* pointer = values.get();
  void* arguments[] = {&pointer, &value};
  cudaKernelNodeParams other = {kernel("kernel_set"), dim3(1), dim3(32), 0, arguments, nullptr};
  CHECK(cudaGraphKernelNodeSetParams(node, &other) == cudaSuccess);
  CHECK(cudaGraphExecKernelNodeSetParams(exec, node, &other) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(values.values() == std::vector<int>(32, 9));

  cudaGraphNode_t none = nullptr;
  other.kernelParams = nullptr;
  CHECK(cudaGraphAddKernelNode(&none, graph, nullptr, 0, &other) == cudaErrorInvalidValue);
  other.kernelParams = arguments;
  other.blockDim = dim3(2048);
  CHECK(cudaGraphAddKernelNode(&none, graph, nullptr, 0, &other) == cudaErrorInvalidValue);
  other.func = &value;
  CHECK(cudaGraphAddKernelNode(&none, graph, nullptr, 0, &other) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaGraphKernelNodeGetParams(empty(graph), &told) == cudaErrorInvalidValue);
}

TEST_CASE("arguments may lie in a buffer, at the places that cudaFuncGetParamInfo tells") {
  FreshSimulator fresh;
  Buffer<short> out(1);
  const void* const mix = kernel("kernel_mix");
  const char* name = nullptr;
  CHECK(cudaFuncGetName(&name, mix) == cudaSuccess);
  CHECK(std::string(name) == "mix");
  std::size_t offsets[4], sizes[4];
  for (std::size_t i = 0; i < 4; ++i)
    REQUIRE(cudaFuncGetParamInfo(mix, i, &offsets[i], &sizes[i]) == cudaSuccess);
  CHECK(cudaFuncGetParamInfo(mix, 4, &offsets[0], nullptr) == cudaErrorInvalidValue);
  CHECK(std::vector<std::size_t>(offsets, offsets + 4) == std::vector<std::size_t>{0, 8, 16, 24});
  CHECK(std::vector<std::size_t>(sizes, sizes + 4) == std::vector<std::size_t>{1, 8, 8, 4});
  char buffer[28];
  const char small = 1;
  const double large = 20;
  short* const pointer = out.get();
  const float narrow = 300;
  std::memcpy(buffer + offsets[0], &small, sizes[0]);
  std::memcpy(buffer + offsets[1], &large, sizes[1]);
  std::memcpy(buffer + offsets[2], &pointer, sizes[2]);
  std::memcpy(buffer + offsets[3], &narrow, sizes[3]);
  std::size_t bytes = sizeof buffer;
  void* extra[] = {reinterpret_cast<void*>(1), buffer, reinterpret_cast<void*>(2), &bytes, nullptr};
  cudaFunction_t function = nullptr;
  REQUIRE(cudaGetFuncBySymbol(&function, mix) == cudaSuccess);
  cudaKernelNodeParams params = {function, dim3(1), dim3(1), 0, nullptr, extra};
  const cudaGraph_t graph = new_graph();
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params) == cudaSuccess);
  CHECK(cudaGraphLaunch(instantiated(graph), nullptr) == cudaSuccess);
  CHECK(out.values() == std::vector<short>{321});
  bytes = 20;
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params) == cudaErrorInvalidValue);
}

TEST_CASE("kernel nodes have attributes") {
  FreshSimulator fresh;
  Buffer<int> values(32);
  const cudaGraph_t graph = new_graph();
  Increase increase(values.get(), 1, 32);
  cudaGraphNode_t a = nullptr, b = nullptr;
  REQUIRE(cudaGraphAddKernelNode(&a, graph, nullptr, 0, &increase.params) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&b, graph, &a, 1, &increase.params) == cudaSuccess);
  cudaKernelNodeAttrValue value = {}, found = {};
  value.priority = -2;
  CHECK(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &value) == cudaSuccess);
  value.clusterDim = {1, 1, 1};
  CHECK(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeClusterDimension, &value) == cudaSuccess);
  CHECK(cudaGraphKernelNodeCopyAttributes(b, a) == cudaSuccess);
  CHECK(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributePriority, &found) == cudaSuccess);
  CHECK(found.priority == -2);
  CHECK(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributeClusterDimension, &found) == cudaSuccess);
  CHECK(found.clusterDim.x == 1);
  CHECK(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeIgnore, &value) == cudaErrorInvalidValue);
}

TEST_CASE("copies, memsets, events and child graphs are nodes that can be asked and changed") {
  FreshSimulator fresh;
  Buffer<int> values(8);
  int host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
  const cudaGraph_t graph = new_graph();
  cudaGraphNode_t up = nullptr, set = nullptr, down = nullptr, to_symbol = nullptr, from_symbol = nullptr;
  REQUIRE(cudaGraphAddMemcpyNode1D(&up, graph, nullptr, 0, values.get(), host, sizeof host,
                                   cudaMemcpyHostToDevice) == cudaSuccess);
  cudaMemsetParams rows = {values.get() + 1, 16, 0x01020304, 4, 1, 2};
  REQUIRE(cudaGraphAddMemsetNode(&set, graph, &up, 1, &rows) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&down, graph, &set, 1, back, values.get(), sizeof back,
                                   cudaMemcpyDeviceToHost) == cudaSuccess);
  const void* const symbol = call<void*>("symbol_address");
  int sent = 77, received = 0;
  REQUIRE(cudaGraphAddMemcpyNodeToSymbol(&to_symbol, graph, nullptr, 0, symbol, &sent, sizeof sent, 0,
                                         cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNodeFromSymbol(&from_symbol, graph, &to_symbol, 1, &received, symbol, sizeof sent,
                                           0, cudaMemcpyDeviceToHost) == cudaSuccess);
  const cudaGraphExec_t exec = instantiated(graph);
  REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(std::vector<int>(back, back + 8) == std::vector<int>{1, 0x01020304, 3, 4, 5, 0x01020304, 7, 8});
  CHECK(received == 77);

  cudaMemcpy3DParms box = {};
  CHECK(cudaGraphMemcpyNodeGetParams(up, &box) == cudaSuccess);
  CHECK(box.extent.width == sizeof host);
  CHECK(box.srcPtr.ptr == host);
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, down, back, values.get(), 4, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, down, values.get(), back, 4, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue); // the other way round
  host[0] = 50;
  rows.value = 9;
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, set, &rows) == cudaSuccess);
  rows.width = 2;
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, set, &rows) == cudaErrorInvalidValue); // another shape
  REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(back[0] == 50);
  CHECK(back[1] == 0x01020304); // only the first element was copied
  CHECK(values.values()[1] == 9);

  rows.elementSize = 3;
  CHECK(cudaGraphMemsetNodeSetParams(set, &rows) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemcpyNode1D(&down, graph, nullptr, 0, back, values.get(), 64, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidValue); // beyond the buffer
  cudaEvent_t event = new_event(), found = nullptr;
  cudaGraphNode_t recorded = nullptr, waited = nullptr;
  CHECK(cudaGraphAddEventRecordNode(&recorded, graph, nullptr, 0, event) == cudaSuccess);
  CHECK(cudaGraphAddEventWaitNode(&waited, graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEventWaitNode(&waited, graph, nullptr, 0, event) == cudaSuccess);
  CHECK(cudaGraphEventWaitNodeGetEvent(waited, &found) == cudaSuccess);
  CHECK(found == event);
}

TEST_CASE("a child graph is a copy, and a clone finds its nodes again") {
  FreshSimulator fresh;
  trail.clear();
  const cudaGraph_t inner = new_graph(), outer = new_graph();
  const cudaGraphNode_t x = letter(inner, "x");
  cudaGraphNode_t child = nullptr, found = nullptr;
  const cudaGraphNode_t before = letter(outer, "(");
  REQUIRE(cudaGraphAddChildGraphNode(&child, outer, &before, 1, inner) == cudaSuccess);
  letter(outer, ")", {child});
  letter(inner, "y", {x}); // too late for the copy
  CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, outer) == cudaErrorInvalidValue);
  cudaGraph_t clone = nullptr;
  REQUIRE(cudaGraphClone(&clone, outer) == cudaSuccess);
  CHECK(cudaGraphNodeFindInClone(&found, before, clone) == cudaSuccess);
  CHECK(cudaGraphNodeFindInClone(&found, x, clone) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(inner) == cudaSuccess);
  CHECK(cudaGraphDestroy(outer) == cudaSuccess);
  CHECK(cudaGraphLaunch(instantiated(clone), nullptr) == cudaSuccess);
  CHECK(trail == "(x)");
  cudaGraph_t embedded = nullptr;
  cudaGraphNode_t nodes[3];
  std::size_t count = 3;
  REQUIRE(cudaGraphGetNodes(clone, nodes, &count) == cudaSuccess);
  CHECK(cudaGraphChildGraphNodeGetGraph(nodes[1], &embedded) == cudaSuccess);
  CHECK(size_of(embedded) == 1);
  CHECK(cudaGraphDestroy(embedded) == cudaErrorInvalidValue); // its node owns it
}

TEST_CASE("cudaGraphAddNode makes each kind of node") {
  FreshSimulator fresh;
  Buffer<int> values(32);
  const cudaGraph_t graph = new_graph();
  cudaGraphNode_t node = nullptr;
  Increase increase(values.get(), 4, 32);
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = increase.params.func;
  params.kernel.gridDim = dim3(1);
  params.kernel.blockDim = dim3(32);
  params.kernel.kernelParams = increase.arguments;
  REQUIRE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params) == cudaSuccess);
  const cudaGraphExec_t exec = instantiated(graph);
  increase.by = 6;
  CHECK(cudaGraphExecNodeSetParams(exec, node, &params) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(values.values() == std::vector<int>(32, 6));
  params.type = cudaGraphNodeTypeEmpty;
  CHECK(cudaGraphNodeSetParams(node, &params) == cudaErrorInvalidValue); // it is a kernel
}

TEST_CASE("a conditional node takes the handle and the number of bodies that its type has") {
  FreshSimulator fresh;
  const cudaGraph_t graph = new_graph();
  cudaGraphConditionalHandle handle = 0;
  CHECK(cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphConditionalHandleCreate(&handle, nullptr, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2) == cudaErrorInvalidValue); // no such flag
  REQUIRE(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiateParams instantiation = {};
  CHECK(cudaGraphInstantiateWithParams(&exec, graph, &instantiation) == cudaErrorInvalidValue);
  CHECK(instantiation.result_out == cudaGraphInstantiateConditionalHandleUnused);
  const auto added = [&](cudaGraphConditionalNodeType type, unsigned size, cudaGraphConditionalHandle by) {
    cudaGraphNode_t node = nullptr;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional = {by, type, size, nullptr};
    return cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
  };
  CHECK(added(cudaGraphCondTypeIf, 3, handle) == cudaErrorInvalidValue);
  CHECK(added(cudaGraphCondTypeWhile, 2, handle) == cudaErrorInvalidValue);
  CHECK(added(cudaGraphCondTypeSwitch, 0, handle) == cudaErrorInvalidValue);
  CHECK(added(cudaGraphCondTypeIf, 1, handle + 1) == cudaErrorInvalidValue); // no such handle
  CHECK(added(cudaGraphCondTypeIf, 1, handle) == cudaSuccess);
  CHECK(added(cudaGraphCondTypeIf, 1, handle) == cudaErrorInvalidValue); // it has a node
  cudaGraph_t clone = nullptr;
  CHECK(cudaGraphClone(&clone, graph) == cudaErrorNotSupported);
  cudaGraphNode_t child = nullptr;
  CHECK(cudaGraphAddChildGraphNode(&child, new_graph(), nullptr, 0, graph) == cudaErrorNotSupported);
  CHECK(cudaGraphInstantiateWithParams(&exec, graph, &instantiation) == cudaSuccess);
}

namespace {

/// A graph with one conditional node.
struct Conditional {
  cudaGraph_t graph = new_graph();
  cudaGraphConditionalHandle handle = 0;
  cudaGraphNode_t node = nullptr;
  cudaGraph_t* bodies = nullptr;

  explicit Conditional(cudaGraphConditionalNodeType type, unsigned first_value = 0, unsigned flags = 0) {
    REQUIRE(cudaGraphConditionalHandleCreate(&handle, graph, first_value, flags) == cudaSuccess);
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional = {handle, type, 1, nullptr};
    REQUIRE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params) == cudaSuccess); // conditional
    bodies = params.conditional.phGraph_out;
  }
};

/// A kernel node that sets a condition.
cudaGraphNode_t decision(cudaGraph_t graph, cudaGraphConditionalHandle handle, unsigned value) {
  void* arguments[] = {&handle, &value};
  const cudaKernelNodeParams params = {kernel("kernel_decide"), dim3(1), dim3(1), 0, arguments, nullptr};
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params) == cudaSuccess);
  return node;
}

} // namespace

TEST_CASE("bodies of conditional nodes run by the condition, which launches begin again") {
  FreshSimulator fresh;
  Buffer<int> values(32);
  Conditional loop(cudaGraphCondTypeWhile, 1, cudaGraphCondAssignDefault);
  Increase increase(values.get(), 5, 32);
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddKernelNode(&node, loop.bodies[0], nullptr, 0, &increase.params) == cudaSuccess);
  decision(loop.bodies[0], loop.handle, 0);
  const cudaGraphExec_t exec = instantiated(loop.graph);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(values.values() == std::vector<int>(32, 5));
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(values.values() == std::vector<int>(32, 10));
  increase.by = 7; // the node of a body can be changed as others can
  CHECK(cudaGraphExecKernelNodeSetParams(exec, node, &increase.params) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(values.values() == std::vector<int>(32, 17));
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(exec, loop.graph, &info) == cudaSuccess); // adds 5 again
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(values.values() == std::vector<int>(32, 22));
  CHECK(take_report().diagnostics.empty());
}

TEST_CASE("streams record into bodies, which belong to their node") {
  FreshSimulator fresh;
  Buffer<int> values(32);
  Conditional choice(cudaGraphCondTypeIf, 1, cudaGraphCondAssignDefault);
  const cudaStream_t stream = new_stream();
  REQUIRE(cudaStreamBeginCaptureToGraph(stream, choice.bodies[0], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal) == cudaSuccess);
  call("record_increase", stream, values.get(), 3, 32);
  CHECK(cudaStreamEndCapture(stream, nullptr) == cudaSuccess);
  CHECK(size_of(choice.bodies[0]) == 1);
  CHECK(cudaGraphDestroy(choice.bodies[0]) == cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(instantiated(choice.graph), stream) == cudaSuccess);
  CHECK(values.values() == std::vector<int>(32, 3));
  begin(stream);
  CHECK(cudaStreamEndCapture(stream, nullptr) == cudaErrorInvalidValue); // the graph would be lost
}

TEST_CASE("host functions, events and memory nodes are nothing for a conditional body") {
  FreshSimulator fresh;
  Conditional choice(cudaGraphCondTypeIf);
  letter(choice.bodies[0], "x");
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiateParams params = {};
  CHECK(cudaGraphInstantiateWithParams(&exec, choice.graph, &params) == cudaErrorNotSupported);
  CHECK(params.result_out == cudaGraphInstantiateNodeOperationNotSupported);
}

TEST_CASE(
    "a condition that no kernel has set in this launch is diagnosed, also after a launch in which one has") {
  FreshSimulator fresh;
  Conditional choice(cudaGraphCondTypeIf);
  const cudaGraphNode_t sets = decision(choice.graph, choice.handle, 1);
  const cudaGraphExec_t without_edge = instantiated(choice.graph);
  REQUIRE(cudaGraphAddDependencies(choice.graph, &sets, &choice.node, nullptr, 1) == cudaSuccess);
  const cudaGraphExec_t exec = instantiated(choice.graph);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(take_report().diagnostics.empty());
  CHECK(cudaGraphLaunch(without_edge, nullptr) == cudaSuccess);
  CHECK(the_only(take_report(), "graph-condition").kind == "");
}

TEST_CASE("a loop in which no kernel sets the condition ends with a diagnosis") {
  FreshSimulator fresh;
  Conditional loop(cudaGraphCondTypeWhile, 1, cudaGraphCondAssignDefault);
  cudaGraphLaunch(instantiated(loop.graph), nullptr);
  CHECK(the_only(take_report(), "graph-condition").kind == "endless");
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
}

TEST_CASE("a kernel that sets a condition by what is no handle is diagnosed") {
  FreshSimulator fresh;
  const cudaGraph_t graph = new_graph();
  decision(graph, 12345, 1);
  CHECK(cudaGraphLaunch(instantiated(graph), nullptr) == cudaSuccess);
  CHECK(the_only(take_report(), "graph-condition").kind == "no-handle");
}

TEST_CASE("a graph's memory has its address at once and is there from node to node") {
  FreshSimulator fresh;
  const cudaGraph_t graph = new_graph();
  cudaMemAllocNodeParams params = {};
  params.bytesize = 32 * sizeof(int);
  cudaGraphNode_t allocated = nullptr, cleared = nullptr, increased = nullptr, copied = nullptr,
                  freed = nullptr;
  CHECK(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &params) == cudaErrorInvalidValue); // no pool
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location = {cudaMemLocationTypeDevice, 0};
  REQUIRE(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &params) == cudaSuccess);
  auto* const memory = static_cast<int*>(params.dptr);
  const cudaMemsetParams zero = {memory, 128, 0, 4, 32, 1};
  REQUIRE(cudaGraphAddMemsetNode(&cleared, graph, &allocated, 1, &zero) == cudaSuccess);
  Increase increase(memory, 3, 32);
  REQUIRE(cudaGraphAddKernelNode(&increased, graph, &cleared, 1, &increase.params) == cudaSuccess);
  int back = 0;
  REQUIRE(cudaGraphAddMemcpyNode1D(&copied, graph, &increased, 1, &back, memory, sizeof back,
                                   cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaGraphAddMemFreeNode(&freed, graph, nullptr, 0, &back) == cudaErrorInvalidValue);
  cudaGraph_t clone = nullptr;
  CHECK(cudaGraphClone(&clone, graph) == cudaErrorNotSupported);
  CHECK(cudaGraphRemoveDependencies(graph, &allocated, &cleared, nullptr, 1) == cudaErrorNotSupported);
  CHECK(cudaMemset(memory, 0, 4) == cudaErrorInvalidValue); // not there yet

  cudaGraphExec_t exec = instantiated(graph), second = nullptr;
  CHECK(cudaGraphInstantiate(&second, graph, 0) == cudaErrorNotSupported); // once at a time
  std::uint64_t used = 0;
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(back == 3);
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used) == cudaSuccess);
  CHECK(used > 0);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaErrorInvalidValue); // never freed
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  exec = instantiated(graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, memory) == cudaSuccess);
  exec = instantiated(graph);
  for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used) == cudaSuccess);
  CHECK(used == 0);
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &used) == cudaSuccess);
  CHECK(used > 0);
  CHECK(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &used) == cudaSuccess);
  CHECK(used == 0);
  CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used) == cudaSuccess);
}

TEST_CASE("a kernel that uses a graph's memory outside of its time gets a finding") {
  FreshSimulator fresh;
  const cudaGraph_t graph = new_graph();
  cudaMemAllocNodeParams params = {};
  params.bytesize = 32 * sizeof(int);
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location = {cudaMemLocationTypeDevice, 0};
  cudaGraphNode_t allocated = nullptr;
  REQUIRE(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &params) == cudaSuccess);
  take_report();
  call("record_increase", cudaStream_t{}, static_cast<int*>(params.dptr), 1, 32);
  const Report report = take_report();
  REQUIRE(!report.diagnostics.empty());
  CHECK(report.diagnostics.front().id == "use-after-free");
  CHECK(report.diagnostics.front().kind == "of-graph");
}

TEST_CASE("a graph is updated as a whole where only parameters differ") {
  FreshSimulator fresh;
  Buffer<int> values(8);
  const auto make = [&](std::uint32_t value, bool with_host) {
    const cudaGraph_t graph = new_graph();
    const cudaMemsetParams set = {values.get(), 32, value, 4, 8, 1};
    cudaGraphNode_t node = nullptr;
    REQUIRE(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &set) == cudaSuccess);
    if (with_host)
      letter(graph, "h", {node});
    else
      empty(graph, {node});
    return graph;
  };
  trail.clear();
  const cudaGraphExec_t exec = instantiated(make(1, true));
  cudaGraphExecUpdateResultInfo info = {};
  CHECK(cudaGraphExecUpdate(exec, make(2, true), &info) == cudaSuccess);
  CHECK(info.result == cudaGraphExecUpdateSuccess);
  CHECK(cudaGraphExecUpdate(exec, make(3, false), &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorNodeTypeChanged);
  CHECK(info.errorNode != nullptr);
  const cudaGraph_t more = make(4, true);
  empty(more);
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphExecUpdate(exec, more, &node, &result) == cudaErrorGraphExecUpdateFailure); // before CUDA 12
  CHECK(result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(values.values() == std::vector<int>(8, 2));
}

TEST_CASE("nodes for the device can be switched off, others cannot") {
  FreshSimulator fresh;
  Buffer<int> values(8);
  const cudaGraph_t graph = new_graph();
  const cudaMemsetParams set = {values.get(), 32, 5, 4, 8, 1};
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &set) == cudaSuccess);
  const cudaGraphNode_t host = letter(graph, "h");
  const cudaGraphExec_t exec = instantiated(graph);
  unsigned enabled = 9;
  CHECK(cudaGraphNodeSetEnabled(exec, node, 0) == cudaSuccess);
  CHECK(cudaGraphNodeGetEnabled(exec, node, &enabled) == cudaSuccess);
  CHECK(enabled == 0);
  CHECK(cudaGraphNodeSetEnabled(exec, host, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(values.values() == std::vector<int>(8, 0));
}

TEST_CASE("data of the program lives as long as the last graph that holds it") {
  FreshSimulator fresh;
  trail.clear();
  cudaUserObject_t object = nullptr;
  CHECK(cudaUserObjectCreate(&object, nullptr, append, 1, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaUserObjectCreate(&object, const_cast<char*>("gone"), append, 1,
                               cudaUserObjectNoDestructorSync) == cudaSuccess);
  const cudaGraph_t graph = new_graph();
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) == cudaSuccess);
  const cudaGraphExec_t exec = instantiated(graph);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(trail.empty());
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(trail == "gone");
  CHECK(cudaUserObjectRelease(object, 1) == cudaErrorInvalidValue);
}

TEST_CASE("a captured stream records, and does nothing until its graph is launched") {
  FreshSimulator fresh;
  Buffer<int> values(64);
  const cudaStream_t stream = new_stream();
  begin(stream);
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  cudaGraph_t so_far = nullptr;
  const cudaGraphNode_t* after = nullptr;
  std::size_t count = 9;
  CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &so_far, &after, nullptr, &count) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusActive);
  CHECK(id != 0);
  CHECK(count == 0);
  call("record_increase", stream, values.get(), 2, 64);
  call("record_set", stream, values.get() + 32, 8); // a template whose arguments are deduced
  CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &so_far, &after, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(size_of(so_far) == 2);
  CHECK(values.values() == std::vector<int>(64, 0)); // through the legacy stream
  cudaGetLastError();
  end(stream, cudaErrorStreamCaptureInvalidated);

  const cudaStream_t other = new_stream(cudaStreamNonBlocking);
  begin(other, cudaStreamCaptureModeRelaxed);
  call("record_increase", other, values.get(), 2, 64);
  call("record_set", other, values.get() + 32, 8);
  CHECK(values.values() == std::vector<int>(64, 0)); // nothing forbids it here
  const cudaGraph_t graph = end(other);
  std::vector<cudaGraphNode_t> nodes(2);
  count = 2;
  CHECK(cudaGraphGetNodes(graph, nodes.data(), &count) == cudaSuccess);
  const cudaGraphExec_t exec = instantiated(graph);
  CHECK(cudaGraphLaunch(exec, other) == cudaSuccess);
  std::vector<int> expected(64, 2);
  std::fill(expected.begin() + 32, expected.end(), 8);
  CHECK(values.values() == expected);

  cudaKernelNodeParams params = {};
  REQUIRE(cudaGraphKernelNodeGetParams(nodes[1], &params) == cudaSuccess);
  int value = 1;
  void* arguments[] = {params.kernelParams[0], &value};
  params.kernelParams = arguments;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &params) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, other) == cudaSuccess);
  CHECK(values.values()[40] == 1);
}

TEST_CASE("what a graph's kernel does wrong is reported with its place and its launch") {
  FreshSimulator fresh;
  Buffer<int> values(4);
  const cudaStream_t stream = new_stream();
  begin(stream);
  call("record_beyond", stream, values.get(), 4);
  const cudaGraphExec_t exec = instantiated(end(stream));
  take_report();
  CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
  const Report report = take_report();
  REQUIRE(report.kernels.size() == 1);
  CHECK(report.kernels[0].name == "beyond");
  const Finding finding = the_only(report, "out-of-bounds");
  CHECK(finding.kernel == "beyond");
  CHECK(lines_of(finding) == std::vector<unsigned>{marked_line("graphs.cu", "beyond")});
}

TEST_CASE("a launch of a graph is counted as its work would be: kernels, requests and copies, each time") {
  FreshSimulator fresh;
  Buffer<int> values(64);
  int host[64] = {};
  const cudaStream_t stream = new_stream();
  take_report();
  call("record_increase", stream, values.get(), 2, 64);
  const Report direct = take_report();
  begin(stream);
  call("record_increase", stream, values.get(), 2, 64);
  REQUIRE(cudaMemcpyAsync(host, values.get(), sizeof host, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  const cudaGraphExec_t exec = instantiated(end(stream));
  take_report();
  take_transfers();
  for (int i = 0; i < 2; ++i) REQUIRE(cudaGraphLaunch(exec, stream) == cudaSuccess);
  const Report report = take_report();
  REQUIRE(report.kernels.size() == 2);
  for (const KernelRecord& kernel : report.kernels) {
    CHECK(kernel.name == direct.kernels[0].name);
    CHECK(kernel.counters.global_load_requests == direct.kernels[0].counters.global_load_requests);
    CHECK(kernel.counters.global_store_sectors == direct.kernels[0].counters.global_store_sectors);
    CHECK(kernel.sites.size() == direct.kernels[0].sites.size());
  }
  const std::vector<Transfer> transfers = take_transfers();
  REQUIRE(transfers.size() == 1);
  CHECK(transfers[0].bytes == 2 * sizeof host);
  CHECK(transfers[0].count == 2);
  CHECK(transfers[0].by == "cudaMemcpyAsync");
}

TEST_CASE("streams join a capture by its events and have to come back") {
  FreshSimulator fresh;
  Buffer<int> a(32), b(32);
  const cudaStream_t origin = new_stream(), side = new_stream();
  const cudaEvent_t fork = new_event(), join = new_event();
  begin(origin);
  CHECK(cudaEventRecord(fork, origin) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(side, fork, 0) == cudaSuccess);
  call("record_increase", origin, a.get(), 1, 32);
  call("record_increase", side, b.get(), 2, 32);
  CHECK(cudaEventRecord(join, side) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(origin, join, 0) == cudaSuccess);
  CHECK(cudaMemcpyAsync(a.get(), b.get(), 4, cudaMemcpyDeviceToDevice, origin) == cudaSuccess);
  const cudaGraph_t graph = end(origin);
  std::size_t edges = 0, roots = 0;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges) == cudaSuccess);
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots) == cudaSuccess);
  CHECK(edges == 2);
  CHECK(roots == 2);
  CHECK(cudaGraphLaunch(instantiated(graph), origin) == cudaSuccess);
  CHECK(a.values()[0] == 2);
  CHECK(a.values()[1] == 1);

  begin(origin);
  CHECK(cudaEventRecord(fork, origin) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(side, fork, 0) == cudaSuccess);
  call("record_increase", side, b.get(), 2, 32);
  cudaGraph_t none = nullptr;
  CHECK(cudaStreamEndCapture(side, &none) == cudaErrorStreamCaptureUnmatched);
  end(origin, cudaErrorStreamCaptureInvalidated);
  begin(origin);
  CHECK(cudaEventRecord(fork, origin) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(side, fork, 0) == cudaSuccess);
  call("record_increase", side, b.get(), 2, 32);
  CHECK(cudaStreamDestroy(side) == cudaSuccess);
  end(origin, cudaErrorStreamCaptureUnjoined);
}

TEST_CASE("what must not be done while a stream is captured says why and spoils the capture") {
  FreshSimulator fresh;
  Buffer<int> values(32);
  const cudaStream_t stream = new_stream(), other = new_stream();
  const cudaEvent_t captured = new_event(), outside = new_event();
  REQUIRE(cudaEventRecord(outside, other) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
  const auto spoils = [&](cudaError_t expected, auto&& action) {
    begin(stream);
    REQUIRE(cudaEventRecord(captured, stream) == cudaSuccess);
    CHECK(action() == expected);
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
    CHECK(status == cudaStreamCaptureStatusInvalidated);
    CHECK(cudaMemsetAsync(values.get(), 0, 4, stream) == cudaErrorStreamCaptureInvalidated);
    end(stream, cudaErrorStreamCaptureInvalidated);
  };
  int* pointer = nullptr;
  spoils(cudaErrorStreamCaptureUnsupported, [&] { return cudaStreamSynchronize(stream); });
  spoils(cudaErrorStreamCaptureUnsupported, [&] { return cudaStreamQuery(stream); });
  spoils(cudaErrorStreamCaptureUnsupported, [] { return cudaDeviceSynchronize(); });
  spoils(cudaErrorStreamCaptureUnsupported,
         [&] { return cudaMalloc(reinterpret_cast<void**>(&pointer), 4); });
  spoils(cudaErrorStreamCaptureUnsupported, [&] { return cudaEventQuery(outside); });
  spoils(cudaErrorStreamCaptureImplicit, [&] { return cudaMemset(values.get(), 0, 4); });
  spoils(cudaErrorStreamCaptureImplicit, [&] { return cudaMemsetAsync(values.get(), 0, 4, nullptr); });
  spoils(cudaErrorStreamCaptureImplicit, [&] {
    call("record_increase", cudaStream_t{}, values.get(), 1, 32);
    return cudaGetLastError();
  });
  spoils(cudaErrorStreamCaptureImplicit, [&] { return cudaStreamSynchronize(nullptr); });
  spoils(cudaErrorStreamCaptureImplicit, [&] { return cudaStreamWaitEvent(nullptr, captured, 0); });
  spoils(cudaErrorStreamCaptureIsolation, [&] { return cudaStreamWaitEvent(stream, outside, 0); });
  spoils(cudaErrorCapturedEvent, [&] { return cudaEventQuery(captured); });
  spoils(cudaErrorCapturedEvent, [&] { return cudaEventSynchronize(captured); });
  spoils(cudaErrorStreamCaptureUnsupported, [&] {
    return cudaStreamAddCallback(
        stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0);
  });
  spoils(cudaErrorStreamCaptureMerge, [&] {
    begin(other);
    const cudaError_t error = cudaStreamWaitEvent(other, captured, 0);
    end(other, cudaErrorStreamCaptureInvalidated);
    return error;
  });
  begin(stream);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaErrorIllegalState);
  std::thread([&] {
    cudaGraph_t none = nullptr;
    CHECK(cudaStreamEndCapture(stream, &none) == cudaErrorStreamCaptureWrongThread);
  }).join();
  CHECK(cudaEventRecord(captured, stream) == cudaSuccess);
  end(stream);
  CHECK(cudaEventQuery(captured) == cudaErrorCapturedEvent);
  CHECK(cudaEventRecord(captured, stream) == cudaSuccess);
  CHECK(cudaEventSynchronize(captured) == cudaSuccess);
}

TEST_CASE("a launch that the device refuses is no node") {
  FreshSimulator fresh;
  const cudaStream_t stream = new_stream();
  begin(stream);
  call("record_too_large", stream);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(size_of(end(stream)) == 0);
}

TEST_CASE("a thread can allow itself what captures of others forbid") {
  FreshSimulator fresh;
  const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  int* pointer = nullptr;
  begin(stream);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(mode == cudaStreamCaptureModeGlobal);
  CHECK(cudaMalloc(reinterpret_cast<void**>(&pointer), 4) == cudaSuccess);
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(mode == cudaStreamCaptureModeRelaxed);
  CHECK(cudaFree(pointer) == cudaErrorStreamCaptureUnsupported);
  end(stream, cudaErrorStreamCaptureInvalidated);
}

TEST_CASE("captured are copies of all kinds, memsets, host functions, events for outside, and graphs") {
  FreshSimulator fresh;
  trail.clear();
  const cudaStream_t stream = new_stream();
  Buffer<int> values(64);
  int host[64] = {};
  const void* const symbol = call<void*>("symbol_address");
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc desc = {32, 0, 0, 0, cudaChannelFormatKindSigned};
  REQUIRE(cudaMallocArray(&array, &desc, 4, 4) == cudaSuccess);
  const cudaGraph_t inner = new_graph();
  letter(inner, "g");
  const cudaGraphExec_t exec = instantiated(inner);
  const cudaEvent_t event = new_event();
  begin(stream);
  const auto type_after = [&](cudaError_t error) {
    REQUIRE(error == cudaSuccess);
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t* after = nullptr;
    std::size_t count = 0;
    REQUIRE(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &after, nullptr, &count) ==
            cudaSuccess);
    REQUIRE(count == 1);
    cudaGraphNodeType type;
    REQUIRE(cudaGraphNodeGetType(after[0], &type) == cudaSuccess);
    return type;
  };
  const cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  cudaMemcpy3DParms box = {};
  box.srcPtr = {host, 16, 16, 2};
  box.dstPtr = {values.get(), 16, 16, 2};
  box.extent = {16, 2, 1};
  box.kind = in;
  int* memory = nullptr;
  CHECK(type_after(cudaMemsetAsync(values.get(), 1, 64, stream)) == cudaGraphNodeTypeMemset);
  CHECK(type_after(cudaMemset2DAsync(values.get(), 32, 1, 8, 2, stream)) == cudaGraphNodeTypeMemset);
  CHECK(type_after(cudaMemset3DAsync({values.get(), 32, 8, 2}, 1, {8, 2, 1}, stream)) ==
        cudaGraphNodeTypeMemset);
  CHECK(type_after(cudaMemcpyAsync(host, values.get(), 64, out, stream)) == cudaGraphNodeTypeMemcpy);
  CHECK(type_after(cudaMemcpy2DAsync(host, 16, values.get(), 32, 16, 2, out, stream)) ==
        cudaGraphNodeTypeMemcpy);
  CHECK(type_after(cudaMemcpy3DAsync(&box, stream)) == cudaGraphNodeTypeMemcpy);
  CHECK(type_after(cudaMemcpyPeerAsync(values.get(), 0, values.get() + 32, 0, 64, stream)) ==
        cudaGraphNodeTypeMemcpy);
  CHECK(type_after(cudaMemcpyToSymbolAsync(symbol, host, 4, 0, in, stream)) == cudaGraphNodeTypeMemcpy);
  CHECK(type_after(cudaMemcpyFromSymbolAsync(host, symbol, 4, 0, out, stream)) == cudaGraphNodeTypeMemcpy);
  CHECK(type_after(cudaMemcpy2DToArrayAsync(array, 0, 0, host, 16, 16, 4, in, stream)) ==
        cudaGraphNodeTypeMemcpy);
  CHECK(type_after(cudaMemcpy2DFromArrayAsync(host, 16, array, 0, 0, 16, 4, out, stream)) ==
        cudaGraphNodeTypeMemcpy);
  CHECK(type_after(cudaLaunchHostFunc(stream, append, const_cast<char*>("f"))) == cudaGraphNodeTypeHost);
  CHECK(type_after(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal)) ==
        cudaGraphNodeTypeEventRecord);
  CHECK(type_after(cudaStreamWaitEvent(stream, event, cudaEventWaitExternal)) == cudaGraphNodeTypeWaitEvent);
  CHECK(type_after(cudaGraphLaunch(exec, stream)) == cudaGraphNodeTypeGraph);
  CHECK(type_after(cudaMallocAsync(reinterpret_cast<void**>(&memory), 64, stream)) ==
        cudaGraphNodeTypeMemAlloc);
  CHECK(type_after(cudaFreeAsync(memory, stream)) == cudaGraphNodeTypeMemFree);
  const cudaGraph_t graph = end(stream);
  CHECK(trail.empty());
  REQUIRE(cudaGraphLaunch(instantiated(graph), stream) == cudaSuccess);
  CHECK(trail == "fg");
  CHECK(cudaFreeArray(array) == cudaSuccess);

  begin(stream); // a copy that goes on in the next row is no node
  REQUIRE(cudaMallocArray(&array, &desc, 4, 4) != cudaSuccess);
  end(stream, cudaErrorStreamCaptureInvalidated);
}

TEST_CASE("work can be captured behind nodes of a graph, and its dependencies can be replaced") {
  FreshSimulator fresh;
  trail.clear();
  const cudaStream_t stream = new_stream();
  const cudaGraph_t graph = new_graph();
  cudaGraphNode_t a = letter(graph, "a");
  REQUIRE(cudaStreamBeginCaptureToGraph(stream, graph, &a, nullptr, 1, cudaStreamCaptureModeGlobal) ==
          cudaSuccess);
  CHECK(cudaLaunchHostFunc(stream, append, const_cast<char*>("b")) == cudaSuccess);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &a, nullptr, 1, cudaStreamSetCaptureDependencies) ==
        cudaSuccess);
  CHECK(cudaLaunchHostFunc(stream, append, const_cast<char*>("c")) == cudaSuccess);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &a, nullptr, 1, 5) == cudaErrorInvalidValue);
  cudaGraph_t same = nullptr;
  // The host function b is no dependency of anything that the stream would wait for.
  CHECK(cudaStreamEndCapture(stream, &same) == cudaSuccess);
  CHECK(same == graph);
  std::size_t edges = 0;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges) == cudaSuccess);
  CHECK(edges == 2);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &a, nullptr, 1, 0) == cudaErrorIllegalState);
}

TEST_CASE("a copy whose memory is gone ends as an illegal address") {
  FreshSimulator fresh;
  int* memory = nullptr;
  int host = 0;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), 4) == cudaSuccess);
  const cudaGraph_t graph = new_graph();
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, memory, &host, 4, cudaMemcpyHostToDevice) ==
          cudaSuccess);
  const cudaGraphExec_t exec = instantiated(graph);
  REQUIRE(cudaFree(memory) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaErrorIllegalAddress);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}

TEST_CASE("cudaGraphDebugDotPrint writes nodes, edges and children") {
  FreshSimulator fresh;
  const cudaGraph_t graph = new_graph(), inner = new_graph();
  const cudaGraphNode_t a = letter(graph, "a");
  empty(inner);
  cudaGraphNode_t child = nullptr;
  REQUIRE(cudaGraphAddChildGraphNode(&child, graph, &a, 1, inner) == cudaSuccess);
  const std::string path = "graphs_test." + std::to_string(::getpid()) + ".dot"; // the other compiler's test may run beside this
  CHECK(cudaGraphDebugDotPrint(graph, path.c_str(), cudaGraphDebugDotFlagsVerbose) == cudaSuccess);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::remove(path.c_str());
  for (const char* part : {"digraph", "HOST", "GRAPH", "EMPTY", " -> "})
    CHECK(text.str().find(part) != std::string::npos);
  CHECK(cudaGraphDebugDotPrint(graph, "no/such/folder/graph.dot", 0) == cudaErrorOperatingSystem);
}
