// Kernels that call what only the driver has:
//   nvcc -arch=sm_75 -cubin -o checked.sm_75.cubin checked.cu     (CUDA 13.0; sm_120)
#include <cassert>
#include <cstdio>

// The number that bounds the second loop is kept over the calls of the first one.
extern "C" __global__ void asserts(float *numbers, int count, int more)
{
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; i++) {
    assert(numbers[i] > 0);
    sum += numbers[i];
  }
#pragma unroll 1
  for (int i = 0; i < more; i++)
    numbers[i + threadIdx.x] *= sum;
}

extern "C" __global__ void prints(float *numbers, int count)
{
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; i++) {
    if (numbers[i] < 0)
      printf("%d\n", i);
    sum += numbers[i];
  }
  numbers[threadIdx.x] = sum;
}

extern "C" __global__ void allocates(float *numbers, int count)
{
  float *copy = (float *)malloc(count * sizeof *copy);
#pragma unroll 1
  for (int i = 0; i < count; i++)
    copy[i] = numbers[i];
#pragma unroll 1
  for (int i = 0; i < count; i++)
    numbers[threadIdx.x] += copy[i];
  free(copy);
}
