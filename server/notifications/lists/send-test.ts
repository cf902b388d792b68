import type { FastifyReply } from 'fastify';
import type { RenderedMail } from '../../../contract/mails.ts';
import type { TestMail } from '../../../contract/operator/mails.ts';
import type { Actor } from '../../access/actor.ts';
import { readNthLast } from '../../access/audit/audit-store.ts';
import { recordAccess } from '../../access/audit/record-audit.ts';
import { findOperator } from '../../access/operator-store.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { HOUR_MS } from '../../durations.ts';
import { readAddress } from '../../mail/email-rules.ts';
import { Problem } from '../../problem.ts';
import type { Mail } from '../open-mail.ts';

/** To addresses that are not operators', from all operators and API keys together. */
const MAX_TESTS_PER_HOUR = 20;

export type TestOptions = {
  readonly database: Database;
  readonly mail: Pick<Mail, 'sendTest'>;
};

type Test = {
  readonly actor: Actor;
  readonly email: string;
  readonly campaign?: { readonly id: number; readonly rendered: RenderedMail };
};

/** The audit log gets its entry first, which counts for the limit. Throws Problem. */
export async function sendTest(
  { database, mail }: TestOptions,
  reply: Pick<FastifyReply, 'raw'>,
  { actor, email, campaign }: Test,
): Promise<TestMail> {
  const address = readAddress(email);
  const what = campaign === undefined ? 'A test mail' : `Campaign ${campaign.id}`;
  await inTransaction(database, async (transaction) => {
    const isOperators = (await findOperator(transaction, address)) !== null;
    const [id, whose] = isOperators ? ['operator', "an operator's"] : ['other', 'another'];
    const subject = { kind: 'test-mail', id };
    const summary = `${what} was sent to ${whose} address, to try it.`;
    await recordAccess(transaction, actor, 'send-test-mail', subject, summary);
    // The entry holds the lock of the log, so no other test is counted at the same time.
    const before = isOperators
      ? null
      : await readNthLast(transaction, subject, MAX_TESTS_PER_HOUR + 1);
    if (before !== null) refuseUntil(before.at.getTime() + HOUR_MS);
  });
  // A mail server that hangs takes longer than the idle timeout. Injected: no socket.
  reply.raw.socket?.setTimeout?.(0);
  return await mail.sendTest(address.email, campaign?.rendered);
}

function refuseUntil(freeMs: number): void {
  const waitMs = freeMs - Date.now();
  if (waitMs <= 0) return;
  throw new Problem(
    'rate_limited',
    `Only ${MAX_TESTS_PER_HOUR} test mails an hour go to addresses that are not operators'.`,
    { retryAfterSeconds: Math.ceil(waitMs / 1000) },
  );
}
