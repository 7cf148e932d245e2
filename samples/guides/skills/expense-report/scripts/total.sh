total=0
for cents in "$@"; do total=$((total + cents)); done
printf '%d.%02d\n' $((total / 100)) $((total % 100))
