import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { apiPaths, IDEMPOTENCY_KEY_HEADER, PROOF_HEADER } from '../../contract/paths.ts';
import {
  ErrorBody,
  Faces,
  JoinRequest,
  Member,
  ProofRequired,
  REFUSED_BODY,
  ReferralVerification,
  Stats,
} from '../../contract/schemas.ts';
import { SOURCE_FIELDS, SOURCE_HEADER } from '../../contract/sources.ts';
import { type HttpServer, publicRoute } from '../http/http-server.ts';
import { readEntry } from '../line/join/join-request.ts';
import { readSourceHeader } from '../line/sources/source-rules.ts';
import type { Platform } from '../module.ts';
import { invalidField } from '../problem.ts';
import { FACES_FRESH_SECONDS } from './get-stats.ts';
import type { GuardedJoin } from './guarded-join.ts';
import type { VerifyCode } from './verify-code.ts';

type WaitlistOptions = {
  readonly join: GuardedJoin;
  readonly getStatus: (memberId: string) => Promise<Member>;
  readonly getStats: () => Promise<Stats>;
  readonly getFaces: () => Promise<Faces>;
  readonly verifyCode: VerifyCode;
};

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

export function addWaitlistRoutes(
  server: HttpServer,
  { config }: Platform,
  { join, getStatus, getStats, getFaces, verifyCode }: WaitlistOptions,
): void {
  const ownHost = new URL(config.publicUrl).host;

  server.post(
    apiPaths.join,
    publicRoute('Join the waitlist', {
      description:
        `A join repeated with its ${IDEMPOTENCY_KEY_HEADER} gets the same bytes for 24 hours. ` +
        'When many joins come from one place, the answer is 428 with an ALTCHA challenge: ' +
        `solve it and send the same join again with the header ${PROOF_HEADER}.`,
      headers: Type.Object({
        [IDEMPOTENCY_KEY_HEADER]: Type.Optional(
          Type.String({ description: '1 to 200 visible ASCII characters, unique to each join.' }),
        ),
        [SOURCE_HEADER]: Type.Optional(
          Type.String({
            description:
              `Where the visitor came from, encoded like a query: ${SOURCE_FIELDS.join(', ')}, ` +
              'of up to 64 characters each. Anything else is left out and never refuses the join.',
          }),
        ),
        [PROOF_HEADER]: Type.Optional(
          Type.String({
            description:
              'Base64 of the JSON {challenge, solution: {counter, derivedKey}} for this join.',
          }),
        ),
      }),
      body: JoinRequest,
      response: {
        201: Member,
        409: ErrorBody,
        ...REFUSED_BODY,
        428: ProofRequired,
        429: ErrorBody,
        503: ErrorBody,
      },
    }),
    async (request, reply) => {
      const idempotencyKey = readIdempotencyKey(request);
      const source = readSourceHeader(request.headers[SOURCE_HEADER], ownHost);
      const attempt = { ...readEntry(request.body), idempotencyKey, source };
      const { statusCode, body } = await join(request, attempt);
      reply.code(statusCode).type('application/json; charset=utf-8');
      // The body is serialised: a retry gets the exact bytes of the first answer.
      return reply.send(body as never);
    },
  );

  server.get(
    apiPaths.status,
    publicRoute('A member of the line', {
      params: Type.Object({ memberId: Type.String() }),
      response: { 200: Member, 404: ErrorBody, 503: ErrorBody },
    }),
    async (request) => getStatus(request.params.memberId),
  );

  server.get(
    apiPaths.stats,
    publicRoute('Totals of the line', { response: { 200: Stats } }),
    async () => getStats(),
  );

  server.get(
    apiPaths.faces,
    { schema: { summary: 'The paint of the first in line', response: { 200: Faces } } },
    async (_request, reply) => {
      const faces = await getFaces();
      reply.header('cache-control', `public, max-age=${FACES_FRESH_SECONDS}`);
      return faces;
    },
  );

  server.get(
    apiPaths.verifyReferral,
    publicRoute('Verify a referral code', {
      params: Type.Object({ code: Type.String() }),
      response: { 200: ReferralVerification, 404: ErrorBody, 429: ErrorBody },
    }),
    async ({ ip, params }) => verifyCode(params.code, ip),
  );
}

function readIdempotencyKey({ headers }: FastifyRequest): string | null {
  const key = headers[IDEMPOTENCY_KEY_HEADER];
  if (key === undefined) return null;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw invalidField('The idempotency key must be 1 to 200 visible ASCII characters.');
}
