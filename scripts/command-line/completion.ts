import { fileURLToPath } from 'node:url';
import type { Command, Option } from 'commander';

const PATH = fileURLToPath(new URL('../../waitlist', import.meta.url));
const PROGRAM = `'${PATH.replaceAll("'", "'\\''")}'`;

export const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# In ~/.bashrc: eval "$(${PROGRAM} completion bash)"
_waitlist() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$(printf %q "$candidate")")
  done < <(${PROGRAM} complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _waitlist waitlist`,
  zsh: `# In ~/.zshrc, after compinit: eval "$(${PROGRAM} completion zsh)"
_waitlist() {
  local -a candidates
  candidates=(\${(f)"$(${PROGRAM} complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#candidates )); then
    compadd -M 'm:{[:lower:]}={[:upper:]}' -- $candidates
  else
    _files
  fi
}
compdef _waitlist waitlist`,
};

/** Empty where any word or file may stand. The server is called for sizes only. */
export async function listCandidates(
  program: Command,
  words: readonly string[],
  listSizes: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const begun = words.at(-1) ?? '';
  // A list is continued behind its last comma.
  const before = begun.replace(/[^,]*$/, '');
  const all = await listAll(program, words.slice(0, -1), begun, listSizes);
  return all
    .filter((one) => !before.split(',').includes(one))
    .map((one) => before + one)
    .filter((one) => one.toLowerCase().startsWith(begun.toLowerCase()));
}

async function listAll(
  program: Command,
  words: readonly string[],
  begun: string,
  listSizes: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  let command = program;
  let place = 0;
  let option: Option | undefined;
  for (const word of words) {
    const isValue = option?.required;
    option = isValue ? undefined : command.options.find(({ long }) => long === word);
    const inner = command.commands.find((one) => one.name() === word);
    if (isValue || word.startsWith('-') || (word === 'help' && command === program)) continue;
    if (inner === undefined) place += 1;
    else command = inner;
  }
  if (option?.required) return option.argChoices ?? [];
  if (begun.startsWith('-')) return [...command.options.map(({ long }) => long ?? ''), '--help'];
  const names = command.commands.map((one) => one.name());
  if (command === program && words.length === 0) names.push('help', '--help');
  if (names.length > 0) return place === 0 ? names : [];
  const word = command.registeredArguments[place];
  return word?.name() === 'size' ? await listSizes() : (word?.argChoices ?? []);
}
