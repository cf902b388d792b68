import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Problem } from '../../problem.ts';
import { type GhostDrawer, openGhostDrawer } from './draw-ghost.ts';

const MEMBERS_CODE = 'ABCDEFGHJK';
const IP = '192.0.2.1';

let drawn: string[];
let draw: (code: string) => Promise<string>;
let verify: (code: string) => Promise<boolean>;
let ghosts: GhostDrawer;
beforeEach(() => {
  drawn = [];
  draw = async (code) => `ghost of ${code}`;
  verify = async (code) => code === MEMBERS_CODE;
  ghosts = openGhostDrawer({
    maskSvg: () => 'mask',
    images: {
      async draw(job) {
        const { code } = job as { code: string };
        drawn.push(code);
        return (await draw(code)) as never;
      },
    },
    verifyCode: async (code) => ({ valid: await verify(code), referrer_email: null }),
  });
});
afterEach(() => void vi.useRealTimers());

test("a member's ghost is drawn, in any spelling of the code", async () => {
  expect(await ghosts.drawInvite(' abcdefghjk', IP)).toBe(`ghost of ${MEMBERS_CODE}`);
  expect(await ghosts.drawMember(MEMBERS_CODE, IP)).toBe(`ghost of ${MEMBERS_CODE}`);
});

test('nothing is drawn for a code of no member', async () => {
  for (const code of ['ZZZZZZZZZZ', 'nonsense!'])
    expect(await ghosts.drawInvite(code, IP)).toBe('mask');
  expect(drawn).toEqual([]);
});

test('a look-up that is refused promises nothing, and draws as a failed drawing does', async () => {
  const refuse = async () => {
    throw new Problem('too_busy', 'Please wait.');
  };
  draw = refuse;
  expect(await ghosts.drawInvite(MEMBERS_CODE, IP)).toBe('mask');
  expect(await ghosts.drawMember(MEMBERS_CODE, IP)).toBe('mask');
  expect(await ghosts.isMembers(MEMBERS_CODE, IP)).toBe(true);
  for (const text of ['ZZZZZZZZZZ', 'nonsense!'])
    expect(await ghosts.isMembers(text, IP)).toBe(false);
  expect(await ghosts.isMembers('', IP)).toBeNull();
  verify = refuse;
  expect(await ghosts.drawInvite(MEMBERS_CODE, IP)).toBe('mask');
  expect(await ghosts.isMembers(MEMBERS_CODE, IP)).toBeNull();
});

test('a fault of our own is not hidden', async () => {
  verify = () => Promise.reject(new TypeError('a fault'));
  await expect(ghosts.drawInvite(MEMBERS_CODE, IP)).rejects.toThrow('a fault');
});

test('a page waits a second for a slow look-up or drawing, and no longer', async () => {
  vi.useFakeTimers();
  const never = () => new Promise<never>(() => {});
  draw = never;
  const slow = [ghosts.drawMember(MEMBERS_CODE, IP), ghosts.drawInvite(MEMBERS_CODE, IP)];
  verify = never;
  slow.push(ghosts.drawInvite(MEMBERS_CODE, IP));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.all(slow)).toEqual(['mask', 'mask', 'mask']);
});
