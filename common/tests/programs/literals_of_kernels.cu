// A kernel notes where it met something strange: __FILE__ and a sentence are pointers to literals, which lie in device memory. The
// host asks how long they are, and copies them.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <string>

struct Note {
  const char *file;
  const char *sentence;
  int line;
  int index;
};

__global__ void roots(float *values, int n, Note *note) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (values[i] >= 0)
    values[i] = sqrtf(values[i]);
  else if (atomicCAS(&note->line, 0, __LINE__) == 0) {
    note->file = __FILE__;
    note->sentence = "a negative number has no root";
    note->index = i;
  }
}

std::string text_of(const char *on_device) {
  CUdeviceptr begin = 0;
  size_t bytes = 0;
  if (cuMemGetAddressRange(&begin, &bytes, reinterpret_cast<CUdeviceptr>(on_device)) != CUDA_SUCCESS) return "";
  const size_t left = begin + bytes - reinterpret_cast<CUdeviceptr>(on_device);
  std::string text(left, '\0');
  if (cudaMemcpy(&text[0], on_device, left, cudaMemcpyDeviceToHost) != cudaSuccess) return "";
  return text.c_str();
}

int main() {
  const int n = 100;
  float host[n], *values;
  for (int i = 0; i < n; ++i) host[i] = i == 37 ? -1 : i;
  Note *note_on_device, note;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&note_on_device, sizeof note);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(note_on_device, 0, sizeof note);
  roots<<<1, 128>>>(values, n, note_on_device);
  cudaMemcpy(&note, note_on_device, sizeof note, cudaMemcpyDeviceToHost);
  const std::string file = text_of(note.file), sentence = text_of(note.sentence);
  const bool is_right = note.index == 37 && file == __FILE__ && sentence == "a negative number has no root";
  std::printf("%s in line %d of %s: %s\n", sentence.c_str(), note.line, file.substr(file.rfind('/') + 1).c_str(),
              is_right ? "right" : "WRONG");
  // Memory of the host is still none of the device's.
  const char local[] = "on the stack";
  char copy[sizeof local];
  const bool is_refused = cudaMemcpy(copy, local, sizeof local, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue;
  cudaGetLastError();
  cudaFree(values);
  cudaFree(note_on_device);
  return is_right && is_refused ? 0 : 1;
}
