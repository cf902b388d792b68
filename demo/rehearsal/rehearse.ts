import '../skip-disk.ts';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brand } from '../../brand/brand.ts';
import { buildSite, DIST } from '../../scripts/build.ts';
import { readOptions, refuse } from '../../scripts/command-line/read-options.ts';
import { freePort, setOwnSettings } from '../../scripts/own-server.ts';
import { readSiteDir } from '../../server/config.ts';
import { listSizes } from '../../server/drop/stock/stock.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { type ReceivedMail, startMailbox } from '../../test/support/smtp-mailbox.ts';
import { drawJoins } from '../draw/draw-joins.ts';
import { type Line, playJoins } from '../play-joins.ts';
import { goTo, openStage } from '../stage.ts';
import { checkDrops } from './checks.ts';
import { playDrops } from './play-drops.ts';
import { keepMails, readMails, readOffers } from './rehearsal-store.ts';
import { reportOf } from './write-report.ts';

const USUAL_HOURS = 160;
const MINUTE_MS = 60_000;

const values = readOptions('npm run rehearse: reports two drops. Exit code 1: a check fails.', {
  members: ['500', 'How many are in line.'],
  seed: ['afterglow', 'Another word makes up another line.'],
  minutes: ['5', 'How long a drop takes.'],
  report: ['rehearsal', 'The folder of the report and of all mails.'],
  keep: [false, 'Keeps the pages up afterwards.'],
});
const [members, minutes] = [Number(values.members), Number(values.minutes)];
if (!Number.isInteger(members) || members < 200 || members > 10_000)
  refuse('--members must be a whole number from 200 to 10,000.');
if (!(minutes >= 0 && minutes <= 60)) refuse('--minutes must be from 0 to 60.');

if (process.env.SITE_DIR === undefined) await buildSite({ outDir: DIST });
const beganAt = performance.now();
const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-rehearsal-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const folder = resolve(values.report);
mkdirSync(join(folder, 'mails'), { recursive: true });
const mails: ReceivedMail[] = [];
let mailbox = await startMailbox({ mails });
const { url: smtpUrl, port: smtpPort } = mailbox;
const port = String(await freePort(Number(process.env.PORT || 3000)));
const url = `http://localhost:${port}`;
setOwnSettings({
  DATA_DIR: dataDir,
  PORT: port,
  PUBLIC_URL: url,
  OPERATOR_TOKEN: randomBytes(32).toString('hex'),
  SMTP_URL: smtpUrl,
  LOG_LEVEL: 'error',
});

console.log(`Making a line of ${members.toLocaleString('en')} members ...`);
const joins = drawJoins(members, values.seed);
goTo(joins[0]?.agoMs ?? 0);
const stage = await openStage(readSiteDir());
await keepMails(stage.database);
const queue = openJoinQueue({ database: stage.database, brand });
const line: Line = { joins, joined: [] };
await playJoins(queue.join, { line, end: joins.length });
await queue.close();
goTo(0);
await stage.listen();
console.log(`The drop begins. Its pages are at ${url} until it is over.`);
const played = await playDrops({
  stage,
  url,
  members: line.joined,
  mailServer: {
    mails,
    stop: () => mailbox.close(),
    start: async () => {
      mailbox = await startMailbox({ mails, port: smtpPort });
    },
  },
  seed: values.seed,
  hourMs: (minutes * MINUTE_MS) / USUAL_HOURS,
});
const checks = await checkDrops({ stage, url, mails, played });
goTo(0);
for (const [index, { raw }] of mails.entries())
  writeFileSync(join(folder, 'mails', `${String(index + 1).padStart(4, '0')}.eml`), raw);
const file = join(folder, 'report.md');
writeFileSync(
  file,
  reportOf({
    at: new Date(),
    seconds: (performance.now() - beganAt) / 1000,
    members,
    seed: values.seed,
    played,
    checks,
    offers: await readOffers(stage.database),
    mails: await readMails(stage.database),
    sizes: await listSizes(stage.database),
  }),
);
for (const { what, problems } of checks)
  for (const problem of problems) console.error(`${what}: NO. ${problem}`);
const isGood = checks.every(({ problems }) => problems.length === 0);
console.log(`${isGood ? 'Everything adds up.' : 'This does NOT add up.'} ${file}`);
process.exitCode = isGood ? 0 : 1;
if (values.keep) console.log(`Its pages stay at ${url}. Ctrl-C ends the rehearsal.`);
else {
  await stage.close();
  await mailbox.close();
  process.exit();
}
