# Words that a reader of the field does not expect: prints FILE:LINE: PHRASE for each in the files that are named.
# In pages, the header and the table, but not in what is set as code, as the words of machine files are; in the
# strings of C, and in the lines of scripts that are no comment.  In comments some of them have a meaning: a
# neighbouring point of a curve is a neighbour; those of the examples are not read.
BEGIN {
  fewer = "so (many|much|long)|strangers?|puts? out|foretells?|foretold|foresee|outlast(s|ed)?|companions?|fate"
  fewer = fewer "|(deal|deals|dealt|dealing) out|waits? for no other|whoever|(some|any|no)body"
  all = fewer "|neighbou?rs?|of the moment|he|him|his"
}

function refuse(text, words,  phrase) {
  gsub(/`[^`]*`/, "", text)
  for (text = tolower(text); match(text, "(^|[^a-z0-9_])(" words ")([^a-z0-9_]|$)"); text = substr(text, RSTART + RLENGTH - 1)) {
    phrase = substr(text, RSTART, RLENGTH)
    gsub(/^[^a-z]|[^a-z]$/, "", phrase)
    print FILENAME ":" FNR ": " phrase
  }
}

function c(line,  rest, string) {
  for (rest = line; line !~ /^ *#/ && match(rest, /"[^"]*"/);) {
    string = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    refuse(string, all)
  }
  if (sub(/^.*\/\*/, "/*", line)) comment = 1
  if (comment && FILENAME !~ /^examples/) refuse(line, fewer)
  if (line ~ /\*\//) comment = 0
}

FNR == 1 { comment = 0 }
FILENAME ~ /\.[ch]$/ { c($0); next }
FILENAME ~ /\.(m4|sh|awk)$|^(hwconfig\.in|configure\.ac)$/ && /^ *(#|dnl)/ { refuse($0, fewer); next }
{ refuse($0, all) }
