// nvcc -O3 -cubin -arch=sm_87 -o neighbours.sm_87.cubin neighbours.cu
// Means of a point and its eight neighbours, of 512 x 512 numbers, by blocks of 32 x 8.
#define N 512

extern "C" __global__ void neighbours(const float *in, float *out)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	float sum = 0;
#pragma unroll
	for (int i = -1; i <= 1; i++)
#pragma unroll
		for (int j = -1; j <= 1; j++)
			sum += in[min(max(y + i, 0), N - 1) * N + min(max(x + j, 0), N - 1)];
	out[y * N + x] = sum / 9;
}
