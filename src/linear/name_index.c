#include "linear/name_index.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static uint64_t hash(const char *name, size_t length)
{
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    h = (h ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
  return h ^ (h >> 32);
}

static const char *name_of(const struct wb_name_index *index, size_t at)
{
  return index->rows ? wb_linear_row_name(index->model, at)
                     : wb_linear_column_name(index->model, at);
}

/* Where a name is, or the free slot where it would be. */
static size_t probe(const struct wb_name_index *index, const char *name, size_t length)
{
  size_t at = (size_t)hash(name, length) & (index->slot_count - 1);
  while (index->slot[at] != 0) {
    const char *other = name_of(index, index->slot[at] - 1);
    if (strncmp(other, name, length) == 0 && other[length] == '\0')
      break;
    at = (at + 1) & (index->slot_count - 1);
  }
  return at;
}

bool wb_name_index_make(struct wb_name_index *index, const struct wb_linear_model *model, bool rows)
{
  size_t count = rows ? model->row_count : model->column_count;
  *index = (struct wb_name_index){.model = model, .rows = rows, .slot_count = 16};
  while (index->slot_count < 2 * count)
    index->slot_count *= 2;
  index->slot = wb_allocate(index->slot_count, sizeof *index->slot);
  if (index->slot == NULL)
    return false;
  for (size_t j = 0; j < count; j++) {
    const char *name = name_of(index, j);
    index->slot[probe(index, name, strlen(name))] = (uint32_t)j + 1;
  }
  return true;
}

size_t wb_name_index_find(const struct wb_name_index *index, const char *name, size_t length)
{
  if (length > WB_LINEAR_NAME_LIMIT)
    return SIZE_MAX;
  uint32_t found = index->slot[probe(index, name, length)];
  return found != 0 ? found - 1 : SIZE_MAX;
}

void wb_name_index_free(struct wb_name_index *index)
{
  free(index->slot);
  *index = (struct wb_name_index){0};
}
