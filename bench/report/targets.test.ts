import { expect, test } from 'vitest';
import type { Operation } from '../parts/operations.ts';
import type { SpeedFigures } from '../parts/speed.ts';
import type { PartRecord, PartRecords } from './part-records.ts';
import { isMet, judge } from './targets.ts';

const rates: Readonly<Record<Operation, number>> = {
  'constant route': 1_000,
  'bare SELECT route': 400,
  'bare INSERT route': 200,
  'many-row INSERT': 9_000,
  'status read': 399,
  join: 200,
  'join, one hot inviter': 139,
  stats: 400,
  'verify-referral': 500,
};
const unknown = { p50Ms: 0, p99Ms: 0, serverUs: null, databaseUs: null, clientUs: 0 };
const figures: SpeedFigures = {
  engine: 'PostgreSQL',
  members: 1_000_000,
  answerBytes: 300,
  seconds: 1,
  rounds: 1,
  cells: [1, 64].flatMap((inFlight) =>
    (Object.keys(rates) as Operation[]).map((operation) => ({
      ...unknown,
      operation,
      inFlight,
      perSecond: inFlight === 64 ? rates[operation] : 1,
    })),
  ),
};
const none: PartRecords = {
  embedded: null,
  growth: null,
  postgres: null,
  cost: null,
  start: null,
  profile: null,
  launch: null,
};
const record = { figures } as PartRecord<'postgres'>;

test('targets are ratios at 64 in flight, met when at least reached', () => {
  const verdicts = judge({ ...none, postgres: record }).map((target) => [target.measured, isMet(target)]);
  expect(verdicts).toEqual([
    [1, true],
    [399 / 400, false],
    [0.8, true],
    [1, true],
    [139 / 200, false],
  ]);
});

test('parts that were not run are not judged', () => {
  expect(judge(none)).toEqual([]);
});

test('the embedded engine is held to rates of its own', () => {
  const embedded = { figures } as PartRecord<'embedded'>;
  const verdicts = judge({ ...none, embedded }).slice(0, 2);
  expect(verdicts.map(({ measured }) => measured)).toEqual([200, 399]);
  expect(verdicts.some(isMet)).toBe(false);
});
