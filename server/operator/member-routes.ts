/** The operator's calls about the line and its members. */
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Brand } from '../../brand/brand-shape.ts';
import {
  Counts,
  ExportRequest,
  FindMembersRequest,
  FoundMembers,
  OperatorMember,
} from '../../contract/operator/members.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { Verification, VerifyRequest } from '../../contract/operator/verification.ts';
import { ErrorBody, REFUSED_BODY } from '../../contract/schemas.ts';
import type { OpenDownload } from '../backup/downloads.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { findMembers } from '../line/find-members.ts';
import { getStats } from '../line/get-stats.ts';
import { getMemberMail } from '../mail/lists/get-member-mail.ts';
import { eraseMember } from '../mail/member-links/erase-member.ts';
import { exportLine } from './export-line.ts';
import { verifyWaitlist } from './verify-waitlist.ts';

const TAGS = ['Members'];
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
    {
      config: { access: 'read' },
      schema: {
        tags: TAGS,
        summary: 'Members in line, masks remaining, top referrer',
        response: { 200: Counts },
      },
    },
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
    {
      config: { access: 'read' },
      schema: {
        tags: TAGS,
        summary: 'Find a member by id, e-mail address or referral code',
        body: FindMembersRequest,
        response: { 200: FoundMembers, ...REFUSED_BODY },
      },
    },
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
    {
      config: { access: 'export' },
      schema: {
        tags: TAGS,
        summary: 'Export all members in order of position',
        description: 'One backup or export at a time: 409 while another is running.',
        querystring: ExportRequest,
        response: {
          200: {
            content: {
              'text/csv': { schema: Type.Unsafe<Readable>(Type.String()) },
              'application/json': { schema: Type.Unsafe<Readable>(Type.Array(OperatorMember)) },
            },
          },
          409: ErrorBody,
          422: ErrorBody,
        },
      },
    },
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
    {
      config: { access: 'write' },
      schema: {
        tags: TAGS,
        summary: 'Remove a member and the credit they gave',
        params: Type.Object({ memberId: Type.String() }),
        response: { 204: Type.Unsafe<undefined>(Type.Null()), 404: ErrorBody },
      },
    },
    async ({ params }, reply) => {
      await eraseMember(database, { memberId: params.memberId, dataDir });
      return reply.code(204).send();
    },
  );

  server.post(
    operatorPaths.verify,
    {
      config: { access: 'read' },
      schema: {
        tags: TAGS,
        summary: 'Recompute every position, point and count, and the audit log',
        description: 'Changes nothing. Lists what differs.',
        querystring: VerifyRequest,
        response: { 200: Verification, 422: ErrorBody },
      },
    },
    async ({ query }, reply) => {
      // Takes longer than the idle timeout. An injected request has no socket.
      reply.raw.socket?.setTimeout?.(0);
      return await verifyWaitlist(database, brand, query.audit_head);
    },
  );
}
