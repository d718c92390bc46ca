// A block that ends in a loop with barriers where a number that all its threads load says so.
//   nvcc -arch=sm_75 -cubin -o lists.sm_75.cubin lists.cu     (CUDA 13.0; sm_87)
extern "C" __global__ void scans(float *out, const float *in, const int *lists, int count)
{
  __shared__ float shared[128];
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < count; k++) {
    const int list = lists[blockIdx.x * count + k];
    if (list < 0)
      return;
    shared[threadIdx.x] = in[list + threadIdx.x];
    __syncthreads();
    sum += shared[127 - threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = sum;
    __syncthreads();
  }
}
