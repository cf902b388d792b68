import type { FastifyRequest } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { Type } from 'typebox';
import { apiPaths } from '../../../contract/paths.ts';
import { ErrorBody, MailEvent, REFUSED_BODY } from '../../../contract/schemas.ts';
import { acceptSignedJson } from '../../http/form-bodies.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { Platform } from '../../module.ts';
import { invalidField, Problem } from '../../problem.ts';
import { readEmail } from '../email-rules.ts';
import { suppressAddress } from './store.ts';

const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Idempotent. The answer does not tell whether the address is a member's. */
export async function addSuppressionRoutes(
  server: HttpServer,
  { config: { mailWebhookSecret }, database, secretKey, limits }: Platform,
): Promise<void> {
  if (mailWebhookSecret === null) return;
  const webhook = new Webhook(mailWebhookSecret);

  await server.register(async (scope: HttpServer) => {
    acceptSignedJson(scope);
    scope.post(
      apiPaths.mailEvents,
      {
        schema: {
          summary: 'Report a bounce or a complaint',
          description:
            'Signed according to Standard Webhooks, in the headers ' +
            `${SIGNATURE_HEADERS.join(', ')}.`,
          body: MailEvent,
          response: { 202: Type.Object({}), 401: ErrorBody, ...REFUSED_BODY, 429: ErrorBody },
        },
        preValidation: async (request) => {
          const bytes: unknown = request.body;
          const body = Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
          if (!isSigned(webhook, request, body)) {
            limits.count('wrong-link', request.ip);
            throw new Problem(
              'bad_signature',
              'The signature of this report is missing, wrong or too old.',
            );
          }
          request.body = readJson(body) as MailEvent;
        },
      },
      async ({ body }, reply) => {
        const address = readEmail(body.email);
        if (address === null) throw invalidField('The field "email" is not an address.');
        const bounced = body.permanent ? 'bounced' : null;
        const reason = body.type === 'complaint' ? 'complained' : bounced;
        if (reason !== null)
          await suppressAddress(database, secretKey, { identity: address.identity, reason });
        return reply.code(202).send({});
      },
    );
  });
}

/** The library accepts timestamps up to 5 minutes off, and throws when anything is wrong. */
function isSigned(webhook: Webhook, { headers }: FastifyRequest, body: Buffer): boolean {
  const signature = Object.fromEntries(
    SIGNATURE_HEADERS.map((name) => [name, String(headers[name] ?? '')]),
  );
  try {
    webhook.verify(body, signature, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new Problem('malformed_json', 'The request body is not valid JSON.');
  }
}
