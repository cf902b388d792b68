/** More images are wanted at once than the server can draw. */
import { expect, test } from 'vitest';
import { fillPath, imagePaths, pagePaths } from '../../contract/paths.ts';
import { provideApp } from '../http/provide-app.ts';
import { NEUTRAL_CARD } from '../http/test-site.ts';

const app = provideApp('postgres');

test('images are 503 to a greedy address, never a neutral card, and drawn for others', async () => {
  const members = await Promise.all(
    Array.from({ length: 34 }, (_, index) => app.join(`many${index}@example.com`)),
  );
  const first = members[0]?.referral_code ?? '';
  const page = await app.fastify.inject(fillPath(pagePaths.invite, first));
  const version = /card\/([^"/]+)\.jpg"/.exec(page.payload)?.[1] ?? '';
  const ask = (url: string, remoteAddress: string) =>
    app.fastify.inject({ method: 'GET', url, remoteAddress });
  const crowd = members
    .slice(0, 30)
    .flatMap(({ id, referral_code: code }) => [
      ask(fillPath(imagePaths.inviteCard, code, version), '192.0.2.1'),
      ask(fillPath(imagePaths.memberImage, id, 'wide'), '192.0.2.1'),
    ]);
  const others = members
    .slice(30)
    .map(({ referral_code: code }, index) =>
      ask(fillPath(imagePaths.inviteCard, code, version), `198.51.100.${index}`),
    );
  for (const card of await Promise.all(others)) {
    expect([card.statusCode, card.payload === NEUTRAL_CARD]).toEqual([200, false]);
  }
  const answers = await Promise.all(crowd);
  expect(answers.filter(({ payload }) => payload === NEUTRAL_CARD)).toEqual([]);
  const refused = answers.filter(({ statusCode }) => statusCode === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused)
    expect(headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
});
