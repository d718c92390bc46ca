// Loops within functions of doubles, for tests/golden/wcet/floats.test:
//   nvcc -cubin -arch=sm_87 -o sine.sm_87.cubin sine.cu, and so for sm_120
// For large x the words of 2 / pi that matter: four, from the place that the exponent says.
extern "C" __global__ void sine(double *out, const double *in)
{
  out[threadIdx.x] = sin(in[threadIdx.x]);
}

// From one exponent down to the other.
extern "C" __global__ void rest(double *out, const double *in)
{
  out[threadIdx.x] = fmod(in[threadIdx.x], 3.0);
}
