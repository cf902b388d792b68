import { type Static, Type } from 'typebox';
import { After, Next, Nullable, NullableText } from '../fields.ts';
import { CREDIT_STATES } from '../member-states.ts';
import { Member } from '../schemas.ts';
import { AuditEntry } from './changes.ts';
import { MemberMail } from './mails.ts';
import { ListedMember } from './member-list.ts';

export const Note = Type.Object({
  id: Type.String(),
  author: Type.String(),
  is_own: Type.Boolean({ description: 'Whether the caller wrote it, and so may change it' }),
  body: Type.String(),
  written_at: Type.String({ description: 'ISO 8601 in UTC, like edited_at' }),
  edited_at: NullableText,
});
export type Note = Static<typeof Note>;

export const NoteRequest = Type.Object(
  { body: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }) },
  { additionalProperties: false },
);

export const FriendCounts = Type.Record(Type.Enum(CREDIT_STATES), Type.Integer());
export type FriendCounts = Static<typeof FriendCounts>;

/** It tells no undo: the audit log itself says whether one would be made now. */
const SheetEntry = Type.Omit(AuditEntry, ['undo_until', 'undo_refusal']);
export type SheetEntry = Static<typeof SheetEntry>;

export const MemberSheet = Type.Object({
  member: ListedMember,
  why: Type.String({
    description: 'Why they stand there: "5 friends × 2 + 1 for an invite = 11 points"',
  }),
  brought_by: Nullable(ListedMember, {
    description: 'Null: they came without an invite, or the inviting member has left',
  }),
  friends: FriendCounts,
  mail: MemberMail,
  notes: Type.Array(Note, { description: 'Oldest first' }),
  audit: Type.Array(SheetEntry, {
    description: 'Entries of the audit log about them, newest first, at most 50',
  }),
  page: Type.Object({ ...Member.properties }, { description: 'What their own page shows' }),
});
export type MemberSheet = Static<typeof MemberSheet>;

export const FriendsRequest = Type.Object({
  after: After({ maxLength: 20, pattern: '^\\d+$' }),
});

export const Friends = Type.Object({
  members: Type.Array(ListedMember),
  next: Next,
});
export type Friends = Static<typeof Friends>;
