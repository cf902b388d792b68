/** Graceful shutdown during a rush of joins. */
import { afterEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { apiPaths } from '../../contract/paths.ts';
import { getStats } from '../../server/visitors/get-stats.ts';
import { oneEngine } from '../support/engines.ts';
import { openTestApp, type TestApp } from './test-app.ts';

let app: TestApp;
afterEach(() => app.remove());

describe.each(oneEngine)('on %s', (engine) => {
  test('every acknowledged join is in the line, and no refused one is', async () => {
    app = await openTestApp(engine);
    const url = await app.fastify.listen({ host: '127.0.0.1', port: 0 });
    const statuses: (number | 'cut')[] = [];
    let told = 0;
    async function join(number: number): Promise<void> {
      try {
        const response = await fetch(url + apiPaths.join, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: `visitor${number}@example.com`, referred_by: null }),
        });
        await response.text();
        statuses.push(response.status);
        if (response.status === 201) told += 1;
      } catch {
        statuses.push('cut');
      }
    }
    async function keepJoining(visitor: number): Promise<void> {
      for (let round = 0; round < 200 && !statuses.includes('cut'); round++)
        await join(visitor * 1000 + round);
    }
    const rush = Promise.all(Array.from({ length: 40 }, (_, visitor) => keepJoining(visitor)));
    await expect.poll(() => told, { timeout: 30_000 }).toBeGreaterThan(50);
    await app.close();
    await rush;
    const { total_signups: members } = await getStats(app.database, brand);
    expect(members).toBe(told);
    expect(statuses.filter((status) => ![201, 503, 'cut'].includes(status))).toEqual([]);
    expect(statuses.some((status) => status !== 201)).toBe(true);
  });
});
