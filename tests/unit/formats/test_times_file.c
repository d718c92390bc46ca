/* Files of measured times: what is read and written. */
#include "formats/times/times_file.h"

#include "unit.h"

static warpbound_error failure;

static warpbound_status parse(const char *text, struct wb_times *times)
{
  failure = (warpbound_error){0};
  return wb_times_parse("times", text, strlen(text), times, &failure);
}

TEST(every_kind_of_row)
{
  FREED_BY(wb_times_free) struct wb_times times;
  assert_ok(parse("\xef\xbb\xbf# measured by hand\r\n"
                  "#checksum 0x00ff void f(int, float)\r\n"
                  "# checksum 7\n"
                  "\n"
                  " cycles , \"to\",from,run,count,warp,kernel\r\n"
                  "12.0,0x10,start,1,,0,\"f(int, float)\"\r\n"
                  "12.01, a/b.cu:7 ,0x10@k.cu:3,1,4,0,k # no comment\n"
                  "0,,.L_x_1,1,0,,k\n"
                  "1000000000000000,end,\"c d.cu:9\",,1,3,k",
                  &times));
  assert_int_equal(times.row_count, 4);
  assert_int_equal(times.checksum_count, 2);
  assert_int_equal(times.checksums[0].checksum, 0xff);
  assert_string_equal(times.checksums[0].kernel, "void f(int, float)");
  assert_null(times.checksums[1].kernel);

  const struct wb_times_row *row = times.rows;
  assert_string_equal(row[0].kernel, "f(int, float)");
  assert_int_equal(row[0].from.end, WB_TIMES_START);
  assert_int_equal(row[0].to.end, WB_TIMES_PLACE);
  assert_int_equal(row[0].to.place.address, 0x10);
  assert_int_equal(row[0].cycles, 12);
  assert_int_equal(row[0].count, -1);
  assert_int_equal(row[0].line, 6);
  assert_string_equal(row[1].kernel, "k # no comment");
  assert_int_equal(row[1].cycles, 13); /* rounded up */
  assert_int_equal(row[1].count, 4);
  assert_string_equal(row[1].from.place.file, "k.cu");
  assert_int_equal(row[1].from.place.source_line, 3);
  assert_true(row[1].from.place.has_address);
  assert_string_equal(row[1].to.place.file, "a/b.cu");
  assert_int_equal(row[2].to.end, WB_TIMES_BLOCK);
  assert_string_equal(row[2].from.place.label, ".L_x_1");
  assert_int_equal(row[2].count, 0);
  assert_null(row[2].warp);
  assert_int_equal(row[3].to.end, WB_TIMES_STOP);
  assert_string_equal(row[3].from.place.file, "c d.cu");
  assert_int_equal(row[3].cycles, WB_TIMES_MOST);
  assert_null(row[3].run);
}

/* Places are written as they were read. */
TEST(points_written)
{
  static const char *const points[][2] = {
      {"start", "0x0010"}, {"0x0010@k.cu:3", "a/b.cu:7"}, {"c d.cu:9", "end"}, {".L_x_1", ""}};
  for (size_t p = 0; p < COUNT_OF(points); p++) {
    char text[80];
    FREED_BY(wb_times_free) struct wb_times times;
    FREED_BY(wb_text_free) struct wb_text from = {0}, to = {0};
    snprintf(text, sizeof text, "from,to,cycles\n%s,%s,9\n", points[p][0], points[p][1]);
    assert_ok(parse(text, &times));
    wb_text_string(&to, "");
    wb_times_write_point(&times.rows[0].from, &from);
    wb_times_write_point(&times.rows[0].to, &to);
    assert_string_equal(from.data, points[p][0]);
    assert_string_equal(to.data, points[p][1]);
    wb_text_free(&to);
  }
}

TEST(zero_bytes)
{
  static const char text[] = "from,cycles\na\0b,1\n";
  struct wb_times times;
  assert_invalid(wb_times_parse("times", text, sizeof text - 1, &times, &failure));
  assert_int_equal(failure.line, 2);
}
