/* The public header from C++: it compiles, links and answers. */
#include <warpbound.h>

#include <cstdio>

int main()
{
  warpbound_error error;
  warpbound_instance *instance = nullptr;
  warpbound_result *result = nullptr;
  bool right = warpbound_instance_create("LCL", "L=1,C=1", 0, 1, 2, &instance, &error) == WARPBOUND_OK &&
               warpbound_makespan(instance, nullptr, &result, &error) == WARPBOUND_OK &&
               warpbound_result_upper(result).cycles == 4;
  std::printf("1..1\n%s 1 - LCL with 2 warps takes 4 cycles\n", right ? "ok" : "not ok");
  warpbound_result_free(result);
  warpbound_instance_free(instance);
  return right ? 0 : 1;
}
