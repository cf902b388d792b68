/** npm runs `npm start` in a shell, which may end by a signal without passing it on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createMigratedPlace } from '../support/engines.ts';
import { freePort } from '../support/server-process.ts';

const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));

test('a server whose npm start is ended stops, and frees folder and port', async ({
  onTestFinished,
}) => {
  const place = await createMigratedPlace('embedded');
  const port = await freePort();
  const { DATABASE_URL: _own, ...inherited } = process.env;
  // The command after it keeps the shell from becoming the server.
  const shell = spawn('sh', ['-c', '"$0" "$1"; exit', process.execPath, START], {
    env: {
      ...inherited,
      npm_lifecycle_event: 'start',
      DATA_DIR: place.dataDir,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-(shell.pid ?? 0), 'SIGKILL');
    } catch {
      // All of its processes have ended.
    }
    return place.remove();
  });
  let printed = '';
  for await (const text of shell.stdout.iterator({ destroyOnReturn: false })) {
    printed += text;
    if (printed.includes(' is open at ')) break;
  }
  shell.kill('SIGTERM');
  // The server has the other end of the pipe, too.
  await once(shell.stdout.resume(), 'close');
  const probe = createServer().listen(port, '127.0.0.1');
  await once(probe, 'listening');
  probe.close();
  expect(printed).toContain(' is open at ');
});
