import { type Static, type TObject, Type } from 'typebox';
import { CREDIT_STATES } from '../member-states.ts';
import { dropInputs } from './drop/drop-changes.ts';
import { offerInputs } from './drop/offer-changes.ts';
import { orderInputs } from './drop/orders.ts';
import { scheduleInputs } from './drop/schedule-changes.ts';
import { MAX_NAMED_MEMBERS, MAX_PAUSE_MESSAGE } from './limits.ts';
import { MemberFilter } from './member-filter.ts';
import { rewardInputs } from './rewards/reward-changes.ts';

const Size = Type.String({ minLength: 1, maxLength: 100 });
const Code = Type.String({ minLength: 1, maxLength: 100 });
const MemberId = Type.String({ minLength: 1, maxLength: 100 });
const Note = Type.String({ minLength: 1, maxLength: 500, description: 'For whom or why' });

const CampaignId = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });

export const changeInputs = {
  'set-stock': Type.Object({
    size: Size,
    stock: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  }),
  'send-campaign': Type.Object({
    campaign: CampaignId,
    revision: Type.Integer({
      minimum: 1,
      maximum: 2 ** 31 - 1,
      description: 'Of the draft that was previewed: refused if there is a newer one',
    }),
  }),
  'cancel-campaign': Type.Object({ campaign: CampaignId }),
  'import-members': Type.Object({
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
  'rename-size': Type.Object({ size: Size, name: Size }),
  'remove-size': Type.Object({ size: Size }),
  'allocate-masks': Type.Object({
    size: Size,
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    note: Note,
  }),
  'release-masks': Type.Object({ allocation_id: Type.String({ maxLength: 100 }), note: Note }),
  'remove-members': Type.Object(
    {
      member_ids: Type.Optional(Type.Array(MemberId, { minItems: 1, maxItems: MAX_NAMED_MEMBERS })),
      filter: Type.Optional(MemberFilter),
      expected: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'From the preview: the change is refused if more members match now',
        }),
      ),
    },
    { description: 'Either member_ids or filter' },
  ),
  'decide-credits': Type.Object(
    {
      state: Type.Enum(['given', 'held', 'refused'] as const, {
        description: 'What the credits become; only given ones count',
      }),
      member_ids: Type.Optional(
        Type.Array(MemberId, {
          minItems: 1,
          maxItems: MAX_NAMED_MEMBERS,
          description: 'Friends, and the credits that their referrers get for them',
        }),
      ),
      code: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'All friends of this code' }),
      ),
      rule: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'All friends whom this rule matched',
        }),
      ),
      network_of: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'All friends who joined from the network of this friend',
        }),
      ),
      states: Type.Optional(
        Type.Array(Type.Enum(CREDIT_STATES), {
          minItems: 1,
          maxItems: 4,
          description:
            'Not of member_ids: only credits in these states; without it held ones, and to ' +
            'hold, pending and given ones',
        }),
      ),
      again: Type.Optional(
        Type.Boolean({
          description: 'Also credits that an operator decided before; otherwise they stay',
        }),
      ),
      expected: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'Of the preview: refuses the change if more credits would change by now',
        }),
      ),
    },
    { description: 'One of member_ids, code, rule and network_of' },
  ),
  'hold-code': Type.Object({ code: Code }),
  'release-code': Type.Object({ code: Code }),
  'trust-network': Type.Object({ member_id: MemberId }),
  'distrust-network': Type.Object({ member_id: MemberId }),
  'adjust-points': Type.Object({
    member_id: MemberId,
    by: Type.Integer({ minimum: -10_000, maximum: 10_000, description: 'Negative takes points' }),
  }),
  'correct-address': Type.Object({
    member_id: MemberId,
    email: Type.String({ minLength: 1, maxLength: 1024 }),
  }),
  'resend-link': Type.Object({ member_id: MemberId }),
  'erase-member': Type.Object({
    member: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Id or e-mail address, also of one who was removed in the last 24 hours',
    }),
  }),
  'pause-joining': Type.Object({
    message: Type.String({
      minLength: 1,
      maxLength: MAX_PAUSE_MESSAGE,
      description: 'The answer to everybody who tries to join',
    }),
  }),
  'reopen-joining': Type.Object({}),
  ...dropInputs,
  ...rewardInputs,
  ...offerInputs,
  ...scheduleInputs,
  ...orderInputs,
} as const satisfies Readonly<Record<string, TObject>>;

export type ChangeKind = keyof typeof changeInputs;
export type ChangeInput<Kind extends ChangeKind> = Static<(typeof changeInputs)[Kind]>;
export type WantedChange = {
  [Kind in ChangeKind]: { kind: Kind; input: ChangeInput<Kind> };
}[ChangeKind];

const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Why, for the audit log: without e-mail addresses, because it is kept for good',
});

const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

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
    seen: Type.Integer({
      minimum: 0,
      maximum: 2 ** 31 - 1,
      description: 'From the preview: refuses the change if the subject was changed since',
    }),
  },
  ['reason'],
);
export type ChangeRequest = Static<typeof ChangeRequest>;

export const ChangePreview = Type.Object({
  sentences: Type.Array(Type.String(), { description: 'What would change, for a person' }),
  counts: Type.Record(Type.String(), Type.Integer(), { description: 'The same, for programs' }),
  seen: Nullable(
    Type.Integer({
      description: 'The last change of the same member or size; null for several, or none',
    }),
  ),
});
export type ChangePreview = Static<typeof ChangePreview>;

export const MadeChange = Type.Object({
  change: Type.Integer({ description: 'Its number, which is that of its audit entry' }),
  summary: Type.String({ description: 'What happened, in one sentence' }),
  undo_until: Nullable(Type.String({ description: 'ISO 8601 in UTC; null: it cannot be undone' })),
});
export type MadeChange = Static<typeof MadeChange>;

export const UndoRequest = Type.Object({ reason: Reason });

export const ChangeNumber = Type.Object({ change: Type.String({ pattern: '^[1-9]\\d{0,14}$' }) });

export const AuditPageRequest = Type.Object({
  before: Type.Optional(
    Type.String({
      pattern: '^[1-9]\\d{0,14}$',
      description: 'Entries before this number: `next` of the page before',
    }),
  ),
  subject_kind: Type.Optional(Type.String({ maxLength: 100, description: 'member, size, ...' })),
  subject_id: Type.Optional(Type.String({ maxLength: 200 })),
});

export const AuditEntry = Type.Object({
  number: Type.Integer(),
  at: Type.String({ description: 'ISO 8601 in UTC, like undo_until' }),
  actor: Type.Object({
    kind: Type.String({ description: 'operator, api_key, token or system' }),
    id: Nullable(Type.String()),
    name: Type.String(),
  }),
  action: Type.String({ description: 'A kind of change, undo, or another act of an operator' }),
  subject: Nullable(Type.Object({ kind: Type.String(), id: Type.String() })),
  reason: Nullable(Type.String({ description: 'null: none is asked for, as for a sign-in' })),
  summary: Type.String({ description: 'What happened, in one sentence' }),
  undo_until: Nullable(Type.String({ description: 'null: it cannot be undone, or no longer' })),
  undone_by: Nullable(Type.Integer({ description: 'The number of the entry of its undo' })),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = Type.Object({
  entries: Type.Array(AuditEntry, { description: 'Newest first' }),
  next: Nullable(Type.Integer({ description: '`before` of the next page; null on the last' })),
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
export type Joining = Static<typeof Joining>;
