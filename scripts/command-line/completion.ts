/** Completion for bash and zsh. Both ask this program, at each press of Tab, what may come next. */
import { fileURLToPath } from 'node:url';
import { type Commands, findCommand, readOption, UsageError } from './command.ts';

const PATH = fileURLToPath(new URL('../../waitlist', import.meta.url));
const PROGRAM = `'${PATH.replaceAll("'", "'\\''")}'`;

const SCRIPTS: Readonly<Record<string, string>> = {
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

export const SHELLS = Object.keys(SCRIPTS);

/** What the shell runs once. */
export function completionScript(shell: string): string {
  const script = SCRIPTS[shell];
  if (script === undefined)
    throw new UsageError(`There is completion for ${SHELLS.join(' and ')} only.`);
  return script;
}

/**
 * What may stand in place of the last of `words`, which follow the program's name; empty where any
 * word or file may stand. Sizes are asked for only where one may stand.
 */
export async function listCandidates(
  words: readonly string[],
  { commands, listSizes }: { commands: Commands; listSizes: () => Promise<readonly string[]> },
): Promise<readonly string[]> {
  const begun = (words.at(-1) ?? '').toLowerCase();
  const all = await listAll(words, commands, listSizes);
  return all.filter((candidate) => candidate.toLowerCase().startsWith(begun));
}

async function listAll(
  words: readonly string[],
  commands: Commands,
  listSizes: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const names = Object.keys(commands);
  const [name = '', ...rest] = words;
  if (rest.length === 0) return [...names, 'help', '--help'];
  if (name === 'help') return rest.length === 1 ? names : [];
  const command = findCommand(commands, name);
  if (command === undefined) return [];
  const previous = optionOf(rest.at(-2));
  if (previous?.type === 'string') return previous.values ?? [];
  if (rest.at(-1)?.startsWith('-'))
    return [...command.options, 'help'].map((option) => `--${option}`);
  const plain = withoutOptions(rest);
  const kind = command.completes?.[plain.length - 1];
  if (kind === 'size') return await listSizes();
  return (typeof kind === 'function' ? kind(plain) : kind) ?? [];
}

/** Arguments so far, without options and their values; the word at the cursor is one. */
function withoutOptions(words: readonly string[]): readonly string[] {
  return words.filter((word, index) => {
    const isValue = optionOf(words[index - 1])?.type === 'string';
    return !isValue && !word.startsWith('-');
  });
}

/** The option that a word names; undefined for a word without dashes, which may be a size. */
function optionOf(word = ''): ReturnType<typeof readOption> {
  return word.startsWith('--') ? readOption(word.slice(2)) : undefined;
}
