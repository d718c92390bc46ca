// Assertions on what bounds a loop and an index.
//   nvcc -arch=sm_75 -cubin -o sized.sm_75.cubin sized.cu     (CUDA 13.0; sm_120; sm_52: NVRTC 12.9, without the #include)
#include <cassert>

extern "C" __global__ void sized(float *out, const float *in, int size)
{
  float sum = 0;
  assert(size <= 64);
#pragma unroll 1
  for (int i = 0; i < size; i++)
    sum += in[i];
  out[threadIdx.x] = sum;
}

// What is loaded is checked.
extern "C" __global__ void picks(float *out, const float *in, const int *count)
{
  const int size = count[blockIdx.x];
  float sum = 0;
  assert(size >= 0 && size < 100);
#pragma unroll 1
  for (int i = 0; i < size; i++)
    sum += in[i];
  out[threadIdx.x] = sum;
}

// Never fails where size is what it is.
extern "C" __global__ void known(float *out, const float *in, int size)
{
  assert(size < 32);
  out[threadIdx.x] = in[size];
}
