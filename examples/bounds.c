/* Ten lines over the library: how long can 4 warps of a kernel take at most? */
#include <stdio.h>
#include <warpbound.h>

int main(void)
{
  warpbound_error error;
  warpbound_instance *instance;
  warpbound_result *result = NULL;
  if (warpbound_instance_create("5L9C2L9C", "L=1,C=4", 0, 1, 4, &instance, &error) ==
          WARPBOUND_OK &&
      warpbound_makespan(instance, NULL, &result, &error) == WARPBOUND_OK)
    printf("at most %llu cycles (%s)\n", (unsigned long long)warpbound_result_upper(result).cycles,
           warpbound_kind_name(warpbound_result_upper(result).kind));
  else
    printf("%s\n", error.message);
  const int failed = result == NULL;
  warpbound_result_free(result);
  warpbound_instance_free(instance);
  return failed;
}
