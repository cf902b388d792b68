/** A server dies in the middle of a campaign: nobody is left out, and few get the mail twice. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Campaign } from '../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { createMigratedPlace, defaultEngine } from '../support/engines.ts';
import { callAs } from '../support/operator-call.ts';
import { seedLine } from '../support/seed-line.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { headerOf, startMailbox } from '../support/smtp-mailbox.ts';
import { settingsOf } from './backup-commands.ts';
import { expireHeartbeats } from './settled-mail.ts';

const TOKEN = 'the-operator-token-of-this-campaign';
const MEMBERS = 120;
/** More than one server sends at a time, and fewer than all. */
const KILLED_AFTER = 40;
/** Mails that a server may have sent but not settled (docs/operate/notifications.md). */
const MAX_REPEATED = 10;

describe.each(defaultEngine)('a campaign on %s', (engine) => {
  test('outlives its server, with at most ten mails sent twice', { timeout: 300_000 }, async () => {
    const place = await createMigratedPlace(engine);
    await seedLine(place, MEMBERS);
    let received = 0;
    let kill = () => {};
    const box = await startMailbox({
      react(moment) {
        if (moment === 'received') received += 1;
        if (received === KILLED_AFTER) kill();
        return undefined;
      },
    });
    const settings = {
      ...settingsOf(place),
      DATA_DIR: place.dataDir,
      LIMITS: 'off',
      SECRET_KEY: 'the secret key of all servers of this test',
      OPERATOR_TOKEN: TOKEN,
      MAIL_RATE: '200',
      SMTP_URL: box.url,
    };
    const victim = await startServer(settings);
    // On PostgreSQL two servers send the campaign, and one of them dies.
    const other = place.databaseUrl === null ? null : await startServer(otherSettings(settings));
    const killed = Promise.withResolvers<void>();
    kill = () => void victim.kill().then(killed.resolve);

    const draft = await call<Campaign>(victim, operatorPaths.campaigns, {
      subject: 'News',
      body: 'You stand at {position}.',
      filter: { confirmed: false },
    });
    const { campaign, revision } = draft;
    await call(victim, operatorPaths.changes, {
      kind: 'send-campaign',
      input: { campaign, revision },
      reason: 'the drop is near',
    });
    await killed.promise;
    if (place.databaseUrl !== null) await expireHeartbeats(place.databaseUrl);
    const survivor = other ?? (await startServer(settings));
    const path = fillPath(operatorPaths.campaign, String(campaign));
    await expect
      .poll(async () => (await call<Campaign>(survivor, path)).state, { timeout: 120_000 })
      .toBe('sent');
    expect((await call<Campaign>(survivor, path)).counts).toEqual({
      recipients: MEMBERS,
      sent: MEMBERS,
      kept: 0,
      waiting: 0,
      failed: 0,
      suppressed: 0,
      departed: 0,
      cancelled: 0,
    });
    await survivor.stop();

    const idsOf = new Map<string, string[]>();
    for (const mail of box.mails) {
      const [to = ''] = mail.to;
      idsOf.set(to, [...(idsOf.get(to) ?? []), headerOf(mail, 'Message-ID')]);
    }
    const repeated = [...idsOf.values()].filter((ids) => ids.length > 1);
    expect(idsOf.size).toBe(MEMBERS);
    expect(repeated.length).toBeLessThanOrEqual(MAX_REPEATED);
    for (const ids of repeated) expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    await box.close();
    await place.remove();
  });
});

/** Each server has a data folder of its own. */
function otherSettings<Settings extends { readonly DATA_DIR: string }>(settings: Settings) {
  return { ...settings, DATA_DIR: join(settings.DATA_DIR, 'other') };
}

const call = <T>({ url }: ServerProcess, path: string, body?: object) =>
  callAs<T>(TOKEN, url + path, body);
