/** Plays a line against a server, in the order of its time, and reads how its credits end. */
import type { Outcome } from '../figures.ts';
import { DAY, type KnownVisit } from '../visit.ts';
import type { FairServer } from './fair-server.ts';
import { openPage, sendJoin } from './send-visit.ts';

/** A sweep re-evaluates a part of a long line: this many cover all of it. */
const SWEEPS_AT_THE_END = 8;
const MS = 1_000;

type Step = { readonly at: number; readonly visit: KnownVisit; readonly what: 'page' | 'join' };

/** Credits are re-evaluated once a simulated day, and at the end until nothing changes. */
export async function playLine(
  server: FairServer,
  visits: readonly KnownVisit[],
): Promise<Outcome[]> {
  const codes = new Map<string, string>();
  const idOf = new Map<KnownVisit, string>();
  const proven = new Set<KnownVisit>();
  /** The credit of each member at the end of the day of their join, before any re-evaluation. */
  const creditAtJoin = new Map<string, string>();
  const begun = Date.now();
  const steps = stepsOf(visits);
  let day = 0;

  async function endDay(): Promise<void> {
    for (const { id, credit } of await server.readMembers())
      if (!creditAtJoin.has(id)) creditAtJoin.set(id, credit);
    await server.runScheduledWork();
  }

  for (const { at, visit, what } of steps) {
    if (Math.floor(at / DAY) > day) {
      await endDay();
      day = Math.floor(at / DAY);
    }
    await server.moveClock(Math.max(0, begun + at * MS - Date.now()));
    const code = visit.referrer === null ? null : (codes.get(visit.referrer) ?? null);
    if (what === 'page') await openPage(server.url, visit, code);
    else {
      const { neededProof, member } = await sendJoin(server.url, visit, code);
      if (neededProof) proven.add(visit);
      if (member === null) continue;
      codes.set(visit.person, member.referral_code);
      idOf.set(visit, member.id);
    }
  }
  await server.moveClock(begun + ((steps.at(-1)?.at ?? 0) + 60) * MS - Date.now());
  await endDay();
  const held = await readHeldAtTheEnd(server);
  return visits.map((visit) => {
    const id = idOf.get(visit) ?? '';
    return {
      visit,
      isRefused: id === '',
      neededProof: proven.has(visit),
      isHeldAtJoin: creditAtJoin.get(id) === 'held',
      isHeld: held.has(id),
    };
  });
}

async function readHeldAtTheEnd(server: FairServer): Promise<ReadonlySet<string>> {
  const readHeld = async () => {
    const members = await server.readMembers();
    return new Set(members.filter(({ credit }) => credit === 'held').map(({ id }) => id));
  };
  let held = await readHeld();
  for (;;) {
    for (let sweep = 0; sweep < SWEEPS_AT_THE_END; sweep += 1) await server.runScheduledWork();
    const later = await readHeld();
    if (later.size === held.size) return later;
    held = later;
  }
}

function stepsOf(visits: readonly KnownVisit[]): Step[] {
  const first = Math.min(...visits.map(({ at, secondsOnPage }) => at - (secondsOnPage ?? 0)));
  return visits
    .flatMap((visit): Step[] => {
      const at = visit.at - first;
      const join: Step = { at, visit, what: 'join' };
      const { secondsOnPage } = visit;
      if (secondsOnPage === null) return [join];
      return [{ at: at - secondsOnPage, visit, what: 'page' }, join];
    })
    .toSorted((a, b) => a.at - b.at);
}
