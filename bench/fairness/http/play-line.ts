import { ticketOf } from '../../../contract/drop/draw-hash-rules.ts';
import type { DrawRecord } from '../../../contract/drop/draw-record.ts';
import { apiPaths, fillPath } from '../../../contract/paths.ts';
import type { Member } from '../../../contract/schemas.ts';
import { askAs } from '../../../test/limits/visitor.ts';
import { stripeTill } from '../../../test/support/stripe-at-hand.ts';
import type { Outcome } from '../figures.ts';
import { DAY, type KnownVisit, MINUTE } from '../visit.ts';
import type { FairServer } from './fair-server.ts';
import { WINDOW_HOURS } from './play-cards.ts';
import { readMailed } from './read-mailed.ts';
import { openPage, sendJoin } from './send-visit.ts';

const MS = 1_000;
/** Joins that take longer are slowed down: others take some milliseconds. */
const SLOW_MS = 2_000;
const MAX_ENTRANTS = 10_000;
const PRICE_CENTS = 8_000;

type Joined = {
  readonly visit: KnownVisit;
  readonly id: string;
  readonly code: string;
  readonly isInvited: boolean;
};

/** Weights of the tickets of a draw by member id, in half tickets. */
type Weights = ReadonlyMap<string, number>;

type Step = { readonly at: number; readonly visit: KnownVisit; readonly what: 'page' | 'join' };

/** Whoever reads the mails confirms at the end. Then the line is frozen, for a draw among cards. */
export async function playLine(
  server: FairServer,
  visits: readonly KnownVisit[],
): Promise<Outcome[]> {
  const byPerson = new Map<string, Joined>();
  const byEmail = new Map<string, Joined>();
  const challenged = new Set<KnownVisit>();
  const slow = new Set<KnownVisit>();
  const begun = Date.now();
  const steps = stepsOf(visits);
  let day = 0;
  for (const { at, visit, what } of steps) {
    if (Math.floor(at / DAY) > day) {
      await server.runScheduledWork();
      day = Math.floor(at / DAY);
    }
    await server.moveClock(Math.max(0, begun + at * MS - Date.now()));
    const code = byPerson.get(visit.referrer ?? '')?.code ?? null;
    if (what === 'page') {
      await openPage(server.url, visit, code);
      continue;
    }
    const sentAt = performance.now();
    const { neededProof, member } = await sendJoin(server.url, visit, code);
    if (performance.now() - sentAt > SLOW_MS) slow.add(visit);
    if (neededProof) challenged.add(visit);
    const known = byEmail.get(visit.email);
    const one =
      member === null
        ? known && { ...known, visit }
        : { visit, id: member.id, code: member.referral_code, isInvited: code !== null };
    if (one === undefined) continue;
    byPerson.set(visit.person, one);
    if (!visit.isOfOther || known === undefined) byEmail.set(visit.email, one);
  }
  await server.moveClock(begun + ((steps.at(-1)?.at ?? 0) + DAY) * MS - Date.now());
  const joined = [...byEmail.values()];
  const codeOf = (person: string | null) => byPerson.get(person ?? '')?.code ?? null;
  await confirmAll(server, joined, codeOf);
  await server.runScheduledWork();
  const settled = await readSettled(server);
  const weights = await freeze(server, joined, settled.creditsOf);
  return visits.map((visit) => {
    const own = byPerson.get(visit.person);
    const id = own?.id ?? '';
    const referrer = byPerson.get(visit.referrer ?? '')?.id ?? '';
    return {
      visit,
      id,
      isRefused: own === undefined,
      isChallenged: challenged.has(visit),
      isSlow: slow.has(visit),
      isConfirmed: settled.confirmed.has(id),
      counted:
        settled.counting.get(id) === referrer
          ? (settled.creditsOf.get(referrer) ?? 0) / (settled.friendsOf.get(referrer) ?? 1)
          : 0,
      weight: visit.isOfOther ? 0 : (weights.get(id) ?? 0),
    };
  });
}

/**
 * Confirmed ids, the referrers of ids whose credit is given, and by the id of the referrer how many
 * of these there are, and for how many they count.
 */
async function readSettled({ operator, readMembers }: FairServer) {
  const members = await readMembers();
  const idOf = new Map(members.map(({ referral_code, id }) => [referral_code, id]));
  const confirmed = members.filter(({ confirmed_at }) => confirmed_at !== null);
  const counting = new Map(
    confirmed
      .filter(({ credit }) => credit === 'given')
      .map(({ id, referred_by }) => [id, idOf.get(referred_by ?? '') ?? '']),
  );
  const friendsOf = new Map<string, number>();
  for (const id of counting.values()) friendsOf.set(id, (friendsOf.get(id) ?? 0) + 1);
  const creditsOf = new Map<string, number>();
  for (const id of friendsOf.keys()) {
    const status = await operator.call<Member>(fillPath(apiPaths.status, id));
    creditsOf.set(id, status.settled_referrals);
  }
  return { confirmed: new Set(confirmed.map(({ id }) => id)), counting, friendsOf, creditsOf };
}

/** Throws when the list counts other friends than the page of an entrant. */
async function freeze(
  { operator }: FairServer,
  joined: readonly Joined[],
  creditsOf: ReadonlyMap<string, number>,
): Promise<Weights> {
  await operator.change('set-till', stripeTill(PRICE_CENTS));
  const cards = { hours: WINDOW_HOURS, refuses_prepaid: true };
  await operator.change('freeze-drop', { first: MAX_ENTRANTS, cards });
  const record = await operator.call<DrawRecord>(fillPath(apiPaths.draw, 1));
  const byTicket = new Map(joined.map((one) => [ticketOf(record.salt, one.id), one]));
  const weights = new Map<string, number>();
  for (const { ticket, points, weight = 0 } of record.entrants) {
    const one = byTicket.get(ticket);
    if (one === undefined) throw new Error(`Nobody has the ticket ${ticket}.`);
    if (points !== 2 * (creditsOf.get(one.id) ?? 0) + Number(one.isInvited))
      throw new Error(`Page and list differ about ${one.visit.email}.`);
    weights.set(one.id, weight);
  }
  return weights;
}

async function confirmAll(
  server: FairServer,
  joined: readonly Joined[],
  codeOf: (person: string | null) => string | null,
): Promise<void> {
  const reading = new Map(
    joined.filter(({ visit }) => visit.confirms).map(({ id, visit }) => [id, visit]),
  );
  const links = readMailed(server.dataDir, reading.keys(), /\/confirm\/([\w-]{55})/);
  for await (const [id, token] of links) {
    const { ip, referrer } = reading.get(id) as KnownVisit;
    await server.passMs(MINUTE * MS);
    const send = (body: object) =>
      askAs(server.url, ip, {
        path: apiPaths.confirm,
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.url },
        body: JSON.stringify(body),
      });
    let answer = await send({ token });
    // The address was entered for several codes.
    if (answer.status === 409)
      answer = await send({ token, invited_by: codeOf(referrer) ?? 'none' });
    const { status, text } = answer;
    if (status !== 200) throw new Error(`The confirmation was answered ${status}: ${text}`);
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
