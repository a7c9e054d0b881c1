# SPDX-License-Identifier: MIT
# The sizes of HW_AX_CACHE_SIZE: the capacity of level 1, and of levels 2 and 3 what one thread can hold there in pages
# that lie anywhere, or, with option sizes capacity, their capacities too. Sets ax_lN_size, to nothing if it is unknown
# and the package has no size of its own for that, option own-sizes, and says where each is from.

function step_sizes(  n, text, unknown, own) {
  settle()
  split(option["own-sizes"], own, " ")
  for (n = 1; n <= 3; n++) {
    size = value["l" n "_bytes"]
    size_origin = origin("l" n "_bytes")
    if (n > 1 && option["sizes"] != "capacity") size_effective("l" n)
    if (value["have_l" n] == "0") { size = 0; size_origin = "none" }
    else if (size == "") {
      unknown = 1
      size = own[n]
      size_origin = "unknown" (size == "" ? "" : ", the package has its own")
    }
    set("ax_l" n "_size", size)
    text = joined(text, "L" n (size == "" ? "" : " " size) " (" size_origin ")", ", ")
  }
  notice("hwconfig: cache sizes: " text (unknown && option["idle"] != "" ? "; nothing was measured, since " option["idle"] : ""))
}

function size_effective(cache,  ways, page) {
  if (source[cache "_eff_bytes"] == 3) {
    size = value[cache "_eff_bytes"]
    size_origin = "given"
    return
  }
  ways = value[cache "_assoc"]
  if (ways == "" && size_origin == "reported") ways = report(cache "_assoc")
  resolve("page_bytes")
  page = value["page_bytes"]
  if (page == "" && option["idle"] == "") page = report("page_bytes")
  if (size != "" && ways != "" && page != "") {
    size_origin = "fits " size ", " size_origin
    size = fitting(size, ways, page)
  } else if (value[cache "_eff_bytes"] != "") {
    size = value[cache "_eff_bytes"]
    size_origin = origin(cache "_eff_bytes")
  } else if (size_origin != "given") size = ""
}

# A level of BYTES and WAYS has colours, BYTES / WAYS / PAGE; of n pages at random places a binomial number has
# the same colour, and a colour with more pages than ways misses (SV III-A). What fits is the largest n of which no more than one
# in twenty is in such a colour.
function fitting(bytes, ways, page,  colours, least, most, middle) {
  colours = bytes / ways / page
  if (colours <= 1) return bytes
  least = 1
  most = int(bytes / page)
  while (least < most) {
    middle = int((least + most + 1) / 2)
    if (fitting_over(middle, ways, colours) <= 0.05) least = middle
    else most = middle - 1
  }
  return number(least * page)
}

function fitting_over(n, ways, colours,  term, sum, i) {
  term = power(1 - 1 / colours, n - 1)
  for (i = 0; i < ways + 0; i++) {
    sum += term
    term *= (n - 1 - i) / (i + 1) / (colours - 1)
  }
  return 1 - sum
}

# X to the Nth: some awks have neither exp nor log.
function power(x, n,  result) {
  for (result = 1; n > 0; n = int(n / 2)) {
    if (n % 2) result *= x
    x *= x
  }
  return result
}
