/** Helpers for tests that follow the links in mails. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LinkPurpose, signLinkToken } from '../../server/mail/link-token.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import type { TestApp } from './test-app.ts';

export const SECRET_KEY = 'k'.repeat(43);

const DAY_MS = 86_400_000;

export function tokenOf(
  memberId: string,
  purpose: LinkPurpose,
  { inDays = 1 }: { inDays?: number } = {},
): string {
  const expiresAt = new Date(Date.now() + inDays * DAY_MS);
  return signLinkToken(SECRET_KEY, { purpose, memberId, mailbox: null, expiresAt });
}

/** A form as a browser posts it from our page, which sends no referrer and so no origin. */
export function postForm(
  app: TestApp,
  url: string,
  fields: Record<string, string> = {},
  headers = {},
) {
  return app.fastify.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'null',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  });
}

export const open = (app: TestApp, url: string, method: 'GET' | 'HEAD' = 'GET') =>
  app.fastify.inject({ method, url, headers: { accept: 'text/html' } });

/** The name of the test site's page in an answer. */
export const pageOf = ({ payload }: { payload: string }) =>
  /<main id="([\w-]+)"/.exec(payload)?.[1] ?? null;

/** The values filled into the page. */
export const placesOf = ({ payload }: { payload: string }) =>
  Object.fromEntries(
    [...payload.matchAll(/<dd>([\w-]+)=(.*?)<\/dd>/g)].map(([, place, value]) => [place, value]),
  );

/** Waits until no mail is queued or being sent. */
export async function settleMail({ database }: TestApp): Promise<void> {
  const waiting = `select 1 from pgboss.job where state < 'completed'
    union all select 1 from mail_outbox`;
  while ((await database.runSql(waiting)).rows.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

/** The kept mails of a member, or of all, without the soft line breaks of their encoding. */
export function readKeptMail({ config }: TestApp, memberId = ''): string[] {
  const folder = join(config.dataDir, 'mail', memberId);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.eml'),
  );
  return names.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''));
}

/** Tables that a running server writes by itself: the overview's counts, and that it still runs. */
const WRITTEN_LATER = [
  'live_server',
  'visit_count',
  'event_count',
  'opened_invite',
  'join_count',
  'cohort_count',
  'friend_wait',
  'join_cursor',
].map((table) => `public.${table}`);

/** Everything that a visit could change. Leaves out tables where pg-boss keeps timestamps. */
export async function dumpLine({ database }: TestApp): Promise<string> {
  const isWanted = (table: string) =>
    table === 'pgboss.job' || (table.startsWith('public.') && !WRITTEN_LATER.includes(table));
  return (await dumpDatabase(database, isWanted)).text;
}
