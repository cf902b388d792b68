/** The operator API: JSON only, bearer token only, no CORS, so no browser page of another origin can use it. */
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Brand } from '../../brand/brand-shape.ts';
import {
  AllocateRequest,
  Allocation,
  Allocations,
  Counts,
  ExportRequest,
  FindMembersRequest,
  FoundMembers,
  MaskSize,
  MaskSizes,
  operatorPaths,
  ReleaseRequest,
  ResumedMail,
  ResumeMailRequest,
  SetStockRequest,
  Verification,
} from '../../contract/operator.ts';
import { addBackupRoutes } from '../backup/routes.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { eraseMember } from '../leaving/erase-member.ts';
import { liftSuppression } from '../mail/suppression/suppression.ts';
import { allocateMasks } from '../masks/allocate-masks.ts';
import { listAllocations } from '../masks/list-allocations.ts';
import { listSizes } from '../masks/list-sizes.ts';
import type { Allocation as MaskAllocation } from '../masks/mask-size.ts';
import { releaseMasks } from '../masks/release-masks.ts';
import { setStock } from '../masks/set-stock.ts';
import { Problem } from '../problem.ts';
import { readEmail } from '../waitlist/email-rules.ts';
import { exportMembers } from '../waitlist/export-members.ts';
import { findMembers } from '../waitlist/find-members.ts';
import { getStats } from '../waitlist/get-stats.ts';
import { verifyLine } from '../waitlist/verify-line.ts';
import { writeCsv, writeJson } from './export-file.ts';
import type { TokenCheck } from './token-check.ts';

type OperatorOptions = {
  readonly database: Database;
  readonly brand: Brand;
  readonly dataDir: string;
  readonly secretKey: string;
  readonly checkToken: TokenCheck;
};

export async function addOperatorRoutes(
  server: HttpServer,
  { database, brand, dataDir, secretKey, checkToken }: OperatorOptions,
): Promise<void> {
  await server.register(async (operator: HttpServer) => {
    operator.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
      await checkToken(request);
    });
    addMemberRoutes(operator, { database, brand, dataDir });
    addMailRoutes(operator, { database, secretKey });
    addMaskRoutes(operator, database);
    addBackupRoutes(operator, { database, dataDir, secretKey });
  });
}

type MemberOptions = Pick<OperatorOptions, 'database' | 'brand' | 'dataDir'>;

function addMemberRoutes(server: HttpServer, { database, brand, dataDir }: MemberOptions): void {
  server.get(operatorPaths.counts, { schema: { hide: true, response: { 200: Counts } } }, async () => {
    const { total_signups, available_masks, top_referrers } = await getStats(database);
    return { members: total_signups, available_masks, best_referral_count: top_referrers[0]?.referrals ?? 0 };
  });

  server.post(
    operatorPaths.findMembers,
    { schema: { hide: true, body: FindMembersRequest, response: { 200: FoundMembers } } },
    async ({ body }) => ({ members: await findMembers(database, brand, { text: body.text }) }),
  );

  server.get(
    operatorPaths.exportMembers,
    { schema: { hide: true, querystring: ExportRequest } },
    async ({ query }, reply) => {
      const members = exportMembers(database, brand);
      const isCsv = query.format === 'csv';
      return reply
        .type(isCsv ? 'text/csv; charset=utf-8; header=present' : 'application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="waitlist.${query.format}"`)
        .send(Readable.from(isCsv ? writeCsv(members) : writeJson(members)));
    },
  );

  server.delete(
    operatorPaths.member,
    { schema: { hide: true, params: Type.Object({ memberId: Type.String() }) } },
    async ({ params }, reply) => {
      await eraseMember(database, { memberId: params.memberId, dataDir });
      return reply.code(204).send();
    },
  );

  server.post(
    operatorPaths.verify,
    { schema: { hide: true, response: { 200: Verification } } },
    async (_request, reply) => {
      // A long line takes longer than a connection may else be silent. An injected request has none.
      reply.raw.socket?.setTimeout?.(0);
      return await verifyLine(database, brand);
    },
  );
}

function addMailRoutes(
  server: HttpServer,
  { database, secretKey }: Pick<OperatorOptions, 'database' | 'secretKey'>,
): void {
  server.post(
    operatorPaths.resumeMail,
    { schema: { hide: true, body: ResumeMailRequest, response: { 200: ResumedMail } } },
    async ({ body }) => {
      const address = readEmail(body.email);
      if (address === null) throw new Problem('invalid_field', 'This is not an e-mail address.');
      return { reason: await liftSuppression(database, secretKey, address.identity) };
    },
  );
}

function addMaskRoutes(server: HttpServer, database: Database): void {
  server.get(operatorPaths.sizes, { schema: { hide: true, response: { 200: MaskSizes } } }, async () => ({
    sizes: await listSizes(database),
  }));

  server.put(
    operatorPaths.size,
    {
      schema: {
        hide: true,
        params: Type.Object({ size: Type.String() }),
        body: SetStockRequest,
        response: { 200: MaskSize },
      },
    },
    async ({ params, body }) => setStock(database, { size: params.size, stock: body.stock }),
  );

  server.get(operatorPaths.allocations, { schema: { hide: true, response: { 200: Allocations } } }, async () => ({
    allocations: (await listAllocations(database)).map(viewAllocation),
  }));

  server.post(
    operatorPaths.allocations,
    { schema: { hide: true, body: AllocateRequest, response: { 201: Allocation } } },
    async ({ body }, reply) => reply.code(201).send(viewAllocation(await allocateMasks(database, body))),
  );

  server.post(
    operatorPaths.release,
    {
      schema: {
        hide: true,
        params: Type.Object({ allocationId: Type.String() }),
        body: ReleaseRequest,
        response: { 200: Allocation },
      },
    },
    async ({ params, body }) =>
      viewAllocation(await releaseMasks(database, { allocationId: params.allocationId, note: body.note })),
  );
}

function viewAllocation(allocation: MaskAllocation): Allocation {
  return {
    id: allocation.id,
    size: allocation.size,
    quantity: allocation.quantity,
    note: allocation.note,
    allocated_at: allocation.allocatedAt,
    released_at: allocation.releasedAt,
    release_note: allocation.releaseNote,
  };
}
