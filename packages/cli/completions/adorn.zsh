#compdef adorn
_adorn() {
  local line files=0
  local -a offered
  for line in "${(@f)$("$words[1]" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ "$line" == ':files' ]]; then
      files=1
    elif [[ -n "$line" ]]; then
      offered+=("${${line//:/\\:}/$'\t'/:}")
    fi
  done
  (( ${#offered} )) && _describe 'adorn' offered
  (( files )) && _files
}
compdef _adorn adorn
