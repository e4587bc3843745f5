#include "host.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                    \
    do {                                                               \
        CUresult result = (call);                                      \
        if (result != CUDA_SUCCESS) {                                  \
            const char *name = nullptr, *text = nullptr;               \
            cuGetErrorName(result, &name);                             \
            cuGetErrorString(result, &text);                           \
            std::printf("%s:%d: %s (%s)\n", __FILE__, __LINE__, name, text); \
            std::exit(EXIT_FAILURE);                                   \
        }                                                              \
    } while (0)

namespace {

const int N = 5000, THREADS = 256;

size_t sharedBytes(int threads) { return threads * sizeof(float); }

// Two pieces of memory side by side in one range of addresses.
struct Mapped {
    CUdeviceptr base = 0;
    size_t bytes = 0, piece = 0;
    std::vector<CUmemGenericAllocationHandle> handles;

    Mapped(CUdevice device, size_t wanted)
    {
        CUmemAllocationProp properties = {};
        properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        properties.location.id = device;
        size_t granularity = 0;
        CHECK(cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
        piece = (wanted / 2 + granularity - 1) / granularity * granularity;
        bytes = 2 * piece;
        CHECK(cuMemAddressReserve(&base, bytes, 0, 0, 0));
        for (int i = 0; i < 2; ++i) {
            CUmemGenericAllocationHandle handle;
            CHECK(cuMemCreate(&handle, piece, &properties, 0));
            CHECK(cuMemMap(base + i * piece, piece, 0, handle, 0));
            CHECK(cuMemRelease(handle)); // stays as long as it is mapped
        }
        CUmemAccessDesc access = {};
        access.location = properties.location;
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        CHECK(cuMemSetAccess(base, bytes, &access, 1));
    }
    ~Mapped()
    {
        CHECK(cuMemUnmap(base, bytes));
        CHECK(cuMemAddressFree(base, bytes));
    }
};

} // namespace

int runOnHost(CUfunction add, CUfunction scale)
{
    CHECK(cuInit(0));
    int version = 0, count = 0, major = 0, minor = 0, hasRanges = 0;
    CUdevice device;
    CUcontext context;
    char name[100];
    CHECK(cuDriverGetVersion(&version));
    CHECK(cuDeviceGetCount(&count));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGetName(name, sizeof name, device));
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
    CHECK(cuDeviceGetAttribute(&hasRanges, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxPushCurrent(context));
    std::printf("%d device, compute capability %d.%d\n", count, major, minor);
    if (!add || !scale || !hasRanges) return EXIT_FAILURE;

    std::vector<float> a(N), b(N), c(N);
    for (int i = 0; i < N; ++i) a[i] = i, b[i] = 3 * i;
    size_t bytes = N * sizeof(float);
    bool right = true;
    {
        Mapped range(device, bytes);
        CUdeviceptr d_a, d_b = range.base, d_c;
        size_t freeBytes, totalBytes;
        CHECK(cuMemAlloc(&d_a, bytes));
        CHECK(cuMemAllocManaged(&d_c, bytes, CU_MEM_ATTACH_GLOBAL));
        CHECK(cuMemGetInfo(&freeBytes, &totalBytes));
        right = right && freeBytes < totalBytes;
        CUstream stream;
        CUevent start, end;
        CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
        CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
        CHECK(cuMemcpyHtoD(d_a, a.data(), bytes));
        CHECK(cuMemcpyHtoDAsync(d_b, b.data(), bytes, stream));
        CHECK(cuMemsetD32Async(d_c, 0xffffffff, N, stream));

        int n = N, grid = 0, block = 0;
        void *addArguments[] = {&d_a, &d_b, &d_c, &n};
        CHECK(cuEventRecord(start, stream));
        CHECK(cuLaunchKernel(add, (N + THREADS - 1) / THREADS, 1, 1, THREADS, 1, 1, 0, stream, addArguments, nullptr));
        CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, sharedBytes, 0, THREADS));
        right = right && block == THREADS;

        // The arguments as a buffer, each where the ABI wants it.
        char buffer[32];
        size_t offset, size, used = 0;
        float factor = 0.5f;
        const void *values[] = {&d_c, &factor, &n};
        for (int i = 0; i < 3; ++i) {
            CHECK(cuFuncGetParamInfo(scale, i, &offset, &size));
            std::memcpy(buffer + offset, values[i], size);
            used = offset + size;
        }
        void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &used, CU_LAUNCH_PARAM_END};
        CUlaunchConfig config = {};
        config.gridDimX = (N + block - 1) / block;
        config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
        config.blockDimX = block;
        config.sharedMemBytes = static_cast<unsigned>(sharedBytes(block));
        config.hStream = stream;
        CHECK(cuLaunchKernelEx(&config, scale, nullptr, extra));
        CHECK(cuEventRecord(end, stream));
        CHECK(cuMemcpyDtoHAsync(c.data(), d_c, bytes, stream));
        CHECK(cuStreamSynchronize(stream));
        float milliseconds = -1;
        CHECK(cuEventElapsedTime(&milliseconds, start, end));
        right = right && milliseconds >= 0;
        for (int i = 0; i < N; ++i) right = right && c[i] == 2.0f * i;

        // What a pointer is.
        unsigned type = 0, managed = 0;
        CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d_a));
        CHECK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, d_c));
        right = right && type == CU_MEMORYTYPE_DEVICE && managed == 1;
        right = right && cuMemAlloc(&d_a, 0) == CUDA_ERROR_INVALID_VALUE;
        CHECK(cuEventDestroy(start));
        CHECK(cuEventDestroy(end));
        CHECK(cuStreamDestroy(stream));
        CHECK(cuMemFree(d_a));
        CHECK(cuMemFree(d_c));
    }
    CHECK(cuCtxPopCurrent(nullptr));
    CHECK(cuDevicePrimaryCtxRelease(device));
    std::printf("%s\n", right ? "right" : "wrong");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
