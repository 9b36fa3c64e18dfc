# What the protocol promises of every engine of this program: commands of GTP, and how they fail.

10 protocol_version
#? [2]
20 name
#? [taflengine]
30 version
#? [\d+\.\d+\.\d+( \w+)?]
40 known_command genmove
#? [true]
50 known_command xyzzy
#? [false]
60 list_commands
#? [(?s).*\bquit\b.*]

# Refusals. GoGui's tool takes the lines with #! for comments.
100 xyzzy
#! [unknown command: 'xyzzy']
110 genmvoe attacker
#! [unknown command: 'genmvoe', did you mean 'genmove'\?]
120 undo
#! [cannot undo.*]
130 boardsize 8
#! [unacceptable size.*]
140 newgame chess
#! ['chess' is no rule set.*]
150 loadgame /no/such/file
#! [cannot load file.*]
160 set_param no_such_key 3
#! ['no_such_key' is no parameter.*]
170 play
#! [usage: play.*]

# What failed has changed nothing.
200 history
#? []
210 side
#? [attacker]
