import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command, Option } from 'commander';

const PATH = fileURLToPath(new URL('../../waitlist', import.meta.url));

export const SHELLS = ['bash', 'zsh'] as const;

/** The script of a shell, which calls this program by its quoted path. */
export function readScript(shell: string): string {
  const script = readFileSync(new URL(`completion.${shell}`, import.meta.url), 'utf8');
  return script.trimEnd().replaceAll('PROGRAM', () => `'${PATH.replaceAll("'", "'\\''")}'`);
}

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
