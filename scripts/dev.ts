/**
 * `npm run dev`: builds the site and runs the server as they are in production, again at every change. Vite's own server is
 * not used: the pages are served by ours, with its headers, markers and native forms, and that is what is to be seen.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SITE_FOLDERS = ['web', 'mails', 'brand', 'contract', 'scripts/build'];
const SERVER_FOLDERS = ['server', 'brand', 'contract'];

/** Editors write a file in several steps. */
const SETTLE_MS = 100;

let server: ChildProcess | null = null;
let isSiteChanged = true;
let isServerChanged = true;
let isWorking = false;
let timer: NodeJS.Timeout | undefined;

function node(...words: string[]): ChildProcess {
  return spawn(process.execPath, words, { cwd: ROOT, stdio: 'inherit' });
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('exit', resolve));
}

/** Waits for the old server: it holds the port and the data folder until it has finished what it accepted. */
async function restartServer(): Promise<void> {
  const old = server;
  if (old && old.exitCode === null && old.kill('SIGTERM')) await ended(old);
  server = node('server/main.ts');
}

/** Runs until nothing has changed any more, also by what changed meanwhile. */
async function work(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  while (isSiteChanged || isServerChanged) {
    const mustBuild = isSiteChanged;
    isSiteChanged = false;
    isServerChanged = false;
    const isBuilt = !mustBuild || (await ended(node('scripts/build.ts', '--development'))) === 0;
    if (isBuilt) await restartServer();
    else console.error('The site could not be built; the last one that could is still served.');
  }
  isWorking = false;
}

for (const folder of new Set([...SITE_FOLDERS, ...SERVER_FOLDERS])) {
  watch(`${ROOT}${folder}`, { recursive: true }, (_event, name) => {
    if (name?.includes('.test.')) return;
    isSiteChanged ||= SITE_FOLDERS.includes(folder);
    isServerChanged ||= SERVER_FOLDERS.includes(folder);
    clearTimeout(timer);
    timer = setTimeout(work, SETTLE_MS);
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    if (server && server.exitCode === null && server.kill('SIGTERM')) await ended(server);
    process.exit(0);
  });
}

await work();
