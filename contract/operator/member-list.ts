import { type Static, Type } from 'typebox';
import { After, Next, Whole } from '../fields.ts';
import { MemberFilter } from './member-filter.ts';
import { memberSchemas } from './member-schemas.ts';
import { EXPORT_FORMATS, ExportRequest, OperatorMember } from './members.ts';

export const MEMBER_SORTS = ['position', 'joined', 'referrals'] as const;
export type MemberSort = (typeof MEMBER_SORTS)[number];
export const ORDERS = ['asc', 'desc'] as const;
export type Order = (typeof ORDERS)[number];

const MAX_PAGE_MEMBERS = 100;

/** A POST, so that what is searched, often an address, does not reach the logs of a proxy. */
export const MemberListRequest = Type.Object(
  {
    filter: Type.Optional(MemberFilter),
    sort: Type.Optional(Type.Enum(MEMBER_SORTS, { description: 'Default: position' })),
    order: Type.Optional(
      Type.Enum(ORDERS, {
        description: 'asc: first position, oldest join, fewest referrals first',
      }),
    ),
    after: After({ maxLength: 100 }),
    limit: Type.Optional(Whole(1, MAX_PAGE_MEMBERS)),
  },
  { additionalProperties: false },
);
export type MemberListRequest = Static<typeof MemberListRequest>;

export const ListedMember = Type.Object({
  ...memberSchemas,
  ...OperatorMember.properties,
});
export type ListedMember = Static<typeof ListedMember>;

export const MemberPage = Type.Object({
  members: Type.Array(ListedMember),
  next: Next,
  is_partial: Type.Boolean({
    description: 'The search ran out of time before the page was full: "next" continues it',
  }),
});
export type MemberPage = Static<typeof MemberPage>;

export const CountMembersRequest = Type.Object(
  { filter: Type.Optional(MemberFilter) },
  { additionalProperties: false },
);

export const MemberCount = Type.Object({
  count: Type.Integer(),
  is_exact: Type.Boolean({ description: 'false: more members than this match' }),
});
export type MemberCount = Static<typeof MemberCount>;

export const ExportMembersRequest = Type.Object(
  {
    filter: Type.Optional(MemberFilter),
    ...ExportRequest.properties,
    format: Type.Optional(
      Type.Enum(EXPORT_FORMATS, { description: 'Format of the file; csv by default' }),
    ),
  },
  { additionalProperties: false },
);
