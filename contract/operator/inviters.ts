import { type Static, Type } from 'typebox';
import { MemberFilter } from './member-filter.ts';
import { ListedMember } from './member-list.ts';
import { SourceFields } from './member-schemas.ts';

const { source, joined_from, joined_to } = MemberFilter.properties;

export const TopInvitersRequest = Type.Object({ source, joined_from, joined_to });
export type TopInvitersRequest = Static<typeof TopInvitersRequest>;

const Brought = {
  friends: Type.Integer({ description: 'Friends whose credit is given' }),
  waiting: Type.Integer({ description: 'Friends whose credit is pending or held' }),
};

export const TopInviter = Type.Object({
  member: ListedMember,
  ...Brought,
  sources: Type.Array(Type.Object({ ...SourceFields.properties, ...Brought }), {
    description: 'Where these friends came from, the most first',
  }),
});
export type TopInviter = Static<typeof TopInviter>;

export const TopInviters = Type.Object({
  joined_from: Type.String({ description: 'ISO 8601 in UTC, like joined_to' }),
  joined_to: Type.String(),
  inviters: Type.Array(TopInviter, {
    description: 'Members whose friends joined in that time and are in line: at most 20',
  }),
});
export type TopInviters = Static<typeof TopInviters>;
