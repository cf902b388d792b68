import { describe, expect, test } from 'vitest';
import { hashAnnouncement, hashEntered, hashHex, hashList, ticketOf } from './draw-hash-rules.ts';
import { drawOrder, listTaking, ruleProblem } from './draw-order-rules.ts';
import type { Announcement, DrawEntrant, DrawRecord } from './draw-record.ts';
import { isSignatureOf, roundAt, timeOfRound } from './randomness-rules.ts';
import { PROOFS, verifyDraw } from './verify-draw-rules.ts';

/** Published rounds of quicknet, with what drand says the randomness is. */
const ROUNDS = [
  [
    1000,
    'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacb' +
      'e47e4b6b63ed5e39',
    'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
  ],
  [
    657413,
    'b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56' +
      'e91a6b85b89cd97b',
    'fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587',
  ],
] as const;

const SALT = '0b0102030405060708090a0b0c0d0e0f';
const idOf = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const wish = (...sizes: string[]) => ({ sizes, takes_any: sizes.length === 0 });

function entrant(position: number, { sizes, takes_any }: Partial<DrawEntrant> = wish()) {
  const ticket = ticketOf(SALT, idOf(position));
  return { position, ticket, points: 0, sizes: sizes ?? [], takes_any: takes_any ?? true };
}

const entrants = (count: number) => Array.from({ length: count }, (_, index) => entrant(index + 1));

const [round, signature] = ROUNDS[0];

type Changed = Partial<Announcement & Pick<DrawRecord, 'version' | 'frozen_at' | 'entered'>>;

/** A whole drop, as it would be published. */
function recordOf(
  list: DrawEntrant[],
  { version, frozen_at = '2023-08-23T15:50:00.000Z', entered, ...more }: Changed = {},
): DrawRecord {
  const head = { ...(version && { version }), number: 1, frozen_at, salt: SALT };
  const frozen = { ...head, entrants: list };
  const list_hash = hashList(frozen);
  const announcement: Announcement = {
    number: 1,
    list_hash,
    masks: [{ size: 'Small', masks: 4 }],
    by_rank: 2,
    drawn_among: 10,
    randomness: { source: 'quicknet', round },
    announced_at: '2023-08-23T15:55:00.000Z',
    ...(entered && { entered_hash: hashEntered(entered) }),
    ...more,
  };
  const taking = { entrants: list, ...(entered && { entered }) };
  return {
    ...frozen,
    ...taking,
    list_hash,
    announcement,
    announcement_hash: hashAnnouncement(announcement),
    evidence: signature,
    order: drawOrder(listTaking(taking), announcement, hashHex(signature)),
  };
}

describe('rounds of quicknet', () => {
  test.each(ROUNDS)('round %i is signed by the chain', (number, signed, randomness) => {
    expect(isSignatureOf(number, signed)).toBe(true);
    expect(hashHex(signed)).toBe(randomness);
    expect(isSignatureOf(number + 1, signed)).toBe(false);
    expect(isSignatureOf(number, signed.replace(/^b/, '9'))).toBe(false);
  });

  test('come every three seconds since the genesis', () => {
    expect(timeOfRound(1)).toBe(1_692_803_367_000);
    expect(roundAt(timeOfRound(1000))).toBe(1000);
    expect(roundAt(timeOfRound(1000) + 1)).toBe(1001);
    expect(roundAt(0)).toBe(1);
  });
});

describe('the draw order', () => {
  const masks = [
    { size: 'Small', masks: 1 },
    { size: 'Large', masks: 2 },
  ];
  const byRank = { masks, by_rank: 3, drawn_among: 0 };

  test('by rank gives the first ones a size that they wished, and passes others over', () => {
    const list = [
      entrant(1, wish('Small')),
      entrant(2, wish('Small')),
      entrant(3, wish('Small', 'Large')),
      entrant(4),
      entrant(5),
    ];
    expect(drawOrder(list, byRank, null)).toEqual([
      { position: 1, size: 'Small' },
      { position: 3, size: 'Large' },
      { position: 4, size: 'Large' },
      { position: 2, size: null },
      { position: 5, size: null },
    ]);
  });

  test('of any size takes the one of which most are left', () => {
    expect(drawOrder(entrants(3), byRank, null).map(({ size }) => size)).toEqual([
      'Large',
      'Small',
      'Large',
    ]);
  });

  test('of a draw follows the scores among the first, and then the line', () => {
    const rule = { masks, by_rank: 1, drawn_among: 5 };
    const randomness = hashHex(signature);
    const order = drawOrder(entrants(8), rule, randomness).map(({ position }) => position);
    expect(order[0]).toBe(1);
    // Python's hashlib orders the positions 2 to 5 so.
    expect(order.slice(1)).toEqual([4, 2, 5, 3, 6, 7, 8]);
    expect(
      drawOrder(entrants(8), rule, '00'.repeat(32)).map(({ position }) => position),
    ).not.toEqual(order);
  });

  test('of a draw gives a ticket one more try for each drop that it lost', () => {
    const rule = { masks, by_rank: 0, drawn_among: 200 };
    const list = entrants(200).map((one) => (one.position > 100 ? { ...one, losses: 3 } : one));
    const order = drawOrder(list, rule, hashHex(signature));
    const first = order.slice(0, 40).filter(({ position }) => position > 100);
    // Four tries of five come from the second half.
    expect(first.length).toBeGreaterThan(25);
    const plain = drawOrder(entrants(200), rule, hashHex(signature));
    expect(plain.slice(0, 40).filter(({ position }) => position > 100).length).toBeLessThan(26);
  });

  test('of a draw gives a ticket one try for each half ticket', () => {
    const rule = { masks, by_rank: 0, drawn_among: 5 };
    const weights = [2, 5, 3, 4, 2];
    const list = entrants(5).map((one, index) => ({ ...one, weight: weights[index] ?? 0 }));
    const order = drawOrder(list, rule, hashHex(signature)).map(({ position }) => position);
    // Python's hashlib orders them so.
    expect(order).toEqual([2, 4, 1, 5, 3]);
  });

  test.each([
    [{ by_rank: 4 }, 'Only 3 masks can go by rank, not 4.'],
    [{ by_rank: 3 }, 'All masks go by rank, so nothing is drawn.'],
    [{ drawn_among: 11 }, 'Masks can be drawn among the first 1 to 10 entrants, not 11.'],
    [{ randomness: { source: 'none' } }, 'A draw needs randomness.'],
    [{ masks: [] }, 'There are no masks to give.'],
    [{ masks: [...masks, ...masks] }, 'A size is named twice.'],
    [{ by_rank: 1.5 }, 'Masks and entrants are counted in whole numbers.'],
    [{}, null],
  ] as const)('cannot follow a rule with %j', (more, problem) => {
    const rule = { masks, by_rank: 1, drawn_among: 10, randomness: { source: 'quicknet', round } };
    expect(ruleProblem({ ...rule, ...more } as Announcement, 10)).toBe(problem);
  });
});

describe('the check of a draw', () => {
  const honest = recordOf(entrants(20));

  test('finds nothing in an honest one, before and after the draw', () => {
    expect(verifyDraw(honest, honest.announcement_hash).problems).toEqual([]);
    const compared = (noted?: string | null) => PROOFS[verifyDraw(honest, noted).comparedWith];
    expect(compared()).toMatch(/consistent with itself, compared with nothing/);
    expect(compared(honest.announcement_hash)).toBe('It has the hash that you noted.');
    expect(compared(honest.list_hash)).toMatch(/^The list has/);
    expect(verifyDraw({ ...honest, evidence: null, order: null }).problems).toEqual([]);
    const frozen = { announcement: null, announcement_hash: null, evidence: null, order: null };
    expect(verifyDraw({ ...honest, ...frozen }, honest.list_hash).problems).toEqual([]);
  });

  test('works with a seed, and not with another one than was announced', () => {
    const seed = '42'.repeat(32);
    const announced = { randomness: { source: 'seed', commitment: hashHex(seed) } } as const;
    const record = recordOf(entrants(20), announced);
    const order = drawOrder(record.entrants, record.announcement as Announcement, seed);
    expect(verifyDraw({ ...record, evidence: seed, order }).problems).toEqual([]);
    expect(verifyDraw({ ...record, evidence: '43'.repeat(32), order }).problems).toEqual([
      'The randomness is not the announced one.',
    ]);
  });

  test('finds nothing in a record of before weights, with the hash and order of then', () => {
    const list = entrants(5).map((one, index) =>
      index % 2 === 1 ? { ...one, losses: index + 1 } : one,
    );
    const masks = [{ size: 'Small', masks: 4 }];
    const record = recordOf(list, { masks, by_rank: 0, drawn_among: 5 });
    const published = '2f8603595787b5d85b7195111de7d031e2153dc96842dfbc52392e167d573b8d';
    expect(verifyDraw(record, published)).toMatchObject({ problems: [], comparedWith: 'list' });
    expect(record.order?.map(({ position }) => position)).toEqual([4, 2, 1, 5, 3]);
  });

  test('tells a weight from lost drops, and a weight from another', () => {
    const list = (more: Partial<DrawEntrant>) => [{ ...entrant(1), ...more }];
    const hashes = [
      recordOf(list({ losses: 3 })),
      recordOf(list({ weight: 3 }), { version: 2 }),
      recordOf(list({ weight: 4 }), { version: 2 }),
    ].map((record) => hashList(record));
    expect(new Set(hashes).size).toBe(3);
    const weighted = recordOf(list({ weight: 3 }), { version: 2, by_rank: 2, drawn_among: 1 });
    expect(verifyDraw(weighted, weighted.announcement_hash).problems).toEqual([]);
  });

  const byCard = recordOf(entrants(20), { entered: [3, 5, 8, 12] });

  test('draws among those who entered by card alone', () => {
    expect(verifyDraw(byCard, byCard.announcement_hash).problems).toEqual([]);
    expect(byCard.order?.map(({ position }) => position).toSorted((a, b) => a - b)).toEqual([
      3, 5, 8, 12,
    ]);
    expect(byCard.order?.slice(0, 3)).toEqual([
      { position: 3, size: 'Small' },
      { position: 5, size: 'Small' },
      { position: 8, size: 'Small' },
    ]);
  });

  const swapped = entrants(20).with(0, { ...entrant(2), position: 1 });
  const forged = swapped.with(1, { ...entrant(1), position: 2 });
  const late = [...entrants(20), entrant(21)];
  const { announcement } = honest as { announcement: Announcement };

  test.each<[string, DrawRecord, RegExp]>([
    ['a forged list', { ...honest, entrants: forged }, /^The list has the hash \w{64}, not/],
    ['a late entrant', { ...honest, entrants: late }, /^The list has the hash \w{64}, not/],
    ['an entrant twice', { ...honest, entrants: swapped }, /^A ticket is on the list twice\.$/],
    [
      'a changed rule',
      { ...honest, announcement: { ...announcement, drawn_among: 20 } },
      /^The announcement has the hash \w{64}, not/,
    ],
    [
      'another list than was announced',
      { ...recordOf(late), announcement, announcement_hash: honest.announcement_hash },
      /^The draw was announced for the list \w{64}, not this one\.$/,
    ],
    [
      'another winner',
      { ...honest, order: (honest.order ?? []).toReversed() },
      /^Place 1 of the order is position \d+ with no mask, and should be position 1 with Small\.$/,
    ],
    [
      'an entry that was taken back once the randomness was known',
      { ...byCard, entered: [5, 8, 12] },
      /^Those who entered have the hash \w{64}, not \w{64}\.$/,
    ],
    [
      'entries that were never announced',
      { ...honest, entered: [3, 5] },
      /^Those who entered have the hash \w{64}, not null\.$/,
    ],
    [
      'an entry from behind the list',
      recordOf(entrants(20), { entered: [3, 21] }),
      /^Somebody entered who is not on the list\.$/,
    ],
    [
      'an entry twice',
      recordOf(entrants(20), { entered: [3, 3] }),
      /^Somebody entered who is not on the list\.$/,
    ],
    ['a shorter order', { ...honest, order: (honest.order ?? []).slice(1) }, /^Place 1 of/],
    ['another round', { ...honest, evidence: ROUNDS[1][1] }, /^The randomness is not/],
    [
      'a round that was public',
      recordOf(entrants(20), { announced_at: '2023-08-23T16:00:00.000Z' }),
      /^The round was public before the draw was announced\.$/,
    ],
    [
      'an announcement rewritten with a round of years ago',
      recordOf(entrants(20), { frozen_at: '2026-11-24T10:00:00.000Z' }),
      /^The draw was announced before the list was frozen\.$/,
    ],
    [
      'a time that programs could read differently',
      recordOf(entrants(20), { announced_at: '2023-08-23 15:55' }),
      /^The draw was announced before the list was frozen\.$/,
    ],
    [
      'lost drops that no score can have',
      recordOf([{ ...entrant(1), losses: 0 }]),
      /^A ticket has an impossible weight\.$/,
    ],
    ...[0, 256, 2.5, undefined].map((weight): [string, DrawRecord, RegExp] => [
      `a weight of ${weight}`,
      recordOf([{ ...entrant(1), ...(weight !== undefined && { weight }) }], { version: 2 }),
      /^A ticket has an impossible weight\.$/,
    ]),
    [
      'a weight in a record without a version',
      recordOf([{ ...entrant(1), weight: 2 }]),
      /^A ticket has an impossible weight\.$/,
    ],
    [
      'lost drops beside a weight',
      recordOf([{ ...entrant(1), weight: 2, losses: 1 }], { version: 2 }),
      /^A ticket has an impossible weight\.$/,
    ],
    [
      'a version that came later',
      recordOf([{ ...entrant(1), weight: 2 }], { version: 3 as 2 }),
      /^This check does not know version 3 of a record\.$/,
    ],
  ])('finds %s', (_name, record, problem) => {
    expect(verifyDraw(record).problems).toContainEqual(expect.stringMatching(problem));
  });

  test.each<[string, DrawRecord]>([
    ['a forged list', recordOf(forged)],
    ['a changed rule', recordOf(entrants(20), { drawn_among: 20 })],
    ['a late entrant', recordOf(late)],
  ])('finds %s by the noted hash, even if all hashes were changed to match', (_name, record) => {
    expect(verifyDraw(record).problems).toEqual([]);
    expect(verifyDraw(record, honest.announcement_hash).problems).toEqual([
      `Neither list nor announcement has the hash ${honest.announcement_hash} that you noted.`,
    ]);
  });
});
