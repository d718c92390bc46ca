#include "random_paths.h"

#include <string.h>

#define LINE_LIMIT 64
#define TEXT_LIMIT 48

/* Lines of the listing under way. A branch's target is a line, set later. */
struct draft {
  struct {
    char text[TEXT_LIMIT];
    int target; /* -1: none */
  } lines[LINE_LIMIT];
  int count;
};

/* Maxwell's layout: three instructions behind each control word. */
static unsigned address_of(int line)
{
  return (unsigned)(line / 3 * 0x20 + (line % 3 + 1) * 8);
}

static void add_line(struct draft *draft, const char *text, int target)
{
  if (draft->count >= LINE_LIMIT)
    return;
  strncpy(draft->lines[draft->count].text, text, TEXT_LIMIT - 1);
  draft->lines[draft->count].text[TEXT_LIMIT - 1] = '\0';
  draft->lines[draft->count++].target = target;
}

static const char *instruction_of(char letter)
{
  switch (letter) {
  case 'L':
    return "LDG.E R3, [R4]";
  case 'S':
    return "MUFU.RCP R2, R2";
  case 'D':
    return "DADD R8, R8, R10";
  case 'N':
    return "NOP";
  case 'B':
    return "BAR.SYNC 0x0";
  default:
    return "IADD32I R2, R2, 0x1";
  }
}

/* Random letters, mostly L and C. */
static void draw_letters(struct wb_random *random, size_t most, char *letters)
{
  static const char choice[] = "LLLCCCSDN";
  const size_t count = wb_random_below(random, most + 1);
  for (size_t i = 0; i < count; i++)
    letters[i] = choice[wb_random_below(random, sizeof choice - 1)];
  letters[count] = '\0';
}

static void add_letters(struct draft *draft, const char *letters)
{
  for (; *letters != '\0'; letters++)
    add_line(draft, instruction_of(*letters), -1);
}

/* Every string with each of the ends behind it. */
static bool extend(struct random_paths *paths, const char *const *ends, size_t count)
{
  char old[PATH_STRING_LIMIT][PATH_LENGTH_LIMIT + 1];
  const size_t old_count = paths->string_count;
  memcpy(old, paths->strings, sizeof old);
  paths->string_count = 0;
  for (size_t s = 0; s < old_count; s++) {
    for (size_t e = 0; e < count; e++) {
      char whole[PATH_LENGTH_LIMIT + 1];
      if (strlen(old[s]) + strlen(ends[e]) > PATH_LENGTH_LIMIT)
        return false;
      strcpy(whole, old[s]);
      strcat(whole, ends[e]);
      bool known = false;
      for (size_t k = 0; k < paths->string_count; k++)
        known |= strcmp(paths->strings[k], whole) == 0;
      if (!known && paths->string_count == PATH_STRING_LIMIT)
        return false;
      if (!known)
        strcpy(paths->strings[paths->string_count++], whole);
    }
  }
  return true;
}

static bool add_stretch(struct wb_random *random, bool barriers, struct draft *draft,
                        struct random_paths *paths)
{
  char letters[16];
  draw_letters(random, 3, letters);
  if (barriers && wb_random_below(random, 3) == 0)
    strcat(letters, "B");
  add_letters(draft, letters);
  const char *const ends[] = {letters};
  return extend(paths, ends, 1);
}

/* Both sides, of which each may have a barrier at its end where the other has one. */
static bool add_sides(struct wb_random *random, bool barriers, struct draft *draft,
                      struct random_paths *paths)
{
  char first[16], second[16], taken[20], passed[20];
  draw_letters(random, 4, first);
  draw_letters(random, 4, second);
  if (barriers && wb_random_below(random, 3) == 0) {
    strcat(first, "B");
    strcat(second, "B");
    paths->apart = true;
  }
  const int branch = draft->count;
  add_line(draft, "@P0 BRA.U ", 0);
  add_letters(draft, first);
  const int jump = draft->count;
  add_line(draft, "BRA ", 0);
  draft->lines[branch].target = draft->count;
  add_letters(draft, second);
  draft->lines[jump].target = draft->count;
  strcat(strcat(strcpy(passed, "C"), first), "C");
  strcat(strcpy(taken, "C"), second);
  const char *const ends[] = {passed, taken};
  return extend(paths, ends, 2);
}

/* A loop may have a barrier in each turn. */
static bool add_loop(struct wb_random *random, bool barriers, struct draft *draft,
                     struct random_paths *paths)
{
  char body[16];
  char turns[3][PATH_LENGTH_LIMIT + 20];
  draw_letters(random, 3, body);
  if (barriers && wb_random_below(random, 2) == 0)
    strcat(body, "B");
  const int header = draft->count;
  add_letters(draft, body);
  add_line(draft, "@P0 BRA.U ", header);
  paths->has_loop = true;
  turns[0][0] = '\0';
  const char *ends[3];
  for (uint32_t t = 0; t <= paths->loop_bound; t++) {
    strcat(strcat(strcpy(turns[t], t > 0 ? turns[t - 1] : ""), body), "C");
    ends[t] = turns[t];
  }
  return extend(paths, ends, paths->loop_bound + 1);
}

bool random_paths_draw(struct wb_random *random, bool barriers, struct random_paths *paths)
{
  struct draft draft = {.count = 0};
  *paths = (struct random_paths){.string_count = 1,
                                 .loop_bound = 1 + (uint32_t)wb_random_below(random, 2)};
  bool fits = true;
  const uint64_t parts = 1 + wb_random_below(random, 4);
  for (uint64_t part = 0; part < parts && fits; part++) {
    const uint64_t kind = wb_random_below(random, 5);
    if (kind < 2)
      fits = add_stretch(random, barriers, &draft, paths);
    else if (kind < 4)
      fits = add_sides(random, barriers, &draft, paths);
    else
      fits = add_loop(random, barriers, &draft, paths);
  }
  add_line(&draft, "EXIT", -1);
  const char *const ends[] = {"C"};
  fits = fits && extend(paths, ends, 1) && draft.count < LINE_LIMIT;
  if (fits) {
    wb_text_string(&paths->listing,
                   "\tcode for sm_61\n\t\tFunction : k\n"
                   "\t.headerflags    @\"EF_CUDA_SM61 EF_CUDA_PTX_SM(EF_CUDA_SM61)\"\n");
    for (int i = 0; i < draft.count; i++) {
      wb_text_format(&paths->listing, "        /*%04x*/ %s", address_of(i), draft.lines[i].text);
      if (draft.lines[i].target >= 0)
        wb_text_format(&paths->listing, "0x%x", address_of(draft.lines[i].target));
      wb_text_string(&paths->listing, " ;\n");
    }
    wb_text_string(&paths->listing, "\t\t..........\n");
  }
  return fits && !paths->listing.failed;
}
