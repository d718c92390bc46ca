// Launches that may overlap: each waits for the one before and lets the next one begin.
// nvcc -O3 -cubin -arch=sm_90, of which dependents.sm_90.cubin is; -arch=sm_120 the other.
extern "C" __global__ void waits(float *out, const float *in)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  out[i] = in[i] * 2;
}

extern "C" __global__ void waits_and_starts(float *out, const float *in)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
  out[i] = in[i] * 2;
}
