/** Every built page has the places that the server fills in, whole. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAIL_PAGE_PLACES, MAIL_PAGES } from '../../contract/mail-pages.ts';
import { FORM_PLACES, PLAIN_INVITE_PLACES } from '../../contract/plain-invite.ts';
import { PLAIN_STATUS_PLACES } from '../../contract/plain-status.ts';
import { buildSite, DIST } from '../build.ts';

const PAGES = join(DIST, 'pages');
const readPage = (name: string) => readFileSync(join(PAGES, `${name}.html`), 'utf8');
const placesOf = (name: string) =>
  new Set(Array.from(readPage(name).matchAll(/<!--([a-z-]+)-->/g), ([, place = '']) => place));

beforeAll(() => buildSite({ outDir: DIST }), 120_000);

describe('the places of a page without script', () => {
  test('the status page has each of its places', () => {
    expect(placesOf('plain-status')).toEqual(new Set(['ghost', ...PLAIN_STATUS_PLACES]));
  });

  test('the invite page has each of its places, and those of its form', () => {
    expect(placesOf('plain-invite')).toEqual(
      new Set(['ghost', ...PLAIN_INVITE_PLACES, ...FORM_PLACES]),
    );
  });

  test('the pages of mails have together each of their places, and no others', () => {
    const found = new Set(MAIL_PAGES.flatMap((name) => [...placesOf(name)]));
    expect(found).toEqual(new Set(['ghost', 'choices', ...MAIL_PAGE_PLACES]));
  });
});

test('no page has a stand-in, or more of a name behind its place', () => {
  const names = readdirSync(PAGES).map((file) => file.replace(/\.html$/, ''));
  expect(names.length).toBeGreaterThan(30);
  for (const name of names)
    expect([name, /.{0,40}(stand-in|-->-?[a-z]).{0,20}/.exec(readPage(name))?.[0]]).toEqual([
      name,
      undefined,
    ]);
});
