/* The main function of a unit test: apart, as tools use the helpers too. */
#include "unit.h"

int main(void)
{
  return unit_run();
}
