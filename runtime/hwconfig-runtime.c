/* hwconfig-runtime.c: see hwconfig-runtime.h.

   SPDX-License-Identifier: MIT

   Method: the machine calls itself what hwconfig's fingerprint calls it, which is the name of the
   file and the start of the fingerprint there.  A profile counts as a whole or not at all: one that
   is of another machine or is damaged leaves every value at what the program was built with. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "hwconfig-runtime.h"

#include <ctype.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The largest profile, some three times what hwconfig writes, and the longest name of one. */
#define RUNTIME_TEXT 65536
#define RUNTIME_NAME 1024
/* The longest line of cpuinfo. */
#define RUNTIME_LINE 8192
/* Digits that fit a long long. */
#define RUNTIME_DIGITS 18
#define RUNTIME_WORDS "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,=+-"

static pthread_once_t runtime_once = PTHREAD_ONCE_INIT;
static char runtime_text[RUNTIME_TEXT]; /* begins with a newline; empty where there are no values */
static char runtime_source[2 * RUNTIME_NAME];

/* A variable of the environment, unless that is of somebody with fewer rights. */
static const char *runtime_variable(const char *name) {
  const char *text = getuid() == geteuid() && getgid() == getegid() ? getenv(name) : NULL;

  return text != NULL && *text != '\0' ? text : NULL;
}

/* Appends the text with _ for what means something to a shell: one for several, none at the start
   of a part, as hw_fn_print of probes/machine.sh has it. */
static void runtime_print(char *machine, size_t size, const char *text) {
  size_t n = strlen(machine);

  for (; *text != '\0' && *text != '\n' && n + 1 < size; text++) {
    bool plain = strchr(RUNTIME_WORDS, *text) != NULL;
    if (!plain && n > 0 && (machine[n - 1] == '_' || machine[n - 1] == ','))
      continue;
    machine[n++] = plain ? *text : '_';
  }
  machine[n] = '\0';
}

/* Appends what of these flags tells processors apart. */
static void runtime_flags(char *machine, size_t size, const char *flags) {
  static const char told[] = " avx avx2 avx512f fma hypervisor ";
  char word[32];

  for (size_t n; *(flags += strspn(flags, " ")) != '\0'; flags += n) {
    n = strcspn(flags, " ");
    if (n + 3 > sizeof word)
      continue;
    snprintf(word, sizeof word, " %.*s ", (int)n, flags);
    if (strstr(told, word) == NULL)
      continue;
    word[n + 1] = '\0';
    runtime_print(machine, size, word);
  }
}

/* Cuts a line at the blanks before its colon; the value behind that, or NULL. */
static char *runtime_cut(char *line) {
  char *value = strchr(line, ':');

  if (value == NULL)
    return NULL;
  for (char *end = value; end > line && strchr("\t :", *end) != NULL; end--)
    *end = '\0';
  value++;
  value[strcspn(value, "\n")] = '\0';
  return *value == ' ' ? value + 1 : value;
}

/* Whether the value names a processor, and not any kind of one, as emulators do. */
static bool runtime_names(const char *key, const char *value) {
  static const char any[] = "KVM processor";
  size_t n = strlen(value);

  return n > 0 && strstr(value, "QEMU") == NULL &&
         !(strcmp(key, "marchid") == 0 && strcmp(value, "0x0") == 0) &&
         !(n >= sizeof any - 1 && strcmp(value + n - (sizeof any - 1), any) == 0);
}

/* Appends what tells processors apart, as hw_fn_machine of probes/machine.sh has it.  Whether that
   suffices. */
static bool runtime_processor(char *machine, size_t size, FILE *in) {
  /* The first ones name a processor. */
  static const char names[] =
      "|model name|Model Name|cpu|CPU|cpu model|machine|CPU part|PRID|uarch|marchid|core ID|";
  static const char others[] =
      "|vendor_id|vendor|cpu family|CPU Family|family|model|stepping|revision|cpu variation|cpu "
      "revision|"
      "system type|cache size|CPU implementer|CPU architecture|CPU variant|CPU revision|CPU "
      "Revision|isa|ISA|"
      "mvendorid|mimpid|config ID|";
  char line[RUNTIME_LINE], mark[RUNTIME_NAME], seen[RUNTIME_LINE] = "";
  const char *key;
  bool told = false;

  while (fgets(line, sizeof line, in) != NULL) {
    char *value = runtime_cut(line);
    int n;
    if (value == NULL)
      continue;
    if (strcmp(line, "flags") == 0) {
      runtime_flags(machine, size, value);
      break;
    }
    key = line;
    if (strncmp(line, "processor ", 10) == 0 && isdigit((unsigned char)line[10])) {
      key = "machine";
      value = strstr(value, "machine = ");
      value = value != NULL ? value + 10 : NULL;
    }
    if (value == NULL || snprintf(mark, sizeof mark, "|%s|", key) >= (int)sizeof mark ||
        (strstr(names, mark) == NULL && strstr(others, mark) == NULL))
      continue;
    told = told || (strstr(names, mark) != NULL && runtime_names(key, value));
    n = snprintf(mark, sizeof mark, "|%s=%s|", key, value);
    if (n >= (int)sizeof mark || strlen(seen) + strlen(mark) >= sizeof seen)
      return false;
    if (strstr(seen, mark) != NULL)
      continue;
    strcat(seen, mark);
    for (char *at = value; *at != '\0'; at++)
      *at = *at == ',' ? ' ' : *at; /* commas stand between the parts of a fingerprint */
    runtime_print(machine, size, " ");
    runtime_print(machine, size, value);
  }
  return told;
}

/* SYSTEM,PROCESSOR as in a fingerprint.  Whether it tells the processor from others. */
static bool runtime_machine(char *machine, size_t size) {
  const char *proc = runtime_variable("HWCONFIG_PROC");
  struct utsname name;
  char text[RUNTIME_NAME];
  bool told;
  FILE *in;

  *machine = '\0';
  if (uname(&name) < 0)
    return false;
  snprintf(text, sizeof text, "%s %s %s,", name.sysname, name.release, name.machine);
  runtime_print(machine, size, text);
  snprintf(text, sizeof text, "%s/cpuinfo", proc != NULL ? proc : "/proc");
  in = fopen(text, "r");
  if (in == NULL)
    return false;
  told = runtime_processor(machine, size, in);
  fclose(in);
  return told && strlen(machine) + 1 < size; /* whole */
}

/* The processors that the program may run on, as hw_fn_set of probes/machine.sh has it. */
static void runtime_set(char *set, size_t size) {
  static const char key[] = "Cpus_allowed_list:\t";
  const char *proc = runtime_variable("HWCONFIG_PROC");
  char line[RUNTIME_LINE];
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  FILE *in;

  *set = '\0';
  snprintf(line, sizeof line, "%s/self/status", proc != NULL ? proc : "/proc");
  in = fopen(line, "r");
  while (in != NULL && fgets(line, sizeof line, in) != NULL)
    if (strncmp(line, key, sizeof key - 1) == 0) {
      runtime_print(set, size, line + sizeof key - 1);
      runtime_print(set, size, " of ");
    }
  if (in != NULL)
    fclose(in);
  snprintf(line, sizeof line, "%ld", online);
  runtime_print(set, size, line);
}

/* Forgets what depends on the set of processors, where that is another: it stands behind it. */
static void runtime_cut_off(char *text) {
  static const char key[] = "\nhw_cv_processors=";
  char *theirs = strstr(text, key), set[RUNTIME_NAME];
  size_t n;

  if (theirs == NULL)
    return;
  runtime_set(set, sizeof set);
  n = strlen(set);
  if (strncmp(theirs + sizeof key - 1, set, n) != 0 || theirs[sizeof key - 1 + n] != '\n')
    theirs[1] = '\0';
}

/* Whether a line, which ends at end, is one of a profile. */
static bool runtime_legal(const char *line, const char *end) {
  const char *value = memchr(line, '=', (size_t)(end - line));
  size_t digits;

  if (line == end || *line == '#')
    return true;
  if (value == NULL || strncmp(line, "hw_cv_", 6) != 0)
    return false;
  value++;
  if (strncmp(line, "hw_cv_fingerprint=", 18) == 0 || strncmp(line, "hw_cv_processors=", 17) == 0)
    return true;
  digits = strspn(value, "0123456789");
  if (value + digits == end)
    return digits > 0 && digits <= RUNTIME_DIGITS;
  /* groups of processors, as 0,1/2,3 */
  return value + strspn(value, "0123456789,/") == end;
}

/* Why the text, behind its first newline, is no profile of the machine; or NULL. */
static const char *runtime_refuse(const char *text, const char *machine) {
  static const char print[] = "\nhw_cv_fingerprint=";
  static const char last[] = "\n# end\n";
  size_t length = strlen(text);
  const char *mine = strstr(text, print);

  if (length < sizeof last || strcmp(text + length - (sizeof last - 1), last) != 0)
    return "damaged: its end is missing";
  for (const char *line = text + 1, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
    if (!runtime_legal(line, end))
      return "damaged: a line is not hw_cv_NAME=VALUE";
  if (mine == NULL || strncmp(mine + sizeof print - 1, machine, strlen(machine)) != 0 ||
      mine[sizeof print - 1 + strlen(machine)] != ',')
    return "of another machine";
  return NULL;
}

/* Takes the values of a file.  Whether there is one, of use or not. */
static bool runtime_take(const char *path, const char *machine) {
  FILE *in = fopen(path, "r");
  const char *why = NULL;
  size_t n;

  if (in == NULL)
    return false;
  runtime_text[0] = '\n';
  n = 1 + fread(runtime_text + 1, 1, sizeof runtime_text - 2, in);
  runtime_text[n] = '\0';
  if (ferror(in))
    why = "cannot be read";
  else if (strlen(runtime_text) != n || getc(in) != EOF)
    why = "damaged: a NUL is in it, or it is too long";
  else
    why = runtime_refuse(runtime_text, machine);
  fclose(in);
  if (why != NULL)
    *runtime_text = '\0';
  else
    runtime_cut_off(runtime_text);
  snprintf(runtime_source, sizeof runtime_source, "%s%s%s", path, why != NULL ? ": " : "",
           why != NULL ? why : "");
  return true;
}

/* The same of FOLDER/MORE/MACHINE.profile. */
static bool runtime_look(const char *folder, const char *more, const char *machine) {
  char path[2 * RUNTIME_NAME];
  int n = snprintf(path, sizeof path, "%s%s/%s.profile", folder, more, machine);

  return n > 0 && (size_t)n < sizeof path && runtime_take(path, machine);
}

static bool runtime_find(const char *machine) {
  const char *named = runtime_variable("HWCONFIG_PROFILE");
  const char *cache = runtime_variable("XDG_CACHE_HOME");
  const char *home = runtime_variable("HOME");
  struct stat about;

  if (named != NULL)
    return stat(named, &about) == 0 && S_ISDIR(about.st_mode) ? runtime_look(named, "", machine)
                                                              : runtime_take(named, machine);
  return (cache != NULL && *cache == '/' && runtime_look(cache, "/hwconfig", machine)) ||
         (cache == NULL && home != NULL && runtime_look(home, "/.cache/hwconfig", machine)) ||
         runtime_look("/etc", "/hwconfig", machine);
}

static void runtime_read(void) {
  char machine[RUNTIME_NAME];

  if (!runtime_machine(machine, sizeof machine))
    snprintf(runtime_source, sizeof runtime_source,
             "this system does not tell its processor from others");
  else if (!runtime_find(machine))
    snprintf(runtime_source, sizeof runtime_source, "no profile of %s", machine);
  if (runtime_variable("HWCONFIG_VERBOSE") != NULL)
    fprintf(stderr, "hwconfig: %s\n", runtime_source);
}

const char *hw_runtime_source(void) {
  pthread_once(&runtime_once, runtime_read);
  return runtime_source;
}

long long hw_runtime(const char *name, long long fallback) {
  char key[64] = "\nhw_cv_";
  size_t n = strlen(key);
  const char *found;

  pthread_once(&runtime_once, runtime_read);
  if (strncmp(name, "HW_", 3) == 0)
    name += 3;
  for (; *name != '\0' && n + 2 < sizeof key; name++)
    key[n++] = (char)tolower((unsigned char)*name);
  key[n] = '=';
  found = *name == '\0' ? strstr(runtime_text, key) : NULL;
  if (found == NULL)
    return fallback;
  found += n + 1;
  /* no list */
  return found[strspn(found, "0123456789")] == '\n' ? strtoll(found, NULL, 10) : fallback;
}
