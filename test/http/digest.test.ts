/** What the owners are mailed once a day. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertOperator } from '../../server/access/operator-store.ts';
import type { App } from '../../server/app.ts';
import type { Config } from '../../server/config.ts';
import { readEmail } from '../../server/mail/email-rules.ts';
import { type Engine, oneEngine } from '../support/engines.ts';
import { startMailbox } from '../support/smtp-mailbox.ts';
import { openTestApp, type TestApp } from './test-app.ts';

let app: TestApp;
const others: App[] = [];
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
  await app.remove();
});

async function open(engine: Engine, settings: Partial<Config> = {}) {
  app = await openTestApp(engine, settings);
  const owner = { name: 'Olga', role: 'owner' } as const;
  for (const email of ['olga@brand.example', 'oskar@brand.example'])
    await insertOperator(app.database.kysely, { ...owner, address: address(email) });
  const viewer = { name: 'Vera', role: 'viewer' } as const;
  await insertOperator(app.database.kysely, { ...viewer, address: address('vera@brand.example') });
}

function address(email: string) {
  const read = readEmail(email);
  if (read === null) throw new Error(email);
  return read;
}

async function mailDigest(by: Pick<App, 'scheduledWork'> = app): Promise<void> {
  await by.scheduledWork.find(({ name }) => name === 'mailing the digest')?.run();
}

/** Kept mails to operators. */
function digests(): string[] {
  const folder = join(app.config.dataDir, 'mail');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.includes('operator') && name.endsWith('.eml'))
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''));
}

/** The provider refuses the sender. */
const stopMail = () =>
  app.database.runSql(`
    update mail_pace set refused_since = '2026-03-04 23:30Z', refused_until = null,
      refused_with = '550 5.4.5'`);

const aDayPasses = () =>
  app.database.runSql("update digest_state set sent_at = sent_at - interval '24 hours'");

describe.each(oneEngine)('the digest on %s', (engine) => {
  beforeEach(() => open(engine));

  test('goes to the owners once a day, from one server, and names no member', async () => {
    await mailDigest();
    expect(digests()).toEqual([]);
    await stopMail();
    others.push(await app.openAnother(), await app.openAnother());
    await Promise.all([app, ...others].map(mailDigest));
    await mailDigest();
    const mails = digests();
    expect(mails.map((mail) => /^To: (.*)\r$/m.exec(mail)?.[1]).sort()).toEqual([
      'olga@brand.example',
      'oskar@brand.example',
    ]);
    for (const mail of mails) {
      expect(mail).toMatch(/^Subject: .*: Mail stood still\r$/m);
      expect(mail).toContain('Mail stands still since 4 March 2026 at 23:30');
      expect(mail).not.toContain('example.com@');
      expect(mail.replaceAll('waitlist@line.example.com', '')).not.toMatch(/\w@example\.com/);
    }
    await aDayPasses();
    others.push(await app.openAnother());
    await mailDigest(others.at(-1));
    expect(digests()).toHaveLength(4);
  });
});

test('a mail server that is away is asked again, and only then the day is used', async () => {
  const box = await startMailbox();
  await open('postgres', { smtpUrl: 'smtp://127.0.0.1:9?tls=off' });
  await stopMail();
  await mailDigest();
  const working = await app.openAnother({ smtpUrl: box.url });
  others.push(working);
  await mailDigest(working);
  await mailDigest(working);
  const toOwners = box.mails.flatMap(({ to }) => to).filter((to) => to.endsWith('brand.example'));
  expect(toOwners.sort()).toEqual(['olga@brand.example', 'oskar@brand.example']);
  await working.close();
  others.pop();
  await box.close();
});

test('DIGEST=off mails nothing', async () => {
  await open('postgres', { isMailingDigest: false });
  await stopMail();
  await mailDigest();
  expect(digests()).toEqual([]);
});
