# known.d/known.svg: what is known beside another process, by the share of the time that it is there, a line for
# each state of known.d/known.tsv; and the simulated seconds that it takes.
#   gnuplot -e "data='known.d/known.tsv'; set output 'known.d/known.svg'" tests/known.gnuplot
set terminal svg size 900,420 font 'sans-serif,13' background 'white'
set datafile separator "\t"
set key bottom left Left reverse
set multiplot layout 1,2
set xlabel 'share of the time that another thread runs (%)'
set xtics (0, 25, 50, 75, 90, 97)
set xrange [-2:99]
set grid lc rgb '#dddddd'
states = system(sprintf("tail -n +2 '%s' | cut -f1 | uniq", data))
# total(STATE, COLUMN...): a line "share sum sum" for each share of a state.
total(state, columns) = sprintf("< awk -F '\t' -v OFS='\t' '$1 == \"%s\" { if (!met[$2]++) s[++n] = $2; v[$2] += $5; k[$2] += $6; t[$2] += $8 } END { for (i = 1; i <= n; i++) print s[i], %s }' '%s'", state, columns, data)
set title 'values known (%)'
set yrange [0:100]
plot for [i = 1:words(states)] total(word(states, i), '100 * k[s[i]] / v[s[i]]') using 1:2 with linespoints lw 2 pt i title word(states, i)
set title 'simulated seconds, all machines'
set yrange [0:*]
plot for [i = 1:words(states)] total(word(states, i), 't[s[i]]') using 1:2 with linespoints lw 2 pt i title word(states, i)
unset multiplot
