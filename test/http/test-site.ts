/** A tiny built site, with the markers and files of the real one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { MAIL_PAGE_PLACES, MAIL_PAGES } from '../../contract/mail-pages.ts';
import { PLAIN_INVITE_PLACES } from '../../contract/plain-invite.ts';
import { PLAIN_STATUS_PAGES, PLAIN_STATUS_PLACES } from '../../contract/plain-status.ts';

export const INLINE_STYLE = 'body{color:green}';
export const SCRIPT_PATH = '/assets/entry-0a1b2c3d.js';
export const SCRIPT = 'console.info("hydrated");'.repeat(20);
export const CONSOLE = '<!doctype html><title>Console</title>';
export const CONSOLE_SCRIPT_PATH = '/console/assets/entry-0a1b2c3d.js';
export const MEDIA_PATH = '/teaser.mp4';
export const NEUTRAL_CARD = 'a card for everybody';

export function makeTestSite(): { siteDir: string; remove(): void } {
  const siteDir = mkdtempSync(join(tmpdir(), 'waitlist-site-'));
  mkdirSync(join(siteDir, 'pages'));
  mkdirSync(join(siteDir, 'site', 'assets'), { recursive: true });
  const form =
    '<a href="<!--home-->">Home</a><form method="post">' +
    '<input type="hidden" name="referred_by" value="<!--referral-->">' +
    '<input name="email" value="<!--form-value-->"><p><!--form-message--></p></form>';
  const pages = {
    landing: `<noscript><!--note--></noscript>${form}`,
    'landing-referred': `Referral Active${form}`,
    status: 'Loading Ghost Status...',
    invite: '<a href="<!--home-->">Home</a><!--ghost-->',
    'plain-invite': `${filledPage('plain-invite', PLAIN_INVITE_PLACES)}${form}`,
    'plain-invite-invalid': 'Invalid Invite',
    'plain-invite-unverified': 'Check failed',
    'not-found': 'Nobody',
    draw: 'The draw',
    ...Object.fromEntries(MAIL_PAGES.map((name) => [name, filledPage(name, MAIL_PAGE_PLACES)])),
    ...Object.fromEntries(
      PLAIN_STATUS_PAGES.map((name) => [name, filledPage(name, PLAIN_STATUS_PLACES)]),
    ),
  };
  for (const [name, body] of Object.entries(pages)) {
    const head = `<!--head--><style>${INLINE_STYLE}</style>`;
    const html = `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
    writeFileSync(join(siteDir, 'pages', `${name}.html`), html);
  }
  writeFileSync(join(siteDir, 'pages', 'console.html'), CONSOLE);
  mkdirSync(join(siteDir, 'console', 'assets'), { recursive: true });
  writeFileSync(join(siteDir, CONSOLE_SCRIPT_PATH), SCRIPT);
  writeFileSync(join(siteDir, `${CONSOLE_SCRIPT_PATH}.br`), brotliCompressSync(SCRIPT));
  writeFileSync(join(siteDir, 'site', SCRIPT_PATH), SCRIPT);
  writeFileSync(join(siteDir, 'site', `${SCRIPT_PATH}.br`), brotliCompressSync(SCRIPT));
  writeFileSync(join(siteDir, 'site', MEDIA_PATH), '0123456789');
  writeFileSync(join(siteDir, 'site', 'og.jpg'), NEUTRAL_CARD);
  return { siteDir, remove: () => rmSync(siteDir, { recursive: true }) };
}

/** A page that shows its name and all values filled in. */
function filledPage(name: string, places: readonly string[]): string {
  const values = places.map((place) => `<dd>${place}=<!--${place}--></dd>`).join('');
  return `<main id="${name}">${values}<!--choices--><!--ghost--></main>`;
}
