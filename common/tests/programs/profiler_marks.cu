// Ranges, marks and names for NVIDIA's profilers, in C and in C++: they change nothing.
#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>
#include <unistd.h>

struct simulation {
  static constexpr char const* name{"simulation"};
};

__global__ void step(int* value) { atomicAdd(value, 1); }

static int run(int* value) {
  NVTX3_FUNC_RANGE();
  nvtx3::scoped_range loop{"loop"};
  for (int i = 0; i < 3; ++i) {
    nvtx3::scoped_range_in<simulation> range{
        nvtx3::event_attributes{"step", nvtx3::rgb{0, 127, 0}, nvtx3::payload{i}}};
    step<<<1, 32>>>(value);
    nvtx3::mark("launched");
  }
  return static_cast<int>(cudaDeviceSynchronize());
}

int main() {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.color = 0xff00ff00;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "set-up";
  nvtxRangePushEx(&event);
  int* value;
  cudaMallocManaged(&value, sizeof *value);
  *value = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  nvtxNameCudaStream(stream, "work");
  nvtxNameCuStream(stream, "work");
  nvtxNameOsThread(static_cast<uint32_t>(getpid()), "main");
  const nvtxDomainHandle_t domain = nvtxDomainCreate("simulation");
  const nvtxRangeId_t whole = nvtxDomainRangeStartEx(domain, &event);
  nvtxRangePop();

  const int error = run(value);
  nvtxDomainRangeEnd(domain, whole);
  nvtxDomainDestroy(domain);
  std::printf("%d\n", *value);
  return error != 0 || *value != 96;
}
