import type { FastifyRequest } from 'fastify';
import type { HttpServer } from './http-server.ts';

/** Accepts nothing else. The scope must be encapsulated: its parsers hold for all its routes. */
export function acceptForms(scope: HttpServer): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
}

/** The bytes of JSON bodies as they were signed. */
export function acceptSignedJson(scope: HttpServer): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}

/** Empty for a body that is no form. */
export function formOf({ body }: Pick<FastifyRequest, 'body'>): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}
