import { useRef } from 'react';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { TableBody } from './table-body.tsx';
import { TableHead } from './table-head.tsx';
import type { TableProps } from './table-shape.ts';
import { useRowKeys } from './use-row-keys.ts';

/**
 * A dense list. Keys: j and k or the arrows move, Enter opens, space selects. On a phone each row
 * is a block of lines, and so it is beside a sheet.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, error, empty, isStale = false } = props;
  const table = useRef<HTMLTableElement>(null);
  const rowKeys = useRowKeys(table, props);
  const isActing = props.hrefOf !== undefined || props.selection !== undefined;
  // A list without actions leaves the keys to another one.
  useShortcuts(isActing ? { j: () => rowKeys.move(1), k: () => rowKeys.move(-1) } : {});

  return (
    <>
      <div className="table-room">
        <table
          ref={table}
          className="table"
          aria-label={label}
          aria-busy={rows === undefined && !error}
          data-stale={isStale}
          data-openable={props.hrefOf !== undefined}
          data-selectable={props.selection !== undefined}
        >
          <TableHead {...props} />
          {!error && <TableBody {...props} rowKeys={rowKeys} />}
        </table>
      </div>
      {error ?? (rows?.length === 0 && empty)}
    </>
  );
}
