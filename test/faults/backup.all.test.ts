/** Backups of servers in use, restored on the same engine or the other. */

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fillPath, mailPagePaths } from '../../contract/paths.ts';
import { nameBackup } from '../../scripts/operator/database.ts';
import { type Engine, engines } from '../support/engines.ts';
import { type Place, providePlaces } from '../support/provide-places.ts';
import { seedLine } from '../support/seed-line.ts';
import { startServer } from '../support/server-process.ts';
import { type ReceivedMail, startMailbox } from '../support/smtp-mailbox.ts';
import { isLong } from '../support/test-form.ts';
import { inspect, runCommand, settingsOf } from './backup-commands.ts';
import { joinOverHttp, startJoinLoad } from './join-load.ts';
import { untilMailIsSettled } from './settled-mail.ts';

const TRIALS = isLong ? 5 : 1;
const VISITORS = 16;
/** Joined before the backup begins; joins go on during it. */
const MEMBERS = isLong ? 2_000 : 100;
const MANY = 100_000;
const MANY_WITHIN_S = 60;
/** In the short form each test covers one direction between the engines. */
const LOADED: readonly Engine[] = isLong ? engines : ['embedded'];
const MOVED_FROM: readonly Engine[] = isLong ? engines : ['postgres'];

const { pathOf, createPlace, createEmptyPlace } = providePlaces();

const succeeded = { exitCode: 0, stderr: '' };
const otherThan = (engine: Engine): Engine => (engine === 'embedded' ? 'postgres' : 'embedded');

async function timeCommand(
  command: 'backup' | 'restore',
  place: Place,
  file: string,
): Promise<number> {
  const beganAt = performance.now();
  expect(await runCommand(command, place, file)).toMatchObject(succeeded);
  return (performance.now() - beganAt) / 1000;
}

/** A backup while visitors join has every member acknowledged before it, in one exact line. */
async function moveUnderLoad(
  source: Place,
  target: Place,
  { joined }: { readonly joined: number },
) {
  const server = await startServer({ ...settingsOf(source), LIMITS: 'off', MAIL_RATE: '20' });
  const load = startJoinLoad([server.url], VISITORS);
  while (load.acknowledged.length < joined) await delay(10);
  const before = load.acknowledged.map(({ id }) => id);
  const file = pathOf('line.backup');
  const backupS = await timeCommand('backup', source, file);
  expect(load.acknowledged.length).toBeGreaterThan(before.length);
  await load.stop();
  expect(await server.stop()).toBe(0);
  expect(server.output()).not.toContain('failed');
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const restoreS = await timeCommand('restore', target, file);
  const { positions, differences } = await inspect(target);
  expect(differences).toEqual([]);
  expect(before.filter((id) => !positions.has(id))).toEqual([]);
  if (isLong)
    console.log(
      `${before.length} acknowledged before, ${positions.size} restored, none lost: ` +
        `backup ${backupS.toFixed(1)} s, restore ${restoreS.toFixed(1)} s`,
    );
  return { before: before.length, members: positions.size, worstS: Math.max(backupS, restoreS) };
}

describe.each(LOADED)('a backup of a server on %s', (engine) => {
  test.each(Array.from({ length: TRIALS }, (_, index) => index + 1))(
    'under load (trial %i) holds every member acknowledged before it, in one consistent line',
    async () => {
      const target = await createEmptyPlace(isLong ? engine : otherThan(engine));
      await moveUnderLoad(await createPlace(engine), target, { joined: MEMBERS });
    },
  );

  // The time limit assumes an idle machine.
  test.runIf(isLong)(
    `of ${MANY.toLocaleString('en')} members, taken under load and restored, takes a minute`,
    { timeout: 900_000 },
    async () => {
      const source = await createPlace(engine);
      await seedLine(source, MANY);
      const target = await createEmptyPlace(engine);
      const { before, members, worstS } = await moveUnderLoad(source, target, { joined: VISITORS });
      expect(members).toBeGreaterThanOrEqual(MANY + before);
      expect(worstS).toBeLessThan(MANY_WITHIN_S);
    },
  );
});

describe.each(MOVED_FROM)('a backup of a server on %s that was stopped', (engine) => {
  const other = otherThan(engine);
  test(`moves to ${other}: same positions, waiting mails sent once, old links work`, async () => {
    const box = await startMailbox();
    const settings = { LIMITS: 'off', SMTP_URL: box.url };
    const source = await createPlace(engine);
    // Slow enough that each of the two servers sends some mails.
    const first = await startServer({ ...settingsOf(source), ...settings, MAIL_RATE: '2' });
    const emails = Array.from({ length: 12 }, (_, index) => `ghost${index}@example.com`);
    for (const email of emails)
      expect((await joinOverHttp(first.url, email, null)).status).toBe(201);
    await box.waitFor(2);
    expect(await first.stop()).toBe(0);
    const sentBefore = box.mails.length;
    expect(sentBefore).toBeLessThan(emails.length);

    writeFileSync(pathOf(nameBackup(new Date('2001-01-01'))), '');
    const kept = await runCommand('backup', { ...source, backupDir: pathOf() }, '--keep=1');
    expect(kept).toMatchObject(succeeded);
    const [name = '', ...older] = readdirSync(pathOf());
    expect(older).toEqual([]);
    const file = pathOf(name);
    const again = await runCommand('backup', source, file);
    expect(again.stderr).toBe(`${file} exists already.\n`);
    const last = JSON.parse(readFileSync(join(source.dataDir, 'last-backup.json'), 'utf8'));
    expect(last.failedAt).toBeGreaterThan(last.succeededAt);

    const target = await createEmptyPlace(other);
    expect(await runCommand('restore', target, file)).toMatchObject(succeeded);
    const [old, moved] = [await inspect(source), await inspect(target)];
    expect(moved.positions).toEqual(old.positions);
    expect(moved.rows).toBe(old.rows);
    expect(moved.differences).toEqual([]);

    const second = await startServer({ ...settingsOf(target), ...settings, MAIL_RATE: '1000' });
    expect(await (await fetch(`${second.url}/readyz`)).json()).toMatchObject({
      detail: expect.stringContaining('it may be a copy'),
    });
    const goOn = await runCommand('this-is-the-line', target, '--reason=Moved');
    expect(goOn).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^\d+ mails leave\.$/m),
    });
    await box.waitFor(emails.length);
    await untilMailIsSettled(second.url, target);
    const [mail] = box.mails;
    const data = await fetch(
      second.url + fillPath(mailPagePaths.downloadData, preferencesToken(mail)),
      {
        method: 'POST',
        body: new URLSearchParams(),
      },
    );
    expect(data.status).toBe(200);
    expect(await data.text()).toContain(mail?.to[0]);
    expect((await joinOverHttp(second.url, 'late@example.com', null)).status).toBe(201);
    expect(await second.stop()).toBe(0);
    const mailed = box.mails.map(({ to }) => to[0]).filter((to) => to !== 'late@example.com');
    expect(mailed.sort()).toEqual([...emails].sort());
    await box.close();
  });
});

/** From the link in the footer of the mail. */
function preferencesToken(mail: ReceivedMail | undefined): string {
  const text = (mail?.raw ?? '').replaceAll('=\r\n', '');
  return /\/preferences\/([\w-]{40,})/.exec(text)?.[1] ?? '';
}
