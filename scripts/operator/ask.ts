import { createInterface } from 'node:readline/promises';
import type { Options } from '../command-line/options.ts';
import { UsageError } from '../command-line/values.ts';

export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(question);
  terminal.close();
  return answer;
}

/** A note is the reason, too. Throws UsageError without a terminal to ask on. */
export function assertCanGiveReason({ reason, note }: Options): void {
  if ((reason ?? note)?.trim() || process.stdin.isTTY) return;
  throw new UsageError('Add --reason "...": why, for the audit log.');
}

export async function readReason(options: Options): Promise<string> {
  assertCanGiveReason(options);
  const given = options.reason ?? options.note;
  if (given?.trim()) return given;
  const reason = await ask('Why, for the audit log? ');
  if (reason.trim() === '') throw new UsageError('Nothing was changed: a change needs a reason.');
  return reason;
}
