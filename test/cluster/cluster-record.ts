/** Reports the results of `npm run cluster` on the screen and in docs/CLUSTER.md. */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CONNECTIONS } from '../../server/mail/delivery/transport.ts';
import type { Findings } from '../faults/history.ts';
import { seconds } from './events.ts';
import type { MailVerdict } from './judge-mail.ts';
import type { SpentLimit } from './visits/spend-limit.ts';

export type EventRecord = {
  readonly name: string;
  readonly note: string;
  readonly joins: number;
  readonly withoutJoinMs: number;
  readonly withoutPageMs: number;
  /** 503 answers to joins and reads. */
  readonly refusals: number;
  readonly failedPages: number;
};

export type ClusterRecord = Findings & {
  readonly versions: readonly string[];
  readonly events: readonly EventRecord[];
  readonly joinsPerSecond: number;
  readonly pagesRead: number;
  readonly acknowledged: number;
  readonly limit: SpentLimit;
  readonly mail: MailVerdict;
  readonly seconds: number;
};

/** Mails under way when a node is killed may be repeated. */
const MOST_REPEATED = CONNECTIONS;
const TABLE = fileURLToPath(new URL('../../docs/CLUSTER.md', import.meta.url));

/** One line on the screen. */
export function sayEvent({ name, joins, withoutJoinMs, withoutPageMs, note }: EventRecord): string {
  const gaps = `${seconds(withoutJoinMs)} without one, ${seconds(withoutPageMs)} without a page`;
  return `${name}: ${count(joins)} joins, ${gaps}. ${note}`;
}

/** Prints the verdict and writes the record. */
export function writeRecord(record: ClusterRecord): { isGood: boolean } {
  const checks = checksOf(record);
  const isGood = checks.every(([, , isRight]) => isRight);
  for (const [what, found, isRight] of checks)
    console.log(`${isRight ? ' ok ' : 'BAD '} ${what}: ${found}`);
  const wrong = [
    record.lost,
    record.duplicated,
    record.untrue,
    record.differences,
    record.violations,
  ].flat();
  for (const sentence of wrong.slice(0, 20)) console.log(`     ${sentence}`);
  writeFileSync(TABLE, textOf(record, checks));
  return { isGood };
}

type Check = readonly [what: string, found: string, isRight: boolean];

function checksOf({ limit, mail, ...record }: ClusterRecord): Check[] {
  const none = (found: readonly unknown[]): [string, boolean] => [
    count(found.length),
    found.length === 0,
  ];
  const passed = limit.joined + limit.asked;
  return [
    ['Acknowledged joins', count(record.acknowledged), record.acknowledged > 0],
    ['Lost: acknowledged and not there, or not under the same id', ...none(record.lost)],
    ['Duplicated: there twice, or never acknowledged', ...none(record.duplicated)],
    [
      'Positions that are not exactly 1 to N, counts that are not those of acknowledged friends',
      ...none(record.untrue),
    ],
    ['Differences that `npm run verify` finds', ...none(record.differences)],
    ['Answers that contradict earlier ones', ...none(record.violations)],
    ['Members without their welcome mail', count(mail.missing), mail.missing === 0],
    ['Second welcome mails, under another Message-ID', count(mail.doubled), mail.doubled === 0],
    ['Mails about which the database knows nothing', count(mail.unknown), mail.unknown === 0],
    [
      'Mails handed over again under the Message-ID they had',
      `${mail.repeated} of ${count(mail.arrived)}`,
      mail.repeated <= MOST_REPEATED,
    ],
    [
      `Joins let in from one address over ${limit.servers} nodes, of ${limit.sent}; ` +
        'the limit is 240',
      `${passed} (${limit.joined} joined, ${limit.asked} asked for a proof of work)`,
      passed >= 240 && passed <= limit.most && passed + limit.refused === limit.sent,
    ],
    [
      'Nodes that refuse that address afterwards',
      `${limit.refusing} of ${limit.servers}`,
      limit.refusing === limit.servers,
    ],
  ];
}

function textOf(record: ClusterRecord, checks: readonly Check[]): string {
  const events = record.events.map(
    ({ name, joins, withoutJoinMs, withoutPageMs, refusals, failedPages, note }) =>
      row([
        name,
        count(joins),
        seconds(withoutJoinMs),
        seconds(withoutPageMs),
        count(refusals),
        count(failedPages),
        note,
      ]),
  );
  const head = [
    'Event',
    'Joins meanwhile',
    'Longest without a join',
    'without a page',
    'Refusals',
    'Pages failed',
    '',
  ];
  const findings = checks.map(([what, found]) => row([what, found]));
  return `# Several nodes

\`npm run cluster\` starts a primary and a synchronous standby PostgreSQL, three servers and HAProxy
on this machine, and breaks them under load. Visitors join with Idempotency-Keys and try again until
they are answered; then everything that is left is compared with the answers they got. It needs
HAProxy and openssl (on Debian \`apt-get install haproxy\`). For real machines, see
[servers.md](operate/servers.md).

- ${new Date().toISOString().slice(0, 10)}, ${machine()}
- load average over the last 5 minutes: ${loadavg()[1]?.toFixed(1)}; everything on one machine
- measured on ${record.versions.join('; ')}
- ${Math.round(record.seconds)} s in all, ${Math.round(record.joinsPerSecond)} joins a second on
  average, with pauses, as many status reads, and
  ${count(record.pagesRead)} landing pages over HTTP/2

## What was found

${[row(['Check', 'Found']), row(['---', '--:']), ...findings].join('\n')}

## Interruptions

${[row(head), row(['---', '--:', '--:', '--:', '--:', '--:', '---']), ...events].join('\n')}

- **Longest without a join**: between two acknowledged joins of any visitors, including the pause
  of 0.15 s on average that visitors make between joins.
- **Refusals**: 503 with \`Retry-After\`; the visitor tries again 50 ms later.
- Killing and promoting are one script. The time to notice that a primary is dead comes on top: up
  to 30 s with Patroni's settings.
- A mail is sent again, under its first Message-ID, when a node is killed between the mail server's
  answer and the commit that records it.
`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function machine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const hardware = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${gigabytes} GB`;
  const system = `${process.platform} ${release().split('-')[0]}`;
  return `${hardware}, ${system}, Node ${process.version}`;
}
