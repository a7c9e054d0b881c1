/* The edge of a tile, on a simulated machine that is given a product whose time follows from it. */
#include "tests/unit/engine.h"

#include <math.h>

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
      cmocka_unit_test(test_probe),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
