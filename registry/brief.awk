# brief.awk: the most important facts of a machine, from the lines of hwconfig's table (NAME|VALUE|SOURCE|UNIT|REPORTED|
# FALLBACK|TITLE|LOW:HIGH), and from the size curve, the files of it that are named behind "-".
#   -v ask=facts: lines LABEL|VALUE|NOTE, twelve or so; a value is "unknown" or begins with "about" where the curve
#     shows a plateau whose latency was not clear enough to be published
#   -v ask=seen: these plateaus alone, lines LEVEL|CYCLES|FROM|TO, the level ? if it is not clear which one
#   -v ask=text: the facts as a table of a terminal, -v colour=1 in colour, below -v name=PROCESSOR
function trim(v) { v = sprintf(v < 9.995 ? "%.2f" : v < 99.95 ? "%.1f" : "%.0f", v); if (v ~ /\./) sub(/\.?0+$/, "", v); return v }
function amount(b) { return b < 1024 ? trim(b) " B" : b < 1048576 ? trim(b / 1024) " KiB" : b < 1073741824 ? trim(b / 1048576) " MiB" : trim(b / 1073741824) " GiB" }
function has(row) { return ("HW_" row) in v && v["HW_" row] != "-" }
function joined(one, other) { return one == "" ? other : other == "" ? one : one ", " other }
# A value in units of so much, with its range.
function scaled(row, by, unit,  end) {
  if (!has(row)) return ""
  return trim(v["HW_" row] / by) " " unit (split(range["HW_" row], end, ":") == 2 ? " (" trim(end[1] / by) " to " trim(end[2] / by) ")" : "")
}
function sized(row,  end) {
  if (!has(row)) return ""
  return amount(v["HW_" row]) (split(range["HW_" row], end, ":") == 2 ? " (" amount(end[1]) " to " amount(end[2]) ")" : "")
}
BEGIN { FS = "|" }
FILENAME != "-" { if ($0 !~ /^#/) { split($0, point, " "); x[++points] = point[1] + 0; y[points] = point[2] + 0 } next }
{ v[$1] = $2; source[$1] = $3; range[$1] = $8 }
$3 == "none" { none++; next }
$3 != "not asked for" { all++; known += $2 != "-" && $3 != "reported" }

# A larger working set takes no less time: a point above a later one was disturbed by another process. A plateau is
# the longest run over a factor of three or more that rises by 15 % at most; then the next one beside it.
function plateaus(from, to,  i, j, k, best, at, end) {
  for (i = from; i <= to; i++) {
    for (j = i; j < to && floor[j + 1] <= floor[i] * 1.15; j++) ;
    if (x[j] >= 3 * x[i] && x[j] / x[i] > best) { best = x[j] / x[i]; at = i; end = j }
  }
  if (!best) return
  plateaus(from, at - 1)
  first[++found] = at
  last[found] = end
  height[found] = floor[int((at + end) / 2)]
  plateaus(end + 1, to)
}
# Names those that no published latency explains after the levels that are missing, if there are as many.
function look(  i, k, n, lat) {
  for (i = points; i >= 1; i--) floor[i] = i < points && floor[i + 1] < y[i] ? floor[i + 1] : y[i]
  plateaus(1, points)
  n = split("L1 L2 L3 MEM", level, " ")
  for (k = 1; k <= n; k++) {
    lat = has(level[k] "_LAT_X100") ? v["HW_" level[k] "_LAT_X100"] / 100 : 0
    if (has("HAVE_" level[k]) && !v["HW_HAVE_" level[k]]) continue
    if (!lat) { missing[++lacking] = level[k]; continue }
    for (i = 1; i <= found; i++) if (height[i] < lat * 1.25 && height[i] > lat / 1.25) taken[i] = 1
  }
  for (i = 1; i <= found; i++) open += !(i in taken)
  # The last one is memory's where the curve ends on it.
  if (open && open < lacking && missing[lacking] == "MEM" && !(found in taken) && last[found] == points && x[points] > 33554432) { seen["MEM"] = found; taken[found] = 1; open--; lacking-- }
  k = 0
  for (i = 1; i <= found; i++) if (!(i in taken)) seen[open == lacking ? missing[++k] : "?" (++k)] = i
}
function spread_of(i) { return amount(x[first[i]]) " to " amount(x[last[i]]) }
# Two digits: it is looked at, not measured.
function about(cycles) { return "about " (cycles < 100 ? sprintf("%.0f", cycles) : sprintf("%.0f", cycles / 10) * 10) " cycles by the map" }
function tell(label, text, note) { fact[++facts] = label "|" (text == "" ? "unknown" : text) "|" note }
function cycles_of(level) {
  return has(level "_LAT_X100") ? joined(scaled(level "_LAT_X100", 100, "cycles"), scaled(level "_LAT_PS", 1000, "ns")) : level in seen ? about(height[seen[level]]) ", " spread_of(seen[level]) : ""
}
function cache(n,  level, text, note) {
  level = "L" n
  if (has("HAVE_" level) && !v["HW_HAVE_" level]) { if (n < 3) tell(level " cache", "none", ""); return }
  text = sized(level "_BYTES")
  if (text == "" && has(level "_EFF_BYTES")) { text = sized(level "_EFF_BYTES") " "; sub(/ [(]|$/, " effective&", text); sub(/ $/, "", text); sub(/  effective/, " effective", text) }
  if (has(level "_ASSOC")) note = v["HW_" level "_ASSOC"] " ways"
  if (has(level "_LINE")) note = joined(note, "lines of " amount(v["HW_" level "_LINE"]))
  if (has(level "_BYTES") && has(level "_EFF_BYTES") && (v["HW_" level "_EFF_BYTES"] != v["HW_" level "_BYTES"])) note = joined(note, sized(level "_EFF_BYTES") " effective")
  tell(level " cache", text, joined(joined(source["HW_" level "_BYTES"] == "reported" ? "as the system reports" : "", cycles_of(level)), note))
}
function all_facts(  i, k, text) {
  tell("Processors", has("CPUS") ? v["HW_CPUS"] "" : "", joined(joined(has("CORES") ? v["HW_CORES"] " cores" : "cores unknown", has("CORE_THREADS") ? v["HW_CORE_THREADS"] " a core" : ""), has("NUMA_NODES") && v["HW_NUMA_NODES"] > 1 ? v["HW_NUMA_NODES"] " NUMA nodes" : ""))
  tell("Clock", scaled("CPU_MHZ", 1000, "GHz"), has("CPU_MHZ") ? "of dependent additions" : "")
  cache(1); cache(2); cache(3)
  tell("TLB", has("TLB1_ENTRIES") ? v["HW_TLB1_ENTRIES"] " entries" : "", joined(has("TLB2_ENTRIES") ? "level 2 " v["HW_TLB2_ENTRIES"] : has("TLB2_EFF_BYTES") ? "level 2 reaches " amount(v["HW_TLB2_EFF_BYTES"]) : has("TLB_LEVELS") && v["HW_TLB_LEVELS"] == 1 ? "one level" : "level 2 unknown", has("PAGE_BYTES") ? "pages of " amount(v["HW_PAGE_BYTES"]) : ""))
  text = scaled("MEM_LAT_PS", 1000, "ns")
  tell("Memory latency", text, text == "" && !("MEM" in seen) ? "" : has("MEM_LAT_X100") ? scaled("MEM_LAT_X100", 100, "cycles") : cycles_of("MEM"))
  text = scaled("MEM_TOTAL_MBS", 1000, "GB/s")
  if (text != "") tell("Memory bandwidth", text, joined(has("MEM_THREADS") ? "read by " v["HW_MEM_THREADS"] " threads" : "read by all", has("MEM_READ_MBS") ? scaled("MEM_READ_MBS", 1000, "GB/s") " by one" : ""))
  else tell("Memory bandwidth", scaled("MEM_READ_MBS", 1000, "GB/s"), has("MEM_READ_MBS") ? "read by one thread" : "")
  for (k = 1; k <= 4; k++) if (has("COMM" k "_LAT_NS")) i = k
  tell("Between cores", scaled("COMM1_LAT_NS", 1, "ns"), i > 1 ? "in the farthest of " i " layers " scaled("COMM" i "_LAT_NS", 1, "ns") : "")
  tell("Vectors", has("VEC_BYTES") ? v["HW_VEC_BYTES"] " B" : "", has("NR_V") ? v["HW_NR_V"] " in registers" : "registers unknown")
  tell("Misprediction", scaled("BRANCH_MISS", 1, "cycles"), has("BRANCH_MISS") ? "of a branch" : "")
  tell("Tile", has("TILE_F64") ? scaled("TILE_F64", 1, "F64") : "", !has("TILE_F64") ? "" : "edge of a square one" (has("TILE_F64_GAIN_X100") ? ", " trim(v["HW_TILE_F64_GAIN_X100"] / 100) " times as quick as none" : ""))
}
function bright(code, text) { return colour ? "\033[" code "m" text "\033[0m" : text }
END {
  if (points) look()
  if (ask == "seen") {
    for (i = 1; i <= found; i++) for (k in seen) if (seen[k] == i) printf "%s|%.4g|%.0f|%.0f\n", (k ~ /[?]/ ? "?" : k), height[i], x[first[i]], x[last[i]]
    exit
  }
  all_facts()
  if (ask == "facts") { for (i = 1; i <= facts; i++) print fact[i]; exit }
  print bright("1", name == "" ? "a machine that is not named" : name)
  for (i = 1; i <= facts; i++) {
    split(fact[i], part, "|")
    if (length(part[2]) > wide) wide = length(part[2])
  }
  for (i = 1; i <= facts; i++) {
    split(fact[i], part, "|")
    text = sprintf("%-18s", part[1]) bright(part[2] == "unknown" ? "33" : "1;36", sprintf("%-" wide "s", part[2])) "  " part[3]
    sub(/ +$/, "", text)
    print text
  }
  printf "%d of %d parameters known%s; ranges are of repeated measurements, what is not clear is unknown\n", known, all, (none ? ", " none " do not apply" : "")
}
