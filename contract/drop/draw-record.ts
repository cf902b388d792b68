/** The public record of a drop: everything that a check of its draw needs. */
import { type Static, Type } from 'typebox';
import { Nullable, NullableText, TextOrNull } from '../fields.ts';

const DrawEntrant = Type.Object(
  {
    position: Type.Integer({ description: '1 is the first of the line' }),
    ticket: Type.String({ description: 'Stands for the member, by the salt and their id' }),
    points: Type.Integer(),
    sizes: Type.Unsafe<readonly string[]>(
      Type.Array(Type.String(), { description: 'The preferred one first' }),
    ),
    takes_any: Type.Boolean({ description: 'Any size, once those are gone' }),
    weight: Type.Optional(
      Type.Integer({ description: 'Half tickets, 1 to 255; absent in records without a version' }),
    ),
    losses: Type.Optional(
      Type.Integer({
        description: 'Without a version: drops that it lost, 1 to 255, if any counts',
      }),
    ),
  },
  { description: 'Somebody on the frozen list' },
);
export type DrawEntrant = Readonly<Static<typeof DrawEntrant>>;

const FrozenList = {
  version: Type.Optional(
    Type.Literal(2, { description: 'Tickets have weights; absent in records before them' }),
  ),
  number: Type.Integer(),
  frozen_at: Type.String({ description: 'ISO 8601 in UTC, with milliseconds' }),
  salt: Type.String({ description: 'Hexadecimal: ticket = SHA-256 of "<salt>:<member id>"' }),
  entrants: Type.Array(DrawEntrant, { description: 'By position, without gaps' }),
};

export type Randomness =
  | { readonly source: 'none' }
  | { readonly source: 'quicknet'; readonly round: number }
  | { readonly source: 'seed'; readonly commitment: string };

/** Fixed before anybody can know the outcome. */
export const Announcement = Type.Object({
  number: Type.Integer(),
  list_hash: Type.String(),
  masks: Type.Array(Type.Object({ size: Type.String(), masks: Type.Integer() })),
  by_rank: Type.Integer({ description: 'Masks that go by rank; the others are drawn' }),
  drawn_among: Type.Integer({ description: 'Among the first so many; 0: nothing is drawn' }),
  randomness: Type.Unsafe<Randomness>(
    Type.Object({
      source: Type.Enum(['none', 'quicknet', 'seed'] as const),
      round: Type.Optional(Type.Integer({ description: 'Of quicknet' })),
      commitment: Type.Optional(Type.String({ description: 'The hash of the seed' })),
    }),
  ),
  announced_at: Type.String({ description: 'ISO 8601 in UTC, with milliseconds' }),
  entered_hash: Type.Optional(
    Type.String({ description: 'Of `entered`; absent where members do not enter by card' }),
  ),
});
export type Announcement = Readonly<Static<typeof Announcement>>;

export const Amendment = Type.Object({
  amended_at: Type.String({ description: 'ISO 8601 in UTC' }),
  masks: Announcement.properties.masks,
  reason: Type.String({ description: 'In the words of the operator' }),
});
export type Amendment = Readonly<Static<typeof Amendment>>;

const DrawPlace = Type.Object({
  position: Type.Integer(),
  size: TextOrNull('null: not chosen'),
});
export type DrawPlace = Readonly<Static<typeof DrawPlace>>;

export const DrawRecord = Type.Object({
  ...FrozenList,
  list_hash: Type.String(),
  announcement: Nullable(Announcement),
  announcement_hash: NullableText,
  entered: Type.Optional(
    Type.Array(Type.Integer(), {
      description: 'Positions of those who entered by card, the first first: only they are drawn',
    }),
  ),
  evidence: TextOrNull('The signature of the round, or the seed, in hexadecimal'),
  order: Nullable(Type.Array(DrawPlace, { description: 'In draw order; null before the draw' })),
});
export type DrawRecord = Readonly<Static<typeof DrawRecord>>;
export type FrozenList = Pick<DrawRecord, keyof typeof FrozenList>;
