/** Makes bench/DROP.md from figures. Pure. */
import { short, table, whole } from '../report/markdown.ts';
import type { PartRecord } from '../report/records.ts';
import type { ClickKind } from './clicks.ts';
import type { CrowdFigures, CrowdRow } from './crowd.ts';
import { JOINS_PER_SECOND, type StepFigures } from './long-line.ts';

const SENT: Readonly<Record<ClickKind | 'all', string>> = {
  holder: 'has an open offer',
  ending: 'has an offer that ends after half a second',
  again: 'the second click of a member with an offer, up to 80 ms later, on another server',
  none: 'is on the list, has a link that is signed, and no offer',
  forged: 'the same with a changed signature',
  next: 'is offered a mask that came back meanwhile, and clicks at once',
  all: 'all',
};

export function reportCrowd(record: PartRecord | null): string {
  const head = '# A drop under load\n\n## Ten thousand accept within a second';
  if (record === null) return `${head}\n\nNot measured.`;
  const runs = record.figures as CrowdFigures[];
  return `${head}

Three servers with one PostgreSQL that waits for the disk (fsync on); servers, database and client
share two cores. The whole list of a drop clicks "accept" at random moments of one second, each from
an address and on a link of their own, with all limits on. At most as many offers are open as there
are masks, so nearly all of the crowd have none, and are refused; the links that they send are valid
in every other way. The page of each has looked at their offer before. After half a second, offers
of a fifth of the holders end, and three more sweepers look for masks beside those of the servers.
Times count from the moment at which a click was due, even while the client had no free connection.
404: no offer; 409: its time is over; 403: no valid link; 503: asked to try again.

${seal(record)}

${runs.map(reportRun).join('\n\n')}`;
}

function reportRun(figures: CrowdFigures, index: number): string {
  const { rows, seconds, clientLateP99Ms, acceptedByCrowd, accepted, problems } = figures;
  const statuses = [...new Set(rows.flatMap(({ byStatus }) => Object.keys(byStatus)))].sort();
  const cells = rows.map((row) => [
    SENT[row.kind],
    whole(row.sent),
    ...statuses.map((status) => countOf(row, status)),
    ...[row.p50Ms, row.p99Ms, row.longestMs].map((ms) => (row.sent === 0 ? '–' : whole(ms))),
  ]);
  const head = ['who clicks', 'sent', ...statuses, 'p50 ms', 'p99 ms', 'longest ms'];
  return `### Run ${index + 1}

${whole(accepted)} passes in the end, ${whole(acceptedByCrowd)} of them when the last click was
answered, after ${short(seconds)} s. The client sent clicks ${short(clientLateP99Ms)} ms late at
p99. ${problems.length === 0 ? 'Every mask is accounted for.' : problems.slice(0, 10).join(' ')}

${table(head, cells)}`;
}

function countOf({ byStatus }: CrowdRow, status: string): string {
  const count = byStatus[Number(status)];
  return count === undefined ? '' : whole(count);
}

/** Per step, the slowest of its runs. */
export function reportSteps(records: readonly (readonly [string, PartRecord | null])[]): string {
  return `## The steps of a drop on a long line

Each step is one call of the operator's, while ${JOINS_PER_SECOND} visitors a second join through
the same server; of steps that were made several times, the slowest. No lock is held for longer
than the call takes. Joins are counted from a second before a step to a second after it. 10,000
entrants are frozen, which is the most there can be, and 50 of 100 masks are drawn among all of
them. Each run ends with \`npm run verify\`.

${records.map(([engine, record]) => reportEngine(engine, record)).join('\n\n')}`;
}

function reportEngine(engine: string, record: PartRecord | null): string {
  if (record === null) return `### ${engine}\n\nNot measured.`;
  const steps = record.figures as StepFigures[];
  const rows = [...new Set(steps.map(({ step }) => step))].map((step) => {
    const runs = steps.filter((one) => one.step === step);
    const sum = (of: (one: StepFigures) => number) => runs.reduce((all, one) => all + of(one), 0);
    return [
      step,
      short(Math.max(...runs.map(({ seconds }) => seconds))),
      whole(sum(({ joins }) => joins.answered)),
      whole(sum(({ joins }) => joins.refused)),
      whole(Math.max(...runs.map(({ joins }) => joins.longestMs))),
    ];
  });
  const head = ['step', 'slowest s', 'joins', 'refused', 'longest join ms'];
  return `### ${engine}\n\n${seal(record)}\n\n${table(head, rows)}`;
}

function seal({ at, machine, loadBefore, loadAfter, command }: PartRecord): string {
  return `${at.slice(0, 10)}, ${machine}, load ${short(loadBefore)} before and ${short(loadAfter)}
after. Again: \`${command}\``;
}
