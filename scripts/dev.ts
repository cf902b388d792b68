/** `npm run dev` is not Vite's server, which lacks our headers, placeholders and native forms. */
import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['web', 'console', 'mails', 'brand', 'contract', 'scripts/build', 'server'];

const SITE_DIR = `${ROOT}.cache/dev-site`;

/** Editors write a file in several steps. */
const SETTLE_MS = 100;

let server: ChildProcess | null = null;
let isChanged = true;
let isProcessing = false;
let timer: NodeJS.Timeout | undefined;

function node(...words: string[]): ChildProcess {
  const env = { ...process.env, SITE_DIR };
  return spawn(process.execPath, words, { cwd: ROOT, stdio: 'inherit', env });
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('exit', resolve));
}

async function stopServer(): Promise<void> {
  if (server && server.exitCode === null && server.kill('SIGTERM')) await ended(server);
}

async function processChanges(): Promise<void> {
  if (isProcessing) return;
  isProcessing = true;
  while (isChanged) {
    isChanged = false;
    // After a change of the server alone, the site is still fresh, which takes a moment to see.
    const exitCode = await ended(node('scripts/build.ts', '--development'));
    if (exitCode === 0) {
      await stopServer();
      server = node('server/main.ts');
    } else
      console.error(server ? 'The last successful build is still served.' : 'Nothing is built.');
  }
  isProcessing = false;
}

for (const folder of FOLDERS) {
  watch(`${ROOT}${folder}`, { recursive: true }, (_event, name) => {
    if (name?.includes('.test.')) return;
    isChanged = true;
    clearTimeout(timer);
    timer = setTimeout(processChanges, SETTLE_MS);
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    await stopServer();
    process.exit(0);
  });
}

await processChanges();
