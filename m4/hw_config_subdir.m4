# SPDX-License-Identifier: MIT OR FSFAP
# ===========================================================================
#  hw_config_subdir.m4: hwconfig as a subpackage
# ===========================================================================
#
# SYNOPSIS
#
#   HW_CONFIG_SUBDIR(DIR, [ARGUMENT...], [ROW...], [strict|reported|default])
#
# DESCRIPTION
#
#   Has configure configure the hwconfig in the folder DIR, a literal, after
#   this package itself (AC_CONFIG_SUBDIRS), and autoreconf make its configure. In
#   sources if that is missing configure has autoreconf make it, if there is one.
#   Its files are then in the folder DIR of the build; for Makefile.am
#
#     AM_CPPFLAGS = $(HWCONFIG_CPPFLAGS)
#     -include DIR/hwconfig.mk
#
#   The options and variables of this package's configure reach it, and so do
#   the compiler and flags that it has set when it ends. ARGUMENTs,
#   separated by blanks, come before them, as in
#
#     HW_CONFIG_SUBDIR([hwconfig], [--with-hw-prefix=FOO_])
#
#   They are for that hwconfig alone. Between --with-hw-package=begin and =end they
#   reach the other packages below this one too, whose own hwconfig takes none of them.
#   An option or variable that this package has declared, and whose name is near to one of
#   hwconfig's, is no mistake.
#
#   ROWs, separated by blanks, are the groups and macros that this package needs:
#   nothing else is measured and defined, unless configure is given its own
#   --with-hw-rows=LIST, or all:
#
#     HW_CONFIG_SUBDIR([hwconfig], [], [L1 L2 TILES])
#
#   What programs rely on, and could not be measured, stays undefined, so that
#   #ifdef finds the package's own constant. With reported it is what the system
#   reports, where it reports that; with default that, or else a safe default of
#   hwconfig.h. It is the package's own choice, before --with-hw-unknown of the user who
#   configures it:
#
#     HW_CONFIG_SUBDIR([hwconfig], [], [L1 L2], [default])
#
#   The name of a profile (--with-hw-profile=FILE) may be relative to the
#   folder where this configure runs.
#
#   Its values are known to make and to C, not to the checks of this configure,
#   which are done by then. It installs nothing, unless --enable-hw-install is
#   given. The user who configures the package sees one line of what was measured, or, with
#   --enable-hw-verbose, all.
#
#   This file needs no other of hwconfig: copy it to the macros of the package.
#
# LICENSE
#
#   Copyright (c) The hwconfig authors
#
#   Copying and distribution of this file, with or without modification,
#   are permitted in any medium without royalty provided the copyright
#   notice and this notice are preserved. This file is offered as-is,
#   without any warranty.

#serial 1

AC_DEFUN([HW_CONFIG_SUBDIR],
[m4_pattern_forbid([^HW_((AX|CHECK)_[A-Z0-9_]+|CONFIG_SUBDIR[A-Z]*)$])dnl
m4_if(m4_eval([$# > 0])m4_eval([$# < 5]), [11], [],
  [m4_fatal([HW_CONFIG_SUBDIR: $# arguments instead of a folder, blank-separated arguments and rows for it, and what stands in for the unknown])])dnl
m4_case(m4_default([$4], [strict]), [strict], [], [reported], [], [default], [],
  [m4_fatal([HW_CONFIG_SUBDIR: $4: not strict, reported or default])])dnl
m4_ifval([$1], [], [m4_fatal([HW_CONFIG_SUBDIR: name the folder of hwconfig, as HW_CONFIG_SUBDIR([hwconfig])])])dnl
AC_ARG_WITH([hw-profile],
  [AS_HELP_STRING([--with-hw-profile=FILE],
    [take hwconfig's values from the hwconfig.site of an earlier run; see $1/configure --help])])
m4_ifval([$3], [AC_ARG_WITH([hw-rows],
  [AS_HELP_STRING([--with-hw-rows=LIST],
    [measure these groups and macros of hwconfig, or all @<:@$3@:>@])])
])dnl
# Sources from version control, whose bootstrap calls aclocal and autoconf by itself.
AS_IF([test ! -f "$srcdir/$1/configure" && test -f "$srcdir/$1/configure.ac" && (${AUTORECONF-autoreconf} --version) >/dev/null 2>&1],
  [AC_MSG_NOTICE([autoreconf -i $1 makes $srcdir/$1/configure, which is not there])
  (cd "$srcdir/$1" && ${AUTORECONF-autoreconf} -i) >&AS_MESSAGE_LOG_FD 2>&1])
AS_IF([test -f "$srcdir/$1/configure"], [],
  [AC_MSG_ERROR([$srcdir/$1/configure: no such file: put the sources of hwconfig in the folder $1 (make vendor DIR=... there) and run autoreconf -i $1], [2])])
# Below, the folder is another one. The last of the same option counts.
case $with_hw_profile in
'' | yes | no | @<:@\\/@:>@* | ?:@<:@\\/@:>@*) ;;
*)
  hw_argument=`pwd`/$with_hw_profile
  case $hw_argument in
  *\'*) hw_argument=`AS_ECHO(["$hw_argument"]) | sed "s/'/'\\\\\\\\''/g"` ;;
  esac
  AS_VAR_APPEND([ac_configure_args], [" '--with-hw-profile=$hw_argument'"]) ;;
esac
AC_ARG_WITH([hw-unknown],
  [AS_HELP_STRING([--with-hw-unknown=strict|reported|default],
    [what stands in for what hwconfig could not measure @<:@]m4_default([$4], [strict])[@:>@])])
# Those of a package around this one, or of this one, which config.status --recheck gives.
case $ac_configure_args in
*" '--with-hw-package=begin' "*)
  ac_configure_args=${ac_configure_args%%" '--with-hw-package=begin' "*}${ac_configure_args@%:@@%:@*" '--with-hw-package=end'"} ;;
esac
# What this package has declared is no mistake; what one around it has it does not know.
hw_declared=
case $ac_configure_args in
" '--disable-option-checking' "*) ;;
*)
  for hw_argument in $ac_user_opts $ac_precious_vars; do
    case $hw_argument in
    with_hw_* | enable_hw_* | HW_*) hw_declared=$hw_declared,$hw_argument ;;
    esac
  done ;;
esac
hw_arguments=
for hw_argument in --with-hw-package=begin ${hw_declared:+"--with-hw-declared=$hw_declared"} --with-hw-unknown=m4_default([$4], [strict]) $2 m4_ifval([$3], [--with-hw-rows=m4_translit(m4_normalize([$3]), [ ], [,])]) --with-hw-package=end; do
  hw_arguments="$hw_arguments '$hw_argument'"
done
ac_configure_args=$hw_arguments$ac_configure_args
# What this package has set of its own: no variables of the user, which have to stay the same beside a cache.
AC_CONFIG_COMMANDS_PRE([
case $ac_configure_args in
*" 'hw_outer_"*)
  ac_configure_args=`AS_ECHO(["$ac_configure_args"]) | sed "s/ 'hw_outer_@<:@^'@:>@*'//g"` ;;
esac
for hw_name in CC CFLAGS CPPFLAGS LDFLAGS; do
  eval "hw_argument=\$$hw_name hw_given=\$ac_env_${hw_name}_value"
  case $hw_name,$hw_argument in
  *,"$hw_given" | CC,"$hw_given "* | CC,"$ac_ct_CC" | CC,"$ac_ct_CC "* | CC,*/compile' '* | CFLAGS,'-g -O2' | CFLAGS,-g | CFLAGS,-O2 | *\'*) ;;
  *) AS_VAR_APPEND([ac_configure_args], [" 'hw_outer_$hw_name=$hw_argument'"]) ;;
  esac
done
# What this package has found need not be looked for again, with the same compiler: by the environment, since it is not
# for other packages below.
hw_outer_checks=
case $ac_cv_c_compiler_gnu,$CC in
,* | *,*/compile' '*) ;;
*)
  for hw_name in ac_env_CC_value ac_env_CFLAGS_value ac_env_CPPFLAGS_value ac_env_LDFLAGS_value ac_env_LIBS_value dnl
ac_env_build_alias_value ac_env_host_alias_value CC ac_ct_CC GCC OBJEXT EXEEXT cross_compiling ac_cv_c_compiler_gnu dnl
ac_cv_prog_cc_g ac_cv_prog_AWK ac_cv_path_install ac_cv_path_mkdir ac_cv_prog_make_make_set dnl
am_cv_make_support_nested_variables; do
    eval "hw_outer_checks=\"\${hw_outer_checks:+\$hw_outer_checks
}$hw_name=\$$hw_name\""
  done ;;
esac
export hw_outer_checks])
m4_define([_HW_SUBDIR], [$1])dnl
AC_SUBST([HWCONFIG_CPPFLAGS], ['-I$(top_builddir)/$1'])
AC_CONFIG_SUBDIRS([$1])
])# HW_CONFIG_SUBDIR
