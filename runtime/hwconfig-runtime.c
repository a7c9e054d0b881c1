/* hwconfig-runtime.c: see hwconfig-runtime.h.
   SPDX-License-Identifier: MIT

   The name of a profile and the start of the fingerprint in it are what the machine calls itself.
   One that is of another machine or damaged leaves every value at what the program was built with.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "hwconfig-runtime.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The largest profile, some three times what hwconfig writes; its longest name; the longest line of
   cpuinfo; what stands in a name as it is. */
#define RUNTIME_TEXT 65536
#define RUNTIME_NAME 1024
#define RUNTIME_LINE 8192
#define RUNTIME_WORDS "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,=+-"

static pthread_once_t runtime_once = PTHREAD_ONCE_INIT;
static char runtime_text[RUNTIME_TEXT]; /* begins with a newline; empty where there are no values */
static char runtime_source[2 * RUNTIME_NAME];

/* A variable of the environment, unless a user with fewer rights may have set it. */
static const char *runtime_variable(const char *name) {
  const char *text = getuid() == geteuid() && getgid() == getegid() ? getenv(name) : NULL;

  return text != NULL && *text != '\0' ? text : NULL;
}

/* Opens a file of /proc; tests have another. */
static FILE *runtime_open(const char *file) {
  const char *proc = runtime_variable("HWCONFIG_PROC");
  char path[RUNTIME_NAME];

  snprintf(path, sizeof path, "%s/%s", proc != NULL ? proc : "/proc", file);
  return fopen(path, "r");
}

/* Appends a text with _ for what means something to a shell: one for several, none at the start of
   a part, as hw_fn_print of probes/machine.sh has it. */
static void runtime_print(char name[RUNTIME_NAME], const char *format, ...) {
  char text[RUNTIME_LINE];
  size_t n = strlen(name);
  va_list values;

  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  for (const char *at = text; *at != '\0' && n + 1 < RUNTIME_NAME; at++) {
    bool plain = strchr(RUNTIME_WORDS, *at) != NULL;
    if (plain || n == 0 || (name[n - 1] != '_' && name[n - 1] != ','))
      name[n++] = plain ? *at : '_';
  }
  name[n] = '\0';
}

/* Whether a list, as |KEY|KEY|, has the key. */
static bool runtime_has(const char *list, const char *key) {
  char mark[RUNTIME_NAME];

  return snprintf(mark, sizeof mark, "|%s|", key) < RUNTIME_NAME && strstr(list, mark) != NULL;
}

/* Leaves of these flags, which do not begin their line, what tells processors apart. */
static void runtime_flags(char *flags) {
  static const char tells[] =
      "|avx|avx2|avx512f|fma|hypervisor|asimddp|bf16|i8mm|sve|sve2|sme|lsx|lasx|vx|";
  char *rest, *flag = strtok_r(flags, " ", &rest), *end = flags - 1;

  for (; flag != NULL; flag = strtok_r(NULL, " ", &rest))
    if (runtime_has(tells, flag))
      for (*end++ = ' '; *flag != '\0';)
        *end++ = *flag++;
  end[end < flags] = '\0';
}

/* Appends the sizes that the system reports for the caches of the first processor. */
static void runtime_caches(char machine[RUNTIME_NAME]) {
  char file[] = "../sys/devices/system/cpu/cpu0/cache/index0/size", size[RUNTIME_NAME];

  for (char *digit = strstr(file, "0/size"); *digit <= '9'; ++*digit) {
    FILE *in = runtime_open(file);
    if (in != NULL && fscanf(in, "%1000s", size) == 1)
      runtime_print(machine, " %s", size);
    if (in != NULL)
      fclose(in);
  }
}

/* Cuts a line at the blanks before its colon; the value behind that. */
static char *runtime_cut(char *line) {
  char *colon = line + strcspn(line, ":"), *value = colon + (*colon == ':');

  for (char *end = colon; end > line && strchr("\t :", *end) != NULL; end--)
    *end = '\0';
  value += *value == ' ';
  value[strcspn(value, "\n")] = '\0';
  return value;
}

/* Appends what tells processors apart, as hw_fn_machine of probes/machine.sh has it; where that
   does not suffice, there is no profile.  Whether there was room for it. */
static bool runtime_processor(char machine[RUNTIME_NAME], FILE *in) {
  static const char tells[] =
      "|model name|Model Name|cpu|CPU|cpu model|machine|CPU part|PRID|uarch|marchid|core ID|"
      "vendor_id|vendor|cpu family|CPU Family|family|model|stepping|revision|cpu variation|"
      "cpu revision|system type|cache size|CPU implementer|CPU architecture|CPU variant|"
      "CPU revision|CPU Revision|isa|ISA|mvendorid|mimpid|config ID|";
  char line[RUNTIME_LINE], mark[RUNTIME_NAME], seen[RUNTIME_LINE] = "|";
  bool last = false;

  while (!last && fgets(line, sizeof line, in) != NULL) {
    char *key = line, *value = runtime_cut(line), *within = strstr(value, "machine = ");
    last = strcmp(key, "flags") == 0;
    const bool flags = runtime_has("|flags|Features|features|", key);
    if (flags)
      runtime_flags(value);
    if (strncmp(key, "processor ", 10) == 0 && within != NULL) {
      strcpy(key, "machine");
      value = within + 10;
    }
    if (flags ? *value == '\0' : !runtime_has(tells, key))
      continue;
    if (snprintf(mark, sizeof mark, "%s=%s", key, value) > RUNTIME_NAME - 3 ||
        strlen(seen) + strlen(mark) + 2 > sizeof seen)
      return false;
    if (runtime_has(seen, mark))
      continue;
    strcat(strcat(seen, mark), "|");
    for (char *at = value; *at != '\0'; at++)
      *at = *at == ',' ? ' ' : *at; /* commas stand between the parts of a fingerprint */
    runtime_print(machine, " %s", value);
  }
  return true;
}

/* SYSTEM,PROCESSOR as in a fingerprint.  Whether it could be found. */
static bool runtime_machine(char machine[RUNTIME_NAME]) {
  struct utsname name;
  bool whole;
  FILE *in;

  *machine = '\0';
  if (uname(&name) < 0 || (in = runtime_open("cpuinfo")) == NULL)
    return false;
  runtime_print(machine, "%s %s %s,", name.sysname, name.release, name.machine);
  whole = runtime_processor(machine, in);
  runtime_caches(machine);
  fclose(in);
  return whole && strlen(machine) + 1 < RUNTIME_NAME;
}

/* Forgets what depends on the set of processors that the program may run on, as hw_fn_set of
   probes/machine.sh has it, where that is another: it stands behind it. */
static void runtime_cut_off(char *text) {
  char *theirs = strstr(text, "\nhw_cv_processors="), line[RUNTIME_LINE], set[RUNTIME_NAME] = "";
  FILE *in = runtime_open("self/status"), *all = runtime_open("../sys/devices/system/cpu/online");

  while (in != NULL && fgets(line, sizeof line, in) != NULL)
    if (strncmp(line, "Cpus_allowed_list:", 18) == 0)
      runtime_print(set, "%s of ", line + 19);
  if (all != NULL && fscanf(all, "%1023s", line) == 1)
    runtime_print(set, "%s", line);
  else if (*set == '\0')
    runtime_print(set, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
  if (in != NULL)
    fclose(in);
  if (all != NULL)
    fclose(all);
  snprintf(line, sizeof line, "\nhw_cv_processors=%s\n", set);
  if (theirs != NULL && strncmp(theirs, line, strlen(line)) != 0)
    theirs[1] = '\0';
}

/* The checksum that cksum(1) prints: a CRC of the text, then of its length, low byte first. */
static unsigned long runtime_sum(const char *text, size_t length) {
  uint32_t sum = 0;

  for (size_t i = 0, left = length; i < length || left > 0; i++) {
    sum ^= (uint32_t)((i < length ? (unsigned char)text[i] : left) & 255) << 24;
    left >>= i < length ? 0 : 8;
    for (int bit = 0; bit < 8; bit++)
      sum = sum << 1 ^ (sum >> 31 != 0 ? UINT32_C(0x04c11db7) : 0);
  }
  return ~sum & UINT32_C(0xffffffff);
}

/* Why the text, behind its first newline, is no profile of the machine; or nothing. */
static const char *runtime_refuse(const char *text, const char *machine) {
  const char *last = strstr(text, "\n# cksum ");
  char print[2 * RUNTIME_NAME];

  if (last == NULL)
    return ": damaged: its end is missing";
  snprintf(print, sizeof print, "\n# cksum %lu %zu\n", runtime_sum(text + 1, (size_t)(last - text)),
           (size_t)(last - text));
  if (strcmp(last, print) != 0)
    return ": damaged: its checksum is another";
  snprintf(print, sizeof print, "\nhw_cv_fingerprint=%s,", machine);
  return strstr(text, print) == NULL ? ": of another machine" : "";
}

/* Takes the values of a file.  Whether there is one, of use or not. */
static bool runtime_take(const char *path, const char *machine) {
  FILE *in = fopen(path, "r");
  const char *why;
  size_t n;

  if (in == NULL)
    return false;
  runtime_text[0] = '\n';
  n = 1 + fread(runtime_text + 1, 1, sizeof runtime_text - 2, in);
  runtime_text[n] = '\0';
  why = ferror(in) ? ": cannot be read"
        : strlen(runtime_text) != n || getc(in) != EOF
            ? ": damaged: a NUL is in it, or it is too long"
            : runtime_refuse(runtime_text, machine);
  fclose(in);
  if (*why != '\0')
    *runtime_text = '\0';
  runtime_cut_off(runtime_text);
  snprintf(runtime_source, sizeof runtime_source, "%s%s", path, why);
  return true;
}

/* The same of FOLDER/MORE/MACHINE.profile; a sum stands for a long MACHINE. */
static bool runtime_look(const char *folder, const char *more, const char *machine) {
  size_t length = strlen(machine);
  char path[2 * RUNTIME_NAME], sum[64];

  snprintf(sum, sizeof sum, "%lu-%zu", runtime_sum(machine, length), length);
  return snprintf(path, sizeof path, "%s%s/%s.profile", folder, more,
                  length > 200 ? sum : machine) < (int)sizeof path &&
         runtime_take(path, machine);
}

static bool runtime_find(const char *named, const char *machine) {
  const char *cache = runtime_variable("XDG_CACHE_HOME"), *home = runtime_variable("HOME");
  struct stat about;

  if (named != NULL)
    return stat(named, &about) == 0 && S_ISDIR(about.st_mode) ? runtime_look(named, "", machine)
                                                              : runtime_take(named, machine);
  return (cache != NULL && *cache == '/' ? runtime_look(cache, "/hwconfig", machine)
          : home != NULL && *home == '/' ? runtime_look(home, "/.cache/hwconfig", machine)
                                         : false) ||
         runtime_look("/etc", "/hwconfig", machine);
}

static void runtime_read(void) {
  const char *named = runtime_variable("HWCONFIG_PROFILE");
  char machine[RUNTIME_NAME];

  if (!runtime_machine(machine))
    strcpy(runtime_source, "this system does not say what its processor is");
  else if (!runtime_find(named, machine))
    snprintf(runtime_source, sizeof runtime_source, "%s%sno profile of %s",
             named != NULL ? named : "", named != NULL ? ": " : "", machine);
  if (runtime_variable("HWCONFIG_VERBOSE") != NULL)
    fprintf(stderr, "hwconfig: %s\n", runtime_source);
}

const char *hw_runtime_source(void) {
  pthread_once(&runtime_once, runtime_read);
  return runtime_source;
}

long long hw_runtime(const char *name, long long fallback) {
  char key[64];
  int n = snprintf(key, sizeof key, "\nhw_cv_%s=", name + (strncmp(name, "HW_", 3) == 0 ? 3 : 0));

  pthread_once(&runtime_once, runtime_read);
  for (char *at = key; *at != '\0'; at++) /* whatever the locale has for an I */
    *at = (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at);
  const char *found = n < (int)sizeof key ? strstr(runtime_text, key) : NULL; /* a list is none */
  return found != NULL && found[n + (int)strspn(found + n, "0123456789")] == '\n'
             ? strtoll(found + n, NULL, 10)
             : fallback;
}
