# A game of brandubh to its end: the king escapes to a corner.

newgame brandubh
10 legal d6
#? [d6-a6 d6-b6 d6-c6 d6-e6 d6-f6 d6-g6]
20 legal d4
#? []
30 legal
#? [\S+( \S+){39}]

40 is_legal d6-c6
#? [true]
50 play d4-d5
#! [illegal move: d4-d5: .*]
60 play d6-d7
#! [illegal move: d6-d7: another piece is in the way at d7]
70 play a4-b5
#! [illegal move: a4-b5: pieces move along a rank or a file]
80 play d9-d8
#! ['d9' is not on this board.*]

play attacker d6-c6
play defender d5-e5
play attacker c6-c7
play defender d4-d6
play attacker c7-c6
play defender d6-e6
play attacker a4-a2
play defender e6-e7
100 threats
#? [(?s).*defender e7-g7 corner.*]
110 hint
#? [!]
play attacker a2-a3
120 result
#? [ongoing]
130 play defender e7-g7
#? []
140 result
#? [defender corner]
150 final_score
#? [[^0].*]
160 legal
#? []
170 genmove attacker
#! [game over.*]
180 play attacker a3-a2
#! [.*game over.*]

# Taken back, it goes on.
undo
200 result
#? [ongoing]
210 history
#? [d6-c6 d5-e5 c6-c7 d4-d6 c7-c6 d6-e6 a4-a2 e6-e7 a2-a3]
220 is_legal e7-g7
#? [true]
