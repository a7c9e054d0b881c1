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
#   A row with the wrong number of fields, a name used twice, a probe that
#   is not declared, or a bad number stops autoconf with file and line. So does
#   a name in configure.ac that looks like a macro of hwconfig, as HW_CHECK_L4,
#   and is none.
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
m4_pattern_forbid([^HW_((AX|CHECK)_[A-Z0-9_]+|(CONFIG|DEFI|INIT|OUT|REGI)[A-Z]*|CONFIG_SUBDIR[A-Z]*)$])dnl
m4_divert_push([KILL])
m4_pushdef([HW_PROBE], m4_defn([_HW_REGISTRY_PROBE]))
m4_pushdef([HW_PARAM], m4_defn([_HW_REGISTRY_PARAM]))
m4_pushdef([HW_NEVER], m4_defn([_HW_REGISTRY_NEVER]))
m4_pushdef([HW_MODEL], m4_defn([_HW_REGISTRY_MODEL]))
m4_pushdef([HW_DERIVED], m4_defn([_HW_REGISTRY_DERIVED]))
m4_pushdef([HW_EFFORT], m4_defn([_HW_REGISTRY_EFFORT]))
m4_pushdef([HW_BRIEF], m4_defn([_HW_REGISTRY_BRIEF]))
m4_pushdef([HW_LIST], m4_defn([_HW_REGISTRY_LIST]))
m4_pushdef([HW_CYCLES], m4_defn([_HW_REGISTRY_CYCLES]))
m4_pushdef([HW_RANGE], m4_defn([_HW_REGISTRY_RANGE]))
m4_pushdef([HW_STAGE], m4_defn([_HW_REGISTRY_STAGE]))
m4_pushdef([HW_READS], m4_defn([_HW_REGISTRY_READS]))
m4_pushdef([HW_ORDER], m4_defn([_HW_REGISTRY_ORDER]))
m4_pushdef([HW_BOUND], m4_defn([_HW_REGISTRY_BOUND]))
m4_pushdef([HW_SHAPE], m4_defn([_HW_REGISTRY_SHAPE]))
m4_pushdef([HW_REPORTED], m4_defn([_HW_REGISTRY_REPORTED]))
m4_pushdef([HW_DEPENDS], m4_defn([_HW_REGISTRY_DEPENDS]))
m4_pushdef([HW_LINE], m4_defn([_HW_REGISTRY_SHOWN]))
m4_changecom([/*], [*/])
m4_ifval([$1], [$1], [_HW_REGISTRY_INSTALLED])
m4_changecom([#])
m4_popdef([HW_LINE])
m4_popdef([HW_DEPENDS])
m4_popdef([HW_REPORTED])
m4_popdef([HW_SHAPE])
m4_popdef([HW_BOUND])
m4_popdef([HW_ORDER])
m4_popdef([HW_READS])
m4_popdef([HW_STAGE])
m4_popdef([HW_RANGE])
m4_popdef([HW_CYCLES])
m4_popdef([HW_LIST])
m4_popdef([HW_BRIEF])
m4_popdef([HW_EFFORT])
m4_popdef([HW_DERIVED])
m4_popdef([HW_MODEL])
m4_popdef([HW_NEVER])
m4_popdef([HW_PARAM])
m4_popdef([HW_PROBE])
m4_ifdef([_HW_ROWS], [], [m4_fatal([HW_REGISTRY: there is no row])])
m4_foreach([_HW_row], m4_defn([_HW_TABLE]), [_HW_REGISTRY_DEPENDENT(_HW_row)])
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


# _HW_REGISTRY_PROBE(NAME, GROUP, NEEDS)
# --------------------------------------
# Keeps the group of each probe in _HW_GROUP(NAME), and which parts of the program
# it and what it needs are in, in _HW_PARTS(NAME).
m4_define([_HW_REGISTRY_PROBE],
[m4_if([$#], [3], [],
  [m4_fatal([HW_PROBE($1): $# fields instead of 3])])dnl
_HW_REGISTRY_MATCH([HW_PROBE($1): name], [$1], [^[a-z][a-z0-9_]*$])dnl
_HW_REGISTRY_MATCH([HW_PROBE($1): group], [$2], [^[A-Z][A-Z0-9_]*$])dnl
_HW_REGISTRY_ONCE([HW_PROBE($1): probe], [$1])dnl
m4_if([$3], [none], [],
  [m4_foreach_w([_HW_need], [$3], [m4_ifdef([_HW_GROUP(]_HW_need[)], [],
    [m4_fatal([HW_PROBE($1): needs ]_HW_need[, which is not declared above it])])])])dnl
m4_define([_HW_GROUP($1)], [$2])dnl
m4_define([_HW_PARTS($1)], _HW_PART([$2]))dnl
m4_foreach_w([_HW_need], m4_if([$3], [none], [], [[$3]]),
  [m4_define([_HW_PARTS($1)], m4_defn([_HW_PARTS($1)])[ ]m4_defn([_HW_PARTS(]_HW_need[)]))])dnl
])# _HW_REGISTRY_PROBE


# _HW_PART(GROUP)
# ---------------
# The file of probes/parts that is not always needed, or nothing.
m4_define([_HW_PART],
[m4_case([$1], [CLOCK], [], [INSTRUCTIONS], [[core]], [REGISTERS], [[core]],
  [PROCESSORS], [[system]], [SHARING], [[system]], [MPI], [[system]], [[memory]])])


# _HW_REGISTRY_MODEL(NAME, GROUP)
# -------------------------------
# A probe that needs none and measures nothing: _HW_MODEL(NAME) is defined.
m4_define([_HW_REGISTRY_MODEL],
[m4_if([$#], [2], [],
  [m4_fatal([HW_MODEL($1): $# fields instead of 2])])dnl
_HW_REGISTRY_PROBE([$1], [$2], [none])dnl
m4_define([_HW_MODEL($1)])dnl
])# _HW_REGISTRY_MODEL


# _HW_REGISTRY_DERIVED(MACRO, MODEL, ...)
# ---------------------------------------
# A row of a model.
m4_define([_HW_REGISTRY_DERIVED],
[m4_ifdef([_HW_MODEL($2)], [],
  [m4_fatal([HW_DERIVED($1): no HW_MODEL($2, ...) stands above it])])dnl
_HW_REGISTRY_PARAM($@)dnl
])# _HW_REGISTRY_DERIVED


# _HW_REGISTRY_CYCLES(VALUES, BESIDE)
# _HW_REGISTRY_RANGE(VALUES)
# --------------------------
# Keeps the kind of rows that are not exact in _HW_KIND(VALUE). _HW_RANGES names the
# variables of the ranges that they may have, in lower case and without hw_cv_.
m4_define([_HW_REGISTRY_CYCLES],
[m4_if([$#], [2], [], [m4_fatal([HW_CYCLES($1): $# fields instead of 2])])dnl
_HW_REGISTRY_MATCH([HW_CYCLES($1): beside], [$2], [^\(0\|[1-9][0-9]*\)$])dnl
_HW_REGISTRY_KIND([HW_CYCLES($1)], [cycles], [$1])dnl
])# _HW_REGISTRY_CYCLES
m4_define([_HW_REGISTRY_RANGE],
[m4_if([$#], [1], [], [m4_fatal([HW_RANGE($1): $# fields instead of 1])])dnl
_HW_REGISTRY_KIND([HW_RANGE($1)], [range], [$1])dnl
])# _HW_REGISTRY_RANGE
m4_define([_HW_REGISTRY_KIND],
[_HW_REGISTRY_THERE([$1], [$3])dnl
m4_foreach_w([_HW_row], [$3], [_HW_REGISTRY_ONCE([$1: ]_HW_row, [kind of ]_HW_row)dnl
m4_define([_HW_KIND(]_HW_row[)], [$2])m4_append([_HW_RANGES], _HW_row[_range], [ ])])dnl
])# _HW_REGISTRY_KIND


# _HW_REGISTRY_NEVER(VALUE, REASON)
# ---------------------------------
# Keeps a branch of a case of the shell in _HW_NEVERS.
m4_define([_HW_REGISTRY_NEVER],
[m4_if([$#], [2], [], [m4_fatal([HW_NEVER($1): $# fields instead of 2])])dnl
_HW_REGISTRY_THERE([HW_NEVER($1)], [$1])dnl
_HW_REGISTRY_MATCH([HW_NEVER($1): reason], [$2], [^[A-Za-z0-9 .:;-]+$])dnl
m4_append([_HW_NEVERS], [  $1) hw_why='$2' ;;
])dnl
])# _HW_REGISTRY_NEVER


# _HW_REGISTRY_READS(VALUE, READS)
# --------------------------------
# Keeps which rows one of a model is computed from in _HW_READS(VALUE).
m4_define([_HW_REGISTRY_READS],
[m4_if([$#], [2], [], [m4_fatal([HW_READS($1): $# fields instead of 2])])dnl
_HW_REGISTRY_THERE([HW_READS($1)], [$1 $2])dnl
_HW_REGISTRY_ONCE([HW_READS($1): row], [reads of $1])dnl
m4_define([_HW_READS($1)], [$2])dnl
])# _HW_REGISTRY_READS


# _HW_REGISTRY_SHOWN(TITLE, ITEMS)
# --------------------------------
# Keeps the lines of the terminal in _HW_LINES, a list of lists, the rows of the
# Nth in _HW_LINE_ROWS(N), and the number of a row's line in _HW_LINE_OF(VALUE): each
# row is in one at most.
m4_define([_HW_REGISTRY_SHOWN],
[m4_if([$#], [2], [], [m4_fatal([HW_LINE($1): $# fields instead of 2])])dnl
_HW_REGISTRY_MATCH([HW_LINE($1): title], [$1], [^[A-Za-z0-9 -]+$])dnl
_HW_REGISTRY_MATCH([HW_LINE($1): items], [$2], [^[A-Za-z0-9 ._*/;-]+$])dnl
m4_append([_HW_LINES], [[$@]], [, ])dnl
m4_define([_HW_LINE_COUNT], m4_incr(m4_ifdef([_HW_LINE_COUNT], [_HW_LINE_COUNT], [0])))dnl
m4_foreach([_HW_item], m4_dquote(m4_unquote(m4_split([$2], [; *]))), [dnl
m4_foreach_w([_HW_row], m4_translit(m4_bregexp(m4_defn([_HW_item]), [\*\([a-z0-9_/]+\)], [\1]), [/], [ ]), [dnl
_HW_REGISTRY_THERE([HW_LINE($1)], _HW_row)dnl
_HW_REGISTRY_ONCE([HW_LINE($1): row ]_HW_row, [line of ]_HW_row)dnl
m4_append([_HW_LINE_ROWS(]_HW_LINE_COUNT[)], [ ]_HW_row)dnl
m4_define([_HW_LINE_OF(]_HW_row[)], _HW_LINE_COUNT)])])dnl
])# _HW_REGISTRY_SHOWN


# _HW_REGISTRY_ORDER(VALUES, SWITCH)
# _HW_REGISTRY_BOUND(VALUES, SWITCH)
# ----------------------------------
# Keep lines for the shell, hw_fn_order SWITCH VALUE..., and for the header: _HW_ORDERS
# and _HW_BOUNDS.
m4_define([_HW_REGISTRY_ORDER], [_HW_REGISTRY_LINE([_HW_ORDERS], [HW_ORDER], $@)])
m4_define([_HW_REGISTRY_BOUND], [_HW_REGISTRY_LINE([_HW_BOUNDS], [HW_BOUND], $@)])
m4_define([_HW_REGISTRY_LINE],
[m4_if([$#], [4], [], [m4_fatal([$2($3): m4_eval([$# - 2]) fields instead of 2])])dnl
_HW_REGISTRY_THERE([$2($3)], [$3 $4])dnl
m4_append([$1], [  hw_fn_order ]m4_toupper([$4 $3])[
])dnl
])# _HW_REGISTRY_LINE


# _HW_REGISTRY_SHAPE(CACHE)
# -------------------------
# Keeps a line for the shell and the header in _HW_SHAPES.
m4_define([_HW_REGISTRY_SHAPE],
[m4_if([$#], [1], [], [m4_fatal([HW_SHAPE($1): $# fields instead of 1])])dnl
_HW_REGISTRY_THERE([HW_SHAPE($1)], [$1_sets $1_assoc $1_line $1_bytes])dnl
m4_append([_HW_SHAPES], [  hw_fn_shape HW_]m4_toupper([$1])[
])dnl
])# _HW_REGISTRY_SHAPE


# _HW_REGISTRY_REPORTED(VALUE, EFFECTIVE, NEXT)
# ---------------------------------------------
# Keeps a line for the shell in _HW_CLAIMS, and its value in _HW_CLAIMED.
m4_define([_HW_REGISTRY_REPORTED],
[m4_if([$#], [3], [], [m4_fatal([HW_REPORTED($1): $# fields instead of 3])])dnl
_HW_REGISTRY_THERE([HW_REPORTED($1)], [$1 $2 $3])dnl
_HW_REGISTRY_ONCE([HW_REPORTED($1): row], [reported of $1])dnl
m4_append([_HW_CLAIMED], m4_toupper([$1]), [ ])dnl
m4_append([_HW_CLAIMS], [  hw_fn_claim $1 $2 $3
])dnl
])# _HW_REGISTRY_REPORTED


# _HW_REGISTRY_DEPENDS(NAMES, WHAT)
# _HW_REGISTRY_DEPENDENT(MACRO, PROBE, VALUE, ...)
# ------------------------------------------------
# Keep what the rows of a probe, or a row, depend on in _HW_DEPENDS(NAME), and see to
# it that it, and the stage, are told of each row.
m4_define([_HW_REGISTRY_DEPENDS],
[m4_if([$#], [2], [], [m4_fatal([HW_DEPENDS($1): $# fields instead of 2])])dnl
_HW_REGISTRY_MATCH([HW_DEPENDS($1): what], [$2], [^\(none\|compiler\|\(compiler \)?processors\)$])dnl
m4_foreach_w([_HW_name], [$1], [m4_ifdef([_HW_GROUP(]_HW_name[)], [], [m4_ifdef([_HW_MACRO(]_HW_name[)], [],
  [m4_fatal([HW_DEPENDS($1): no probe and no row ]_HW_name[ stands above it])])])dnl
_HW_REGISTRY_ONCE([HW_DEPENDS($1): ]_HW_name, [depends ]_HW_name)dnl
m4_define([_HW_DEPENDS(]_HW_name[)], [$2])])dnl
])# _HW_REGISTRY_DEPENDS
m4_define([_HW_REGISTRY_DEPENDENT],
[m4_ifdef([_HW_DEPENDS($3)], [], [m4_ifdef([_HW_DEPENDS($2)], [],
  [m4_fatal([HW_PROBE($2): no HW_DEPENDS names it])])])dnl
m4_ifdef([_HW_MODEL($2)], [], [m4_ifdef([_HW_STAGE($2)], [],
  [m4_fatal([HW_PROBE($2): no HW_STAGE names it])])])])


# _HW_REGISTRY_EFFORT(NAME, BUDGET, MPI, ROUNDS, ...)
# _HW_REGISTRY_BRIEF(NAME)
# _HW_REGISTRY_LIST(MACRO, LIST, ROW, CURVE)
# ------------------------------------------
# Keep the efforts, the branches of a case in the shell, in _HW_EFFORTS,
# what a brief one leaves out in _HW_BRIEF(NAME), and the lists of groups in _HW_LISTS.
m4_define([_HW_REGISTRY_EFFORT],
[m4_if([$#], [10], [], [m4_fatal([HW_EFFORT($1): $# fields instead of 10])])dnl
_HW_REGISTRY_MATCH([HW_EFFORT($1): name], [$1], [^[a-z]+$])dnl
_HW_REGISTRY_MATCH([HW_EFFORT($1): budget], [$2], [^\(none\|[1-9][0-9]*\)$])dnl
_HW_REGISTRY_MATCH([HW_EFFORT($1): seconds and rounds], [$3$4], [^[1-9][0-9]*$])dnl
m4_append([_HW_EFFORTS], [$1) hw_effort_budget=]m4_if([$2], [none], [], [[$2]])[ hw_effort_mpi=$3 hw_effort_rounds=$4 hw_effort_brief=]m4_argn([10], $@)[ ;;
])dnl
])# _HW_REGISTRY_EFFORT
m4_define([_HW_REGISTRY_BRIEF],
[m4_if([$#], [1], [], [m4_fatal([HW_BRIEF($1): $# fields instead of 1])])dnl
m4_define([_HW_BRIEF($1)])])
m4_define([_HW_REGISTRY_LIST],
[m4_if([$#], [4], [], [m4_fatal([HW_LIST($1): $# fields instead of 4])])dnl
_HW_REGISTRY_MATCH([HW_LIST($1): list], [$2], [^[a-z][a-z0-9_]*$])dnl
_HW_REGISTRY_ONCE([HW_LIST($1): list], [list $2])dnl
m4_append([_HW_LISTS], [$2], [ ])dnl
])# _HW_REGISTRY_LIST


# _HW_REGISTRY_STAGE(PROBES)
# --------------------------
# Keeps the number of each one's stage in _HW_STAGE(NAME), the batches of the Nth in
# _HW_STAGE_BATCHES(N), and the numbers in _HW_STAGES.
m4_define([_HW_REGISTRY_STAGE],
[m4_if([$#], [1], [], [m4_fatal([HW_STAGE($1): $# fields instead of 1])])dnl
m4_define([_HW_STAGE_COUNT], m4_incr(m4_ifdef([_HW_STAGE_COUNT], [_HW_STAGE_COUNT], [0])))dnl
m4_append([_HW_STAGES], _HW_STAGE_COUNT, [ ])dnl
m4_foreach_w([_HW_name], [$1], [m4_ifdef([_HW_GROUP(]_HW_name[)], [],
  [m4_fatal([HW_STAGE($1): no HW_PROBE(]_HW_name[, ...) stands above it])])dnl
_HW_REGISTRY_ONCE([HW_STAGE($1): ]_HW_name, [stage of ]_HW_name)dnl
m4_define([_HW_STAGE(]_HW_name[)], _HW_STAGE_COUNT)dnl
m4_append_uniq_w([_HW_STAGE_BATCHES(]_HW_STAGE_COUNT[)], _HW_BATCH(_HW_name))])dnl
])# _HW_REGISTRY_STAGE


# _HW_REGISTRY_PARAM(MACRO, PROBE, VALUE, UNIT, LOW, HIGH, FALLBACK,
#                    REPORTED, PAPER, TITLE)
# ------------------------------------------------------------------
# Keeps the rows in _HW_TABLE, a list of lists of fields, and the values,
# which name cache variables, in _HW_ROWS, for each group in _HW_ROWS(GROUP)
# and for each batch of what is measured in _HW_BATCH_ROWS(BATCH), separated by
# blanks. The groups are _HW_GROUP_NAMES, the batches _HW_BATCH_NAMES.
m4_define([_HW_REGISTRY_PARAM],
[m4_if([$#], [10], [],
  [m4_fatal([HW_PARAM($1): $# fields instead of 10])])dnl
_HW_REGISTRY_MATCH([HW_PARAM($1): macro], [$1], [^[A-Z][A-Z0-9_]*$])dnl
_HW_REGISTRY_MATCH([HW_PARAM($1): value], [$3], [^[a-z][a-z0-9_]*$])dnl
_HW_REGISTRY_MATCH([HW_PARAM($1): low], [$5], [^\(0\|[1-9][0-9]*\)$])dnl
_HW_REGISTRY_MATCH([HW_PARAM($1): high], [$6], [^[1-9][0-9]*$])dnl
_HW_REGISTRY_MATCH([HW_PARAM($1): fallback], [$7], [^\(none\|json\|0\|[1-9][0-9]*\)$])dnl
_HW_REGISTRY_MATCH([HW_PARAM($1): reported], [$8], [^[A-Za-z0-9_]+$])dnl
_HW_REGISTRY_MATCH([HW_PARAM($1): unit, paper or title],
  [$4$9]m4_argn([10], $@), [^[A-Za-z0-9 .:;/%()+*=<>-]+$])dnl
_HW_REGISTRY_ONCE([HW_PARAM($1): macro], [HW_$1])dnl
_HW_REGISTRY_ONCE([HW_PARAM($1): value], [hw_cv_$3])dnl
m4_ifdef([_HW_GROUP($2)], [],
  [m4_fatal([HW_PARAM($1): no HW_PROBE($2, ...) stands above it])])dnl
m4_append([_HW_TABLE], [[$@]], [, ])dnl
m4_define([_HW_MACRO($3)], [HW_$1])dnl
m4_define([_HW_TITLE($3)], m4_argn([10], $@)[ ($4)])dnl
m4_append([_HW_ROWS], [$3], [ ])dnl
_HW_REGISTRY_MEMBER(m4_defn([_HW_GROUP($2)]), [$3])dnl
m4_if(_HW_LEVEL([$1], [$2]), [], [], [_HW_REGISTRY_MEMBER(_HW_LEVEL([$1], [$2]), [$3])])dnl
m4_ifdef([_HW_MODEL($2)], [], [m4_append_uniq_w([_HW_BATCH_NAMES], _HW_BATCH([$2]))dnl
m4_append([_HW_BATCH_ROWS(]_HW_BATCH([$2])[)], [$3], [ ])])dnl
])# _HW_REGISTRY_PARAM


# _HW_REGISTRY_MEMBER(GROUP, VALUE)
# ---------------------------------
m4_define([_HW_REGISTRY_MEMBER],
[m4_append_uniq_w([_HW_GROUP_NAMES], [$1])dnl
m4_append([_HW_ROWS($1)], [$2], [ ])])


# _HW_LEVEL(MACRO, PROBE)
# -----------------------
# The group within CACHES that the row belongs to: of a level what HW_CHECK_L1 has of
# the first. Or nothing.
m4_define([_HW_LEVEL],
[m4_case([$2], [levels], [_HW_LEVEL_OF([$1])], [colours], [_HW_LEVEL_OF([$1])])])
m4_define([_HW_LEVEL_OF],
[m4_bmatch([$1], [^L1_EFF], [[L1]], [^\(HAVE_\)?L2], [[L2]], [^\(HAVE_\)?L3], [[L3]])])


# _HW_BATCH(PROBE)
# ----------------
# Whose rows are asked for at once: those of the probe, or of its group where
# probes have code generated, which is then compiled in fewer steps.
m4_define([_HW_BATCH],
[m4_if(m4_index([ ]m4_defn([_HW_BATCHES_OF_CODE])[ ], [ ]m4_defn([_HW_GROUP($1)])[ ]), [-1], [$1], [m4_defn([_HW_GROUP($1)])])])
m4_define([_HW_BATCHES_OF_CODE], [INSTRUCTIONS REGISTERS])


# _HW_REGISTRY_MATCH(WHAT, FIELD, REGEXP)
# ---------------------------------------
m4_define([_HW_REGISTRY_MATCH],
[m4_if(m4_bregexp([$2], [$3]), [-1], [m4_fatal([$1: bad field "$2"])])])


# _HW_REGISTRY_THERE(WHAT, VALUES)
# --------------------------------
# A value is a row, or none.
m4_define([_HW_REGISTRY_THERE],
[m4_foreach_w([_HW_read], [$2], [m4_if(_HW_read, [none], [], [m4_ifdef([_HW_MACRO(]_HW_read[)], [],
  [m4_fatal([$1: no row ]_HW_read[ stands above it])])])])])


# _HW_REGISTRY_ONCE(WHAT, NAME)
# -----------------------------
m4_define([_HW_REGISTRY_ONCE],
[m4_ifdef([_HW_SEEN($2)], [m4_fatal([$1 stands there already])])dnl
m4_define([_HW_SEEN($2)])])
