/** Schemas of docs/behaviour.md 7. The browser imports their types only. */
import { type Static, Type } from 'typebox';
import { Nullable, NullableText } from './fields.ts';

export const JoinRequest = Type.Object(
  {
    email: Type.String({
      maxLength: 1024,
      description: 'The address as typed; the server decides whether it is valid.',
    }),
    referred_by: Type.Optional(
      Nullable(Type.String(), {
        description:
          'The referral code of the inviting member, or a text that holds it, such as their ' +
          'link. An unknown code does not prevent the join.',
      }),
    ),
  },
  { $id: 'JoinRequest' },
);
export type JoinRequest = Static<typeof JoinRequest>;
/** What a visitor enters, and the code of who invited them. */
export type JoinEntry = Omit<JoinRequest, 'referred_by'> & { readonly referredBy: string | null };

export const NextTier = Type.Object({
  required_referrals: Type.Integer({ minimum: 1 }),
  reward: Type.String(),
});
export type NextTier = Static<typeof NextTier>;

export const Member = Type.Object(
  {
    id: Type.String({
      pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
      description:
        'UUID v7: its first 48 bits are the moment of the join in milliseconds since 1970, or of ' +
        'the check of an imported list. 74 bits are random.',
    }),
    email: Type.String(),
    referral_code: Type.String({ description: '10 characters of Crockford base 32' }),
    position: Type.Integer({ minimum: 1, description: 'Exact position in line, 1 is first' }),
    referral_count: Type.Integer({ minimum: 0 }),
    tier_level: Type.Integer({ minimum: 0 }),
    next_tier: Nullable(NextTier),
    rewards_unlocked: Type.Array(Type.String()),
    rewards_waiting: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The last so many of rewards_unlocked are sent once enough friends have confirmed. ' +
          'Absent when none waits.',
      }),
    ),
    joined_referrals: Type.Integer({
      minimum: 0,
      description:
        'Friends who joined. Of those who have not confirmed their address at most 10 are in ' +
        'referral_count, or none where friends must confirm first.',
    }),
    confirmed_referrals: Type.Integer({
      minimum: 0,
      description: 'Friends of referral_count who have confirmed their address.',
    }),
    settled_referrals: Type.Integer({
      minimum: 0,
      description:
        'What they would count for if the line froze now: one of each mailbox, and more than 25 ' +
        "of a domain that is no provider's by half.",
    }),
    is_confirmed: Type.Boolean({ description: 'Whether the member has confirmed the address.' }),
  },
  { $id: 'Member' },
);
export type Member = Static<typeof Member>;

export const Stats = Type.Object(
  {
    total_signups: Type.Integer({ minimum: 0 }),
    available_masks: Type.Integer({ minimum: 0 }),
    top_referrers: Type.Array(Type.Object({ referrals: Type.Integer({ minimum: 1 }) }), {
      maxItems: 10,
    }),
    drop: Type.Optional(
      Type.Enum(['frozen', 'selected', 'offering', 'closed'] as const, {
        description: 'The state of the last drop. Absent while it is open.',
      }),
    ),
  },
  { $id: 'Stats' },
);
export type Stats = Static<typeof Stats>;

export const Faces = Type.Object(
  {
    faces: Type.Array(Type.String(), {
      description:
        'The paint of the first in line, in an order that tells no position: rows of a grid too ' +
        'coarse to lead back to a referral code.',
    }),
  },
  { $id: 'Faces' },
);
export type Faces = Static<typeof Faces>;

export const ReferralVerification = Type.Object(
  {
    valid: Type.Boolean(),
    referrer_email: NullableText,
  },
  { $id: 'ReferralVerification' },
);
export type ReferralVerification = Static<typeof ReferralVerification>;

export const ConfirmRequest = Type.Object(
  {
    token: Type.String({
      maxLength: 200,
      description: 'Of the confirmation link, or of the status link, in a mail to the member.',
    }),
    invited_by: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'The code of who invited the member, where the address was entered for several; any ' +
          'other text if none of them did.',
      }),
    ),
  },
  { $id: 'ConfirmRequest' },
);

export const Confirmed = Type.Object({ member_id: Type.String() }, { $id: 'Confirmed' });

export const InviterRequest = Type.Object(
  {
    invite: Type.String({
      description:
        'The invite link of another member, their referral code, or a text that holds either.',
    }),
  },
  { $id: 'InviterRequest' },
);

export const InviterView = Type.Object(
  {
    until: Nullable(Type.String(), {
      description:
        'Until when the member may say who invited them, ISO 8601 in UTC. Null once they have, ' +
        'when they joined by an invite, and a day after the join.',
    }),
  },
  { $id: 'InviterView' },
);
export type InviterView = Static<typeof InviterView>;

/** The body of every answer other than 2xx: a sentence that can be shown to a visitor. */
export const ErrorBody = Type.Object(
  {
    detail: Type.String(),
    code: Type.Optional(
      Type.Enum(['already_registered'] as const, {
        description: 'Which error it is, where the status alone does not tell a client.',
      }),
    ),
  },
  { $id: 'ErrorBody' },
);
export type ErrorBody = Static<typeof ErrorBody>;

export const MailEvent = Type.Object({
  type: Type.Union([Type.Literal('bounce'), Type.Literal('complaint')]),
  email: Type.String({ maxLength: 1024 }),
  permanent: Type.Optional(
    Type.Boolean({
      description:
        'For a bounce: whether the mailbox does not exist. Other bounces change nothing.',
    }),
  ),
});
export type MailEvent = Static<typeof MailEvent>;

export const ProofChallenge = Type.Object(
  {
    parameters: Type.Object(
      {
        algorithm: Type.String({ description: 'Key derivation: PBKDF2/SHA-256' }),
        nonce: Type.String({ pattern: '^[0-9a-f]{32}$' }),
        salt: Type.String({ pattern: '^[0-9a-f]{32}$' }),
        cost: Type.Integer({ minimum: 1, description: 'Iterations of one derivation' }),
        keyLength: Type.Integer({ minimum: 1 }),
        keyPrefix: Type.String(),
        keySignature: Type.String(),
        expiresAt: Type.Integer({ description: 'Unix time in seconds' }),
        data: Type.Object({ join: Type.String() }, { additionalProperties: false }),
      },
      { additionalProperties: false },
    ),
    signature: Type.String(),
  },
  { additionalProperties: false },
);
export type ProofChallenge = Static<typeof ProofChallenge>;

export const ProofRequired = Type.Object(
  { detail: Type.String(), challenge: ProofChallenge },
  { $id: 'ProofRequired' },
);

export const REFUSED_BODY = {
  400: ErrorBody,
  413: ErrorBody,
  415: ErrorBody,
  422: ErrorBody,
} as const;

export const REFUSED_MEMBER_CALL = {
  ...REFUSED_BODY,
  404: ErrorBody,
  429: ErrorBody,
  503: ErrorBody,
} as const;
