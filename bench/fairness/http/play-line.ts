/** Plays a line against a server, in the order of its time, and reads how its credits end. */
import type { Verdict } from '../make-line.ts';
import { DAY, type Visit } from '../visit.ts';
import type { FairServer } from './fair-server.ts';
import { openPage, sendJoin } from './send-visit.ts';

export type Played = {
  /** Those who joined, with their credit as the join left it. */
  readonly atJoin: readonly Verdict[];
  /** And after the server has looked back, every day and at the end. */
  readonly afterLookingBack: readonly Verdict[];
  readonly refused: readonly { readonly visit: Visit; readonly status: number }[];
  /** Joins that were asked for a proof of work and brought it. */
  readonly proven: readonly Visit[];
};

/** The server looks at a part of a long line each time: enough for all of it. */
const LOOKS_AT_THE_END = 8;
const MS = 1_000;

type Step = { readonly at: number; readonly visit: Visit; readonly what: 'page' | 'join' };

export async function playLine(server: FairServer, visits: readonly Visit[]): Promise<Played> {
  const codes = new Map<string, string>();
  const joined = new Map<string, Visit>();
  const refused: { visit: Visit; status: number }[] = [];
  const proven: Visit[] = [];
  const atJoin = new Map<string, Verdict>();
  const begun = Date.now();
  const steps = stepsOf(visits);
  let day = 0;

  async function endDay(): Promise<void> {
    for (const [id, verdict] of await readVerdicts(server, joined))
      if (!atJoin.has(id)) atJoin.set(id, verdict);
    await server.runScheduledWork();
  }

  for (const { at, visit, what } of steps) {
    if (Math.floor(at / DAY) > day) {
      await endDay();
      day = Math.floor(at / DAY);
    }
    // The simulation's time is the server's; it begins now.
    await server.moveClock(Math.max(0, begun + at * MS - Date.now()));
    const code = visit.referrer === null ? null : (codes.get(visit.referrer) ?? null);
    if (what === 'page') await openPage(server.url, visit, code);
    else {
      const { status, neededProof, member } = await sendJoin(server.url, visit, code);
      if (neededProof) proven.push(visit);
      if (member === null) refused.push({ visit, status });
      else {
        codes.set(visit.person, member.referral_code);
        joined.set(member.id, visit);
      }
    }
  }
  // A join is looked at some seconds after it.
  await server.moveClock(begun + ((steps.at(-1)?.at ?? 0) + 60) * MS - Date.now());
  await endDay();
  const afterLookingBack = await lookBackToTheEnd(server, joined);
  return {
    atJoin: [...atJoin.values()],
    afterLookingBack: [...afterLookingBack.values()],
    refused,
    proven,
  };
}

/** Until nothing changes: on a busy machine it takes longer. */
async function lookBackToTheEnd(
  server: FairServer,
  joined: ReadonlyMap<string, Visit>,
): Promise<Map<string, Verdict>> {
  const countHeld = (verdicts: Map<string, Verdict>) =>
    [...verdicts.values()].filter(({ isHeld }) => isHeld).length;
  let verdicts = await readVerdicts(server, joined);
  for (;;) {
    for (let look = 0; look < LOOKS_AT_THE_END; look += 1) await server.runScheduledWork();
    const later = await readVerdicts(server, joined);
    if (countHeld(later) === countHeld(verdicts)) return later;
    verdicts = later;
  }
}

function stepsOf(visits: readonly Visit[]): Step[] {
  const first = Math.min(...visits.map(({ at, secondsOnPage }) => at - (secondsOnPage ?? 0)));
  return visits
    .flatMap((visit): Step[] => {
      const at = visit.at - first;
      const join = { at, visit, what: 'join' } as const;
      const { secondsOnPage } = visit;
      return secondsOnPage === null
        ? [join]
        : [{ at: at - secondsOnPage, visit, what: 'page' }, join];
    })
    .toSorted((a, b) => a.at - b.at);
}

async function readVerdicts(
  server: FairServer,
  joined: ReadonlyMap<string, Visit>,
): Promise<Map<string, Verdict>> {
  const members = await server.readMembers();
  return new Map(
    members.flatMap(({ id, credit, credit_reasons: rules }) => {
      const visit = joined.get(id);
      return visit === undefined ? [] : [[id, { visit, isHeld: credit === 'held', rules }]];
    }),
  );
}
