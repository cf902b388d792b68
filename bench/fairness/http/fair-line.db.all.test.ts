/** A short line with attackers, against a real server with defaults, up to a draw among cards. */
import { afterAll, expect } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { createMigratedPlace } from '../../../test/support/engines.ts';
import { tellStory } from '../../../test/support/tell-story.ts';
import { ATTACKS, BY_CARD, CARDS, OTHERS, SABOTAGE } from '../attacks.ts';
import { countKinds, type KindFigures, type Outcome } from '../figures.ts';
import * as honest from '../honest-groups.ts';
import { type Groups, makeLine } from '../make-line.ts';
import type { World } from '../visit.ts';
import { type FairServer, startFairServer } from './fair-server.ts';
import { playCards } from './play-cards.ts';
import { playLine } from './play-line.ts';

const attack = (kind: string, most = 12): Groups[string] => {
  const { make, friends } = ATTACKS[kind] as (typeof ATTACKS)[string];
  return [(world: World) => make(world, Math.min(friends, most)), 1];
};
const FALSE = [
  ...['invented at home', 'aliases', 'own domain at home', 'sub-domains', 'names given away'],
  'mailboxes, residential',
];
const GROUPS: Groups = {
  family: [honest.family, 2],
  'meet-up': [honest.meetUp, 1],
  mistyped: [honest.mistyped, 1],
  gym: [honest.gym, 1],
  firm: [honest.firm, 1],
  ...Object.fromEntries([...FALSE, SABOTAGE, OTHERS].map((kind) => [kind, attack(kind)])),
  [BY_CARD]: attack(BY_CARD, 3),
};

let server: FairServer & { remove(): Promise<void> };
let line: Outcome[];
let kinds: KindFigures[];
afterAll(() => server.remove());

const kindOf = (kind: string, isHonest: boolean) =>
  kinds.find((one) => one.kind === kind && one.isHonest === isHonest) as KindFigures;

const step = tellStory('a line, its freeze and its draw');

step('it is played, and nobody honest is refused, challenged or slowed', async () => {
  // The database of another process would keep its own clock.
  const place = await createMigratedPlace('embedded');
  const started = await startFairServer(place);
  server = {
    ...started,
    async remove() {
      await started.stop();
      await place.remove();
    },
  };
  line = await playLine(server, makeLine('short-1', GROUPS));
  kinds = countKinds(line);
  for (const { isHonest, kind, refused, challenged } of kinds)
    if (isHonest)
      expect({ kind, refused, challenged }).toEqual({ kind, refused: 0, challenged: 0 });
});

step('only friends who confirmed count in the frozen list', () => {
  expect(kindOf('meet-up', true).confirmed).toBeGreaterThan(20);
  for (const { counted, confirmed } of kinds) expect(counted).toBeLessThanOrEqual(confirmed + 1e-9);
  expect(kindOf('invented at home', false)).toMatchObject({ confirmed: 0, counted: 0 });
  expect(kindOf('aliases', false).counted).toBeLessThanOrEqual(2);
});

step('an address belongs to whom its owner names, whoever entered it before or after', () => {
  expect(kindOf(OTHERS, false)).toMatchObject({ counted: 0 });
  for (const kind of [SABOTAGE, OTHERS])
    expect(kindOf(kind, true).counted, kind).toBe(kindOf(kind, true).confirmed);
});

step('whoever confirmed is drawn, but at most two of a domain that is no provider', () => {
  const entrantsOf = (kind: string) => kindOf(kind, false).entrants;
  for (const kind of ['mailboxes, residential', 'names given away'])
    expect(entrantsOf(kind), kind).toBe(kindOf(kind, false).joins);
  for (const kind of ['own domain at home', 'sub-domains']) expect(entrantsOf(kind), kind).toBe(3);
  expect(entrantsOf('invented at home')).toBe(1);
  for (const { entrants, weight } of kinds) expect(weight).toBeGreaterThanOrEqual(2 * entrants);
});

step('a card enters once, if it holds the price, and is charged for a mask alone', async () => {
  const { groups, wrong } = await playCards(server, line, 2);
  const [honest, cheat, others] = groups;
  expect(honest?.entered).toBe(Math.ceil((honest?.mailboxes ?? 0) / 2));
  expect(cheat).toMatchObject({ mailboxes: CARDS, entered: CARDS, weight: 3 * CARDS });
  expect(others?.mailboxes).toBeGreaterThan(2 * CARDS);
  expect(others).toMatchObject({ entered: 0, weight: 0, masks: 0 });
  const entered = (honest?.entered ?? 0) + CARDS;
  expect((honest?.masks ?? 0) + (cheat?.masks ?? 0)).toBe(Math.min(brand.maskCount, entered));
  expect(wrong).toBe(0);
});
