/** The operator's calls about the line and its members. */
import { Type } from 'typebox';
import type { Brand } from '../../brand/brand-shape.ts';
import {
  Counts,
  ExportRequest,
  FindMembersRequest,
  FoundMembers,
} from '../../contract/operator/members.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { Verification } from '../../contract/operator/verification.ts';
import type { OpenDownload } from '../backup/downloads.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { findMembers } from '../line/find-members.ts';
import { getStats } from '../line/get-stats.ts';
import { verifyLine } from '../line/verify/verify-line.ts';
import { getMemberMail } from '../mail/lists/get-member-mail.ts';
import { eraseMember } from '../mail/member-links/erase-member.ts';
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
      const { total_signups, available_masks, top_referrers } = await getStats(database, brand);
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
    async ({ body }) => {
      const found = await findMembers(database, brand, { text: body.text });
      const members = found.map(async (member) => {
        return { ...member, mail: await getMemberMail(database, secretKey, member) };
      });
      return { members: await Promise.all(members) };
    },
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
    operatorPaths.verify,
    { schema: { hide: true, response: { 200: Verification } } },
    async (_request, reply) => {
      // Takes longer than the idle timeout. An injected request has no socket.
      reply.raw.socket?.setTimeout?.(0);
      return await verifyLine(database, brand);
    },
  );
}
