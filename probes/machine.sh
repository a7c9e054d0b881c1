# shellcheck shell=sh disable=SC2034
# Shell functions about the machine that we run on, for configure, for the command hwconfig and for
# the probes that are run elsewhere: sourced, and with nothing but POSIX. The first three need no
# other program.
#
# What they read goes into no value: it tells machines apart, and limits what is taken.

# hw_fn_machine PROC sets hw_machine to SYSTEM,PROCESSOR as they call themselves. PROC is /proc.
hw_fn_machine ()
{
  hw_cpu=
  if test -r "$1/cpuinfo"; then
    while IFS=: read -r hw_key hw_text; do
      case $hw_key in
      'model name'* | 'cpu model'* | 'CPU part'* | uarch*)
        hw_cpu=${hw_text# }
        break ;;
      esac
    done <"$1/cpuinfo"
  fi
  test -n "$hw_cpu" ||
    hw_cpu=$({ sysctl -n machdep.cpu.brand_string || sysctl -n hw.model; } 2>/dev/null)
  hw_system=$(uname -s -r -m 2>/dev/null)
  hw_fn_print "$hw_system,$hw_cpu"
  hw_machine=$hw_print
}

# hw_fn_print TEXT sets hw_print to the text with _ for what is no letter, digit or one of . , = + -
# so that it means nothing to a shell; one for several, and none at the start of a part.
hw_fn_print ()
{
  hw_print=
  hw_rest=$1
  while test -n "$hw_rest"; do
    hw_tail=${hw_rest#?}
    hw_char=${hw_rest%"$hw_tail"}
    hw_rest=$hw_tail
    case $hw_char in
    [0-9A-Za-z.,=+-]) ;;
    *)
      case $hw_print in
      *[,_]) continue ;;
      esac
      hw_char=_ ;;
    esac
    hw_print=$hw_print$hw_char
  done
}

# hw_fn_differs PRINT HERE sets hw_differs to whose the fingerprint PRINT is, when it is not HERE:
# SYSTEM,PROCESSOR,COMPILER,FLAGS,PROBES, where flags may have commas.
hw_fn_differs ()
{
  hw_theirs=${1#*,}
  hw_theirs=${hw_theirs#*,}
  hw_ours=${2#*,}
  hw_ours=${hw_ours#*,}
  if test "${1%",$hw_theirs"}" != "${2%",$hw_ours"}"; then
    hw_differs="the machine ${1%",$hw_theirs"}, this is ${2%",$hw_ours"}"
  elif test "${hw_theirs%,*}" != "${hw_ours%,*}"; then
    hw_differs="the compiler and flags ${hw_theirs%,*}, here they are ${hw_ours%,*}"
  else
    hw_differs="another version of hwconfig"
  fi
}

# hw_fn_memory PROC SYSTEM sets hw_memory to the bytes that a probe may map: a quarter of what is
# free, from 16 MiB to 1 GiB, or nothing where that cannot be told. PROC and SYSTEM are /proc and
# /sys/fs/cgroup.
#
# Free is what the kernel takes for available, its caches included, or else what nobody uses; no
# more than the limit of this shell; and no more than what is left to each control group that we are
# in, where the cache of files that are not in use counts as left.
#
# In floating point: a shell may count to 2^31 only.
hw_fn_memory ()
{
  # shellcheck disable=SC2016
  hw_memory=$(hw_fn_free "$1" "$2" | ${AWK-awk} '
    $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ {
      free = $1 * $2 - $3 + $4
      if (!known++ || free < least) least = free
    }
    END {
      quarter = int(least / 4)
      if (quarter < 16777216) quarter = 16777216
      if (quarter > 1073741824) quarter = 1073741824
      if (known) printf "%.0f\n", quarter
    }' 2>/dev/null)
}

# Lines of LIMIT UNIT USED CACHE.
hw_fn_free ()
{
  hw_text=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1 1024/p' "$1/meminfo" 2>/dev/null)
  test -n "$hw_text" ||
    hw_text="$(getconf _AVPHYS_PAGES 2>/dev/null) $(getconf PAGESIZE 2>/dev/null)"
  echo "$hw_text"
  # shellcheck disable=SC3045
  echo "$( (ulimit -v) 2>/dev/null) 1024"
  hw_at=$(sed -n 's/^0:://p' "$1/self/cgroup" 2>/dev/null)
  hw_fn_groups "$2" memory.max memory.current inactive_file
  hw_at=$(sed -n 's/^[0-9]*:\([^:]*,\)\{0,1\}memory\(,[^:]*\)\{0,1\}://p' "$1/self/cgroup" 2>/dev/null)
  hw_fn_groups "$2/memory" memory.limit_in_bytes memory.usage_in_bytes total_inactive_file
}

# From the group hw_at, which in a container may be called otherwise, to the outermost that can be
# seen.
hw_fn_groups ()
{
  while test -n "$hw_at"; do
    hw_at=${hw_at%/}
    hw_group=$1$hw_at
    test ! -r "$hw_group/$2" ||
      echo "$(cat "$hw_group/$2") 1 $(cat "$hw_group/$3") $(sed -n "s/^$4 //p" "$hw_group/memory.stat")"
    case $hw_at in
    '') break ;;
    esac
    hw_at=${hw_at%/*}/
  done 2>/dev/null
}
