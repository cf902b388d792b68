/** Starts the real server as a process of its own, as `npm start` does, and stops or kills it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isLong } from './test-form.ts';

/** The site as React's development build: it warns on the console, and runs effects twice. */
export const STRICT_SITE = fileURLToPath(new URL('../../.cache/strict-site', import.meta.url));
const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const START_DEADLINE_MS = 300_000;
/**
 * Flags for processes that live for a minute: optimising the embedded engine is not worth its time,
 * nor are links looked for in the path of each module. `npm run faults` runs everything as shipped.
 */
export const QUICK_ENGINE: readonly string[] = isLong
  ? []
  : ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering', '--preserve-symlinks'];

/** In those that live for seconds, nor are the hottest functions of the server optimised. */
export const QUICK_START: readonly string[] = isLong
  ? []
  : [...QUICK_ENGINE, '--max-optimized-bytecode-size=0'];

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/**
 * Starts a server on a free port of 127.0.0.1; resolves when it says that it is open.
 * Throws with its output when it exits before that.
 */
export async function startServer(
  settings: Readonly<Record<string, string>>,
  main = MAIN,
  socket?: HeldSocket,
  flags = QUICK_START,
) {
  const port = Number(settings.PORT ?? (await freePort()));
  const own = { PORT: String(port), ...settings };
  const child =
    socket === undefined
      ? spawnServer(own, main, undefined, flags)
      : spawnOnSocket(own, main, socket);
  const printed = collectOutput(child);
  const exited = once(child, 'exit');
  const closed = untilClosed(child);
  try {
    await waitUntilOpen(child, printed);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    /** Everything the process has printed so far, both streams. */
    output: printed,
    /** SIGTERM; returns the exit code. */
    async stop() {
      child.kill('SIGTERM');
      return await closed;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A listening socket that outlives the servers that accept from it, as systemd holds one. */
export type HeldSocket = { readonly port: number; readonly fd: number; close(): void };

/** Bound and never listening here: a `net.Server` of this process would accept connections. */
export async function holdSocket(): Promise<HeldSocket> {
  const { TCP, constants } = (process as unknown as { binding(name: string): TcpWrap }).binding(
    'tcp_wrap',
  );
  const port = await freePort();
  const socket = new TCP(constants.SERVER);
  if (socket.bind('127.0.0.1', port) !== 0) throw new Error(`Port ${port} is taken.`);
  return { port, fd: socket.fd, close: () => socket.close() };
}

type TcpWrap = {
  readonly TCP: new (
    type: number,
  ) => {
    readonly fd: number;
    bind(address: string, port: number): number;
    close(): void;
  };
  readonly constants: { readonly SERVER: number };
};

/** `$$` is the process that `exec` turns into the server, as systemd names it. */
function spawnOnSocket(
  settings: Readonly<Record<string, string>>,
  main: string,
  { fd }: HeldSocket,
): ChildProcess {
  const script = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"';
  return spawn('sh', ['-c', script, process.execPath, ...QUICK_START, main], {
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe', fd],
  });
}

/** Runs a server that is expected to refuse to start, until it exits. `.env` is read from `cwd`. */
export async function runServerToItsEnd(
  settings: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<{ exitCode: number | null; output: string }> {
  const child = spawnServer({ PORT: String(await freePort()), ...settings }, MAIN, cwd);
  const printed = collectOutput(child);
  return { exitCode: await untilClosed(child), output: printed() };
}

/** Below the ports of outgoing connections, so that a server finds its own again after a kill. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    probe.close();
    if (isFree) return port;
  }
}

/** Starts it and waits for nothing. */
export function spawnServer(
  settings: Readonly<Record<string, string>>,
  main = MAIN,
  cwd?: string,
  flags = QUICK_START,
): ChildProcess {
  return spawn(process.execPath, [...flags, main], {
    cwd,
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function environmentOf(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { DATABASE_URL: _own, ...inherited } = process.env;
  return { ...inherited, HOST: '127.0.0.1', TRIAL: 'on', ...settings };
}

/** The exit code, once everything that the process has printed was read. */
async function untilClosed(child: ChildProcess): Promise<number | null> {
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return exitCode;
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  return () => text;
}

async function waitUntilOpen(child: ChildProcess, printed: () => string): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!printed().includes(' is open at ')) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server ended:\n${printed()}`);
    if (Date.now() > deadline) throw new Error(`The server did not open in time:\n${printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
