# writers.awk: which curves nothing measures.
#   awk -f writers.awk analysis/rows/*.def analysis/names.h analysis/rows/*.[ch] probes/*/*.[ch] doc/curves.md NAMES
# NAMES has a line each: the name of a curve, and where it is.  A curve has a writer when doc/curves.md has its name
# and the sources of a folder of probes can put it together: of a string there, or of one as "l%u_colour_%u", whose
# words are strings of that folder, operations or types.  Prints the names without a writer, each once, and the lines
# of doc/curves.md that are of no curve.

# What the table calls curves, with * and a letter where a number or a word comes, as regular expressions.
FILENAME ~ /curves[.]md$/ {
  if (/^## /) there = /The curves there are/
  if (!there || !/^[|] [a-z]/ || /^[|] curve [|]/) next
  split($0, cell, / *[|] */)
  n = split(cell[2], title, /, */)
  for (i = 1; i <= n; i++) {
    gsub(/\\/, "", title[i])
    told[title[i]] = FNR
  }
  next
}

# Words of operations and types, which all folders have.
FILENAME ~ /[.]def$/ {
  if (match($0, /^HW_(TYPE|OPERATION)[(][a-z0-9]*/)) common[substr($0, index($0, "(") + 1, RLENGTH - index($0, "("))] = 1
  next
}

# What follows a name in a line, as far as it is known: the string of a macro, the strings of a list or of a function
# that puts a name together for both sides.
function strings(line,   rest, text) {
  text = line
  for (rest = line; match(rest, /[A-Za-z][A-Za-z0-9_]*/); rest = substr(rest, RSTART + RLENGTH))
    text = text meaning[substr(rest, RSTART, RLENGTH)]
  return text
}
FILENAME ~ /analysis.names[.]h$/ {
  if ($1 == "#define" && NF == 3) meaning[$2] = " " $3
  next
}
FILENAME ~ /analysis.rows/ {
  if (/^}/) maker = ""
  if (maker != "") meaning[maker] = meaning[maker] " " strings($0)
  if (match($0, /[a-z][a-z0-9_]*(\[[^]]*\] = |_name\()/)) {
    maker = substr($0, RSTART)
    sub(/[[(].*/, "", maker)
    if (/\] = .*"/) meaning[maker] = " " substr($0, RSTART)
    if (!/^void .*[^;]$/) maker = ""
  }
  next
}

# The strings of a folder of probes.
FILENAME ~ /[.][ch]$/ {
  folder = FILENAME
  sub(/\/[^\/]*$/, "", folder)
  n = split(strings($0), part, "\"")
  # A search is told the names of its curves by the probe.
  if (/[.]probe = "[a-z0-9_]+"/) {
    search = folder
    sub(/[^\/]*$/, "search", search)
    word[search, part[2]] = 1
  }
  for (i = 2; i <= n; i += 2)
    if (part[i] ~ /^[a-z0-9_]+$/) word[folder, part[i]] = 1
    else if (part[i] ~ /^[a-z0-9_%.]*%[a-z0-9_%.]*$/ && part[i] ~ /[a-z0-9]_|_[a-z0-9]|%s[_%]/) form[folder, part[i]] = 1
  next
}

{ where[$1] = where[$1] == "" ? $2 : where[$1] " " $2 }

# The regular expression of a form, with the words of its folder.
function expand(folder, text,   words, key, at) {
  for (key in word) {
    split(key, at, SUBSEP)
    if (at[1] == folder) words = words "|" at[2]
  }
  for (key in common) words = words "|" key
  gsub(/%(zu|u|[.]0f)/, "[0-9]+", text)
  gsub(/%([.][0-9]+)?s/, "v?(" substr(words, 2) ")", text)
  return "^(" text ")$"
}

function written(name,   key, at) {
  for (key in word) {
    split(key, at, SUBSEP)
    if (at[2] == name) return 1
  }
  for (key in form) if (name ~ pattern[key]) return 1
  return 0
}

function documented(name,   key) {
  for (key in told) if (name ~ row[key]) return 1
  return 0
}

END {
  for (key in form) {
    split(key, at, SUBSEP)
    pattern[key] = expand(at[1], at[2])
  }
  for (key in told) {
    row[key] = sample = key
    gsub(/\*[OT]\*/, "[a-z0-9]+", row[key])
    gsub(/\*[a-zA-Z]\*/, "[0-9]+", row[key])
    row[key] = "^" row[key] "$"
    gsub(/\*O\*/, "add", sample)
    gsub(/\*T\*/, "i32", sample)
    gsub(/\*[a-zA-Z]\*/, "1", sample)
    if (!written(sample)) print "doc/curves.md:" told[key] ": no source writes " key
  }
  for (name in where)
    if (!documented(name)) print name ": doc/curves.md has it not (" where[name] ")"
    else if (!written(name)) print name ": no source writes it (" where[name] ")"
}
