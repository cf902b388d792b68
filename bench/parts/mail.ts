/** Joins while thousands of queued mails drain, beside the same joins with an empty queue. */
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../server/db/open.ts';
import { type Mailbox, startMailbox } from '../../test/support/smtp-mailbox.ts';
import { fill, type Place, startProduct, thisCheckout } from '../checkout.ts';
import { type Joins, startJoins } from '../load/steady-joins.ts';
import { definePart } from '../part.ts';
import type { Engine } from '../places.ts';
import { short, table, whole } from '../report/markdown.ts';

const OPTIONS = { mails: 10_000, seconds: 20, pairs: 2 };
const JOINS_PER_SECOND = 50;
const MAILS_PER_SECOND = 200;
const MEMBERS = 10_000;
/** Members of one queued batch, as joins that share a commit leave them. */
const BATCH = 20;
/** The first joins on a server that has just started meet cold caches. */
const WARM_UP_SECONDS = 3;

type Run = Joins & { readonly mailsPerSecond: number };

export const mailPart = (engine: Engine) =>
  definePart({
    name: `mail-${engine}`,
    writes: 'MAIL.md',
    options: OPTIONS,
    async measure({ options: { mails, seconds, pairs }, newPlace, log }) {
      const mailbox = await startMailbox();
      const measureRun = async (queued: number) => {
        const place = await newPlace(engine);
        await fill(thisCheckout, place, MEMBERS);
        await queueWelcomes(place, queued);
        return await measureJoins(place, mailbox, seconds);
      };
      const figures: { readonly empty: Run; readonly draining: Run }[] = [];
      for (let pair = 1; pair <= pairs; pair += 1) {
        const early = await measureRun(pair % 2 === 0 ? mails : 0);
        const late = await measureRun(pair % 2 === 0 ? 0 : mails);
        const [empty, draining] = pair % 2 === 0 ? [late, early] : [early, late];
        figures.push({ empty, draining });
        log(`pair ${pair} of ${pairs} measured`);
      }
      await mailbox.close();
      return figures;
    },
    describe(figures) {
      const cells = (run: Run) => [run.p50Ms, run.p99Ms, run.mailsPerSecond].map(short);
      const rows = figures.map(({ empty, draining }, index) => [
        whole(index + 1),
        ...cells(empty),
        ...cells(draining),
      ]);
      const head = ['pair', 'join p50 ms', 'p99 ms', 'mails/s', 'draining: join p50 ms'];
      return `## ${engine}\n\n${table([...head, 'p99 ms', 'mails/s'], rows)}`;
    },
  });

async function measureJoins(place: Place, mailbox: Mailbox, seconds: number): Promise<Run> {
  const settings = { LIMITS: 'off', SMTP_URL: mailbox.url, MAIL_RATE: String(MAILS_PER_SECOND) };
  const { port, stop } = await startProduct(thisCheckout, place, settings);
  const joinFor = async (tag: string, forSeconds: number) => {
    const joins = startJoins(port, { tag, perSecond: JOINS_PER_SECOND });
    await pause(forSeconds * 1000);
    const figures = await joins.stop();
    if (figures.refused > 0) throw new Error(`${figures.refused} joins were refused.`);
    return figures;
  };
  await joinFor('early', WARM_UP_SECONDS);
  const [receivedBefore, beganAt] = [mailbox.mails.length, performance.now()];
  const joins = await joinFor('late', seconds);
  const elapsedSeconds = (performance.now() - beganAt) / 1000;
  const mailsPerSecond = (mailbox.mails.length - receivedBefore) / elapsedSeconds;
  await stop();
  return { ...joins, mailsPerSecond };
}

async function queueWelcomes(place: Place, mails: number): Promise<void> {
  const database = await openDatabase({ ...place, log: () => {} });
  await database.runSql(
    `insert into mail_outbox (first_sequence, kind, member_ids)
     select min(number) - $1, 'welcome', array_agg(id)
     from generate_series(0, $1::bigint - 1) number join member on sequence = 1 + number % $2
     group by number / $3`,
    [mails, MEMBERS, BATCH],
  );
  await database.close();
}
