# shellcheck shell=sh
# points.sh: what kernels.sh and plain.sh leave in bench.d, for hwconfig report.  Sourced by both.

# curves POINTS COMPILER FLAGS: the curves of the lines "CURVE X Y SPREAD COUNT" of a file.
curves() {
  mkdir -p bench.d || exit 2
  sed 's/ .*//' "$1" | sort -u | while read -r curve; do
    grep "^$curve " "$1" | sort -k2,2n -u >"$1.curve"
    {
      echo '# hwconfig curve 1'
      echo "# name: $curve"
      echo '# probe: bench'
      case $curve in
      search_* | best_* | found_*) echo '# x: rank (count)' ;;
      *) echo '# x: size (elements)' ;;
      esac
      case $curve in
      *gflops*) echo '# y: speed (10^9 operations a second)' ;;
      *) echo '# y: speed to that of the other (ratio)' ;;
      esac
      echo '# clock: of the thread, or of the system where there are several'
      echo "# compiler: $2"
      echo "# flags: $3"
      echo '# seed: 1'
      echo "# points: $(wc -l <"$1.curve" | tr -d ' ')"
      echo '# x y spread count'
      sed 's/^[^ ]* //' "$1.curve"
    } >"bench.d/$curve.curve"
  done
}
