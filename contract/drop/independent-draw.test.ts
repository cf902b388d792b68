/** Two programs that share no line of code must work out the same draw. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAll } from '../../test/support/test-form.ts';
import { hashAnnouncement, hashEntered, hashHex, hashList, ticketOf } from './draw-hash-rules.ts';
import { drawOrder, listTaking } from './draw-order-rules.ts';
import type { Announcement, DrawEntrant, DrawRecord } from './draw-record.ts';

const RUNS = isAll ? 1000 : 100;
const program = fileURLToPath(new URL('independent-draw.py', import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('python3 is missing: the independent check of draws is SKIPPED.');

/** With spaces, quotes and letters beyond ASCII, as brand files may have them. */
const sizes = ['Small', 'Größe "M"', 'X / L', '大'];

const anyRecord = fc
  .record({
    wishes: fc.array(
      fc.record({
        sizes: fc.shuffledSubarray(sizes),
        takes_any: fc.boolean(),
        tries: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(255)),
        isPlain: fc.boolean(),
        hasEntered: fc.boolean(),
      }),
      { maxLength: 40 },
    ),
    isWeighted: fc.boolean(),
    isByCard: fc.boolean(),
    masks: fc.array(fc.nat(6), { minLength: 4, maxLength: 4 }),
    byRank: fc.nat(10),
    drawnAmong: fc.nat(40),
    source: fc.constantFrom('quicknet' as const, 'seed' as const, 'none' as const),
    evidence: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    id: fc.uuid(),
  })
  .map(({ wishes, isWeighted, isByCard, masks, byRank, drawnAmong, source, ...more }) => {
    const { evidence: bytes, id } = more;
    const salt = '00112233445566778899aabbccddeeff';
    const evidence = Buffer.from(bytes).toString('hex');
    const entrants = wishes.map(({ tries, isPlain, hasEntered: _, ...wish }, index) => ({
      ...wish,
      ...(isWeighted ? { weight: tries } : !isPlain && { losses: tries }),
      position: index + 1,
      ticket: ticketOf(salt, `${id}${index}`),
      points: index - 3,
    }));
    const list = {
      ...(isWeighted && { version: 2 as const }),
      number: 3,
      frozen_at: '2026-01-02T03:04:05.678Z',
      salt,
      entrants,
    };
    const entered = wishes.flatMap(({ hasEntered }, index) => (hasEntered ? [index + 1] : []));
    const announcement: Announcement = {
      number: 3,
      list_hash: hashList(list),
      masks: sizes.map((size, index) => ({ size, masks: masks[index] ?? 0 })),
      by_rank: byRank,
      drawn_among: source === 'none' ? 0 : drawnAmong,
      randomness: {
        quicknet: { source: 'quicknet' as const, round: 123 },
        seed: { source: 'seed' as const, commitment: hashHex(evidence) },
        none: { source: 'none' as const },
      }[source],
      announced_at: '2026-01-02T04:00:00.000Z',
      ...(isByCard && { entered_hash: hashEntered(entered) }),
    };
    const taking = isByCard ? { entered } : {};
    const randomness = { quicknet: hashHex(evidence), seed: evidence, none: null }[source];
    return {
      ...list,
      list_hash: announcement.list_hash,
      announcement,
      announcement_hash: hashAnnouncement(announcement),
      evidence,
      ...taking,
      order: drawOrder(listTaking({ entrants, ...taking }), announcement, randomness),
    } satisfies DrawRecord;
  });

/** What Python makes of each of the records. */
function drawInPython(records: readonly DrawRecord[]): Partial<DrawRecord>[] {
  const { stdout, stderr } = spawnSync('python3', [program], {
    input: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test.skipIf(!hasPython)(
  `Python works out the same hashes and order of ${RUNS} random lines`,
  () => {
    const records = fc.sample(anyRecord, RUNS);
    const results = drawInPython(records);
    expect(results).toHaveLength(RUNS);
    for (const [index, { list_hash, announcement, announcement_hash, order }] of records.entries())
      expect(results[index]).toMatchObject({
        list_hash,
        announcement_hash,
        order,
        entered_hash: announcement.entered_hash ?? null,
      });
  },
);

test.skipIf(!hasPython)('Python finds a forged list, a late entrant and a changed rule', () => {
  const isLong = ({ entrants }: DrawRecord) => entrants.length > 2;
  const [honest] = fc.sample(anyRecord.filter(isLong), 1) as DrawRecord[] as [DrawRecord];
  const { announcement, entrants } = honest as { announcement: Announcement } & DrawRecord;
  const [first, second, ...others] = entrants as [DrawEntrant, DrawEntrant];
  const swapped = [
    { ...first, ticket: second.ticket },
    { ...second, ticket: first.ticket },
  ];
  const ticket = ticketOf(honest.salt, 'somebody who joined after the freeze');
  const late = { ...first, ticket, position: entrants.length + 1 };
  const changed = { ...announcement, by_rank: announcement.by_rank + 1 };
  const [, forgedList, withLate, otherRule] = drawInPython([
    honest,
    { ...honest, entrants: [...swapped, ...others] },
    { ...honest, entrants: [...entrants, late] },
    { ...honest, announcement: changed },
  ]);
  expect(forgedList?.list_hash).not.toBe(honest.list_hash);
  expect(withLate?.list_hash).not.toBe(honest.list_hash);
  expect(otherRule?.announcement_hash).not.toBe(honest.announcement_hash);
  // The announcement has the hash of the list in it, so a list with a hash of its own is found.
  const list_hash = withLate?.list_hash ?? '';
  const matching = { ...honest, list_hash, announcement: { ...announcement, list_hash } };
  const [together] = drawInPython([{ ...matching, entrants: [...entrants, late] }]);
  expect(together?.list_hash).toBe(list_hash);
  expect(together?.announcement_hash).not.toBe(honest.announcement_hash);
});
