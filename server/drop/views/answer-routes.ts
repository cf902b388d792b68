import { Type } from 'typebox';
import {
  LookedAtOffer,
  MailedLink,
  OfferSize,
  OfferToken,
  OwnOffer,
} from '../../../contract/drop/offer-views.ts';
import { apiPaths } from '../../../contract/paths.ts';
import { ErrorBody, REFUSED_MEMBER_CALL } from '../../../contract/schemas.ts';
import { openLookUps } from '../../db/batcher.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { type HttpServer, publicRoute } from '../../http/http-server.ts';
import type { MailRequest, MailSending } from '../../line/mails/mail-kinds.ts';
import { queueMails } from '../../line/mails/store.ts';
import { readMemberId } from '../../line/member-id-rules.ts';
import { readLinkToken } from '../../mail/link-token.ts';
import { claimLinkMail, type OfferHolder, readOfferHolders } from '../../members/links/store.ts';
import type { Platform } from '../../module.ts';
import { Problem } from '../../problem.ts';
import { readLockedOffer } from '../offers/offer-store.ts';
import { acceptOffer, changeOfferSize, declineOffer, noOffer } from '../offers/settle-offer.ts';
import { enterDrop, entryMailOf, withdrawEntry } from '../till/entries.ts';
import type { Tills } from '../till/open-tills.ts';
import { openOwnOffers } from './own-offer.ts';

type OfferOptions = { readonly tills: Tills; readonly mail: Pick<MailSending, 'wake'> };

const ANSWERS = {
  200: OwnOffer,
  ...REFUSED_MEMBER_CALL,
  403: ErrorBody,
  409: ErrorBody,
} as const;

export function addOfferLinkRoutes(
  server: HttpServer,
  { database, secretKey, limits, brand }: Platform,
  { tills, mail }: OfferOptions,
): void {
  const view = openOwnOffers({ database, tills, language: brand.language });
  const holders = openLookUps(database, async (ids) => {
    const found = await readOfferHolders(database, ids);
    return new Map(found.map((holder) => [holder.id, holder]));
  });
  server.addHook('onClose', () => holders.close());

  server.get(
    apiPaths.offerOf,
    publicRoute('The offer of a mask, if the member has one', {
      description: 'Without the code of the pass, and without the right to act.',
      params: Type.Object({ memberId: Type.String() }),
      response: { 200: LookedAtOffer, 404: ErrorBody, 503: ErrorBody },
    }),
    async ({ params }): Promise<LookedAtOffer> => {
      const memberId = readMemberId(params.memberId);
      const { now, offer } = await view(memberId);
      if (offer === null) return { now, offer };
      const { code: _code, shop_link: _link, ...looked } = offer;
      return { now, offer: looked };
    },
  );

  server.post(
    apiPaths.offerLink,
    publicRoute('Mail the member a fresh link to their offer or pass, at most every ten minutes', {
      params: Type.Object({ memberId: Type.String() }),
      response: { 202: MailedLink, 404: ErrorBody, 429: ErrorBody, 503: ErrorBody },
    }),
    async ({ params, ip }, reply) => {
      limits.count('offer-link', ip);
      const member_id = readMemberId(params.memberId);
      if (member_id === null) throw noOffer();
      await inTransaction(database, (transaction) => mailFreshLink(transaction, member_id));
      mail.wake();
      return reply.code(202).send({ member_id });
    },
  );

  server.post(
    apiPaths.offer,
    publicRoute('The same with the code of the pass, for holders of the link in the mail', {
      body: OfferToken,
      response: ANSWERS,
    }),
    async ({ body, ip }) => {
      const { id } = await readHolder(body.token, ip);
      return { ...(await view(id)), member_id: id };
    },
  );

  server.post(
    apiPaths.acceptOffer,
    publicRoute('Accept an offer, which makes it a pass', {
      description:
        'Idempotent: an accepted offer is answered with the same pass. One mail confirms it.',
      body: OfferToken,
      response: ANSWERS,
    }),
    ({ body, ip }) => settle(body.token, ip, acceptOffer),
  );

  server.post(
    apiPaths.changeOffer,
    publicRoute('Take another size, while masks of it are left', {
      body: OfferSize,
      response: ANSWERS,
    }),
    ({ body: { token, size }, ip }) =>
      settle(token, ip, (transaction, memberId) =>
        changeOfferSize(transaction, { memberId, size }),
      ),
  );

  server.post(
    apiPaths.declineOffer,
    publicRoute('Decline an offer, so that the next member gets the mask', {
      body: OfferToken,
      response: ANSWERS,
    }),
    ({ body, ip }) => settle(body.token, ip, declineOffer),
  );

  for (const [path, summary, work] of ENTRY_ACTS)
    server.post(
      path,
      publicRoute(summary, { body: OfferToken, response: ANSWERS }),
      ({ body, ip }) => settle(body.token, ip, work, 'entry'),
    );

  async function settle(
    token: string,
    ip: string,
    work: (transaction: Transaction, memberId: string) => Promise<unknown>,
    about: 'offer' | 'entry' = 'offer',
  ): Promise<OwnOffer> {
    const { id, has_offer: hasOffer } = await readHolder(token, ip);
    if (about === 'offer' && !hasOffer) throw noOffer();
    await inTransaction(database, (transaction) => work(transaction, id));
    return { ...(await view(id)), member_id: id };
  }

  async function readHolder(token: string, ip: string): Promise<OfferHolder> {
    const claims = readLinkToken(secretKey, { token, purpose: 'offer' });
    if (claims === null) limits.count('wrong-link', ip);
    else limits.countLinkUse({ ip, memberId: claims.memberId });
    const holder = claims && (await holders.submit(claims.memberId));
    const isGood =
      holder && holder.mailbox === claims?.mailbox && claims.expiresAt.getTime() > Date.now();
    if (!isGood)
      throw new Problem('not_allowed', 'This link does not work any more: use that of the mail.');
    return holder;
  }
}

const ENTRY_ACTS = [
  [
    apiPaths.enterDrop,
    'Enter a drop by card: the answer has the checkout within seconds, which holds the price',
    enterDrop,
  ],
  [
    apiPaths.withdrawEntry,
    'Take an entry back before the draw: the card is released',
    withdrawEntry,
  ],
] as const;

async function mailFreshLink(transaction: Transaction, memberId: string): Promise<void> {
  const mail = await linkMailOf(transaction, memberId);
  if (mail === null) throw noOffer();
  if (!(await claimLinkMail(transaction, memberId)))
    throw new Problem(
      'rate_limited',
      'A link was mailed to you a short while ago. Please look for it, also among spam.',
      { retryAfterSeconds: 600 },
    );
  await queueMails(transaction, [mail]);
}

/** The mail whose link acts on the offer, pass or entry of a member. */
async function linkMailOf(
  transaction: Transaction,
  memberId: string,
): Promise<(MailRequest & { readonly offerId?: string }) | null> {
  const offer = await readLockedOffer(transaction, memberId);
  const offerId = offer?.id ?? '';
  if (offer?.state === 'open') return { kind: 'offer', memberId, offerId };
  if (offer?.state === 'accepted') return { kind: 'pass', memberId, offerId };
  if (offer?.state === 'paid') return { kind: 'pass-paid', memberId, offerId };
  const kind = await entryMailOf({ kysely: transaction }, memberId);
  return kind && { kind, memberId };
}
