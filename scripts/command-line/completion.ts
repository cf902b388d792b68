import { fileURLToPath } from 'node:url';
import { type Commands, findCommand, labelsOf } from './command.ts';
import { readOption } from './options.ts';
import { choicesOf, UsageError } from './values.ts';

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

export function completionScript(shell: string): string {
  const script = SCRIPTS[shell];
  if (script === undefined)
    throw new UsageError(`There is completion for ${SHELLS.join(' and ')} only.`);
  return script;
}

/** Empty where any word or file may stand. The server is called for sizes only. */
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
  if (words.length <= 1) return [...names, 'help', '--help'];
  if (words[0] === 'help') return words.length === 2 ? names : [];
  const found = findCommand(commands, withoutOptions(words.slice(0, -1)));
  if (found === undefined) return [];
  const { command } = found;
  const begun = words.at(-1) ?? '';
  const previous = optionOf(words.at(-2));
  if (previous?.value) return previous.choices;
  if (begun.startsWith('-')) {
    const inner = Object.values(command.commands ?? {}).flatMap(({ options = [] }) => options);
    return [...new Set([...(command.options ?? []), ...inner]), 'help'].map((name) => `--${name}`);
  }
  const labels = labelsOf(command);
  const index = found.words.length;
  if (command.commands !== undefined) return index === 0 ? Object.keys(command.commands) : [];
  const label = labels[index] ?? '<none>';
  if (label === '<size>') return await listSizes();
  const isLast = index === labels.findLastIndex((one) => !one.startsWith('['));
  return isLast && command.completeLast ? command.completeLast(begun) : choicesOf(label);
}

function withoutOptions(words: readonly string[]): readonly string[] {
  return words.filter((word, index) => !optionOf(words[index - 1])?.value && !word.startsWith('-'));
}

function optionOf(word = ''): ReturnType<typeof readOption> {
  return word.startsWith('--') ? readOption(word.slice(2)) : undefined;
}
