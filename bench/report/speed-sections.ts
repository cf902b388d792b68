/** Throughput and latency, as text. Pure. */
import type { GrowthFigures } from '../parts/growth.ts';
import { OPERATIONS, type Operation } from '../parts/operations.ts';
import type { Cell, SpeedFigures } from '../parts/speed.ts';
import { megabytes, orDash, short, table, whole } from './markdown.ts';

const FLOOR_OF: Partial<Readonly<Record<Operation, Operation>>> = {
  'status read': 'bare SELECT route',
  join: 'bare INSERT route',
  'join, one hot inviter': 'bare INSERT route',
  stats: 'constant route',
  'verify-referral': 'constant route',
};

export function speedSection(title: string, name: string, figures: SpeedFigures): string {
  const { engine, members, seconds, rounds, answerBytes } = figures;
  const numbersInFlight = [...new Set(figures.cells.map(({ inFlight }) => inFlight))];
  const tables = numbersInFlight.map((inFlight) => `**${inFlight} in flight**\n\n${cellTable(figures, inFlight)}`);
  return `## ${title}, ${whole(members)} members

${engine}. Medians of ${rounds} rounds (at other numbers in flight than 64: ${Math.min(rounds, 2)}) of ${seconds} s; an answer of a status read is ${answerBytes} bytes long. The line grows by what
joins while it is measured.

![Throughput against requests in flight](plots/${name}-throughput.svg)
![99th percentile against requests in flight](plots/${name}-p99.svg)

${tables.join('\n\n')}`;
}

function cellTable({ cells }: SpeedFigures, inFlight: number): string {
  const cellOf = (operation: Operation | undefined) =>
    cells.find((cell) => cell.operation === operation && cell.inFlight === inFlight);
  const rows = OPERATIONS.flatMap((operation) => {
    const cell = cellOf(operation);
    const floor = cellOf(FLOOR_OF[operation]);
    return cell === undefined ? [] : [rowOf(operation, cell, floor)];
  });
  const head = ['', 'a second', 'p50 ms', 'p99 ms', 'of its floor', 'server µs', 'database µs', 'client µs'];
  return table(head, rows);
}

function rowOf(operation: Operation, cell: Cell, floor: Cell | undefined): string[] {
  return [
    operation,
    whole(cell.perSecond),
    short(cell.p50Ms),
    short(cell.p99Ms),
    floor === undefined ? '' : (cell.perSecond / floor.perSecond).toFixed(2),
    orDash(cell.serverUs, whole),
    orDash(cell.databaseUs, whole),
    whole(cell.clientUs),
  ];
}

export function growthSection(figures: GrowthFigures): string {
  const { sizes, select, insert, floorRows, inFlight, rounds, seconds, engine } = figures;
  const speeds = sizes.map(({ members, membersAfter, statusRead, join }) => [
    whole(members),
    whole(membersAfter),
    whole(statusRead.perSecond),
    short(statusRead.p99Ms),
    (statusRead.perSecond / select.perSecond).toFixed(2),
    whole(join.perSecond),
    short(join.p99Ms),
    (join.perSecond / insert.perSecond).toFixed(2),
    orDash(join.databaseUs, whole),
  ]);
  const resting = sizes.map(({ members, fillSeconds, bytes, verification, plan, mostFriends }) => [
    whole(members),
    short(fillSeconds),
    megabytes(bytes),
    members < 100_000 ? '–' : megabytes((bytes / members) * 1e6),
    whole(mostFriends),
    verification === null ? '–' : `${short(verification.seconds)} (${verification.differences} differences)`,
    plan.milliseconds.toFixed(3),
    plan.planningMilliseconds.toFixed(3),
    whole(plan.pages),
  ]);
  const plans = sizes.map(
    ({ members, plan }) =>
      `<details><summary>The position's plan at ${whole(members)} members</summary>\n\n\`\`\`\n${plan.text}\n\`\`\`\n\n</details>`,
  );
  return `## Growth

${engine}, ${inFlight} in flight, medians of ${rounds} rounds of ${seconds} s that take turns between all sizes and the floors (${whole(floorRows)} rows: SELECT ${whole(select.perSecond)} a second, INSERT ${whole(insert.perSecond)}).
The servers of all sizes are open meanwhile, each sending a mail every ten seconds instead of ten a second. Small lines grow while joins are measured: "after" says to what.

![Throughput against members](plots/members-throughput.svg)
![99th percentile against members](plots/members-p99.svg)

${table(['members', 'after', 'status reads/s', 'p99 ms', 'of SELECT', 'joins/s', 'p99 ms', 'of INSERT', 'database µs a join'], speeds)}

Members are made up by \`node bench/generate.ts\`, the same ones for the same seed: 40 % came by an invite (K = 0.4), inviters follow a power law (exponent 2.4), whenever they joined. Seconds
are those of filling an empty database, with all indexes, counts and a vacuum. \`verify\` is that of \`npm run verify\`. The position is what PostgreSQL says of one, the
median of 41 members all along the line: pages are of 8 kB.

${table(['members', 'filled in s', 'database', 'a million members', 'most friends of one', 'verify s', 'position ms', 'planned in ms', 'pages'], resting)}

${plans.join('\n\n')}`;
}
