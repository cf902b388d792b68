import { Type } from 'typebox';
import { TILL_KINDS, type TillTest, type TillView } from '../../../contract/operator/drop/till.ts';
import { apiPaths, fillPath } from '../../../contract/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { addCall } from '../../access/add-call.ts';
import type { Database } from '../../db/database.ts';
import type { Limits } from '../../guard/limits/limits.ts';
import { acceptSignedJson } from '../../http/form-bodies.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { Problem } from '../../problem.ts';
import { listSizes } from '../stock/store.ts';
import { type Account, hurryComparison, keepCost, listKeyless } from './account-store.ts';
import { hurryAll, readFigures } from './checkout-store.ts';
import type { Tills } from './open-tills.ts';
import { readMoney } from './payment-store.ts';
import { TillError } from './till.ts';

type Options = { readonly database: Database; readonly tills: Tills };

/** A notice of Shopify carries the whole order. */
const NOTICE_BYTES = 256 * 1024;

export function addTillRoutes(
  operator: HttpServer,
  { database, tills, publicUrl }: Options & { readonly publicUrl: string },
): void {
  addCall(operator, 'GET till', async (): Promise<TillView> => {
    const { kind, settings, far_id, is_live } = await tills.chosen();
    const path = kind === 'link' ? null : fillPath(apiPaths.tillNotices, kind);
    const account = kind === 'link' ? null : far_id;
    return {
      kind,
      [kind]: settings,
      account,
      is_live,
      notices_url: path && publicUrl + path,
      ...(await readFigures(database)),
      keyless: await listKeyless(database),
    };
  });

  addCall(operator, 'GET money', () => readMoney(database));

  addCall(operator, 'POST testTill', async (): Promise<TillTest> => {
    try {
      const [account, sizes] = await Promise.all([tills.chosen(), listSizes(database)]);
      const till = await tills.open(account);
      const findings = await till.check(sizes.map(({ name }) => name));
      await keepCost(database, account.id, await till.readCost());
      return { findings };
    } catch (error) {
      if (!(error instanceof TillError)) throw error;
      return { findings: [{ is_good: false, sentence: error.message }] };
    }
  });
}

/** The body is not believed: it only says what to look at. */
export async function addNoticeRoute(
  server: HttpServer,
  { database, tills, limits }: Options & { readonly limits: Pick<Limits, 'count'> },
): Promise<void> {
  await server.register(async (scope: HttpServer) => {
    acceptSignedJson(scope);
    scope.post(
      apiPaths.tillNotices,
      {
        bodyLimit: NOTICE_BYTES,
        schema: {
          summary: 'A webhook of the till: look at a checkout or a payment',
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
        const accounts = (await tills.accounts()).filter(
          ({ kind, keys }) => kind === params.kind && keys !== null,
        );
        if (accounts.length === 0)
          throw new Problem('unknown_path', 'The masks are not sold there.');
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        const read = async (account: Account) => {
          const notice = (await tills.open(account)).readNotice(headers, bytes);
          return notice === null ? [] : [{ account, notice }];
        };
        const [found] = (await Promise.all(accounts.map(read))).flat();
        if (found === undefined) {
          limits.count('wrong-link', ip);
          throw new Problem('bad_signature', 'The signature is missing, wrong or too old.');
        }
        const { account, notice } = found;
        const isKnown = await hurryAll(database, notice.ids);
        if (!isKnown && notice.isOurs) await hurryComparison(database, account.id);
        return reply.code(202).send({});
      },
    );
  });
}
