import fastifySwagger from '@fastify/swagger';
import escapeHtml from 'escape-html';
import type { Brand } from '../../brand/brand-shape.ts';
import { UNATTENDED_HEADER } from '../../contract/operator/paths.ts';
import type { HttpServer } from './http-server.ts';
import { type FixedPage, fixPage, sendFixedPage } from './send-page.ts';

const DOCUMENT_PATH = '/api/openapi.json';
/** A new version of the server may answer otherwise. */
const CACHED = 'public, max-age=300';

export const API_DOCS_STYLE =
  '<style>:root{color-scheme:light dark}' +
  'body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}' +
  'pre{overflow:auto;padding:1rem;border:1px solid GrayText}' +
  'h2{font-size:1.1rem;margin-top:2.5rem}</style>';

const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: 'The operator token.' },
  key: { type: 'http', scheme: 'bearer', description: 'An API key, within its scopes.' },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-waitlist_operator',
    description:
      'The session of an operator who has signed in. A call with the header ' +
      `\`${UNATTENDED_HEADER}\` does not keep it open.`,
  },
} as const;

/** Call before the first route: earlier ones are not described. */
export async function addApiDocs(server: HttpServer, brand: Brand): Promise<void> {
  await server.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${brand.name} waitlist`,
        description: 'Every error has a body {"detail": "..."}.',
        version: '1',
      },
      components: { securitySchemes: SECURITY_SCHEMES },
    },
  });
  let docs: { readonly json: FixedPage; readonly page: FixedPage } | undefined;
  function renderOnce() {
    if (docs !== undefined) return docs;
    const document = server.swagger();
    docs = {
      json: fixPage(JSON.stringify(document), 'application/json; charset=utf-8'),
      page: fixPage(renderDocs(document as ApiDocument)),
    };
    return docs;
  }
  server.get(DOCUMENT_PATH, { schema: { hide: true } }, (request, reply) =>
    sendFixedPage(request, reply.header('cache-control', CACHED), renderOnce().json),
  );
  server.get('/api/docs', { schema: { hide: true } }, (request, reply) =>
    sendFixedPage(request, reply.header('cache-control', CACHED), renderOnce().page),
  );
}

type Operation = {
  summary?: string;
  description?: string;
  requestBody?: unknown;
  responses?: Record<string, unknown>;
};
type ApiDocument = {
  info: { title: string; description?: string };
  paths?: Record<string, Record<string, Operation>>;
};

function renderDocs({ info, paths = {} }: ApiDocument): string {
  const shown: ShownSchemas = new Map();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      renderOperation(`${method.toUpperCase()} ${path}`, operation, shown),
    ),
  );
  const title = escapeHtml(`${info.title} API`);
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    `<meta name="viewport" content="width=device-width"><title>${title}</title>${API_DOCS_STYLE}` +
    `</head><body><h1>${title}</h1><p>${escapeHtml(info.description ?? '')} ` +
    `For machines: <a href="${DOCUMENT_PATH}">openapi.json</a></p>` +
    `${operations.join('')}</body></html>`
  );
}

type ShownSchemas = Map<string, number>;

function renderOperation(
  name: string,
  { summary = '', description = '', requestBody, responses = {} }: Operation,
  shown: ShownSchemas,
): string {
  const schemas = [
    ...(requestBody === undefined ? [] : [['Request', requestBody] as const]),
    ...Object.entries(responses),
  ].map(([label, schema]) => renderSchema(label, JSON.stringify(schema, null, 1), shown));
  return (
    `<h2><code>${escapeHtml(name)}</code></h2>` +
    `<p>${escapeHtml(summary)}. ${escapeHtml(description)}</p>${schemas.join('')}`
  );
}

/** Written whole once, because most calls share most of their answers. */
function renderSchema(label: string, schema: string, shown: ShownSchemas): string {
  const name = shown.get(schema);
  if (name !== undefined) return `<p>${label}: <a href="#schema-${name}">as above</a></p>`;
  shown.set(schema, shown.size);
  return (
    `<details id="schema-${shown.size - 1}"><summary>${label}</summary>` +
    `<pre tabindex="0">${escapeHtml(schema)}</pre></details>`
  );
}
