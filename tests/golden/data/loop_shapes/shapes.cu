// Shapes of loops, for tests/golden/wcet/loop_shapes.test. Made by nvcc 13.0 in this folder:
//   PWD=/proc/self/cwd nvcc -frandom-seed 7 -arch=sm_75 -cubin -o shapes.sm_75.cubin shapes.cu
extern "C" {
__global__ void lowest_bits(const unsigned *p, float *a)
{
  float s = 0;
  for (unsigned m = p[threadIdx.x]; m; m &= m - 1)
    s += a[__ffs(m) - 1];
  a[threadIdx.x] = s;
}

__global__ void highest_bits(const unsigned *p, float *a)
{
  float s = 0;
  for (unsigned m = p[threadIdx.x] & 0xffff; m; m &= ~(1u << (31 - __clz(m))))
    s += a[31 - __clz(m)];
  a[threadIdx.x] = s;
}

__global__ void toggled_bits(const unsigned *p, float *a)
{
  float s = 0;
  for (unsigned m = p[threadIdx.x]; m; m ^= 1u << (__ffs(m) - 1))
    s += a[__ffs(m) - 1];
  a[threadIdx.x] = s;
}

__global__ void ballot_bits(const unsigned *p, float *a)
{
  float s = 0;
  for (unsigned m = __ballot_sync(~0u, p[threadIdx.x] > 5); m; m &= m - 1)
    s += a[__ffs(m) - 1];
  a[threadIdx.x] = s;
}

__global__ void triangle(int n, float *a)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      s += a[i * n + j];
  a[threadIdx.x] = s;
}

__global__ void own_length(const int *lengths, float *a)
{
  float s = 0;
  for (int i = 0; i < (lengths[threadIdx.x] & 63); i++)
    s += a[i];
  a[threadIdx.x] = s;
}

__global__ void thread_length(float *a)
{
  float s = 0;
  for (int i = 0; i < threadIdx.x; i++)
    s += a[i];
  a[threadIdx.x] = s;
}
}
