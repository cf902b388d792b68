import { type Static, type TObject, Type } from 'typebox';
import {
  Before,
  Change,
  Expected,
  IntegerOrNull,
  NextBefore,
  Nullable,
  NullableText,
  Reason,
  Text,
  TextOrNull,
  Whole,
} from '../fields.ts';
import { dropInputs } from './drop/drop-changes.ts';
import { orderInputs } from './drop/orders.ts';
import { tillInputs } from './drop/till.ts';
import { MAX_PAUSE_MESSAGE, MAX_SOURCE_LINK } from './limits.ts';
import { MemberFilter, MemberIds } from './member-filter.ts';
import { rewardInputs } from './rewards/reward-changes.ts';

const Size = Text(100);
const MemberId = Text(100);
const Note = Text(500, 'For whom or why');

const LinkQuery = Text(
  MAX_SOURCE_LINK,
  'A link or its query, such as utm_source=fair&utm_medium=flyer',
);

const CampaignId = Whole(1, 2 ** 31 - 1);

export const changeInputs = {
  'set-stock': Change('Set how many masks of a size exist', {
    size: Size,
    stock: Whole(0, 1_000_000),
  }),
  'send-campaign': Change('Send a campaign to the members whom its filter matches', {
    campaign: CampaignId,
    revision: Whole(
      1,
      2 ** 31 - 1,
      'Of the draft that was previewed: refused if there is a newer one',
    ),
  }),
  'cancel-campaign': Change('Send no further mail of a campaign', { campaign: CampaignId }),
  'retry-mails': Change('Send the mails of the last 30 days that never arrived again', {}),
  'import-members': Change('Add the members of a checked list to the line', {
    import_id: Type.String({ maxLength: 100 }),
    may_mail: Type.Literal(true, {
      description: 'The operator states that they may write to these people',
    }),
    confirmed: Type.Boolean({
      description: 'The operator states that the addresses were proved to be theirs',
    }),
    mail: Type.Enum(['none', 'welcome'] as const, {
      description: 'welcome: send each imported member the mail of a new member',
    }),
  }),
  'rename-size': Change('Give a size another name', { size: Size, name: Size }),
  'remove-size': Change('Remove a size with its stock', { size: Size }),
  'allocate-masks': Change('Set masks aside for somebody', {
    size: Size,
    quantity: Whole(1, 1_000_000),
    note: Note,
  }),
  'release-masks': Change('Return masks that were set aside', {
    allocation_id: Type.String({ maxLength: 100 }),
    note: Note,
  }),
  'remove-members': Change('Remove those named, or all who match, and the credits they gave', {
    member_ids: MemberIds('Members who leave'),
    filter: Type.Optional(MemberFilter),
    expected: Expected('members'),
  }),
  'decide-credits': Change(
    'Decide about credits: of member_ids, or of friends with all the rest in common',
    {
      state: Type.Enum(['given', 'held', 'refused'] as const, {
        description: 'What the credits become; only given ones count',
      }),
      member_ids: MemberIds('Friends, and the credits that their referrers get for them'),
      code: Type.Optional(
        Text(100, 'Friends of this code; without more, it can only approve them'),
      ),
      domain: Type.Optional(Text(255, 'Friends with an address at this domain, or below it')),
      network_of: Type.Optional(Text(100, 'Friends who joined from the network of this friend')),
      again: Type.Optional(
        Type.Boolean({
          description: 'Also credits that an operator decided before; otherwise they stay',
        }),
      ),
      expected: Expected('credits'),
    },
  ),
  'look-at-member': Change('Note that you looked at a member and their friends', {
    member_id: MemberId,
  }),
  'adjust-points': Change('Give or take points, of which two are worth one friend', {
    member_id: MemberId,
    by: Whole(-10_000, 10_000, 'How many points; a negative number takes them'),
  }),
  'correct-address': Change('Give a member another address', {
    member_id: MemberId,
    email: Text(1024),
  }),
  'resend-link': Change('Mail a member their link again', { member_id: MemberId }),
  'erase-member': Change('Remove a member for good, at their request', {
    member: Text(1024, 'Id or e-mail address, also of one who was removed in the last 24 hours'),
  }),
  'pause-joining': Change('Pause joining: visitors are told why', {
    message: Text(MAX_PAUSE_MESSAGE, 'The answer to everybody who tries to join'),
  }),
  'reopen-joining': Change('Let everybody join again', {}),
  'pin-source': Change('Always count the visits from a source apart', { source: LinkQuery }),
  'unpin-source': Change('Count the visits from a source apart only as long as there is room', {
    source: LinkQuery,
  }),
  'this-is-the-line': Change('State that this is the line and no copy: what waited goes on', {}),
  ...dropInputs,
  ...rewardInputs,
  ...orderInputs,
  ...tillInputs,
} as const satisfies Readonly<Record<string, TObject>>;

export type ChangeKind = keyof typeof changeInputs;
export type ChangeInput<Kind extends ChangeKind> = Static<(typeof changeInputs)[Kind]>;
export type WantedChange = {
  [Kind in ChangeKind]: { kind: Kind; input: ChangeInput<Kind> };
}[ChangeKind];

function wanted<More extends object>(more: Readonly<Record<string, object>>, required: string[]) {
  return Type.Unsafe<WantedChange & More>({
    type: 'object',
    required: ['kind', 'input', ...required],
    discriminator: { propertyName: 'kind' },
    oneOf: Object.entries(changeInputs).map(([kind, input]) => ({
      type: 'object',
      required: ['kind', 'input', ...required],
      properties: { kind: { const: kind }, input, ...more },
    })),
  });
}

export const PreviewRequest = wanted({}, []);
export type PreviewRequest = WantedChange;

export const ChangeRequest = wanted<{ reason: string; seen?: number }>(
  {
    reason: Reason,
    seen: Whole(
      0,
      2 ** 31 - 1,
      'From the preview: refuses the change if the subject was changed since',
    ),
  },
  ['reason'],
);
export type ChangeRequest = Static<typeof ChangeRequest>;

export const ChangePreview = Type.Object({
  sentences: Type.Array(Type.String(), { description: 'What would change, for a person' }),
  counts: Type.Record(Type.String(), Type.Integer(), { description: 'The same, for programs' }),
  can_undo: Type.Boolean({ description: 'Whether it could be undone, for 24 hours' }),
  seen: IntegerOrNull('The last change of the same member or size; null for several, or none'),
});
export type ChangePreview = Static<typeof ChangePreview>;

export const MadeChange = Type.Object({
  change: Type.Integer({ description: 'Its number, which is that of its audit entry' }),
  summary: Type.String({ description: 'What happened, in one sentence' }),
  undo_until: TextOrNull('ISO 8601 in UTC; null: it cannot be undone'),
});
export type MadeChange = Static<typeof MadeChange>;

export const UndoRequest = Type.Object({ reason: Reason });

export const AuditPageRequest = Type.Object({
  before: Before('Entries', 15),
  subject_kind: Type.Optional(Type.String({ maxLength: 100, description: 'member, size, ...' })),
  subject_id: Type.Optional(Type.String({ maxLength: 200 })),
});

export const AuditEntry = Type.Object({
  number: Type.Integer(),
  at: Type.String({ description: 'ISO 8601 in UTC, like undo_until' }),
  actor: Type.Object({
    kind: Type.String({ description: 'operator, api_key, token or system' }),
    id: NullableText,
    name: Type.String(),
  }),
  action: Type.String({ description: 'A kind of change, undo, or another act of an operator' }),
  subject: Nullable(Type.Object({ kind: Type.String(), id: Type.String() })),
  reason: TextOrNull('null: none is asked for, as for a sign-in'),
  summary: Type.String({ description: 'What happened, in one sentence' }),
  undo_until: TextOrNull('null: it cannot be undone, or no longer'),
  undo_refusal: TextOrNull('Why an undo would be refused now, within its 24 hours'),
  undone_by: IntegerOrNull('The number of the entry of its undo'),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = Type.Object({
  entries: Type.Array(AuditEntry, { description: 'Newest first' }),
  next: NextBefore,
});
export type AuditPage = Static<typeof AuditPage>;

export const Joining = Type.Object({
  paused: Nullable(
    Type.Object({
      message: Type.String(),
      since: Type.String({ description: 'ISO 8601 in UTC' }),
    }),
  ),
});
