/**
 * A server that logs all it can is taken through everything it does: nothing in its output says who
 * was there.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { apiPaths, imagePaths, mailPagePaths, pagePaths } from '../../../contract/paths.ts';
import { createMigratedPlace, oneEngine } from '../../support/engines.ts';
import { startServer } from '../../support/server-process.ts';
import { startMailbox } from '../../support/smtp-mailbox.ts';
import { DEFERRED, REFUSED, tourEverything, WEBHOOK_KEY } from './personal-tour.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe.each(oneEngine)('on %s', (engine) => {
  test('no line of the log has an address, member id, referral code, token or key', async () => {
    const place = await createMigratedPlace(engine);
    closing.push(() => place.remove());
    const box = await startMailbox({
      react(moment, address) {
        if (moment !== 'recipient') return undefined;
        const isRefused = address === REFUSED;
        return isRefused ? '550 5.1.1 User unknown' : address === DEFERRED ? 451 : undefined;
      },
    });
    closing.push(() => box.close());
    const secretKey = 'the secret key of the tour, long enough';
    const webhookSecret = `whsec_${WEBHOOK_KEY.toString('base64')}`;
    const server = await startServer({
      DATA_DIR: place.dataDir,
      ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
      LOG_LEVEL: 'trace',
      REFERRAL_CREDIT: 'confirm',
      SMTP_URL: box.url,
      MAIL_RATE: '1000',
      MAIL_WEBHOOK_SECRET: webhookSecret,
      SECRET_KEY: secretKey,
      TRUST_PROXY: '127.0.0.1',
    });
    closing.push(() => server.kill());
    const secrets = await tourEverything({ server, box, dataDir: place.dataDir });
    await expect
      .poll(server.output, { timeout: 20_000 })
      .toContain('mail not delivered, giving up');
    expect(await server.stop()).toBe(0);

    const output = server.output();
    for (const pattern of [apiPaths, pagePaths, mailPagePaths, imagePaths].flatMap<string>(
      Object.values,
    ))
      expect(output).toContain(`"route":"${pattern}"`);
    expect(output).toContain('"route":"unknown"');
    expect(output).toContain('clients hung up before they were answered');
    expect(secrets.size).toBeGreaterThan(30);
    expect(linesWith(output, ['"ROUTE":"/INVITE/:code"']).length).toBeGreaterThan(5);
    expect(linesWith(output, [...secrets, secretKey, '@example', '%40example'])).toEqual([]);
  });
});

function linesWith(output: string, secrets: readonly string[]): string[] {
  const wanted = secrets.map((secret) => secret.toLowerCase());
  return output
    .split('\n')
    .filter((line) => wanted.some((secret) => line.toLowerCase().includes(secret)));
}
