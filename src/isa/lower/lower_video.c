/* The video instructions of Maxwell and Pascal: sums, comparisons and shifts of bytes, halves and
 * words, with a second operation. Results that are saturated or merged have no lowering. */
#include "isa/lower/lower_rules.h"

struct part_type {
  unsigned bits;
  bool as_signed;
};

/* The two operands of a video instruction. */
struct video {
  struct part_type types[2];
  struct wb_source parts[2];
  bool adds; /* ACC: the third source is added to the result */
};

static struct part_type read_type(struct wb_lowering *lowering)
{
  switch (wb_next_modifier(lowering)) {
  case WB_MODIFIER_U8:
    return (struct part_type){8, false};
  case WB_MODIFIER_S8:
    return (struct part_type){8, true};
  case WB_MODIFIER_U16:
    return (struct part_type){16, false};
  case WB_MODIFIER_S16:
    return (struct part_type){16, true};
  case WB_MODIFIER_U32:
    return (struct part_type){32, false};
  case WB_MODIFIER_S32:
    return (struct part_type){32, true};
  default:
    lowering->failed = true;
    return (struct part_type){32, true};
  }
}

/* Reads what is left of the modifiers: two types, signed words where they are not written. The
 * third source is read only where it is added. */
static struct video read_video(struct wb_lowering *lowering)
{
  struct video video = {.types = {{32, true}, {32, true}},
                        .adds = wb_take_modifier(lowering, WB_MODIFIER_ACC)};
  wb_take_modifier(lowering, WB_MODIFIER_UD); /* of use for saturation alone */
  if (lowering->modifiers_read != (UINT32_C(1) << lowering->instruction->modifier_count) - 1)
    for (size_t i = 0; i < 2; i++)
      video.types[i] = read_type(lowering);
  for (size_t i = 0; i < 2 && !lowering->failed; i++)
    video.parts[i] = wb_part(lowering, i, video.types[i].bits, video.types[i].as_signed);
  return video;
}

static void set_result(struct wb_lowering *lowering, const struct video *video,
                       struct wb_source result)
{
  const struct wb_source c = wb_word(lowering, 2);
  wb_set_word(lowering, video->adds ? wb_sum(lowering, result, c, wb_none()) : result);
}

/* Whether the parts are ordered as signed words; fails where neither reading holds both. */
static bool ordered_as_signed(struct wb_lowering *lowering, const struct video *video)
{
  bool as_signed = true;
  for (size_t i = 0; i < 2; i++)
    if (video->types[i].bits == 32 && !video->types[i].as_signed)
      as_signed = false;
  for (size_t i = 0; i < 2; i++)
    lowering->failed |= !as_signed && video->types[i].as_signed;
  for (size_t i = 0; i < 2; i++)
    lowering->failed |= video->parts[i].negated;
  return as_signed;
}

/* VADD.U8.U8 R0, a, b, c. */
void wb_lower_video_sum(struct wb_lowering *lowering)
{
  const struct video video = read_video(lowering);
  set_result(lowering, &video, wb_sum(lowering, video.parts[0], video.parts[1], wb_none()));
}

static struct wb_source extreme_part(struct wb_lowering *lowering, const struct video *video,
                                     bool most)
{
  return wb_emit_signed(lowering, most ? WB_MICRO_MAXIMUM : WB_MICRO_MINIMUM,
                        ordered_as_signed(lowering, video), video->parts[0], video->parts[1],
                        wb_none());
}

/* VMNMX R0, a, b, c: the least; .MX: the greatest. */
void wb_lower_video_extreme(struct wb_lowering *lowering)
{
  const bool most = wb_take_modifier(lowering, WB_MODIFIER_MX);
  const struct video video = read_video(lowering);
  set_result(lowering, &video, extreme_part(lowering, &video, most));
}

/* VABSDIFF R0, a, b, c. */
void wb_lower_video_difference(struct wb_lowering *lowering)
{
  wb_take_modifier(lowering, WB_MODIFIER_SD); /* of use for saturation alone */
  const struct video video = read_video(lowering);
  const struct wb_source most = extreme_part(lowering, &video, true);
  const struct wb_source least = extreme_part(lowering, &video, false);
  set_result(lowering, &video, wb_sum(lowering, most, wb_negated(lowering, least), wb_none()));
}

/* VABSDIFF4 R0, a, b, c: bytes chosen, added, merged. */
void wb_lower_video_differences(struct wb_lowering *lowering)
{
  wb_lower_conversion(lowering);
}

/* VSET.LT R0, a, b, c: 1 or 0. */
void wb_lower_video_compare(struct wb_lowering *lowering)
{
  static const struct {
    uint8_t modifier, relation;
  } rows[] = {{WB_MODIFIER_LT, WB_RELATION_LESS},    {WB_MODIFIER_EQ, WB_RELATION_EQUAL},
              {WB_MODIFIER_LE, WB_RELATION_AT_MOST}, {WB_MODIFIER_GT, WB_RELATION_GREATER},
              {WB_MODIFIER_NE, WB_RELATION_UNEQUAL}, {WB_MODIFIER_GE, WB_RELATION_AT_LEAST}};
  size_t r = 0;
  while (r < sizeof rows / sizeof *rows &&
         !wb_take_modifier(lowering, (enum wb_modifier)rows[r].modifier))
    r++;
  if (r == sizeof rows / sizeof *rows) {
    lowering->failed = true;
    return;
  }
  const struct video video = read_video(lowering);
  const struct wb_source outcome =
      wb_compare(lowering, (enum wb_relation)rows[r].relation, ordered_as_signed(lowering, &video),
                 video.parts[0], video.parts[1]);
  set_result(lowering, &video,
             wb_emit(lowering, WB_MICRO_SELECT, wb_number(1), wb_number(0), outcome));
}

/* VSHL R0, a, b, c: more than 31 places leave nothing; .W: modulo 32. */
static void lower_video_shift(struct wb_lowering *lowering, bool left)
{
  const bool wraps = wb_take_modifier(lowering, WB_MODIFIER_W);
  const struct video video = read_video(lowering);
  const struct wb_source count =
      wraps ? wb_lookup(lowering, WB_TABLE_AND, video.parts[1], wb_number(31), wb_number(0))
            : video.parts[1];
  lowering->failed |= count.negated || video.parts[0].negated;
  set_result(lowering, &video,
             wb_emit_signed(lowering, left ? WB_MICRO_SHIFT_LEFT : WB_MICRO_SHIFT_RIGHT,
                            !left && video.types[0].as_signed, video.parts[0], count, wb_none()));
}

void wb_lower_video_shift_left(struct wb_lowering *lowering)
{
  lower_video_shift(lowering, true);
}

void wb_lower_video_shift_right(struct wb_lowering *lowering)
{
  lower_video_shift(lowering, false);
}

/* VMAD.U16.U16 R0, a, b, c: a * b + c. */
void wb_lower_video_product(struct wb_lowering *lowering)
{
  struct video video = read_video(lowering);
  lowering->failed |= video.adds;
  video.adds = true;
  set_result(lowering, &video,
             wb_emit(lowering, WB_MICRO_MULTIPLY, video.parts[0], video.parts[1], wb_none()));
}
