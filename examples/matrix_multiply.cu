// Tiled matrix multiplication: shared-memory tiles, barriers, an outer loop over tiles
// bounded by a parameter, an inner one by a constant.

#define TILE 8

extern "C" __global__ void matrix_tiled(const float *a, const float *b, float *c, int tiles)
{
	__shared__ float as[TILE][TILE], bs[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y, n = tiles * TILE;
	int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
	float sum = 0.0f;

#pragma unroll 1
	for (int t = 0; t < tiles; t++) { // loopbound = tiles
		as[y][x] = a[row * n + t * TILE + x];
		bs[y][x] = b[(t * TILE + y) * n + column];
		__syncthreads();
#pragma unroll 1
		for (int k = 0; k < TILE; k++) // loopbound 8
			sum += as[y][k] * bs[k][x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}

// The edges are cut: loads and the store are guarded by divergent conditions.
extern "C" __global__ void matrix_tiled_edges(const float *a, const float *b, float *c, int n)
{
	__shared__ float as[TILE][TILE], bs[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y;
	int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
	float sum = 0.0f;

#pragma unroll 1
	for (int t = 0; t < n; t += TILE) { // loopbound = (n + 7) / 8
		if (row < n && t + x < n)
			as[y][x] = a[row * n + t + x];
		else
			as[y][x] = 0.0f;
		if (column < n && t + y < n)
			bs[y][x] = b[(t + y) * n + column];
		else
			bs[y][x] = 0.0f;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; k++) // loopbound 8
			sum += as[y][k] * bs[k][x];
		__syncthreads();
	}
	if (row < n && column < n)
		c[row * n + column] = sum;
}
