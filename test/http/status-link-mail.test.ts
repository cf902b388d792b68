/** A known address that joins again is mailed its status link, and only its owner learns of it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths } from '../../contract/paths.ts';
import { claimStatusMail } from '../../server/mail/store.ts';
import { engines } from '../support/engines.ts';
import { openTestApp, type TestApp } from './test-app.ts';

describe.each(engines)('mail on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(() => app.remove());

  const letters = () => {
    const folder = join(app.config.dataDir, 'mail');
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  };
  const joinAgain = (email: string) => app.fastify.inject({ method: 'POST', url: apiPaths.join(), payload: { email } });

  test('one letter in 10 minutes, however often and however spelled', async () => {
    const { id } = await app.join('Ada@Example.com');
    const answers = await Promise.all(Array.from({ length: 8 }, () => joinAgain('ADA@example.COM')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(409));
    await expect.poll(() => letters().length, { timeout: 30_000 }).toBe(1);
    await app.openAnother().then((another) => another.close());
    await joinAgain('ada@example.com');
    const other = await app.join('other@example.com');
    await joinAgain('other@example.com');
    await expect.poll(() => letters().length, { timeout: 30_000 }).toBe(2);
    const [first = ''] = letters();
    const letter = readFileSync(first, 'utf8');
    expect(letter).toMatch(/^To: Ada@example\.com\r$/im);
    expect(letter).toContain(`https://line.example.com/thank-you/${id}`.slice(0, 60));
    expect(letter).not.toContain(other.id);
    expect(statSync(first).mode & 0o777).toBe(0o600);
  });

  test('after the pause the next letter may go', async () => {
    const { id: memberId } = await app.join('late@example.com');
    expect(await claimStatusMail(app.database, { memberId, pauseMinutes: 10 })).toBe(true);
    expect(await claimStatusMail(app.database, { memberId, pauseMinutes: 10 })).toBe(false);
    expect(await claimStatusMail(app.database, { memberId, pauseMinutes: 0 })).toBe(true);
  });
});
