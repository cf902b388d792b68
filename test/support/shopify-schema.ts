/** Judges and answers queries by the schema that Shopify publishes. */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type GraphQLError,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { API_VERSION } from '../../server/drop/till/shopify-queries.ts';

const file = new URL(`../fixtures/shopify/${API_VERSION}.graphql`, import.meta.url);
const schema = buildSchema(readFileSync(file, 'utf8'));
const valid = new Map<string, DocumentNode>();

/** What is unknown to the schema, or deprecated in it. */
export function problemsOf(query: string): readonly GraphQLError[] {
  return validate(schema, parse(query), [...specifiedRules, NoDeprecatedCustomRule]);
}

/** Refuses a query or variables that the schema does not have, as Shopify does. */
export function answerQuery(query: string, variables: object, fields: object): ExecutionResult {
  if (!valid.has(query)) {
    const errors = problemsOf(query);
    if (errors.length > 0) return { errors };
  }
  const document = valid.get(query) ?? parse(query);
  valid.set(query, document);
  return executeSync({ schema, document, rootValue: fields, variableValues: { ...variables } });
}
