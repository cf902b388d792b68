import { all, run } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Slot } from '../../line/mails/mail-kinds.ts';
import type { MailedFriends, StrangerMail } from './stranger-mail-rules.ts';

/** Servers decide about mails one after the other, so that no two take the same slot. */
export function lockStrangerMails(transaction: Transaction) {
  return run(transaction)`select from mail_pace for update`;
}

export function readStrangerMails(transaction: Transaction, mailboxes: readonly string[]) {
  return all<StrangerMail & { mailbox: string }>(transaction)`
    select mailbox_hash as mailbox, job_id as "jobId", slot, claimed_at as "claimedAt",
      member_id is not null as "isInLine"
    from stranger_mail where mailbox_hash = any(${[...mailboxes]}::text[])
  `;
}

type Joined = {
  readonly referrerId: string | null;
  readonly joinedAt: Date;
  readonly isImported: boolean;
};

export async function readJoined(
  transaction: Transaction,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, Joined>> {
  // Whom an operator imported has this request_hash.
  const rows = await all<Joined & { id: string }>(transaction)`
    select id, referrer_id as "referrerId", joined_at as "joinedAt",
      request_hash = md5(id::text)::uuid as "isImported"
    from member where id = any(${[...memberIds]}::uuid[])
  `;
  return new Map(rows.map(({ id, ...joined }) => [id, joined]));
}

/** A first mail leaves within a day of the join, or never: older friends are not looked at. */
export async function countMailedFriends(
  transaction: Transaction,
  { referrerIds, since }: { referrerIds: readonly string[]; since: Date },
): Promise<Map<string, MailedFriends>> {
  const rows = await all<MailedFriends & { id: string }>(transaction)`
    with bound as materialized (
      select sequence from member where joined_at > ${since}::timestamptz - interval '1 day'
      order by joined_at, sequence limit 1
    )
    select wanted.id, count(friend.confirmed_at)::integer as confirmed,
      (count(*) - count(friend.confirmed_at))::integer as unconfirmed
    from unnest(${[...referrerIds]}::uuid[]) wanted (id)
    cross join lateral (
      select id, confirmed_at from member
      where referrer_id = wanted.id and sequence >= (select sequence from bound) offset 0
    ) friend
    cross join lateral (
      select from stranger_mail
      where member_id = friend.id and slot = 'first' and claimed_at > ${since} offset 0
    ) mail
    group by wanted.id
  `;
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

export type Claim = {
  readonly jobId: string;
  readonly mailbox: string;
  readonly slot: Slot;
  readonly memberId: string;
};

/** Leaves out members who have left meanwhile. */
export function writeStrangerMails(transaction: Transaction, claims: readonly Claim[], now: Date) {
  return run(transaction)`
    insert into stranger_mail (job_id, mailbox_hash, slot, member_id, claimed_at)
    select "jobId", claim.mailbox, slot, member.id, ${now}
    from json_to_recordset(${JSON.stringify(claims)}) as claim (
      "jobId" uuid, mailbox text, slot text, "memberId" uuid)
    join member on member.id = "memberId"
    for key share of member
    on conflict do nothing
  `;
}

/** What members who left had got is kept for as long as it counts. */
export function forgetStrangerMails(transaction: Transaction, before: Date) {
  return run(transaction)`
    delete from stranger_mail
    where claimed_at < ${before} and (member_id is null or slot in ('link', 'campaign'))
  `;
}
