// Kernels that the program has as text: NVRTC compiles them while it runs, and the driver API loads and launches them. One is a
// template, which the program asks for by an expression; one reads a constant that the host sets; a header is text, too.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define CHECK_CU(call)                                                                       \
    do {                                                                                     \
        const CUresult result = (call);                                                      \
        if (result != CUDA_SUCCESS) {                                                        \
            const char *name = nullptr;                                                      \
            cuGetErrorName(result, &name);                                                   \
            std::printf("%s:%d: %s gives %s\n", __FILE__, __LINE__, #call, name ? name : "?"); \
            return 1;                                                                        \
        }                                                                                    \
    } while (0)
#define CHECK_NVRTC(call)                                                                                      \
    do {                                                                                                       \
        const nvrtcResult result = (call);                                                                     \
        if (result != NVRTC_SUCCESS) {                                                                         \
            std::printf("%s:%d: %s gives %s\n", __FILE__, __LINE__, #call, nvrtcGetErrorString(result)); \
            return 1;                                                                                          \
        }                                                                                                      \
    } while (0)

static const char *header = "__device__ inline int clamped(int i, int n) { return i < n ? i : n - 1; }\n";

static const char *source = R"(
#include "clamped.h"
__constant__ float weights[3];
namespace filters {
template <typename T>
__global__ void scale(T *values, T factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= factor;
}
}
extern "C" __global__ void smooth(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = weights[1] * in[i];
    sum += weights[0] * in[i > 0 ? i - 1 : 0];
    sum += weights[2] * in[clamped(i + 1, n)];
    out[i] = sum + SHIFT;
}
)";

static int compile(std::string &image, std::string &scaleName)
{
    nvrtcProgram program;
    const char *headers[] = {header}, *names[] = {"clamped.h"};
    CHECK_NVRTC(nvrtcCreateProgram(&program, source, "filters.cu", 1, headers, names));
    CHECK_NVRTC(nvrtcAddNameExpression(program, "filters::scale<float>"));
    const char *options[] = {"--gpu-architecture=compute_90", "-DSHIFT=0.5f", "--std=c++17"};
    const nvrtcResult result = nvrtcCompileProgram(program, 3, options);
    size_t bytes = 0;
    CHECK_NVRTC(nvrtcGetProgramLogSize(program, &bytes));
    std::vector<char> log(bytes);
    CHECK_NVRTC(nvrtcGetProgramLog(program, log.data()));
    if (result != NVRTC_SUCCESS) {
        std::printf("%s: %s\n", nvrtcGetErrorString(result), log.data());
        return 1;
    }
    const char *name = nullptr;
    CHECK_NVRTC(nvrtcGetLoweredName(program, "filters::scale<float>", &name));
    scaleName = name;
    CHECK_NVRTC(nvrtcGetPTXSize(program, &bytes));
    image.resize(bytes);
    CHECK_NVRTC(nvrtcGetPTX(program, image.data()));
    CHECK_NVRTC(nvrtcDestroyProgram(&program));
    return 0;
}

/// A source with an error, and an option that there is not.
static int refusals()
{
    nvrtcProgram program;
    CHECK_NVRTC(nvrtcCreateProgram(&program, "__global__ void k(int *p) { *p = missing; }\n", "wrong.cu", 0, nullptr, nullptr));
    const char *unknown[] = {"--no-such-option"};
    if (nvrtcCompileProgram(program, 1, unknown) != NVRTC_ERROR_INVALID_OPTION) return std::printf("an unknown option is taken\n"), 1;
    if (nvrtcCompileProgram(program, 0, nullptr) != NVRTC_ERROR_COMPILATION) return std::printf("a wrong source is compiled\n"), 1;
    size_t bytes = 0;
    CHECK_NVRTC(nvrtcGetProgramLogSize(program, &bytes));
    std::vector<char> log(bytes);
    CHECK_NVRTC(nvrtcGetProgramLog(program, log.data()));
    if (!std::strstr(log.data(), "wrong.cu") || !std::strstr(log.data(), "missing")) return std::printf("the log says: %s\n", log.data()), 1;
    CHECK_NVRTC(nvrtcDestroyProgram(&program));
    return 0;
}

int main()
{
    std::string image, scaleName;
    if (compile(image, scaleName) || refusals()) return 1;

    CHECK_CU(cuInit(0));
    CUdevice device;
    CUcontext context;
    CHECK_CU(cuDeviceGet(&device, 0));
    CHECK_CU(cuDevicePrimaryCtxRetain(&context, device));
    CHECK_CU(cuCtxSetCurrent(context));

    // Loaded twice, the code has its constant twice.
    CUmodule module, second;
    char log[64] = "?";
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(size_t)sizeof log};
    CHECK_CU(cuModuleLoadDataEx(&module, image.data(), 2, options, values));
    CHECK_CU(cuModuleLoadData(&second, image.data()));
    CUfunction smooth, scale, none;
    CHECK_CU(cuModuleGetFunction(&smooth, module, "smooth"));
    CHECK_CU(cuModuleGetFunction(&scale, module, scaleName.c_str()));
    if (cuModuleGetFunction(&none, module, "noSuchKernel") != CUDA_ERROR_NOT_FOUND) return std::printf("a kernel that is not there is found\n"), 1;
    CUdeviceptr weights, otherWeights;
    size_t bytes = 0;
    CHECK_CU(cuModuleGetGlobal(&weights, &bytes, module, "weights"));
    CHECK_CU(cuModuleGetGlobal(&otherWeights, nullptr, second, "weights"));
    if (bytes != 3 * sizeof(float) || weights == otherWeights) return std::printf("the constant has %zu bytes\n", bytes), 1;
    const float ours[] = {0.25f, 0.5f, 0.25f}, others[] = {9, 9, 9};
    CHECK_CU(cuMemcpyHtoD(weights, ours, sizeof ours));
    CHECK_CU(cuMemcpyHtoD(otherWeights, others, sizeof others));
    CHECK_CU(cuModuleUnload(second));

    int n = 1000;
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = float(i % 17);
    CUdeviceptr from, to;
    CHECK_CU(cuMemAlloc(&from, n * sizeof(float)));
    CHECK_CU(cuMemAlloc(&to, n * sizeof(float)));
    CHECK_CU(cuMemcpyHtoD(from, in.data(), n * sizeof(float)));
    void *smoothArguments[] = {&from, &to, &n};
    CHECK_CU(cuLaunchKernel(smooth, (n + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, smoothArguments, nullptr));
    float factor = 4;
    void *scaleArguments[] = {&to, &factor, &n};
    CHECK_CU(cuLaunchKernel(scale, (n + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, scaleArguments, nullptr));
    CHECK_CU(cuMemcpyDtoH(out.data(), to, n * sizeof(float)));
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        const float left = in[i > 0 ? i - 1 : 0], right = in[i + 1 < n ? i + 1 : n - 1];
        wrong += out[i] != 4 * (0.25f * left + 0.5f * in[i] + 0.25f * right + 0.5f);
    }
    CHECK_CU(cuMemFree(from));
    CHECK_CU(cuMemFree(to));
    CHECK_CU(cuModuleUnload(module));
    CHECK_CU(cuDevicePrimaryCtxRelease(device));
    std::printf(wrong ? "%d of %d values are wrong\n" : "all values are right\n", wrong, n);
    return wrong != 0;
}
