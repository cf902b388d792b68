/** Where a member stands in a drop, from the calls of the API. */
import type { DropPlaceView } from '../../../../contract/drop/drop-views.ts';
import type { LookedAtOffer, OwnOffer } from '../../../../contract/drop/offer-views.ts';
import { apiPaths } from '../../../../contract/paths.ts';
import { ApiError } from '../../../api/api-error.ts';
import { request } from '../../../api/request.ts';
import { forgetOfferToken, takeOfferToken } from './offer-token.ts';

/** `code` and `shop_link` only for holders of the link in the mail. */
export type ShownOffer = NonNullable<LookedAtOffer['offer']> &
  Partial<Pick<NonNullable<OwnOffer['offer']>, 'code' | 'shop_link'>>;

export type MemberDrop = {
  readonly place: DropPlaceView;
  readonly offer: ShownOffer | null;
  /** The link in the mail was opened in this tab. */
  readonly canAct: boolean;
  /** Why the link that was opened does not act; empty if it does, or none was. */
  readonly linkProblem: string;
  /** By the clock of the server, when the answer came at `receivedAt` of `performance.now()`. */
  readonly now: number;
  readonly receivedAt: number;
};

export type OfferAct =
  | { readonly kind: 'accept' | 'decline' }
  | { readonly kind: 'size'; readonly size: string };

const NO_ANSWER = 'No answer arrived. Nothing is lost: please try again.';
const OTHER_MEMBER = 'That link belongs to another member, so it does not answer on this page.';

/** Rejects with an ApiError, or with the reason of the abort. */
export async function loadMemberDrop(memberId: string, signal?: AbortSignal): Promise<MemberDrop> {
  const options = signal === undefined ? {} : { signal };
  const place = await request({
    path: apiPaths.dropPlace(memberId),
    fallback: NO_ANSWER,
    isExpected: isPlace,
    ...options,
  });
  const token = takeOfferToken(memberId);
  const { own, linkProblem } = await readOwn(memberId, token);
  if (own !== null) return show(place, own);
  const looked = await request({
    path: apiPaths.offerOf(memberId),
    fallback: NO_ANSWER,
    isExpected: isOfferAnswer,
    ...options,
  });
  const isOfThisDrop = looked.offer?.drop === place.drop;
  return show(place, { ...looked, offer: isOfThisDrop ? looked.offer : null }, linkProblem);
}

/** The drop after the act, which can be repeated: the API gives the same answer. */
export async function actOnOffer(
  memberId: string,
  place: DropPlaceView,
  act: OfferAct,
): Promise<MemberDrop> {
  const path = {
    accept: apiPaths.acceptOffer(),
    decline: apiPaths.declineOffer(),
    size: apiPaths.changeOffer(),
  }[act.kind];
  const body = {
    token: takeOfferToken(memberId) ?? '',
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
    const own = await postOwn(apiPaths.offer(), { token });
    if (own.member_id === memberId) return { own, linkProblem: '' };
    forgetOfferToken(memberId);
    return { own: null, linkProblem: OTHER_MEMBER };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    return { own: null, linkProblem: error.message };
  }
}

function postOwn(path: string, body: object): Promise<OwnOffer> {
  return request({
    path,
    fallback: NO_ANSWER,
    isExpected: isOwnOffer,
    post: { body, headers: {} },
  });
}

function show(
  place: DropPlaceView,
  { now, offer, ...rest }: LookedAtOffer | OwnOffer,
  linkProblem = '',
): MemberDrop {
  const canAct = 'member_id' in rest;
  const receivedAt = performance.now();
  return { place, offer, canAct, linkProblem, now: Date.parse(now), receivedAt };
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
