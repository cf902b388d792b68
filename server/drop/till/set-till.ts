import { writeAmount } from '../../../contract/operator/drop/price-rules.ts';
import {
  TILL_KINDS,
  type TillKind,
  type TillSettings,
} from '../../../contract/operator/drop/till.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { Problem } from '../../problem.ts';
import { linkWithCode } from './link-till.ts';
import { openKeys, sealKeys, type TillKeys } from './sealed-keys.ts';
import { countUnsettled, readTill, renewLinks, writeTill } from './till-store.ts';

const NAMES: Readonly<Record<TillKind, string>> = {
  link: 'A link',
  stripe: 'Stripe',
  shopify: 'Shopify',
};
const NEEDED: Readonly<Record<TillKind, readonly (keyof TillKeys)[]>> = {
  link: [],
  stripe: ['secretKey', 'webhookSecret'],
  shopify: ['secretKey'],
};

export function openSetTill({ secretKey }: { readonly secretKey: string }): Operation<'set-till'> {
  return {
    isForOwners: true,
    lock: 'sizes',
    async apply(transaction, { secret_key, webhook_secret, ...wanted }) {
      const [kind, more] = TILL_KINDS.filter((one) => wanted[one] !== undefined);
      const settings = kind && wanted[kind];
      if (kind === undefined || settings === undefined || more !== undefined)
        throw new Problem('invalid_field', 'Choose one of link, stripe and shopify.');
      if (wanted.link?.url !== undefined) assertLink(wanted.link.url);
      const before = await readTill({ kysely: transaction });
      const wasLink = (before?.kind ?? 'link') === 'link';
      const unsettled = wasLink ? 0 : await countUnsettled(transaction);
      if (before !== null && before.kind !== kind && unsettled > 0)
        throw new Problem(
          'conflict',
          `${NAMES[before.kind]} has ${countOf(unsettled, 'open checkout or refund', OPEN)}: ` +
            'wait until they are settled.',
        );
      const keys = {
        ...(before?.kind === kind && before.keys && openKeys(before.keys, kind, secretKey)),
        ...(secret_key && { secretKey: secret_key }),
        ...(webhook_secret && { webhookSecret: webhook_secret }),
      };
      const missing = NEEDED[kind].filter((name) => !keys[name]);
      if (missing.length > 0)
        throw new Problem('invalid_field', `${NAMES[kind]} needs its ${KEY_NAMES(missing)}.`);
      const sealed = kind === 'link' ? null : sealKeys(keys, kind, secretKey);
      await writeTill(transaction, { kind, settings, keys: sealed });
      const renewed = wasLink ? await renewLinks(transaction) : 0;
      return {
        sentences: [
          `${NAMES[kind]} sells the masks to members with a pass.`,
          ...(wanted.stripe === undefined ? [] : [costs(wanted.stripe)]),
          ...(renewed === 0
            ? []
            : [
                `${countOf(renewed, 'accepted pass', 'accepted passes')} can be paid there, ` +
                  'with the whole pay-by time. Compare the orders of the shop before.',
              ]),
          'Test it afterwards: the test says whether somebody else could buy a mask.',
        ],
        counts: { renewed },
        summary: `${NAMES[kind]} became the till.`,
        subject: { kind: 'till', id: kind },
        details: { kind, settings },
      };
    },
  };
}

const costs = ({ cents, currency }: TillSettings['stripe']) =>
  `A mask costs ${writeAmount(cents, currency)} ${currency}, shipping included.`;
const OPEN = 'open checkouts or refunds';
const KEY_NAMES = (names: readonly (keyof TillKeys)[]) =>
  names.map((name) => (name === 'secretKey' ? 'secret key' : 'webhook secret')).join(' and ');

function assertLink(url: string): void {
  const parsed = URL.parse(linkWithCode(url, 'CODE'));
  if (parsed?.protocol === 'https:' && parsed.username === '') return;
  throw new Problem('invalid_field', 'The link must begin with https://.');
}
