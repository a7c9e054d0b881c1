# known.awk: the tables and curves of known.sh.
#   awk -F '\t' -v order="GROUP GROUP ..." -v folder=FOLDER -f known.awk TSV
# TSV, without its first line: STATE SHARE NEIGHBOUR GROUP VALUES KNOWN WRONG SECONDS, by SHARE. Prints
# for each group, and for all, what part of the values is known at each share, and the seconds; writes
# FOLDER/GROUP.dat.
function add(group, share) {
  values[group, share] += $5
  known[group, share] += $6
  wrong[group, share] += $7
  seconds[group, share] += $8
}
function part(n, of) {
  return of > 0 ? sprintf("%.1f", 100 * n / of) : "-"
}
function cell(what, at) {
  if (what == "seconds")
    return sprintf("%.1f", seconds[at])
  return part(known[at], values[at]) (wrong[at] ? " (" wrong[at] ")" : "")
}
function table(what, title,   g, k, line, rule) {
  line = "| " title " | values |"
  rule = "|---|--:|"
  for (k = 1; k <= shares; k++) {
    line = line " " share[k] " % |"
    rule = rule "--:|"
  }
  print line "\n" rule
  for (g = 1; g <= groups; g++) {
    line = "| " name[g] " | " values[name[g], share[1]] " |"
    for (k = 1; k <= shares; k++)
      line = line " " cell(what, name[g] SUBSEP share[k]) " |"
    print line
  }
  print ""
}
function curve(group, file,   k) {
  print "# share of the time that somebody is there (%), known (%), wrong (%), simulated seconds" >file
  for (k = 1; k <= shares; k++)
    print share[k], part(known[group, share[k]], values[group, share[k]]),
      part(wrong[group, share[k]], values[group, share[k]]), seconds[group, share[k]] + 0 >file
  close(file)
}
{
  if (!($2 in met)) {
    met[$2] = 1
    share[++shares] = $2
  }
  asked[$4] = 1
  add($4, $2)
  add("all", $2)
}
END {
  asked["all"] = 1
  n = split(order " all", all, " ")
  for (i = 1; i <= n; i++)
    if (all[i] in asked)
      name[++groups] = all[i]
  table("known", "known, % (wrong)")
  table("seconds", "simulated seconds")
  for (g = 1; g <= groups; g++)
    curve(name[g], folder "/" name[g] ".dat")
}
