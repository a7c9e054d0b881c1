# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
# Shell functions about the machine that we run on, for configure, for the command hwconfig and for
# the probes that are run elsewhere: sourced, and with nothing but POSIX. The first three need no
# other program.
#
# What they read goes into no value: it tells machines apart, and limits what is taken.

# hw_fn_machine PROC sets hw_machine to SYSTEM,PROCESSOR as they call themselves, hw_told to yes where
# that tells the processor from others, or to nothing, and hw_mixed to yes if there are several kinds
# of them. PROC is /proc. The runtime has the same in C.
#
# PROCESSOR is whatever tells processors apart, in the order of cpuinfo, each once: a cloud calls its
# guests of several generations by the same name. No clock, and no serial number.
hw_fn_machine ()
{
  hw_cpu=
  hw_told=
  hw_mixed=
  hw_seen=
  test ! -d "$1/../sys/devices/cpu_core" || hw_mixed=yes
  if test -r "$1/cpuinfo"; then
    while IFS=: read -r hw_key hw_text; do
      hw_fn_tells
      test "$hw_key" != flags || break
    done <"$1/cpuinfo"
  fi
  test -n "$hw_cpu" || hw_fn_sysctl
  hw_fn_caches "$1"
  while :; do # commas stand between the parts of a fingerprint
    case $hw_cpu in
    *,*) hw_cpu="${hw_cpu%%,*} ${hw_cpu#*,}" ;;
    *) break ;;
    esac
  done
  hw_fn_print "$(uname -s -r -m 2>/dev/null),$hw_cpu"
  hw_machine=$hw_print
}

# hw_fn_tells: adds what the line hw_key: hw_text tells.
hw_fn_tells ()
{
  while :; do
    case $hw_key in
    *' ' | *'	') hw_key=${hw_key%?} ;;
    *) break ;;
    esac
  done
  hw_text=${hw_text# }
  case $hw_key in
  flags | Features | features)
    hw_rest=$hw_text
    hw_text=
    for hw_flag in $hw_rest; do
      case $hw_flag in
      avx | avx2 | avx512f | fma | hypervisor | asimddp | bf16 | i8mm | sve | sve2 | sme | lsx | lasx | vx)
        hw_text=${hw_text:+$hw_text }$hw_flag ;;
      esac
    done
    test -n "$hw_text" || return 0 ;;
  'processor '[0-9]*)
    case $hw_text in
    *'machine = '*) hw_text=${hw_text##*machine = } hw_key=machine ;;
    *) return ;;
    esac ;;
  vendor_id | vendor | 'cpu family' | 'CPU Family' | family | model | 'model name' | 'Model Name' | stepping | \
    revision | cpu | CPU | 'cpu model' | 'cpu variation' | 'cpu revision' | machine | 'system type' | 'cache size' | \
    'CPU implementer' | 'CPU architecture' | 'CPU variant' | 'CPU part' | 'CPU revision' | PRID | isa | ISA | uarch | \
    'CPU Revision' | mvendorid | marchid | mimpid | 'core ID' | 'config ID') ;;
  *) return ;;
  esac
  case $hw_seen in
  *"|$hw_key=$hw_text|"*) return ;;
  *"|$hw_key="*) hw_mixed=yes ;;
  esac
  hw_cpu="$hw_cpu $hw_text"
  hw_seen="$hw_seen|$hw_key=$hw_text|"
  case $hw_key in
  'model name' | 'Model Name' | cpu | CPU | 'cpu model' | machine | 'CPU part' | PRID | uarch | marchid | 'core ID') hw_fn_named ;;
  esac
}

# hw_fn_named: sets hw_told unless hw_text is a name that emulators and hypervisors have for processors of any kind, or of
# any of a class.
hw_fn_named ()
{
  case $hw_text in
  '' | 0x0 | 0x000 | *QEMU* | *'KVM processor'* | *'Processor ('* | *'EPYC Processor'* | *EPYC-* | *'Dhyana Processor'* | *xx* | *' Class '*) ;;
  *) hw_told=yes ;;
  esac
}

# hw_fn_caches PROC: adds the sizes that the system reports for the caches of the first processor; there are several
# kinds if it has others for the last one.
hw_fn_caches ()
{
  hw_text=0
  test ! -r "$1/../sys/devices/system/cpu/online" || read -r hw_text <"$1/../sys/devices/system/cpu/online"
  hw_seen=
  for hw_key in 0 "${hw_text##*[-,]}"; do
    hw_text=
    for hw_rest in "$1/../sys/devices/system/cpu/cpu$hw_key"/cache/index[0-9]/size; do
      test ! -r "$hw_rest" || ! read -r hw_rest <"$hw_rest" || hw_text="$hw_text $hw_rest"
    done
    hw_seen="$hw_seen/$hw_text"
  done
  test "$hw_seen" = "/$hw_text/$hw_text" || hw_mixed=yes
  hw_seen=${hw_seen#?}
  hw_cpu=$hw_cpu${hw_seen%%/*}
}

# hw_fn_sysctl: the same of systems without cpuinfo.
hw_fn_sysctl ()
{
  for hw_key in machdep.cpu.brand_string hw.model machdep.cpu.family machdep.cpu.model machdep.cpu.stepping machdep.cpuid; do
    hw_text=$(sysctl -n $hw_key 2>/dev/null)
    test -n "$hw_text" || continue
    hw_cpu="$hw_cpu $hw_text"
    case $hw_key in
    *string | hw.model) hw_fn_named ;;
    esac
  done
}

# hw_fn_set PROC LIST sets hw_set to the processors that may be used, those of the list or all that this
# process may run on, and all that are switched on, as 0-1_of_0-3; to how many there are if that is all that
# the system says; or to nothing. The runtime has the same in C.
hw_fn_set ()
{
  hw_set=$2
  if test -z "$hw_set" && test -r "$1/self/status"; then
    while IFS=: read -r hw_key hw_text; do
      case $hw_key in
      Cpus_allowed_list)
        hw_set=${hw_text#?}
        break ;;
      esac
    done <"$1/self/status"
  fi
  hw_text=
  test ! -r "$1/../sys/devices/system/cpu/online" || read -r hw_text <"$1/../sys/devices/system/cpu/online"
  test -n "$hw_set$hw_text" || hw_text=$(getconf _NPROCESSORS_ONLN || sysctl -n hw.ncpu) 2>/dev/null
  hw_fn_print "$hw_set${hw_set:+_of_}$hw_text"
  hw_set=$hw_print
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

# hw_fn_kin PRINT sets hw_kin to the fingerprint without the release of the kernel and the architecture
# that it names, which may be others on the same machine.
hw_fn_kin ()
{
  hw_kin=${1%%,*}
  hw_kin=${hw_kin%%_*},${1#*,}
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

# hw_fn_architecture TEXT sets hw_architecture to the family of processors of which the text is, a
# fingerprint's SYSTEM or the name of a host with _ before it, or to nothing if it is none of these.
# A family, since the processors of a 64-bit system run programs of 32 bits too.
hw_fn_architecture ()
{
  case $1 in
  *_x86_64 | *_amd64 | *_i[3-7]86 | *_i86pc) hw_architecture=x86 ;;
  *_aarch64* | *_arm*) hw_architecture=arm ;;
  *_powerpc* | *_ppc*) hw_architecture=powerpc ;;
  *_riscv*) hw_architecture=riscv ;;
  *_loongarch*) hw_architecture=loongarch ;;
  *_mips*) hw_architecture=mips ;;
  *_sparc* | *_sun4?) hw_architecture=sparc ;;
  *_s390*) hw_architecture=s390 ;;
  *_ia64) hw_architecture=ia64 ;;
  *_alpha*) hw_architecture=alpha ;;
  *_hppa* | *_parisc*) hw_architecture=hppa ;;
  *_m68k) hw_architecture=m68k ;;
  *_xtensa*) hw_architecture=xtensa ;;
  *) hw_architecture= ;;
  esac
}

# hw_fn_memory PROC SYSTEM sets hw_memory to the bytes that a probe may map: a quarter of what is
# free, from 16 MiB to 1 GiB, or nothing if that cannot be told. PROC and SYSTEM are /proc and
# /sys/fs/cgroup.
#
# Free is what the kernel takes for available, its caches included, or else what is not in use; no
# more than the limit of this shell; and no more than what is left to each control group that we are
# in, where the cache of files that are not in use counts as left.
#
# In floating point: a shell may count to 2^31 only.
hw_fn_memory ()
{
  # shellcheck disable=SC3045
  hw_text=$( (ulimit -v) 2>/dev/null)
  # shellcheck disable=SC2016
  hw_memory=$(${AWK-awk} "$hw_in_groups"'
    function known(limit, unit, used, cache) {
      if (limit !~ /^[0-9]+$/ || unit !~ /^[0-9]+$/) return
      limit = limit * unit - used + cache
      if (!count++ || limit < least) least = limit
    }
    function tell(group,  limit, used, cache, line) {
      if ((getline limit <(group "/" files[1])) <= 0) return
      getline used <(group "/" files[2])
      while ((getline line <(group "/memory.stat")) > 0) if (index(line, files[3] " ") == 1) cache = substr(line, length(files[3]) + 2)
      known(limit, 1, used, cache)
    }
    BEGIN {
      while ((getline line <(ARGV[1] "/meminfo")) > 0)
        if (sub(/^MemAvailable: */, "", line) && sub(/ kB$/, "", line)) known(line, 1024)
      if (!count) {
        "getconf _AVPHYS_PAGES 2>/dev/null" | getline pages
        "getconf PAGESIZE 2>/dev/null" | getline page
        known(pages, page)
      }
      known(ARGV[3], 1024)
      split("memory.max memory.current inactive_file", files, " ")
      groups_of("0", "")
      split("memory.limit_in_bytes memory.usage_in_bytes total_inactive_file", files, " ")
      groups_of("memory", "/memory")
      quarter = int(least / 4)
      if (quarter < 16777216) quarter = 16777216
      if (quarter > 1073741824) quarter = 1073741824
      if (count) printf "%.0f\n", quarter
      exit
    }' "$1" "$2" "$hw_text" 2>/dev/null)
}

# Awk: groups_of(CONTROLLER, FOLDER) calls tell(GROUP) for the control group of that controller, or 0 for those of version 2,
# that we are in, and for those around it that can be seen, as folders of FOLDER below ARGV[2]. In a container ours may be called
# otherwise there.
hw_in_groups='
  function groups_of(controller, folder,  line, at, part) {
    while ((getline line <(ARGV[1] "/self/cgroup")) > 0) {
      split(line, part, ":")
      if (controller == "0" ? line !~ /^0::/ : !index("," part[2] ",", "," controller ",")) continue
      at = line
      sub(/^[^:]*:[^:]*:/, "", at)
      while (at != "") {
        sub(/\/$/, "", at)
        tell(ARGV[2] folder at)
        if (at == "") break
        sub(/[^\/]*$/, "", at)
      }
    }
    close(ARGV[1] "/self/cgroup")
  }'

# hw_fn_processor PROC sets hw_processor to what the system calls the first processor, with its
# family, model and so on, in words of letters, digits and ()@.,+-_ without a path: or to unknown.
hw_fn_processor ()
{
  # shellcheck disable=SC2016
  hw_processor=$(${AWK-awk} -F: '
    NF < 2 { if (NR > 1) exit; next }
    {
      key = $1
      sub(/[ \t]+$/, "", key)
      text = $0
      sub(/^[^:]*:/, "", text)
    }
    key == "model name" || key == "cpu model" || key == "uarch" || key == "cpu" { name = name text }
    key ~ /^CPU (implementer|part|variant|revision)$/ { rest = rest " " substr(key, 5) text }
    key == "cpu family" { family = " family" text }
    key == "model" { model = " model" text }
    key == "stepping" { stepping = " stepping" text }
    END {
      name = name rest family model stepping
      gsub(/[^][A-Za-z0-9().,@+_-]+/, " ", name)
      gsub(/^ +| +$/, "", name)
      print name
    }' "$1/cpuinfo" 2>/dev/null)
  : "${hw_processor:=unknown}"
}

# hw_fn_shares PROC sets hw_shares to PROCESSORS TOTAL STEAL: how many there are, and the time that
# they have passed and that others were given of it, or -, in ticks since the start; or to nothing.
hw_fn_shares ()
{
  # shellcheck disable=SC2016
  hw_shares=$(${AWK-awk} '
    $1 == "cpu" { for (i = 2; i <= 9; i++) total += $i; steal = NF < 9 ? "-" : $9 }
    /^cpu[0-9]/ { n++ }
    END { if (n) printf "%d %.0f %s\n", n, total, steal }' "$1/stat" 2>/dev/null)
}

# hw_fn_load PROC sets hw_load to the load average of the last minute, or to unknown.
hw_fn_load ()
{
  hw_load=
  test ! -r "$1/loadavg" || read -r hw_load hw_rest <"$1/loadavg"
  : "${hw_load:=unknown}"
}

# hw_fn_busy PROC sets hw_busy to how many threads run at this moment, the shell among them, if these are
# more than there are processors, and else to nothing; and hw_load as above, but to nothing if it is not told,
# which is of a minute that may be over. After hw_fn_before.
hw_fn_busy ()
{
  hw_load=
  hw_busy=
  test ! -r "$1/loadavg" || read -r hw_load hw_rest hw_rest hw_busy hw_rest <"$1/loadavg"
  hw_busy=${hw_busy%%/*}
  test "0$hw_busy" -gt "${hw_shares_before%% *}" 2>/dev/null || hw_busy=
}

# hw_fn_throttled PROC SYSTEM sets hw_throttled to the milliseconds for which quotas have stopped the control
# groups that we are in, those around them too, or to nothing if that is not told.
hw_fn_throttled ()
{
  # shellcheck disable=SC2016
  hw_throttled=$(${AWK-awk} "$hw_in_groups"'
    function tell(group,  line, word) {
      while ((getline line <(group "/cpu.stat")) > 0) {
        split(line, word, " ")
        if (word[1] !~ /^throttled_(usec|time)$/) continue
        told = 1
        ms += word[2] / (word[1] == "throttled_usec" ? 1e3 : 1e6)
      }
    }
    BEGIN {
      groups_of("0", "")
      groups_of("cpu", "/cpu")
      if (told) printf "%.0f\n", ms
      exit
    }' "$1" "$2" 2>/dev/null)
}

# hw_fn_before PROC SYSTEM: to be called before something is measured.
hw_fn_before ()
{
  hw_fn_throttled "$1" "${2-}"
  hw_throttled_before=$hw_throttled
  hw_fn_load "$1"
  hw_load_before=$hw_load
  hw_fn_shares "$1"
  hw_shares_before=$hw_shares
}

# hw_fn_since PROC SYSTEM sets hw_stopped to the seconds for which a quota has stopped us since then, or to
# unknown.
hw_fn_since ()
{
  hw_fn_throttled "$1" "$2"
  hw_stopped=unknown
  test -z "$hw_throttled" || test -z "$hw_throttled_before" ||
    hw_stopped=$(${AWK-awk} -v a="$hw_throttled_before" -v b="$hw_throttled" 'BEGIN { printf "%.1f\n", (b - a) / 1000 }' 2>/dev/null)
}

# hw_fn_conditions PROC EFFORT FOLDER SYSTEM prints, after it was measured, under which conditions, as
# doc/curves.md has them. FOLDER has what the probes leave: spent and alone.curve.
hw_fn_conditions ()
{
  hw_fn_processor "$1"
  hw_fn_load "$1"
  hw_fn_since "$1" "${4-}"
  hw_fn_shares "$1"
  hw_spent=
  test ! -r "$3/spent" || read -r hw_spent hw_rest <"$3/spent"
  # shellcheck disable=SC2016
  hw_left=$(${AWK-awk} '!/^#/ { y += $2 * $4; n += $4 } END { if (n) printf "%.3f\n", y / n }' \
    "$3/alone.curve" 2>/dev/null)
  # shellcheck disable=SC2016
  echo "$hw_spent|$hw_shares_before|$hw_shares" | ${AWK-awk} -F '|' \
    -v processor="$hw_processor" -v effort="$2" -v loads="$hw_load_before|$hw_load" -v alone="${hw_left:-unknown}" -v stopped="$hw_stopped" '
    {
      # A process that is killed leaves as much as no run takes.
      seconds = $1 ~ /^[0-9.]+$/ && $1 < 1e6 ? sprintf("%.1f", $1) : "unknown"
      split($2, before, " ")
      n = split($3, after, " ") ? after[1] : "unknown"
      passed = after[2] - before[2]
      steal = before[3] ~ /[0-9]/ && after[3] ~ /[0-9]/ && passed > 0 ? sprintf("%.4f", (after[3] - before[3]) / passed) : "unknown"
      split(loads, each, "|")
      print "# hwconfig conditions 1"
      print "processor " processor
      print "processors " n
      print "effort " effort
      print "seconds " seconds
      print "load_before " each[1]
      print "load_after " each[2]
      print "steal " steal
      print "alone " alone
      print "throttled " stopped
    }'
}
