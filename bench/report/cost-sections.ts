/** What serving costs, as text. Pure. */
import { STEPS } from '../load/launch.ts';
import type { CostFigures } from '../parts/cost.ts';
import type { LaunchFigures, MachineFigures } from '../parts/launch-day.ts';
import type { StartFigures } from '../parts/start.ts';
import { megabytes, orDash, percent, short, table, whole } from './markdown.ts';

export function costSection({ idleSeconds, rows }: CostFigures): string {
  const idle = rows.map((row) => [
    row.what,
    whole(row.members),
    orDash(row.idleMemoryBytes, megabytes),
    orDash(row.idleDatabaseMemoryBytes, megabytes),
    orDash(row.idleServer, percent),
    orDash(row.idleDatabase, percent),
    megabytes(row.databaseBytes),
  ]);
  const joins = rows.flatMap(({ what, members, joins: of }) =>
    of === null
      ? []
      : [
          [
            what,
            whole(members),
            whole(of.joined),
            whole(of.perSecond),
            orDash(of.serverMs, whole),
            orDash(of.databaseMs, whole),
            orDash(of.memoryBytes, megabytes),
            megabytes(of.databaseBytes),
            `${orDash(of.mailingServer, percent)} + ${orDash(of.mailingDatabase, percent)}`,
          ],
        ],
  );
  return `## Cost

A server that nobody asks anything, over ${idleSeconds} s: memory is the proportional set size (what processes share is divided among them), processor a share of one. PostgreSQL's memory is that of
all its processes, those of this server's connections among them. On the embedded engine the server is the database.

${table(['idle', 'members', 'server memory', 'PostgreSQL memory', 'server processor', 'PostgreSQL processor', 'database'], idle)}

A thousand joins, at 64 in flight, half of them invited; the bytes are those of the members, of the answers kept for a day and of the queued mails, of which the
last two go again. Mailing is what it takes of a processor to send the queued mails at the default rate of 10 a second while nobody asks: about as much is missing
from every measurement of joins here.

${table(['per 1,000 joins', 'members', 'joined', 'a second', 'server ms', 'PostgreSQL ms', 'memory of both afterwards', 'database', 'mailing: server + PostgreSQL'], joins)}`;
}

export function startSection({ starts, pages }: StartFigures): string {
  const startRows = starts.map(({ what, seconds }) => [what, short(seconds)]);
  const pageRows = pages.map(({ page, p50Ms, p99Ms, bytes }) => [page, short(p50Ms), short(p99Ms), whole(bytes)]);
  return `## Start and first byte

From the start of the process to the first answer of the landing page, median of three. The first start of all is the cold one; files are in the system's cache in each.

${table(['start', 's'], startRows)}

First byte of a page, from the call of connect, each over a connection of its own, one after the other; bytes are those of the whole answer, compressed with Brotli.

${table(['page', 'p50 ms', 'p99 ms', 'bytes'], pageRows)}`;
}

export function launchSection(figures: LaunchFigures): string {
  const { people, seconds, rushSeconds, rushShare, pausesMs, processors, machines, memoriesTried } = figures;
  const pauses = pausesMs.map((ms) => `${ms / 1000} s`).join(', ');
  return `## The smallest machine for a launch

Server and database together under control groups that allow **${processors} processor** and the least memory of ${memoriesTried.map(mebibytes).join(', ')} with which they start. **${whole(people)} people** come within
${short(seconds / 60)} minutes, ${percent(rushShare)} of them in the first ${whole(rushSeconds)} s, whether or not those before them have been answered. Each opens a connection, loads the page, joins (half of them by the
invite of somebody who joined before) and reads the status ${pausesMs.length - 1} times, with pauses of ${pauses} between these. The page's own files are not asked for: they never change, and a cache
in front keeps them.

${machines.map(machineSection).join('\n\n')}`;
}

function machineSection(machine: MachineFigures): string {
  const { engine, memoryBytes, firstStartBytes, result, processorShare, throttledShare, mostMemoryBytes } = machine;
  const rows = STEPS.map((step) => {
    const { answers, p50Ms, p99Ms, maxMs, rushP99Ms } = result.steps[step];
    return [step, whole(answers), short(p50Ms), short(p99Ms), short(rushP99Ms), whole(maxMs)];
  });
  const failures = Object.entries(result.failures).map(([what, count]) => `${whole(count)} × ${what}`);
  const first = `The very first start, which makes the database, needs ${orDash(firstStartBytes, mebibytes)}.`;
  return `**${engine}, ${mebibytes(memoryBytes)}.** ${whole(result.joined)} of ${whole(result.visitors)} joined. Failures: ${failures.length === 0 ? 'none' : failures.join(', ')}.

${table(['', 'answers', 'p50 ms', 'p99 ms', 'p99 ms in the rush', 'longest ms'], rows)}

${percent(processorShare)} of the processor on average; held back in ${percent(throttledShare)} of the periods in which something ran; most memory ${mebibytes(mostMemoryBytes)}, files that the system keeps for it included. ${firstStartBytes === memoryBytes ? '' : first}
The client was ${short(result.clientLateP99Ms)} ms late at the 99th percentile and used ${percent(result.clientCpuShare)} of a processor.`;
}

function mebibytes(bytes: number): string {
  return `${whole(bytes / 1024 / 1024)} MB`;
}
