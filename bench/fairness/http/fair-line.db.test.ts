/** A short labelled line, and the easiest ways to cheat, against a real server with defaults. */
import { afterAll, expect } from 'vitest';
import { createMigratedPlace } from '../../../test/support/engines.ts';
import { tellStory } from '../../../test/support/tell-story.ts';
import * as attacks from '../attacks.ts';
import { countKinds, sum } from '../figures.ts';
import * as honest from '../honest-groups.ts';
import { type Groups, makeLine } from '../make-line.ts';
import { cheat, oneProvider, spellings, unreachable } from './easy-cheats.ts';
import { startFairServer } from './fair-server.ts';
import { playLine } from './play-line.ts';

const GROUPS: Groups = {
  office: [honest.office, 1],
  family: [honest.family, 1],
  'meet-up': [honest.meetUp, 1],
  mistyped: [honest.mistyped, 1],
  aliases: [attacks.aliases, 1],
  disposable: [attacks.disposable, 1],
  'one-network': [attacks.oneNetwork, 1],
  'no-page': [attacks.noPage, 1],
};

async function start(settings: Record<string, string> = {}) {
  const place = await createMigratedPlace('postgres');
  const server = await startFairServer(place, settings);
  return {
    ...server,
    async remove() {
      await server.stop();
      await place.remove();
    },
  };
}

let server: Awaited<ReturnType<typeof start>>;
afterAll(() => server.remove());

const step = tellStory('one line after the other');

step('a short line: false credits are held, honest ones given, and nobody is refused', async () => {
  server = await start();
  const line = makeLine('short-1', GROUPS);
  const kinds = countKinds(await playLine(server, line));
  const all = sum(kinds);
  expect(all).toMatchObject({ joins: line.length, refused: 0 });
  expect(all.credits).toBeGreaterThan(400);
  for (const { kind, isHonest, heldAtJoin, held, credits } of kinds) {
    if (isHonest) expect(held, kind).toBe(0);
    else {
      expect(heldAtJoin / credits, kind).toBeGreaterThan(0.85);
      expect(held / credits, kind).toBeGreaterThanOrEqual(0.95);
    }
  }
});

step('friends whom one script then invents bring next to no credit', async () => {
  const network = await cheat(server, oneProvider('short-1'), { friends: 100 });
  expect(network).toMatchObject({ refused: 0, neededProof: 0 });
  expect(network.given).toBeLessThanOrEqual(10);
  const addresses = await cheat(server, unreachable, { friends: 30 });
  expect(addresses.refused).toBe(0);
  expect(addresses.given).toBeLessThanOrEqual(5);
});

step('spellings of one mailbox bring one credit where friends confirm', async () => {
  const confirming = await start({ REFERRAL_CREDIT: 'confirm' });
  const { refused, given, held, pending } = await cheat(confirming, spellings, {
    friends: 20,
    isConfirming: true,
  }).finally(confirming.remove);
  expect({ refused, given }).toEqual({ refused: 0, given: 1 });
  // A friend without a mail can never confirm.
  expect(held).toBeGreaterThan(0);
  expect(held + pending).toBe(19);
});
