/* The edge of a tile: the reader on literal curves, and the probe on a simulated machine that is
   given a product whose time follows from the edge. */
#include "analysis/names.h"
#include "analysis/values.h"
#include "tests/unit/curve.h"
#include "tests/unit/engine.h"

#include <math.h>

/* ---- The reader ------------------------------------------------------------------------------ */

/* Times with edges of 32 to 256 and without, at either size of matrix. */
#define EDGES 5
struct times {
  double y[2][EDGES];
  unsigned long count[EDGES]; /* 0: enough */
};

static void put(struct hw_curves *curves, const struct times *times) {
  static const char *const name[] = {HW_NAME_TILE_F64, HW_NAME_TILE_F64_POWER};
  static const double x[EDGES] = {32, 64, 128, 256, 1024};

  *curves = (struct hw_curves){0};
  for (size_t k = 0; k < 2; k++) {
    struct hw_curve curve;
    hw_curve_init(&curve, name[k], "x", "y");
    for (size_t i = 0; i < EDGES; i++)
      put_point(&curve, x[i], times->y[k][i], 0.01, times->count[i] > 0 ? times->count[i] : 8);
    put_curve(curves, curve);
  }
}

/* The edge and the gain; 0: unknown. */
static void reads(struct times times, double edge, double gain) {
  struct hw_curves curves;
  struct hw_answer found, gained;

  put(&curves, &times);
  found = hw_read_tile_f64(&curves);
  gained = hw_read_tile_f64_gain_x100(&curves);
  assert_true(found.known == (edge > 0) && gained.known == (gain > 0));
  assert_true(!found.known || fabs(found.value - edge) < 0.5);
  assert_true(!found.known || (found.low <= edge && found.high >= edge));
  assert_true(!gained.known || fabs(gained.value - gain) < 0.7);
  hw_curves_free(&curves);
}

static void test_edges(void **state) {
  (void)state;
  /* The best at both. */
  reads((struct times){{{9, 7, 5, 6, 10}, {9, 7, 5, 6, 12}}, {0}}, 128, 200);
  /* As good but for 3 %: the smaller. */
  reads((struct times){{{9, 5.1, 5, 6, 10}, {9, 5.1, 5, 6, 10}}, {0}}, 64, 196);
  /* Rows a power of two apart fall into the same sets: 128 is best at the other size alone. */
  reads((struct times){{{9, 6, 5, 5, 10}, {9, 6, 10, 12, 10}}, {0}}, 64, 167);
  /* Not tiled it is as fast at one size, and not at the other: the gain is the least. */
  reads((struct times){{{9, 7, 5, 6, 5}, {9, 7, 5, 6, 10}}, {0}}, 128, 100);
}

static void test_no_gain(void **state) {
  (void)state;
  /* All alike. */
  reads((struct times){{{5, 5, 5, 5, 5}, {5, 5, 5, 5, 5}}, {0}}, 32, 100);
  /* The smallest edge with which it takes no longer. */
  reads((struct times){{{7, 6, 5.1, 5, 5}, {7, 6, 5.1, 5, 5}}, {0}}, 128, 98);
  /* It takes longer with any: the least. */
  reads((struct times){{{9, 8, 7, 5.5, 5}, {9, 8, 7, 5.5, 5}}, {0}}, 256, 91);
}

static void test_doubt(void **state) {
  struct hw_curves none = {0};

  (void)state;
  assert_false(hw_read_tile_f64(&none).known || hw_read_tile_f32(&none).known);
  /* No two times agree with the best edge: it is not chosen. */
  reads((struct times){{{9, 7, 5, 6, 10}, {9, 7, 5, 6, 10}}, {8, 8, 1, 8, 8}}, 256, 167);
  /* With most of them: the model is to tell. */
  reads((struct times){{{9, 7, 5, 6, 10}, {9, 7, 5, 6, 10}}, {1, 8, 1, 8, 8}}, 0, 0);
  /* Without tiles: of the gain nothing is known. */
  reads((struct times){{{9, 7, 5, 6, 10}, {9, 7, 5, 6, 10}}, {8, 8, 8, 8, 1}}, 128, 0);
}

/* ---- The probe ------------------------------------------------------------------------------- */

#define MACHINE                                                                                    \
  "machine One\ncycle 1 ns\npage bytes 4K\nlevel 1  bytes 16K ways 4 line 64 latency 3\n"          \
  "level 2  bytes 128K ways 8 line 64 latency 12\nmemory latency 100\n"                            \
  "tlb 1 entries 64 ways 4 miss 7\n"

/* Additions a multiply-add: fewer with a longer loop, more once a tile does not fit, which is
   earlier where the edge of the matrices is a power of two. */
static double cost(const struct hw_product *product) {
  const double edge = (double)product->edge;
  const double fits = (product->n & (product->n - 1)) == 0 ? 80 : 120;

  return 1 + 20 / edge + (edge > fits ? 2 : 0);
}

static int multiply(struct hw_machine *machine, struct hw_memory *memory,
                    const struct hw_product *product) {
  const double all = (double)(product->rows * product->edge * product->edge);

  (void)memory;
  assert_true(product->rows == 0 || product->row + product->rows <= product->n);
  assert_true(product->depth + product->edge <= product->n);
  assert_true(product->column + product->edge <= product->n);
  if (product->rows > 0)
    machine->ops->add(machine, hw_grains(all * cost(product)));
  return 0;
}

static void test_probe(void **state) {
  struct hw_engine engine = engine_of(MACHINE, "quick", (size_t)256 << 20);
  struct hw_machine_ops ops = *engine.bench.machine->ops;
  struct hw_answer answer;

  (void)state;
  answer = engine_row(&engine, "HW_TILE_F64");
  assert_false(answer.known);
  assert_string_equal(answer.why, "a program's loops do not run here");
  engine_close(&engine);
  engine = engine_of(MACHINE, "quick", (size_t)256 << 20);
  ops.multiply = multiply;
  engine.bench.machine->ops = &ops;
  answer = engine_row(&engine, "HW_TILE_F64");
  assert_true(answer.known && answer.value > 40 && answer.value <= 80);
  assert_true(fmod(answer.value, 8) < 0.5);
  answer = engine_row(&engine, "HW_TILE_F64_GAIN_X100");
  assert_true(answer.known && answer.value > 200 && answer.value < 260);
  answer = engine_row(&engine, "HW_TILE_F32");
  assert_true(answer.known && answer.value > 40 && answer.value <= 80);
  engine_close(&engine);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_no_gain),
      cmocka_unit_test(test_doubt),
      cmocka_unit_test(test_probe),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
