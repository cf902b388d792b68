import type { DropPlaceView } from '../../../../contract/drop/drop-views.ts';
import type { LookedAtOffer, OwnOffer } from '../../../../contract/drop/offer-views.ts';
import { shownDrop } from '../../../../contract/drop/place-states.ts';
import { apiPaths, fillPath } from '../../../../contract/paths.ts';
import { isObject } from '../../../api/answer-shapes.ts';
import { ApiError } from '../../../api/api-error.ts';
import { request } from '../../../api/request.ts';
import type { ServerClock } from '../../../countdown/use-time-left.ts';
import { offerToken } from '../own-link.ts';

/** Only holders of the link in the mail receive `code` and `shop_link`. */
export type ShownOffer = NonNullable<LookedAtOffer['offer']> &
  Partial<Pick<NonNullable<OwnOffer['offer']>, 'code' | 'shop_link'>>;

export type MemberDrop = ServerClock & {
  /** Standing of the member in the shown drop, which is the drop of the offer. */
  readonly place: DropPlaceView;
  readonly offer: ShownOffer | null;
  /** The page where holders of the link in the mail enter their card. */
  readonly entryLink: string | null;
  readonly canAct: boolean;
  /** Reason why the opened link does not act; empty if it acts, or no link was opened. */
  readonly linkProblem: string;
};

export type OfferAct =
  | { readonly kind: 'accept' | 'decline' }
  | { readonly kind: 'size'; readonly size: string };

const NO_ANSWER = 'No answer arrived. Nothing is lost: please try again.';
const OTHER_MEMBER = 'That link belongs to another member, so it does not answer on this page.';

export async function loadMemberDrop(memberId: string, signal?: AbortSignal): Promise<MemberDrop> {
  const options = signal === undefined ? {} : { signal };
  const place = await request(fillPath(apiPaths.dropPlace, memberId), NO_ANSWER, isPlace, options);
  const token = offerToken.takeFor(memberId);
  const { own, linkProblem } = await readOwn(memberId, token);
  if (own !== null) return show(place, own);
  const looked = await request(
    fillPath(apiPaths.offerOf, memberId),
    NO_ANSWER,
    isOfferAnswer,
    options,
  );
  const isOfThisDrop = looked.offer?.drop === place.drop;
  return show(place, { ...looked, offer: isOfThisDrop ? looked.offer : null }, linkProblem);
}

/** Resolves to the drop after the act, which is idempotent. */
export async function actOnEntry(memberId: string, act: 'enter' | 'withdraw'): Promise<MemberDrop> {
  const path = act === 'enter' ? apiPaths.enterDrop : apiPaths.withdrawEntry;
  await postOwn(path, { token: offerToken.takeFor(memberId) ?? '' });
  return await loadMemberDrop(memberId);
}

/** Resolves to the drop after the act. Acts are idempotent. */
export async function actOnOffer(
  memberId: string,
  place: DropPlaceView,
  act: OfferAct,
): Promise<MemberDrop> {
  const path = {
    accept: apiPaths.acceptOffer,
    decline: apiPaths.declineOffer,
    size: apiPaths.changeOffer,
  }[act.kind];
  const body = {
    token: offerToken.takeFor(memberId) ?? '',
    ...(act.kind === 'size' && { size: act.size }),
  };
  return show(place, await postOwn(path, body));
}

async function readOwn(
  memberId: string,
  token: string | null,
): Promise<{ own: OwnOffer | null; linkProblem: string }> {
  if (token === null) return { own: null, linkProblem: '' };
  try {
    const ownOffer = await postOwn(apiPaths.offer, { token });
    if (ownOffer.member_id === memberId) return { own: ownOffer, linkProblem: '' };
    offerToken.forgetFor(memberId);
    return { own: null, linkProblem: OTHER_MEMBER };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    return { own: null, linkProblem: error.message };
  }
}

/** Throws an ApiError with a sentence for the member, such as that a link was just mailed. */
export async function mailFreshLink(memberId: string): Promise<void> {
  await request(fillPath(apiPaths.offerLink, memberId), NO_ANSWER, isObject, {
    post: { body: {} },
  });
}

function postOwn(path: string, body: object): Promise<OwnOffer> {
  return request(path, NO_ANSWER, isOwnOffer, { post: { body } });
}

function show(
  place: DropPlaceView,
  { now, offer, ...rest }: LookedAtOffer | OwnOffer,
  linkProblem = '',
): MemberDrop {
  const canAct = 'member_id' in rest;
  const entryLink = 'entry_link' in rest ? rest.entry_link : null;
  const more = { entryLink, canAct, linkProblem, now, receivedAt: performance.now() };
  return { ...shownDrop(place, offer), ...more };
}

function isPlace(body: unknown): body is DropPlaceView {
  return isObject(body) && typeof body.drop === 'number' && typeof body.state === 'string';
}

function isOfferAnswer(body: unknown): body is LookedAtOffer {
  if (!isObject(body) || !isTime(body.now)) return false;
  const { offer } = body;
  return offer === null || (isObject(offer) && isTime(offer.expires_at));
}

function isOwnOffer(body: unknown): body is OwnOffer {
  return isOfferAnswer(body) && 'member_id' in body;
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && Number.isFinite(Date.parse(value));
}
