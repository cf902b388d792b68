import { type Static, type TSchema, Type } from 'typebox';
import { After, IntegerOrNull, Next, Nullable, NullableText, Text, TextOrNull } from '../fields.ts';
import { MAIL_STATES } from '../member-states.ts';

const Owner = Nullable(
  Type.Object(
    { id: Type.String(), email: Type.String() },
    { description: 'Null: nobody in line, as far as is known' },
  ),
);

const Cause = TextOrNull('What went wrong, such as "connection refused"; null: nothing yet');

export const MailPageRequest = Type.Object({
  after: After({ maxLength: 100 }),
});

function pageOf<T extends TSchema>(entry: T) {
  return Type.Object({
    entries: Type.Array(entry),
    next: Next,
  });
}

export const WaitingMail = Type.Object({
  kind: Type.String(),
  member: Owner,
  queued_at: Type.String(),
  next_at: TextOrNull('Null: when those before it have left'),
  attempts: Type.Integer(),
  cause: Cause,
});
export type WaitingMail = Static<typeof WaitingMail>;

export const WaitingMails = pageOf(WaitingMail);
export type WaitingMails = Static<typeof WaitingMails>;

export const FailedMail = Type.Object({
  kind: Type.String(),
  member: Owner,
  queued_at: Type.String(),
  ended_at: Type.String(),
  attempts: Type.Integer(),
  outcome: Type.Enum(['refused', 'given_up'] as const),
  cause: Cause,
  response_code: IntegerOrNull('Of SMTP'),
});
export type FailedMail = Static<typeof FailedMail>;

export const FailedMails = pageOf(FailedMail);
export type FailedMails = Static<typeof FailedMails>;

const [, ...REASONS] = MAIL_STATES;

export const SuppressedAddress = Type.Object({
  reason: Type.Enum(REASONS),
  since: Type.String(),
  member: Owner,
});
export type SuppressedAddress = Static<typeof SuppressedAddress>;

export const SuppressedAddresses = pageOf(SuppressedAddress);
export type SuppressedAddresses = Static<typeof SuppressedAddresses>;

export const MemberMail = Type.Object({
  state: Type.Enum(MAIL_STATES),
  since: NullableText,
  mails: Type.Array(
    Type.Object({
      kind: Type.String(),
      queued_at: Type.String(),
      ended_at: NullableText,
      state: Type.String({
        description:
          'waiting, sent, refused, given_up, suppressed, obsolete: no longer true, or kept: in a ' +
          'file, because no mail server is set',
      }),
      cause: Cause,
    }),
    { description: 'Of the last days, oldest first' },
  ),
});
export type MemberMail = Static<typeof MemberMail>;

/** A POST, so that the address does not reach the logs of a proxy. */
export const TestMailRequest = Type.Object({
  email: Text(1024),
});

export const TestMail = Type.Object({
  outcome: Type.Enum(['sent', 'kept', 'failed'] as const, {
    description: 'kept: in a file, because no mail server is set',
  }),
  answer: TextOrNull('The words of the mail server'),
  file: NullableText,
  cause: Cause,
  error_code: TextOrNull('Of Node or nodemailer, such as ECONNREFUSED'),
  advice: TextOrNull('What to do, where a setting may be wrong'),
});
export type TestMail = Static<typeof TestMail>;

export const ResumeMailRequest = Type.Object({
  email: Text(1024),
});

export const ResumedMail = Type.Object({ reason: NullableText });
