// Functions in sections of their own (-rdc=true, linked): called once and twice, in a loop, with a barrier, from another
// one, by a part of the lanes, by itself, and by a pointer.
__device__ __noinline__ int sum(int *a, int n)
{
  int s = 0;
#pragma unroll 1
  for (int i = 0; i < 10; i++)
    s += a[i * n];
  return s;
}
__device__ __noinline__ void step(int *s, int k)
{
  if (threadIdx.x < k)
    s[threadIdx.x] += s[threadIdx.x + k];
  __syncthreads();
}
__device__ __noinline__ int both(int *a, int n) { return sum(a, n) + sum(a + 1, n); }
__device__ __noinline__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1) + (n & 1 ? factorial(n - 3) : 0); }
extern __device__ int (*table[2])(int *, int);
__device__ int (*table[2])(int *, int) = {sum, both};
extern "C" {
__global__ void one_call(int *a, int n) { a[threadIdx.x] = sum(a, n); }
__global__ void nested(int *a, int n)
{
  for (int i = 0; i < n; i++)
    a[threadIdx.x] += both(a + i, n);
}
__global__ void with_barrier(int *a, int n)
{
  __shared__ int s[256];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1)
    step(s, k);
  a[threadIdx.x] = s[0];
}
__global__ void of_some(int *a, int n)
{
  if (threadIdx.x < 7)
    a[threadIdx.x] = sum(a, n);
}
__global__ void recursive(int *a, int n) { a[threadIdx.x] = factorial(a[threadIdx.x] & 7); }
__global__ void by_pointer(int *a, int n) { a[threadIdx.x] = table[n & 1](a, n); }
}
