# _hw_terminal.m4: what configure says on the terminal while it checks.
#
# Copyright (c) The hwconfig authors
#
# Copying and distribution of this file, with or without modification, are
# permitted in any medium without royalty provided the copyright notice and
# this notice are preserved. This file is offered as-is, without any warranty.

# _HW_TERMINAL
# ------------
# Rows that belong together (HW_LINE in the table) are one line of the terminal;
# config.log has each of them by its title. A row without a line is one itself.
#
# hw_fn_open VALUE begins the line of the row last looked up, unless it is open,
# and ends the one before. hw_fn_close ends it, with what hw_fn_check has left in
# hw_result_VALUE and hw_reports_VALUE; a row that was not checked is not named.
#
# hw_fn_item BEFORE VALUE... AFTER is a piece of a line: the first of the rows that
# has a value, or of those that were checked, between its words. Words before it hold
# for the pieces that follow, too, until others do: where nothing of such a part is
# known, hw_fn_part says so without their words.
#
# While something is measured, and only on a terminal, the line is overwritten
# each second by how far that is.
AC_DEFUN([_HW_TERMINAL],
[hw_opened= hw_prompt= hw_warnings= hw_ticking=
hw_tty=no
test "$silent" = yes || test ! -t AS_MESSAGE_FD || hw_tty=yes
m4_map([_HW_SHELL_LINE], m4_defn([_HW_LINES]))dnl
# hw_shown: a value as a person reads it, hw_mark: where it is from, if not measured.
hw_fn_shown ()
{
  hw_fn_row $[]1
  eval "hw_shown=\$$hw_macro hw_result=\$hw_result_$[]1"
  case $hw_result in
  *'(given)') hw_mark=given ;;
  *'(given in the environment)') hw_mark='given in the environment' ;;
  '(cached)'*) hw_mark=cached ;;
  *'(profile)') hw_mark=profile ;;
  *'(derived)') hw_mark=derived ;;
  *) hw_mark= ;;
  esac
  test -n "$hw_shown" || return 0
  eval "hw_range=\$${hw_macro}_RANGE"
  AS_IF([test -n "$hw_range"], [
    hw_text=$hw_shown
    hw_fn_whole ${hw_range%:*}
    hw_less=$hw_shown
    hw_fn_whole ${hw_range@%:@*:}
    hw_range=" ($hw_less to $hw_shown)"
    hw_shown=$hw_text])
  hw_fn_whole $hw_shown
  hw_shown=$hw_shown$hw_range
}
# hw_fn_whole NUMBER: hw_shown, a number of the row last looked up in whole units.
hw_fn_whole ()
{
  hw_shown=$[]1
  case $hw_unit in
  */100 | x100)
    hw_shown=00$hw_shown
    hw_whole=${hw_shown%??}
    hw_shown=${hw_whole@%:@00}.${hw_shown@%:@"$hw_whole"}
    hw_shown=${hw_shown@%:@0}
    case $hw_shown in
    .*) hw_shown=0$hw_shown ;;
    esac ;;
  esac
}
hw_fn_part ()
{
  AS_IF([test -n "$hw_before" && test $hw_part_known = no], [
    hw_part_plain=${hw_part_plain:+unknown}
    hw_part_marked=$hw_part_plain])
  test -z "$hw_part_plain" || AS_VAR_APPEND([hw_plain], ["${hw_plain:+, }$hw_before$hw_part_plain"])
  test -z "$hw_part_marked" || AS_VAR_APPEND([hw_marked], ["${hw_marked:+, }$hw_before$hw_part_marked"])
  hw_before=$[]1 hw_part_plain= hw_part_marked= hw_part_known=no
}
hw_fn_item ()
{
  test -z "$[]1" || hw_fn_part "$[]1"
  shift
  hw_found=
  while test $[]@%:@ -gt 1; do
    eval "hw_value=\$hw_result_$[]1"
    AS_IF([test -n "$hw_value"], [
      hw_fn_shown $[]1
      test -n "$hw_found" && test -z "$hw_shown" || hw_found=$[]1
      test -z "$hw_shown" || break])
    shift
  done
  while test $[]@%:@ -gt 1; do shift; done
  test -n "$hw_found" || return 0
  hw_fn_shown $hw_found
  eval "hw_why=\$hw_result_$hw_found hw_reports=\$hw_reports_$hw_found"
  case $hw_why in
  none*) return 0 ;;
  esac
  AS_VAR_ARITH([hw_items], [$hw_items + 1])
  test -z "$hw_reports" || AS_VAR_APPEND([hw_all_reports], ["${hw_all_reports:+, }$hw_reports"])
  AS_IF([test -z "$hw_shown"], [
    AS_VAR_ARITH([hw_unknowns], [$hw_unknowns + 1])
    case $hw_why in
    *'unknown ('*')')
      hw_why=${hw_why@%:@*'unknown @{:@'}
      hw_why=${hw_why%'@:}@'}
      case "; $hw_whys; " in
      *"; $hw_why; "*) ;;
      *) AS_VAR_APPEND([hw_whys], ["${hw_whys:+; }$hw_why"]) ;;
      esac ;;
    esac
    hw_shown=unknown
    test "$hw_unit" != 0/1 || hw_shown='unknown whether'],
  [
    case $hw_unit,$hw_shown in
    0/1,0) hw_shown=not ;;
    0/1,*) hw_shown= ;;
    esac
    hw_part_known=yes])
  test $hw_items -gt 1 || hw_first_mark=$hw_mark
  test "x$hw_mark" = "x$hw_first_mark" || hw_same=no
  hw_after=$[]1
  test -n "$hw_shown" || hw_after=${hw_after@%:@ }
  hw_shown=$hw_shown$hw_after
  AS_VAR_APPEND([hw_part_plain], ["${hw_part_plain:+, }$hw_shown"])
  AS_VAR_APPEND([hw_part_marked], ["${hw_part_marked:+, }$hw_shown${hw_mark:+ ($hw_mark)}"])
}
hw_fn_close ()
{
  test -n "$hw_opened" || return 0
  hw_items=0 hw_unknowns=0 hw_before= hw_plain= hw_marked= hw_same=yes hw_first_mark= hw_whys= hw_all_reports=
  hw_part_plain= hw_part_marked= hw_part_known=no
  case $hw_opened in
  *@<:@!0-9@:>@*) eval "hw_said=\$hw_result_$hw_opened" ;;
  *)
    hw_fn_line_$hw_opened
    hw_fn_part
    hw_said=$hw_plain
    AS_IF([test $hw_same = no], [hw_said=$hw_marked],
      [test -n "$hw_first_mark"], [AS_VAR_APPEND([hw_said], [" ($hw_first_mark)"])])
    AS_IF([test $hw_items -eq 0], [hw_said=none],
      [test $hw_unknowns -eq $hw_items], [hw_said=unknown])
    AS_VAR_APPEND([hw_said], ["${hw_whys:+ ($hw_whys)}${hw_all_reports:+ (reported $hw_all_reports)}"]) ;;
  esac
  AC_MSG_RESULT([$hw_said])
  AS_IF([test -n "$hw_warnings"], [
    AS_ECHO_N(["$hw_warnings"]) | while read -r hw_text; do
      AC_MSG_WARN([$hw_text])
    done
    hw_warnings=])
  hw_opened= hw_prompt=
}
hw_fn_open ()
{
  hw_row_line=${hw_on_line:-$[]1}
  test "x$hw_opened" != "x$hw_row_line" || return 0
  hw_opened=$hw_row_line
  hw_prompt="$hw_title ($hw_unit)"
  test -z "$hw_on_line" || eval "hw_prompt=\$hw_line_title_$hw_on_line"
  AC_MSG_CHECKING([$hw_prompt])
  hw_prompt="checking $hw_prompt... "
}
# A clock beside what is measured, TITLE, which ends with configure, or by hw_fn_untick: that clears
# its line, and begins again what stood there.
hw_fn_tick ()
{
  test $hw_tty = yes && test -z "$hw_ticking" || return 0
  hw_at=0 hw_of=0
  for hw_name in $hw_plan; do
    AS_VAR_ARITH([hw_of], [$hw_of + 1])
    case " $hw_checked " in
    *" $hw_name "*) AS_VAR_ARITH([hw_at], [$hw_at + 1]) ;;
    esac
  done
  read -r hw_start <conftest.hw/start
  hw_left=`hw_fn_now`
  AS_VAR_ARITH([hw_left], [$hw_start + $hw_forecast - $hw_left])
  (
    cd /
    while sleep 1 >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- && kill -0 $$ 2>/dev/null; do
      AS_VAR_ARITH([hw_left], [$hw_left - 1])
      test $hw_left -gt 0 || hw_left=1
      printf '\r\033@<:@Kmeasuring: %s, %d of %d, about %d s' "$[]1" $hw_at $hw_of $hw_left >&AS_MESSAGE_FD
    done
  ) </dev/null &
  hw_ticking=$!
}
hw_fn_untick ()
{
  test -n "$hw_ticking" || return 0
  # A shell may lose another signal that comes as it begins.
  {
    kill -9 $hw_ticking
    wait $hw_ticking
  } 2>/dev/null
  hw_ticking=
  printf '\r\033@<:@K%s' "$hw_prompt" >&AS_MESSAGE_FD
}
])# _HW_TERMINAL


# _HW_SUMMARY
# -----------
# The last screen: how much is known, the values that most programs are after, and
# the reasons for what is unknown, those of most rows first. What to do about it is
# said once, by the warning where one follows.
AC_DEFUN([_HW_SUMMARY],
[AS_IF([test "${hw_cv_cpu_kinds:-1}" -gt 1 2>/dev/null && test -n "$hw_cv_kind_groups"],
  [hw_value=`AS_ECHO(["$hw_cv_kind_groups"]) | sed 's,/, and ,g'`
  AC_MSG_NOTICE([hwconfig: there are $hw_cv_cpu_kinds kinds of processors ($hw_value); what a single thread sees holds for the first])])
hw_text=
test $hw_none -eq 0 || hw_text=", $hw_none do not apply"
AS_IF([test -f conftest.hw/start], [
  read -r hw_start <conftest.hw/start
  hw_now=`hw_fn_now`
  AS_VAR_ARITH([hw_now], [$hw_now - $hw_start])
  AS_VAR_APPEND([hw_text], ["; $hw_now s${hw_load:+, load $hw_load}"])
  case $hw_stopped in
  '' | unknown | 0.0) ;;
  *) AS_VAR_APPEND([hw_text], [", stopped by a quota for $hw_stopped s"]) ;;
  esac])
hw_lines=
hw_fn_matter
AS_IF([test "$silent" != yes && test -n "$hw_built"], [_HW_SCREEN])
test "$enable_hw_measure" = yes || hw_defaults=
AS_IF([test $hw_known -eq $hw_count],
  [AC_MSG_NOTICE([hwconfig: all $hw_count parameters are known$hw_text$hw_lines])],
  [AS_IF([test -z "$hw_matter$hw_defaults"], [AS_VAR_APPEND([hw_lines], ["$hw_nl  To know the others, $hw_advice."])])
  AC_MSG_NOTICE([hwconfig: $hw_known of $hw_count parameters are known$hw_text${hw_idle:+; nothing was measured, since $hw_idle}$hw_lines
  m4_ifset([_HW_DIR], [config.log has each], [./hwconfig show has all of them, config.log each]) with its reason.])])
AS_IF([test -n "$hw_claimed"],
  [AC_MSG_NOTICE([hwconfig: what the system reports stands in for what could not be measured: $hw_claimed])])
AS_IF([test $with_hw_unknown = default], [hw_text='get the safe defaults of hwconfig.h'], [hw_text='find them undefined'])
AS_IF([test -n "$hw_matter"],
  [AC_MSG_WARN([hwconfig: $hw_matter.
  $hw_advice.${hw_defaults:+
  Programs rely on these, and $hw_text:$hw_defaults.}])],
  [test -n "$hw_defaults"],
  [AC_MSG_WARN([hwconfig: programs rely on these, and $hw_text:$hw_defaults.
  To know them, $hw_advice.])])
])# _HW_SUMMARY


# _HW_MATTER
# ----------
# hw_fn_matter sets hw_matter to what is the matter where this run knows none of what
# it was to measure, or none of what it was to generate code for that did not compile;
# or to nothing. hw_advice is what to do about that, or about what else is unknown:
# where time was short, how to give it more.
AC_DEFUN([_HW_MATTER],
[hw_fn_matter ()
{
  hw_matter= hw_any=no hw_coded=no hw_lacked= hw_codeless= hw_spent=no
  hw_more='bring a profile (--with-hw-profile=FILE), or give values, as in HW_L1_BYTES=32768'
  hw_advice="measure on a quiet machine, try --with-hw-effort=thorough, $hw_more"
  test -z "$hw_idle" || hw_advice='run configure on the machine that will run the program, and bring its hwconfig.site here for --with-hw-profile, or give values, as in HW_L1_BYTES=32768'
  test -n "$hw_built" || return 0
  for hw_row in $hw_rows; do
    eval "hw_value=\$hw_cv_$hw_row hw_src=\$hw_cv_${hw_row}_src hw_why=\$hw_cv_${hw_row}_why"
    test -n "$hw_value" || continue
    hw_fn_row $hw_row
    case $hw_value,$hw_src in
    *,5)
      hw_any=yes
      case " _HW_BATCHES_OF_CODE " in
      *" $hw_batch "*) hw_coded=yes ;;
      esac ;;
    "unknown,$hw_manner")
      case $hw_lacked,$hw_why in
      ,?*) hw_lacked=$hw_why ;;
      esac
      test "x$hw_why" != "x$hw_ungenerated" || hw_codeless=$hw_why
      case $hw_why in
      'the budget is spent' | 'the compiler took too long') hw_spent=yes ;;
      esac ;;
    esac
  done
  hw_budget_more=${hw_budget%%.*}
  hw_budget_more=`expr 4 \* ${hw_budget_more:-600} + 5`
  test $hw_spent = no ||
    hw_advice="give it more time, as in --with-hw-budget=$hw_budget_more, measure on a quiet machine, $hw_more"
  AS_IF([test $hw_any = no && test -n "$hw_lacked"], [hw_matter="nothing could be measured: $hw_lacked"],
    [test $hw_coded = no && test -n "$hw_codeless"],
    [hw_matter="nothing that needs generated code could be measured: $hw_codeless"],
    [return 0])
  hw_advice='config.log may tell more; values can be given, as in HW_L1_BYTES=32768, or brought in a profile'
  case $hw_matter in
  *compile) hw_advice='config.log has what the compiler says: it is to compile C11 with floating point, so that CC or CFLAGS may have to be others' ;;
  *'too long' | *spent) hw_advice="the compiler or the machine is slow: give it more time, as in --with-hw-budget=$hw_budget_more" ;;
  *'a profiler') hw_advice='configure without what asks for that, such as -fsanitize, -pg or --coverage, or with the hwconfig.site of such a configure, as in --with-hw-profile=FILE' ;;
  esac
}
])# _HW_MATTER


# _HW_SCREEN
# ----------
# hw_lines: the values and the reasons, each line after a newline.
m4_define([_HW_SCREEN],
[hw_lines=`{
  for hw_row in l1_bytes l1_line l2_bytes l3_eff_bytes mem_lat page_bytes tlb1_reach_bytes vec_bytes nr_f64 cores; do
    hw_fn_wanted $hw_row || continue
    hw_fn_row $hw_row
    eval "hw_value=\\$$hw_macro"
    AS_ECHO(["value $hw_macro ${hw_value:-unknown}"])
  done
  for hw_row in $hw_checked; do
    hw_fn_row $hw_row
    eval "hw_value=\\$$hw_macro hw_why=\\$${hw_macro}_WHY"
    test -n "$hw_value" || hw_fn_none $hw_row || AS_ECHO(["why $hw_macro $hw_why"])
  done
} | $AWK '
  function show(text) {
    sub(/ *@S|@/, "", text)
    if (text != "") print "  " text
  }
  @S|@1 == "value" { values = values sprintf("%-28s", @S|@2 " " @S|@3) (++n % 3 ? "" : "\n") }
  @S|@1 == "why" {
    macro = @S|@2
    sub(/^why @<:@^ @:>@* /, "")
    unknown@<:@++unknowns@:>@ = macro
    reason@<:@macro@:>@ = @S|@0
  }
  END {
    lines = split(values, line, "\n")
    for (i = 1; i <= lines; i++) show(line@<:@i@:>@)
    for (i = 1; i <= unknowns; i++) {
      # Why the row is unknown that this one builds on.
      most = reason@<:@unknown@<:@i@:>@@:>@
      while (most ~ /^HW_@<:@A-Z0-9_@:>@* is unknown@S|@/) {
        macro = most
        sub(/ .*/, "", macro)
        if (!(macro in reason)) break
        most = reason@<:@macro@:>@
      }
      if (!rows@<:@most@:>@++) why@<:@++reasons@:>@ = most
      if (rows@<:@most@:>@ <= 3) names@<:@most@:>@ = names@<:@most@:>@ (rows@<:@most@:>@ > 1 ? " " : "") unknown@<:@i@:>@
    }
    for (shown = 0; shown < reasons && shown < 8; shown++) {
      most = ""
      for (i = 1; i <= reasons; i++)
        if (!(why@<:@i@:>@ in done) && (most == "" || rows@<:@why@<:@i@:>@@:>@ > rows@<:@most@:>@)) most = why@<:@i@:>@
      done@<:@most@:>@
      show("unknown: " names@<:@most@:>@ (rows@<:@most@:>@ > 3 ? " and " rows@<:@most@:>@ - 3 " more" : "") ": " most)
    }
    for (i = 1; i <= reasons; i++)
      if (!(why@<:@i@:>@ in done)) others += rows@<:@why@<:@i@:>@@:>@
    if (others) show("unknown: " others " more")
  }'` || AC_MSG_ERROR([$AWK has failed], [1])
test -z "$hw_lines" || hw_lines="$hw_nl$hw_lines"
])# _HW_SCREEN


# _HW_SHELL_LINE(TITLE, ITEMS)
# ----------------------------
# hw_fn_line_N and hw_line_title_N of the Nth.
m4_define([_HW_SHELL_LINE],
[m4_define([_HW_line], m4_incr(m4_ifdef([_HW_line], [_HW_line], [0])))dnl
hw_line_title_[]_HW_line='$1'
hw_line_rows_[]_HW_line='m4_normalize(m4_defn([_HW_LINE_ROWS(]_HW_line[)]))'
hw_fn_line_[]_HW_line ()
{
m4_foreach([_HW_item], m4_dquote(m4_unquote(m4_split([$2], [; *]))), [_HW_SHELL_ITEM(m4_defn([_HW_item]))])dnl
}
])# _HW_SHELL_LINE


# _HW_SHELL_ITEM(TEXT)
# --------------------
# "before *row/row after" as a call.
m4_define([_HW_SHELL_ITEM],
[  hw_fn_item 'm4_bregexp([$1], [^\([^*]*\)\*\([a-z0-9_/]+\)\(.*\)$], [\1])' m4_translit(m4_bregexp([$1], [^\([^*]*\)\*\([a-z0-9_/]+\)\(.*\)$], [\2]), [/], [ ]) 'm4_bregexp([$1], [^\([^*]*\)\*\([a-z0-9_/]+\)\(.*\)$], [\3])'
])# _HW_SHELL_ITEM
