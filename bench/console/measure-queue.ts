/** Server time of the screen with held credits, and of an export with a filter. */
import { brand } from '../../brand/brand.ts';
import type { MemberFilter } from '../../contract/operator/member-filter.ts';
import type { Database } from '../../server/db/database.ts';
import {
  getKinds,
  getWaiting,
  listHeldCredits,
  listQueue,
} from '../../server/fairness/queue/queue.ts';
import { exportMembers } from '../../server/members/exports/export-members.ts';
import { median } from '../statistics.ts';

export type CallFigures = {
  readonly name: string;
  readonly medianMs: number;
  readonly slowestMs: number;
};
export type ExportFigures = {
  readonly filter: string;
  readonly members: number;
  readonly seconds: number;
};

const ROUNDS = 15;

export async function measureQueue(database: Database): Promise<CallFigures[]> {
  const options = { database, brand };
  const { groups, next } = await listQueue(options, {});
  const [group] = groups;
  if (group === undefined || next === null) throw new Error('The queue has no second page.');
  const rule = 'same-network';
  const calls: Record<string, () => Promise<unknown>> = {
    'what waits': () => getWaiting(database),
    'the kinds': () => getKinds(database),
    'first page of codes': () => listQueue(options, {}),
    'second page of codes': () => listQueue(options, { after: next }),
    'codes of one kind': () => listQueue(options, { rule }),
    'credits of the first code': () => listHeldCredits(options, { memberId: group.referrer.id }),
  };
  const figures: CallFigures[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const beganAt = performance.now();
      await call();
      times.push(performance.now() - beganAt);
    }
    figures.push({ name, medianMs: median(times), slowestMs: Math.max(...times) });
  }
  return figures;
}

const EXPORTS: Readonly<Record<string, MemberFilter>> = {
  'no filter': {},
  confirmed: { confirmed: true },
  'source flyer': { source: 'flyer' },
};

export async function measureExports(database: Database): Promise<ExportFigures[]> {
  const figures: ExportFigures[] = [];
  for (const [name, filter] of Object.entries(EXPORTS)) {
    const beganAt = performance.now();
    let members = 0;
    for await (const _ of exportMembers(database, { tiers: brand.tiers, filter })) members += 1;
    figures.push({ filter: name, members, seconds: (performance.now() - beganAt) / 1000 });
  }
  return figures;
}
