/** The operator's calls about the line and its members. */
import { Type } from 'typebox';
import type { Brand } from '../../brand/brand-shape.ts';
import {
  Counts,
  ExportRequest,
  FindMembersRequest,
  FoundMembers,
  operatorPaths,
  ResumedMail,
  ResumeMailRequest,
  Verification,
} from '../../contract/operator.ts';
import type { OpenDownload } from '../backup/downloads.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { readEmail } from '../line/email-rules.ts';
import { findMembers } from '../line/find-members.ts';
import { getStats } from '../line/get-stats.ts';
import { verifyLine } from '../line/verify/verify-line.ts';
import { eraseMember } from '../mail/member-links/erase-member.ts';
import { liftSuppression } from '../mail/suppression/resume-mail.ts';
import { Problem } from '../problem.ts';
import { exportLine } from './export-line.ts';

const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
} as const;

type MemberOptions = {
  readonly database: Database;
  readonly brand: Brand;
  readonly dataDir: string;
  readonly secretKey: string;
  readonly openDownload: OpenDownload;
};

export function addMemberRoutes(
  server: HttpServer,
  { database, brand, dataDir, secretKey, openDownload }: MemberOptions,
): void {
  server.get(
    operatorPaths.counts,
    { schema: { hide: true, response: { 200: Counts } } },
    async () => {
      const { total_signups, available_masks, top_referrers } = await getStats(database);
      return {
        members: total_signups,
        available_masks,
        best_referral_count: top_referrers[0]?.referrals ?? 0,
      };
    },
  );

  server.post(
    operatorPaths.findMembers,
    { schema: { hide: true, body: FindMembersRequest, response: { 200: FoundMembers } } },
    async ({ body }) => ({ members: await findMembers(database, brand, { text: body.text }) }),
  );

  server.get(
    operatorPaths.exportMembers,
    { schema: { hide: true, querystring: ExportRequest } },
    async (request, reply) => {
      const { format } = request.query;
      const file = await openDownload(request, exportLine(database, { brand, format, dataDir }));
      return reply
        .type(EXPORT_TYPES[format])
        .header('content-disposition', `attachment; filename="waitlist.${format}"`)
        .send(file);
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
    operatorPaths.resumeMail,
    { schema: { hide: true, body: ResumeMailRequest, response: { 200: ResumedMail } } },
    async ({ body }) => {
      const address = readEmail(body.email);
      if (address === null) throw new Problem('invalid_field', 'This is not an e-mail address.');
      return { reason: await liftSuppression(database, secretKey, address.identity) };
    },
  );

  server.post(
    operatorPaths.verify,
    { schema: { hide: true, response: { 200: Verification } } },
    async (_request, reply) => {
      // Takes longer than the idle timeout. An injected request has no socket.
      reply.raw.socket?.setTimeout?.(0);
      return await verifyLine(database, brand);
    },
  );
}
