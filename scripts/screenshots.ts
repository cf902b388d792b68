/** `npm run screenshots`: retakes pictures of changed pages. Delete a picture to force it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { brand } from '../brand/brand.ts';
import type { ChangeKind, ChangeRequest } from '../contract/operator/changes.ts';
import { apiPaths, fillPath, pagePaths } from '../contract/paths.ts';
import type { Member } from '../contract/schemas.ts';
import { partsOf } from '../server/db/scheduled-work.ts';
import { signLinkToken } from '../server/mail/link-token.ts';
import { ROOT } from './build/vite-config.ts';
import { buildSite, DIST } from './build.ts';
import { CHROMIUM_FLAGS, ensureChromium } from './chromium.ts';
import { callOperator } from './operator/call-operator.ts';
import { freePort, startOwnServer } from './own-server.ts';
import { isOld, listPictures } from './pictures/picture-sources.ts';
import {
  SCREENS,
  type Screen,
  saveMovingPicture,
  saveScreenshot,
} from './pictures/save-picture.ts';

const MASKS = 100;
const ENTRANTS = 500;
const MAIL_POLL_MS = 500;
const SETTLE_MS = 3500;
const KEY_MS = 110;
const LINK_MS = 3_600_000;
const SECRET_KEY = 'the secret key of a server for pictures';

const JOINING = 'joining-phone.webp';
/** The window of an app's browser. */
const SMALL_PHONE = { viewport: { width: 390, height: 664 }, deviceScaleFactor: 1 };

const ORIGIN = `https://${brand.name.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`;

const POSITION = 28;
const FRIENDS = 4;
const MORE_FRIENDS = 9;
const OTHERS = 600;
/** The server refuses more than it can answer soon. */
const AT_ONCE = 20;

async function post(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Who has not confirmed is not frozen. */
async function joinLine(name: string, referredBy: string | null): Promise<Member> {
  const wanted = { email: `${name}@example.com`, referred_by: referredBy };
  const joined = (await (await post(apiPaths.join, wanted)).json()) as Member;
  const link = { purpose: 'confirm', memberId: joined.id, mailbox: null } as const;
  const expiresAt = new Date(Date.now() + LINK_MS);
  await post(apiPaths.confirm, { token: signLinkToken(SECRET_KEY, { ...link, expiresAt }) });
  return joined;
}

async function fillLine(): Promise<Member> {
  const bringFriends = (member: Member, name: string, friends: number) =>
    Promise.all(
      Array.from({ length: friends }, (_, number) =>
        joinLine(`${name}-friend${number}`, member.referral_code),
      ),
    );
  for (let number = 1; number < POSITION; number += 1) {
    const name = `ahead${number}`;
    await bringFriends(await joinLine(name, null), name, FRIENDS + 1 + (number % MORE_FRIENDS));
  }
  const others = Array.from({ length: OTHERS }, (_, number) => `other${number}`);
  for await (const names of partsOf(others, AT_ONCE))
    await Promise.all(names.map((name) => joinLine(name, null)));
  const member = await joinLine('ada', null);
  await bringFriends(member, 'ada', FRIENDS);
  const { position } = (await (
    await fetch(url + fillPath(apiPaths.status, member.id))
  ).json()) as Member;
  if (position !== POSITION)
    throw new Error(`The member shown is at position ${position}, not ${POSITION}.`);
  return member;
}

async function openPage({ name, viewport, deviceScaleFactor }: Screen): Promise<Page> {
  const context = await browser.newContext({
    baseURL: ORIGIN,
    viewport,
    deviceScaleFactor,
    isMobile: name === 'phone',
    bypassCSP: true,
  });
  await context.route(`${ORIGIN}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const response = await route.fetch({ url: url + pathname + search });
    if (route.request().resourceType() !== 'document') return await route.fulfill({ response });
    // Routes bypass the browser's cache, so an optional font would come too late.
    const body = (await response.text()).replaceAll('font-display:optional', 'font-display:block');
    await route.fulfill({ response, body });
  });
  // A stream never ends, and so could not be passed on like other answers.
  await context.route(`${ORIGIN}${fillPath(apiPaths.live, '*')}`, (route) =>
    route.fulfill({ status: 204 }),
  );
  await context.addInitScript(() => {
    HTMLMediaElement.prototype.play = () => new Promise(() => undefined);
  });
  return await context.newPage();
}

async function shoot(page: Page, screen: Screen): Promise<void> {
  const { id, referral_code: code } = member;
  const shots = [
    ['landing', pagePaths.landing, page.locator('.landing-mask')],
    ['invite', fillPath(pagePaths.invite, code), page.getByText('ada@example.com')],
    ['status', fillPath(pagePaths.status, id), page.getByLabel('Invite link', { exact: true })],
  ] as const;
  for (const [label, path, shown] of shots) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await shown.waitFor();
    await page.waitForTimeout(SETTLE_MS);
    await saveScreenshot(page, label, screen);
  }
}

await buildSite({ outDir: DIST });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-screenshots-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const url = await startOwnServer({
  DATA_DIR: dataDir,
  PORT: String(await freePort()),
  PUBLIC_URL: ORIGIN,
  LIMITS: 'off',
  SECRET_KEY,
  TRIAL: 'on',
});
const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_FLAGS });
const member = await fillLine();
const pages: { page: Page; screen: Screen }[] = [];
for (const screen of SCREENS) pages.push({ page: await openPage(screen), screen });
for (const { page, screen } of pages) await shoot(page, screen);
await shootJoining();
await shootPass();
await browser.close();
if (!listPictures().some((picture) => picture.startsWith('console-') && isOld(picture)))
  process.exit(0);
const ofConsole = spawnSync(process.execPath, [join(ROOT, 'demo/screenshots.ts')], {
  stdio: 'inherit',
});
process.exit(ofConsole.status ?? 1);

async function shootJoining(): Promise<void> {
  if (!isOld(JOINING)) return;
  const page = await openPage({ ...SCREENS[0], ...SMALL_PHONE });
  await page.goto(`${pagePaths.landing}?ref=${member.referral_code}`, { waitUntil: 'networkidle' });
  await page.waitForTimeout(2 * SETTLE_MS);
  await saveMovingPicture(page, JOINING, async () => {
    await page.getByLabel('Email').pressSequentially('grace@example.com', { delay: KEY_MS });
    await page.getByRole('button', { name: 'SECURE YOUR SPOT' }).click();
    await page.getByLabel('Invite link', { exact: true }).waitFor({ state: 'attached' });
    await page.waitForTimeout(SETTLE_MS);
  });
}

async function shootPass(): Promise<void> {
  const change = (kind: ChangeKind, input: object) =>
    callOperator({ dataDir, operatorToken: null }, 'POST changes', {
      body: { kind, input, reason: 'pictures' } as ChangeRequest,
    });
  await change('freeze-drop', { first: ENTRANTS, domains: ['example.com'] });
  await change('announce-draw', { by_rank: MASKS, drawn_among: 0, source: 'none' });
  await change('select-entrants', {});
  await change('start-offers', { minutes: 720, time_zone: 'UTC' });
  const link = await findLink();
  for (const [index, { page, screen }] of pages.entries()) {
    await page.goto(link, { waitUntil: 'load' });
    if (index === 0) await page.getByRole('button', { name: /^Accept/ }).click();
    await page.getByRole('button', { name: 'Copy the code' }).waitFor();
    await page.waitForTimeout(SETTLE_MS);
    await saveScreenshot(page, 'drop-pass', screen);
  }
}

async function findLink(): Promise<string> {
  const folder = join(dataDir, 'mail');
  for (;;) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const name of files.filter((file) => file.endsWith('.eml'))) {
      const mail = await PostalMime.parse(readFileSync(join(folder, name)));
      const [link] = /https?:\S+#offer=[\w.-]+/.exec(mail.text ?? '') ?? [];
      if (link !== undefined && mail.to?.[0]?.address === member.email) {
        const { pathname, hash } = new URL(link);
        return pathname + hash;
      }
    }
    await pause(MAIL_POLL_MS);
  }
}
