/** Changes from the command line: with a reason, a preview and an undo. */
import { createInterface } from 'node:readline/promises';
import type {
  ChangePreview,
  MadeChange,
  WantedChange,
} from '../../../contract/operator/changes.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import { callOperator } from '../call-operator.ts';
import { printable } from '../table.ts';

/**
 * Makes the change and prints what was done, with the command that undoes it; with `preview`, what
 * would be done. Asks for a missing reason on a terminal. Throws UsageError without one.
 */
export async function makeChange(
  config: Config,
  { kind, input }: WantedChange,
  { reason: given, preview: isPreview, json }: Options,
): Promise<void> {
  if (!isPreview) assertCanGiveReason(given);
  const preview = await callOperator<ChangePreview>(config, {
    method: 'POST',
    path: operatorPaths.previewChange,
    body: { kind, input },
  });
  const describe = () => preview.sentences.map(printable).join('\n');
  if (isPreview) return print(json, preview, describe);
  say(json, describe());
  const reason = await readReason(given);
  const made = await callOperator<MadeChange>(config, {
    method: 'POST',
    path: operatorPaths.changes,
    body: { kind, input: { ...input, ...bind(kind, preview) }, reason, ...seenIn(preview) },
  });
  printMade(made, json);
}

const REWARD_KINDS: readonly string[] = ['ask-rewards', 'send-reward-codes', 'mark-rewards-sent'];

/** No more than the preview said. */
function bind(kind: WantedChange['kind'], { counts }: ChangePreview) {
  if (kind === 'remove-members') return { expected: counts.members };
  if (REWARD_KINDS.includes(kind)) return { expected: counts.rewards };
  if (kind === 'reconcile') return { expected: counts.passes };
  return kind === 'decide-credits' ? { expected: counts.credits } : {};
}

function seenIn({ seen }: ChangePreview) {
  return seen === null ? {} : { seen };
}

export async function undoChange(
  config: Config,
  [change = '']: readonly string[],
  { reason: given, json }: Options,
): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(change))
    throw new UsageError(`${change} is not the number of a change.`);
  assertCanGiveReason(given);
  const made = await callOperator<MadeChange>(config, {
    method: 'POST',
    path: fillPath(operatorPaths.undoChange, change),
    body: { reason: await readReason(given) },
  });
  printMade(made, json);
}

function printMade(made: MadeChange, isJson: boolean | undefined): void {
  print(isJson, made, () => printable(made.summary));
  if (made.undo_until !== null)
    say(isJson, `To undo it until ${made.undo_until}: ./waitlist undo ${made.change}`);
}

/** Throws UsageError without a terminal to ask on. */
export function assertCanGiveReason(given: string | undefined): void {
  if (given?.trim() || process.stdin.isTTY) return;
  throw new UsageError('Add --reason "...": why, for the audit log.');
}

/** The reason given, or asked for on the terminal. Throws UsageError without one. */
export async function readReason(given: string | undefined): Promise<string> {
  if (given?.trim()) return given;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const reason = await terminal.question('Why, for the audit log? ');
  terminal.close();
  if (reason.trim() === '') throw new UsageError('Nothing was changed: a change needs a reason.');
  return reason;
}
