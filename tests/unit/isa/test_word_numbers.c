/* How machine words' numbers are printed: by examples from NVIDIA's disassembler. */
#include "isa/decoder/word_printer.h"
#include "unit.h"

static void expect(char *(*print)(char *to, uint32_t bits), uint32_t bits, const char *expected)
{
  char text[WB_WORD_NUMBER_SIZE + 1];
  char *end = print(text, bits);
  assert_true(end - text <= WB_WORD_NUMBER_SIZE);
  *end = '\0';
  assert_string_equal(text, expected);
}

TEST(test_single)
{
  static const struct {
    uint32_t bits;
    const char *text;
  } numbers[] = {
      {0x3f800000, "1"},
      {0x3f000000, "0.5"},
      {0x3dcccccd, "0.10000000149011611938"},
      {0x34000000, "1.1920928955078125e-07"},
      {0x7f800000, "+INF "},
      {0xff800000, "-INF "},
      {0x7fc00000, "+QNAN "},
      {0x7f800001, "+QNAN "},
      {0xffffffff, "-QNAN "},
      {0x00000000, "0"},
      {0x80000000, "-0.0 "},
      {0x00000001, "1.4012984643248170709e-45"},
      {0x80000001, "-1.4012984643248170709e-45"},
      {0x007fffff, "1.1754942106924410755e-38"},
      {0x7f7fffff, "3.40282346638528859812e+38"},
      {0x4ceb79a3, "123456792"},
      {0x4e6e6b27, "999999936"},
      {0x4e6e6b28, "1.00000000000000000000e+09"},
      {0x501502f9, "1.00000000000000000000e+10"},
      {0x6258d727, "1.00000002004087734272e+21"},
      {0x38d1b717, "9.9999997473787516356e-05"},
      {0x3a83126f, "0.0010000000474974513054"},
  };
  for (size_t n = 0; n < COUNT_OF(numbers); n++)
    expect(wb_print_single, numbers[n].bits, numbers[n].text);
}

TEST(test_double)
{
  static const struct {
    uint32_t bits;
    const char *text;
  } numbers[] = {
      {0x3ff00000, "1"},
      {0x7ff00000, "+INF "},
      {0xfff80000, "-QNAN "},
      {0x7ff00001, "+SNAN "},
      {0x80000000, "-0.0 "},
      {0x00000001, "2.1219957909652723151e-314"},
      {0x7fefffff, "1.79769227765543015872e+308"},
      {0x3fb99999, "0.099999964237213134766"},
      {0x40000001, "2.0000019073486328125"},
  };
  for (size_t n = 0; n < COUNT_OF(numbers); n++)
    expect(wb_print_double, numbers[n].bits, numbers[n].text);
}

TEST(test_half)
{
  expect(wb_print_half, 0x3c00, "1");
  expect(wb_print_half, 0x0001, "5.9604644775390625e-08");
  expect(wb_print_half, 0xfbff, "-65504");
  expect(wb_print_half, 0x7c00, "+INF ");
  expect(wb_print_half, 0xfc01, "-QNAN ");
  expect(wb_print_half, 0x8000, "-0.0 ");
}

/* All digits that are printed give the number back. */
TEST(test_single_and_back)
{
  for (uint32_t bits = 0; bits < 0x7f800000; bits += 104729) {
    char text[WB_WORD_NUMBER_SIZE + 1];
    *wb_print_single(text, bits) = '\0';
    float number = strtof(text, NULL);
    assert_memory_equal(&number, &bits, sizeof bits);
  }
}

TEST(test_integers)
{
  char text[WB_WORD_NUMBER_SIZE + 1];
  *wb_print_decimal(text, UINT64_MAX) = '\0';
  assert_string_equal(text, "18446744073709551615");
  *wb_print_decimal(text, 0) = '\0';
  assert_string_equal(text, "0");
  *wb_print_hexadecimal(text, UINT64_MAX) = '\0';
  assert_string_equal(text, "0xffffffffffffffff");
  *wb_print_hexadecimal(text, 0) = '\0';
  assert_string_equal(text, "0x0");
  *wb_print_hexadecimal(text, 0x10) = '\0';
  assert_string_equal(text, "0x10");
}

TEST(test_bits)
{
  const uint64_t word[2] = {0x0123456789abcdef, 0xfedcba9876543210};
  assert_int_equal(wb_word_bits(word, 0, 64), word[0]);
  assert_int_equal(wb_word_bits(word, 64, 64), word[1]);
  assert_int_equal(wb_word_bits(word, 60, 8), 0x00);
  assert_int_equal(wb_word_bits(word, 56, 12), 0x001);
  assert_int_equal(wb_word_bits(word, 63, 2), 0);
  assert_int_equal(wb_word_bits(word, 127, 1), 1);
  assert_int_equal(wb_word_bits(word, 4, 8), 0xde);
  assert_int_equal(wb_word_sign_extended(0x8, 4), (uint64_t)-8);
  assert_int_equal(wb_word_sign_extended(0x7, 4), 7);
  assert_int_equal(wb_word_sign_extended(UINT64_MAX, 64), UINT64_MAX);
}
