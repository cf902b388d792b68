import { type Static, type TOptional, Type } from 'typebox';
import { Text, Whole } from '../fields.ts';
import { FILTERED_FIELDS, type FilteredField } from '../member-fields.ts';
import { MAIL_STATES, NO_SOURCE } from '../member-states.ts';
import { MAX_NAMED_MEMBERS } from './limits.ts';
import { memberSchemas } from './member-schemas.ts';

const Moment = (description: string) =>
  Type.String({ maxLength: 40, description: `${description}, as ISO 8601` });

export const MemberIds = (description: string) =>
  Type.Optional(Type.Array(Text(100), { minItems: 1, maxItems: MAX_NAMED_MEMBERS, description }));

/** Other fields are refused: a removal must not reach further because of a misspelled one. */
export const MemberFilter = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        description:
          'Part of an address, a referral code, a member id, or positions: #128, #1-100, first 100',
      }),
    ),
    positions: Type.Optional(
      Text(40, 'Where they stand now: 1-100, first 100, 128, or 101- for all behind the first 100'),
    ),
    tier: Type.Optional(Whole(0, 100, 'The level reached, and no higher')),
    source: Type.Optional(
      Text(64, `One of the values of their source; "${NO_SOURCE}": nothing is known`),
    ),
    ...valueFilters(),
    joined_from: Type.Optional(Moment('Joined at or after')),
    joined_to: Type.Optional(Moment('Joined before')),
    confirmed: Type.Optional(
      Type.Boolean({ description: 'Whether the address was proved to be theirs' }),
    ),
    mail: Type.Optional(Type.Enum(MAIL_STATES, { description: 'Whether they are mailed' })),
  },
  { additionalProperties: false },
);
export type MemberFilter = Static<typeof MemberFilter>;

function valueFilters() {
  const entries = FILTERED_FIELDS.map((name) => [name, Type.Optional(memberSchemas[name])]);
  return Object.fromEntries(entries) as {
    [Name in FilteredField]: TOptional<(typeof memberSchemas)[Name]>;
  };
}
