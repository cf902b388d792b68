/** The steps of a drop over HTTP, and everything that the server says about it. */
import { hashList } from '../../../contract/drop/draw-hash-rules.ts';
import type { DrawRecord } from '../../../contract/drop/draw-record.ts';
import type { DropView } from '../../../contract/drop/drop-views.ts';
import type { OwnOffer } from '../../../contract/drop/offer-views.ts';
import { verifyDraw } from '../../../contract/drop/verify-draw-rules.ts';
import type { AuditPage } from '../../../contract/operator/changes.ts';
import type { OfferFigures } from '../../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Verification } from '../../../contract/operator/verification.ts';
import { apiPaths, fillPath } from '../../../contract/paths.ts';
import type { Member, Stats } from '../../../contract/schemas.ts';
import { signLinkToken } from '../../../server/mail/link-token.ts';
import { confirmByLink } from '../../support/confirm-by-link.ts';
import { callAs } from '../../support/operator-call.ts';

export const SECRETS = {
  SECRET_KEY: 'the secret key of the server that is killed',
  OPERATOR_TOKEN: 'the-operator-token-of-this-drop-test',
} as const;

/** All of the server's state that is the same before and after a restart. */
export type DropNow = {
  readonly state: DropView['state'];
  readonly entrants: number;
  readonly isAnnounced: boolean;
  readonly isDrawn: boolean;
  readonly open: number;
  readonly accepted: number;
  readonly paid: number;
  readonly available: number;
  /** The changes in the audit log, oldest first. */
  readonly changes: readonly string[];
};

export type DropStep = {
  readonly name: string;
  /** A part of the first statement that the step needs. */
  readonly from: string;
  /** Throws when it is refused, or when the server dies. */
  run(url: string): Promise<unknown>;
  /** Number of its entry in the audit log; null: there is none. */
  readonly action: string | null;
  /** What the step makes of a drop, besides that entry. */
  readonly makes: Partial<DropNow>;
};

const ENTRANTS = 12;
const MASKS = 3;

const change = (kind: string, input: object = {}) => ({
  action: kind,
  run: (url: string) => ask(url, operatorPaths.changes, { kind, input, reason: 'launch day' }),
});
const SIZES_LOCKED = 'lock table mask_size';

/** In the order of a drop, which begins open, with three masks in one size. */
export const DROP_STEPS: readonly DropStep[] = [
  {
    name: 'freeze-drop',
    from: 'from line_state for update',
    ...change('freeze-drop', { first: ENTRANTS, domains: ['example.com'] }),
    makes: { state: 'frozen', entrants: ENTRANTS },
  },
  {
    name: 'announce-draw',
    from: SIZES_LOCKED,
    ...change('announce-draw', { by_rank: 1, drawn_among: ENTRANTS, source: 'seed' }),
    makes: { isAnnounced: true },
  },
  {
    name: 'select-entrants',
    from: SIZES_LOCKED,
    ...change('select-entrants'),
    makes: { state: 'selected', isDrawn: true },
  },
  {
    name: 'start-offers',
    from: SIZES_LOCKED,
    ...change('start-offers', { minutes: 720, time_zone: 'UTC' }),
    makes: { state: 'offering' },
  },
  {
    name: 'sweep',
    from: SIZES_LOCKED,
    action: null,
    run: untilOffered,
    makes: { open: MASKS, available: 0 },
  },
  {
    name: 'accept',
    from: 'from offer where id =',
    action: null,
    run: async (url) => ask(url, apiPaths.acceptOffer, { token: await findToken(url) }),
    makes: { open: MASKS - 1, accepted: 1 },
  },
  {
    name: 'redeem',
    from: 'from offer where code =',
    action: 'redeem-pass',
    async run(url) {
      const token = await findToken(url);
      const { offer } = await ask<OwnOffer>(url, apiPaths.offer, { token });
      return await ask(url, operatorPaths.redeemPass, { code: offer?.code, order: '#1' });
    },
    makes: { accepted: 0, paid: 1 },
  },
  {
    name: 'close-drop',
    from: 'update "mask_drop"',
    ...change('close-drop'),
    makes: { state: 'closed', open: 0, available: MASKS - 1 },
  },
];

/** Members join and confirm, and three masks are in stock. */
export async function prepareDrop(url: string): Promise<void> {
  for (let index = 0; index < ENTRANTS + 2; index += 1) {
    const email = `ghost${index}@example.com`;
    const { id } = await ask<Member>(url, apiPaths.join, { email, referred_by: null });
    await confirmByLink(url, SECRETS.SECRET_KEY, id);
  }
  for (const [size, stock] of Object.entries({ Small: MASKS, Medium: 0, Large: 0 }))
    await change('set-stock', { size, stock }).run(url);
}

/** Throws when list, draw, line or audit log contradict themselves, or a mask is missing. */
export async function readDrop(url: string): Promise<DropNow> {
  const { state, list_hash } = await ask<DropView>(url, apiPaths.drop);
  const record = list_hash === null ? null : await ask<DrawRecord>(url, fillPath(apiPaths.draw, 1));
  const problems = record === null ? [] : [...verifyDraw(record).problems];
  if (record !== null && hashList(record) !== list_hash) problems.push('Another list is shown.');
  const { open, accepted, paid } = await ask<OfferFigures>(url, operatorPaths.offers);
  const { available_masks: available } = await ask<Stats>(url, apiPaths.stats);
  if (open + accepted + paid + available !== MASKS) problems.push('A mask is missing.');
  const { differences } = await ask<Verification>(url, operatorPaths.verify, {});
  const found = [...problems, ...differences];
  if (found.length > 0) throw new Error(found.join(' '));
  const { entries } = await ask<AuditPage>(url, operatorPaths.changes);
  return {
    state,
    entrants: record?.entrants.length ?? 0,
    isAnnounced: record?.announcement != null,
    isDrawn: record?.order != null,
    open,
    accepted,
    paid,
    available,
    changes: entries.map(({ action }) => action).toReversed(),
  };
}

/** The sweeper makes the offers by itself. */
async function untilOffered(url: string): Promise<void> {
  while ((await ask<OfferFigures>(url, operatorPaths.offers)).open === 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The token that is mailed to the first member in the draw order. */
async function findToken(url: string): Promise<string> {
  const { order } = await ask<DrawRecord>(url, fillPath(apiPaths.draw, 1));
  const memberId = await readMemberAt(url, order?.[0]?.position ?? 0);
  const expiresAt = new Date(Date.now() + 86_400_000);
  return signLinkToken(SECRETS.SECRET_KEY, {
    purpose: 'offer',
    memberId,
    mailbox: null,
    expiresAt,
  });
}

/** Nobody joins after the freeze, so positions stay those of the list. */
async function readMemberAt(url: string, position: number): Promise<string> {
  const request = { filter: {}, sort: 'position', order: 'asc', limit: 100 };
  const { members } = await ask<{ members: { id: string; position: number }[] }>(
    url,
    operatorPaths.listMembers,
    request,
  );
  return members.find((member) => member.position === position)?.id ?? '';
}

const ask = <T>(url: string, path: string, body?: object) =>
  callAs<T>(SECRETS.OPERATOR_TOKEN, url + path, body);
