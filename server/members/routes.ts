/** The operator's calls about the line and its members. */
import type { Brand } from '../../brand/brand-shape.ts';
import { Counts, FindMembersRequest, FoundMembers } from '../../contract/operator/members.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { Verification, VerifyRequest } from '../../contract/operator/verification.ts';
import { ErrorBody, REFUSED_BODY } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { findMembers } from '../line/find-members.ts';
import { getMemberMail } from '../notifications/lists/get-member-mail.ts';
import { verifyWaitlist } from '../overview/verify-waitlist.ts';
import { getStats } from '../visitors/get-stats.ts';

const TAGS = ['Members'];

type MemberOptions = {
  readonly database: Database;
  readonly brand: Brand;
  readonly secretKey: string;
};

export function addMemberRoutes(
  server: HttpServer,
  { database, brand, secretKey }: MemberOptions,
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
