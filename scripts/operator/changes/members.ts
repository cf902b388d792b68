/** Members, changed from the command line. */
import { createInterface } from 'node:readline/promises';
import type { Config } from '../../../server/config.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import { say } from '../../command-line/output.ts';
import { findMember } from '../members/find-members.ts';
import { readFilterOptions } from '../members/member-filter.ts';
import { makeChange } from './make-change.ts';
import { readCount } from './sizes.ts';

type Words = readonly string[];

/** One member, or all that match the options. */
export async function removeMembers(
  config: Config,
  [text]: Words,
  options: Options,
): Promise<void> {
  const filter = readFilterOptions(options);
  const isFiltered = Object.keys(filter).length > 0;
  if ((text === undefined) !== isFiltered)
    throw new UsageError('Name one member, or several by options such as --credit held.');
  const target =
    text === undefined ? { filter } : { member_ids: [(await findMember(config, text)).id] };
  await makeChange(config, { kind: 'remove-members', input: target }, options);
}

export async function adjustPoints(
  config: Config,
  [text = '', direction = '', pieces = '']: Words,
  options: Options,
): Promise<void> {
  if (direction !== 'add' && direction !== 'take')
    throw new UsageError('Say whether to add or to take points.');
  const points = readCount(pieces);
  const { id } = await findMember(config, text);
  const input = { member_id: id, by: direction === 'add' ? points : -points };
  await makeChange(config, { kind: 'adjust-points', input }, options);
}

export async function correctAddress(
  config: Config,
  [text = '', email = '']: Words,
  options: Options,
): Promise<void> {
  const { id } = await findMember(config, text);
  await makeChange(config, { kind: 'correct-address', input: { member_id: id, email } }, options);
}

export async function resendLink(
  config: Config,
  [text = '']: Words,
  options: Options,
): Promise<void> {
  const { id } = await findMember(config, text);
  await makeChange(config, { kind: 'resend-link', input: { member_id: id } }, options);
}

/** Asks for confirmation, unless `--yes`: there is no undo. */
export async function eraseMember(
  config: Config,
  [text = '']: Words,
  { yes, ...options }: Options,
): Promise<void> {
  const wanted = { kind: 'erase-member', input: { member: text } } as const;
  if (!yes && !options.preview && !(await confirm())) return say(false, 'Nobody was erased.');
  await makeChange(config, wanted, options);
}

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('Without a terminal, add --yes to erase the member.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Erase this member? This cannot be undone. [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
