# style.gp: what all pictures have in common, behind the terminal.
ink = '#1b1f24'
soft = '#57606a'
grid = '#d0d7de'
set encoding utf8
set termoption noenhanced
set border 3 lc rgb ink
set tics nomirror out tc rgb ink
set grid back lc rgb grid lw 1 dt 1
set key tc rgb ink samplen 3 opaque
set key noopaque height 0.7
set xlabel tc rgb ink offset 0,0.6
set ylabel tc rgb ink
set y2label tc rgb ink
set tmargin 1.5
set rmargin 4
set pointsize 0.8
