import fastify from 'fastify';
import { expect, test } from 'vitest';
import { PLAIN_STATUS_PAGES, PLAIN_STATUS_PLACES } from '../../../contract/plain-status.ts';
import type { Member } from '../../../contract/schemas.ts';
import type { DropStanding } from '../../drop/views/drop-standing.ts';
import { Problem } from '../../problem.ts';
import { openPlainStatus } from './plain-status.ts';
import type { Templates } from './templates.ts';

const MEMBER: Member = {
  id: 'some-id',
  email: 'member@example.com',
  referral_code: 'GH05T1GH05',
  position: 128,
  referral_count: 1,
  ...{ joined_referrals: 1, confirmed_referrals: 1, settled_referrals: 1, is_confirmed: true },
  tier_level: 5,
  next_tier: null,
  rewards_unlocked: [],
};

const PLACE: DropStanding['place'] = {
  words: { title: 'You are on the list', text: 'Your place is fixed.' },
  drop: 2,
  state: 'frozen',
  position: 12,
  place: null,
  size: null,
  edition: null,
  odds: null,
  can_return: true,
  is_mailed: true,
  is_paused: false,
  card_entry: null,
  hash: 'ab',
};
const OFFER = { size: 'Small', refund: null, until: 'eight' };

async function ask(
  getStatus: () => Promise<Member>,
  standing: (Pick<DropStanding, 'place' | 'offer'> & Partial<DropStanding>) | null = null,
) {
  const places = PLAIN_STATUS_PLACES.map((name) => `${name}=<!--${name}-->;`).join('');
  const templates = Object.fromEntries(
    PLAIN_STATUS_PAGES.map((name) => [name, `${name}:${places}`]),
  ) as Templates;
  const publicUrl = 'https://line.example.com';
  const send = openPlainStatus({
    publicUrl,
    brand: { language: 'en', maskCount: 100 },
    templates,
    ghosts: { drawMember: async () => '' },
    getStatus,
    getStanding: async () => standing && { freezesOn: null, ...standing },
    inviters: { ask: async (id) => ({ id, identity: '', code: '', until: null, refusal: null }) },
  });
  const server = fastify();
  server.get('/', (request, reply) => send(request, reply, MEMBER.id));
  const response = await server.inject('/');
  await server.close();
  return response;
}

test('a member without rewards and without a next tier reads so', async () => {
  const { payload } = await ask(async () => MEMBER);
  expect(payload).toContain('referrals=1;referral-noun=referral;');
  expect(payload).toContain('next-reward=You have reached the last tier.;unlocked=;');
});

test('a position has separators, and the room that it needs with them', async () => {
  const { payload } = await ask(async () => ({ ...MEMBER, position: 12_480 }));
  expect(payload).toContain('position=12,480;digits=7;');
});

test('the text of a reward is no markup', async () => {
  const next_tier = { required_referrals: 3, reward: '<b>"A" & B</b>' };
  const { payload } = await ask(async () => ({ ...MEMBER, next_tier }));
  expect(payload).toContain('Next reward: &lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt;;');
});

test('friends who have yet to confirm are counted as on the page with script', async () => {
  const friends = async (standing: Parameters<typeof ask>[1]) => {
    const counts = { joined_referrals: 14, confirmed_referrals: 11, settled_referrals: 11 };
    const member = { ...MEMBER, referral_count: 14, ...counts };
    return /friends=(.*?);/.exec((await ask(async () => member, standing)).payload)?.[1];
  };
  const counted = '14 friends, 11 confirmed, 11 count.';
  const place = { ...PLACE, state: 'open' } as const;
  expect(await friends({ place, offer: null, freezesOn: 'Tue, Nov 24' })).toBe(
    `${counted} Only confirmed friends count when the line freezes on Tue, Nov 24, one of each ` +
      'mailbox. They confirm by the link in their mail.',
  );
  expect(await friends({ place, offer: null })).toContain('when the line freezes, one');
  expect(await friends({ place: PLACE, offer: null })).toBe(counted);
  const alone = { ...MEMBER, joined_referrals: 0, settled_referrals: 0 };
  expect((await ask(async () => alone)).payload).toContain('friends=;');
});

test.each<[string, Pick<DropStanding, 'place' | 'offer'>, string]>([
  ['an open line', { place: { ...PLACE, state: 'open' }, offer: null }, 'drop-number=;drop-text=;'],
  [
    'an offer',
    { place: PLACE, offer: { ...OFFER, state: 'open' } },
    'drop-number=2;drop-text=A mask in size Small is set aside for you until eight. To answer,',
  ],
  [
    'a pass',
    { place: PLACE, offer: { ...OFFER, state: 'accepted' } },
    'drop-text=You have a pass for one mask in size Small. To use it,',
  ],
  [
    'a mask',
    { place: PLACE, offer: { ...OFFER, state: 'handed_over' } },
    'drop-text=You have your mask. Its size is Small.;',
  ],
  [
    'a mask whose money went back',
    { place: PLACE, offer: { ...OFFER, state: 'paid', refund: 'done' } },
    'drop-text=What you paid was given back. So this pass brings no mask.',
  ],
  [
    'a cancelled pass that was paid',
    { place: PLACE, offer: { ...OFFER, state: 'cancelled', refund: 'due' } },
    'If that surprises you, reply to our mail. What you paid goes back to you.;',
  ],
  ['a frozen line', { place: PLACE, offer: null }, 'drop-number=2;drop-text=Your place is fixed.;'],
  [
    'an ended offer',
    { place: PLACE, offer: { ...OFFER, state: 'expired' } },
    'drop-text=Your offer ended at eight without an answer',
  ],
])('%s is described in a sentence', async (_what, standing, words) => {
  expect((await ask(async () => MEMBER, standing)).payload).toContain(words);
});

test('a status that cannot be read now is a page that says when to try again', async () => {
  const problem = new Problem('too_busy', 'Too many people at once.', { retryAfterSeconds: 3 });
  const { statusCode, headers, payload } = await ask(() => Promise.reject(problem));
  expect([statusCode, headers['retry-after'], headers['cache-control']]).toEqual([
    503,
    '3',
    'no-store, no-transform',
  ]);
  expect(payload).toMatch(/^plain-status-failed:/);
});

test('a fault of ours is not hidden behind a page', async () => {
  expect((await ask(() => Promise.reject(new Error('a fault')))).statusCode).toBe(500);
});
