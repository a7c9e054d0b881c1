# The terms behind the blocks of a product, in words.
#
# Comes after product.awk, which reads the values; reads also what tiles.awk answers at other widths of
# vectors, each line after "width BYTES".  With -v times=1 it writes instead the time of a product as a
# function of awk, which times.awk calls.

$1 == "width" && $4 == "=" { other[$2, substr($3, 4)] = $5 }
$1 == "width" && $3 == "#" { width = $2; row = substr($4, 4); sub(/.* unknown: /, ""); none[width, row] = $0 }

END {
  if (times)
    print "function terms(type, n, MR, NV, KC, MC, NC) {"
  for (type = "F32"; type != ""; type = type == "F32" ? "F64" : "")
    if (times)
      formula(type)
    else
      words(type)
  if (times)
    print "}"
}

# Each block of a type that is known, as text; width: at another one.
function blocks(type, width,    list, n, i, name, value, text) {
  n = split("MR NR KC MC NC", list, " ")
  for (i = 1; i <= n; i++) {
    name = "GEMM_" type "_" list[i]
    value = width ? other[width, name] : known[name]
    if (value > 0)
      text = text (text == "" ? "" : ", ") list[i] " " value
    else
      return text (text == "" ? "" : ", ") (width ? none[width, name] : "HW_" name " is unknown")
  }
  return text
}

function formula(type,    i) {
  if (!enough(type) || !have("GEMM_" type "_KC GEMM_" type "_MC GEMM_" type "_NC") || !terms()) {
    printf "if (type == \"%s\") return \"%s\"\n", type, why
    return
  }
  printf "if (type == \"%s\") {\n", type
  # Only n is given: the blocks are the model's.
  printf "if (!MR) { MR = %d; NV = %d; KC = %.0f; MC = %.0f; NC = %.0f }\n", \
         MR, NV, known["GEMM_" type "_KC"], known["GEMM_" type "_MC"], known["GEMM_" type "_NC"]
  print "chosen = MR \" \" NV \" \" KC \" \" MC \" \" NC"
  for (i = 1; i <= 5; i++)
    print "term[" i "] = " term[i]
  print "return \"\" }"
}

# core(), with what the blocks need as the reason why not.
function enough(type,    there) {
  there = core(type)
  if (!there && why ~ /GEMM/ && !(latency && rtp))
    have(latency ? rtp_row : latency_row)
  return there
}

function line(what, text) { printf "  %-24s%s\n", what, text }

function share(bytes, level) {
  return sprintf("%.0f KiB of %.0f KiB, %.0f %%", bytes / 1024, room(level) / 1024, 100 * bytes / room(level))
}

function ways(bytes,    way) {
  way = known["L1_BYTES"] / known["L1_ASSOC"]
  return int((bytes + way - 1) / way)
}

function words(type,    name, KC, MC, NC, columns, i, n, list) {
  name = "GEMM_" type "_"
  if (!enough(type)) {
    print "product of " type ": " why
    return
  }
  columns = known[name "NR"]
  KC = known[name "KC"]
  MC = known[name "MC"]
  NC = known[name "NC"]
  print "product of " type ": " blocks(type)
  line("multiply-adds in flight", MR * NV " of vectors; needed " (!latency && !have(latency_row) || !rtp && !have(rtp_row) ? why : \
       most(1, int(latency / rtp + 0.5)) ", latency " latency " / reciprocal throughput " rtp " cycles"))
  line("registers", MR * NV + NV + spare " of " registers ": " MR * NV " for C, " NV " for B, " spare (spare == 1 ? " for A" : " for A and the product"))
  line("loads", MR + NV " for " MR * NV " multiply-adds, " sprintf("%.2f", (MR + NV) / (MR * NV)) " each")
  line("level 1", !have(name "KC L1_BYTES L1_ASSOC") ? why : "of " known["L1_ASSOC"] " ways A's micro-panel takes " ways(MR * KC * S) \
       ", B's " ways(columns * KC * S))
  line("level 2", !have(name "KC " name "MC") || !room(2) && !have("L2_BYTES") ? why : "A's block " share(MC * KC * S, 2))
  line("level 3", have("HAVE_L3") && (!have(name "KC " name "NC") || !room(3) && !have("L3_BYTES")) ? why : \
       known["HAVE_L3"] ? "B's panel " share(NC * KC * S, 3) : ("HAVE_L3" in known) ? "none: B's panel comes from memory" : why)
  line("traffic of C", !KC ? blocks(type) : "read and written n / " KC " times")
  line("traffic of A", !NC ? blocks(type) : "packed n / " NC " times, and read from level 2 n / " columns " times")
  line("traffic of B", !MC ? blocks(type) : "packed once, and read from " (known["HAVE_L3"] ? "level 3" : "memory") " n / " MC " times")
  n = split("4 16 32 64", list, " ")
  for (i = 1; i <= n; i++)
    line(i == 1 ? "would be, scalar" : "with vectors of " list[i], blocks(type, list[i]))
}
