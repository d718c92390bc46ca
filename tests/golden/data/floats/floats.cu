// Loops whose limits go through floats, for tests/golden/wcet/floats.test:
//   nvcc -cubin -arch=sm_87 -o floats.sm_87.cubin floats.cu
// A limit that grows with the row, by a float of the launch.
extern "C" __global__ void ellipse(float *out, int rows, float radius)
{
  const int row = blockIdx.x;
  if (row >= rows)
    return;
  const int limit = static_cast<int>(ceilf((4 * row + 1) * radius));
#pragma unroll 1
  for (int i = threadIdx.x; i <= limit; i += blockDim.x)
    out[i] = i * radius;
}

// A limit that is loaded and clamped.
extern "C" __global__ void clamped(float *out, const float *in)
{
  const int limit = static_cast<int>(fminf(fmaxf(in[threadIdx.x], 0.0f), 100.0f));
#pragma unroll 1
  for (int i = 0; i < limit; i++)
    out[i] = threadIdx.x;
}

// One that is a double.
extern "C" __global__ void counted(double *out, double end)
{
#pragma unroll 1
  for (double x = 0; x < end; x += 0.5)
    out[threadIdx.x] += x;
}
