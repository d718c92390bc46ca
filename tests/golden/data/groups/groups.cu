// Barriers of parts of a block, and of the whole grid: named barriers with counts, by all warps and by some; tiles and
// blocks of cooperative groups, also in a function that is called; a grid. nvcc -arch=sm_87 -cubin.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ __noinline__ void pass(int *s, int i)
{
  cg::this_thread_block().sync();
  s[i] += s[i ^ 1];
  cg::this_thread_block().sync();
}
extern "C" {
__global__ void __launch_bounds__(128) named_by_all(int *a)
{
  __shared__ int s[128];
  s[threadIdx.x] = a[threadIdx.x];
  asm volatile("bar.sync 3, 128;" ::: "memory");
  a[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void __launch_bounds__(128) named_by_pairs(int *a)
{
  __shared__ int s[128];
  s[threadIdx.x] = a[threadIdx.x];
  if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  a[threadIdx.x] = s[threadIdx.x ^ 63];
}
__global__ void __launch_bounds__(128) producer(int *a)
{
  __shared__ int s[64];
  if (threadIdx.x < 64) {
    s[threadIdx.x] = a[threadIdx.x];
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    a[threadIdx.x] = s[threadIdx.x - 64];
  }
}
__global__ void tiles(int *a)
{
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int x = a[threadIdx.x];
  for (int k = 8; k > 0; k >>= 1)
    x += tile.shfl_down(x, k);
  tile.sync();
  a[threadIdx.x] = x;
}
__global__ void block_by_call(int *a, int n)
{
  __shared__ int s[1024];
  s[threadIdx.x] = a[threadIdx.x];
  for (int i = 0; i < n; i++)
    pass(s, threadIdx.x);
  a[threadIdx.x] = s[threadIdx.x];
}
__global__ void whole_grid(int *a, int n)
{
  for (int i = 0; i < n; i++) {
    a[blockIdx.x * blockDim.x + threadIdx.x] += i;
    cg::this_grid().sync();
  }
}
}
