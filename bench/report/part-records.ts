/** The figures of each part as it was last run, kept as files so that the report can be put together of parts run apart. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CostFigures } from '../parts/cost.ts';
import type { GrowthFigures } from '../parts/growth.ts';
import type { LaunchFigures } from '../parts/launch-day.ts';
import type { ProfileFigures } from '../parts/profile.ts';
import type { SpeedFigures } from '../parts/speed.ts';
import type { StartFigures } from '../parts/start.ts';

/** In the order in which they run: growth before PostgreSQL, whose joins would else be in the line of a million. */
export const PARTS = ['embedded', 'growth', 'postgres', 'cost', 'start', 'profile', 'launch'] as const;
export type Part = (typeof PARTS)[number];

export type Figures = {
  readonly embedded: SpeedFigures;
  readonly growth: GrowthFigures;
  readonly postgres: SpeedFigures;
  readonly cost: CostFigures;
  readonly start: StartFigures;
  readonly profile: ProfileFigures;
  readonly launch: LaunchFigures;
};

export type PartRecord<P extends Part = Part> = {
  readonly part: P;
  /** ISO 8601. */
  readonly at: string;
  readonly seconds: number;
  readonly machine: string;
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly command: string;
  readonly figures: Figures[P];
};

export type PartRecords = { readonly [P in Part]: PartRecord<P> | null };

export function keepRecord(folder: string, record: PartRecord): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder, record.part), JSON.stringify(record, null, 2));
}

/** Null for parts that were never run. */
export function readRecords(folder: string): PartRecords {
  const read = (part: Part) =>
    existsSync(fileOf(folder, part)) ? JSON.parse(readFileSync(fileOf(folder, part), 'utf8')) : null;
  return Object.fromEntries(PARTS.map((part) => [part, read(part)])) as PartRecords;
}

function fileOf(folder: string, part: Part): string {
  return join(folder, `${part}.json`);
}
