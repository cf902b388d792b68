/** The page on which a member answers an offer without script. Opening it changes nothing. */
import escapeHtml from 'escape-html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { passWords, termsWords } from '../../../brand/drop-words.ts';
import type { OwnOffer } from '../../../contract/drop/offer-views.ts';
import { fillPath, mailPagePaths } from '../../../contract/paths.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { formOf } from '../../http/form-bodies.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { Links, OpenedLink } from '../../members/links/links.ts';
import type { Platform } from '../../module.ts';
import { invalidField } from '../../problem.ts';
import { getDrop } from '../drop-store.ts';
import { describeEnd } from '../offers/offer-rules.ts';
import { acceptOffer, declineOffer } from '../offers/settle-offer.ts';
import type { Tills } from '../till/open-tills.ts';
import { openOwnOffers } from './own-offer.ts';

export function addAnswerPage(
  scope: HttpServer,
  links: Links,
  { brand, database, tills }: Pick<Platform, 'brand' | 'database'> & { readonly tills: Tills },
): void {
  const { language } = brand;
  const viewOwn = openOwnOffers({ database, tills, language });
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };

  scope.get(mailPagePaths.offer, { schema }, async (request, reply) =>
    sendOffer(request, reply, await links.read(request, 'offer')),
  );

  scope.post(mailPagePaths.offer, { schema }, async (request, reply) => {
    const link = await links.readForm(request, 'offer');
    if (link.state !== 'open') return sendOffer(request, reply, link);
    const { id: memberId } = link.member;
    await links.inSlot(link.member, () =>
      inTransaction(database, (transaction) => answer(transaction, memberId, formOf(request))),
    );
    return reply.redirect(fillPath(mailPagePaths.offer, request.params.token), 303);
  });

  async function sendOffer(request: FastifyRequest, reply: FastifyReply, link: OpenedLink) {
    if (link.state === 'expired') return links.send(request, reply.code(410), 'offer-expired');
    if (link.state !== 'open') return links.sendUnknown(request, reply);
    const { member } = link;
    const { offer } = await links.inSlot(member, () => viewOwn(member.id));
    const { time_zone: timeZone } = await getDrop(database);
    const write = (at: string) => describeEnd({ expiresAt: new Date(at), timeZone }, language);
    if (offer?.state === 'open') {
      const places = {
        size: offer.size,
        until: write(offer.expires_at),
        detail: termsWords(offer),
      };
      return links.sendMember(request, reply, { name: 'offer-open', member, places });
    }
    if (offer && (offer.state === 'accepted' || offer.state === 'paid') && offer.code !== null) {
      const { state, size, code, refund } = offer;
      const choices = state === 'paid' ? writeCode(code) : writePayment(offer, code, write);
      const places = { size, detail: passWords(state, refund) };
      return links.sendMember(request, reply, { name: 'offer-pass', member, places, choices });
    }
    return links.sendMember(request, reply, { name: 'offer-elsewhere', member });
  }
}

const writeCode = (code: string) =>
  `<p>Its code: <strong class="mail-page-code">${escapeHtml(code)}</strong></p>`;

function writePayment(
  { checkout, price, shop_link: link }: NonNullable<OwnOffer['offer']>,
  code: string,
  describe: (at: string) => string,
): string {
  if (checkout?.state === 'held') return '<p>You are drawn: your card is being charged.</p>';
  const words = checkout?.is_own ? 'Pay now' : 'Open the shop';
  const isMade = link !== null || !checkout?.is_own;
  return [
    checkout?.is_own ? '' : writeCode(code),
    price && `<p>It costs ${escapeHtml(price)}.</p>`,
    link && `<a class="button button-primary" href="${escapeHtml(link)}">${words}</a>`,
    isMade ? '' : '<p>Your checkout is being made. Load this page again in a moment.</p>',
    checkout &&
      `<p>Pay until <strong>${escapeHtml(describe(checkout.pay_by))}</strong>. After ` +
        'that, this pass ends and the mask goes to the next in the draw order.</p>',
  ].join('');
}

async function answer(
  transaction: Transaction,
  memberId: string,
  form: Pick<URLSearchParams, 'get'>,
): Promise<void> {
  const act = form.get('act');
  if (act === 'accept') await acceptOffer(transaction, memberId);
  else if (act === 'decline' && form.get('sure') !== null)
    await declineOffer(transaction, memberId);
  else throw invalidField('Please go back, and use the buttons of the page.');
}
