/** Mails that wait because their mailbox got enough: docs/decisions/0018-limits.md. */
import { sql } from 'kysely';
import type { Transaction } from '../db/transaction.ts';

export type PostponedMail = {
  readonly memberId: string;
  readonly kind: 'welcome' | 'confirm' | 'status-link';
  readonly identity: string;
};

/** Takes all whose moment has come, the newest first. */
export async function takePostponed(transaction: Transaction, now: Date): Promise<PostponedMail[]> {
  const { rows } = await sql<PostponedMail>`
    with due as (
      delete from postponed_mail where due_at <= ${now} returning *
    )
    select due.member_id as "memberId", due.kind, member.email_identity as identity
    from due join member on member.id = due.member_id
    order by due.created_at desc, due.member_id
  `.execute(transaction);
  return rows;
}
