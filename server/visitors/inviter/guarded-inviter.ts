/** Rate limits, then the line (decision 0121). */
import type { FastifyRequest } from 'fastify';
import type { ReferralCredit } from '../../../contract/member-states.ts';
import { findReferralCode } from '../../../contract/referral-code-rules.ts';
import type { Database } from '../../db/database.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import { readSource } from '../../line/sources/source-rules.ts';
import { getSource } from '../../line/sources/source-store.ts';
import { lineUnavailable } from '../../line/store.ts';
import type { Platform } from '../../module.ts';
import { conflict, invalidField, Problem } from '../../problem.ts';
import { type Given, readInvited, writeInviter } from './inviter-store.ts';

type Naming = { readonly memberId: string; readonly invite: string };

export type Inviters = ReturnType<typeof guardInviters>;

export function guardInviters({ config, database, limits }: Platform) {
  const { referralCredit } = config;
  const { host: ownHost } = new URL(config.publicUrl);

  /** Throws Problem rate_limited, unknown_member, invalid_field, conflict or unavailable. */
  async function give(request: FastifyRequest, { memberId, invite: text }: Naming): Promise<void> {
    limits.count('inviter', request.ip);
    limits.admitLookUp(request.ip);
    const member = await getInvited(database, memberId);
    if (member.refusal !== null) throw member.refusal;
    const invite = readInvite(text, [ownHost, request.host]);
    if (invite === null)
      throw invalidField(
        'This is not an invite link of this site, nor a code of ten letters and digits.',
      );
    try {
      await giveInviter(database, member, { invite, referralCredit });
    } catch (error) {
      if (error instanceof Problem && error.code === 'invalid_field')
        limits.countWrongCode(request.ip);
      throw error;
    }
  }

  return { ask: (memberId: string) => getInvited(database, memberId), give };
}

type Inviter = { readonly invite: Invite; readonly referralCredit: ReferralCredit };

const REFUSALS: Readonly<Record<Exclude<Given, 'given' | 'gone'>, Problem>> = {
  known: conflict('We know who invited you already.'),
  late: conflict('You can say who invited you within 24 hours of joining. That time is over.'),
  unknown: invalidField(
    'No member has this code. Please check it, or ask your friend for their link.',
  ),
  own: conflict('This is your own code. Enter the one of the friend who invited you.'),
  friend: conflict('This member came by your invite, so they cannot be your inviter.'),
};

type Invited = Awaited<ReturnType<typeof getInvited>>;

/** `until` is null unless the member may name an inviter. Throws unknown_member or unavailable. */
export async function getInvited(database: Database, memberId: string) {
  const id = readMemberId(memberId);
  if (id === null) throw unknownMember();
  const row = await readInvited(database, id).catch((error: unknown) => {
    throw lineUnavailable(error);
  });
  if (row === null) throw unknownMember();
  const refusal = row.is_invited ? REFUSALS.known : row.is_late ? REFUSALS.late : null;
  return {
    id,
    until: refusal === null ? row.until : null,
    refusal,
  };
}

export async function giveInviter(
  database: Database,
  { id }: Invited,
  { invite, referralCredit }: Inviter,
): Promise<void> {
  const outcome = await write().catch((error: unknown) => {
    throw lineUnavailable(error);
  });
  if (outcome === 'gone') throw unknownMember();
  if (outcome !== 'given') throw REFUSALS[outcome];

  async function write(): Promise<Given> {
    return await writeInviter(database, id, {
      code: invite.code,
      source: await sourceWith(invite.via),
      givesCredit: referralCredit !== 'confirm',
    });
  }

  /** Null when the link does not name a channel, or the join did. */
  async function sourceWith(via: string) {
    if (via === '') return null;
    const source = await getSource(database, id);
    return source === null || source.via !== '' ? null : { ...source, via };
  }
}

type Invite = { readonly code: string; readonly via: string };

/** The code and channel of a text. Links of other sites are no part of it. `hosts` have ports. */
function readInvite(text: string, hosts: readonly string[]): Invite | null {
  const ownLinks = text.replaceAll(/https?:\/\/\S+/gi, (link) =>
    hosts.some((host) => link.toLowerCase().includes(host.toLowerCase())) ? link : ' ',
  );
  const code = findReferralCode(ownLinks);
  if (code === null) return null;
  const [via = ''] = /(?<=[?&])via=[\w%+.-]*[\w%]/i.exec(ownLinks) ?? [];
  return { code, via: readSource(new URLSearchParams(via), '')?.via ?? '' };
}
