// Loads the image whose file is its argument, in all the ways there are, and launches its kernels.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#define CHECK(call)                                                                       \
    do {                                                                                  \
        if (const int result = (int)(call)) {                                             \
            std::printf("line %d: %s gives %d\n", __LINE__, #call, result);               \
            return 1;                                                                     \
        }                                                                                 \
    } while (0)
#define EXPECT(condition)                                                                 \
    do {                                                                                  \
        if (!(condition)) return std::printf("line %d: not so: %s\n", __LINE__, #condition), 1; \
    } while (0)

static int multiplyBy(CUfunction multiply, int factor, int limit)
{
    int n = 40;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i;
    CUdeviceptr from, to;
    CHECK(cuMemAlloc(&from, n * sizeof(int)));
    CHECK(cuMemAlloc(&to, n * sizeof(int)));
    CHECK(cuMemcpyHtoD(from, in.data(), n * sizeof(int)));
    // As an array of pointers, and as a buffer.
    void *arguments[] = {&from, &to, &n};
    struct {
        CUdeviceptr from, to;
        int n;
    } buffer = {from, to, n};
    size_t bytes = offsetof(decltype(buffer), n) + sizeof n; // what lies behind the last is no argument
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    CHECK(cuLaunchKernel(multiply, 2, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuLaunchKernel(multiply, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
    CHECK(cuMemcpyDtoH(out.data(), to, n * sizeof(int)));
    for (int i = 0; i < n; ++i) EXPECT(out[i] == (i * factor < limit ? i * factor : limit));
    CHECK(cuMemFree(from));
    CHECK(cuMemFree(to));
    return 0;
}

static int modules(const char *file, const std::string &image)
{
    CUmodule module, again;
    CUfunction multiply, none;
    CHECK(cuModuleLoad(&module, file));
    CHECK(cuModuleLoadDataEx(&again, image.c_str(), 0, nullptr, nullptr));
    CHECK(cuModuleGetFunction(&multiply, module, "multiply"));
    EXPECT(cuModuleGetFunction(&none, module, "divide") == CUDA_ERROR_NOT_FOUND);
    EXPECT(cuModuleLoad(&again, "no-such.fatbin") == CUDA_ERROR_FILE_NOT_FOUND);
    unsigned count = 0;
    CHECK(cuModuleGetFunctionCount(&count, module));
    EXPECT(count == 4);
    CHECK(cuModuleGetFunction(&none, module, "_Z5resetv")); // a static kernel
    CHECK(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    CUdeviceptr factor, limit, calls, divisor; // the driver may clear a pointer for which it finds nothing
    size_t bytes = 0;
    CHECK(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
    EXPECT(bytes == sizeof(int));
    EXPECT(cuModuleGetGlobal(&divisor, &bytes, module, "divisor") == CUDA_ERROR_NOT_FOUND);
    const int seven = 7, thirty = 30;
    CHECK(cuMemcpyHtoD(factor, &seven, sizeof seven));
    CHECK(cuModuleGetGlobal(&limit, nullptr, module, "limit"));
    CHECK(cuMemcpyHtoD(limit, &thirty, sizeof thirty));
    if (multiplyBy(multiply, 7, 30)) return 1;
    CHECK(cuModuleGetGlobal(&calls, nullptr, module, "calls"));
    unsigned called = 0;
    CHECK(cuMemcpyDtoH(&called, calls, sizeof called));
    EXPECT(called == 2);
    CHECK(cuModuleGetFunction(&multiply, again, "multiply"));
    if (multiplyBy(multiply, 3, 50)) return 1;
    CHECK(cuModuleUnload(again));
    EXPECT(cuLaunchKernel(multiply, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) != CUDA_SUCCESS);
    EXPECT(cuModuleUnload(again) == CUDA_ERROR_INVALID_HANDLE);
    return 0;
}

static int libraries(const char *file, const std::string &image)
{
    CUlinkState link;
    void *linked = nullptr;
    size_t bytes = 0;
    CHECK(cuLinkCreate(0, nullptr, nullptr, &link));
    CHECK(cuLinkAddData(link, CU_JIT_INPUT_FATBINARY, (void *)image.data(), image.size(), "image", 0, nullptr, nullptr));
    CHECK(cuLinkComplete(link, &linked, &bytes));
    CUlibrary library;
    CUkernel kernel;
    CUfunction multiply;
    CHECK(cuLibraryLoadData(&library, linked, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(cuLinkDestroy(link));
    CHECK(cuLibraryGetKernel(&kernel, library, "multiply"));
    CHECK(cuKernelGetFunction(&multiply, kernel));
    if (multiplyBy(multiply, 3, 50)) return 1;
    CUdeviceptr pointer;
    EXPECT(cuLibraryGetManaged(&pointer, &bytes, library, "factor") == CUDA_ERROR_NOT_FOUND);
    CHECK(cuLibraryGetManaged(&pointer, &bytes, library, "limit"));
    EXPECT(*(int *)pointer == 50);
    CHECK(cuLibraryUnload(library));

    cudaLibrary_t ours;
    cudaKernel_t ourKernel;
    CHECK(cudaLibraryLoadFromFile(&ours, file, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(cudaLibraryGetKernel(&ourKernel, ours, "multiply"));
    int *out = nullptr, n = 5, *in = nullptr;
    CHECK(cudaMalloc((void **)&out, n * sizeof(int)));
    CHECK(cudaMalloc((void **)&in, n * sizeof(int)));
    CHECK(cudaMemset(in, 0, n * sizeof(int)));
    void *arguments[] = {&in, &out, &n};
    CHECK(cudaLaunchKernel((const void *)ourKernel, dim3(1), dim3(32), arguments, 0, nullptr));
    CHECK(cudaDeviceSynchronize());
    EXPECT(cudaLibraryGetKernel(&ourKernel, ours, "divide") == cudaErrorSymbolNotFound);
    CHECK(cudaLibraryUnload(ours));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}

/// Writes past the end of an array of 32 elements.
static int beyond(const char *file)
{
    CUmodule module;
    CUfunction fill;
    CUdeviceptr out;
    int n = 32;
    CHECK(cuModuleLoad(&module, file));
    CHECK(cuModuleGetFunction(&fill, module, "_Z4fillPii"));
    CHECK(cuMemAlloc(&out, n * sizeof(int)));
    void *arguments[] = {&out, &n};
    CHECK(cuLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    return cuCtxSynchronize() == CUDA_SUCCESS;
}

static int twice(const char *file)
{
    CUlinkState link;
    CHECK(cuLinkCreate(0, nullptr, nullptr, &link));
    CHECK(cuLinkAddFile(link, CU_JIT_INPUT_CUBIN, file, 0, nullptr, nullptr));
    EXPECT(cuLinkAddFile(link, CU_JIT_INPUT_CUBIN, file, 0, nullptr, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuLinkDestroy(link));
    return 0;
}

/// An array as a texture that is read as fractions, which is the driver API's way, and as a surface.
static int arrays(const char *file)
{
    const unsigned char texels[4] = {0, 51, 102, 255};
    CUDA_ARRAY3D_DESCRIPTOR wanted = {4, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, CUDA_ARRAY3D_SURFACE_LDST}, found;
    CUarray array;
    CHECK(cuArray3DCreate(&array, &wanted));
    CHECK(cuMemcpyHtoA(array, 0, texels, sizeof texels));
    CHECK(cuArray3DGetDescriptor(&found, array));
    EXPECT(found.Width == 4 && found.Format == CU_AD_FORMAT_UNSIGNED_INT8 && found.NumChannels == 1);
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC how = {}, told;
    how.addressMode[0] = CU_TR_ADDRESS_MODE_CLAMP;
    CUtexObject texture;
    CUsurfObject surface;
    CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    CHECK(cuTexObjectGetTextureDesc(&told, texture));
    EXPECT(told.addressMode[0] == CU_TR_ADDRESS_MODE_CLAMP && told.flags == 0);
    CHECK(cuSurfObjectCreate(&surface, &resource));
    CUmodule module;
    CUfunction fetch;
    CUdeviceptr out;
    CHECK(cuModuleLoad(&module, file));
    CHECK(cuModuleGetFunction(&fetch, module, "fetch"));
    CHECK(cuMemAlloc(&out, 4 * sizeof(float)));
    void *arguments[] = {&texture, &surface, &out};
    CHECK(cuLaunchKernel(fetch, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
    float values[4];
    CHECK(cuMemcpyDtoH(values, out, sizeof values));
    for (int i = 0; i < 4; ++i) EXPECT(values[i] == texels[i] / 255.0f);
    unsigned char written[4];
    CHECK(cuMemcpyAtoH(written, array, 0, sizeof written));
    EXPECT(written[0] == 3 && written[3] == 0);
    CHECK(cuTexObjectDestroy(texture));
    CHECK(cuSurfObjectDestroy(surface));
    CHECK(cuArrayDestroy(array));
    CHECK(cuMemFree(out));
    CHECK(cuModuleUnload(module));
    return 0;
}

int main(int, char **words)
{
    CUdevice device;
    CUcontext context;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    if (std::strcmp(words[1], "text") == 0) {
        CUmodule module;
        return cuModuleLoadData(&module, "//\n.version 8.0\n.target sm_90\n") == CUDA_ERROR_NO_BINARY_FOR_GPU ? 0 : 1;
    }
    std::ifstream stream(words[1], std::ios::binary);
    const std::string image((std::istreambuf_iterator<char>(stream)), {});
    if (words[2]) return std::strcmp(words[2], "twice") == 0 ? twice(words[1]) : beyond(words[1]);
    if (arrays(words[1]) || modules(words[1], image) || libraries(words[1], image)) return 1;
    std::printf("all is well\n");
    return 0;
}
