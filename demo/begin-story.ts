/** The beginning of every command here: a server in a temporary folder whose line has a past. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSite, DIST } from '../scripts/build.ts';
import { freePort, setOwnSettings } from '../scripts/own-server.ts';
import { loadOperatorToken } from '../server/access/operator-token.ts';
import { readSiteDir } from '../server/config.ts';
import { DAY_MS } from '../server/durations.ts';
import { startMailbox } from '../test/support/smtp-mailbox.ts';
import { goTo } from './clock.ts';
import { DEAD_DOMAIN, HISTORY_DAYS } from './past/draw-joins.ts';
import { tellPast } from './past/tell-past.ts';
import { openStage } from './stage.ts';

/** Mails per second: slow enough to watch a campaign. */
const MAIL_RATE = 2;
export const END_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Builds the site, unless SITE_DIR has one, and ends with the process. */
export async function beginStory({ members, seed }: { members: number; seed: string }) {
  // The data is thrown away, so no file of the process waits for the disk.
  fs.fsyncSync = () => {};
  syncBuiltinESMExports();
  if (process.env.SITE_DIR === undefined) await buildSite({ outDir: DIST });
  const dataDir = fs.mkdtempSync(join(tmpdir(), 'waitlist-demo-'));
  process.on('exit', () => fs.rmSync(dataDir, { recursive: true, force: true }));
  for (const signal of END_SIGNALS) process.once(signal, () => process.exit(1));
  const mailbox = await startMailbox({
    react(moment, address) {
      const isDead = moment === 'recipient' && address.endsWith(`@${DEAD_DOMAIN}`);
      return isDead ? '550 5.1.1 Unknown mailbox' : undefined;
    },
  });
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(await freePort(Number(process.env.PORT || 3000))),
    OPERATOR_TOKEN: await loadOperatorToken({ dataDir, operatorToken: null }),
    SMTP_URL: mailbox.url,
    MAIL_RATE: String(MAIL_RATE),
    LOG_LEVEL: 'error',
  };
  setOwnSettings(settings);
  console.log(`Making a line of ${members.toLocaleString('en')} members ...`);
  goTo(HISTORY_DAYS * DAY_MS);
  const stage = await openStage(readSiteDir());
  await tellPast(stage, { members, seed });
  return { stage, settings, mailbox, url: `http://127.0.0.1:${settings.PORT}` };
}
