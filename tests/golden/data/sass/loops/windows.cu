// Limits that come from floats and atomics: nvcc -arch=sm_87 -cubin -o windows.sm_87.cubin windows.cu
extern "C" __global__ void windows(float *out, const float *in, const float *centres, float radius)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = (int)floorf(centres[i] - radius);
  const int count = (int)(2 * radius * centres[i]);
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < count; k++)
    sum += in[first + k] * sum;
  out[i] = sum;
}

// As many as a double says, in 64 bits.
extern "C" __global__ void steps(float *out, const float *in, const double *lengths)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long count = (long long)lengths[i];
  float sum = 0;
#pragma unroll 1
  for (long long k = 0; k < count; k++)
    sum += in[k] * sum;
  out[i] = sum;
}

// Each thread takes its share of a list from an atomic.
extern "C" __global__ void shares(float *out, unsigned *next)
{
  const unsigned count = atomicAdd(next, 1u);
  float sum = 1;
#pragma unroll 1
  for (unsigned k = 0; k < count; k++)
    sum = sum * sum + 1;
  out[threadIdx.x] = sum;
}
