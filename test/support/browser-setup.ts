/** Before the browser tests: one real server on an embedded database, with the built site. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startServer } from './server-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin of the site that the browser tests visit. */
    siteUrl: string;
    /** Signs the links of its mails. */
    secretKey: string;
  }
}

const SECRET_KEY = 'the secret key of the browser tests';

/** Vitest calls this once per run, and what it returns at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-browser-'));
  // Vitest says NODE_ENV=test; the visitors' server does not run under that name.
  const server = await startServer({ DATA_DIR: dataDir, LIMITS: 'off', SECRET_KEY, NODE_ENV: 'production' });
  project.provide('siteUrl', server.url);
  project.provide('secretKey', SECRET_KEY);
  return async () => {
    const exitCode = await server.stop();
    rmSync(dataDir, { recursive: true });
    if (exitCode !== 0) throw new Error(`The server of the browser tests ended with ${exitCode}:\n${server.output()}`);
  };
}
