#include "frontend/binary/image_choice.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How an image is named: that of PTX is virtual. */
#define NAME_SIZE 32

static const char *name_of(const struct wb_image *image, char name[NAME_SIZE])
{
  const bool ptx = image->kind == WB_IMAGE_PTX;
  if (ptx && strncmp(image->architecture_name, "sm_", 3) == 0)
    snprintf(name, NAME_SIZE, "compute_%s", image->architecture_name + 3);
  else
    snprintf(name, NAME_SIZE, "%s", image->architecture_name);
  return name;
}

static bool wanted(const struct wb_image *image, const struct wb_image_wish *wish)
{
  return image->kind == WB_IMAGE_CUBIN || (image->kind == WB_IMAGE_PTX && !wish->machine_code_only);
}

static bool same_name(const struct wb_image *one, const struct wb_image *other)
{
  char first[NAME_SIZE];
  char second[NAME_SIZE];
  return one->kind == other->kind && strcmp(name_of(one, first), name_of(other, second)) == 0;
}

/* The only image of the kind but for others with its name; SIZE_MAX where there is none or are
 * several. */
static size_t only_one(const struct wb_images *images, enum wb_image_kind kind)
{
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < images->count; i++) {
    if (images->items[i].kind != kind)
      continue;
    if (found == SIZE_MAX)
      found = i;
    else if (!same_name(&images->items[found], &images->items[i]))
      return SIZE_MAX;
  }
  return found;
}

/* The name that is asked for; of "sm_90" also sm_90a, where sm_90 is not there. */
static size_t named(const struct wb_images *images, const struct wb_image_wish *wish)
{
  char name[NAME_SIZE];
  for (size_t i = 0; i < images->count; i++)
    if (wanted(&images->items[i], wish) &&
        strcmp(name_of(&images->items[i], name), wish->architecture) == 0)
      return i;
  for (size_t i = 0; i < images->count; i++)
    if (images->items[i].kind == WB_IMAGE_CUBIN &&
        wb_architecture_is(images->items[i].architecture_name, wish->architecture))
      return i;
  return SIZE_MAX;
}

/* Machine code runs on its own architecture, and without a suffix on later ones of its major
 * version. */
static bool runs_on(const struct wb_image *image, uint32_t device)
{
  if (image->kind != WB_IMAGE_CUBIN || image->architecture > device)
    return false;
  return image->architecture == device ||
         (image->suffix == '\0' && image->architecture / 10 == device / 10);
}

static size_t for_device(const struct wb_images *images, uint32_t device)
{
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < images->count; i++)
    if (runs_on(&images->items[i], device) &&
        (best == SIZE_MAX || images->items[i].architecture > images->items[best].architecture))
      best = i;
  return best;
}

static size_t choose(const struct wb_images *images, const struct wb_image_wish *wish)
{
  if (wish->architecture != NULL)
    return named(images, wish);
  size_t chosen = only_one(images, WB_IMAGE_CUBIN);
  if (chosen == SIZE_MAX && wish->device > 0)
    chosen = for_device(images, wish->device);
  bool cubins = false;
  for (size_t i = 0; i < images->count; i++)
    cubins = cubins || images->items[i].kind == WB_IMAGE_CUBIN;
  if (chosen == SIZE_MAX && !cubins && !wish->machine_code_only)
    chosen = only_one(images, WB_IMAGE_PTX);
  return chosen;
}

/* Of a list of names no more is printed: a file may hold images of any number of names. */
#define LIST_SIZE 300

/* Whether one of the images `listed` has the kind and name of another. */
static bool is_listed(const struct wb_images *images, const size_t *listed, size_t count,
                      size_t index)
{
  for (size_t l = 0; l < count; l++)
    if (same_name(&images->items[listed[l]], &images->items[index]))
      return true;
  return false;
}

/* "sm_75, sm_87, compute_90" */
static void list_names(const struct wb_images *images, const struct wb_image_wish *wish,
                       struct wb_text *list)
{
  char name[NAME_SIZE];
  size_t listed[LIST_SIZE];
  size_t count = 0;
  for (size_t i = 0; i < images->count && list->length < LIST_SIZE && count < LIST_SIZE; i++) {
    if (!wanted(&images->items[i], wish) || is_listed(images, listed, count, i))
      continue;
    listed[count++] = i;
    wb_text_format(list, "%s%s", list->length > 0 ? ", " : "", name_of(&images->items[i], name));
  }
}

/* There is no image that could be meant: what is damaged says why. */
static warpbound_status refuse_all(const char *name, const struct wb_images *images,
                                   const struct wb_image_wish *wish, warpbound_error *error)
{
  for (size_t i = 0; i < images->count; i++) {
    struct wb_image_bytes unpacked;
    if (images->items[i].damage != NULL)
      return wb_image_unpack(name, &images->items[i], &unpacked, error);
  }
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                    "expected %s, found %zu image%s without",
                    wish->machine_code_only ? "machine code (a cubin)" : "kernels", images->count,
                    images->count == 1 ? "" : "s");
}

static warpbound_status refuse(const char *name, const struct wb_images *images,
                               const struct wb_image_wish *wish, warpbound_error *error)
{
  struct wb_text list = {0};
  list_names(images, wish, &list);
  warpbound_status status;
  if (list.failed)
    status = wb_out_of_memory(error);
  else if (list.length == 0)
    status = refuse_all(name, images, wish, error);
  else if (wish->architecture != NULL)
    status = wb_fail(error, WARPBOUND_USAGE, "--arch: expected one of %.300s, found '%.40s'",
                     list.data, wish->architecture);
  else if (wish->device > 0)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "--sm: none of the code in %.100s runs on sm_%" PRIu32
                     "; it has code for %.300s: one of these by --arch, with --allow-other-sm",
                     name, wish->device, list.data);
  else
    status = wb_fail(error, WARPBOUND_USAGE,
                     "--arch: expected one of %.300s, for %.100s has code for each, found none",
                     list.data, name);
  wb_text_free(&list);
  return status;
}

warpbound_status wb_images_choose(const char *name, const struct wb_images *images,
                                  const struct wb_image_wish *wish, bool *chosen,
                                  warpbound_error *error)
{
  const size_t meant = choose(images, wish);
  if (meant == SIZE_MAX)
    return refuse(name, images, wish, error);
  for (size_t i = 0; i < images->count; i++)
    chosen[i] = same_name(&images->items[i], &images->items[meant]);
  return WARPBOUND_OK;
}
