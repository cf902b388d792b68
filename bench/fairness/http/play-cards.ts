import { setTimeout as pause } from 'node:timers/promises';
import { ticketOf } from '../../../contract/drop/draw-hash-rules.ts';
import type { DrawRecord } from '../../../contract/drop/draw-record.ts';
import type { OwnOffer } from '../../../contract/drop/offer-views.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { Money } from '../../../contract/operator/drop/till.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../../contract/paths.ts';
import { BY_CARD, CARDS } from '../attacks.ts';
import type { Outcome } from '../figures.ts';
import type { FairServer } from './fair-server.ts';
import { readMailed } from './read-mailed.ts';
import { sendPatiently } from './send-visit.ts';

/** Between calls, so that those of a network are as far apart as its limit wants. */
const STEP_MS = 6_000;
export const WINDOW_HOURS = 24;
/** The server pauses a drop where its clock leaps by a minute. */
const LEAP_MS = 50_000;
/** Checkouts that are open at once: the server looks at each again every few minutes. */
const AT_ONCE = 100;
const LOOK_EVERY_MS = 250;
const MOST_LOOKS = 480;

export type CardDraw = Awaited<ReturnType<typeof playCards>>;

/**
 * The drop of a frozen line up to the last hold at Stripe. One in so many honest entrants enters a
 * card, and a cheat as many as 500 EUR hold.
 */
export async function playCards(server: FairServer, line: readonly Outcome[], oneIn = 1) {
  const { operator } = server;
  const entrants = line.filter(({ weight }) => weight > 0);
  const tokens = new Map<string, string>();
  const mails = entrants.map(({ id }) => id);
  for await (const [id, token] of readMailed(server.dataDir, mails, /#offer=3D([\w-]+)/))
    tokens.set(id, token);
  let abandoned = 0;

  async function act(path: string, { id, visit }: Outcome): Promise<OwnOffer> {
    await server.passMs(STEP_MS);
    const { status, text } = await sendPatiently(server.url, visit.ip, {
      path,
      method: 'POST',
      body: JSON.stringify({ token: tokens.get(id) }),
      headers: { 'content-type': 'application/json', origin: server.url },
    });
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    return JSON.parse(text);
  }

  async function until<T>(look: () => Promise<T | null | false>): Promise<T> {
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const found = await look();
      if (found) return found;
      await pause(LOOK_EVERY_MS);
    }
    throw new Error('The server did not settle its checkouts.');
  }

  const settle = () =>
    until(async () => {
      const { cards } = await operator.call<DropFacts>(operatorPaths.drop);
      return cards?.entering === abandoned && cards.capturing + cards.releasing === 0;
    });

  /** Null: no card that holds the price, so that the checkout is left open. */
  async function enter(people: readonly Outcome[], cardOf: (nth: number) => string | null) {
    for (let from = 0; from < people.length; from += AT_ONCE) {
      const some = people.slice(from, from + AT_ONCE);
      for (const one of some) await act(apiPaths.enterDrop, one);
      for (const [nth, one] of some.entries()) {
        const link = await until(async () => (await act(apiPaths.offer, one)).entry_link);
        const card = cardOf(from + nth);
        if (card === null) abandoned += 1;
        else await server.pay(link, card);
      }
      await settle();
    }
  }

  const cheating = entrants
    .filter(({ visit }) => visit.kind === BY_CARD)
    .toSorted((a, b) => b.weight - a.weight);
  const honest = entrants.filter(({ visit }) => visit.isHonest);
  const first = cheating.slice(0, CARDS);
  const others = cheating.slice(CARDS);
  await enter(first, (nth) => `cheat ${nth}`);
  await enter(others, (nth) => `cheat ${nth % CARDS}`);
  await enter(others, (nth) => `prepaid ${nth}`);
  await enter(others, () => null);
  await enter(
    honest.filter((_, nth) => nth % oneIn === 0),
    (nth) => `honest ${nth}`,
  );
  const windowMs = WINDOW_HOURS * 3_600_000;
  for (let passedMs = 0; passedMs < windowMs; passedMs += LEAP_MS) await server.passMs(LEAP_MS);
  abandoned = 0;
  await settle();
  await operator.change('announce-draw', { source: 'seed' });
  await operator.change('select-entrants', {});
  await until(async () => (await server.readBank()).holds === 0);
  await settle();

  const {
    salt,
    entered = [],
    entrants: list,
  } = await operator.call<DrawRecord>(fillPath(apiPaths.draw, 1));
  const tickets = new Set(entered.map((position) => list[position - 1]?.ticket));
  const { rows, masks } = await operator.call<Money>(operatorPaths.money);
  const winners = new Set(rows.flatMap((row) => (row.pass === 'paid' ? row.member_id : [])));
  const groups = { honest, 'cheat, a card each': first, 'cheat, other mailboxes': others };
  const { holds, captured } = await server.readBank();
  return {
    oneIn,
    people: line.filter(({ visit, isRefused }) => visit.isHonest && !isRefused).length,
    groups: Object.entries(groups).map(([group, people]) => {
      const drawn = people.filter(({ id }) => tickets.has(ticketOf(salt, id)));
      return {
        group,
        mailboxes: people.length,
        entered: drawn.length,
        weight: drawn.reduce((sum, { weight }) => sum + weight, 0),
        masks: drawn.filter(({ id }) => winners.has(id)).length,
      };
    }),
    /** Cards that are still held, or were charged without a mask, or masks without a charge. */
    wrong: holds + Math.abs(captured - masks.paid),
  };
}
