/* The table of operations and types, as the generator, the loops and the readers have it. */
#include "probes/nano/operations.h"

#include "analysis/rows/operations.h"
#include "probes/nano/loops.h"
#include "tests/unit/answer.h"

#include <string.h>

/* What stands beside an operation in its chain is an operation on the same types, by itself. */
static void test_chains(void **state) {
  (void)state;
  for (const struct hw_nano_operation *op = hw_nano_operations; op->word != NULL; op++)
    for (const struct hw_nano_type *type = hw_nano_types; type->word != NULL; type++) {
      const struct hw_nano_operation *other = hw_nano_operation(op->chain, type->word);
      if (hw_nano_operation(op->word, type->word) != op || op->chain[0] == '\0')
        continue;
      assert_non_null(other);
      assert_string_equal(other->chain, "");
      assert_int_equal(other->unit, HW_UNIT_PIPELINED);
    }
}

/* Streams grow from one, a dependent chain; an operation without a unit has none. */
static void test_streams(void **state) {
  (void)state;
  for (const struct hw_nano_operation *op = hw_nano_operations; op->word != NULL; op++) {
    const struct hw_loops_row row = hw_loops_row(op);
    assert_true((row.last > 0) == (op->unit != HW_UNIT_NONE));
    assert_true(row.first <= row.last && row.last <= HW_LOOPS_STREAMS);
    for (size_t i = 0; i < row.last; i++)
      assert_true(i == 0 ? row.streams[i] == 1 : row.streams[i] > row.streams[i - 1]);
  }
}

/* Readers and generator agree on what waits for a divider. */
static void test_dividers(void **state) {
  char tag[HW_NANO_TYPE] = "v", word[HW_NANO_TYPE];

  (void)state;
  for (const struct hw_nano_type *type = hw_nano_types; type->word != NULL; type++)
    for (const struct hw_nano_operation *op = hw_nano_operations; op->word != NULL; op++) {
      if (hw_nano_operation(op->word, type->word) != op)
        continue;
      assert_true(hw_operations_divides(op->word, type->word) == (op->unit >= HW_UNIT_DIVIDER));
      strcpy(tag + 1, type->word);
      hw_nano_typed(word, tag, 32);
      if (type->kind[0] == 'f' && hw_nano_operation(op->word, word) == op)
        assert_true(hw_operations_divides(op->word, tag) == (op->unit >= HW_UNIT_DIVIDER));
    }
}

/* Names of types, of scalars and of vectors; a root is of scalars alone. */
static void test_types(void **state) {
  char type[HW_NANO_TYPE];

  (void)state;
  hw_nano_typed(type, "f64", 0);
  assert_string_equal(type, "f64");
  assert_non_null(hw_nano_operation("sqrt", type));
  hw_nano_typed(type, "vf64", 64);
  assert_string_equal(type, "f64v64");
  assert_null(hw_nano_operation("sqrt", type));
  assert_non_null(hw_nano_operation("live", type));
  assert_null(hw_nano_operation("divs", type));
  assert_null(hw_nano_operation("add", "f16"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains), cmocka_unit_test(test_streams),
                                     cmocka_unit_test(test_dividers), cmocka_unit_test(test_types)};

  return cmocka_run_group_tests_name("operations", tests, NULL, NULL);
}
