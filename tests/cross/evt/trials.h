/* Many trials, each from a seed of its own, shared out among threads. */
#ifndef TESTS_CROSS_EVT_TRIALS_H
#define TESTS_CROSS_EVT_TRIALS_H

#include <stddef.h>
#include <stdint.h>

#define TRIAL_RESULTS 12

/* Fills the results of one trial, which are NAN before. Called from several threads. */
typedef void trial_function(const void *context, uint64_t seed, double results[TRIAL_RESULTS]);

/* Runs trials with the seeds first_seed .. first_seed + count - 1 on `threads` threads, and returns
 * their results, one row of TRIAL_RESULTS by trial. The caller frees. */
double (*run_trials(trial_function *trial, const void *context, size_t count, uint64_t first_seed,
                    unsigned threads))[TRIAL_RESULTS];

/* The share of trials, of those whose result is not NAN, with a result of at most `limit`; NAN
 * where there is none. */
double share_at_most(double (*rows)[TRIAL_RESULTS], size_t count, size_t result, double limit);

/* The mean of a result, of the trials where it is not NAN. */
double mean_result(double (*rows)[TRIAL_RESULTS], size_t count, size_t result);

#endif
