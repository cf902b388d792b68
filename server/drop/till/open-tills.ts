import type { TillKind, TillSettings } from '../../../contract/operator/drop/till.ts';
import { apiPaths, fillPath } from '../../../contract/paths.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { type Account, readAccounts, readChosen } from './account-store.ts';
import { openLinkTill } from './link-till.ts';
import { openKeys, openSigner, placeOf, type TillKeys } from './sealed-keys.ts';
import { openShopifyTill } from './shopify-till.ts';
import { openStripeTill } from './stripe-till.ts';
import { type Till, type TillContext, TillError } from './till.ts';

type TillOptions = Omit<TillContext, 'noticesUrl' | 'lineId' | 'sign'> & {
  readonly database: Database;
  readonly secretKey: string;
  readonly shopUrl: Config['shopUrl'];
};
type StoredKeys = Pick<Account, 'kind' | 'settings' | 'keys' | 'is_chosen'>;
type Wanted = Pick<Account, 'kind' | 'line_id'> & {
  readonly settings: TillSettings[TillKind];
  readonly keys: TillKeys;
};

export type Tills = ReturnType<typeof openTills>;

export function openTills(options: TillOptions) {
  const { database, shopUrl, secretKey } = options;
  const opened = new Map<string, { readonly key: string; readonly till: Promise<Till> }>();

  const settingsOf = ({ settings }: Pick<Account, 'settings'>): TillSettings[TillKind] =>
    settings ?? { ...(shopUrl !== null && { url: shopUrl }), reports: false };

  function keysOf(account: StoredKeys): TillKeys {
    const { kind, settings } = account;
    if (kind === 'link') return {};
    // Backups have none: those of the account that sells are entered again.
    if (account.keys === null && !account.is_chosen)
      throw new TillError('Its keys are gone.', { isFinal: true });
    return openKeys(account.keys ?? '', placeOf(kind, settings), secretKey);
  }

  async function openNew({ kind, settings, keys, line_id: lineId }: Wanted): Promise<Till> {
    if (kind === 'link') return openLinkTill(settings as TillSettings['link']);
    const noticesUrl = options.publicUrl + fillPath(apiPaths.tillNotices, kind);
    const context = { ...options, noticesUrl, lineId, sign: openSigner(secretKey, lineId) };
    return kind === 'stripe'
      ? await openStripeTill({ ...context, ...(settings as TillSettings['stripe']) }, keys)
      : openShopifyTill({ ...context, ...(settings as TillSettings['shopify']) }, keys);
  }

  const openKnown = async (account: Account): Promise<Till> =>
    await openNew({ ...account, settings: settingsOf(account), keys: keysOf(account) });

  return {
    keysOf,
    openNew,
    /** The one that sells comes first. */
    accounts: async () =>
      (await readAccounts(database)).map((stored) => ({ ...stored, settings: settingsOf(stored) })),
    async chosen() {
      const account = await readChosen(database);
      return { ...account, settings: settingsOf(account) };
    },
    /** Throws Problem when its keys are lost, and TillError. */
    async open(account: Account): Promise<Till> {
      const key = JSON.stringify(account);
      const last = opened.get(account.id);
      // A client of a shop holds a token that is good for a day.
      const till = last?.key === key ? last.till : openKnown(account);
      opened.set(account.id, { key, till });
      try {
        return await till;
      } catch (error) {
        opened.delete(account.id);
        throw error;
      }
    },
  };
}
