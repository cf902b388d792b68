/** For all browser tests: one server on an embedded database, with a StrictMode build. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildSite, DIST } from '../../scripts/build.ts';
import { openDatabase } from '../../server/db/open.ts';
import { STRICT_SITE, startServer } from './server-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin of the site that the browser tests visit. */
    siteUrl: string;
    /** Signs the links of its mails. */
    secretKey: string;
    /** Opens its operator API. */
    operatorToken: string;
  }
}

const SECRET_KEY = 'the secret key of the browser tests';
const OPERATOR_TOKEN = 'the-operator-token-of-the-browser-tests';

/** Vitest calls this once per run, and the function it returns at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildSite({ outDir: DIST });
  await buildSite({ outDir: STRICT_SITE, mode: 'test' });
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-browser-'));
  const template = join(folder, 'template');
  const database = await openDatabase({ dataDir: template, databaseUrl: null, log: () => {} });
  await database.close();
  const dataDir = join(folder, 'data');
  cpSync(template, dataDir, { recursive: true });
  // Vitest sets NODE_ENV=test, which is not what visitors' servers run with.
  const server = await startServer({
    DATA_DIR: dataDir,
    LIMITS: 'off',
    SECRET_KEY,
    OPERATOR_TOKEN,
    SITE_DIR: STRICT_SITE,
    NODE_ENV: 'production',
  });
  project.provide('siteUrl', server.url);
  project.provide('secretKey', SECRET_KEY);
  project.provide('operatorToken', OPERATOR_TOKEN);
  project.provide('embeddedTemplate', template);
  return async () => {
    const exitCode = await server.stop();
    rmSync(folder, { recursive: true });
    if (exitCode !== 0)
      throw new Error(
        `The server of the browser tests ended with ${exitCode}:\n${server.output()}`,
      );
  };
}
