# wrap(TEXT): TEXT of a manual page, in lines of at most 80 bytes where blanks allow it. No line begins as a request does.
function wrap(s,   out, at) {
  while (length(s) > 80) {
    for (at = 81; at > 1; at--)
      if (substr(s, at, 1) == " " && substr(s, at + 1, 1) !~ /[.']/) break
    if (at == 1) break
    out = out substr(s, 1, at - 1) "\n"
    s = substr(s, at + 1)
  }
  return out s
}
