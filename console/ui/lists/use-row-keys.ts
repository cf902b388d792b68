import { type RefObject, useState } from 'react';
import type { TableProps } from './table-shape.ts';

export type RowKeys = {
  /** Index of the row that Tab reaches. */
  readonly active: number;
  /** Moves the focus by rows, and opens the row when another one is open. */
  move(by: number): void;
  moveTo(end: 'first' | 'last'): void;
};

/** One row is in the order of Tab; keys move from row to row. */
export function useRowKeys<Row>(
  table: RefObject<HTMLTableElement | null>,
  { rows = [], keyOf, hrefOf, selection, openKey = null }: TableProps<Row>,
): RowKeys {
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const isActing = hrefOf !== undefined || selection !== undefined;
  const indexOf = (key: string | null) => rows.findIndex((row) => keyOf(row) === key);
  const active = Math.max(0, indexOf(openKey ?? activeKey));

  function focus(index: number): void {
    const row = rows[index];
    if (!row || !isActing) return;
    setActiveKey(keyOf(row));
    const element = table.current?.querySelector<HTMLElement>(
      `[data-row="${CSS.escape(keyOf(row))}"]`,
    );
    element?.focus();
    element?.scrollIntoView({ block: 'nearest' });
    if (openKey !== null) element?.querySelector<HTMLElement>('.row-link')?.click();
  }

  return {
    active,
    move(by) {
      const focused = table.current?.querySelector<HTMLElement>('tr:focus')?.dataset.row;
      const from = indexOf(focused ?? openKey);
      // The first press only shows where the focus is.
      focus(from < 0 ? active : Math.min(Math.max(from + by, 0), rows.length - 1));
    },
    moveTo: (end) => focus(end === 'first' ? 0 : rows.length - 1),
  };
}
