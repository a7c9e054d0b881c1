/* hwconfig-runtime.h: what the machine gives that a program runs on, where that was measured there.
   SPDX-License-Identifier: MIT

   For programs that are built in one place and run in another.  Copy this file and
   hwconfig-runtime.c: C99 and POSIX are enough (link with -pthread where threads want that). */
#ifndef HWCONFIG_RUNTIME_H
#define HWCONFIG_RUNTIME_H
#ifdef __cplusplus
extern "C" {
#endif

/* The value of a parameter, in its unit, as hw_runtime("L2_BYTES", HW_L2_BYTES): that of the
   profile of this machine, which "hwconfig measure --save" writes, or fallback where there is none
   that fits, or the parameter is not in it.

   The profile is $HWCONFIG_PROFILE, a file, or the folder that has one for each kind of machine; or
   else it is in the user's cache folder ($XDG_CACHE_HOME/hwconfig, ~/.cache/hwconfig), or in
   /etc/hwconfig. It is read once, by the first call; any thread may call. */
long long hw_runtime(const char *name, long long fallback);

/* Where the values come from, or why there are none, in one line.  With HWCONFIG_VERBOSE in the
   environment the first call writes it to stderr. */
const char *hw_runtime_source(void);

#ifdef __cplusplus
}
#endif
#endif
