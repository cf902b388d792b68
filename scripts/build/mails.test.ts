import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailRenderer } from '../../mails/mail-renderer.tsx';
import { loadMailRenderer } from '../../server/notifications/open-mail.ts';
import { brand } from '../../test/fixtures/second-brand/brand.ts';
import { sampleContents, sampleFrame } from '../../test/support/sample-mails.ts';
import { buildMails } from './mails.ts';

const brandDir = fileURLToPath(new URL('../../test/fixtures/second-brand', import.meta.url));
let siteDir: string;

beforeAll(async () => {
  siteDir = mkdtempSync(join(tmpdir(), 'waitlist-mails-'));
  await buildMails({ brandDir, outDir: join(siteDir, 'mails') });
});
afterAll(() => rmSync(siteDir, { recursive: true }));

test('built mails equal those rendered from source', async () => {
  const built = await loadMailRenderer(siteDir);
  const source = openMailRenderer(brand, readFileSync(join(brandDir, 'tokens.css'), 'utf8'));
  for (const [, content] of sampleContents)
    expect(built(content, sampleFrame)).toEqual(source(content, sampleFrame));
});

test('built mails need no packages and no environment', () => {
  const script = `import { renderMail } from './mails/render-mail.js';
    const frame = ${JSON.stringify(sampleFrame)};
    console.log(renderMail({ kind: 'welcome', values: { position: 7 } }, frame).subject);`;
  const words = ['--input-type=module', '--eval', script];
  const printed = execFileSync(process.execPath, words, {
    cwd: siteDir,
    env: {},
    encoding: 'utf8',
  });
  expect(printed).toBe('Fox #7 in line\n');
});

test('a server without them does not start, and says what to do', async () => {
  await expect(loadMailRenderer(join(siteDir, 'nowhere'))).rejects.toThrow('npm run build');
});
