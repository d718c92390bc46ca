// Kernels of the table of doc/launches/series.md, beside those of kernels.cu, for bench/kept_data/table.py.

extern "C" __global__ void vector_add(const float *a, const float *b, float *c)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	if (i < 1000000)
		c[i] = a[i] + b[i];
}

extern "C" __global__ void saxpy(float k, const float *x, float *y)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	y[i] = k * x[i] + y[i];
}

// Of 4 bytes a thread.
extern "C" __global__ void histogram(const unsigned *in, unsigned *out)
{
	__shared__ unsigned bins[256];
	bins[threadIdx.x] = 0;
	__syncthreads();
	unsigned four = in[blockIdx.x * 256 + threadIdx.x];
#pragma unroll
	for (int k = 0; k < 4; k++)
		atomicAdd(&bins[four >> 8 * k & 255], 1u);
	__syncthreads();
	atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// Running sums of 256 each.
extern "C" __global__ void scan(const float *in, float *out)
{
	__shared__ float part[2][256];
	int x = threadIdx.x, now = 0;
	part[0][x] = in[blockIdx.x * 256 + x];
	__syncthreads();
#pragma unroll
	for (int step = 1; step < 256; step *= 2) {
		part[1 - now][x] = x >= step ? part[now][x] + part[now][x - step] : part[now][x];
		now = 1 - now;
		__syncthreads();
	}
	out[blockIdx.x * 256 + x] = part[now][x];
}

// A polynomial of degree 33, its coefficients from memory.
extern "C" __global__ void horner(const float *coefficient, const float *in, float *out)
{
	int i = blockIdx.x * 128 + threadIdx.x;
	float x = in[i], sum = coefficient[33];
#pragma unroll 1
	for (int k = 32; k >= 0; k--)
		sum = sum * x + coefficient[k];
	out[i] = sum;
}

// 48 KiB of shared memory a block.
extern "C" __global__ void large_shared(const float *in, float *out)
{
	__shared__ float tile[12288];
	int x = threadIdx.x;
#pragma unroll 4
	for (int k = 0; k < 12288; k += 256)
		tile[k + x] = in[blockIdx.x * 12288 + k + x];
	__syncthreads();
	float sum = 0;
#pragma unroll 4
	for (int k = 0; k < 48; k++)
		sum += tile[(x + k * 256) % 12288];
	out[blockIdx.x * 256 + x] = sum;
}
