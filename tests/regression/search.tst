# What the search finds within so many nodes, on every machine alike.

set_param engine search
set_param movetime 60
set_param nodes 20000
set_param seed 1
newgame brandubh

# The king has an open road to a corner.
setposition 3a3/7/7/7/7/3a3/4k2 defender
10 reg_genmove defender
#? [e1-[ag]1]

# The one road of the king is to be closed.
setposition 7/a6/7/k6/7/2a4/7 attacker
20 reg_genmove attacker
#? [c2-a2]

# The king can be taken.
setposition 7/7/7/7/1ak4/7/2aa3 attacker
30 reg_genmove attacker
#? [d1-d3]

# reg_genmove plays nothing.
40 history
#? []
