/* A bound of a parameter that has no sign. nvcc -lineinfo -arch=sm_87 -cubin */
extern "C" __global__ void signs(const volatile unsigned *a, unsigned *o, unsigned n)
{
	unsigned s = 0;
	// warpbound: loop <= n / 2
	while (s != 77 && a[s] < n)
		s += a[2 * s];
	*o = s;
}
