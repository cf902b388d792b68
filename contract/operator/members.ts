import { type Static, Type } from 'typebox';
import { Text } from '../fields.ts';
import { Member } from '../schemas.ts';
import { MemberMail } from './mails.ts';
import { memberSchemas } from './member-schemas.ts';

export const Counts = Type.Object({
  members: Type.Integer(),
  available_masks: Type.Integer(),
  best_referral_count: Type.Integer({
    description: 'Referrals of the top referrer; 0 without one.',
  }),
});
export type Counts = Static<typeof Counts>;

export const FindMembersRequest = Type.Object({
  text: Text(1024, 'Member id, e-mail address or referral code'),
});

/** Webhooks leave the house, so credits and the state of mail stay out of them. */
const { credit, mail_state, ...sent } = memberSchemas;

export const OperatorMember = Type.Object({
  ...sent,
  ...Type.Omit(Member, ['joined_referrals', 'settled_referrals']).properties,
});
export type OperatorMember = Static<typeof OperatorMember>;

export const FoundMembers = Type.Object({
  members: Type.Array(Type.Object({ ...OperatorMember.properties, mail: MemberMail })),
});
export type FoundMembers = Static<typeof FoundMembers>;

export const EXPORT_FORMATS = ['csv', 'json', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const ExportRequest = Type.Object({
  format: Type.Enum(EXPORT_FORMATS, { description: 'Format of the file' }),
  separator: Type.Optional(
    Type.Enum([',', ';'] as const, {
      description: 'Between the cells of CSV, default: a comma. Excel in German or Spanish needs ;',
    }),
  ),
});
export type ExportRequest = Static<typeof ExportRequest>;
