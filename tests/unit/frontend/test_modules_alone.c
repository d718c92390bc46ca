/* A kernel of a file of several modules: the code that is read for it alone is that of all modules
 * read together. */
#include "fixtures.h"
#include "frontend/binary/binary_front_end.h"
#include "unit.h"

/* What is compared, for messages. */
static const char *subject;

static void read_code(const struct wb_input *source, const char *architecture, const char *kernel,
                      struct wb_code *code)
{
  const struct wb_image_wish wish = {
      .architecture = architecture, .kernel = kernel, .machine_code_only = true};
  struct wb_text text = {0};
  bool ptx;
  assert_ok(
      wb_binary_code(subject, source->bytes, source->length, &wish, NULL, code, &text, &ptx, NULL));
  assert_false(ptx);
  wb_text_free(&text);
}

static const struct wb_function *find(const struct wb_code *code, const char *name)
{
  for (size_t f = 0; f < code->function_count; f++)
    if (strcmp(code->functions[f].name, name) == 0)
      return &code->functions[f];
  return NULL;
}

/* The same instructions, in whatever lines. */
static void compare_functions(const struct wb_function *alone, const struct wb_function *together)
{
  if (alone == NULL || together == NULL)
    fail_msg("%s: a function of one reading alone", subject);
  assert_int_equal(alone->instruction_count, together->instruction_count);
  assert_int_equal(alone->kernel, together->kernel);
  assert_int_equal(wb_function_checksum(alone), wb_function_checksum(together));
  for (size_t i = 0; i < alone->instruction_count; i++) {
    const struct wb_instruction *one = &alone->instructions[i], *other = &together->instructions[i];
    assert_int_equal(one->outside, other->outside);
    assert_int_equal(one->callee == NULL, other->callee == NULL);
    if (one->callee != NULL)
      assert_string_equal(one->callee, other->callee);
  }
}

#define MOST 64

/* The function and all that it calls. */
static void compare_from(const char *name, const struct wb_code *alone,
                         const struct wb_code *together)
{
  const char *reached[MOST] = {name};
  size_t count = 1;
  for (size_t r = 0; r < count; r++) {
    const struct wb_function *function = find(together, reached[r]);
    compare_functions(find(alone, reached[r]), function);
    for (size_t i = 0; i < function->instruction_count; i++) {
      const char *callee = function->instructions[i].callee;
      bool known = callee == NULL || find(together, callee) == NULL;
      for (size_t other = 0; other < count && !known; other++)
        known = strcmp(reached[other], callee) == 0;
      if (known)
        continue;
      assert_true(count < MOST);
      reached[count++] = callee;
    }
  }
}

/* How many of the functions of the file are read without other modules. */
static size_t compare_file(const struct wb_input *source, const char *architecture)
{
  struct wb_code together, alone;
  size_t without = 0;
  read_code(source, architecture, NULL, &together);
  assert_int_equal(together.unread_count, 0);
  for (size_t f = 0; f < together.function_count; f++) {
    const char *name = together.functions[f].name;
    read_code(source, architecture, name, &alone);
    compare_from(name, &alone, &together);
    without += alone.unread_count > 0;
    /* What is not read is known by name. */
    for (size_t other = 0; other < together.function_count; other++) {
      bool known = find(&alone, together.functions[other].name) != NULL;
      for (size_t u = 0; u < alone.unread_count && !known; u++)
        known = strcmp(alone.unread[u], together.functions[other].name) == 0;
      assert_true(known);
    }
    wb_code_free(&alone);
  }
  wb_code_free(&together);
  return without;
}

TEST(each_function_is_read_as_with_all_modules)
{
  static const struct {
    const char *name;
    const char *architecture;
    size_t without;
  } files[] = {
      {"binary/vectors/modules.fatbin", "sm_75", 7}, {"binary/vectors/modules.fatbin", "sm_87", 7},
      {"binary/vectors/across.fatbin", NULL, 2},     {"binary/vectors/libvectors.a", "sm_87", 5},
      {"binary/vectors/libvectors.so", "sm_75", 0},  {"binary/vectors/program", "sm_75", 5},
      {"binary/vectors/plain.fatbin", "sm_75", 0},
  };
  for (size_t f = 0; f < COUNT_OF(files); f++) {
    struct wb_input source;
    subject = files[f].name;
    fixture_read(&source, "%s", subject);
    const size_t without = compare_file(&source, files[f].architecture);
    if (without != files[f].without)
      fail_msg("%s, %s: %zu functions without other modules", subject, files[f].architecture,
               without);
    wb_input_free(&source);
  }
}

/* A name that no function has, one that functions of several modules have, and one that calls what
 * another module has: all modules are read. */
TEST(all_modules_are_read_where_one_is_not_enough)
{
  static const struct {
    const char *file, *architecture, *kernel;
    size_t unread;
    const char *name;
  } readings[] = {
      {"modules.fatbin", "sm_87", "nobody", 0, "modules.fatbin"},
      {"modules.fatbin", "sm_87", "scale", 0, "modules.fatbin"},
      {"modules.fatbin", "sm_87", "scale@module_3", 4, "modules.fatbin, module 3"},
      {"modules.fatbin", "sm_87", "fill", 3, "modules.fatbin, module 1"},
      {"across.fatbin", NULL, "across", 0, "across.fatbin"},
      {"across.fatbin", NULL, "inside", 0, "across.fatbin"},
      {"across.fatbin", NULL, "alone", 2, "across.fatbin, module 2"},
  };
  for (size_t r = 0; r < COUNT_OF(readings); r++) {
    struct wb_input source;
    struct wb_code code;
    subject = readings[r].file;
    fixture_read(&source, "binary/vectors/%s", subject);
    read_code(&source, readings[r].architecture, readings[r].kernel, &code);
    assert_string_equal(code.name, readings[r].name);
    assert_int_equal(code.unread_count, readings[r].unread);
    wb_code_free(&code);
    wb_input_free(&source);
  }
}
