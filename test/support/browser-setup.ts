/**
 * Browser tests share a server of the site as it is shipped. Those of `npm run test:all` also share
 * one of a StrictMode build, whose pages are slower.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildSite, DIST } from '../../scripts/build.ts';
import { serveInProcess } from './in-process-server.ts';
import { createDatabase, dropDatabase } from './postgres-databases.ts';
import { providePostgres } from './postgres-setup.ts';
import { STRICT_SITE } from './server-process.ts';
import { isAll } from './test-form.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin of the site that the browser tests visit. */
    siteUrl: string;
    /** Origin of the same site under React's own checks, in `npm run test:all`. */
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
  if (isAll)
    execFileSync(process.execPath, [BUILD_STRICT], { stdio: ['ignore', 'ignore', 'inherit'] });
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-browser-'));
  const postgres = await providePostgres(project);
  async function serve(name: string, siteDir: string) {
    const database = await createDatabase(postgres.url, postgres.template);
    const server = await serveInProcess({
      DATA_DIR: join(folder, name),
      DATABASE_URL: database.url,
      LIMITS: 'off',
      SECRET_KEY,
      OPERATOR_TOKEN,
      SITE_DIR: siteDir,
    });
    return {
      url: server.url,
      async stop() {
        await server.stop();
        await dropDatabase(postgres.url, database.name);
      },
    };
  }
  const shipped = await serve('shipped', DIST);
  const strict = isAll ? await serve('strict', STRICT_SITE) : shipped;
  project.provide('siteUrl', shipped.url);
  project.provide('strictSiteUrl', strict.url);
  project.provide('secretKey', SECRET_KEY);
  project.provide('operatorToken', OPERATOR_TOKEN);
  return async () => {
    for (const server of new Set([strict, shipped])) await server.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true });
  };
}
