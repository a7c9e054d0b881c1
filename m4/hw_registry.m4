# SPDX-License-Identifier: MIT OR FSFAP
# ===========================================================================
#  hw_registry.m4: reads the table of parameters
# ===========================================================================
#
# SYNOPSIS
#
#   HW_REGISTRY([m4_include([probes/params.def])])
#   HW_REGISTRY
#
# DESCRIPTION
#
#   Reads the registry of hwconfig, the table with one row a parameter. The
#   argument names the file literally, because aclocal looks for m4_include
#   in the text of configure.ac: with hwconfig in a folder of the package it
#   is HW_REGISTRY([m4_include([hwconfig/probes/params.def])]). Without an
#   argument it is that of the hwconfig that is installed; then HW_INIT has no
#   argument either.
#
#   A row with the wrong number of fields, or a name used twice, stops autoconf
#   with file and line. So does a name in configure.ac that looks like a macro of
#   hwconfig, as HW_CHECK_L4, and is none. All else that may be wrong with the
#   table stops configure, which reads it by registry/table.awk.
#
#   Call it before HW_INIT.
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

# The rows are C as well. Their comments are kept from m4 by making it take
# C comments for its own while it reads them.
AC_DEFUN([HW_REGISTRY],
[m4_pattern_forbid([^_HW_[A-Z]])dnl
m4_pattern_forbid([^HW_((AX|CHECK)_[A-Z0-9_]+|CHECK|(CONFIG|DEFI|INIT|OUT|REGI)[A-Z]*|CONFIG_SUBDIR[A-Z]*)$])dnl
m4_divert_push([KILL])
m4_pushdef([HW_PROBE], m4_defn([_HW_REGISTRY_PROBE]))
m4_pushdef([HW_MODEL], m4_defn([_HW_REGISTRY_PROBE]))
m4_pushdef([HW_PARAM], m4_defn([_HW_REGISTRY_PARAM]))
m4_pushdef([HW_DERIVED], m4_defn([_HW_REGISTRY_PARAM]))
m4_pushdef([HW_LIST], m4_defn([_HW_REGISTRY_LIST]))
m4_changecom([/*], [*/])
m4_ifval([$1], [$1], [_HW_REGISTRY_INSTALLED])
m4_changecom([#])
m4_popdef([HW_LIST])
m4_popdef([HW_DERIVED])
m4_popdef([HW_PARAM])
m4_popdef([HW_MODEL])
m4_popdef([HW_PROBE])
m4_ifdef([_HW_ROWS], [], [m4_fatal([HW_REGISTRY: there is no row])])
m4_divert_pop([KILL])dnl
])# HW_REGISTRY


# _HW_REGISTRY_INSTALLED
# ----------------------
# _HW_INSTALLED is in a file that make install writes. By another name of
# m4_include, since aclocal would look for one of this name here.
m4_define([_HW_REGISTRY_INSTALLED],
[m4_changecom([#])dnl
m4_ifdef([_HW_INSTALLED], [_HW_INSTALLED],
  [m4_fatal([HW_REGISTRY: hwconfig is not installed where aclocal looks (see ACLOCAL_PATH), and no table is named])])[]dnl
m4_changecom([/*], [*/])dnl
m4_indir([m4_include], m4_defn([_HW_DATADIR])[/probes/params.def])])


# _HW_REGISTRY_PROBE(NAME, GROUP, ...)
# ------------------------------------
# Keeps the group of each probe and model in _HW_GROUP(NAME), and all of them in _HW_GROUPS.
m4_define([_HW_REGISTRY_PROBE], [m4_define([_HW_GROUP($1)], [$2])m4_append_uniq([_HW_GROUPS], [$2], [ ])])


# _HW_REGISTRY_LIST(MACRO, LIST, ...)
# -----------------------------------
# Keeps the lists of groups of processors in _HW_LISTS.
m4_define([_HW_REGISTRY_LIST], [m4_append([_HW_LISTS], [$2], [ ])])


# _HW_REGISTRY_PARAM(MACRO, PROBE, VALUE, UNIT, LOW, HIGH, FALLBACK,
#                    REPORTED, PAPER, TITLE)
# ------------------------------------------------------------------
# Keeps the rows, by their values, in _HW_ROWS, and for each group in
# _HW_ROWS(GROUP), separated by blanks; and what config.h says of one in
# _HW_TITLE(VALUE).
m4_define([_HW_REGISTRY_PARAM],
[m4_if([$#], [10], [], [m4_fatal([HW_PARAM($1): $# fields instead of 10])])dnl
m4_ifdef([_HW_TITLE($3)], [m4_fatal([HW_PARAM($1): macro stands there already])])dnl
m4_ifdef([_HW_GROUP($2)], [], [m4_fatal([HW_PARAM($1): no HW_PROBE($2, ...) stands above it])])dnl
m4_define([_HW_TITLE($3)], m4_argn([10], $@)[ ($4)])dnl
m4_append([_HW_ROWS], [$3], [ ])dnl
m4_append([_HW_ROWS(]m4_defn([_HW_GROUP($2)])[)], [$3], [ ])dnl
m4_if(_HW_LEVEL([$1], [$2]), [], [], [m4_append([_HW_ROWS(]_HW_LEVEL([$1], [$2])[)], [$3], [ ])])dnl
])# _HW_REGISTRY_PARAM


# _HW_LEVEL(MACRO, PROBE)
# -----------------------
# The group within CACHES that the row belongs to: of a level what HW_CHECK_L1 has of
# the first. Or nothing.
m4_define([_HW_LEVEL],
[m4_case([$2], [levels], [_HW_LEVEL_OF([$1])], [colours], [_HW_LEVEL_OF([$1])])])
m4_define([_HW_LEVEL_OF],
[m4_bmatch([$1], [^L1_EFF], [[L1]], [^\(HAVE_\)?L2], [[L2]], [^\(HAVE_\)?L3], [[L3]])])


# _HW_LIST([NAME...])
# -------------------
# The rows of these groups and macros, or all, on one line.
m4_define([_HW_LIST],
[m4_ifval([$1], [m4_foreach_w([_HW_name], _HW_NAMES([$1]), [m4_ifdef([_HW_ROWS(]_HW_name[)], [m4_defn([_HW_ROWS(]_HW_name[)])], [_HW_name]) ])],
  [m4_defn([_HW_ROWS])])])


# _HW_NAMES([NAME...])
# --------------------
# The same names, those of groups as they are, and of macros, which may begin with HW_, as rows.
m4_define([_HW_NAMES], [m4_normalize(m4_foreach_w([_HW_name], [$1], [_HW_NAME(_HW_name) ]))])
m4_define([_HW_NAME],
[m4_ifdef([_HW_ROWS($1)], [$1],
  [m4_ifdef([_HW_TITLE(]m4_tolower(m4_bpatsubst([$1], [^HW_]))[)], [m4_tolower(m4_bpatsubst([$1], [^HW_]))],
    [m4_fatal([$1: hwconfig has no such group or macro; there are]_HW_NEAR(m4_bpatsubst([$1], [^HW_])))])])])


# _HW_NEAR(NAME)
# --------------
# Macros that begin as this one does, or else the groups.
m4_define([_HW_NEAR], [_HW_NEAR_OR_GROUPS(m4_foreach_w([_HW_row], m4_defn([_HW_ROWS]),
  [m4_if(m4_index(_HW_row, m4_tolower(m4_bpatsubst([$1], [_[^_]*$])_)), [0], [ m4_toupper(_HW_row)])]))])
m4_define([_HW_NEAR_OR_GROUPS], [m4_ifval([$1], [[$1]], [ the groups m4_defn([_HW_GROUPS])])])
