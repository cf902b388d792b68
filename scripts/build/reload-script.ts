/** Development only: a script that reloads the page after a new build. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Polls a static file, so it needs no server support and no CSP exception. */
const SCRIPT = `\
const read = async () => (await fetch('/assets/build-id.txt', { cache: 'no-store' })).text();
const first = await read();
setInterval(async () => {
  const now = await read().catch(() => first);
  if (now !== first && /^\\d+$/.test(now)) location.reload();
}, 1000);
`;

/** Returns the path of the script. */
export async function writeReloadScript(siteDir: string): Promise<string> {
  await writeFile(join(siteDir, 'assets/build-id.txt'), String(Date.now()));
  await writeFile(join(siteDir, 'assets/reload.js'), SCRIPT);
  return '/assets/reload.js';
}
