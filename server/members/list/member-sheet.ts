import type { MemberMail } from '../../../contract/operator/mails.ts';
import type { Friends, MemberSheet } from '../../../contract/operator/member-sheet.ts';
import type { Actor } from '../../access/actor.ts';
import { listAudit } from '../../changes/changes-store.ts';
import type { Database } from '../../db/database.ts';
import { pageOf } from '../../http/cursor-rules.ts';
import { explainPosition } from '../../line/line-rules.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import type { Line } from '../../line/module.ts';
import { readEmail } from '../../mail/email-rules.ts';
import { readSuppression } from '../../mail/suppression/store.ts';
import type { Platform } from '../../module.ts';
import { readMailJobs } from '../links/store.ts';
import { readMembers } from './read-members.ts';
import { countFriends, friendsOf, membersOf, readNotes, referrerOf } from './sheet-store.ts';

const FRIENDS_PER_PAGE = 50;

export type SheetOptions = Platform & Pick<Line, 'getStatus'>;

export async function getMemberSheet(
  options: SheetOptions,
  { memberId, actor }: { memberId: string; actor: Actor },
): Promise<MemberSheet> {
  const { database, brand, secretKey, getStatus } = options;
  const { member, sequence } = await find(options, memberId);
  const { id } = member;
  const [inviting] = await readMembers(database, brand, referrerOf(id), 1);
  return {
    member,
    why: explainPosition({
      sequence,
      credits: member.referral_count,
      isInvited: member.is_invited,
      adjustment: member.point_adjustment,
    }),
    brought_by: inviting?.member ?? null,
    friends: await countFriends(database, id),
    mail: await getMemberMail(database, secretKey, member),
    notes: await readNotes(database, { memberId: id, actor }),
    audit: (await listAudit(database, { subject: { kind: 'member', id } })).entries,
    page: await getStatus(id),
  };
}

export async function listFriends(
  options: Platform,
  { memberId, after = '0' }: { memberId: string; after?: string | undefined },
): Promise<Friends> {
  const { database, brand } = options;
  const { id } = (await find(options, memberId)).member;
  const afterSequence = Math.min(Number(after), Number.MAX_SAFE_INTEGER);
  const limit = FRIENDS_PER_PAGE + 1;
  const friends = friendsOf(id, afterSequence, limit);
  const found = await readMembers(database, brand, friends, limit);
  const { shown, next } = pageOf(found, FRIENDS_PER_PAGE, ({ sequence }) => String(sequence));
  return { members: shown.map(({ member }) => member), next };
}

export async function getMemberMail(
  database: Database,
  secretKey: string,
  { id, email }: { id: string; email: string },
): Promise<MemberMail> {
  const identity = readEmail(email)?.identity ?? email;
  const suppression = await readSuppression(database, secretKey, identity);
  const jobs = await readMailJobs(database, id);
  return {
    state: suppression?.reason ?? 'sending',
    since: suppression?.since.toISOString() ?? null,
    mails: jobs.map((job) => ({
      kind: job.kind,
      queued_at: job.created_on.toISOString(),
      ended_at: job.completed_on?.toISOString() ?? null,
      state: job.outcome === null || job.completed_on === null ? 'waiting' : job.outcome,
      cause: job.cause,
    })),
  };
}

async function find({ database, brand }: Platform, memberId: string) {
  const id = readMemberId(memberId);
  const [found] = id === null ? [] : await readMembers(database, brand, membersOf([id]), 1);
  if (found === undefined) throw unknownMember();
  return found;
}
