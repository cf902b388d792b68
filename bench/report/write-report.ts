/** Makes RESULTS.md and its plots from the figures of the parts. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../parts/part.ts';
import { table, whole } from './markdown.ts';
import { drawLines } from './plot.ts';
import type { PartRecord } from './records.ts';
import { isMet, type Target } from './targets.ts';

export type Measured = { readonly part: Part<unknown>; readonly record: PartRecord };

/** Writes RESULTS.md and plots/ into `folder`; what was in plots/ goes. */
export async function writeReport(all: readonly Measured[], folder: string): Promise<void> {
  const plots = join(folder, 'plots');
  rmSync(plots, { recursive: true, force: true });
  mkdirSync(plots, { recursive: true });
  for (const { part, record } of all)
    for (const [name, lines] of Object.entries(part.plots?.(record.figures) ?? {}))
      writeFileSync(join(plots, `${name}.svg`), await drawLines(lines));
  const sections = [
    HEAD,
    partsSection(all.map(({ record }) => record)),
    targetsSection(all.flatMap(({ part, record }) => part.targets?.(record.figures) ?? [])),
    ...all.map(({ part, record }) => part.report(record.figures)),
  ];
  writeFileSync(join(folder, 'RESULTS.md'), `${sections.join('\n\n')}\n`);
}

const HEAD = `# Speed, beside baselines

Written by \`npm run bench\`. Product, baselines, database and client share one machine and take
turns: read the ratios, not the absolute numbers. Every write is durable (fsync on) on both sides.
PostgreSQL has shared_buffers of 4 GB, is otherwise as it comes, and counts statements only where
the text says so.

- **Checkpoints**: after one, the first touch of each page is written whole to the WAL. None happens
  by time or size; each run of joins or INSERTs on PostgreSQL starts with one, goes on with a
  warm-up of the same load, and only then is measured.
- **Baselines**: a bare Fastify that answers constant bytes of the same length; one with a
  primary-key SELECT; one with a durable single-row INSERT; and one with an INSERT of as many rows
  as requests are in flight, one request after the other, whose figures are those of a row. Their
  table has as many rows as the line has members.
- **Product**: the server as it starts with nothing but a database. Limits are on (an address of the
  machine itself has none of its own). Each join queues its mail, which is kept as files at the
  default rate of 10 a second, so the sender works during every measurement.
- **Joins** carry an Idempotency-Key. Every other one is invited, by members drawn as often as they
  have invited before: a few invite most. With one hot inviter, all are invited by the member who
  has most friends.
- **Client**: connections that ask again as soon as they are answered, in a process of their own. An
  answer with another status than 2xx, or that belongs to another request, fails the run. µs are
  processor time an operation: they say why, also when the machine is noisy.`;

function partsSection(records: readonly PartRecord[]): string {
  const rows = records.map(({ part, at, seconds, loadBefore, loadAfter, command }) => [
    part,
    at.slice(0, 16).replace('T', ' '),
    whole(seconds),
    `${loadBefore.toFixed(1)} → ${loadAfter.toFixed(1)}`,
    `\`${command}\``,
  ]);
  const machines = [...new Set(records.map(({ machine }) => machine))];
  const head = ['part', 'measured (UTC)', 'seconds', 'load average before → after', 'command'];
  return `${machines.join('; ')}.\n\n${table(head, rows)}`;
}

function targetsSection(targets: readonly Target[]): string {
  const rows = targets.map((target) => {
    const { what, atLeast, measured, of } = target;
    const format = (figure: number) => (of === null ? whole(figure) : figure.toFixed(2));
    const rates = of?.map(whole).join(' / ') ?? '';
    const verdict = isMet(target) ? 'met' : 'missed';
    return [what, format(atLeast), `**${format(measured)}**`, rates, verdict];
  });
  const head = ['', 'at least', 'measured', 'operations a second', ''];
  return `## Targets, at 64 in flight\n\n${table(head, rows)}`;
}
