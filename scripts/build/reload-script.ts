/** Development only: a script that reloads the page when the site was built again. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Asks for a file of its own, so that it needs nothing from the server and no exception from its CSP. */
const SCRIPT = `const read = async () => (await fetch('/assets/build-id.txt', { cache: 'no-store' })).text();
const first = await read();
setInterval(async () => {
  const now = await read().catch(() => first);
  if (now !== first && /^\\d+$/.test(now)) location.reload();
}, 1000);
`;

/** Returns the script's address. */
export async function writeReloadScript(siteDir: string): Promise<string> {
  await writeFile(join(siteDir, 'assets/build-id.txt'), String(Date.now()));
  await writeFile(join(siteDir, 'assets/reload.js'), SCRIPT);
  return '/assets/reload.js';
}
