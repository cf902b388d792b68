/** Runs HAProxy with a self-signed certificate. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type HaproxyPlan, haproxyConfig } from './haproxy-config.ts';

export type Haproxy = {
  readonly version: string;
  /** Sends no new requests to the node; those under way are answered. */
  drain(node: string): Promise<void>;
  /** Sends requests to the node again. */
  admit(node: string): Promise<void>;
  stop(): Promise<void>;
};

const PROGRAM = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'].find(
  existsSync,
);
const START_DEADLINE_MS = 10_000;

/** Throws one sentence when HAProxy is not installed. */
export function findHaproxy(): string {
  if (PROGRAM === undefined)
    throw new Error('HAProxy is needed for this: on Debian, apt-get install haproxy.');
  return PROGRAM;
}

/** Makes a certificate for 127.0.0.1 with openssl. Returns HAProxy's file and the certificate. */
export function makeCertificate(folder: string): { file: string; certificate: string } {
  const [key, certificate, both] = ['key.pem', 'certificate.pem', 'both.pem'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const kind = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'pipe',
  });
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'), {
    mode: 0o600,
  });
  return { file: both, certificate: readFileSync(certificate, 'utf8') };
}

/** Starts it; resolves when it accepts connections. */
export async function startHaproxy(folder: string, plan: HaproxyPlan): Promise<Haproxy> {
  const program = findHaproxy();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, haproxyConfig(plan));
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  await untilOpen(plan.visitorsPort, child);
  const say = (words: string) => sayTo(plan.adminSocket, words);
  return {
    version: execFileSync(program, ['-v'], { encoding: 'utf8' }).split(' ').slice(0, 3).join(' '),
    drain: (node) =>
      say(`set server ready/${node} state drain; set server alive/${node} state drain`),
    admit: (node) =>
      say(`set server ready/${node} state ready; set server alive/${node} state ready`),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function untilOpen(port: number, child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.on('data', (chunk) => (said += chunk));
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`HAProxy did not start:\n${said}`);
    await delay(50);
  }
}

async function sayTo(socketPath: string, words: string): Promise<void> {
  const socket = connect(socketPath);
  socket.end(`${words}\n`);
  const answer = await text(socket);
  if (answer.trim() !== '') throw new Error(`HAProxy says: ${answer}`);
}
