import { type Static, Type } from 'typebox';

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
