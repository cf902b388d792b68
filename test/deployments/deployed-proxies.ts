/** The Caddyfiles and deploy/nginx.conf on this machine: plain HTTP, and one server or two. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/server-process.ts';
import { readFileOfGuide } from './install-guide.ts';
import { findProgram } from './programs.ts';

export type DeployedProxy = { readonly url: string; stop(): Promise<void> };

const START_DEADLINE_MS = 10_000;
/** What deploy/Caddyfile says has to go before Caddy 2.11.2. */
const REPEATS_JOINS = /\t\tlb_retry_match \{\n\t\t\tmethod POST\n.*?request_buffers 64KiB\n/s;

/** With `canRepeat: false`, without what an older Caddy does not understand. */
export function readDeployedCaddyfile(
  serverPorts: readonly number[],
  { canRepeat }: { readonly canRepeat: boolean },
): string {
  const servers = serverPorts.map((port) => `127.0.0.1:${port}`).join(' ');
  return readFileSync('deploy/Caddyfile', 'utf8')
    .replace('{$SERVERS:app1:3000 app2:3000 app3:3000}', servers)
    .replace(canRepeat ? '' : REPEATS_JOINS, '');
}

export function readCaddyfileOfGuide(serverPort: number): string {
  return readFileOfGuide('/etc/caddy/Caddyfile')
    .replace('waitlist.example.com', '{$SITE}')
    .replace('127.0.0.1:3000', `127.0.0.1:${serverPort}`);
}

export async function startCaddy(program: string, caddyfile: string): Promise<DeployedProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-caddy-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const config = join(folder, 'Caddyfile');
  writeFileSync(config, `{\n\tadmin off\n}\n${caddyfile}`);
  const words = ['run', '--adapter', 'caddyfile', '--config', config];
  return start(program, words, { folder, url, environment: { SITE: url, HOME: folder } });
}

export async function startNginx(serverPorts: readonly number[]): Promise<DeployedProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-nginx-'));
  const port = await freePort();
  const deployed = readFileSync('deploy/nginx.conf', 'utf8')
    .replace(/server \{\n {2}listen 80;.*?\n\}\n/s, '')
    .replace(/^ {2}(listen \[::\]|ssl_).*\n/gm, '')
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
    .replace(/^ {2}server 10\.0\.0\.1(\d):3000(.*\n)/gm, (_line, number, rest) => {
      const serverPort = serverPorts[number - 1];
      return serverPort === undefined ? '' : `  server 127.0.0.1:${serverPort}${rest}`;
    });
  const bodies = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off;
pid ${folder}/pid;
worker_processes 2;
events { worker_connections 4096; }
http {
access_log off;
${bodies.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')}
${deployed}
}
`,
  );
  const words = ['-e', 'stderr', '-c', config];
  const url = `http://127.0.0.1:${port}`;
  return start(findProgram('nginx') ?? '', words, { folder, url, environment: {} });
}

/** Resolves when it serves the landing page. */
async function start(
  program: string,
  words: readonly string[],
  {
    folder,
    url,
    environment,
  }: {
    readonly folder: string;
    readonly url: string;
    readonly environment: Readonly<Record<string, string>>;
  },
): Promise<DeployedProxy> {
  const child = spawn(program, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  await untilServing(url, child);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilServing(url: string, child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said = (said + chunk).slice(-4_000);
  });
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`The proxy did not start:\n${said}`);
    }
    await delay(50);
  }
}
