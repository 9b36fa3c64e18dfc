# Counts of move sequences, and captures that tell rule sets apart.

newgame brandubh
10 perft 1
#? [40]
20 perft 2
#? [960]
newgame hnefatafl
30 perft 2
#? [6788]
newgame tablut
40 perft 2
#? [4400]

# The empty throne is an anvil against defenders.
newgame brandubh
setposition 7/7/7/a1d1k2/7/7/7 attacker
100 play a4-b4
#? [c4]

# Going between two enemies is safe.
setposition 7/7/7/7/1a1a3/2d4/4k2 defender
110 play c2-c3
#? []

# A row at the edge is taken by a shieldwall, where there is one.
newgame copenhagen
setposition 11/11/11/11/11/5k5/11/11/5a5/3aa6/2add6 attacker
120 play f3-f1
#? [d1 e1]
newgame hnefatafl
setposition 11/11/11/11/11/5k5/11/11/5a5/3aa6/2add6 attacker
130 play f3-f1
#? []

# GoGui's tool cannot look at refusals; the line with #! is a comment to it.
140 setposition 11/11 attacker
#! [.*rows.*]
