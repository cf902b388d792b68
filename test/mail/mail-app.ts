/** The whole app with a real mail server, for tests. */
import { sql } from 'kysely';
import type { Config } from '../../server/config.ts';
import { type ProvidedApp, provideApp } from '../http/provide-app.ts';
import { OPERATOR_TOKEN, openTestApp } from '../http/test-app.ts';
import { captureLog } from '../support/captured-log.ts';
import type { Engine } from '../support/engines.ts';
import { type Reaction, startMailbox } from '../support/smtp-mailbox.ts';

export type MailApp = Awaited<ReturnType<typeof openMailApp>>;

/** Generous, because other tests run at the same time. */
const PATIENCE_MS = 60_000;

export type MailAppOptions = {
  readonly react?: Reaction;
  readonly settings?: Partial<Config>;
  readonly hasLogin?: boolean;
};

/** Opens the app before the tests around it, and removes it after them. */
export function provideMailApp(engine: Engine, options: MailAppOptions): ProvidedApp & MailApp {
  const open = () => openMailApp(engine, options);
  return provideApp(engine, {}, false, open) as ProvidedApp & MailApp;
}

/** Failed mails are retried at once rather than after 15 s. */
export async function openMailApp(
  engine: Engine,
  { react, settings = {}, hasLogin = false }: MailAppOptions = {},
) {
  const box = await startMailbox({ ...(react && { react }), hasLogin });
  const log = captureLog();
  const app = await openTestApp(engine, { smtpUrl: box.url, ...settings }, log.logger);
  await sql`
    update pgboss.queue set retry_delay = 0, retry_backoff = false where name = 'mail'
  `.execute(app.database.kysely);

  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };

  /** Attempts by outcome, read from /metrics. */
  async function outcomes(): Promise<Record<string, number>> {
    const { payload } = await app.fastify.inject({ url: '/metrics', headers });
    const counts: Record<string, number> = {};
    for (const [, outcome = '', count] of payload.matchAll(
      /^waitlist_mails_total\{.*outcome="(\w+)".*\} (\d+)$/gm,
    ))
      counts[outcome] = (counts[outcome] ?? 0) + Number(count);
    return counts;
  }

  async function countUnfinished(): Promise<number> {
    const { rows } = await sql<{ mails: number }>`
      select (select count(*) from pgboss.job where name = 'mail' and state <= 'active')
        + (select count(*) from mail_outbox) as mails`.execute(app.database.kysely);
    return rows[0]?.mails ?? 0;
  }

  return {
    ...app,
    box,
    outcomes,
    /** The first page of one of the operator's lists. */
    listMails: async (url: string): Promise<unknown[]> =>
      (await app.fastify.inject({ url, headers })).json().entries,
    /** Waits for that many attempts with the outcome. */
    async waitForOutcome(outcome: string, count: number) {
      const deadline = Date.now() + PATIENCE_MS;
      for (let now = await outcomes(); (now[outcome] ?? 0) < count; now = await outcomes()) {
        if (Date.now() > deadline)
          throw new Error(`waited for ${count} x ${outcome}, got ${JSON.stringify(now)}`);
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    },
    /** Waits until no mail waits or is being sent. */
    async untilQueueIsEmpty() {
      const deadline = Date.now() + PATIENCE_MS;
      for (let mails = await countUnfinished(); mails > 0; mails = await countUnfinished()) {
        if (Date.now() > deadline) throw new Error(`${mails} mails are still in the queue`);
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    },
    /** Everything logged so far. */
    logged: log.text,
    async remove() {
      await app.remove();
      await box.close();
    },
  };
}
