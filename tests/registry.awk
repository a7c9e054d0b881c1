# For tests/registry.sh. With a table: writes for each of its cases, in the folder of its number, state, in, title and
# want. With a count: compares what was said there with what is wanted.

BEGIN { if (count) compare() }

/^##/ { next }
/^= / {
  if (at) close(at "/state")
  at++
  print substr($0, 3) >(at "/title")
  close(at "/title")
  step = ""
  next
}
NF && step == "" {
  step = $0
  print "option step " step "\noption effort default\noption rows all\noption manner default//\noption unknown default" >(at "/state")
  print "option prefix HW_\noption version 1\noption out .\noption template " top "/hwconfig.h.in" >(at "/state")
  next
}
/^<( |$)/ { print substr($0, 3) >(at "/in"); next }
/^[>!] / { print >(at "/want"); next }
NF { state($0) }

# Several rows on a line, and those that are known in short.
function state(line,  word, n, i, list) {
  n = split(line, list, " ")
  word = list[1]
  if (word ~ /^(#|HW_.*)$/) {
    print line >(at "/state")
    row(tolower(substr(list[word == "#" ? 2 : 1], 4)))
  } else if (word ~ /^(given|profile|cached|measured|recalled)$/ && list[2] ~ /=/) {
    for (i = 2; i <= n; i++) known(word, list[i])
  } else if (word == "unknown") {
    print "cached " list[2] " unknown\nfrom " list[2] " default//\nwhy " list[2] " " substr(line, 10 + length(list[2])) >(at "/state")
    row(list[2])
  } else if (word == "seen") for (i = 2; i <= n; i++) row(list[i])
  else if (word ~ /^(wanted|named|needed)$/) for (i = 2; i <= n; i++) print word " " list[i] >(at "/state")
  else print line >(at "/state")
}

# ROW=VALUE, or ROW=VALUE,LOW:HIGH.
function known(word, item,  i, name, value, range) {
  i = index(item, "=")
  name = substr(item, 1, i - 1)
  value = substr(item, i + 1)
  if (i = match(value, /,.*:/)) { range = substr(value, i + 1); value = substr(value, 1, i - 1) }
  print (word ~ /^(measured|recalled)$/ ? "cached" : word) " " name " " value >(at "/state")
  if (word == "measured") print "from " name " 5" >(at "/state")
  if (word == "recalled") print "from " name " 7" >(at "/state")
  if (range != "") print (word == "profile" ? "profile-range " : "range ") name " " range >(at "/state")
  row(name)
}

# It was checked, if anything has been.
function row(name) { if (step ~ /^(values|lines|settle|write|sizes|models|arguments)$/) print "seen " name >(at "/state") }

# What the shell is to do, as configure says it, of several lines each.
function plain(line,  word, mark) {
  if (line ~ /^(hw_fn_|  ).*'$/) line = substr(line, 1, length(line) - 1)
  if (line !~ /^hw_fn_/) return line
  word = substr(line, 7, index(line " ", " ") - 7)
  line = substr(line, 9 + length(word))
  mark = word == "line" || word == "logged" ? "... " : "' '"
  if (match(line, /' '/)) line = substr(line, 1, RSTART - 1) mark substr(line, RSTART + 3)
  gsub(/'\\''/, "'", line)
  return word ": " line
}

function take(file, before,  line) {
  while ((getline line <file) > 0) { sub(/\r$/, "", line); said[before plain(line)] }
  close(file)
}

function compare(  line, n, i, title, bad, list, text) {
  for (at = 1; at <= count; at++) {
    split("", said)
    n = 0
    take(at "/said", "")
    take(at "/hwconfig.h", "h: ")
    take(at "/hwconfig.mk", "mk: ")
    take(at "/hwconfig.json", "json: ")
    take(at "/hwconfig.site", "site: ")
    getline title <(at "/title")
    close(at "/title")
    while ((getline line <(at "/want")) > 0) {
      text = substr(line, 3)
      n++
      if (text !~ /^[a-z0-9_]+=[0-9]*\/[0-9]*( |$)/) wrong[n] = judge(line ~ /^>/, text)
      else for (i = split(text, list, /[ =\/]/); i > 2; i -= 3) {
        list[i - 2] = "HW_" toupper(list[i - 2])
        wrong[n] = wrong[n] judge(line ~ /^>/, list[i - 2] "=" list[i - 1] " " list[i - 2] "_SRC=" list[i])
      }
    }
    close(at "/want")
    if (!n) wrong[++n] = "nothing is expected\n"
    for (i = 1; i <= n; i++) {
      if (wrong[i] == "") continue
      if (title != "") print "= " title
      title = ""
      printf "%s", wrong[i]
      wrong[i] = ""
      bad = 1
    }
  }
  exit bad
}

function judge(due, text) {
  if ((text in said) == due) return ""
  return (due ? "not printed: " : "printed: ") text "\n"
}
