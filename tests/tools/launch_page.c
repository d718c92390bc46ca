/* The page on a launch made by hand, on standard output, for scripts/test-browser: on a listing
 * with its source, or with a hostile text in the place of all that comes from the input.
 * The word "unbounded" behind these: as if facts were missing.
 * usage: WARPBOUND_SOURCE=ROOT launch_page LISTING [SOURCE [HOSTILE [unbounded]]] */
#include "launches/made_launch.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words)
{
  struct made_launch made;
  struct wb_text text = {0};
  if (count < 2 || getenv("WARPBOUND_SOURCE") == NULL)
    return 2;
  made_launch_start(&made, words[1], count > 2 && words[2][0] != '\0' ? words[2] : NULL);
  if (count > 3 && words[3][0] != '\0')
    made_launch_turn_hostile(&made, words[3]);
  if (count > 4)
    made.launch.analysis.upper.cycles = 0;
  wb_analyze_page(&made.report, &text);
  if (!text.failed)
    fwrite(text.data, 1, text.length, stdout);
  const int status = text.failed ? 1 : 0;
  wb_text_free(&text);
  made_launch_free(&made);
  return status;
}
