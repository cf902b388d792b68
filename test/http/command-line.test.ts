/** The operator's commands as real processes against a real server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMigratedPlace, type DatabasePlace, engines } from '../support/engines.ts';
import { QUICK_START, type ServerProcess, startServer } from '../support/server-process.ts';

type Outcome = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

const MISTYPED: [string[], number][] = [
  [['stock', 'Small', 'many'], 2],
  [['allocate', 'Small', '1'], 2],
  [['export', '--format', 'xml'], 2],
  [['counts', '--yes'], 2],
  [['counts', '--nonsense'], 2],
  [['nonsense'], 2],
];

describe.each(engines)('the command line with %s', (engine) => {
  let place: DatabasePlace;
  let server: ServerProcess;
  let settings: Record<string, string>;
  beforeAll(async () => {
    place = await createMigratedPlace(engine);
    settings = {
      DATA_DIR: place.dataDir,
      ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
    };
    server = await startServer(settings);
  });
  afterAll(async () => {
    await server.kill();
    await place.remove();
  });

  async function run(script: 'waitlist' | 'verify', ...words: string[]): Promise<Outcome> {
    const { DATABASE_URL: _own, ...inherited } = process.env;
    const path = fileURLToPath(new URL(`../../scripts/${script}.ts`, import.meta.url));
    const child = spawn(process.execPath, [...QUICK_START, path, ...words], {
      env: { ...inherited, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      out.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      out.stderr += chunk;
    });
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return { exitCode, ...out };
  }

  async function joinLine(email: string): Promise<{ id: string }> {
    const response = await fetch(`${server.url}/api/waitlist/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, referred_by: null }),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as { id: string };
  }

  test('a day of the operator', async () => {
    const { id } = await joinLine('ada@example.com');
    await joinLine('=grace@example.com');
    expect(JSON.parse((await run('waitlist', 'counts', '--json')).stdout)).toMatchObject({
      members: 2,
    });
    expect((await run('waitlist', 'find', 'ADA@example.com')).stdout).toContain(id);
    expect((await run('waitlist', 'export', '--format', 'csv')).stdout).toContain(
      ",'=grace@example.com,",
    );
    const file = join(place.dataDir, 'line.json');
    expect((await run('waitlist', 'export', '--format', 'json', '--output', file)).exitCode).toBe(
      0,
    );
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run('waitlist', 'stock', 'Small', '40')).stdout).toMatch(/Small +40 +0 +40/);
    const allocated = await run(
      'waitlist',
      'allocate',
      'Small',
      '2',
      '--note',
      'for the press',
      '--json',
    );
    const allocation = JSON.parse(allocated.stdout) as { id: string };
    expect((await run('waitlist', 'sizes')).stdout).toMatch(/Small +40 +2 +38/);
    expect((await run('waitlist', 'release', allocation.id, '--note', 'sent back')).exitCode).toBe(
      0,
    );
    expect((await run('waitlist', 'allocations')).stdout).toContain('(sent back)');
    expect((await run('waitlist', 'remove', 'ada@example.com')).exitCode).toBe(2);
    expect((await run('waitlist', 'remove', 'ada@example.com', '--yes')).exitCode).toBe(0);
    const verified = await run('verify');
    expect(verified).toMatchObject({ exitCode: 0, stdout: '1 members compared, 0 differences.\n' });
  });

  test.each([
    [['find', 'nobody@example.com'], 1],
    [['release', 'nothing', '--note', 'x'], 1],
    [['stock', 'Huge', '1'], 1],
    // Refused before the server is called, so one engine is enough.
    ...(engine === 'embedded' ? MISTYPED : []),
  ])('%j is one clear line and exit code %i', async (words, exitCode) => {
    const outcome = await run('waitlist', ...words);
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.stdout).toBe('');
    expect(outcome.stderr).toMatch(/^[^\n]+\n$/);
  });

  test('an export does not overwrite a file', async () => {
    const outcome = await run(
      'waitlist',
      'export',
      '--format',
      'csv',
      '--output',
      join(place.dataDir, 'operator-token'),
    );
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
    expect(outcome.stderr).toContain('exists already');
  });

  test('--help explains every command', async () => {
    const { stdout, exitCode } = await run('waitlist', '--help');
    expect(exitCode).toBe(0);
    for (const name of [
      'counts',
      'find',
      'export',
      'remove',
      'sizes',
      'stock',
      'allocate',
      'release',
      'allocations',
    ]) {
      expect(stdout).toContain(`npm run waitlist -- ${name}`);
    }
  });

  test('without a server the commands say so, and verify opens the database itself', async () => {
    expect(await server.stop()).toBe(0);
    expect(existsSync(join(place.dataDir, 'server.json'))).toBe(false);
    const counts = await run('waitlist', 'counts');
    expect(counts).toMatchObject({ exitCode: 1, stdout: '' });
    expect(counts.stderr).toMatch(/^No server is running on [^\n]+\n$/);
    expect(await run('verify')).toMatchObject({
      exitCode: 0,
      stdout: '1 members compared, 0 differences.\n',
    });
    server = await startServer(settings);
  });
});
