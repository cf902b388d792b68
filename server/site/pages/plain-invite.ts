import type { FastifyReply, FastifyRequest } from 'fastify';
import { findReferralCode } from '../../../contract/referral-code-rules.ts';
import { markRefusedBy } from '../../http/errors.ts';
import { fixPage, sendFixedPage, sendPage } from '../../http/send-page.ts';
import type { VerifyCode } from '../../visitors/verify-code.ts';
import type { GhostDrawer } from './draw-ghost.ts';
import { allowOriginOfForms } from './same-site.ts';
import { EMPTY_FORM, fillForm, fillGhost, fillPlaces, type Templates } from './templates.ts';

type PlainInviteOptions = {
  readonly templates: Templates;
  readonly ghosts: Pick<GhostDrawer, 'drawMember'>;
  readonly verifyCode: VerifyCode;
};

export type SendPlainInvite = (
  request: FastifyRequest,
  reply: FastifyReply,
  code: string,
  refused?: { readonly message: string; readonly email: string },
) => Promise<FastifyReply>;

/** Reveals as much of the inviter as verify-referral, within the same limits. */
export function openPlainInvite({
  templates,
  ghosts,
  verifyCode,
}: PlainInviteOptions): SendPlainInvite {
  const invalid = fixPage(templates['plain-invite-invalid']);

  return async (request, reply, code, refused = { message: '', email: '' }) => {
    allowOriginOfForms(reply).header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    const form = { ...EMPTY_FORM, ...refused, referral: code };
    try {
      const { valid, referrer_email: inviter } = await verifyCode(code, request.ip);
      const known = findReferralCode(code);
      if (!valid || known === null) return await sendFixedPage(request, reply, invalid);
      const places = { inviter: inviter ?? '', 'invite-code': known };
      const page = fillForm(fillPlaces(templates['plain-invite'], places), form);
      const ghost = await ghosts.drawMember(known, request.ip);
      return await sendPage(request, reply, fillGhost(page, ghost));
    } catch (error) {
      markRefusedBy(reply, error);
      return sendPage(request, reply, fillForm(templates['plain-invite-unverified'], form));
    }
  };
}
