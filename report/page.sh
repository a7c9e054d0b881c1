# shellcheck shell=sh disable=SC2015,SC2016,SC2034,SC2086,SC2154
# page.sh: hwconfig report, the page.  Sourced by report.sh.

# escaped: standard input as text of HTML.
escaped ()
{
  sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/"/\&quot;/g'
}

# figure ID [whole]: a picture with its title and what it says, or a gap.
figure ()
{
  test -f "$scratch/$1.plot" || {
    echo "<figure class=\"gap\"><h3>$(escaped <"$scratch/$1.title")</h3><p>$(escaped <"$scratch/$1.says")</p></figure>"
    return
  }
  render "$1" page "$scratch/$1.svg"
  read -r width height <"$scratch/$1.size"
  echo "<figure${2:+ class=\"$2\"}>"
  echo "<h3>$(escaped <"$scratch/$1.title")</h3>"
  if test "$width" -gt 720; then
    echo "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"$(escaped <"$scratch/$1.title")\">"
    cat "$scratch/$1.svg"
    echo '</div>'
  else
    cat "$scratch/$1.svg"
  fi
  echo "<figcaption>$(escaped <"$scratch/$1.says")</figcaption>"
  echo '</figure>'
}

# section ID TITLE FIGURE...: nothing when there are none.
section ()
{
  id=$1 title=$2
  shift 2
  test $# -gt 0 || return 0
  echo "$id|$title" >>"$scratch/sections"
  echo "<section id=\"$id\"><h2>$title</h2><div class=\"pictures\">"
  # Gaps come last.
  for drawn do
    test -f "$scratch/$drawn.plot" || continue
    whole=
    read -r width height <"$scratch/$drawn.size"
    test "$width" -le 640 || whole=whole
    figure "$drawn" $whole
  done
  for drawn do
    test -f "$scratch/$drawn.plot" || figure "$drawn"
  done
  echo '</div></section>'
}

# condition KEY: of the file that says how busy it was.
condition ()
{
  sed -n "s/^$1 //p" "$curves/conditions" 2>/dev/null | grep -v '^unknown$'
}

# per_cent SHARE
per_cent ()
{
  $AWK -v v="$1" 'BEGIN { printf "%.3g %%", v * 100 }'
}

# who: lines TERM|TEXT of what machine, compiler and flags, and how busy it was.
who ()
{
  print=$(sed -n 's/^hw_cv_fingerprint=//p' "$data/hwconfig.site" 2>/dev/null | tr '_' ' ')
  system=$(printf '%s\n' "$print" | cut -d , -f 1)
  test -z "$system" || echo "System|$system"
  compiler=$(printf '%s\n' "$print" | cut -d , -f 3)
  flags=$(printf '%s\n' "$print" | cut -d , -f 4)
  for file in "$curves"/*.curve; do
    test -f "$file" || break
    test -n "$compiler" || compiler=$(sed -n 's/^# compiler: //p; /^# x y/q' "$file")
    test -n "$flags" || flags=$(sed -n 's/^# flags: //p; /^# x y/q' "$file")
    break
  done
  test "$compiler" != none || compiler='none, it is simulated'
  echo "Compiler|${compiler:-unknown}"
  test "$flags" = none || test -z "$flags" || echo "Flags|$flags"
  busy=
  seconds=$(condition seconds)
  effort=$(condition effort)
  test -z "$seconds" || busy="measured in $seconds s${effort:+ with $effort effort}"
  load=$(condition load_before)
  after=$(condition load_after)
  test -z "$load" || busy="$busy${busy:+; }load $load before${after:+, $after after}"
  steal=$(condition steal)
  test -z "$steal" || busy="$busy${busy:+; }others were given $(per_cent "$steal") of the processors"
  alone=$(condition alone)
  test -z "$alone" || busy="$busy${busy:+; }the core was left alone for $(per_cent "$alone") of the time"
  test -z "$busy" || echo "How busy|$busy"
}

# sure_line: in a sentence, how sure all of it is. It counts as configure does: what the system claims is not known, and
# what was not asked for does not count.
sure_line ()
{
  $AWK -F '|' '
    $3 == "not asked for" { next }
    $3 == "none" { none++; next }
    { all++; known += $2 != "-" && $3 != "reported"; reported += $3 == "reported"; ranges += $8 != ""; other += $2 != "-" && $5 != "-" && $2 != $5; same += $2 != "-" && $5 != "-" && $2 == $5 }
    END {
      printf "How sure: %d of %d parameters are known", known, all
      if (none) printf ", %d do not apply", none
      if (ranges) printf "; %d of them have a range", ranges
      if (same + other) printf "; of %d that the system reports too, %d agree", same + other, same
      if (reported) printf "; %d %s only what the system reports", reported, (reported == 1 ? "is" : "are")
      print ". What is not clear is unknown, never guessed; what a picture merely shows is called seen."
    }' "$scratch/rows"
}

# topics: which rows belong together: a title, and a regular expression of rows; the first that matches counts.
topics='Data caches and memory|^HW_(CACHE|HAVE_L|L[123]_|MEM_|FETCH|STREAM)
Pages and TLBs|^HW_(PAGE|HUGE|TLB)
Instruction cache and branches|^HW_(L1I|BRANCH|ISSUE)
Instructions|^HW_(LAT|RTP|ILP|HAVE_F)
Registers and vectors|^HW_(NR|VEC)
Processors and what they share|^HW_(CP|CORE|CONTEXTS|SCHED|PAR|NUMA|COMM|MPI|DESTRUCTIVE)
Clock|^HW_(CLOCK|CYCLE)
Blocks that follow from these|^HW_'

# parameters: the table of all, in HTML, folded by topic.
parameters ()
{
  echo '<section id="parameters"><h2>All parameters</h2>'
  if test $here = yes; then
    caption='beside a value what the system reports of it; where the two differ, the line says so'
  else
    caption='read off the curves of another run: the system here has nothing to say of them'
  fi
  $AWK -F '|' -v topics="$(printf '%s\n' "$topics" | tr '\n' ';')" -v caption="$caption" '
    function html(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); return text }
    function ranged(range) { return sub(/:/, " to ", range) ? " (" range ")" : "" }
    BEGIN {
      n = split(topics, line, ";")
      for (i = 1; i <= n; i++) { at = index(line[i], "|"); title[i] = substr(line[i], 1, at - 1); pattern[i] = substr(line[i], at + 1) }
    }
    FILENAME == ARGV[1] { name = $0; sub(/ .*/, "", name); sub(/^[^ ]* /, ""); how[name] = $0; next }
    FILENAME == ARGV[2] { name = $1; sub(/^[^|]*[|]/, ""); why[name] = $0; next }
    {
      for (i = 1; i < n && $1 !~ pattern[i]; i++) ;
      all[i]++
      known[i] += $2 != "-"
      other = $2 != "-" && $5 != "-" && $2 != $5
      differ[i] += other
      sure = $2 != "-" ? $3 ($1 in how ? ": " how[$1] : "") : ($3 == "none" ? "does not apply" : "unknown") ($1 in why ? ": " why[$1] : $3 != "-" && $3 != "none" ? ": " $3 : "")
      text = sprintf("<tr%s><th scope=\"row\"><code>%s</code></th><td>%s</td>", (other ? " class=\"other\"" : $2 == "-" ? " class=\"unknown\"" : ""), $1, html($7))
      text = text sprintf("<td class=\"number\" data-label=\"value\">%s</td><td data-label=\"unit\">%s</td><td data-label=\"how sure\">%s</td>", ($2 == "-" ? "unknown" : $2 ranged($8)), html($4), html(sure))
      if ($5 != "-") text = text sprintf("<td data-label=\"reported\">%s%s</td>", $5, (other ? " &#8800; differs" : $2 == "-" ? "" : " = agrees"))
      else text = text "<td></td>"
      body[i] = body[i] text "</tr>\n"
    }
    END {
      for (i = 1; i <= n; i++) {
        if (!all[i]) continue
        printf "<details><summary>%s: %d of %d known%s</summary>\n", title[i], known[i], all[i], (differ[i] ? ", " differ[i] " differ from what the system reports" : "")
        printf "<table class=\"rows\"><caption>%s: %s</caption>\n", title[i], caption
        print "<thead><tr><th scope=\"col\">Parameter</th><th scope=\"col\">Meaning</th><th scope=\"col\">Value</th><th scope=\"col\">Unit</th><th scope=\"col\">How sure</th><th scope=\"col\">Reported</th></tr></thead><tbody>"
        printf "%s</tbody></table></details>\n", body[i]
      }
    }' "$scratch/how" "$scratch/reasons" "$scratch/rows"
  echo '</section>'
}

# body: all below the heading, as the table figures has it; sections leave their names in $scratch/sections.  What
# cannot be drawn leaves a gap that says why.
body ()
{
  set --
  heading=
  { drawer - ask=ids && echo '== '; } >"$scratch/ids"
  while read -r drawn rest <&3; do
    case $drawn in
    ==)
      section "${heading%% *}" "${heading#* }" "$@"
      heading=$rest
      set -- ;;
    *)
      test $here = yes || test "${drawn#bench_}" = "$drawn" || continue
      draw "$drawn"
      test ! -f "$scratch/$drawn.title" || set -- "$@" "$drawn" ;;
    esac
  done 3<"$scratch/ids"
}

report ()
{
  name='' of='' to=hwconfig-report.html
  arguments "$@"
  test -z "$of" || test -z "$name" || fail 2 "report: $name: one recording at a time"
  test -n "$of" || of=$name
  need_gnuplot
  begin
  about "$of"
  : >"$scratch/sections"
  body >"$scratch/body"
  parameters >"$scratch/parameters"
  who >"$scratch/who"
  named='a machine that is not named'
  ! grep 'it is simulated$' "$scratch/who" >/dev/null || named='a simulated machine'
  processor=$(printf '%s\n' "${of_processor:-$named}" | escaped)
  when=$(date -u ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"} '+%Y-%m-%d' 2>/dev/null || date -u '+%Y-%m-%d')
  {
    echo '<!DOCTYPE html>'
    echo '<html lang="en"><head><meta charset="utf-8">'
    echo '<meta name="viewport" content="width=device-width, initial-scale=1">'
    echo '<meta name="color-scheme" content="light dark">'
    echo "<title>$processor: what hwconfig measured</title>"
    echo '<link rel="icon" href="data:,">'
    echo '<style>'
    cat "$parts/style.css"
    echo '</style></head><body>'
    echo "<header><h1>$processor</h1>"
    echo '<dl class="about">'
    escaped <"$scratch/who" | sed 's|^\([^|]*\)\|\(.*\)$|<dt>\1</dt><dd>\2</dd>|'
    echo "<dt>Report</dt><dd>$version, written $when</dd>"
    echo '</dl></header><main>'
    echo '<ul class="ten">'
    facts facts <"$scratch/rows" | escaped | $AWK -F '|' '{ sub(/ [(].*[)]/, " <small>&</small>", $2); printf "<li><span>%s</span><b>%s</b><span>%s</span></li>\n", $1, $2, $3 }'
    echo '</ul>'
    echo "<p class=\"sure\">$(sure_line | escaped)</p>"
    echo '<nav aria-label="Sections">'
    $AWK -F '|' '{ printf "<a href=\"#%s\">%s</a>\n", $1, $2 }' "$scratch/sections"
    echo '<a href="#parameters">All parameters</a>'
    echo '</nav>'
    cat "$scratch/body" "$scratch/parameters"
    echo '</main></body></html>'
  } >"$scratch/page"
  deliver "$scratch/page" "$to"
  test "$to" = - || echo "$to: $(($(wc -c <"$scratch/page") / 1024)) KiB"
}
