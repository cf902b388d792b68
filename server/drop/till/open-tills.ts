import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import { apiPaths, fillPath } from '../../../contract/paths.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { openLinkTill } from './link-till.ts';
import { openKeys } from './sealed-keys.ts';
import { openShopifyTill } from './shopify-till.ts';
import { openStripeTill } from './stripe-till.ts';
import type { Till, TillContext } from './till.ts';
import { NO_TILL, readTill, type TillRow } from './till-store.ts';

type TillOptions = Omit<TillContext, 'noticesUrl'> & {
  readonly database: Database;
  readonly secretKey: string;
  readonly shopUrl: Config['shopUrl'];
};

export type OpenTill = { readonly row: TillRow; readonly till: Till };
export type Tills = {
  row(): Promise<TillRow>;
  /** The chosen one; without any, the link of SHOP_URL. Throws Problem when its keys are lost. */
  current(): Promise<OpenTill>;
};

export function openTills(options: TillOptions): Tills {
  const { database, shopUrl } = options;
  const url = shopUrl === null ? {} : { url: shopUrl };
  const usual: TillRow = { ...NO_TILL, settings: { ...url, reports: false } };
  let last: { readonly key: string; readonly till: Promise<Till> } | null = null;
  const readRow = async () => (await readTill(database)) ?? usual;
  return {
    row: readRow,
    async current() {
      const row = await readRow();
      const key = JSON.stringify(row);
      // A client of a shop holds a token that is good for a day.
      if (last?.key !== key) last = { key, till: openTill(options, row) };
      return { row, till: await last.till };
    },
  };
}

async function openTill(options: TillOptions, { kind, settings, keys }: TillRow): Promise<Till> {
  if (kind === 'link') return openLinkTill(settings as TillSettings['link']);
  const opened = openKeys(keys ?? '', kind, options.secretKey);
  const noticesUrl = options.publicUrl + fillPath(apiPaths.tillNotices, kind);
  const context = { ...options, noticesUrl };
  return kind === 'stripe'
    ? await openStripeTill({ ...context, ...(settings as TillSettings['stripe']) }, opened)
    : await openShopifyTill({ ...context, ...(settings as TillSettings['shopify']) }, opened);
}
