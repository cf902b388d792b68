/** The pages behind the links in mails. Scanners open links, so GET changes nothing. */
import escapeHtml from 'escape-html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { MAIL_FIELD } from '../../../contract/mail-pages.ts';
import type { MailState } from '../../../contract/member-states.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../../contract/paths.ts';
import {
  Confirmed,
  ConfirmRequest,
  ErrorBody,
  REFUSED_MEMBER_CALL,
} from '../../../contract/schemas.ts';
import type { Database } from '../../db/database.ts';
import { formOf } from '../../http/form-bodies.ts';
import { type HttpServer, publicRoute } from '../../http/http-server.ts';
import { confirmMember, removeMember } from '../../line/change-member.ts';
import type { Recipient } from '../../line/get-recipients.ts';
import { unknownMember } from '../../line/member-id-rules.ts';
import { nameInviter } from '../../line/referrals/verify-referral.ts';
import { readPossibleInviters } from '../../line/store.ts';
import { liftSuppression, readSuppression, suppressAddress } from '../../mail/suppression/store.ts';
import type { Platform } from '../../module.ts';
import { conflict, invalidField, Problem } from '../../problem.ts';
import { forgetInImports } from '../imports/forget-in-imports.ts';
import { getMemberData } from './get-member-data.ts';
import { deleteKeptMail } from './kept-mail.ts';
import type { Links, OpenedLink } from './links.ts';
import { countHeldMasks } from './store.ts';

const schema = { hide: true, params: Type.Object({ token: Type.String() }) };

const INVITED_BY = 'invited_by';

const KNOWN = 'We keep the address for it until it is sent, and nothing else.';
const UNKNOWN =
  'We do not know where it goes. Tell us first, by the link of our mail or by a reply to it: ' +
  'once you have left, the link no longer works. We keep your e-mail address to ask you.';

export async function addMemberLinkRoutes(
  server: HttpServer,
  links: Links,
  platform: Platform,
): Promise<void> {
  addConfirmCall(server, links, platform.database);
  await server.register(async (scope: HttpServer) => {
    links.prepareScope(scope);
    addConfirmRoutes(scope, links, platform);
    addPreferencesRoutes(scope, links, platform);
  });
}

function addConfirmCall(server: HttpServer, links: Links, database: Database): void {
  server.post(
    apiPaths.confirm,
    publicRoute('Confirm the address of a member, by the token of a mail to it', {
      description:
        'Idempotent. The status page sends this once the visitor uses it. 409: the address was ' +
        'entered for several codes; the page of the confirmation link asks which is right.',
      body: ConfirmRequest,
      response: { 200: Confirmed, ...REFUSED_MEMBER_CALL, 403: ErrorBody },
    }),
    async ({ body: { token, invited_by: invitedBy }, ip }) => {
      const link = await links.use({ ip, token }, 'confirm');
      if (link.state !== 'open')
        throw new Problem('not_allowed', 'This link does not work any more: use a newer mail.');
      const { id: memberId } = link.member;
      const outcome = await links.inSlot(link.member, () =>
        confirmMember(database, { memberId, invitedBy }),
      );
      if (outcome === 'unknown') throw unknownMember();
      if (outcome === 'asked')
        throw conflict('This address was entered for several codes. Say which is right.');
      return { member_id: memberId };
    },
  );
}

function addConfirmRoutes(scope: HttpServer, links: Links, platform: Platform): void {
  const { config, database } = platform;
  const nameOf = (email: string) => nameInviter(email, config.inviterEmail);

  scope.get(mailPagePaths.confirm, { schema }, async (request, reply) => {
    const link = await links.read(request, 'confirm');
    if (link.state !== 'open') return sendClosed(request, reply, link);
    return await sendConfirm(request, reply, link.member);
  });

  scope.post(mailPagePaths.confirm, { schema }, async (request, reply) => {
    const link = await links.readForm(request, 'confirm');
    if (link.state !== 'open') return sendClosed(request, reply, link);
    const { id: memberId } = link.member;
    const form = formOf(request);
    const wanted = { memberId, invitedBy: form.get(INVITED_BY) };
    const outcome = await links.inSlot(link.member, () => confirmMember(database, wanted));
    if (outcome === 'unknown') return links.sendUnknown(request, reply);
    if (outcome === 'asked') return await sendConfirm(request, reply, link.member);
    return links.sendMember(request, reply, { name: 'confirmed', member: link.member });
  });

  async function sendConfirm(request: FastifyRequest, reply: FastifyReply, member: Recipient) {
    const inviters = await links.inSlot(member, () => readPossibleInviters(database, member.id));
    if (inviters.length === 0) return links.sendMember(request, reply, { name: 'confirm', member });
    const choices = inviters.map(({ code, email }) => writeChoice(code, nameOf(email)));
    return links.sendMember(request, reply, {
      name: 'confirm-asked',
      member,
      choices: [...choices, writeChoice('none', 'None of them')].join(''),
    });
  }

  function sendClosed(request: FastifyRequest, reply: FastifyReply, { state }: OpenedLink) {
    if (state === 'expired') return links.send(request, reply.code(410), 'confirm-expired');
    return links.sendUnknown(request, reply);
  }
}

function writeChoice(value: string, text: string): string {
  return (
    `<button class="button button-secondary" name="${INVITED_BY}" value="${escapeHtml(value)}">` +
    `${escapeHtml(text)}</button>`
  );
}

function addPreferencesRoutes(scope: HttpServer, links: Links, platform: Platform): void {
  const { config, database, secretKey } = platform;
  const holds = ({ id }: Recipient) => countHeldMasks(database, [id]);

  scope.get(mailPagePaths.preferences, { schema }, sendPreferences);
  scope.get(mailPagePaths.unsubscribe, { schema }, sendPreferences);

  scope.post(mailPagePaths.preferences, { schema }, async (request, reply) => {
    const link = await links.readForm(request, 'preferences');
    if (!('member' in link)) return links.sendUnknown(request, reply);
    const { member } = link;
    const choice = formOf(request).get(MAIL_FIELD);
    if (choice === 'stopped') await stopMail(member);
    else if (choice === 'sending')
      await links.inSlot(member, () =>
        liftSuppression(database, secretKey, member.identity, ['stopped']),
      );
    else throw invalidField('Please use the buttons of the page.');
    return reply.redirect(fillPath(mailPagePaths.preferences, request.params.token), 303);
  });

  // RFC 8058: the mail provider posts this without cookie or origin, and follows no redirect.
  scope.post(mailPagePaths.unsubscribe, { schema }, async (request, reply) => {
    const link = await links.readOneClick(request);
    if (link.state === 'invalid') return links.sendUnknown(request, reply);
    if ('member' in link) await stopMail(link.member);
    return reply.type('text/plain; charset=utf-8').send('No more mail is sent to this address.\n');
  });

  scope.post(mailPagePaths.downloadData, { schema }, async (request, reply) => {
    const link = await links.readForm(request, 'preferences');
    if (link.state !== 'open') return sendClosed(request, reply, link);
    const { member } = link;
    const data = await links.inSlot(member, () => getMemberData(platform, member));
    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="my-waitlist-data.json"')
      .send(`${JSON.stringify(data, null, 2)}\n`);
  });

  scope.get(mailPagePaths.leave, { schema }, async (request, reply) => {
    const link = await links.read(request, 'preferences');
    if (link.state !== 'open') return sendClosed(request, reply, link);
    const { member } = link;
    const { owed, unaddressed } = await links.inSlot(member, () => holds(member));
    const detail = unaddressed === 0 ? KNOWN : UNKNOWN;
    const name = owed === 0 ? 'leave' : 'leave-paid';
    return links.sendMember(request, reply, { name, member, places: { detail } });
  });

  scope.post(mailPagePaths.leave, { schema }, async (request, reply) => {
    const link = await links.readForm(request, 'preferences');
    if (link.state !== 'open') return sendClosed(request, reply, link);
    const { id: memberId } = link.member;
    const { owed } = await links.inSlot(link.member, () => holds(link.member));
    await links.leaveInSlot(link.member, async () => {
      await forgetInImports(database, memberId);
      await removeMember(database, { memberId });
    });
    await deleteKeptMail(config.dataDir, [memberId]);
    return links.send(request, reply, owed === 0 ? 'left' : 'left-paid');
  });

  async function sendPreferences(request: FastifyRequest, reply: FastifyReply) {
    const link = await links.read(request, 'preferences');
    if (link.state !== 'open') return sendClosed(request, reply, link);
    const name = `preferences-${await readMailState(link.member)}` as const;
    return links.sendMember(request, reply, { name, member: link.member });
  }

  async function sendClosed(request: FastifyRequest, reply: FastifyReply, link: OpenedLink) {
    if (!('member' in link)) return links.sendUnknown(request, reply);
    const name = `preferences-expired-${await readMailState(link.member)}` as const;
    return links.sendMember(request, reply.code(410), { name, member: link.member });
  }

  async function stopMail(member: Recipient): Promise<void> {
    const { identity } = member;
    await links.inSlot(member, () =>
      suppressAddress(database, secretKey, { identity, reason: 'stopped' }),
    );
  }

  async function readMailState(member: Recipient): Promise<MailState> {
    const suppression = await links.inSlot(member, () =>
      readSuppression(database, secretKey, member.identity),
    );
    return suppression?.reason ?? 'sending';
  }
}
