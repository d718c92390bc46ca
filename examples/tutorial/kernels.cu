/* Twelve kernels of the kind that real-time engineers write, for doc/launches/tutorial.md. */
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#define TILE 16

/* 1. C = A B, square tiles in shared memory. n is a multiple of TILE. */
extern "C" __global__ void gemm(float *c, const float *a, const float *b, int n)
{
	__shared__ float as[TILE][TILE], bs[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y;
	int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
	float sum = 0;
	for (int t = 0; t < n; t += TILE) {
		as[y][x] = a[row * n + t + x];
		bs[y][x] = b[(t + y) * n + column];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += as[y][k] * bs[k][x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}

/* 2. For each pixel the shift with the least sum of absolute differences over a window. */
extern "C" __global__ void stereo(unsigned char *disparity, const unsigned char *left, const unsigned char *right, int width,
                                  int height, int shifts, int radius)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= width - radius || y >= height - radius || x < radius + shifts || y < radius)
		return;
	int best = 0, least = 1 << 30;
	for (int d = 0; d < shifts; d++) {
		int cost = 0;
		for (int j = -radius; j <= radius; j++)
			for (int i = -radius; i <= radius; i++)
				cost += abs(left[(y + j) * width + x + i] - right[(y + j) * width + x + i - d]);
		if (cost < least) {
			least = cost;
			best = d;
		}
	}
	disparity[y * width + x] = (unsigned char)best;
}

/* 3. A 5 x 5 filter with its weights in constant memory; pixels outside count as 0. */
__constant__ float weights[25];

extern "C" __global__ void convolve(float *out, const float *in, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= width || y >= height)
		return;
	float sum = 0;
	for (int j = -2; j <= 2; j++)
		for (int i = -2; i <= 2; i++)
			if (x + i >= 0 && x + i < width && y + j >= 0 && y + j < height)
				sum += weights[(j + 2) * 5 + i + 2] * in[(y + j) * width + x + i];
	out[y * width + x] = sum;
}

/* 4. A histogram of bytes: one of each block in shared memory, then added to that of all. */
extern "C" __global__ void histogram(unsigned *bins, const unsigned char *values, int n)
{
	__shared__ unsigned own[256];
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		own[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&own[values[i]], 1);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		atomicAdd(&bins[i], own[i]);
}

/* 5. Prefix sums of one block's values (Hillis and Steele). */
extern "C" __global__ void scan(int *out, const int *in)
{
	__shared__ int sums[256];
	int t = threadIdx.x;
	sums[t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (int d = 1; d < 256; d *= 2) {
		int before = t >= d ? sums[t - d] : 0;
		__syncthreads();
		sums[t] += before;
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sums[t];
}

/* 6. Softmax of a row, one warp a row, with shuffles. */
extern "C" __global__ void softmax(float *out, const float *in, int columns)
{
	int row = blockIdx.x * blockDim.y + threadIdx.y;
	const float *from = in + row * columns;
	float most = -1e30f, sum = 0;
	for (int i = threadIdx.x; i < columns; i += 32)
		most = fmaxf(most, from[i]);
	for (int d = 16; d > 0; d /= 2)
		most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
	for (int i = threadIdx.x; i < columns; i += 32)
		sum += __expf(from[i] - most);
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_xor_sync(~0u, sum, d);
	for (int i = threadIdx.x; i < columns; i += 32)
		out[row * columns + i] = __expf(from[i] - most) / sum;
}

/* 7. A particle falls until it leaves the box: nothing in the code says after how many steps. */
extern "C" __global__ void particles(float2 *place, const float2 *speed, float edge)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float2 p = place[i], v = speed[i];
	while (p.x > -edge && p.x < edge && p.y > -edge) { // loopbound 200
		v.y -= 0.0981f;
		p.x += 0.01f * v.x;
		p.y += 0.01f * v.y;
	}
	place[i] = p;
}

/* 8. y = A x of a sparse matrix in rows: the lengths of rows are data. */
extern "C" __global__ void spmv(float *y, const int *start, const int *column, const float *value, const float *x, int rows)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= rows)
		return;
	float sum = 0;
	for (int k = start[row]; k < start[row + 1]; k++) // loopbound 64
		sum += value[k] * x[column[k]];
	y[row] = sum;
}

/* 9. A radix-2 FFT of 512 points in shared memory, one block of 256 threads each. */
extern "C" __global__ void fft(float2 *data)
{
	__shared__ float2 s[512];
	int t = threadIdx.x;
	float2 *own = data + blockIdx.x * 512;
	s[__brev(t) >> 23] = own[t];
	s[__brev(t + 256) >> 23] = own[t + 256];
	for (int half = 1; half < 512; half *= 2) {
		__syncthreads();
		int k = t & (half - 1);
		int i = (t - k) * 2 + k;
		float sine, cosine;
		__sincosf(-3.14159265f * k / half, &sine, &cosine);
		float2 a = s[i], b = s[i + half];
		float2 turned = {b.x * cosine - b.y * sine, b.x * sine + b.y * cosine};
		s[i] = {a.x + turned.x, a.y + turned.y};
		s[i + half] = {a.x - turned.x, a.y - turned.y};
	}
	__syncthreads();
	own[t] = s[t];
	own[t + 256] = s[t + 256];
}

/* 10. Rows through shared memory by asynchronous copies, one row ahead. */
extern "C" __global__ void pipeline(float *out, const float *in, int rows)
{
	__shared__ float stage[2][128];
	int t = threadIdx.x;
	float sum = 0;
	__pipeline_memcpy_async(&stage[0][t], &in[t], 4);
	__pipeline_commit();
	for (int r = 0; r < rows; r++) {
		if (r + 1 < rows)
			__pipeline_memcpy_async(&stage[(r + 1) & 1][t], &in[(r + 1) * 128 + t], 4);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += stage[r & 1][t] * stage[r & 1][127 - t];
		__syncthreads();
	}
	out[t] = sum;
}

/* 11. A function that is called. */
__device__ __noinline__ float root(float x)
{
	float r = x;
	for (int i = 0; i < 6; i++)
		r = 0.5f * (r + x / r);
	return r;
}

extern "C" __global__ void distances(float *out, const float2 *a, const float2 *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = a[i].x - b[i].x, y = a[i].y - b[i].y;
		out[i] = root(x * x + y * y) + root(a[i].x + 1.0f);
	}
}

/* 12. A median of nine in a local array. */
extern "C" __global__ void median(unsigned char *out, const unsigned char *in, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
		return;
	unsigned char v[9];
	int n = 0;
	for (int j = -1; j <= 1; j++)
		for (int i = -1; i <= 1; i++) {
			int at = n++;
			unsigned char now = in[(y + j) * width + x + i];
			while (at > 0 && v[at - 1] > now) {
				v[at] = v[at - 1];
				at--;
			}
			v[at] = now;
		}
	out[y * width + x] = v[4];
}
