/** The built pages have placeholders only where escaped text cannot become markup. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { MAIL_PAGE_PLACES } from '../../contract/mail-pages.ts';
import { PLAIN_INVITE_PLACES } from '../../contract/plain-invite.ts';
import { PLAIN_STATUS_PLACES } from '../../contract/plain-status.ts';
import { fillForm, fillPlaces } from '../../server/site/pages/templates.ts';
import { structureOf } from './hostile-ask.ts';
import { HOSTILE_STRINGS } from './hostile-strings.ts';

const BUILT_PAGES = fileURLToPath(new URL('../../dist/pages', import.meta.url));
const FILLED = [...MAIL_PAGE_PLACES, ...PLAIN_STATUS_PLACES, ...PLAIN_INVITE_PLACES];
const PLACE = new RegExp(`<!--(?:form-message|form-value|referral|${FILLED.join('|')})-->`);

const pages = readdirSync(BUILT_PAGES).map((name) => ({
  name,
  html: readFileSync(join(BUILT_PAGES, name), 'utf8'),
}));

const fill = (html: string, text: string) =>
  fillPlaces(
    fillForm(html, { message: text, email: text, referral: text }),
    Object.fromEntries(FILLED.map((place) => [place, text])),
  );

test('there are pages with placeholders', () => {
  expect(pages.filter(({ html }) => PLACE.test(html)).length).toBeGreaterThan(10);
});

describe.each(pages)('$name', ({ html }) => {
  test('has no placeholder in a script, in a style or at the start of a URL', () => {
    const blocks = html.match(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g) ?? [];
    expect(blocks.filter((block) => PLACE.test(block))).toEqual([]);
    const addresses = html.match(/\s(?:href|src|action|formaction)="[^"]*/g) ?? [];
    expect(addresses.filter((address) => PLACE.test(address) && !/="\/\w/.test(address))).toEqual(
      [],
    );
    const scripts = html.match(/\s(?:on\w+|style)="[^"]*/g) ?? [];
    expect(scripts.filter((script) => PLACE.test(script))).toEqual([]);
  });

  test('keeps its structure, whatever it is filled with', () => {
    // The field has the focus beside a message alone.
    const read = (text: string) => structureOf(fill(html, text)).replace(' autofocus=""', '');
    const plain = read('x');
    expect(plain).toContain('<body');
    for (const text of HOSTILE_STRINGS) expect(read(text)).toBe(plain);
  });
});
