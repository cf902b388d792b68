# In ~/.zshrc, after compinit: eval "$(PROGRAM completion zsh)"
_waitlist() {
  local -a candidates
  candidates=(${(f)"$(PROGRAM complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#candidates )); then
    compadd -M 'm:{[:lower:]}={[:upper:]}' -- $candidates
  else
    _files
  fi
}
compdef _waitlist waitlist
