# What is handed to another program, by a template.
#
#   awk -v format=NAME -f export.awk VALUES TABLE
#
# VALUES has lines NAME VALUE, names without HW_, and NAME GROUP... for lists of processors (groups as 0,1); TABLE a
# template for each format: registry/exports, whose head describes the language. What is unknown is left out and named
# on standard error, and so is a format that would only say what its program takes by default.

FILENAME == ARGV[1] {
  if ($1 ~ /_GROUPS$/) {
    list[$1] = $0
    sub(/^[^ ]* */, "", list[$1])
  } else if (NF == 2)
    at[$1] = $2
  next
}
# Comments of the table; text that is written may have # without a blank.
/^#( |$)/ { next }
/^== / {
  here = $2 == format
  if (here)
    on_one_line = $3 == "words"
  next
}
here && NF { line[++lines] = $0 }

END {
  machine()
  if (!lines)
    bad("has no template")
  run(1, lines)
  if (!status && on_one_line)
    print ""
  if (!status && lacking != "")
    note("left out, as unknown:" lacking)
  if (!status && by != "" && !news && rows)
    note("nothing that " by " does not take by itself")
  close("cat 1>&2")
  exit status
}

function note(text) { print "hwconfig: export " format ": " text | "cat 1>&2" }

function bad(text) {
  if (!status)
    note("registry/exports: " text)
  status = 1
}

# ---- Lines and blocks --------------------------------------------------------------------------

# Writes a part of the template.
function run(from, to,    i, last, word) {
  for (i = from; i <= to && !status; i++) {
    if (line[i] !~ /^%/) {
      row(line[i])
      continue
    }
    split(line[i], word, " ")
    if (opens(line[i])) {
      last = end_of(i, to)
      block(word[1], rest_of(line[i]), i + 1, last - 1)
      i = last
    } else if (word[1] == "%own")
      own = word[2] == "" || test(rest_of(line[i]))
    else if (word[1] == "%by")
      by = rest_of(line[i])
    else if (word[1] == "%let" || word[1] == "%or" && !(word[2] in at))
      let(full(word[2]), rest_of(rest_of(line[i])))
    else if (word[1] == "%text")
      text_of[word[2]] = rest_of(rest_of(line[i]))
    else if (word[1] == "%say")
      note(rest_of(line[i]))
    else if (word[1] != "%or")
      bad(line[i])
  }
}

function opens(text) { return text ~ /^%(if|when|each|for) / }

function rest_of(text) {
  sub(/^[^ ]* */, "", text)
  return text
}

# The end of the block that begins at i.
function end_of(i, to,    depth, first) {
  first = line[i]
  for (; i <= to; i++) {
    depth += opens(line[i])
    if (line[i] == "%end" && --depth == 0)
      return i
  }
  bad(first ": has no end")
  return to
}

function block(kind, text, from, to,    n, i, word) {
  n = split(text, word, " ")
  if (kind == "%each")
    each(word[1], n > 1 ? word[3] : "", from, to)
  else if (kind == "%for")
    for (i = 2; i <= n; i++) {
      at[word[1]] = word[i]
      run(from, to)
    }
  else if (kind == "%when" ? test(text) : all_known(word, n))
    run(from, to)
}

function all_known(word, n,    i) {
  missing = ""
  for (i = 1; i <= n; i++)
    look_up(word[i])
  return known()
}

# Whether nothing is missing; what is, is told of once.
function known(    n, i, name) {
  n = split(missing, name, " ")
  for (i = 1; i <= n; i++)
    if (!told[name[i]]++ && !absent(name[i]))
      lacking = lacking " " name[i]
  return n == 0
}

# A level that does not exist is not unknown.
function absent(name) { return name ~ /^HW_L[0-9]_/ && at["HAVE_" substr(name, 4, 2)] == "0" }

function row(text,    out, start, name) {
  missing = ""
  while (match(text, /@[^@]+@/)) {
    out = out substr(text, 1, RSTART - 1)
    name = substr(text, RSTART + 1, RLENGTH - 2)
    text = substr(text, RSTART + RLENGTH)
    if (name in text_of)
      text = text_of[name] text
    else
      out = out written(evaluate(name))
  }
  if (known()) {
    printf "%s%s%s", on_one_line && rows ? " " : "", out text, on_one_line ? "" : "\n"
    rows++
    news += !own
  }
  own = 0
}

function written(x) {
  if (x !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/)
    return x
  if (x == int(x))
    return sprintf("%.0f", x)
  x = sprintf("%.2f", x)
  sub(/0$/, "", x)
  return x
}

function let(name, text,    x) {
  missing = ""
  x = evaluate(text)
  delete at[name]
  lacks[name] = missing
  if (missing == "")
    at[name] = x
}

function test(text,    x) {
  missing = ""
  x = evaluate(text)
  return known() && x != 0
}

# ---- Groups of processors ----------------------------------------------------------------------

# The processors of the lists, or so many as are counted, or one: the group at hand, where no block has another.
function machine(    name, n, i, cpu, seen, all) {
  for (name in list) {
    gsub(/ +/, " ", list[name])
    n = split(list[name], cpu, "[ ,]")
    for (i = 1; i <= n; i++)
      if (!seen[cpu[i]]++ && cpu[i] > highest)
        highest = cpu[i]
  }
  if (highest == "")
    for (i = 0; i < 1 || i < at["CPUS"]; i++)
      seen[highest = i] = 1
  for (i = 0; i <= highest; i++)
    if (seen[i])
      all = all (all == "" ? "" : ",") i
  list["MACHINE"] = all
  enter(all)
}

function enter(group,    cpu) {
  at["set"] = group
  at["count"] = split(group, cpu, ",")
  at["first"] = cpu[1]
}

# Runs a block for each group of a list in the group at hand, or once for that where the list is unknown or does not
# divide it. All of the machine, and each processor, are lists, too.
function each(name, as, from, to,    n, i, group, outer, divided) {
  outer = at["set"]
  if (name == "MACHINE")
    split("", entered)
  n = groups(name, outer, group)
  divided = group["divided"]
  for (i = 1; i <= n; i++) {
    enter(group[i])
    at["id"] = ++ids
    at["placed"] = divided || at["count"] == 1
    at[tolower(name)] = entered[name]++ + 0
    if (as != "")
      at[as] = at["first"]
    run(from, to)
  }
  enter(outer)
}

# Fills group with the groups of a list that lie in outer, or with outer; divided is whether there are any.
function groups(name, outer, group,    n, i, k, lies) {
  if (name == "PU") {
    n = split(outer, group, ",")
    group["divided"] = 1
    return n
  }
  if (name == "MACHINE")
    outer = list[name]
  n = split(list[name], group, " ")
  k = 0
  for (i = 1; i <= n; i++) {
    lies = within(group[i], outer)
    if (lies == "all")
      group[++k] = group[i]
    else if (lies == "some" && !told[name]++)
      note("left out, as it crosses others: HW_" name)
    if (lies == "some")
      n = k = 0
  }
  if (n == 0) {
    missing = ""
    look_up(name)
    known()
  }
  group["divided"] = k > 0
  if (k == 0)
    group[k = 1] = outer
  return k
}

# Whether all, some or none of a group is in another.
function within(group, outer,    n, i, k, cpu) {
  n = split(group, cpu, ",")
  for (i = 1; i <= n; i++)
    k += index("," outer ",", "," cpu[i] ",") > 0
  return k == n ? "all" : k ? "some" : "none"
}

# Whether one group of a list has two processors.
function together(name, one, two,    n, i, group) {
  n = split(list[name], group, " ")
  for (i = 1; i <= n; i++)
    if (within(one "," two, group[i]) == "all")
      return 1
  return 0
}

# A set of processors, as hwloc writes it: words of 32 bits, the first ones last.
function bits(set,    n, i, k, bit, cpu, word, last, text) {
  n = split(set, cpu, ",")
  last = 0
  for (i = 1; i <= n; i++) {
    bit = 1
    for (k = cpu[i] % 32; k > 0; k--)
      bit *= 2
    word[int(cpu[i] / 32)] += bit
    if (int(cpu[i] / 32) > last)
      last = int(cpu[i] / 32)
  }
  for (i = last; i >= 0; i--)
    text = text (text == "" ? "" : ",") sprintf("0x%04x%04x", int(word[i] / 65536), word[i] % 65536)
  return text
}

# ---- Expressions -------------------------------------------------------------------------------

# Their value; adds to missing what of it is unknown.
function evaluate(text,    x) {
  rest = text
  x = comparison()
  if (rest !~ /^ *$/)
    bad(text)
  return x
}

# Takes what matches from the rest of the expression.
function take(pattern,    found) {
  sub(/^ +/, "", rest)
  if (!match(rest, "^(" pattern ")"))
    return ""
  found = substr(rest, 1, RLENGTH)
  rest = substr(rest, RLENGTH + 1)
  return found
}

function comparison(    x, y, by) {
  x = sum()
  by = take("[<>=!]=|[<>]")
  if (by == "")
    return x
  y = sum()
  if (by == "<")
    return x + 0 < y + 0
  if (by == ">")
    return x + 0 > y + 0
  if (by == "<=")
    return x + 0 <= y + 0
  if (by == ">=")
    return x + 0 >= y + 0
  return by == "==" ? x + 0 == y + 0 : x + 0 != y + 0
}

function sum(    x, by) {
  x = product()
  while ((by = take("[-+]")) != "")
    x = by == "+" ? x + product() : x - product()
  return x
}

function product(    x, y, by) {
  x = factor()
  while ((by = take("[*/%]")) != "") {
    y = factor()
    if (by == "*")
      x *= y
    else
      x = y == 0 ? 0 : by == "/" ? x / y : x % y
  }
  return x
}

function factor(    x, name) {
  if ((x = take("[0-9]+")) != "")
    return x + 0
  if (take("[(]") != "") {
    x = comparison()
    closed()
    return x
  }
  name = take_name()
  if (name == "") {
    bad("no expression: " rest)
    rest = ""
  } else if (take("[(]") != "")
    return call(name)
  return look_up(name)
}

function take_name() { return full(take("[A-Za-z]([A-Za-z0-9_]|[{][a-z]+[}])*")) }

function closed() {
  if (take("[)]") == "")
    bad(") is missing before " rest)
}

function call(name,    n, x, cpu) {
  n = 0
  if (name == "together" || name == "repeat" || name == "groups")
    x[n = 1] = take_name()
  while (n == 0 || take(",") != "")
    x[++n] = comparison()
  closed()
  if (name == "int" && n == 1)
    return int(x[1])
  if (name == "round" && n == 1)
    return int(x[1] + 0.5)
  if (name == "up" && n == 1)
    return x[1] > int(x[1]) ? int(x[1]) + 1 : int(x[1])
  if (name == "max" && n == 2)
    return x[1] + 0 > x[2] + 0 ? x[1] : x[2]
  if (name == "min" && n == 2)
    return x[1] + 0 < x[2] + 0 ? x[1] : x[2]
  if (name == "digits" && n == 1)
    return length(written(x[1]))
  if (name == "power" && n == 1)
    return power(x[1] + 0)
  if (name == "root" && n == 1)
    return root(x[1] + 0)
  if (name == "bits" && n == 1)
    return bits(x[1])
  if (name == "together" && n == 3)
    return together(x[1], x[2], x[3])
  if (name == "groups" && n == 1)
    return split(list[x[1]], cpu, " ")
  if (name == "range" && n == 1)
    return range(x[1] + 0)
  if (name == "repeat" && n == 2)
    return repeat(x[1], x[2])
  bad(name "(" n "): no such function")
  return 0
}

# The largest power of two that is no more.
function power(x,    y) {
  for (y = 1; 2 * y <= x; y *= 2)
    ;
  return y
}

# The square root by Newton's method: some awks have no sqrt.
function root(x,    y, next_y) {
  if (x <= 0)
    return 0
  y = x + 1
  while ((next_y = (y + x / y) / 2) < y)
    y = next_y
  return y
}

# The first n numbers.
function range(n,    i, all) {
  for (i = 0; i < n; i++)
    all = all (i > 0 ? "," : "") i
  return all
}

function repeat(text, n,    all) {
  all = text
  for (n--; n > 0; n--)
    all = all ", " text
  return all
}

# A name with the value of NAME in place of each {NAME}.
function full(name) {
  while (match(name, /[{][a-z]+[}]/))
    name = substr(name, 1, RSTART - 1) at[substr(name, RSTART + 1, RLENGTH - 2)] substr(name, RSTART + RLENGTH)
  return name
}

function look_up(name) {
  name = full(name)
  if (name in at)
    return at[name]
  if (name in list && list[name] != "")
    return 1
  missing = missing (name in lacks ? lacks[name] : " HW_" name)
  return 0
}
