/* Loops with bounds beside them that are below what the compiled code shows, or above. */
extern "C" __global__ void sum(float *out, const float *in)
{
	float s = 0;
#pragma unroll 1
	for (int i = 0; i < 100; i++) // loopbound 10
		s += in[i];
	out[threadIdx.x] = s;
}

extern "C" __global__ void some(float *out, const float *in, int n)
{
	float s = 0;
	n = n < 100 ? n : 100;
#pragma unroll 1
	for (int i = 0; i < n; i++) // loopbound 10
		s += in[i];
	out[threadIdx.x] = s;
}

extern "C" __global__ void operators(float *out, const float *in, int n)
{
	float s = 0;
	_Pragma("unroll 1") for (int i = 0; i < n; i++) // loopbound 20
		s += in[i];
	_Pragma("unroll 1") // loopbound 30
	for (int i = 0; i < n; i++)
		s *= in[i];
	out[threadIdx.x] = s;
}

__device__ __noinline__ float total(const float *in, int n)
{
	float s = 0;
#pragma unroll 1
	for (int i = 0; i < 50; i++)
#pragma unroll 1
		for (int k = 0; k < 8; k++)
			s += in[i * n + k];
	return s;
}

__global__ void both(float *out, const float *in, int n)
{
	out[threadIdx.x] = total(in, n) + total(in + n, 2 * n);
}
