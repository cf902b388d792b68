/** What the owners are mailed once a day. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { insertOperator } from '../../server/access/operator-store.ts';
import type { App } from '../../server/app.ts';
import type { Config } from '../../server/config.ts';
import { readEmail } from '../../server/mail/email-rules.ts';
import { type Engine, oneEngine } from '../support/engines.ts';
import { startMailbox } from '../support/smtp-mailbox.ts';
import { readKeptMail } from './mail-links.ts';
import { provideApp } from './provide-app.ts';

const OWNERS = ['olga@brand.example', 'oskar@brand.example'];

/** A line with two owners and a viewer, whose provider refuses the sender once that is said. */
function provideRefused(engine: Engine, settings: Partial<Config> = {}) {
  const app = provideApp(engine, settings);
  beforeAll(async () => {
    for (const email of [...OWNERS, 'vera@brand.example']) {
      const address = readEmail(email);
      if (address === null) throw new Error(email);
      const role = OWNERS.includes(email) ? 'owner' : 'viewer';
      await insertOperator(app.database.kysely, { name: 'Olga', role, address });
    }
  });
  return {
    app,
    stopMail: () =>
      app.sql(`
        update mail_pace set refused_since = '2026-03-04 23:30Z', refused_until = null,
          refused_with = '550 5.4.5'`),
    mailDigest: (by: Pick<App, 'scheduledWork'> = app) => app.run('mailing the digest', by),
    /** Kept mails to operators. */
    digests: () =>
      existsSync(join(app.config.dataDir, 'mail', 'operator')) ? readKeptMail(app, 'operator') : [],
  };
}

describe.each(oneEngine)('the digest on %s', (engine) => {
  const { app, stopMail, mailDigest, digests } = provideRefused(engine);

  test('goes to the owners once a day, from one server, and names no member', async () => {
    await mailDigest();
    expect(digests()).toEqual([]);
    await stopMail();
    const others = [await app.openAnother(), await app.openAnother()];
    await Promise.all([app, ...others].map(mailDigest));
    await mailDigest();
    const mails = digests();
    expect(mails.map((mail) => /^To: (.*)\r$/m.exec(mail)?.[1]).sort()).toEqual(OWNERS);
    for (const mail of mails) {
      expect(mail).toMatch(/^Subject: .*: Mail stood still\r$/m);
      expect(mail).toContain('Mail stands still since 4 March 2026 at 23:30');
      expect(mail).not.toContain('example.com@');
      expect(mail.replaceAll('waitlist@line.example.com', '')).not.toMatch(/\w@example\.com/);
    }
    await app.sql("update digest_state set sent_at = sent_at - interval '24 hours'");
    others.push(await app.openAnother());
    await mailDigest(others.at(-1));
    expect(digests()).toHaveLength(4);
    for (const other of others) await other.close();
  });
});

describe('a mail server that is away', () => {
  const { app, stopMail, mailDigest } = provideRefused('postgres', {
    smtpUrl: 'smtp://127.0.0.1:9?tls=off',
  });

  test('is asked again, and only then the day is used', async () => {
    const box = await startMailbox();
    await stopMail();
    await mailDigest();
    const working = await app.openAnother({ smtpUrl: box.url });
    await mailDigest(working);
    await mailDigest(working);
    const sent = box.mails.flatMap(({ to }) => to).filter((to) => to.endsWith('brand.example'));
    expect(sent.sort()).toEqual(OWNERS);
    await working.close();
    await box.close();
  });
});

describe('DIGEST=off', () => {
  const { stopMail, mailDigest, digests } = provideRefused('postgres', { isMailingDigest: false });

  test('mails nothing', async () => {
    await stopMail();
    await mailDigest();
    expect(digests()).toEqual([]);
  });
});
