import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { SignedIn } from '../contract/operator/access.ts';
import type { AuditPage } from '../contract/operator/changes.ts';
import type { Campaigns } from '../contract/operator/mail/campaigns.ts';
import type { Allocations } from '../contract/operator/masks.ts';
import type { MemberFilter } from '../contract/operator/member-filter.ts';
import type { MemberPage } from '../contract/operator/member-list.ts';
import type { MemberSheet } from '../contract/operator/member-sheet.ts';
import type { Overview, OverviewHealth } from '../contract/operator/overview.ts';
import { operatorPaths } from '../contract/operator/paths.ts';
import type { Verification } from '../contract/operator/verification.ts';
import { fillPath } from '../contract/paths.ts';
import { freePort } from '../scripts/own-server.ts';
import { runCommand } from '../test/support/run-command.ts';
import { QUICK_START } from '../test/support/server-process.ts';
import { tellStory } from '../test/support/tell-story.ts';

const MEMBERS = 200;
const START_PATIENCE_MS = 300_000;
const DEMO = fileURLToPath(new URL('demo.ts', import.meta.url));

let folder: string;
let demo: ChildProcess;
let output = '';
let origin: string;
let cookie: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-demo-test-'));
  const words = ['--members', String(MEMBERS), '--no-browser'];
  demo = spawn(process.execPath, [...QUICK_START, DEMO, ...words], {
    env: { ...process.env, TMPDIR: folder, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [demo.stdout, demo.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  await vi.waitUntil(() => output.includes('Ctrl-C ends') || demo.exitCode !== null, {
    timeout: START_PATIENCE_MS,
  });
  expect(output).toContain('The demo is ready');
  const answer = await signInBy(await followEntrance());
  cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
});
afterAll(() => {
  demo.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** The link that the printed address leads to. */
async function followEntrance(): Promise<string> {
  const entrance = /^ {2}(http:\S+)$/m.exec(output)?.[1] ?? '';
  return (await fetch(entrance, { redirect: 'manual' })).headers.get('location') ?? '';
}

async function signInBy(link: string): Promise<Response> {
  const { origin: own, hash, pathname } = new URL(link);
  expect(pathname).toMatch(/\/sign-in$/);
  origin = own;
  const answer = await fetch(origin + operatorPaths.signIn, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ token: hash.slice(1) }),
  });
  const { operator } = (await answer.clone().json()) as SignedIn;
  expect(operator).toMatchObject({ name: 'Mara Lind', role: 'owner' });
  return answer;
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const answer = await fetch(origin + path, {
    method: body ? 'POST' : 'GET',
    headers: { cookie, origin, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function list(filter: MemberFilter, sort: 'position' | 'referrals' = 'position') {
  const request = { filter, sort, order: sort === 'position' ? 'asc' : 'desc', limit: 100 };
  return (await ask<MemberPage>(operatorPaths.listMembers, request)).members;
}

const step = tellStory('the demo is a line that was worked with, and leaves nothing behind');

step('its link signs in as often as wanted, and the command line makes links for it', async () => {
  for (let time = 0; time < 3; time += 1) await signInBy(await followEntrance());
  const empty = join(tmpdir(), 'no-waitlist-here');
  const command = await runCommand({ DATA_DIR: empty }, 'sign-in');
  expect(command.stderr).toContain(`No server is running on ${empty}, so this is for the demo.`);
  await signInBy(command.stdout.trim());
});

step('the line and the audit log are what they follow from', async () => {
  const { members, differences, audit } = await ask<Verification>(operatorPaths.verify, {});
  expect(differences).toEqual([]);
  expect(members).toBeGreaterThan(MEMBERS);
  expect(audit.entries).toBeGreaterThan(5);
});

step('members came over weeks, from several sources, and many by friends of friends', async () => {
  const from = new Date(Date.now() - 45 * 24 * 3_600_000).toISOString();
  const overview = await ask<Overview>(`${operatorPaths.overview}?from=${from}`);
  const busyDays = overview.buckets.filter(({ joins }) => joins > 0);
  expect(busyDays.length).toBeGreaterThan(20);
  expect(overview.totals.visits).toBeGreaterThan(3 * MEMBERS);
  expect(overview.sources.length).toBeGreaterThan(5);
  const [best] = await list({}, 'referrals');
  expect(best?.referral_count).toBeGreaterThan(5);
  const invited = (await list({}, 'referrals')).filter(
    ({ referred_by, referral_count }) => referred_by !== null && referral_count > 0,
  );
  expect(invited.length).toBeGreaterThan(2);
});

step('mail is in every state', async () => {
  for (const mail of ['stopped', 'bounced', 'complained'] as const)
    expect(await list({ mail }), mail).not.toEqual([]);
  const { mail } = await ask<OverviewHealth>(operatorPaths.overviewHealth);
  expect(mail.sent).toBeGreaterThan(0);
});

step('a cheat has held and refused credits', async () => {
  expect(await list({ credit: 'held' })).not.toEqual([]);
  const refused = await list({ credit: 'refused' });
  expect(refused.map(({ email }) => email)).toContain('vex.turbo+1@mail.example');
  const [cheat] = await list({ text: refused[0]?.referred_by ?? '' });
  const path = fillPath(operatorPaths.member, cheat?.id ?? '');
  const { friends } = await ask<MemberSheet>(path);
  expect(friends).toMatchObject({ given: 0, held: 5, refused: 9 });
});

step('the operators have worked: changes, an undo, masks, a campaign', async () => {
  const { entries } = await ask<AuditPage>(operatorPaths.changes);
  const actions = new Set(entries.map(({ action }) => action));
  expect([...actions]).toEqual(expect.arrayContaining(['remove-members', 'undo', 'send-campaign']));
  const { allocations } = await ask<Allocations>(operatorPaths.allocations);
  expect(allocations).toHaveLength(1);
  const { campaigns } = await ask<Campaigns>(operatorPaths.campaigns);
  expect(campaigns.map(({ state }) => state)).toEqual(['sent']);
});

step('there is a backup', async () => {
  const { backup } = await ask<OverviewHealth>(operatorPaths.overviewHealth);
  expect(backup).toEqual({ succeeded_at: expect.any(String), failed_at: null });
});

step('Ctrl-C ends it and leaves nothing behind', async () => {
  expect(readdirSync(folder)).toHaveLength(1);
  const ended = once(demo, 'exit');
  demo.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual([]);
});
