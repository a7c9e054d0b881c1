# svg.awk: the SVG that gnuplot writes, made fit for a page: a title and a description for who does not see
# it, colours that follow the reader's light or dark, names of its parts that are unique on the page.
#   -v id=NAME -v title=TEXT -v desc=TEXT   -v alone=1: a file of its own, which has its colours within it
#   -v wide=1: keeps its size, for what is too wide for a page
BEGIN {
  n = split("#1b1f24 ink #d0d7de grid #57606a soft #0550ae s1 #953800 s2 #116329 s3 #6639ba s4 #a40e26 s5 #1b6a70 s6 #ffffff paper #f2f6fb t1 #dbe9f7 t2 #bdd7f0 t3 #9cc4ea t4 #7ab0e3 t5", list, " ")
  for (i = 1; i < n; i += 2) name[list[i]] = list[i + 1]
  pattern = "(stroke|fill|color) ?= ?[\"'](rgb\\( *[0-9]+, *[0-9]+, *[0-9]+\\)|#[0-9A-Fa-f]+|black|white)[\"']"
}
function hex(text,  v, k, out) {
  if (text == "black") return "#1b1f24"
  if (text == "white") return "#ffffff"
  if (text ~ /^#/) return tolower(text)
  gsub(/[^0-9,]/, "", text)
  split(text, v, ",")
  out = "#"
  for (k = 1; k <= 3; k++) out = out sprintf("%02x", v[k])
  return out
}
function escape(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); return text }
/^<\?xml/ { next }
/^<!DOCTYPE|^<!--|^ *-->$/ { next }
/"http:\/\/www.w3.org\/Graphics/ { next }
# Graphviz has its size on the first line.
/^<svg width=/ { width = $2; height = $3; gsub(/pt/, "", width); gsub(/pt/, "", height) }
/^<svg/ { head = 1 }
head {
  if ($1 ~ /^width=/) { width = $1; height = $2; next }
  if ($1 ~ /^viewBox=/) { box = $0; sub(/" xmlns.*/, "\"", box); if ($1 !~ /^ /) box = " " box }
  if ($0 ~ /^>/ || $0 ~ /xlink">/) {
    head = 0
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"%s", box
    if (wide || alone) printf " %s %s", width, height
    else { w = width; gsub(/[^0-9]/, "", w); printf " style=\"max-width:%dpx\"", w * 1.4 }
    printf " role=\"img\" aria-labelledby=\"%s-title %s-desc\" class=\"plot\">\n", id, id
    printf "<title id=\"%s-title\">%s</title>\n<desc id=\"%s-desc\">%s</desc>\n", id, escape(title), id, escape(desc)
    if (alone) {
      print "<style>"
      print "svg { font-family: system-ui, sans-serif; }"
      print "@media (prefers-color-scheme: dark) { svg { --ink:#e6edf3; --grid:#3d444d; --soft:#9da7b3; --s1:#79c0ff; --s2:#ffa657; --s3:#7ee787; --s4:#d2a8ff; --s5:#ffa198; --s6:#56d4dd; --paper:#0d1117; --t1:#161f2b; --t2:#1b2f47; --t3:#1f4063; --t4:#245081; --t5:#2a609d } }"
      print "</style>"
      print "<rect width=\"100%\" height=\"100%\" style=\"fill:var(--paper,#ffffff)\"/>"
    }
  }
  next
}
/^<title>Gnuplot/ || /^<desc>Produced/ { next }
# What gnuplot calls a part of the plot is read out by its own title, which says less than ours.
{ gsub(/<title>[^<]*<\/title>/, "") }
{ gsub(/ id="(node|edge|clust|graph)[0-9]+"/, "") }
{
  gsub(/id=['"]gp/, "&" id "-")
  gsub(/href=['"]#gp/, "&" id "-")
  gsub(/gnuplot_(canvas|plot_[0-9]+)/, id "-&")
  gsub(/id=['"](textbox|greybox)/, "&-" id)
  gsub(/font-family="[^"]*" ?/, "")
  out = ""
  rest = $0
  # Tag by tag, since a tag has one style.
  while (match(rest, /<[^>]*>/)) {
    before = substr(rest, 1, RSTART - 1)
    tag = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    out = out before styled(tag)
  }
  print out styled(rest)
}
function styled(tag,  out, style, found, what, value) {
  out = ""
  while (match(tag, pattern)) {
    found = substr(tag, RSTART, RLENGTH)
    out = out substr(tag, 1, RSTART - 1)
    tag = substr(tag, RSTART + RLENGTH)
    what = found
    sub(/ ?=.*/, "", what)
    sub(/^[^=]*= ?['"]/, "", found)
    sub(/['"]$/, "", found)
    value = hex(found)
    style = style (style == "" ? "" : ";") what ":" (value in name ? "var(--" name[value] "," value ")" : value)
    if (style !~ /;/) out = out "\001"
  }
  out = out tag
  sub(/\001/, "style=\"" style "\"", out)
  return out
}
