// Recursive functions, as nvcc -arch=sm_75 -cubin -o recursion.sm_75.cubin recursion.cu compiles them (CUDA 13.0; sm_87).
__device__ __noinline__ int fib(int n)
{
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ __noinline__ float sum(const float *x, int n)
{
  if (n <= 0)
    return 0;
  const float rest = sum(x, n - 1);
  return rest * 0.5f + x[n];
}
__device__ int odd(int n);
__device__ __noinline__ int even(int n) { return n == 0 ? 1 : odd(n - 1) ^ n; }
__device__ __noinline__ int odd(int n) { return n == 0 ? 0 : even(n - 1) * 3; }
extern "C" __global__ void fibs(int *x) { x[threadIdx.x] = fib(x[threadIdx.x]); }
extern "C" __global__ void sums(float *x, int n) { x[threadIdx.x] = sum(x, n); }
extern "C" __global__ void parity(int *x, int n) { x[threadIdx.x] = even(n); }
