import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine, replaceRows, replaceTables } from '../../scripts/report-rows.ts';
import type { Part } from '../part.ts';
import { short, table, whole } from './markdown.ts';
import { isMet, type Target } from './targets.ts';

type Run = {
  readonly command: string;
  readonly options: string;
  readonly seconds: number;
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly targets: readonly Target[];
  readonly section: string;
};

const CONDITIONS = ['conditions of', '', ''] as const;
const TARGETS = ['target of', '', 'limit', 'measured', 'rates', ''] as const;

export function writeReport(folder: string, part: Part, run: Run): string {
  const { name, writes } = part;
  const path = join(folder, writes);
  const empty = [
    `# ${writes}`,
    table(CONDITIONS, []),
    ...(part.targets === undefined ? [] : [table(TARGETS, [])]),
  ];
  const before = existsSync(path) ? readFileSync(path, 'utf8') : `${empty.join('\n\n')}\n`;
  const conditions = Object.entries({
    'measured (UTC)': new Date().toISOString().slice(0, 16).replace('T', ' '),
    seconds: whole(run.seconds),
    load: `${run.loadBefore.toFixed(1)} → ${run.loadAfter.toFixed(1)}`,
    command: `\`${run.command}\``,
    options: `\`${run.options}\``,
    machine: describeMachine(),
  });
  let report = replaceRows(
    before,
    CONDITIONS[0],
    name,
    conditions.map((condition) => [name, ...condition]),
  );
  if (run.targets.length > 0)
    report = replaceRows(
      report,
      TARGETS[0],
      name,
      run.targets.map((one) => rowOf(name, one)),
    );
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, replaceTables(report, run.section));
  return path;
}

function rowOf(name: string, target: Target): string[] {
  const { what, atLeast, atMost, measured, of } = target;
  const limit = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
  const rates = of?.map(whole).join(' / ') ?? '';
  return [name, what, limit, `**${short(measured)}**`, rates, isMet(target) ? 'met' : 'missed'];
}
