#!/bin/sh
# Ctrl-C and kill -9: what is printed is a valid bracket, what is written is whole.
# Prints TAP.
#
#   tests/golden/interrupt.sh PROGRAM
#
# Needs sh, awk, cmp, mktemp and GNU timeout (fractions of a second).
set -u

# Takes half a minute, and the bracket is open until the end.
search='5L9C2L9C -W 16 --units L=1,C=4 --method exact'
# Writes a schedule of 8 MB.
writer='20000C -W 64 --units C=64 --method bounds'
# An integer program that no solver solves in a minute, and one whose file has 6 MB.
program_search='5L9C2L9C -W 8 --units L=1,C=4 --solve'
program_writer='5L9C2L9C -W 7 --units L=1,C=4'
kills=20
# Goes on until it is stopped.
anneal='5L9C2L9C -W 16 --units L=1,C=4 --method anneal --iterations 1000000000000'

if [ $# -lt 1 ] || ! [ -x "$1" ]; then
  echo "usage: $0 PROGRAM" >&2
  exit 2
fi
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
LC_ALL=C
export LC_ALL
scratch=$(mktemp -d "${TMPDIR:-/tmp}/warpbound.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$scratch" || exit 2

number=0
failed=0
# judge NAME: the TAP line for the last command's status.
judge()
{
  if [ $? -eq 0 ]; then
    verdict=ok
  else
    verdict='not ok'
    failed=1
  fi
  number=$((number + 1))
  echo "$verdict $number - $1"
}

# stop_by SIGNAL ARGUMENTS...: runs the program and sends the signal, once, $delay
# seconds later; its output goes to out and err, its status to $status.
delay=0.5
stop_by()
{
  signal=$1
  shift
  timeout --foreground --preserve-status -s "$signal" "$delay" "$program" "$@" >out 2>err
  status=$?
}

has_bracket()
{
  awk '/^between/ { gsub(/,/, ""); good = $2 > 0 && $2 < $5 } END { exit !good }' out
}

# One object from its first line to its last, and a bracket in it.
has_json_bracket()
{
  [ "$(sed -n '1p' out)" = '{' ] && [ "$(sed -n '$p' out)" = '}' ] &&
    awk '/"(lower|upper)": \{/ { getline; sub(/,/, "", $2); end[++ends] = $2 }
         END { exit !(ends == 2 && end[1] > 0 && end[1] <= end[2]) }' out
}

# whole FILE: what a file that may have been replaced must be.
whole()
{
  cmp -s "$1" old || cmp -s "$1" complete
}

now()
{
  date +%s.%N
}

echo 1..19

# shellcheck disable=SC2086 # options are words
{
  stop_by INT makespan $search
  [ "$status" -eq 5 ]
  judge 'Ctrl-C: status 5'
  has_bracket
  judge 'Ctrl-C: a valid bracket'
  grep -q interrupted err
  judge 'Ctrl-C: standard error says so'

  stop_by TERM makespan $search
  [ "$status" -eq 5 ] && has_bracket
  judge 'SIGTERM: the same'

  stop_by INT makespan $search --json
  [ "$status" -eq 5 ] && has_json_bracket
  judge 'Ctrl-C with --json: one object with a bracket'

  stop_by INT makespan 5L9C2L9C -W 12..20 --units L=1,C=4
  [ "$status" -eq 5 ] && [ "$(grep -c -E ' (exact|bracket) ' out)" -eq 9 ]
  judge 'Ctrl-C within a table: every row is there'

  stop_by INT makespan $search --schedule schedule.json --gantt picture.svg
  [ "$status" -eq 5 ] && "$program" verify schedule.json >verdict && grep -q '^valid' verdict
  judge 'Ctrl-C with --schedule: the schedule so far is written and valid'
  [ "$(tail -n 1 picture.svg)" = '</svg>' ]
  judge 'Ctrl-C with --gantt: the picture is whole'

  # A check of half a minute.
  printf '{"format": "warpbound-runs-1", "string": "5L9C2L9C", "units": {"L": 1, "C": 4},
    "warps": 16, "cycles": 160, "runs": [5, 9, 2, 4, 5]}' >runs.json
  stop_by INT verify runs.json
  [ "$status" -eq 5 ] && [ ! -s out ] && grep -q interrupted err
  judge 'Ctrl-C within verify: status 5, and nothing is said of the file'
  for delay in 3 6 12 24; do # bounds come before annealing, on a slow machine for long
    stop_by INT makespan $anneal --schedule annealed.json --trace trace.csv --plot plot.svg
    [ "$(wc -l <trace.csv)" -gt 1 ] && break
  done
  [ "$status" -eq 5 ] && has_bracket && "$program" verify annealed.json | grep -q '^valid'
  judge 'Ctrl-C while annealing: the best schedule so far is written and valid'
  [ "$(tail -n 1 plot.svg)" = '</svg>' ] &&
    awk -F, 'NR > 1 && NF != 4 { bad = 1 } END { exit bad || NR < 2 }' trace.csv
  judge 'Ctrl-C while annealing: trace and plot are whole'
  stop_by KILL makespan $anneal --schedule never.json --trace never.csv --plot never.svg
  [ "$status" -ne 0 ] && [ -z "$(find . -name 'never*')" ]
  judge 'kill -9 while annealing: no file'

  delay=0.5
  stop_by INT ilp $program_search --json
  [ "$status" -eq 5 ] && has_json_bracket
  judge 'Ctrl-C while a solver runs: one object with a bracket'

  echo old >old
  start=$(now)
  "$program" makespan $writer --schedule complete >/dev/null 2>&1 &
  "$program" makespan $writer --schedule other >/dev/null 2>&1
  wait
  end=$(now)
  "$program" verify complete >verdict && grep -q '^valid' verdict
  judge 'the schedule to be interrupted is valid'

  # From before the start to after the end, most of them near the end, where the
  # file is written; a new file and one that is replaced, two runs at a time.
  bad=0
  killed=0
  try=1
  while [ $try -le $kills ]; do
    delay=$(awk -v s="$start" -v e="$end" -v i=$try -v n=$kills \
      'BEGIN { x = i / n; printf "%.4f", 0.002 + (e - s) * (1 - (1 - x) * (1 - x)) }')
    rm -f new
    cp old replaced
    timeout -s KILL "$delay" "$program" makespan $writer --schedule new >/dev/null 2>&1 &
    timeout -s KILL "$delay" "$program" makespan $writer --schedule replaced >/dev/null 2>&1
    wait $! 2>/dev/null
    [ $? -ne 137 ] || killed=$((killed + 1))
    if [ -e new ] && ! cmp -s new complete; then
      bad=$((bad + 1))
    fi
    whole replaced || bad=$((bad + 1))
    try=$((try + 1))
  done
}
# shellcheck disable=SC2086
{
  start=$(now)
  "$program" ilp $program_writer --write complete.lp >/dev/null 2>&1 &
  "$program" ilp $program_writer --write other.lp >/dev/null 2>&1
  wait
  end=$(now)
  try=1
  torn=0
  while [ $try -le 10 ]; do
    pair=
    for new in new.lp newer.lp; do # two runs at a time
      delay=$(awk -v s="$start" -v e="$end" -v i=$try 'BEGIN { printf "%.4f", 0.002 + (e - s) * i / 10 }')
      rm -f $new
      timeout -s KILL "$delay" "$program" ilp $program_writer --write $new >/dev/null 2>&1 &
      pair="$pair $!"
      try=$((try + 1))
    done
    wait $pair 2>/dev/null
    for new in new.lp newer.lp; do
      if [ -e $new ] && ! cmp -s $new complete.lp; then
        torn=$((torn + 1))
      fi
    done
  done
}
[ $torn -eq 0 ] && [ "$(tail -n 1 complete.lp)" = End ]
judge 'kill -9: an integer program is absent or whole'
[ $killed -gt 0 ]
judge "kill -9: $killed of $kills runs were killed before their end"
[ $bad -eq 0 ]
judge 'kill -9: a file is absent, as it was, or whole'
! "$program" makespan 2L3C -W 3 --units L=1,C=2 --schedule /dev/full >out 2>err
judge 'a full disk: the status says so'
# A disk limit of 16 KiB by the shell; SIGXFSZ is ignored, so that writing fails.
cp old limited
(
  trap '' XFSZ
  ulimit -f 16
  # shellcheck disable=SC2086
  "$program" makespan $writer --schedule limited >/dev/null 2>&1
)
[ $? -ne 0 ] && cmp -s limited old && [ "$(find . -name 'limited.*' | wc -l)" -eq 0 ]
judge 'a write that fails midway leaves the old file and nothing beside it'
exit $failed
