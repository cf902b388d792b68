/** Sums and shares of the overview. */
import { SOURCE_FIELDS } from '../../contract/sources.ts';
import type { Source } from '../line/sources/source-rules.ts';

/** The lower bounds of the histogram, in minutes. */
const WAIT_STEPS = [0, 10, 60, 360, 1440, 4320, 10_080, 20_160] as const;

export type Wait = { readonly minutes: number; readonly members: number };

export function describeWaits(waits: readonly Wait[]) {
  const members = waits.reduce((sum, wait) => sum + wait.members, 0);
  return {
    members,
    quartiles:
      members === 0 ? null : [0.25, 0.5, 0.75].map((share) => quantile(waits, members * share)),
    histogram: WAIT_STEPS.map((from, index) => {
      const to = WAIT_STEPS[index + 1] ?? null;
      const inside = waits.filter(
        ({ minutes }) => minutes >= from && (to === null || minutes < to),
      );
      return {
        from_minutes: from,
        to_minutes: to,
        members: inside.reduce((sum, wait) => sum + wait.members, 0),
      };
    }),
  };
}

function quantile(waits: readonly Wait[], wanted: number): number {
  let passed = 0;
  for (const { minutes, members } of waits) {
    passed += members;
    if (passed >= wanted) return minutes;
  }
  return 0;
}

export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

export type SourceCounts = { visits: number; joins: number; invited: number };
export type CountedSource = Source & SourceCounts;

export function orderSources(sources: readonly CountedSource[]): CountedSource[] {
  const name = (source: Source) => SOURCE_FIELDS.map((field) => source[field]).join('\0');
  return sources.toSorted(
    (a, b) => b.joins - a.joins || b.visits - a.visits || (name(a) < name(b) ? -1 : 1),
  );
}

/** Sums by share channel, in the same order. */
export function sumChannels(sources: readonly CountedSource[]) {
  const channels = new Map<string, { via: string; visits: number; joins: number }>();
  for (const { via, visits, joins } of sources) {
    const sum = channels.get(via) ?? { via, visits: 0, joins: 0 };
    channels.set(via, { via, visits: sum.visits + visits, joins: sum.joins + joins });
  }
  return [...channels.values()].toSorted(
    (a, b) => b.joins - a.joins || b.visits - a.visits || (a.via < b.via ? -1 : 1),
  );
}
