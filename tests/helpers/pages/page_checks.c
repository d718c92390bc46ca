#include "page_checks.h"

#include "pages/page_checks.h"
#include "unit.h"

#include <ctype.h>

#define MOST_OPEN 32
#define LONGEST_NAME 32

size_t count_in(const char *text, const char *part)
{
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
    count++;
  return count;
}

static bool is_one_of(const char *name, size_t length, const char *const *names)
{
  for (; *names != NULL; names++)
    if (strlen(*names) == length && strncmp(*names, name, length) == 0)
      return true;
  return false;
}

static bool needs_no_end(const char *name, size_t length)
{
  static const char *const names[] = {"!DOCTYPE", "meta", "link", "br", NULL};
  return is_one_of(name, length, names);
}

/* No attribute has "nan" or "inf" where a number stands. */
static void check_numbers(const char *tag, const char *end)
{
  for (const char *at = tag + 1; at + 3 < end; at++) {
    const bool word = strncmp(at, "nan", 3) == 0 || strncmp(at, "inf", 3) == 0;
    if (word && !isalpha((unsigned char)at[3]) && strchr("\" ,.-MLHVhv", at[-1]) != NULL)
      fail_msg("a number that is none: %.60s", at);
  }
}

void check_markup(const char *text, bool html)
{
  char open[MOST_OPEN][LONGEST_NAME];
  size_t depth = 0;
  for (const char *at = strchr(text, '<'); at != NULL; at = strchr(at, '<')) {
    const char *const end = strchr(at, '>');
    assert_non_null(end);
    if (memchr(at + 1, '<', (size_t)(end - at - 1)) != NULL)
      fail_msg("a bare <: %.60s", at);
    const bool closing = at[1] == '/';
    const char *const name = at + 1 + closing;
    const size_t length = strcspn(name, " />\n");
    assert_in_range(length, 1, LONGEST_NAME - 1);
    check_numbers(at, end);
    if (closing) {
      assert_true(depth > 0);
      depth--;
      if (strncmp(open[depth], name, length) != 0 || open[depth][length] != '\0')
        fail_msg("</%.*s> where <%s> is open", (int)length, name, open[depth]);
    } else if (end[-1] != '/' && !(html && needs_no_end(name, length))) {
      assert_true(depth < MOST_OPEN);
      memcpy(open[depth], name, length);
      open[depth++][length] = '\0';
    }
    at = end;
  }
  assert_int_equal(depth, 0);
  static const char *const known[] = {"&amp;", "&lt;", "&gt;"};
  for (const char *at = text; (at = strchr(at, '&')) != NULL; at++) {
    bool found = false;
    for (size_t k = 0; k < COUNT_OF(known); k++)
      found = found || strncmp(at, known[k], strlen(known[k])) == 0;
    if (!found)
      fail_msg("a bare &: %.40s", at);
  }
}

#define BLOCK 64
#define ROUNDS 64

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turned(uint32_t word, unsigned by)
{
  return word >> by | word << (32 - by);
}

static void spread(const unsigned char *block, uint32_t words[ROUNDS])
{
  for (size_t i = 0; i < 16; i++)
    words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | (uint32_t)block[4 * i + 3];
  for (size_t i = 16; i < ROUNDS; i++) {
    const uint32_t a = words[i - 15];
    const uint32_t b = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) +
               (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
  }
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
  uint32_t words[ROUNDS];
  uint32_t s[8];
  spread(block, words);
  memcpy(s, state, sizeof s);
  for (size_t i = 0; i < ROUNDS; i++) {
    const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const uint32_t first = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + choice +
                           constants[i] + words[i];
    const uint32_t second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + majority;
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += first;
    s[0] = first + second;
  }
  for (size_t i = 0; i < 8; i++)
    state[i] += s[i];
}

void wb_sha256(const void *bytes, size_t length, unsigned char digest[WB_SHA256_BYTES])
{
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned char rest[2 * BLOCK] = {0};
  const size_t whole = length / BLOCK * BLOCK;
  const size_t left = length - whole;
  const size_t padded = left + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
  for (size_t at = 0; at < whole; at += BLOCK)
    add_block(state, (const unsigned char *)bytes + at);
  if (left > 0)
    memcpy(rest, (const unsigned char *)bytes + whole, left);
  rest[left] = 0x80;
  for (size_t i = 0; i < 8; i++)
    rest[padded - 1 - i] = (unsigned char)((uint64_t)length * 8 >> 8 * i);
  for (size_t at = 0; at < padded; at += BLOCK)
    add_block(state, rest + at);
  for (size_t i = 0; i < WB_SHA256_BYTES; i++)
    digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}

void wb_text_base64(struct wb_text *text, const unsigned char *bytes, size_t length)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t at = 0; at < length; at += 3) {
    const size_t count = length - at < 3 ? length - at : 3;
    uint32_t group = 0;
    char four[4];
    for (size_t i = 0; i < 3; i++)
      group = group << 8 | (i < count ? bytes[at + i] : 0);
    for (size_t i = 0; i < 4; i++)
      four[i] = (char)(i <= count ? digits[group >> (18 - 6 * i) & 63] : '=');
    wb_text_append(text, four, 4);
  }
}
