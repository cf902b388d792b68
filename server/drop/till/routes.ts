import { Type } from 'typebox';
import { TILL_KINDS, TillTest, TillView } from '../../../contract/operator/drop/till.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../../contract/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import type { Database } from '../../db/database.ts';
import type { Limits } from '../../guard/limits/limits.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { Problem } from '../../problem.ts';
import { listSizes } from '../stock/store.ts';
import type { Tills } from './open-tills.ts';
import { TillError } from './till.ts';
import { hurryCheckout, readFigures } from './till-store.ts';

type Options = { readonly database: Database; readonly tills: Tills };

const route = operatorRoutes('Offers');

export function addTillRoutes(
  operator: HttpServer,
  { database, tills, publicUrl }: Options & { readonly publicUrl: string },
): void {
  operator.get(
    operatorPaths.till,
    route('read', 'The till, without its keys', { response: { 200: TillView } }),
    async (): Promise<TillView> => {
      const { kind, settings } = await tills.row();
      const path = kind === 'link' ? null : fillPath(apiPaths.tillNotices, kind);
      return {
        ...{ kind, [kind]: settings, notices_url: path && publicUrl + path },
        ...(await readFigures(database)),
      };
    },
  );

  operator.post(
    operatorPaths.testTill,
    route('owner', 'Ask the till whether it is ready, and whether others could buy a mask', {
      response: { 200: TillTest, 409: ErrorBody },
    }),
    async (): Promise<TillTest> => {
      try {
        const [{ till }, sizes] = await Promise.all([tills.current(), listSizes(database)]);
        return { findings: await till.check(sizes.map(({ name }) => name)) };
      } catch (error) {
        if (!(error instanceof TillError)) throw error;
        return { findings: [{ is_good: false, sentence: error.message }] };
      }
    },
  );
}

/** The body is not believed: it only says which checkout to look at. */
export async function addNoticeRoute(
  server: HttpServer,
  { database, tills, limits }: Options & { readonly limits: Pick<Limits, 'count'> },
): Promise<void> {
  await server.register(async (scope: HttpServer) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(
      apiPaths.tillNotices,
      {
        schema: {
          summary: 'A webhook of the till: look at a checkout',
          description: 'Signed, in the header stripe-signature or x-shopify-hmac-sha256.',
          params: Type.Object({ kind: Type.Enum(TILL_KINDS) }),
          response: {
            202: Type.Object({}),
            401: ErrorBody,
            404: ErrorBody,
            409: ErrorBody,
            429: ErrorBody,
            ...REFUSED_BODY,
          },
        },
      },
      async ({ params, headers, body, ip }, reply) => {
        const { row, till } = await tills.current();
        if (row.kind !== params.kind)
          throw new Problem('unknown_path', 'The masks are not sold there.');
        const id = till.readNotice(headers, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
        if (id === null) {
          limits.count('wrong-link', ip);
          throw new Problem('bad_signature', 'The signature is missing, wrong or too old.');
        }
        await hurryCheckout(database, id);
        return reply.code(202).send({});
      },
    );
  });
}
