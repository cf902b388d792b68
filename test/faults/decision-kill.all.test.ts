/** A server killed in the middle of a decision about many credits, and again of its undo. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AuditPage } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { createMigratedPlace, defaultEngine } from '../support/engines.ts';
import { callAs } from '../support/operator-call.ts';
import { seedLine } from '../support/seed-line.ts';
import { startServer } from '../support/server-process.ts';
import { isLong } from '../support/test-form.ts';
import { settingsOf } from './backup-commands.ts';
import { readLine } from './read-line.ts';

const TOKEN = 'the-operator-token-of-this-decision';
const MEMBERS = 4_000;
/** From the request on: within the plan, about the first commit, and within the parts. */
const KILLED_AFTER_MS = isLong ? [20, 100, 200, 300, 400, 600] : [300];
/** A server goes on after 15 seconds with what another one left, and looks every 5. */
const GOES_ON_WITHIN_MS = 60_000;

test.each(defaultEngine.flatMap((engine) => KILLED_AFTER_MS.map((ms) => [engine, ms] as const)))(
  'on %s after %i ms the line is whole at once, and the next server goes on',
  { timeout: 300_000 },
  async (engine, killedAfterMs) => {
    const place = await createMigratedPlace(engine);
    await seedLine(place, MEMBERS);
    const { line: before } = await readLine(place);
    const [star] = before;
    const settings = { ...settingsOf(place), OPERATOR_TOKEN: TOKEN };
    let server = await startServer(settings);

    const call = <T>(path: string, body?: object) =>
      callAs<T>(TOKEN, server.url + path, body && { ...body, reason: 'a test' });
    const readEntries = async () => (await call<AuditPage>(operatorPaths.changes)).entries;
    const countFriends = async () =>
      (await call<Member>(fillPath(apiPaths.status, star?.id ?? ''))).joined_referrals;
    /** Makes the change again only if the kill came before its entry. */
    async function makeInSpiteOfKill(
      make: () => Promise<unknown>,
      friends: number | undefined,
    ): Promise<void> {
      const earlier = (await readEntries()).length;
      const made = make().catch(() => null);
      await pause(killedAfterMs);
      await server.kill();
      await made;
      expect((await readLine(place)).differences).toEqual([]);
      server = await startServer(settings);
      if ((await readEntries()).length === earlier) await make();
      await expect.poll(countFriends, { timeout: GOES_ON_WITHIN_MS }).toBe(friends);
      expect(await readEntries()).toHaveLength(earlier + 1);
    }

    const input = { state: 'held', code: star?.referral_code, domain: 'example.com' };
    const joined = await countFriends();
    await makeInSpiteOfKill(
      () => call(operatorPaths.changes, { kind: 'decide-credits', input }),
      0,
    );
    const readLast = async () => (await readEntries())[0];
    await expect.poll(async () => (await readLast())?.undo_until).not.toBeNull();
    const { number: change } = (await readLast()) ?? {};
    await makeInSpiteOfKill(
      () => call(fillPath(operatorPaths.undoChange, change ?? 0), {}),
      joined,
    );
    await server.stop();
    expect(await readLine(place)).toEqual({ line: before, differences: [] });
    await place.remove();
  },
);
