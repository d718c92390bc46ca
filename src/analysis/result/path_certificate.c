#include "analysis/result/path_certificate.h"

#include <stdlib.h>

void wb_path_certificate_free(struct wb_path_certificate *certificate)
{
  free(certificate->letters);
  free(certificate->maxima);
  *certificate = (struct wb_path_certificate){0};
}
