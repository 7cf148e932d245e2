_adorn_complete() {
  local line current="${COMP_WORDS[COMP_CWORD]}"
  local -a words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  # Bash takes --format=json apart at the equals sign.
  if [[ "$current" == '=' ]]; then
    current=''
    words[COMP_CWORD - 1]=''
  elif (( COMP_CWORD > 2 )) && [[ "${COMP_WORDS[COMP_CWORD - 1]}" == '=' ]]; then
    unset 'words[COMP_CWORD - 2]'
  fi
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ "$line" == ':files' ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    else
      COMPREPLY+=("${line%%$'\t'*}")
    fi
  done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
}
complete -F _adorn_complete adorn
