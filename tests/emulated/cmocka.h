/* What unit tests use of cmocka, for processors that have no cmocka to be linked with: the first
   assertion that fails ends the program, and a test that skips itself counts as passed.  See
   tests/emulated.sh. */
#ifndef HW_EMULATED_CMOCKA_H
#define HW_EMULATED_CMOCKA_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
  const char *name;
  void (*test)(void **state);
};

#define cmocka_unit_test(test)                                                                     \
  { #test, test }
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
  emulated_run(tests, sizeof(tests) / sizeof(tests)[0])
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
  cmocka_run_group_tests(tests, setup, teardown)

static inline int emulated_run(const struct CMUnitTest *test, size_t n) {
  void *state = NULL;

  for (size_t i = 0; i < n; i++) {
    fprintf(stderr, "%s\n", test[i].name);
    test[i].test(&state);
  }
  return 0;
}

#define print_message(...) fprintf(stderr, __VA_ARGS__)
#define skip() return
#define fail_msg(...)                                                                              \
  (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__),                   \
   fputc('\n', stderr), exit(1))
#define assert_true(c) ((c) ? (void)0 : fail_msg("%s", #c))
#define assert_false(c) assert_true(!(c))
#define assert_null(pointer) assert_true((pointer) == NULL)
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_ptr_equal(a, b) assert_true((const void *)(a) == (const void *)(b))
#define assert_in_range(value, least, most) assert_true((value) >= (least) && (value) <= (most))
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define assert_memory_not_equal(a, b, size) assert_true(memcmp(a, b, size) != 0)
#define assert_int_equal(a, b)                                                                     \
  emulated_equal((uintmax_t)(a), (uintmax_t)(b), #a, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) assert_true((uintmax_t)(a) != (uintmax_t)(b))
#define assert_string_equal(a, b) emulated_same(a, b, #a, __FILE__, __LINE__)

static inline void emulated_equal(uintmax_t a, uintmax_t b, const char *what, const char *file,
                                  int line) {
  if (a != b) {
    fprintf(stderr, "%s:%d: %s is %jd instead of %jd\n", file, line, what, (intmax_t)a,
            (intmax_t)b);
    exit(1);
  }
}

static inline void emulated_same(const char *a, const char *b, const char *what, const char *file,
                                 int line) {
  if (strcmp(a, b) != 0) {
    fprintf(stderr, "%s:%d: %s is '%s' instead of '%s'\n", file, line, what, a, b);
    exit(1);
  }
}

#endif
