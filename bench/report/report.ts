import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describeMachine, replaceRows, replaceTables } from '../../scripts/report-rows.ts';
import { short, table, whole } from './markdown.ts';

export type Target = {
  readonly what: string;
  readonly measured: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly of?: readonly [number, number];
};

export function ratio(what: string, atLeast: number, rate: number, beside: number): Target {
  return { what, atLeast, measured: rate / beside, of: [rate, beside] };
}

export function isMet({ measured, atLeast = -Infinity, atMost = Infinity }: Target): boolean {
  return measured >= atLeast && measured <= atMost;
}

type Run = {
  readonly name: string;
  readonly command: string;
  readonly scale: readonly string[];
  readonly seconds: number;
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly targets: readonly Target[];
  readonly section: string;
};

const CONDITIONS = ['conditions of', '', ''] as const;
const TARGETS = ['target of', '', 'limit', 'measured', 'rates', ''] as const;

/** Replaces what the last run of this name wrote; the words between tables stay. */
export function writeReport(path: string, run: Run): void {
  const { name, targets } = run;
  const empty = [`# ${basename(path)}`, table(CONDITIONS, []), table(TARGETS, [])];
  const before = existsSync(path) ? readFileSync(path, 'utf8') : `${empty.join('\n\n')}\n`;
  const conditions = Object.entries({
    'measured (UTC)': new Date().toISOString().slice(0, 16).replace('T', ' '),
    seconds: whole(run.seconds),
    load: `${run.loadBefore.toFixed(1)} → ${run.loadAfter.toFixed(1)}`,
    command: `\`${run.command}\``,
    scale: run.scale.join(', '),
    machine: describeMachine(),
  }).map((condition) => [name, ...condition]);
  let report = replaceRows(before, CONDITIONS[0], name, conditions);
  if (targets.length > 0)
    report = replaceRows(
      report,
      TARGETS[0],
      name,
      targets.map((target) => rowOf(name, target)),
    );
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, replaceTables(report, run.section));
}

function rowOf(name: string, target: Target): string[] {
  const { what, atLeast, atMost, measured, of } = target;
  const limit = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
  const rates = of?.map(whole).join(' / ') ?? '';
  return [name, what, limit, `**${short(measured)}**`, rates, isMet(target) ? 'met' : 'missed'];
}
