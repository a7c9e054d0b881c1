/* Values, from curves that an earlier run has left in files. */
#include "probes/reread.h"

#include "analysis/trace.h"
#include "probes/bench/idle.h"
#include "probes/engine.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The suffix of files of curves. */
static const char reread_end[] = ".curve";

/* Whether there is such a probe.  Some have no rows: only other probes read their curves. */
static bool reread_known(const char *probe) {
  static const char *const probes[] = {
#define HW_PROBE(name, group, needs) #name,
#include "probes/params.h"
      HW_IDLE_CURVE};

  for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++)
    if (strcmp(probes[i], probe) == 0)
      return true;
  return false;
}

/* Reads the curve of a file.  0, or -1 after a line to stderr; 1 for one of several whose probe
   does not exist any more. */
static int reread_file(struct hw_curve *curve, const char *file, bool several) {
  FILE *in = fopen(file, "r");
  int result;

  if (in == NULL) {
    fprintf(stderr, "%s: %s\n", file, strerror(errno));
    return -1;
  }
  result = hw_curve_read(curve, file, in, stderr);
  fclose(in);
  if (result == 0 && !reread_known(curve->probe)) {
    if (!several)
      fprintf(stderr, "%s: there is no probe '%s'\n", file, curve->probe);
    hw_curve_free(curve);
    return several ? 1 : -1;
  }
  return result;
}

/* Adds a curve to the curves.  0, or -1 after a line to stderr; then the curve is freed. */
static int reread_put(struct hw_curves *curves, struct hw_curve *curve) {
  if (hw_curves_put(curves, curve) == 0)
    return 0;
  fprintf(stderr, "%s: out of memory\n", curve->name);
  hw_curve_free(curve);
  return -1;
}

/* Adds a file's curve unless the curves have its name already: files that were named come first. */
static void reread_beside(struct hw_curves *curves, const char *folder, const char *name) {
  size_t size = strlen(folder) + strlen(name) + 1;
  char *path = malloc(size);
  struct hw_curve curve;

  if (path == NULL)
    return;
  snprintf(path, size, "%s%s", folder, name);
  if (reread_file(&curve, path, true) == 0) {
    if (hw_curves_get(curves, curve.name) == NULL)
      (void)reread_put(curves, &curve);
    else
      hw_curve_free(&curve);
  }
  free(path);
}

/* Length of the folder in a file's name, with the slash. */
static size_t reread_folder_length(const char *file) {
  const char *slash = strrchr(file, '/');

  return slash == NULL ? 0 : (size_t)(slash - file) + 1;
}

/* Adds the other curves of a file's folder. */
static void reread_folder(struct hw_curves *curves, const char *file) {
  size_t length = reread_folder_length(file);
  char *folder = calloc(1, length + 1);
  struct dirent *entry;
  DIR *dir = NULL;

  if (folder != NULL) {
    memcpy(folder, file, length);
    dir = opendir(length == 0 ? "." : folder);
  }
  while (dir != NULL && (entry = readdir(dir)) != NULL) {
    size_t name = strlen(entry->d_name), end = sizeof reread_end - 1;
    if (name > end && strcmp(entry->d_name + name - end, reread_end) == 0)
      reread_beside(curves, folder, entry->d_name);
  }
  if (dir != NULL)
    closedir(dir);
  free(folder);
}

/* Prints a row. */
static void reread_print(const struct hw_curves *curves, const struct hw_param *param) {
  struct hw_answer answer =
      hw_param_published(param, curves, hw_param_reduce(param, curves, stderr));

  hw_engine_print(param, answer, stdout);
  if (answer.known)
    printf("# %s: %s, error %.3g, clarity %.3g\n", param->name, answer.method, answer.error,
           answer.clarity);
}

/* Reads the files, marks the rows of their probes, and reads the other curves of their folders.
   All rows are marked when several files are all curves of their folders.  0 or -1. */
static int reread_all(struct hw_curves *curves, char *const *file, size_t n, bool *wanted) {
  size_t named;

  for (size_t i = 0; i < n; i++) {
    struct hw_curve curve;
    int result = reread_file(&curve, file[i], n > 1);
    if (result < 0)
      return -1;
    if (result > 0)
      continue;
    for (size_t k = 0; hw_params[k].name != NULL; k++)
      wanted[k] = wanted[k] || strcmp(hw_params[k].probe, curve.probe) == 0;
    if (reread_put(curves, &curve) < 0)
      return -1;
  }
  named = curves->n;
  for (size_t i = 0; i < n; i++) {
    size_t length = reread_folder_length(file[i]);
    /* Files of one folder mostly come one after another. */
    if (i == 0 || length != reread_folder_length(file[i - 1]) ||
        strncmp(file[i], file[i - 1], length) != 0)
      reread_folder(curves, file[i]);
  }
  for (size_t k = 0; n > 1 && curves->n == named && hw_params[k].name != NULL; k++)
    wanted[k] = true;
  return 0;
}

static int reread_why(const char *row, char *const *file, size_t n) {
  const struct hw_param *param = hw_param_find(row);
  struct hw_curves curves = {0};
  int result;

  if (param == NULL) {
    fprintf(stderr, "%s: no such parameter\n", row);
    return -1;
  }
  for (size_t i = 0; i < n; i++) {
    struct hw_curve curve;
    if (reread_file(&curve, file[i], true) == 0)
      (void)reread_put(&curves, &curve);
  }
  result = hw_trace_begin(&curves);
  if (result == 0) {
    (void)param->value(&curves);
    hw_trace_print(curves.trace, stdout);
    hw_trace_end(&curves);
  }
  hw_curves_free(&curves);
  return result;
}

static int reread_reduce(char *const *file, size_t n) {
  struct hw_curves curves = {0};
  size_t rows = 0;
  bool *wanted;
  int result;

  while (hw_params[rows].name != NULL)
    rows++;
  wanted = calloc(rows, sizeof *wanted);
  if (wanted == NULL) {
    fputs("out of memory\n", stderr);
    return -1;
  }
  result = reread_all(&curves, file, n, wanted);
  for (size_t k = 0; result == 0 && k < rows; k++)
    if (wanted[k])
      reread_print(&curves, &hw_params[k]);
  hw_curves_free(&curves);
  free(wanted);
  return result;
}

int hw_reread(int argc, char **argv) {
  const bool reduce = argc > 2 && strcmp(argv[1], "--reduce") == 0;
  int result;

  if (!reduce && (argc <= 2 || strcmp(argv[1], "--why") != 0))
    return -1;
  result = reduce ? reread_reduce(argv + 2, (size_t)argc - 2)
                  : reread_why(argv[2], argv + 3, (size_t)argc - 3);
  return result < 0 ? 2 : fflush(stdout) != 0;
}
