/** SPEC 7: join, status and stats. */
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { IDEMPOTENCY_KEY_HEADER, PROOF_HEADER, routePatterns } from '../../contract/paths.ts';
import { ErrorBody, JoinRequest, Member, ProofRequired, REFUSED_BODY, Stats } from '../../contract/schemas.ts';
import type { HttpServer } from '../http/http-server.ts';
import { Problem } from '../problem.ts';
import type { TakeJoin } from './take-join.ts';

type WaitlistOptions = {
  readonly takeJoin: TakeJoin;
  readonly getStatus: (memberId: string) => Promise<Member>;
  readonly getStats: () => Promise<Stats>;
};

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

export function addWaitlistRoutes(server: HttpServer, { takeJoin, getStatus, getStats }: WaitlistOptions): void {
  server.post(
    routePatterns.join,
    {
      schema: {
        summary: 'Join the waitlist',
        description:
          `With the header ${IDEMPOTENCY_KEY_HEADER} a repeated join is answered with the same bytes for 24 hours. ` +
          `Where risk is raised, the answer is 428 with a challenge of ALTCHA's: solve it and send the same join with the header ${PROOF_HEADER}.`,
        headers: Type.Object({
          [IDEMPOTENCY_KEY_HEADER]: Type.Optional(
            Type.String({ description: '1 to 200 visible ASCII characters, fresh for each join.' }),
          ),
          [PROOF_HEADER]: Type.Optional(
            Type.String({
              description: 'Base64 of the JSON {challenge, solution: {counter, derivedKey}}, good for this one join.',
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
      },
    },
    async (request, reply) => {
      const { email, referred_by: referredBy = null } = request.body;
      const idempotencyKey = readIdempotencyKey(request);
      const { statusCode, body } = await takeJoin(request, { email, referredBy, idempotencyKey });
      // The exact bytes of the first answer, so that a retry cannot tell the difference.
      return reply
        .code(statusCode)
        .type('application/json; charset=utf-8')
        .send(body as never);
    },
  );

  server.get(
    routePatterns.status,
    {
      schema: {
        summary: 'A member of the line',
        params: Type.Object({ memberId: Type.String() }),
        response: { 200: Member, 404: ErrorBody, 503: ErrorBody },
      },
    },
    async (request) => getStatus(request.params.memberId),
  );

  server.get(routePatterns.stats, { schema: { summary: 'Totals of the line', response: { 200: Stats } } }, async () =>
    getStats(),
  );
}

function readIdempotencyKey({ headers }: FastifyRequest): string | null {
  const key = headers[IDEMPOTENCY_KEY_HEADER];
  if (key === undefined) return null;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw new Problem('invalid_field', 'The idempotency key must be 1 to 200 visible ASCII characters.');
}
