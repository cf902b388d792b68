# In ~/.bashrc: eval "$(PROGRAM completion bash)"
_waitlist() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$(printf %q "$candidate")")
  done < <(PROGRAM complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _waitlist waitlist
