import { type Static, Type } from 'typebox';

export const AUDIT_HEAD = /^(0|[1-9]\d{0,14}):((?:[0-9a-f]{64})?)$/;

export const VerifyRequest = Type.Object({
  audit_head: Type.Optional(
    Type.String({
      pattern: AUDIT_HEAD.source,
      description: 'A head of the audit log that was kept: the log must still have it',
    }),
  ),
});

export const Verification = Type.Object({
  members: Type.Integer({ description: 'Members compared' }),
  differences: Type.Array(Type.String(), { description: 'Empty when all is well' }),
  audit: Type.Object({
    entries: Type.Integer(),
    head: Type.String({ description: 'The last entry: its number, a colon, and its hash' }),
  }),
});
export type Verification = Static<typeof Verification>;
