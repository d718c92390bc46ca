/* Words that people write: slips of the pen, names of functions. */
#include "base/text/demangle.h"
#include "base/text/nearest.h"
#include "unit.h"

/* The hint for a word of which those of a list, which NULL ends, would have been right. */
static const char *hint_of(const char *word, const char *const *candidates,
                           char buffer[WB_HINT_SIZE])
{
  struct wb_nearest nearest = wb_nearest_start(word);
  for (size_t i = 0; candidates[i] != NULL; i++)
    wb_nearest_offer(&nearest, candidates[i]);
  return wb_nearest_hint(&nearest, "", buffer);
}

TEST(slips_of_the_pen_are_understood)
{
  static const char *const words[] = {"makespan", "simulate", "string",          "ilp",
                                      "devices",  "cfg",      "loop-iterations", NULL};
  static const struct {
    const char *word;
    const char *hint;
  } cases[] = {{"maksepan", " (did you mean 'makespan'?)"},  /* swapped */
               {"makespn", " (did you mean 'makespan'?)"},   /* dropped */
               {"simullate", " (did you mean 'simulate'?)"}, /* doubled */
               {"strong", " (did you mean 'string'?)"},      /* changed */
               {"STRING", " (did you mean 'string'?)"},      /* capitals */
               {"cgf", " (did you mean 'cfg'?)"},
               {"loop", " (did you mean 'loop-iterations'?)"}, /* its beginning */
               {"device", " (did you mean 'devices'?)"},
               {"lo", ""},
               {"verify", ""},
               {"xyz", ""},
               {"a", ""},
               {"", ""}};
  char hint[WB_HINT_SIZE];
  for (size_t i = 0; i < COUNT_OF(cases); i++)
    assert_string_equal(hint_of(cases[i].word, words, hint), cases[i].hint);
}

TEST(names_are_demangled)
{
  static const struct {
    const char *name;
    const char *demangled; /* NULL: none */
  } cases[] = {{"_Z5saxpyifPf", "saxpy(int, float, float*)"},
               {"_Z4fillIfEvPT_S0_", "void fill<float>(float*, float)"},
               {"_ZN2ns5innerEv", "ns::inner()"},
               {"_ZN12_GLOBAL__N_15localEPi", "(anonymous namespace)::local(int*)"},
               {"saxpy", NULL},
               {"", NULL},
               {"_Z", NULL},
               {"_Z5sax", NULL},
               {"_Z99999999999999999999a", NULL}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    char *demangled = wb_demangle(cases[i].name);
    if (cases[i].demangled != NULL)
      assert_string_equal(demangled, cases[i].demangled);
    else
      assert_null(demangled);
    free(demangled);
  }
}

TEST(names_match_as_people_write_them)
{
  static const struct {
    const char *wanted;
    const char *name;
    bool matches;
  } cases[] = {{"_Z5saxpyifPf", "_Z5saxpyifPf", true},
               {"saxpy(int, float, float*)", "_Z5saxpyifPf", true},
               {"saxpy(int,float,float *)", "_Z5saxpyifPf", true},
               {"saxpy", "_Z5saxpyifPf", true},
               {"saxp", "_Z5saxpyifPf", false},
               {"saxpy(int)", "_Z5saxpyifPf", false},
               {"saxpy(", "_Z5saxpyifPf", false},
               {"", "_Z5saxpyifPf", false},
               {"fill", "_Z4fillIfEvPT_S0_", true},
               {"fill<float>", "_Z4fillIfEvPT_S0_", true},
               {"fill<float>(float*, float)", "_Z4fillIfEvPT_S0_", true},
               {"void fill<float>(float*, float)", "_Z4fillIfEvPT_S0_", true},
               {"fill<int>", "_Z4fillIfEvPT_S0_", false},
               {"ns::inner", "_ZN2ns5innerEv", true},
               {"(anonymous namespace)::local", "_ZN12_GLOBAL__N_15localEPi", true},
               {"saxpy", "_Z5saxpyifPf@module_3", true},
               {"saxpy@module_3", "_Z5saxpyifPf@module_3", true},
               {"saxpy(int,float,float*)@module_3", "_Z5saxpyifPf@module_3", true},
               {"saxpy@module_4", "_Z5saxpyifPf@module_3", false},
               {"saxpy@module_3", "_Z5saxpyifPf", false},
               {"plain", "plain@module_3", true},
               {"plai", "plain@module_3", false},
               {"plain", "plain", true},
               {"plai", "plain", false}};
  for (size_t i = 0; i < COUNT_OF(cases); i++)
    assert_int_equal(wb_demangled_matches(cases[i].wanted, cases[i].name), cases[i].matches);
}

TEST(functions_are_called_as_in_their_source)
{
  static const struct {
    const char *identifier;
    const char *name;
    bool called;
  } cases[] = {{"saxpy", "_Z5saxpyifPf", true},
               {"saxpy", "_Z5saxpyifPf@module_3", true},
               {"fill", "_Z4fillIfEvPT_S0_", true},
               {"fill<float>", "_Z4fillIfEvPT_S0_", false},
               {"inner", "_ZN2ns5innerEv", true},
               {"ns", "_ZN2ns5innerEv", false},
               {"local", "_ZN12_GLOBAL__N_15localEPi", true},
               /* void a::f<b::c>(b::c) */
               {"f", "_ZN1a1fIN1b1cEEEvT_", true},
               {"c", "_ZN1a1fIN1b1cEEEvT_", false},
               {"plain", "plain", true},
               {"plai", "plain", false}};
  for (size_t i = 0; i < COUNT_OF(cases); i++)
    assert_int_equal(wb_demangled_is_called(cases[i].identifier, cases[i].name), cases[i].called);
}

/* A name that refers to itself again and again would be 2^n long: it stays as it is, at once. */
TEST(hostile_names_stay_mangled)
{
  char name[4000] = "_Z1fSt4pairIiiE";
  for (int level = 0; level < 60; level++) {
    char next[64];
    char digit[2] = {level < 2 ? '\0' : "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(level - 2) % 36],
                     '\0'};
    snprintf(next, sizeof next, "St4pairIS%s_S%s_E", digit, digit);
    strcat(name, next);
  }
  assert_null(wb_demangle(name));
  memset(name + 2, 'P', sizeof name - 3);
  name[sizeof name - 1] = '\0';
  assert_null(wb_demangle(name));
  char deep[1001] = "_Z1f";
  memset(deep + 4, 'P', sizeof deep - 6);
  deep[sizeof deep - 2] = 'i';
  char *demangled = wb_demangle(deep);
  assert_true(demangled == NULL || strlen(demangled) <= 1000);
  free(demangled);
}

/* Words of any length are borne, and what is shown fits. */
TEST(long_words_are_borne)
{
  char word[600];
  char other[600];
  char hint[WB_HINT_SIZE];
  for (size_t length = 1; length < sizeof word; length++) {
    memset(word, 'a', length);
    word[length] = '\0';
    strcpy(other, word);
    other[length / 2] = 'b';
    const char *const words[] = {other, NULL};
    hint_of(word, words, hint);
    assert_int_equal(hint[0] != '\0', length >= 2 && length <= 255);
    assert_true(strlen(hint) < WB_HINT_SIZE);
  }
}
