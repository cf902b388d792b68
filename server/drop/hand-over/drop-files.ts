import { isPass } from '../../../contract/drop/states.ts';
import type { DropFile } from '../../../contract/operator/drop/drop-files.ts';
import { ADDRESS_FIELDS } from '../../../contract/reward-address.ts';
import { type Cell, csvLine, joinChunks } from '../../csv/csv-rules.ts';
import type { Database } from '../../db/database.ts';
import { readOffersOfDrop } from '../offers/offer-store.ts';
import { readMoneyRows } from '../till/payment-store.ts';
import { CARRIER_COLUMNS, carrierCells, carrierProblem } from './carrier-rules.ts';
import {
  type FileRow,
  readChosen,
  readFrozen,
  readUnsent,
  readUsableCodes,
} from './hand-over-store.ts';
import { CODE_COLUMNS, CUSTOMER_COLUMNS, codeCells, customerCells } from './shopify-rules.ts';

type Options = { readonly brand: string; readonly drop: number; readonly isAsked: boolean };

export async function openDropFile(
  database: Database,
  file: DropFile,
  options: Options,
): Promise<AsyncIterable<string>> {
  const { columns, rows } = await READERS[file](database, options);
  return joinChunks([columns, ...rows].map((cells) => csvLine(cells)));
}

const FROZEN_COLUMNS = 'position member_id email points held_credits sizes takes_any'.split(' ');
const CHOSEN_COLUMNS = 'draw_order position size member_id email'.split(' ');
const OFFER_COLUMNS = (
  'wave draw_order state size member_id email offered_at expires_at reminded_at settled_at code ' +
  'paid_at handed_at order scanned_by'
).split(' ');
const MONEY_COLUMNS = (
  'drop member_id size pass kind reference cents refunded_cents disputed_cents currency ' +
  'is_live state why seen_at handed_at sent_at'
).split(' ');

type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] };
type Reader = (database: Database, options: Options) => Promise<Table>;

const READERS: Readonly<Record<DropFile, Reader>> = {
  async frozen(database, { drop }) {
    return table(await readFrozen(database, drop), FROZEN_COLUMNS);
  },
  async chosen(database, { drop }) {
    return table(await readChosen(database, drop), CHOSEN_COLUMNS);
  },
  async offers(database, { drop }) {
    const offers = await readOffersOfDrop(database, drop);
    return table(
      offers.map((offer) => ({ ...offer, order: offer.shop_order })),
      OFFER_COLUMNS,
    );
  },
  async money(database, { drop, isAsked }) {
    const rows = await readMoneyRows(database, { drop: isAsked ? drop : undefined });
    return table(rows, MONEY_COLUMNS);
  },
  async 'packing-list'(database, { drop }) {
    const rows = (await readUnsent(database, drop)).map(({ address, ...row }) => {
      const notes = [carrierProblem({ ...row, address }), row.has_left ? 'has left the line' : ''];
      return { ...row, ...address, note: notes.filter(Boolean).join(', ') };
    });
    return table(rows, ['size', 'code', 'order', 'email', ...ADDRESS_FIELDS, 'note']);
  },
  async carrier(database, { drop }) {
    const rows = await readUnsent(database, drop);
    return {
      columns: CARRIER_COLUMNS,
      rows: rows.map(carrierCells).filter((cells) => cells !== null),
    };
  },
  async 'shopify-customers'(database, { brand, drop }) {
    const offers = await readOffersOfDrop(database, drop);
    const customers = offers.flatMap(({ state, size, email }) =>
      isPass(state) && email !== null ? [{ size, email }] : [],
    );
    return {
      columns: CUSTOMER_COLUMNS,
      rows: customers.map((row) => customerCells(row, { brand, drop })),
    };
  },
  async 'shopify-codes'(database, { brand, drop }) {
    const codes = await readUsableCodes(database, drop);
    return {
      columns: CODE_COLUMNS,
      rows: codes.map((row) => codeCells(row, { brand, drop })),
    };
  },
};

function table(rows: readonly FileRow[], columns: readonly string[]): Table {
  return { columns, rows: rows.map((row) => columns.map((column) => cellOf(row[column] ?? null))) };
}

function cellOf(value: FileRow[string]): Cell {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? value.join('; ') : value;
}
