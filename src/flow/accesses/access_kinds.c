#include "flow/accesses/access_kinds.h"

#include "isa/opcode_search.h"
#include "isa/sass_modifiers.h"

#include <string.h>

#define GLOBAL WB_SPACE_GLOBAL
#define SHARED WB_SPACE_SHARED
#define LOCAL WB_SPACE_LOCAL
#define CONSTANT WB_SPACE_CONSTANT
#define GENERIC WB_SPACE_GENERIC
#define TEXTURE WB_SPACE_TEXTURE

#define NONE GENERIC, WB_ACTION_NONE, 0
#define LOADS WB_ACTION_LOAD
#define STORES WB_ACTION_STORE
#define COPIES WB_ACTION_COPY
#define UPDATES WB_ACTION_UPDATE
#define ATOMIC WB_ACTION_ATOMIC
#define MATRIX WB_ACTION_MATRIX
#define BULK WB_ACTION_BULK

/* Sorted by opcode (strcmp). Stores and updates in the shared memory of other blocks of a cluster
 * (STAS, REDAS) count as generic ones. A filtered texture reads up to 128 texels a lane: bulk. */
static const struct wb_access_kind rows[] = {
    {"ARRIVES", SHARED, UPDATES, 8},
    {"ATOM", GENERIC, ATOMIC, 0},
    {"ATOMG", GLOBAL, ATOMIC, 0},
    {"ATOMS", SHARED, ATOMIC, 0},
    {"BGMMA", SHARED, BULK, 16},
    {"BMMA", NONE},
    {"CCTL", NONE},
    {"CCTLL", NONE},
    {"CCTLT", NONE},
    {"DMMA", NONE},
    {"HGMMA", SHARED, BULK, 16},
    {"HMMA", NONE},
    {"IGMMA", SHARED, BULK, 16},
    {"IMMA", NONE},
    {"LD", GENERIC, LOADS, 0},
    {"LDC", CONSTANT, LOADS, 0},
    {"LDCU", CONSTANT, LOADS, 0},
    {"LDG", GLOBAL, LOADS, 0},
    {"LDGMC", GLOBAL, ATOMIC, 0},
    {"LDGSTS", GLOBAL, COPIES, 0},
    {"LDL", LOCAL, LOADS, 0},
    {"LDS", SHARED, LOADS, 0},
    {"LDSLK", SHARED, ATOMIC, 0},
    {"LDSM", SHARED, MATRIX, 16},
    {"LDTM", SHARED, BULK, 16},
    {"LDU", GLOBAL, LOADS, 0},
    {"MOVM", NONE},
    {"OMMA", NONE},
    {"QGMMA", SHARED, BULK, 16},
    {"QMMA", NONE},
    {"QSPC", NONE},
    {"RED", GENERIC, UPDATES, 0},
    {"REDAS", GENERIC, UPDATES, 0},
    {"REDG", GLOBAL, UPDATES, 0},
    {"REDS", SHARED, UPDATES, 0},
    {"SHFL", NONE},
    {"ST", GENERIC, STORES, 0},
    {"STAS", GENERIC, STORES, 0},
    {"STG", GLOBAL, STORES, 0},
    {"STL", LOCAL, STORES, 0},
    {"STS", SHARED, STORES, 0},
    {"STSCUL", SHARED, STORES, 0},
    {"STSM", SHARED, MATRIX, 16},
    {"STSUL", SHARED, STORES, 0},
    {"STTM", SHARED, BULK, 16},
    {"SUATOM", TEXTURE, ATOMIC, 0},
    {"SULD", TEXTURE, LOADS, 16},
    {"SURED", TEXTURE, UPDATES, 0},
    {"SUST", TEXTURE, STORES, 16},
    {"SYNCS", SHARED, ATOMIC, 8},
    {"TEX", TEXTURE, BULK, 16},
    {"TEXS", TEXTURE, BULK, 16},
    {"TLD", TEXTURE, LOADS, 16},
    {"TLD4", TEXTURE, BULK, 16},
    {"TLD4S", TEXTURE, BULK, 16},
    {"TLDS", TEXTURE, LOADS, 16},
    {"TXD", TEXTURE, BULK, 16},
    {"TXQ", NONE},
    {"UBLKCP", GLOBAL, BULK, 16},
    {"UBLKPF", GLOBAL, BULK, 16},
    {"UBLKRED", GLOBAL, BULK, 16},
    {"UGETNEXTWORKID", SHARED, BULK, 16},
    {"ULDC", CONSTANT, LOADS, 0},
    {"UMEMSETS", SHARED, BULK, 16},
    {"UTCATOMSWS", NONE},
    {"UTCBAR", SHARED, BULK, 8},
    {"UTCCP", SHARED, BULK, 16},
    {"UTCHMMA", SHARED, BULK, 16},
    {"UTCIMMA", SHARED, BULK, 16},
    {"UTCOMMA", SHARED, BULK, 16},
    {"UTCQMMA", SHARED, BULK, 16},
    {"UTCSHIFT", NONE},
    {"UTMACCTL", NONE},
    {"UTMACMDFLUSH", NONE},
    {"UTMALDG", GLOBAL, BULK, 16},
    {"UTMAPF", GLOBAL, BULK, 16},
    {"UTMAREDG", GLOBAL, BULK, 16},
    {"UTMASTG", GLOBAL, BULK, 16},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

static const char *opcode_of(size_t row)
{
  return rows[row].opcode;
}

const struct wb_access_kind *wb_access_kind_find(const char *opcode)
{
  const size_t word = strcspn(opcode, ".");
  const size_t row = wb_opcode_lower_bound(opcode_of, ROW_COUNT, opcode, word);
  return row < ROW_COUNT && wb_opcode_compare(opcode, word, rows[row].opcode) == 0 ? &rows[row]
                                                                                   : NULL;
}

const struct wb_access_kind *wb_access_kind_rows(size_t *count)
{
  *count = ROW_COUNT;
  return rows;
}

uint8_t wb_access_kind_bytes(const struct wb_access_kind *kind, const char *opcode)
{
  static const char *const one[] = {"U8", "S8"};
  static const char *const two[] = {"U16", "S16"};
  const size_t length = strlen(opcode);
  if (kind->bytes > 0)
    return kind->bytes;
  if (wb_sass_has_words(opcode, length, "ENL2.256"))
    return 32;
  for (size_t i = 0; i < sizeof one / sizeof *one; i++)
    if (wb_sass_has_words(opcode, length, one[i]))
      return 1;
  for (size_t i = 0; i < sizeof two / sizeof *two; i++)
    if (wb_sass_has_words(opcode, length, two[i]))
      return 2;
  return (uint8_t)(4 * wb_sass_memory_width(opcode, length));
}
