import type { ChangeInput } from '../../../contract/operator/changes.ts';
import { writeAmount } from '../../../contract/operator/drop/price-rules.ts';
import { TILL_KINDS, type TillKind } from '../../../contract/operator/drop/till.ts';
import { TILLS } from '../../../contract/operator/drop/tills.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Transaction } from '../../db/transaction.ts';
import { conflict, Problem } from '../../problem.ts';
import { getDrop } from '../drop-store.ts';
import type { Cost } from '../offers/offer-rules.ts';
import {
  type Account,
  chooseAccount,
  costOf,
  countHeld,
  type Identity,
  readAccounts,
} from './account-store.ts';
import { renewLinks } from './checkout-store.ts';
import { linkWithCode } from './link-till.ts';
import type { Tills } from './open-tills.ts';
import { placeOf, sealKeys, type TillKeys } from './sealed-keys.ts';
import { assertStripe } from './stripe-rules.ts';
import { TillError } from './till.ts';

const NEEDED: Readonly<Record<TillKind, readonly (keyof TillKeys)[]>> = {
  link: [],
  stripe: ['secretKey', 'webhookSecret'],
  shopify: ['secretKey'],
};

type Options = { readonly tills: Tills; readonly secretKey: string };

/** Before the transaction the vendor is asked whose keys these are. */
export function openSetTill({ tills, secretKey }: Options): Operation<'set-till'> {
  async function read(input: ChangeInput<'set-till'>) {
    const { secret_key, webhook_secret, ...wanted } = input;
    const [kind, more] = TILL_KINDS.filter((tillKind) => wanted[tillKind] !== undefined);
    const settings = kind && wanted[kind];
    if (kind === undefined || settings === undefined || more !== undefined)
      throw new Problem('invalid_field', 'Choose one of link, stripe and shopify.');
    if (wanted.link?.url !== undefined) assertLink(wanted.link.url);
    if (wanted.stripe !== undefined) assertStripe(wanted.stripe, { secret_key, webhook_secret });
    const accounts = await tills.accounts();
    const stored = accounts.find(
      (account) =>
        account.kind === kind &&
        account.keys &&
        placeOf(kind, account.settings) === placeOf(kind, settings),
    );
    const given: TillKeys = {
      ...(secret_key && { secretKey: secret_key }),
      ...(webhook_secret && { webhookSecret: webhook_secret }),
    };
    // Stored ones that cannot be read any more are replaced by whole new ones.
    const isWhole = NEEDED[kind].every((name) => given[name]);
    const keys: TillKeys = { ...(stored && !isWhole && tills.keysOf(stored)), ...given };
    const missing = NEEDED[kind].filter((name) => !keys[name]);
    if (missing.length > 0)
      throw new Problem('invalid_field', `${TILLS[kind]} needs its ${KEY_NAMES(missing)}.`);
    try {
      const line_id = accounts[0]?.line_id ?? '';
      const till = await tills.openNew({ kind, settings, keys, line_id });
      const identity = await till.identify();
      if (stored && !isWhole && !isSame(stored, identity))
        throw new Problem('invalid_field', 'Stripe needs the webhook secret of this account, too.');
      return { kind, settings: { ...settings, ...(await till.readCost()) }, keys, identity };
    } catch (error) {
      if (error instanceof TillError) throw conflict(error.message);
      throw error;
    }
  }

  type Planned = Awaited<ReturnType<typeof read>>;

  return {
    isForOwners: true,
    lock: 'sizes',
    read,
    async apply(transaction, _input, { kind, settings, keys, identity }: Planned) {
      const accounts = await readAccounts({ kysely: transaction });
      const existing = accounts.find(
        (candidate) => candidate.kind === kind && isSame(candidate, identity),
      );
      await assertNotEntered(transaction, kind);
      for (const account of accounts) {
        const isKnown = account === existing;
        // What was sold as the mask before is none any more once it is paid.
        if (!isKnown || productOf(account) !== productOf({ settings }))
          await assertFree(transaction, account, { kind, isKnown });
      }
      const sealed = kind === 'link' ? null : sealKeys(keys, placeOf(kind, settings), secretKey);
      await chooseAccount(transaction, { kind, settings, keys: sealed, identity }, existing);
      const cost = costOf({ settings });
      const wasLink = accounts.some(
        (candidate) => candidate.is_chosen && candidate.kind === 'link',
      );
      const renewed = wasLink ? await renewLinks(transaction) : 0;
      return {
        sentences: [
          `${TILLS[kind]} sells the masks to members with a pass.`,
          ...(kind === 'link' ? [] : [`The account is ${describeAccount(identity)}.`]),
          ...(cost === null ? [] : [costs(cost)]),
          ...(renewed === 0
            ? []
            : [
                `${countOf(renewed, 'accepted pass', 'accepted passes')} can be paid there, ` +
                  'with the whole pay-by time. Compare the orders of the shop before.',
              ]),
          'Test it afterwards: the test says whether somebody else could buy a mask.',
        ],
        counts: { renewed },
        summary: `${TILLS[kind]} became the till.`,
        subject: { kind: 'till', id: kind },
        details: { kind, settings, account: identity.farId, is_live: identity.isLive },
      };
    },
  };
}

const isSame = ({ far_id: farId, is_live: isLive }: Account, identity: Identity) =>
  farId === null || (farId === identity.farId && isLive === identity.isLive);

const productOf = ({ settings }: Pick<Account, 'settings'>) =>
  (settings as { product?: string } | null)?.product;

/** Throws Problem conflict while money at an account could be overlooked without it. */
async function assertFree(
  transaction: Transaction,
  account: Account,
  { kind: wanted, isKnown }: { readonly kind: TillKind; readonly isKnown: boolean },
) {
  if (account.kind === 'link') return;
  const { open, kept } = await countHeld(transaction, account.id);
  if (open > 0 && (account.is_chosen || account.kind === wanted))
    throw conflict(
      `${TILLS[account.kind]} has ${countOf(open, 'open checkout or refund', OPEN)}: ` +
        'wait until they are settled.',
    );
  if (kept > 0 && account.kind === wanted && !isKnown)
    throw conflict(
      `This is another account. The one before keeps ${countOf(kept, 'payment', 'payments')} of ` +
        'this drop: enter keys of that one, or cancel these passes, whose payments then go back.',
    );
}

async function assertNotEntered(transaction: Transaction, kind: TillKind): Promise<void> {
  const { state, enter_until: until } = await getDrop({ kysely: transaction });
  if (kind !== 'stripe' && until !== null && (state === 'frozen' || state === 'selected'))
    throw conflict('Members enter this drop by card, which Stripe alone holds money on.');
}

const describeAccount = ({ farId, isLive }: Identity) =>
  isLive ? farId : `${farId}, a test account, where no money moves`;
const costs = ({ cents, currency, plus }: Cost) =>
  `A mask costs ${writeAmount(cents, currency)} ${currency}` +
  (plus ? ` plus ${plus}.` : ', shipping included.');
const OPEN = 'open checkouts or refunds';
const KEY_NAMES = (names: readonly (keyof TillKeys)[]) =>
  names.map((name) => (name === 'secretKey' ? 'secret key' : 'webhook secret')).join(' and ');

function assertLink(url: string): void {
  const parsed = URL.parse(linkWithCode(url, 'CODE'));
  if (parsed?.protocol === 'https:' && parsed.username === '') return;
  throw new Problem('invalid_field', 'The link must begin with https://.');
}
