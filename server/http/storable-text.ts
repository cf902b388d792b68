import { ErrorBody } from '../../contract/schemas.ts';
import { invalidField } from '../problem.ts';
import type { HttpServer } from './http-server.ts';

/** Whether PostgreSQL stores the text as it is: no column takes NUL, or half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

export function refuseUnstorable(scope: HttpServer): void {
  scope.addHook('onRoute', ({ schema }) => {
    if (schema?.params === undefined && schema?.querystring === undefined) return;
    schema.response = { 422: ErrorBody, ...(schema.response as object) };
  });
  scope.addHook('preValidation', async ({ params, query, body }) =>
    [params, query, body].forEach(assertStorable),
  );
}

function assertStorable(part: unknown): void {
  const fields = Object.entries(part ?? {}).map(([key, value]) => ({ path: key, key, value }));
  // Recursion would fail: a body may be nested as deep as it is long.
  for (const { path, key, value } of fields) {
    if (!isStorable(key) || (typeof value === 'string' && !isStorable(value)))
      throw invalidField(`The field ${JSON.stringify(path)} has characters that cannot be kept.`);
    if (typeof value !== 'object' || value === null) continue;
    for (const [inner, nested] of Object.entries(value))
      fields.push({ path: `${path}.${inner}`, key: inner, value: nested });
  }
}
