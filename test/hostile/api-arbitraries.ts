/** Requests generated from the API's description: valid ones, and ones with one fault. */
import fc from 'fast-check';
import { HOSTILE_ADDRESSES, HOSTILE_STRINGS } from './hostile-strings.ts';

export type Schema = {
  readonly type?: 'string' | 'integer' | 'boolean' | 'null' | 'object' | 'array';
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
};

/** Arbitrary text: hostile strings, any Unicode, addresses, and lookalikes of codes and ids. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE_STRINGS),
  fc.constantFrom(...HOSTILE_ADDRESSES),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 300 }),
  fc.emailAddress(),
  fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{10}$/),
  fc.uuid(),
);

/** Without prototype keys, which this server rejects in any JSON: they have their own tests. */
const anyJson = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => !JSON.stringify(value).includes('__proto__'));

/** Values that the schema allows. Throws for an unknown keyword. */
export function rightValueOf(schema: Schema): fc.Arbitrary<unknown> {
  const kinds = schema.oneOf ?? schema.anyOf;
  if (kinds) return fc.oneof(...kinds.map(rightValueOf));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const {
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
    properties = {},
    required = [],
  } = schema;
  // A schema counts characters, a string of JavaScript halves of surrogate pairs.
  if (schema.type === 'string')
    return anyText.map((text) => [...text].slice(0, maxLength).join('').padEnd(minLength, 'a'));
  if (schema.type === 'integer')
    return fc.integer({
      min: schema.minimum ?? 0,
      max: schema.maximum ?? schema.minimum ?? 0,
    });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.items)
    return fc.array(rightValueOf(schema.items), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 3, 3),
    });
  if (schema.type !== 'object') throw new Error(`no values are made for ${JSON.stringify(schema)}`);
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, rightFieldOf(name, field)]),
  );
  const known = fc.record(fields, { requiredKeys: [...required] });
  // Undescribed fields are ignored.
  const extra = fc.dictionary(fc.stringMatching(/^x-\w{1,8}$/), anyJson, { maxKeys: 2 });
  if (schema.additionalProperties === false) return known;
  return fc.tuple(known, extra).map(([one, other]) => ({ ...one, ...other }));
}

/** Often what exists, so that calls also succeed. */
function rightFieldOf(name: string, field: Schema): fc.Arbitrary<unknown> {
  const known = KNOWN[name];
  return known === undefined
    ? rightValueOf(field)
    : fc.oneof(fc.constantFrom(...known), rightValueOf(field));
}

const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  size: ['Small', 'Medium', 'Large'],
  stock: [0, 10, 20],
};

/** Bodies that violate an object schema. */
export function wrongValueOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(wrongValueOf));
  const { properties = {}, required = [] } = schema;
  const right = rightValueOf(schema) as fc.Arbitrary<Record<string, unknown>>;
  const withField = (name: string, value: fc.Arbitrary<unknown>) =>
    fc.tuple(right, value).map(([body, wrong]) => ({ ...body, [name]: wrong }));
  return fc.oneof(
    fc.constantFrom<unknown>(null, [], '', 0, true, [{}], {}),
    ...required.map((name) => right.map(({ [name]: _missing, ...rest }) => rest)),
    ...Object.entries(properties).flatMap(([name, field]) => [
      withField(name, wrongTypeOf(field)),
      ...longTextsOf(field).map((text) => withField(name, text)),
    ]),
  );
}

function wrongTypeOf(schema: Schema): fc.Arbitrary<unknown> {
  const allowed = new Set((schema.anyOf ?? [schema]).map(({ type }) => type));
  const others: fc.Arbitrary<unknown>[] = [
    fc.array(fc.constantFrom(null, true, {}), { minLength: 1, maxLength: 3 }),
    fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
    fc.constantFrom(-1, 1e15, 1e308, 2 ** 31, 2 ** 53),
  ];
  if (!allowed.has('object'))
    others.push(
      fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    );
  if (!allowed.has('boolean')) others.push(fc.boolean());
  if (!allowed.has('null')) others.push(fc.constant(null));
  if (!allowed.has('string')) others.push(fc.string({ maxLength: 20 }));
  return fc.oneof(...others);
}

function longTextsOf(schema: Schema): fc.Arbitrary<string>[] {
  const lengths = (schema.anyOf ?? [schema]).flatMap(({ maxLength }) =>
    maxLength === undefined ? [] : [maxLength],
  );
  return lengths.map((length) =>
    fc.integer({ min: 1, max: 200 }).map((more) => 'a'.repeat(length + more)),
  );
}
