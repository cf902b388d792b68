/** Hostile text in every part of every request. */
import { beforeAll, describe, expect, test } from 'vitest';
import { SECRET_KEY, tokenOf } from '../http/mail-links.ts';
import { provideApp } from '../http/provide-app.ts';
import { oneEngine } from '../support/engines.ts';
import { askHostile, structureOf } from './hostile-ask.ts';
import { hostilePlaces, type Place, WEBHOOK_SECRET } from './hostile-places.ts';
import { HOSTILE_STRINGS } from './hostile-strings.ts';

test('injected markup changes the structure of a page', () => {
  const page = (text: string) => structureOf(`<main><a href="/${text}">${text}</a></main>`);
  expect(page('x')).toBe('<main\n<a href=""\n</a\n</main');
  for (const broken of [
    '<b>',
    '"x="',
    '" onclick=alert(1) y="',
    '"><img src=x>',
    '</main>',
    '<!--',
    '<script>',
  ])
    expect(page(broken)).not.toBe(page('x'));
});

describe.each(oneEngine)('on %s', (engine) => {
  // A loopback origin, so that kept mail is shown too.
  const app = provideApp(engine, {
    secretKey: SECRET_KEY,
    mailWebhookSecret: WEBHOOK_SECRET,
    publicUrl: 'http://127.0.0.1:3000',
  });
  let places: readonly Place[];
  beforeAll(async () => {
    const { id, referral_code: code } = await app.join('known@example.com');
    places = hostilePlaces({ token: tokenOf(id, 'preferences'), code });
  });

  test('no text causes an internal error, a slow answer or markup', {
    timeout: 600_000,
  }, async () => {
    const faults: string[] = [];
    const plainPages = await readPlainPages();
    for (const text of HOSTILE_STRINGS)
      for (const place of places) {
        const { answer, faults: found } = await askHostile(app, place.request(text));
        const isPage = String(answer.headers['content-type']).startsWith('text/html');
        if (isPage && !plainPages.has(structureOf(answer.payload)))
          found.push(`is like no page: ${answer.payload}`);
        const about = `${place.name} of ${JSON.stringify(text).slice(0, 80)}`;
        faults.push(...found.map((fault) => `${about}: ${fault}`));
      }
    expect(faults).toEqual([]);
  });

  /** The structure of the pages without hostile text. */
  async function readPlainPages(): Promise<ReadonlySet<string>> {
    const structures = new Set<string>();
    for (const { request } of places)
      structures.add(structureOf((await app.fastify.inject(request('nobody'))).payload));
    return structures;
  }
});
