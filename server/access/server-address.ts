import { renameSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { defaultOrigin } from '../config.ts';
import type { HttpServer } from '../http/http-server.ts';
import { codeOf } from '../startup-error.ts';

export function publishServerAddress(server: HttpServer, dataDir: string): void {
  const path = addressPath(dataDir);
  let isPublished = false;
  server.addHook('onListen', async () => {
    const { address, port } = server.server.address() as AddressInfo;
    const url = defaultOrigin(
      address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address,
      port,
    );
    // A rename, because a command may read the file as soon as the server says that it is open.
    const next = `${path}.next`;
    writeFileSync(next, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 });
    renameSync(next, path);
    isPublished = true;
  });
  server.addHook('onClose', async () => {
    if (isPublished) await rm(path, { force: true });
  });
}

/** Null when no server listens: a killed server leaves its address, so the process is checked. */
export async function readServerAddress(dataDir: string): Promise<string | null> {
  try {
    const { url, pid } = JSON.parse(await readFile(addressPath(dataDir), 'utf8'));
    return typeof url === 'string' && typeof pid === 'number' && isRunning(pid) ? url : null;
  } catch (error) {
    if (codeOf(error) === 'EACCES') throw error;
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function addressPath(dataDir: string): string {
  return join(dataDir, 'server.json');
}
