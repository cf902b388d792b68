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
  joined_referrals: 1,
  confirmed_referrals: 1,
  settled_referrals: 1,
  is_confirmed: true,
  tier_level: 5,
  next_tier: null,
  rewards_unlocked: [],
};

const OPEN: DropStanding = { drop: 2, state: 'open', offer: null, freezesOn: null };
const FROZEN: DropStanding = { ...OPEN, state: 'frozen' };
const OFFER = { size: 'Small', until: 'eight' };

async function ask(getStatus: () => Promise<Member>, standing = OPEN) {
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
    getStanding: async () => standing,
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

test('the top is promised to nobody once the line is frozen', async () => {
  const note = async (standing: DropStanding) =>
    /position-note=(.*?);/.exec((await ask(async () => MEMBER, standing)).payload)?.[1];
  expect(await note(OPEN)).toContain('28 places to the top 100');
  expect(await note(FROZEN)).toBe('');
});

test('the text of a reward is no markup', async () => {
  const next_tier = { required_referrals: 3, reward: '<b>"A" & B</b>' };
  const { payload } = await ask(async () => ({ ...MEMBER, next_tier }));
  expect(payload).toContain('Next reward: &lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt;;');
});

test('friends who have yet to confirm are counted as on the page with script', async () => {
  const friends = async (standing: DropStanding) => {
    const counts = { joined_referrals: 14, confirmed_referrals: 11, settled_referrals: 11 };
    const member = { ...MEMBER, referral_count: 14, ...counts };
    return /friends=(.*?);/.exec((await ask(async () => member, standing)).payload)?.[1];
  };
  const counted = '14 friends, 11 confirmed, 11 count.';
  expect(await friends({ ...OPEN, freezesOn: 'Tue, Nov 24' })).toBe(
    `${counted} Only confirmed friends count when the line freezes on Tue, Nov 24, one of each ` +
      'mailbox. They confirm by the link in their mail.',
  );
  expect(await friends(OPEN)).toContain('when the line freezes, one');
  expect(await friends(FROZEN)).toBe(counted);
  const alone = { ...MEMBER, joined_referrals: 0, settled_referrals: 0 };
  expect((await ask(async () => alone)).payload).toContain('friends=;');
});

const ELSEWHERE = 'Where you stand in this drop is on this page in a browser with scripts.';

test.each<[string, DropStanding, string]>([
  ['an open line', OPEN, 'drop-number=;drop-text=;'],
  ['a frozen line', FROZEN, `drop-number=2;drop-text=${ELSEWHERE};`],
  [
    'an offer',
    { ...FROZEN, offer: { ...OFFER, state: 'open' } },
    'drop-number=2;drop-text=A mask in size Small is set aside for you until eight. To answer,',
  ],
  [
    'a pass',
    { ...OPEN, offer: { ...OFFER, state: 'accepted' } },
    'drop-text=You have a pass for one mask in size Small. To use it,',
  ],
  ['an ended offer', { ...FROZEN, offer: { ...OFFER, state: 'expired' } }, ELSEWHERE],
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
