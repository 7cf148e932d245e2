#compdef adorn
_adorn() {
  local line files=0
  local -a offered
  for line in "${(@f)$("$words[1]" complete -- "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    if [[ "$line" == ':files' ]]; then
      files=1
    elif [[ -n "$line" ]]; then
      line="${${line//:/\\:}/$'\t'/:}"
      offered+=("${line%:}")
    fi
  done
  (( ${#offered} )) && _describe 'adorn' offered
  if (( files )); then
    compset -P '--*='
    _files
  fi
}
if [[ "${funcstack[1]}" == '_adorn' ]]; then
  _adorn "$@"
else
  (( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }
  compdef _adorn adorn
fi
