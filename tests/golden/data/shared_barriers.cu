// Loops around barriers that end by what a block shares, and barriers of a part of its warps.
extern "C" {
__global__ void by_reduction(int *a, int n)
{
  for (int i = 0; i < n; i++) {
    if (__syncthreads_count(a[threadIdx.x] > i) == 0)
      return;
    a[threadIdx.x]--;
  }
}
__global__ void by_shared(int *a, int n)
{
  __shared__ int flag;
  for (int i = 0; i < n; i++) {
    if (threadIdx.x == 0)
      flag = a[i];
    __syncthreads();
    if (flag < 0)
      break;
    a[threadIdx.x] += flag;
    __syncthreads();
  }
}
__global__ void by_read_only(const int *__restrict__ o, int n, int *a)
{
  for (int i = 0; i < n; i++) {
    if (o[i] < 0)
      return;
    a[threadIdx.x] += i;
    __syncthreads();
  }
}
__global__ void by_thread(int *a, int n)
{
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      return;
    a[threadIdx.x + 1] += i;
    __syncthreads();
  }
}
__global__ void of_half(int *a, int n)
{
  __shared__ int s[128];
  if (threadIdx.x < 128) {
    s[threadIdx.x] = a[threadIdx.x];
    asm volatile("bar.sync 1, 128;" ::: "memory");
    a[threadIdx.x] = s[127 - threadIdx.x];
  }
  __syncthreads();
}
}
