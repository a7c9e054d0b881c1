#!/bin/sh
# The autotuner of examples, with a command whose times follow from a model: it finds the best point,
# with the space and without, counts evaluations as the command does, goes on with the times that it has
# kept, and says in a line what is wrong with what it is given.  Speaks TAP.
# Environment: srcdir, the top of the sources; PYTHON.

LC_ALL=C
export LC_ALL
: "${srcdir:=.}" "${PYTHON:=python3}"
PYTHON=$("$PYTHON" -c 'import ast, sys; ast.unparse; print(sys.executable)' 2>/dev/null) || {
  echo '1..0 # SKIP no python3, of 3.9 or later'
  exit 0
}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' 0
trap 'exit 99' HUP INT PIPE TERM
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
count=0

# ok TITLE STATUS
ok ()
{
  count=$((count + 1))
  if test "$2" -eq 0; then
    echo "ok $count - $1"
  else
    sed 's/^/# /' "$work/out" "$work/err"
    echo "not ok $count - $1"
  fi
}

# tune ARGUMENT...: with the command; what it was asked stays in $work/asked.
tune ()
{
  : >"$work/asked"
  "$PYTHON" "$srcdir/examples/autotuner/tune.py" "$@" "$PYTHON" "$work/command" "$work/asked" >"$work/out" 2>"$work/err"
}

# refuses TITLE MESSAGE ARGUMENT...: in a line with that, and no table.
refuses ()
{
  title=$1 message=$2
  shift 2
  "$PYTHON" "$srcdir/examples/autotuner/tune.py" "$@" >"$work/out" 2>"$work/err"
  test $? -eq 1 && test ! -s "$work/out" && test "$(wc -l <"$work/err")" -eq 1 &&
    grep "^tune.py: .*$message" "$work/err" >/dev/null
  ok "$title" $?
}

# space TEXT: a file with that in place of the constraints.
space ()
{
  cat <<END
{ "hwconfig space": 1, "kernels": {
  "product_f64": {
    "sizes": ["n"],
    "parameters": { "MR": [1, 2, 4, 6, 8], "NV": [1, 2, 3, 4], "KC": [64, 128, 256], "MC": [32, 64, 128], "NC": [512, 1024] },
    "constraints": [$1],
    "start": { "MR": 4, "NV": 3, "KC": 128, "MC": 64, "NC": 1024 },
    "time": "n * ceil(n / MR) * ceil(n / NV) + max(KC, MC)"
  },
  "join": { "sizes": ["n"], "parameters": { "FANOUT": [2, 8, 64] }, "constraints": [], "start": { "FANOUT": 4 } }
} }
END
}

# The best is MR=6 NV=2 KC=256 MC=128 by a tenth, NC does not matter; of the join FANOUT=16, which the
# space has not, and 8 takes a fifth longer.  Times have a noise of 1 %.
cat >"$work/command" <<'END'
import math, random, sys
noise = random.Random(1)
def off(a, b):
    return abs(math.log2(a / b))
for line in sys.stdin:
    with open(sys.argv[1], "a") as file:
        file.write(line)
    p = {name: int(value) for name, value in (word.split("=") for word in line.split())}
    if "FANOUT" in p:
        time = 1 + 0.2 * off(p["FANOUT"], 16)
    else:
        time = 1 + 0.2 * off(p["MR"], 6) + 0.2 * off(p["NV"], 2) + 0.1 * off(p["KC"], 256) + 0.1 * off(p["MC"], 128)
    if p.get("MR", 0) * p.get("NV", 0) > 32:
        print("no", flush=True)
    else:
        print(time * noise.gauss(1, 0.01) if time > 1 else time, flush=True)
END
space '"MR * NV + NV <= 15", "MC * KC * 8 <= 1048576"' >"$work/space"

tune --most=600 --seeds=1 "$work/space" product_f64 64
status=$?
test $status -eq 0 && grep '^product_f64, 64: the best is MR=6 NV=2 KC=256 MC=128 NC=[0-9]*, 1 s$' "$work/out" >/dev/null &&
  awk '$1 == "the" && $3 == 252 && $4 <= 60 && $6 == "1.000" { found = 1 } END { exit !found }' "$work/out"
ok 'It finds the best in the space' $?
awk '$1 == "hill" && $3 == 65536 && $4 > 0 && $6 >= 0.98 { found = 1 } END { exit !found }' "$work/out"
ok 'And without it' $?
awk '/^the space/ { space = $4 } /^(random|hill)/ { blind = $(NF - 2); sub(">", "", blind); least = !least || blind < least ? blind : least }
  /times fewer/ { found = sprintf("%.3g", least / space) == sprintf("%.3g", $4) } END { exit !found }' "$work/out"
ok 'How many times fewer follows from the table' $?

# The start is asked for once more, to begin with.
tune --most=100 --seeds=2 --times="$work/times" "$work/space" join 64
status=$?
test $status -eq 0 && grep '^join, 64: the best is FANOUT=16, 1 s$' "$work/out" >/dev/null &&
  grep '^the space  *3  *>4 .* 0.8[0-9]*$' "$work/out" >/dev/null &&
  awk '/^(random|hill)/ { found += $(NF - 3) == 14 && $NF >= 0.999 && $(NF - 2) <= 14 } END { exit found != 2 }' "$work/out"
ok 'A space that lacks the best point shows' $?
test "$(sort -u "$work/asked" | wc -l)" -eq 14 && test "$(wc -l <"$work/asked")" -eq "$(($(wc -l <"$work/times") + 1))"
ok 'It asks for each point, and keeps all answers' $?
cp "$work/out" "$work/before"
tune --most=100 --seeds=2 --times="$work/times" "$work/space" join 64 && cmp "$work/out" "$work/before" && test ! -s "$work/asked"
ok 'It asks for nothing whose time it has kept' $?

# The start, 2, and one more with each step.
sed 's/\[2, 8, 64\]/[2, 4, 8, 16, 32, 64]/; s/"FANOUT": 4/"FANOUT": 2/' "$work/space" >"$work/wider"
tune --most=100 --seeds=1 "$work/wider" join 64 && grep '^the space  *6  *4  *0.0  *1.000$' "$work/out" >/dev/null
ok 'It counts evaluations until the best is found' $?
tune --most=3 --seeds=1 "$work/wider" join 64 && grep '^the space  *6  *>3 ' "$work/out" >/dev/null
ok 'And no more than it may make' $?

sed 's/"FANOUT": 2/"FANOUT": 64/' "$work/wider" >"$work/above"
tune --most=100 --seeds=1 "$work/above" join 64 && grep '^the space  *6  *3  *0.0  *1.000$' "$work/out" >/dev/null
ok 'Downwards, too' $?
# 4 is not allowed, so that 2 has no neighbours; 16 is predicted to be the quickest.
sed '/"join"/s/"constraints": \[/&"1 <= max(FANOUT - 4, 4 - FANOUT)"/; /"join"/s/"start"/"time": "max(16 * n - FANOUT * n, ceil(FANOUT * n - n * 32 \/ 2))", &/' \
  "$work/wider" >"$work/timed"
tune --most=100 --seeds=1 "$work/timed" join 64 && grep '^the space  *5  *2  *0.0  *1.000$' "$work/out" >/dev/null
ok 'What is predicted to be quick comes first' $?

# What is wrong.
refuses 'No such file' 'No such file' "$work/none" join 64 true
refuses 'No such kernel' 'no such kernel: fft (there are product_f64, join)' "$work/space" fft 64 true
echo '{' >"$work/bad"
refuses 'No JSON' 'not what hwconfig export space writes' "$work/bad" join 64 true
echo '[1]' >"$work/bad"
refuses 'Not a space' 'not what hwconfig export space writes' "$work/bad" join 64 true
sed 's/"FANOUT": 4/"FANOUT": "4"/' "$work/space" >"$work/bad"
refuses 'A start that is no number' 'no positive number: 4' "$work/bad" join 64 true
sed 's/"FANOUT": 4/"BLOCK": 4/' "$work/space" >"$work/bad"
refuses 'A start of other parameters' 'the start is no point' "$work/bad" join 64 true
space '"MR <= X"' >"$work/bad"
refuses 'A constraint on what is not there' 'not in an expression: X: MR <= X' "$work/bad" product_f64 64 true
space '"MR <="' >"$work/bad"
refuses 'A constraint that is none' 'no expression: MR <=' "$work/bad" product_f64 64 true
space "\"open('$work/opened', 'w')\"" >"$work/bad"
refuses 'An expression that does more' 'not in an expression: ' "$work/bad" product_f64 64 true
test ! -e "$work/opened"
ok 'Which is not done' $?
space '"n.__class__ <= 1"' >"$work/bad"
refuses 'An expression with an attribute' 'not in an expression: n.__class__' "$work/bad" product_f64 64 true
refuses 'No such command' 'No such file' "$work/space" join 64 "$work/none"
refuses 'A command that ends' 'ended without an answer' "$work/space" join 64 true
refuses 'A command that says something else' 'answers "FANOUT=4"' "$work/space" join 64 cat
refuses 'A command that can nothing' 'no point has a time' "$work/space" join 64 sh -c 'while read -r line; do echo no; done'
echo 'x' >"$work/bad"
refuses 'Times that are none' 'no time of a point: x' --times="$work/bad" "$work/space" join 64 cat
"$PYTHON" "$srcdir/examples/autotuner/tune.py" "$work/space" join 0 cat >"$work/out" 2>"$work/err"
test $? -eq 2 && grep 'argument SIZE: invalid' "$work/err" >/dev/null
ok 'A size of nothing' $?
"$PYTHON" "$srcdir/examples/autotuner/tune.py" "$work/space" join 64 >"$work/out" 2>"$work/err"
test $? -eq 2 && grep 'no COMMAND' "$work/err" >/dev/null
ok 'No command' $?

echo "1..$count"
