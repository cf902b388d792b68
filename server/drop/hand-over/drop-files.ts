/** The files of a drop as lines of CSV. The columns are listed in docs/operate/hand-over.md. */
import type { DropFile } from '../../../contract/operator/drop/drop-files.ts';
import { type Cell, csvLine, joinChunks } from '../../csv/csv-rules.ts';
import type { Database } from '../../db/database.ts';
import { readChosen, readFrozen, readHandedOffers, readUsableCodes } from './hand-over-store.ts';
import { CODE_COLUMNS, CUSTOMER_COLUMNS, codeCells, customerCells } from './shopify-rules.ts';

type Options = { readonly brandName: string; readonly drop: number };

/** Reads at once: a drop has at most 10,000 entrants, and each has few offers. */
export async function openDropFile(
  database: Database,
  file: DropFile,
  options: Options,
): Promise<AsyncIterable<string>> {
  const { columns, rows } = await READERS[file](database, options);
  return joinChunks([columns, ...rows].map(csvLine));
}

type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] };
type Reader = (database: Database, options: Options) => Promise<Table>;

const READERS: Readonly<Record<DropFile, Reader>> = {
  async frozen(database, { drop }) {
    const rows = await readFrozen(database, drop);
    return table(rows, {
      position: (row) => row.position,
      member_id: (row) => row.member_id,
      email: (row) => row.email,
      points: (row) => row.points,
      held_credits: (row) => row.held_credits,
      sizes: (row) => row.sizes.join('; '),
      takes_any: (row) => row.takes_any,
    });
  },
  async chosen(database, { drop }) {
    const rows = await readChosen(database, drop);
    return table(rows, {
      draw_order: (row) => row.draw_order,
      position: (row) => row.position,
      size: (row) => row.size,
      member_id: (row) => row.member_id,
      email: (row) => row.email,
    });
  },
  async offers(database, { drop }) {
    const rows = await readHandedOffers(database, drop);
    return table(rows, {
      wave: (row) => row.wave,
      draw_order: (row) => row.draw_order,
      state: (row) => row.state,
      size: (row) => row.size,
      member_id: (row) => row.member_id,
      email: (row) => row.email,
      offered_at: (row) => row.offered_at.toISOString(),
      expires_at: (row) => row.expires_at.toISOString(),
      reminded_at: (row) => row.reminded_at?.toISOString() ?? null,
      settled_at: (row) => row.settled_at?.toISOString() ?? null,
      code: (row) => row.code,
      redeemed_at: (row) => row.redeemed_at?.toISOString() ?? null,
      order: (row) => row.shop_order,
    });
  },
  async 'shopify-customers'(database, { brandName: brand, drop }) {
    const offers = await readHandedOffers(database, drop);
    const customers = offers.flatMap(({ state, size, email }) =>
      (state === 'accepted' || state === 'redeemed') && email !== null ? [{ size, email }] : [],
    );
    return {
      columns: CUSTOMER_COLUMNS,
      rows: customers.map((row) => customerCells(row, { brand, drop })),
    };
  },
  async 'shopify-codes'(database, { brandName: brand, drop }) {
    const codes = await readUsableCodes(database, drop);
    return { columns: CODE_COLUMNS, rows: codes.map((row) => codeCells(row, { brand, drop })) };
  },
};

function table<Row>(
  rows: readonly Row[],
  cells: Readonly<Record<string, (row: Row) => Cell>>,
): Table {
  return {
    columns: Object.keys(cells),
    rows: rows.map((row) => Object.values(cells).map((cell) => cell(row))),
  };
}
