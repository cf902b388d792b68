/**
 * deploy/haproxy.cfg on this machine: plain HTTP, one server or two, no PostgreSQL, and no limits
 * by address, because all visitors here have one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../support/server-process.ts';

const START_DEADLINE_MS = 10_000;
const PROGRAM = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'].find(
  existsSync,
);
export const hasHaproxy = PROGRAM !== undefined;

export type DeployedHaproxy = Awaited<ReturnType<typeof startDeployedHaproxy>>;

const ELSEWHERE = /^ {2}(log |stats |ssl-|bind :443|http-request redirect)/;
const BY_ADDRESS = /sc0_|track-sc0|stick-table/;
/** Each request comes from an address of its own. */
const SOMEBODY = '10.%[rand(256)].%[rand(256)].%[rand(256)]';

function deployedConfig(port: number, serverPorts: readonly number[]): string {
  const [visitors = ''] = readFileSync('deploy/haproxy.cfg', 'utf8').split('listen database');
  return (
    visitors
      .split('\n')
      .filter((line) => !ELSEWHERE.test(line) && !BY_ADDRESS.test(line))
      .join('\n')
      // An unprivileged process may have fewer open files.
      .replace('maxconn 50000', 'maxconn 8000')
      .replace('bind :80', `bind 127.0.0.1:${port}`)
      .replace('X-Forwarded-For %[src]', `X-Forwarded-For ${SOMEBODY}`)
      .replaceAll(/^ {2}server app(\d) \S+(.*\n)/gm, (_line, number, rest) => {
        const serverPort = serverPorts[number - 1];
        return serverPort === undefined
          ? ''
          : `  server app${number} 127.0.0.1:${serverPort}${rest}`;
      })
  );
}

/** Resolves when the proxy has found a server ready. */
export async function startDeployedHaproxy(...serverPorts: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-haproxy-'));
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, deployedConfig(port, serverPorts));
  const child = spawn(PROGRAM ?? 'haproxy', ['-db', '-f', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  await untilServing(port, child);
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilServing(port: number, child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.on('data', (chunk) => (said += chunk));
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!(await isServing(port))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`HAProxy did not start:\n${said}`);
    await delay(50);
  }
}

function isServing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received.startsWith('HTTP/1.1 200')));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  });
}
