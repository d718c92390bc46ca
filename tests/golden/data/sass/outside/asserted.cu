// An assertion on an index that was loaded, before barriers.
//   nvcc -arch=sm_75 -cubin -o asserted.sm_75.cubin asserted.cu     (CUDA 13.0; sm_120; sm_52: NVRTC 12.9, without the #include)
#include <cassert>

extern "C" __global__ void gathers(float *out, const float *in, const int *index, int rounds, int size)
{
  __shared__ float shared[128];
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; r++) {
    const int at = index[r * 128 + threadIdx.x];
    assert(at >= 0 && at < size);
    shared[threadIdx.x] = in[at];
    __syncthreads();
    sum += shared[127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Each thread comes to the call.
extern "C" __global__ void always(float *out)
{
  out[threadIdx.x] = 1;
  assert(0);
}
