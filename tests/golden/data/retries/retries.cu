// Loops that compare and swap until they succeed: as compilers make them of atomics on types that
// the hardware does not add, and as people write them.
#include <cuda_fp16.h>

extern "C" {

__global__ void histogram(float *total, const int *bin)
{
  __shared__ float sums[32];
  sums[threadIdx.x & 31] = 0;
  __syncthreads();
  atomicAdd(&sums[bin[threadIdx.x] & 31], 1.0f);
  __syncthreads();
  if (threadIdx.x < 32)
    total[threadIdx.x] = sums[threadIdx.x];
}

__global__ void multiply(unsigned long long *product, const unsigned long long *factor)
{
  unsigned long long old = *product, seen;
  do {
    seen = old;
    old = atomicCAS(product, seen, seen * factor[threadIdx.x]);
  } while (seen != old);
}

__global__ void most(float *greatest, const float *value, int n)
{
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int *word = (int *)greatest;
    int old = *word, seen;
    do {
      seen = old;
      if (__int_as_float(seen) >= value[i])
        break;
      old = atomicCAS(word, seen, __float_as_int(value[i]));
    } while (seen != old);
  }
}

// A lock is no such loop: whoever holds it may keep it.
__global__ void lock(int *held, int *count)
{
  while (atomicCAS(held, 0, 1) != 0)
    ;
  ++*count;
  atomicExch(held, 0);
}
}
