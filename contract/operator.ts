/** The operator's API. Every call needs the operator's bearer token. */
import { type Static, Type } from 'typebox';
import { MemberMail } from './operator-mails.ts';
import { Member } from './schemas.ts';

export const operatorPaths = {
  counts: '/operator/api/counts',
  findMembers: '/operator/api/members/find',
  exportMembers: '/operator/api/members/export',
  member: '/operator/api/members/:memberId',
  sizes: '/operator/api/sizes',
  size: '/operator/api/sizes/:size',
  renameSize: '/operator/api/sizes/:size/rename',
  allocations: '/operator/api/allocations',
  release: '/operator/api/allocations/:allocationId/release',
  resumeMail: '/operator/api/mail/resume',
  testMail: '/operator/api/mail/test',
  waitingMails: '/operator/api/mail/waiting',
  failedMails: '/operator/api/mail/failed',
  suppressedAddresses: '/operator/api/mail/suppressed',
  verify: '/operator/api/verify',
  backup: '/operator/api/backup',
} as const;

/** Fills in the parameter of one of `operatorPaths`. */
export function fillPath(pattern: string, value: string): string {
  return pattern.replace(/:\w+/, () => encodeURIComponent(value));
}

export const Counts = Type.Object({
  members: Type.Integer(),
  available_masks: Type.Integer(),
  best_referral_count: Type.Integer({
    description: 'Referrals of the top referrer; 0 without one.',
  }),
});
export type Counts = Static<typeof Counts>;

/** A POST, so that the text, often an address, does not reach the logs of a proxy. */
export const FindMembersRequest = Type.Object({
  text: Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'Member id, e-mail address or referral code',
  }),
});

/** A POST for the same reason. */
export const ResumeMailRequest = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 1024 }),
});

/** Why the address was suppressed; null when it was not. */
export const ResumedMail = Type.Object({ reason: Type.Union([Type.String(), Type.Null()]) });
export type ResumedMail = Static<typeof ResumedMail>;

export const OperatorMember = Type.Object({
  ...Member.properties,
  points: Type.Integer(),
  is_invited: Type.Boolean(),
  referred_by: Type.Union([Type.String(), Type.Null()]),
  joined_at: Type.String({ description: 'ISO 8601 in UTC, like confirmed_at' }),
  confirmed_at: Type.Union([Type.String(), Type.Null()], {
    description: 'When the address was proved to be theirs; null: not yet',
  }),
});
export type OperatorMember = Static<typeof OperatorMember>;

export const FoundMember = Type.Object({ ...OperatorMember.properties, mail: MemberMail });
export type FoundMember = Static<typeof FoundMember>;

export const FoundMembers = Type.Object({ members: Type.Array(FoundMember) });
export type FoundMembers = Static<typeof FoundMembers>;

export const ExportRequest = Type.Object({
  format: Type.Union([Type.Literal('csv'), Type.Literal('json')]),
});

export const MaskSize = Type.Object({
  name: Type.String(),
  stock: Type.Integer(),
  allocated: Type.Integer(),
  available: Type.Integer(),
});
export type MaskSize = Static<typeof MaskSize>;

export const MaskSizes = Type.Object({ sizes: Type.Array(MaskSize) });
export type MaskSizes = Static<typeof MaskSizes>;

export const SetStockRequest = Type.Object({
  stock: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
});

export const RenameSizeRequest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
});

const Note = Type.String({ minLength: 1, maxLength: 500, description: 'For whom or why' });

export const AllocateRequest = Type.Object({
  size: Type.String({ minLength: 1, maxLength: 100 }),
  quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  note: Note,
});

export const ReleaseRequest = Type.Object({ note: Note });

const Nullable = Type.Union([Type.String(), Type.Null()]);

export const Allocation = Type.Object({
  id: Type.String(),
  size: Type.String(),
  quantity: Type.Integer(),
  note: Type.String(),
  allocated_at: Type.String({ description: 'ISO 8601 in UTC, like released_at' }),
  released_at: Nullable,
  release_note: Nullable,
});
export type Allocation = Static<typeof Allocation>;

export const Allocations = Type.Object({ allocations: Type.Array(Allocation) });
export type Allocations = Static<typeof Allocations>;

export const Verification = Type.Object({
  members: Type.Integer({ description: 'Members compared' }),
  differences: Type.Array(Type.String(), { description: 'Empty when all is well' }),
});
export type Verification = Static<typeof Verification>;
