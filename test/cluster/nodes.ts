/** The servers behind the proxy; each restarts on its own port. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, type ServerProcess, startServer } from '../support/server-process.ts';

type Node = { readonly name: string; readonly port: number; readonly url: string };

export type Nodes = {
  readonly all: readonly Node[];
  start(node: Node): Promise<void>;
  /** SIGKILL. */
  kill(node: Node): Promise<void>;
  /** SIGTERM; throws when the exit code is not 0. */
  stop(node: Node): Promise<void>;
  stopAll(): Promise<void>;
  /** Kills those that still run. */
  killAll(): Promise<void>;
  /** Their output, for debugging. */
  output(): string;
};

/** Chooses names and ports; starts nothing. */
export async function planNodes(
  count: number,
  { folder, settings }: { folder: string; settings: () => Readonly<Record<string, string>> },
): Promise<Nodes> {
  const all: Node[] = [];
  for (let number = 1; number <= count; number += 1) {
    const port = await freePort();
    all.push({ name: `node${number}`, port, url: `http://127.0.0.1:${port}` });
  }
  const running = new Map<Node, ServerProcess>();
  let printed = '';

  function end(node: Node): ServerProcess | undefined {
    const server = running.get(node);
    running.delete(node);
    return server;
  }

  async function stop(node: Node): Promise<void> {
    const server = end(node);
    const exitCode = await server?.stop();
    printed += server?.output() ?? '';
    if (exitCode !== 0) throw new Error(`${node.name} ended with ${exitCode}: ${server?.output()}`);
  }

  return {
    all,
    async start(node) {
      const own = { PORT: String(node.port), DATA_DIR: join(folder, node.name) };
      running.set(node, await startServer({ ...settings(), ...own }));
      while ((await fetch(`${node.url}/readyz`).catch(() => null))?.status !== 200) await delay(20);
    },
    async kill(node) {
      const server = end(node);
      await server?.kill();
      printed += server?.output() ?? '';
    },
    stop,
    stopAll: async () => void (await Promise.all([...running.keys()].map(stop))),
    killAll: async () =>
      void (await Promise.all([...running.values()].map((server) => server.kill()))),
    output: () => printed + [...running.values()].map((server) => server.output()).join(''),
  };
}
