// Kernels whose data may stay in L2, for bench/kept_data/run.py: each buffer has 512 x 512 floats.

#define N 512

extern "C" __global__ void matrix_product(const float *a, const float *b, float *c)
{
	__shared__ float as[16][16], bs[16][16];
	int x = threadIdx.x, y = threadIdx.y;
	int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
	float sum = 0;
	for (int t = 0; t < N; t += 16) {
		as[y][x] = a[row * N + t + x];
		bs[y][x] = b[(t + y) * N + column];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++)
			sum += as[y][k] * bs[k][x];
		__syncthreads();
	}
	c[row * N + column] = sum;
}

extern "C" __global__ void stencil(const float *in, float *out)
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

__constant__ float table[25];

extern "C" __global__ void convolution(const float *in, float *out)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	float sum = 0;
#pragma unroll
	for (int i = 0; i < 5; i++)
#pragma unroll
		for (int j = 0; j < 5; j++)
			sum += table[5 * i + j] *
			       in[min(max(y + i - 2, 0), N - 1) * N + min(max(x + j - 2, 0), N - 1)];
	out[y * N + x] = sum;
}

extern "C" __global__ void transposition(const float *in, float *out)
{
	__shared__ float tile[32][33];
	int x = threadIdx.x, y = threadIdx.y;
#pragma unroll
	for (int k = 0; k < 32; k += 8)
		tile[y + k][x] = in[(blockIdx.y * 32 + y + k) * N + blockIdx.x * 32 + x];
	__syncthreads();
#pragma unroll
	for (int k = 0; k < 32; k += 8)
		out[(blockIdx.x * 32 + y + k) * N + blockIdx.y * 32 + x] = tile[x][y + k];
}

// Sums of 1024 each; out: 256 numbers.
extern "C" __global__ void reduction(const float *in, float *out)
{
	__shared__ float part[256];
	int x = threadIdx.x;
	float sum = 0;
#pragma unroll
	for (int k = 0; k < 4; k++)
		sum += in[blockIdx.x * 1024 + k * 256 + x];
	part[x] = sum;
	__syncthreads();
	for (int half = 128; half > 0; half /= 2) {
		if (x < half)
			part[x] += part[x + half];
		__syncthreads();
	}
	if (x == 0)
		out[blockIdx.x] = part[0];
}

// A block for each row, which it reads three times.
extern "C" __global__ void softmax(const float *in, float *out)
{
	__shared__ float part[128];
	int x = threadIdx.x, row = blockIdx.x * N;
	float most = in[row + x];
	for (int k = 128; k < N; k += 128)
		most = fmaxf(most, in[row + k + x]);
	part[x] = most;
	__syncthreads();
	for (int half = 64; half > 0; half /= 2) {
		if (x < half)
			part[x] = fmaxf(part[x], part[x + half]);
		__syncthreads();
	}
	most = part[0];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < N; k += 128)
		sum += __expf(in[row + k + x] - most);
	part[x] = sum;
	__syncthreads();
	for (int half = 64; half > 0; half /= 2) {
		if (x < half)
			part[x] += part[x + half];
		__syncthreads();
	}
	sum = part[0];
	for (int k = 0; k < N; k += 128)
		out[row + k + x] = __fdividef(__expf(in[row + k + x] - most), sum);
}
