/** The operator's commands that change members, as real processes against a real server. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMigratedPlace, type DatabasePlace, engines } from '../support/engines.ts';
import { runProgram } from '../support/run-program.ts';
import { QUICK_START, type ServerProcess, startServer } from '../support/server-process.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/waitlist.ts', import.meta.url));

describe.each(engines)('commands that change members with %s', (engine) => {
  let place: DatabasePlace;
  let server: ServerProcess;
  let settings: Record<string, string>;
  beforeAll(async () => {
    place = await createMigratedPlace(engine);
    const { dataDir: DATA_DIR, databaseUrl } = place;
    settings = { DATA_DIR, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) };
    server = await startServer(settings);
  });
  afterAll(async () => {
    await server.kill();
    await place.remove();
  });

  const run = (...words: string[]) =>
    runProgram([process.execPath, ...QUICK_START, SCRIPT, ...words], settings);
  async function joinLine(email: string): Promise<{ id: string }> {
    const response = await fetch(`${server.url}/api/waitlist/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, referred_by: null }),
    });
    return (await response.json()) as { id: string };
  }

  test('a day of changes, each with a reason, a preview and an undo', async () => {
    const why = ['--reason', 'a test'];
    const { id } = await joinLine('edith@example.com');
    const removal = ['remove', '--text', 'edith@', ...why];
    expect((await run(...removal, '--preview')).stdout).toMatch(
      /^edith@example\.com at position 1 leaves the line\.\n/,
    );
    const removed = JSON.parse((await run(...removal, '--json')).stdout);
    expect(removed.summary).toBe('1 member was removed, 0 credits taken back.');
    expect((await run('find', id)).exitCode).toBe(1);
    expect((await run('undo', String(removed.change), ...why)).stdout).toBe(
      '1 member came back.\n',
    );
    expect((await run('adjust-points', id, 'add', '2', ...why)).stdout).toBe(
      'A member got 2 points.\n',
    );
    expect((await run('correct-address', id, 'Edith@Example.org', ...why)).exitCode).toBe(0);
    expect((await run('find', 'edith@example.org')).stdout).toMatch(/Points +2\n/);
    expect((await run('resend-link', 'edith@example.org', ...why)).stderr).not.toContain('undo');
    expect((await run('pause', 'Back on Friday.', ...why)).exitCode).toBe(0);
    expect((await run('reopen', ...why)).exitCode).toBe(0);
    expect((await run('erase', id, '--yes', ...why)).stdout).toBe('A member was erased.\n');
    expect((await run('remove', '--tier', '99', ...why)).exitCode).toBe(1);
  });
});
