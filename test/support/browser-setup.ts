/**
 * Browser tests share a server of the site as it is shipped, and one of a StrictMode build.
 * Its pages are slower; `npm run faults` visits no other.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildSite, DIST } from '../../scripts/build.ts';
import { openDatabase } from '../../server/db/open.ts';
import { STRICT_SITE, startServer } from './server-process.ts';
import { isFull } from './short-form.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin of the site that the browser tests visit. */
    siteUrl: string;
    /** Origin of the same site under React's own checks. */
    strictSiteUrl: string;
    /** Signs the links of its mails. */
    secretKey: string;
    /** Opens its operator API. */
    operatorToken: string;
  }
}

const BUILD_STRICT = fileURLToPath(new URL('build-strict-site.ts', import.meta.url));
const SECRET_KEY = 'the secret key of the browser tests';
const OPERATOR_TOKEN = 'the-operator-token-of-the-browser-tests';

/** Vitest calls this once per run, and the function it returns at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildSite({ outDir: DIST });
  execFileSync(process.execPath, [BUILD_STRICT], { stdio: ['ignore', 'ignore', 'inherit'] });
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-browser-'));
  const template = join(folder, 'template');
  const database = await openDatabase({ dataDir: template, databaseUrl: null, log: () => {} });
  await database.close();
  async function serve(name: string, siteDir: string) {
    const dataDir = join(folder, name);
    cpSync(template, dataDir, { recursive: true });
    // Vitest sets NODE_ENV=test, which is not what visitors' servers run with.
    return await startServer({
      DATA_DIR: dataDir,
      LIMITS: 'off',
      SECRET_KEY,
      OPERATOR_TOKEN,
      SITE_DIR: siteDir,
      NODE_ENV: 'production',
    });
  }
  const strict = await serve('strict', STRICT_SITE);
  const shipped = isFull ? strict : await serve('shipped', DIST);
  project.provide('siteUrl', shipped.url);
  project.provide('strictSiteUrl', strict.url);
  project.provide('secretKey', SECRET_KEY);
  project.provide('operatorToken', OPERATOR_TOKEN);
  project.provide('embeddedTemplate', template);
  return async () => {
    for (const server of new Set([strict, shipped])) {
      const exitCode = await server.stop();
      if (exitCode !== 0)
        throw new Error(
          `A server of the browser tests ended with ${exitCode}:\n${server.output()}`,
        );
    }
    rmSync(folder, { recursive: true });
  };
}
