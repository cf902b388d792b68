import { readOptions, refuse } from '../scripts/command-line/read-options.ts';
import { MINUTE_MS } from '../server/durations.ts';
import { beginStory } from './begin-story.ts';
import { openEntrance } from './entrance.ts';
import { checkDrops } from './sale/checks.ts';
import { playDrops } from './sale/play-drops.ts';

const USUAL_HOURS = 160;

const values = readOptions('npm run rehearse: plays two drops. Exit code 1: a check fails.', {
  members: ['500', 'How many are in line.'],
  seed: ['afterglow', 'Another word makes up another line.'],
  minutes: ['5', 'How long a drop takes.'],
  keep: [false, 'Keeps pages and console up afterwards.'],
});
const [members, minutes] = [Number(values.members), Number(values.minutes)];
if (!Number.isInteger(members) || members < 200 || members > 10_000)
  refuse('--members must be a whole number from 200 to 10,000.');
if (!(minutes >= 0 && minutes <= 60)) refuse('--minutes must be from 0 to 60.');

const { stage, url, mailbox } = await beginStory({ members, seed: values.seed });
await stage.listen();
console.log(`The drop begins. Its pages are at ${url} until it is over, and its console at
  ${await openEntrance(stage.makeLink)}`);
const played = await playDrops({
  stage,
  url,
  mails: mailbox.mails,
  seed: values.seed,
  hourMs: (minutes * MINUTE_MS) / USUAL_HOURS,
});
const checks = await checkDrops({ stage, url, played });
for (const { what, problems } of checks) {
  console.log(`${problems.length === 0 ? 'yes' : 'NO '} ${what}`);
  for (const problem of problems) console.error(`    ${problem}`);
}
const isGood = checks.every(({ problems }) => problems.length === 0);
console.log(isGood ? 'Everything adds up.' : 'This does NOT add up.');
process.exitCode = isGood ? 0 : 1;
if (values.keep) console.log('Pages and console stay. Ctrl-C ends the rehearsal.');
else {
  await stage.close();
  await mailbox.close();
  process.exit();
}
