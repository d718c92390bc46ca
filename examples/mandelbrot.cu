// Mandelbrot: a loop with an early break, on floating-point data.

extern "C" __global__ void mandelbrot(int *out, float step)
{
	float cx = threadIdx.x * step - 2.0f, cy = blockIdx.x * step - 1.0f;
	float x = 0.0f, y = 0.0f;
	int i;

#pragma unroll 1
	for (i = 0; i < 255; i++) { // loopbound 255
		float xx = x * x, yy = y * y;
		if (xx + yy > 4.0f)
			break;
		y = 2.0f * x * y + cy;
		x = xx - yy + cx;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = i;
}
