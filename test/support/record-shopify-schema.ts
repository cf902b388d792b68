/**
 * Writes the part of Shopify's published schema that the queries of the till reach. After a change
 * of them or of their version: `node test/support/record-shopify-schema.ts`, then `npm run fix`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  buildClientSchema,
  type IntrospectionQuery,
  parse,
  printSchema,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { API_VERSION, queries } from '../../server/drop/till/shopify-queries.ts';

/** Its tools for developers, which hold the schemas of all versions that it supports. */
const PACKAGE = '@shopify/dev-mcp@1.16.0';

type Ref = { readonly name?: string; readonly ofType?: Ref };
type Value = { readonly name: string; readonly type: Ref; readonly args?: readonly Value[] };
type Type = {
  readonly name: string;
  readonly fields: readonly Value[] | null;
  readonly inputFields: readonly Value[] | null;
  readonly interfaces?: readonly Ref[];
};

const published = readPublished();
const used = fieldsOf(Object.values(queries), published);
const types = new Map(published.__schema.types.map((one) => [one.name, one as unknown as Type]));
const kept = new Map<string, Type>();
for (const root of ['QueryRoot', 'Mutation']) keep(root);
const part = { __schema: { ...published.__schema, types: [...kept.values()], directives: [] } };
const text = printSchema(buildClientSchema(part as unknown as IntrospectionQuery));
const head = `# What the till reaches of Shopify's Admin API ${API_VERSION}, from ${PACKAGE}.
# test/support/record-shopify-schema.ts writes it.

`;
writeFileSync(
  new URL(`../fixtures/shopify/${API_VERSION}.graphql`, import.meta.url),
  `${head}${text}\n`,
);

/** Leaves out the descriptions, which are the largest part of the schema. */
function readPublished(): IntrospectionQuery {
  const folder = mkdtempSync(join(tmpdir(), 'shopify-'));
  try {
    const pack = ['pack', PACKAGE, '--silent', '--pack-destination', folder];
    const archive = execFileSync('npm', pack, { encoding: 'utf8' }).trim();
    const file = `package/dist/data/admin_${API_VERSION}.json.gz`;
    execFileSync('tar', ['xzf', join(folder, archive), '-C', folder, file]);
    const json = gunzipSync(readFileSync(join(folder, file))).toString();
    return JSON.parse(json, (key, value) => (key === 'description' ? null : value)).data;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fieldsOf(documents: readonly string[], from: IntrospectionQuery): Set<string> {
  const found = new Set<string>();
  const info = new TypeInfo(buildClientSchema(from));
  const Field = () => void found.add(`${info.getParentType()?.name}.${info.getFieldDef()?.name}`);
  for (const document of documents) visit(parse(document), visitWithTypeInfo(info, { Field }));
  return found;
}

/** All arguments and all fields of inputs, but only those fields of objects that are read. */
function keep(name: string): void {
  const type = types.get(name);
  if (type === undefined || kept.has(name)) return;
  const fields = type.fields?.filter((field) => used.has(`${name}.${field.name}`)) ?? null;
  kept.set(name, { ...type, fields, interfaces: [] });
  for (const field of [...(fields ?? []), ...(type.inputFields ?? [])])
    for (const { type: ref } of [field, ...(field.args ?? [])]) keep(nameOf(ref));
}

function nameOf({ name, ofType }: Ref): string {
  return name ?? (ofType ? nameOf(ofType) : '');
}
