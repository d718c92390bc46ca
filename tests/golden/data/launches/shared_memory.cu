// Kernels with shared memory that the launch asks for, that the code has, both, none, and through a
// generic address; and one whose parameters are of all sizes. Made into shared_memory.fatbin by
//   nvcc -fatbin -Xfatbin -compress-all shared_memory.cu -gencode arch=compute_75,code=sm_75 ...
// for sm_75, sm_87, sm_90 and sm_120.
extern "C" __global__ void dynamic_memory(const float *a, float *o)
{
  extern __shared__ float s[];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void static_memory(const float *a, float *o)
{
  __shared__ float s[64];
  s[threadIdx.x & 63] = a[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[63 - (threadIdx.x & 63)];
}

extern "C" __global__ void both_memories(const float *a, float *o)
{
  __shared__ float s[64];
  extern __shared__ float d[];
  s[threadIdx.x & 63] = a[threadIdx.x];
  d[threadIdx.x] = a[threadIdx.x + 1];
  __syncthreads();
  o[threadIdx.x] = s[63 - (threadIdx.x & 63)] + d[threadIdx.x ^ 5];
}

extern "C" __global__ void no_memory(const float *a, float *o)
{
  o[threadIdx.x] = a[threadIdx.x];
}

extern "C" __global__ void generic_memory(const float *a, float *o, int i)
{
  extern __shared__ float s[];
  float *p = i ? s : o;
  p[threadIdx.x] = a[threadIdx.x];
}

extern "C" __global__ void sizes(char c, char d, short h, int n, long long l, const float *a,
                                 float *o, char e)
{
  float s = c + d + h + e;
#pragma unroll 1
  for (int i = 0; i < n; i++)
    s += a[i] + (float)l;
  o[threadIdx.x] = s;
}
