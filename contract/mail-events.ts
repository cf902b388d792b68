/** What a mail provider, or a few lines between it and this server, reports about an address. */
import { type Static, Type } from 'typebox';

export const MailEvent = Type.Object({
  type: Type.Union([Type.Literal('bounce'), Type.Literal('complaint')]),
  email: Type.String({ maxLength: 1024 }),
  permanent: Type.Optional(
    Type.Boolean({
      description: 'Of a bounce: the mailbox does not exist. One that is not permanent changes nothing.',
    }),
  ),
});
export type MailEvent = Static<typeof MailEvent>;
