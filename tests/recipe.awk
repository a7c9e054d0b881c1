# Follows a recipe of doc/hacking.md to the letter: each numbered step that says "In FILE, below the line `BEGINNING`:"
# (or above) has its indented text put there, in FILE of the folder that this runs in; "In the new file FILE:" makes it.
# -v title='### A parameter' chooses the recipe. A step whose file is not there is said and left out.
function put(   n, i, at, line, text_at) {
  if (where == "new") {
    printf "%s", text >file
    close(file)
    steps++
    file = ""
    return
  }
  for (n = 0; (getline line <file) > 0; n++) {
    old[n] = line
    if (!found && index(line, place) == 1) {
      found = 1
      at = n + (where == "below")
    }
  }
  close(file)
  if (n == 0) print file ": not there"
  else if (!found) print file ": no line begins with " place
  else {
    for (i = 0; i <= n; i++) {
      if (i == at) printf "%s", text >file
      if (i < n) print old[i] >file
    }
    close(file)
    steps++
  }
  file = ""
}
/^##* / { here = $0 == title }
!here { next }
file != "" && (/^       / || (/^$/ && text == "")) {
  if (!/^$/) text = text substr($0, 8) "\n"
  next
}
file != "" && /^$/ {
  text = text "\n"
  next
}
file != "" {
  sub(/\n*$/, where == "above" ? "\n\n" : "\n", text)
  put()
}
match($0, /In [^ ]*, (above|below) the line `.*`:$/) {
  split(substr($0, RSTART), word, " ")
  file = word[2]
  where = word[3]
  sub(/,$/, "", file)
  place = substr($0, RSTART)
  sub(/^[^`]*`/, "", place)
  sub(/`:$/, "", place)
  text = ""
  found = 0
}
match($0, /In the new file [^ ]*:$/) {
  file = substr($0, RSTART + 16, RLENGTH - 17)
  where = "new"
  text = ""
}
END { print steps + 0, "steps" }
