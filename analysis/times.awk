# The predicted times of products, after terms() of model.awk: a table, or where the
# environment has a FILE, beside the times in that: points of make bench, or lines TYPE n MR NV KC MC NC SECONDS.

function max(a, b) { return a > b ? a : b }
function ceil(x) { return x > int(x) ? int(x) + 1 : int(x) }
function number(x) { return x ~ /^[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$/ && x > 0 }
function total() { return term[1] + term[2] + term[3] + term[4] + term[5] }

function table(type,    why, n, list, i) {
  if ((why = terms(type, 1)) != "") {
    print "time of " type ": " why
    return
  }
  print "time of " type ", and of it in percent"
  printf "%6s %12s %8s %13s %8s %8s %8s %8s\n", "n", "us", "GFLOP/s", "multiply-adds", "C", "packing", "A", "B"
  n = split("64 96 128 192 256 384 512 768 1024 1280 1536 2048", list, " ")
  for (i = 1; i <= n; i++) {
    terms(type, list[i])
    printf "%6d %12.1f %8.2f %13.1f %8.1f %8.1f %8.1f %8.1f\n", list[i], total() / 1000, 2 * list[i] ^ 3 / total(), \
           100 * term[1] / total(), 100 * term[2] / total(), 100 * term[3] / total(), 100 * term[4] / total(), 100 * term[5] / total()
  }
}

# A point beside its prediction.
function compare(type, n, seconds, MR, NV, KC, MC, NC,    why, error, i) {
  points++
  if ((why = terms(type, n, MR, NV, KC, MC, NC)) != "") {
    if (!told[type]++)
      text = text "time of " type ": " why "\n"
    return
  }
  error = 100 * (total() / 1e9 / seconds - 1)
  text = text sprintf("%4s %6d  %-24s %12.1f %12.1f %+8.1f\n", type, n, chosen, total() / 1000, seconds * 1e6, error)
  error = error < 0 ? -error : error
  for (i = errors++; i > 0 && sorted[i] > error; i--)
    sorted[i + 1] = sorted[i]
  sorted[i + 1] = error
}

function bad(text) {
  print file ":" FNR ": " text
  status = 2
  exit
}

BEGIN {
  file = ENVIRON["FILE"]
  if (file == "") {
    table("F32")
    table("F64")
  }
}
file == "" { exit }
{ sub(/\r$/, "") }
# A curve of bench.d has its name once.
/^# name: / { curve = $3 }
/^#/ || NF == 0 { next }
NF == 4 && curve != "" { $0 = "point " curve " " $0 }
$1 == "point" {
  if (NF != 6 || !number($3) || !number($4))
    bad("not a point, which is: point CURVE N GFLOPS SPREAD COUNT")
  if ($2 ~ /^gflops_f(32|64)_1$/)
    compare(toupper(substr($2, 8, 3)), $3, 2e-9 * $3 ^ 3 / $4)
  next
}
{
  if (NF != 8 || toupper($1) !~ /^F(32|64)$/)
    bad("neither a point nor TYPE n MR NV KC MC NC SECONDS")
  for (i = 2; i <= 8; i++)
    if (!number($i))
      bad($i ": no positive number")
  compare(toupper($1), $2, $8, $3, $4, $5, $6, $7)
}
END {
  if (status)
    exit status
  if (file != "" && !points) {
    print file ": no time of a product on one processor"
    exit 2
  }
  if (errors)
    printf "%4s %6s  %-24s %12s %12s %8s\n", "type", "n", "MR NV KC MC NC", "predicted us", "measured us", "error %"
  printf "%s", text
  if (errors)
    printf "error of %d predictions: median %.1f %%, largest %.1f %%\n", errors, \
           (sorted[int((errors + 1) / 2)] + sorted[int(errors / 2) + 1]) / 2, sorted[errors]
}
