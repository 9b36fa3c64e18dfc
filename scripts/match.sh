#!/bin/sh
# Usage: scripts/match.sh ATTACKERS DEFENDERS [VARIANT] - one game between two engine commands, over named pipes.
# No library: a line out, lines in up to an empty one. Each engine hears of every move from here.
[ $# -ge 2 ] || { sed -n 2p "$0" >&2; exit 2; }
pipes=$(mktemp -d) && mkfifo "$pipes/a-in" "$pipes/a-out" "$pipes/d-in" "$pipes/d-out" || exit 1
trap 'exec 3>&- 5>&-; rm -r "$pipes"' EXIT
sh -c "$1" <"$pipes/a-in" >"$pipes/a-out" & sh -c "$2" <"$pipes/d-in" >"$pipes/d-out" &
exec 3>"$pipes/a-in" 4<"$pipes/a-out" 5>"$pipes/d-in" 6<"$pipes/d-out"
hear() { answer=; while IFS= read -r line && [ -n "$line" ]; do answer=$line; done; answer=${answer#[=?] }; }
attacker() { echo "$*" >&3 && hear <&4; }
defender() { echo "$*" >&5 && hear <&6; }
attacker newgame ${3:-}; defender newgame ${3:-}
attacker side; side=$answer; attacker result
while [ "$answer" = ongoing ]; do
    [ "$side" = attacker ] && other=defender || other=attacker
    $side genmove "$side"; move=$answer; echo "$side $move"
    $other play "$side" "$move"; attacker result; side=$other
done
echo "$answer"
