/** Puts RESULTS.md and the plots together of what the parts have measured. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costSection, launchSection, startSection } from './cost-sections.ts';
import { drawFlameGraph } from './flame-graph.ts';
import { table, whole } from './markdown.ts';
import { PARTS, type PartRecord, type PartRecords } from './part-records.ts';
import { type Colours, drawPlot, type Plot } from './plot.ts';
import { growthPlots, speedPlots } from './plots.ts';
import { profileSection } from './profile-section.ts';
import { growthSection, speedSection } from './speed-sections.ts';
import { isMet, judge } from './targets.ts';

/** `folder` gets RESULTS.md and plots/. Parts that were never run are left out. */
export function writeReport(records: PartRecords, folder: string): void {
  const plots: Readonly<Record<string, Plot>> = {
    ...(records.postgres && speedPlots('postgres', 'PostgreSQL', records.postgres.figures)),
    ...(records.embedded && speedPlots('embedded', 'Embedded', records.embedded.figures)),
    ...(records.growth && growthPlots(records.growth.figures)),
  };
  mkdirSync(join(folder, 'plots'), { recursive: true });
  for (const [name, plot] of Object.entries(plots))
    writeFileSync(join(folder, 'plots', `${name}.svg`), drawPlot(plot, readColours()));
  for (const { kind, root } of records.profile?.figures.profiles ?? [])
    writeFileSync(
      join(folder, 'plots', `flame-${kind}.svg`),
      drawFlameGraph(`Server, ${kind}: processor time`, root, readColours()),
    );
  const sections = [
    HEAD,
    partsSection(records),
    targetsSection(records),
    ...(records.postgres ? [speedSection('PostgreSQL', 'postgres', records.postgres.figures)] : []),
    ...(records.embedded ? [speedSection('Embedded', 'embedded', records.embedded.figures)] : []),
    ...(records.growth ? [growthSection(records.growth.figures)] : []),
    ...(records.cost ? [costSection(records.cost.figures)] : []),
    ...(records.start ? [startSection(records.start.figures)] : []),
    ...(records.profile ? [profileSection(records.profile.figures)] : []),
    ...(records.launch ? [launchSection(records.launch.figures)] : []),
  ];
  writeFileSync(join(folder, 'RESULTS.md'), `${sections.join('\n\n')}\n`);
}

const HEAD = `# Speed, beside the least that could be done

Written by \`npm run bench\`. Product, floors, database and client share one machine, and rounds take turns between product and floor: read the ratios,
not the absolute numbers. Every write is durable (fsync on) on both sides; PostgreSQL has
shared_buffers of 4 GB and max_wal_size of 8 GB, and is otherwise as it comes; it counts statements for the profile alone.

- **Floors**: a bare Fastify that answers constant bytes of the same length; one with one primary-key SELECT; one with one durable single-row INSERT; and, without
  HTTP, durable INSERTs of as many rows as requests are in flight, one after the other. The floors' table has as many rows as the line has members.
- **Product**: the server as it is started with nothing but a database. Limits are on (those for all visitors together count; an address of the machine itself has none of
  its own), each join queues its mail, the mail is kept as files at the default rate of 10 a second, so the sender works during every measurement, and
  the queue behind it grows by what joined meanwhile.
- **Joins** carry an Idempotency-Key. Every other one is invited, by members drawn as often as they have invited before: a few invite most. With one hot inviter, all
  are invited by the member who has most friends.
- **Client**: connections that ask again as soon as they are answered, in a process of their own; any answer that is not 2xx fails the run. µs are processor time an operation
  (of a row where there is no HTTP): they say why, also when the machine is noisy.`;

function partsSection(records: PartRecords): string {
  const run = PARTS.flatMap((part): PartRecord[] => {
    const record = records[part];
    return record === null ? [] : [record];
  });
  const rows = run.map(({ part, at, seconds, loadBefore, loadAfter, command }) => [
    part,
    at.slice(0, 16).replace('T', ' '),
    whole(seconds),
    `${loadBefore.toFixed(1)} → ${loadAfter.toFixed(1)}`,
    `\`${command}\``,
  ]);
  const machines = [...new Set(run.map(({ machine }) => machine))];
  return `${machines.join('; ')}.\n\n${table(['part', 'measured (UTC)', 'seconds', 'load average before → after', 'command'], rows)}`;
}

function targetsSection(records: PartRecords): string {
  const rows = judge(records).map((target) => {
    const { what, atLeast, measured, of } = target;
    const figure = of === null ? whole(measured) : measured.toFixed(2);
    const made = of === null ? '' : of.map((rate) => whole(rate)).join(' / ');
    return [
      what,
      of === null ? whole(atLeast) : atLeast.toFixed(2),
      `**${figure}**`,
      made,
      isMet(target) ? 'met' : 'missed',
    ];
  });
  return `## Targets, at 64 in flight\n\n${table(['', 'at least', 'measured', 'operations a second', ''], rows)}`;
}

/** Of the brand's tokens, so that plots look like the product, whoever's it is. */
function readColours(): Colours {
  const css = readFileSync(new URL('../../brand/tokens.css', import.meta.url), 'utf8');
  const token = (name: string) => new RegExp(`--${name}: (#[0-9a-f]+)`).exec(css)?.[1] ?? 'currentColor';
  return {
    ground: token('void'),
    line: token('line'),
    faint: token('fog'),
    text: token('bone'),
    bright: token('afterglow'),
  };
}
