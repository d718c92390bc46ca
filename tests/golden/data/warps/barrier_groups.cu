/* nvcc -cubin -arch=sm_75 -o barrier_groups.sm_75.cubin barrier_groups.cu, and so for sm_87 and sm_120: barriers with a count
 * of threads, of the whole block, of groups of its warps, and of producers and consumers. Blocks of 128 threads. */
#define SYNC(number, threads) asm volatile("bar.sync %0, " #threads ";" ::"r"(number) : "memory")
#define ARRIVE(number, threads) asm volatile("bar.arrive %0, " #threads ";" ::"r"(number) : "memory")

/* The count is that of the block. */
extern "C" __global__ void whole(float *a, int n)
{
  __shared__ float s[128];
  for (int i = 0; i < n; i++) {
    s[threadIdx.x] = a[threadIdx.x + i * 128];
    SYNC(1, 128);
    a[threadIdx.x + i * 128] = s[127 - threadIdx.x];
    SYNC(2, 128);
  }
}

/* Two halves with loops of their own, and a barrier of all behind them. */
extern "C" __global__ void roles(float *a, int n)
{
  __shared__ float s[128];
  if (threadIdx.x < 64) {
    for (int i = 0; i < n; i++) {
      s[threadIdx.x] = a[threadIdx.x + i * 128];
      SYNC(1, 64);
      a[threadIdx.x + i * 128] = s[threadIdx.x ^ 63];
      SYNC(1, 64);
    }
  } else {
    for (int i = 0; i < 2 * n; i++) {
      s[threadIdx.x] = a[threadIdx.x + i * 128] + 1;
      SYNC(2, 64);
      a[threadIdx.x + i * 128] = s[threadIdx.x ^ 63] * 3;
      SYNC(2, 64);
    }
  }
  __syncthreads();
  a[threadIdx.x] = s[127 - threadIdx.x];
}

/* Groups whose barriers are named by a register. */
extern "C" __global__ void named(float *a, int n)
{
  __shared__ float s[128];
  const int group = threadIdx.x / 64 + 1;
  for (int i = 0; i < n; i++) {
    s[threadIdx.x] = a[threadIdx.x + i * 128];
    SYNC(group, 64);
    a[threadIdx.x + i * 128] = s[threadIdx.x ^ 63];
    SYNC(group, 64);
  }
}

/* One warp brings what three others take: they arrive and go on. */
extern "C" __global__ void relay(float *a, int n)
{
  __shared__ float s[32];
  const bool brings = threadIdx.x < 32;
  for (int i = 0; i < n; i++) {
    if (brings) {
      s[threadIdx.x] = a[threadIdx.x + i * 32];
      ARRIVE(1, 128);
      SYNC(2, 128);
    } else {
      SYNC(1, 128);
      a[threadIdx.x + i * 128] = s[threadIdx.x % 32];
      ARRIVE(2, 128);
    }
  }
}
