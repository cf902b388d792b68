import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fillPath, ownStatusPath, PLAIN_QUERY, pagePaths } from '../../../contract/paths.ts';
import { markRefusedBy } from '../../http/errors.ts';
import { acceptForms, formOf } from '../../http/form-bodies.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { sendPage } from '../../http/send-page.ts';
import { readEntry } from '../../line/join/join-request.ts';
import { readPageSource } from '../../line/sources/source-rules.ts';
import { invalidField, Problem } from '../../problem.ts';
import type { GuardedJoin } from '../../visitors/guarded-join.ts';
import type { Inviters } from '../../visitors/inviter/guarded-inviter.ts';
import type { GhostDrawer } from './draw-ghost.ts';
import type { SendPlainInvite } from './plain-invite.ts';
import type { SendPlainStatus } from './plain-status.ts';
import { type Pages, readReferral } from './routes.ts';
import { allowOriginOfForms, requireSameOriginPost } from './same-site.ts';
import type { FormState } from './templates.ts';

// docs/behaviour.md 5 and 8 promise these sentences.
const EMAIL_REQUIRED = 'Please enter your email to join the waitlist.';
const ALREADY_REGISTERED =
  'This email is already on the waitlist. Check your email for your status link.';
const needsScript = (action: string) =>
  `Many joins are coming in. Please allow scripts for this site and ${action}, ` +
  'or come back in ten minutes.';

type NativeFormOptions = {
  readonly publicUrl: string;
  readonly pages: Pages;
  readonly join: GuardedJoin;
  readonly ghosts: Pick<GhostDrawer, 'isMembers'>;
  readonly inviters: Pick<Inviters, 'give'>;
  readonly sendPlainStatus: SendPlainStatus;
  readonly sendPlainInvite: SendPlainInvite;
};

type EnteredForm = Pick<FormState, 'email' | 'referral'>;

/** The scope is encapsulated, so that no other route parses form bodies. */
export async function addNativeForms(
  server: HttpServer,
  { publicUrl, pages, join, ghosts, inviters, sendPlainStatus, sendPlainInvite }: NativeFormOptions,
): Promise<void> {
  const ownHost = new URL(publicUrl).host;
  await server.register(async (forms: HttpServer) => {
    acceptForms(forms);
    forms.addHook('onRequest', async (request) => requireSameOriginPost(request, publicUrl));

    forms.post(pagePaths.landing, { schema: { hide: true } }, (request, reply) => {
      const form = readForm(request, readReferral(request));
      return answerForm(request, reply, form, async (problem) => {
        const message = sentenceOf(problem, 'press the button again');
        const isReferred = await ghosts.isMembers(form.referral, request.ip);
        return sendPage(request, reply, pages.landing({ ...form, message }, isReferred));
      });
    });

    const schema = { hide: true, params: Type.Object({ code: Type.String() }) };
    forms.post(pagePaths.invite, { schema }, (request, reply) => {
      const { code } = request.params;
      const form = readForm(request, code);
      return answerForm(request, reply, form, async (problem) => {
        const message = sentenceOf(problem, 'open your invite again');
        return sendPlainInvite(request, reply, code, { message, email: form.email });
      });
    });

    const params = Type.Object({ memberId: Type.String() });
    forms.post(pagePaths.status, { schema: { hide: true, params } }, async (request, reply) => {
      const { memberId } = request.params;
      const value = formOf(request).get('invite') ?? '';
      try {
        await inviters.give(request, { memberId, invite: value });
      } catch (error) {
        const { detail: message } = markRefusedBy(reply, error);
        return sendPlainStatus(request, reply, memberId, { message, value });
      }
      return reply.redirect(`${fillPath(pagePaths.status, memberId)}?${PLAIN_QUERY}`, 303);
    });
  });

  async function answerForm(
    request: FastifyRequest,
    reply: FastifyReply,
    form: EnteredForm,
    sendAgain: (problem: Problem) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    allowOriginOfForms(reply).header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    try {
      const memberId = await joinByForm(request, form);
      return reply.redirect(ownStatusPath(memberId, 'joined'), 303);
    } catch (error) {
      return sendAgain(markRefusedBy(reply, error));
    }
  }

  async function joinByForm(request: FastifyRequest, { email, referral }: EnteredForm) {
    if (email.trim() === '') throw invalidField(EMAIL_REQUIRED);
    const fields = Object.fromEntries(formOf(request));
    const { memberId } = await join(request, {
      ...readEntry({ ...fields, email, referred_by: referral || null }),
      idempotencyKey: null,
      source: readPageSource({ url: request.url }, ownHost),
    });
    if (memberId === null) throw new Problem('already_registered', ALREADY_REGISTERED);
    return memberId;
  }
}

function sentenceOf({ code, detail }: Problem, nextStep: string): string {
  return code === 'proof_required' ? needsScript(nextStep) : detail;
}

function readForm(request: FastifyRequest, codeInUrl: string): EnteredForm {
  const fields = formOf(request);
  return { email: fields.get('email') ?? '', referral: fields.get('referred_by') || codeInUrl };
}
