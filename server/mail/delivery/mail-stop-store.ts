import type { Config } from '../../config.ts';
import type { Reader } from '../../db/database.ts';
import { first } from '../../db/rows.ts';
import { describeStop, type MailStop, NO_MAIL_SERVER } from './mail-stop-rules.ts';

/** The last time that mail stood still, or stands still. */
export function readMailStop({ kysely }: Reader) {
  return first<MailStop>(kysely)`
    select refused_since as since, refused_until as until, refused_with as "refusedWith"
    from mail_pace where refused_since is not null
  `;
}

/** In a sentence; null while mail is not refused. */
export async function readRefusal(reader: Reader): Promise<string | null> {
  const stop = await readMailStop(reader);
  return stop?.until === null ? describeStop(stop) : null;
}

/** Why mail does not leave, in a sentence; null if it does. */
export async function readMailProblem(
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
  reader: Reader,
): Promise<string | null> {
  return smtpUrl === null ? NO_MAIL_SERVER : await readRefusal(reader);
}
