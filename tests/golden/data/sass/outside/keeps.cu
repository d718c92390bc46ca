// Functions for which the compiler needs all registers, also across a call of code of another file:
//   nvcc -arch=sm_75 -rdc=true -cubin -o keeps.sm_75.cubin keeps.cu     (CUDA 13.0; sm_120)
extern __device__ float other(float);

// Values that stay in registers over a call.
__device__ float across(const float *numbers, int count)
{
  float value[100];
#pragma unroll
  for (int i = 0; i < 100; i++)
    value[i] = numbers[i * count];
  float sum = other(value[0]);
#pragma unroll
  for (int i = 0; i < 100; i++)
    sum = sum * value[i] + numbers[i];
  return sum;
}

// A function that calls nothing.
__device__ float leaf(const float *numbers, int count)
{
  float value[200], sum = 0;
#pragma unroll
  for (int i = 0; i < 200; i++)
    value[i] = numbers[i * count];
#pragma unroll
  for (int i = 0; i < 200; i++)
    sum = sum * value[i] + value[(i * 7 + 1) % 200];
  return sum;
}
