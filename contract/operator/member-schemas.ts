import { type TSchema, type TUnsafe, Type } from 'typebox';
import { Nullable } from '../fields.ts';
import { FIELD_NAMES, type FieldName, type FieldValue, memberField } from '../member-fields.ts';
import { SOURCE_FIELDS, type SourceField } from '../sources.ts';

type Schemas<Name extends FieldName> = { [One in Name]: TUnsafe<FieldValue<One>> };

const PLAIN = {
  text: Type.String,
  code: Type.String,
  time: Type.String,
  whole: Type.Integer,
  flag: Type.Boolean,
};

function schemaOf(name: FieldName): TSchema {
  const { form, isNullable, about } = memberField(name);
  const said = about === undefined ? {} : { description: about };
  const valueWith = (options: { readonly description?: string }) =>
    typeof form === 'string' ? PLAIN[form](options) : Type.Enum([...form], options);
  return isNullable ? Nullable(valueWith({}), said) : valueWith(said);
}

function schemasOf<Name extends FieldName>(names: readonly Name[]): Schemas<Name> {
  return Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Schemas<Name>;
}

export const memberSchemas = schemasOf(FIELD_NAMES);

export const SourceFields = Type.Object(schemasOf<SourceField>(SOURCE_FIELDS));
