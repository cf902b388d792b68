/** The audit log on the command line. */
import type { AuditEntry, AuditPage } from '../../../contract/operator/changes.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import type { Options } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import { callOperator } from '../call-operator.ts';
import { renderTable } from '../table.ts';

export async function listChanges(
  config: Config,
  _words: readonly string[],
  { after, json }: Options,
): Promise<void> {
  const query = after === undefined ? '' : `?before=${encodeURIComponent(after)}`;
  const page = await callOperator<AuditPage>(config, { path: operatorPaths.changes + query });
  print(json, page, () => renderEntries(page.entries));
  if (page.next !== null) say(json, `For the next page: ./waitlist changes --after ${page.next}`);
}

function renderEntries(entries: readonly AuditEntry[]): string {
  const rows = entries.map(({ number, at, actor, summary, reason, undo_until, undone_by }) => [
    number,
    at,
    actor.name,
    summary,
    reason ?? '',
    undone_by !== null
      ? `undone by ${undone_by}`
      : undo_until === null
        ? ''
        : `until ${undo_until}`,
  ]);
  return renderTable(['Number', 'Time', 'By', 'What', 'Reason', 'Undo'], rows);
}
