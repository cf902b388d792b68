import { type TProperties, type TSchema, Type } from 'typebox';

export function Nullable<Schema extends TSchema>(
  schema: Schema,
  options: { readonly description?: string } = {},
) {
  return Type.Union([schema, Type.Null()], options);
}

export const NullableText = Nullable(Type.String());

export const TextOrNull = (description: string) => Nullable(Type.String({ description }));
export const IntegerOrNull = (description: string) => Nullable(Type.Integer({ description }));

export const NullableTime = Nullable(Type.String({ description: 'ISO 8601 in UTC' }));

export const Text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description && { description }) });

export const Whole = (minimum: number, maximum: number, description?: string) =>
  Type.Integer({ minimum, maximum, ...(description && { description }) });

export const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const Moment = (description: string) =>
  Type.String({ description: `${description}; ISO 8601 in UTC` });

export const Reason = Text(
  500,
  'Why, for the audit log: without e-mail addresses, because it is kept for good',
);

type Limits = { readonly maxLength?: number; readonly pattern?: string };

export const After = (limits: Limits) =>
  Type.Optional(Type.String({ ...limits, description: 'The `next` of the page before' }));

const LAST = '`after` of the next page; null on the last';
export const Next = TextOrNull(LAST);
export const NextNumber = IntegerOrNull(LAST);

/** Field that pages through numbered rows, the newest first. */
export const Before = (rows: string, digits: number) =>
  Type.Optional(
    Type.String({
      pattern: `^[1-9]\\d{0,${digits - 1}}$`,
      description: `${rows} before this number: \`next\` of the page before`,
    }),
  );
export const NextBefore = IntegerOrNull('`before` of the next page; null on the last');

/** The input of a change, with what the change does. */
export const Change = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Object(fields, { description });

/** The bound of a change, which then reaches no more than its preview said. */
export const Expected = (what: string) =>
  Type.Optional(
    Whole(0, 1_000_000, `From the preview: refuses the change if more ${what} would change by now`),
  );
