/**
 * Hostile text in every part of every request: each text in some parts, by `npm run test:all` in
 * all.
 */

import { beforeAll, describe, expect, test } from 'vitest';
import { SECRET_KEY, tokenOf } from '../http/mail-links.ts';
import { provideApp } from '../http/provide-app.ts';
import { oneEngine } from '../support/engines.ts';
import { isAll } from '../support/test-form.ts';
import { askHostile, structureOf } from './hostile-ask.ts';
import { hostilePlaces, type Place, WEBHOOK_SECRET } from './hostile-places.ts';
import { HOSTILE_STRINGS } from './hostile-strings.ts';

const PLACES_IN_SHORT = 2;

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
    let asked = 0;
    for (const [index, text] of HOSTILE_STRINGS.entries()) {
      for (const place of isAll ? places : someOf(places, index)) {
        asked += 1;
        const { answer, faults: found } = await askHostile(app, place.request(text));
        const isPage = String(answer.headers['content-type']).startsWith('text/html');
        if (isPage && !plainPages.has(structureOf(answer.payload)))
          found.push(`is like no page: ${answer.payload}`);
        faults.push(
          ...found.map(
            (fault) => `${place.name} of ${JSON.stringify(text).slice(0, 80)}: ${fault}`,
          ),
        );
      }
    }
    if (isAll)
      console.log(
        `${engine}: ${HOSTILE_STRINGS.length} texts in ${places.length} places: ${asked} requests`,
      );
    expect(faults).toEqual([]);
  });

  /** The structure of the pages without hostile text. */
  async function readPlainPages(): Promise<ReadonlySet<string>> {
    const structures = new Set<string>();
    for (const { page, request } of places) {
      if (page === undefined) continue;
      structures.add(structureOf((await app.fastify.inject(request(page))).payload));
    }
    return structures;
  }
});

/** Round-robin, so that all parts see all kinds of text. */
function someOf(all: readonly Place[], index: number): Place[] {
  const rounds = Array.from(
    { length: PLACES_IN_SHORT },
    (_, round) => index * PLACES_IN_SHORT + round,
  );
  return rounds.flatMap((round) => all[round % all.length] ?? []);
}
