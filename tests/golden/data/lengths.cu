// A loop whose limit is loaded, one that retries, and a call of code outside; compiled by
//   nvcc -arch=sm_87 -cubin -o lengths.sm_87.cubin lengths.cu
#include <cstdio>

extern "C" __global__ void rows(const int *lengths, const float *values, float *sums)
{
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	const int length = lengths[row];
	float sum = 0;
#pragma unroll 1
	for (int i = 0; i < length; i++)
		sum += values[32 * i + row];
	sums[row] = sum;
}

extern "C" __global__ void largest(int *most, const int *values)
{
	const int value = values[threadIdx.x];
	int before = *most;
	while (before < value) {
		const int found = atomicCAS(most, before, value);
		if (found == before)
			break;
		before = found;
	}
}

extern "C" __global__ void report(const int *values)
{
	if (values[threadIdx.x] < 0)
		printf("%d\n", threadIdx.x);
}
