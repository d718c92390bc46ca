/* A bound that nobody has to believe: bounds a makespan, writes the certificate of the upper end
 * and a schedule that reaches the lower one, and has both checked. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <warpbound.h>

/* Checks a file's text and prints the verdict; false where there is none. */
static bool check(const char *name, const char *text, warpbound_error *error)
{
  warpbound_verdict *verdict;
  char *words = NULL;
  warpbound_status status = warpbound_verify(name, text, strlen(text), NULL, &verdict, error);
  if (verdict != NULL)
    status = warpbound_verdict_text(verdict, &words, error);
  if (words != NULL)
    printf("%s: %s", name, words);
  warpbound_text_free(words);
  warpbound_verdict_free(verdict);
  return status == WARPBOUND_OK;
}

/* Writes both proofs of a result and checks them. */
static bool prove(const warpbound_result *result, warpbound_error *error)
{
  char *certificate = NULL;
  char *schedule = NULL;
  uint64_t cycles;
  bool proven =
      warpbound_result_certificate(result, &certificate, &cycles, error) == WARPBOUND_OK &&
      warpbound_result_schedule(result, &schedule, error) == WARPBOUND_OK;
  if (proven)
    printf("%s\nits certificate proves %" PRIu64 " cycles\n", certificate, cycles);
  proven = proven && check("certificate", certificate, error) && check("schedule", schedule, error);
  warpbound_text_free(certificate);
  warpbound_text_free(schedule);
  return proven;
}

int main(void)
{
  const warpbound_options options = {.time_limit = 60, .certify = true};
  warpbound_error error = {0};
  warpbound_sm *sm = NULL;
  warpbound_instance *instance = NULL;
  warpbound_result *result = NULL;
  bool proven = false;
  if (warpbound_sm_create("L=1,C=4", 0, 1, &sm, &error) == WARPBOUND_OK &&
      warpbound_instance_on("5L9C2L9C", sm, 4, 1, &instance, &error) == WARPBOUND_OK)
    (void)warpbound_makespan(instance, &options, &result, &error);
  if (result != NULL) {
    printf("%" PRIu64 " to %" PRIu64 " cycles for %" PRIu32 " warps\n",
           warpbound_result_lower(result).cycles, warpbound_result_upper(result).cycles,
           warpbound_result_warps(result));
    proven = prove(result, &error);
  }
  if (!proven)
    printf("%s\n", error.message);
  warpbound_result_free(result);
  warpbound_instance_free(instance);
  warpbound_sm_free(sm);
  return proven ? 0 : 1;
}
