// Warps that end before barriers of others: in phases, and before a loop with barriers.
// nvcc -O3 -cubin -arch=sm_87, of which early_ends.sm_87.cubin is.
extern "C" __global__ void in_phases(float *out, const float *in, int n)
{
  __shared__ float shared[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  shared[threadIdx.x] = in[i];
  __syncthreads();
  const float value = shared[255 - threadIdx.x];
  __syncthreads();
  shared[threadIdx.x] = value * 2;
  __syncthreads();
  out[i] = shared[threadIdx.x ^ 1];
}

extern "C" __global__ void before_loop(float *out, const float *in, int n, int rounds)
{
  __shared__ float shared[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < rounds; k++) {
    shared[threadIdx.x] = in[i + k * n];
    __syncthreads();
    sum += shared[255 - threadIdx.x];
    __syncthreads();
  }
  out[i] = sum;
}
