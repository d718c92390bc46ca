/* Loops of which a compiler makes several copies, with bounds in each form. */
#define WARPBOUND_LOOP(bound)

extern "C" __global__ void sum(const float *a, float *o, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += a[i] * s;
	o[threadIdx.x] = s;
}

extern "C" __global__ void claimed(const float *a, float *o, int n)
{
	float s = 0;
	// warpbound: loop <= n - 1
	for (int i = 0; i < n; i++)
		s += a[i] * s;
	WARPBOUND_LOOP(n / (4 * 8))
	for (int i = 0; i * i < n; i++) // the loop bound is not that of i
		s += a[2 * i] * s;
	/* loopbound: n.x */
	o[threadIdx.x] = s;
	// loop bound: 17
	o[threadIdx.x + 32] = s;
}

/* Two loops in one line, one inside the other: no line names one of them. */
extern "C" __global__ void nested(const float *a, float *o, int n)
{
	float s = 0;
#pragma unroll 1
	for (int i = 0; i < n; i++) { _Pragma("unroll 1") for (int k = 0; k < i; k++) s += a[k * i] * s; }
	o[threadIdx.x] = s;
}
