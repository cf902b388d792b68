/** A short line with attackers, against a real server with defaults, up to the frozen list. */
import { afterAll, expect } from 'vitest';
import { createMigratedPlace } from '../../../test/support/engines.ts';
import { tellStory } from '../../../test/support/tell-story.ts';
import { ATTACKS, OTHERS, SABOTAGE } from '../attacks.ts';
import { countKinds, type KindFigures } from '../figures.ts';
import * as honest from '../honest-groups.ts';
import { type Groups, makeLine } from '../make-line.ts';
import type { World } from '../visit.ts';
import { type FairServer, startFairServer } from './fair-server.ts';
import { playLine } from './play-line.ts';

const attack = (kind: string): Groups[string] => {
  const { make, friends } = ATTACKS[kind] as (typeof ATTACKS)[string];
  return [(world: World) => make(world, Math.min(friends, 40)), 1];
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
};

let server: FairServer & { remove(): Promise<void> };
let kinds: KindFigures[];
afterAll(() => server.remove());

const kindOf = (kind: string, isHonest: boolean) =>
  kinds.find((one) => one.kind === kind && one.isHonest === isHonest) as KindFigures;

const step = tellStory('a line and its freeze');

step('it is played, and nobody honest is refused, challenged or slowed', async () => {
  const place = await createMigratedPlace('postgres');
  const started = await startFairServer(place);
  server = {
    ...started,
    async remove() {
      await started.stop();
      await place.remove();
    },
  };
  kinds = countKinds(await playLine(server, makeLine('short-1', GROUPS)));
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
