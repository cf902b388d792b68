import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { Link } from 'wouter';
import { RelativeTime, Skeleton } from './facts.tsx';
import { Checkbox } from './fields.tsx';
import { formatCount } from './formats.ts';
import { useShortcuts } from './shortcuts.ts';

export type Column<Row> = {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  readonly isNarrow?: boolean;
  /** Left out below the width of a desk. */
  readonly isMinor?: boolean;
  readonly sortKey?: string;
  /** Holds a button or a menu for the row; its header is only announced. One, the last. */
  readonly isAction?: boolean;
  /** Whether its actions are for those, too, who may not write. */
  readonly isForAll?: boolean;
};

type Rest<Row> = Omit<Partial<Column<Row>>, 'header' | 'cell'>;

export function countColumn<Row>(
  header: string,
  countOf: (row: Row) => number | null,
  rest: Rest<Row> = {},
): Column<Row> {
  const cell = (row: Row) => {
    const count = countOf(row);
    return count === null ? '—' : formatCount(count);
  };
  return { header, align: 'end', isNarrow: true, cell, ...rest };
}

export function timeColumn<Row>(
  header: string,
  timeOf: (row: Row) => string | null,
  { none = '—', ...rest }: Rest<Row> & { readonly none?: string } = {},
): Column<Row> {
  const cell = (row: Row) => {
    const at = timeOf(row);
    return at === null ? none : <RelativeTime at={at} />;
  };
  return { header, isNarrow: true, cell, ...rest };
}

export function codeColumn<Row>(header: string, codeOf: (row: Row) => string | null): Column<Row> {
  const cell = (row: Row) => {
    const code = codeOf(row);
    return code === null ? '—' : <code>{code}</code>;
  };
  return { header, isNarrow: true, isMinor: true, cell };
}

export function actionColumn<Row>(header: string, cell: Column<Row>['cell']): Column<Row> {
  return { header, isNarrow: true, isAction: true, cell };
}

export function ownActions<Row>(cell: Column<Row>['cell']): Column<Row> {
  return { ...actionColumn('Actions', cell), isForAll: true };
}

export type Sort = { readonly by: string; readonly isDescending: boolean };

/** A sort in the URL is its key, with a "-" for descending order. */
export const readSort = (text: string): Sort => ({
  by: text.replace(/^-/, ''),
  isDescending: text.startsWith('-'),
});
export const writeSort = ({ by, isDescending }: Sort) => `${isDescending ? '-' : ''}${by}`;

type Selection = {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
};

export type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** undefined while they are loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** Names a row where its content cannot, such as beside its checkbox; its key by default. */
  readonly nameOf?: (row: Row) => string;
  readonly hrefOf?: ((row: Row) => string) | undefined;
  readonly openKey?: string | null;
  readonly sort?: Sort | undefined;
  readonly onSort?: ((sort: Sort) => void) | undefined;
  readonly selection?: Selection | undefined;
  readonly empty?: ReactNode;
  readonly error?: ReactNode;
  readonly isStale?: boolean;
};

/** Keys: j and k or the arrows move, Enter opens, space selects. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, keyOf, error, empty, hrefOf, selection, isStale = false } = props;
  const table = useRef<HTMLTableElement>(null);
  const rowKeys = useRowKeys(table, props);
  // A list without actions leaves the keys to another one.
  useShortcuts(rowKeys.isActing ? { j: () => rowKeys.move(1), k: () => rowKeys.move(-1) } : {});

  return (
    <>
      <div className="table-box">
        <table
          ref={table}
          className="table"
          aria-label={label}
          aria-busy={rows === undefined && !error}
          data-stale={isStale}
          data-openable={hrefOf !== undefined}
          data-selectable={selection !== undefined}
        >
          <TableHead {...props} />
          {rows && (
            <tbody onKeyDown={(event) => handleKey(event, rowKeys)}>
              {rows.map((row, index) => (
                <TableRow
                  key={keyOf(row)}
                  {...props}
                  row={row}
                  tabIndex={rowKeys.isActing ? (index === rowKeys.active ? 0 : -1) : undefined}
                />
              ))}
            </tbody>
          )}
        </table>
      </div>
      {rows === undefined && (error ?? <Skeleton lines={SKELETON_ROWS} />)}
      {rows?.length === 0 && empty}
    </>
  );
}

function TableHead<Row>({ columns, rows = [], keyOf, sort, onSort, selection }: TableProps<Row>) {
  const selected = rows.filter((row) => selection?.keys.has(keyOf(row))).length;
  return (
    <thead>
      <tr>
        {selection && (
          <th scope="col" className="cell-select">
            <Checkbox
              label="All on this page"
              isLabelHidden
              disabled={rows.length === 0}
              checked={rows.length > 0 && selected === rows.length}
              isPartial={selected > 0 && selected < rows.length}
              onChange={(isChecked) => select(selection, rows.map(keyOf), isChecked)}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeaderCell key={column.header} {...{ column, sort, onSort }} />
        ))}
      </tr>
    </thead>
  );
}

function select({ keys, onChange }: Selection, changed: readonly string[], isOn: boolean): void {
  const others = [...keys].filter((key) => !changed.includes(key));
  onChange(new Set(isOn ? [...others, ...changed] : others));
}

type Layout = Pick<Column<never>, 'align' | 'isNarrow' | 'isMinor'>;

const layoutOf = ({ align, isNarrow, isMinor }: Layout) => ({
  'data-align': align,
  'data-narrow': isNarrow,
  'data-minor': isMinor,
});

type HeaderCellProps<Row> = Pick<TableProps<Row>, 'sort' | 'onSort'> & { column: Column<Row> };

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const { header, sortKey, isAction } = column;
  const columnSort: Sort | null = sortKey !== undefined && sort?.by === sortKey ? sort : null;
  const Arrow = columnSort?.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      {...layoutOf(column)}
      aria-sort={columnSort ? (columnSort.isDescending ? 'descending' : 'ascending') : undefined}
    >
      {sortKey !== undefined && onSort ? (
        <button
          type="button"
          className="sort-button"
          onClick={() =>
            onSort({ by: sortKey, isDescending: columnSort !== null && !columnSort.isDescending })
          }
        >
          {header}
          <Arrow aria-hidden="true" size={13} data-shown={columnSort !== null} />
        </button>
      ) : (
        <span className={isAction ? 'visually-hidden' : ''}>{header}</span>
      )}
    </th>
  );
}

const SKELETON_ROWS = 8;
const INTERACTIVE = 'a, button, input, label, select, [role="menu"]';

function TableRow<Row>({
  row,
  tabIndex,
  columns,
  keyOf,
  nameOf = keyOf,
  hrefOf,
  openKey,
  selection,
}: TableProps<Row> & { row: Row; tabIndex: number | undefined }) {
  const key = keyOf(row);
  const isSelected = selection?.keys.has(key) ?? false;
  return (
    <tr
      data-row={key}
      tabIndex={tabIndex}
      data-selected={isSelected}
      aria-current={openKey === key || undefined}
      onClick={(event) => {
        const isOnControl = event.target instanceof Element && event.target.closest(INTERACTIVE);
        if (!isOnControl && getSelection()?.isCollapsed !== false) openRow(event.currentTarget);
      }}
    >
      {selection && (
        <td className="cell-select">
          <Checkbox
            label={`Select ${nameOf(row)}`}
            isLabelHidden
            tabIndex={-1}
            checked={isSelected}
            onChange={(isChecked) => select(selection, [key], isChecked)}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.header}
          data-label={column.header}
          data-action={column.isAction}
          {...layoutOf(column)}
        >
          {index === 0 && hrefOf ? (
            <Link href={hrefOf(row)} className="row-link" tabIndex={-1}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

function handleKey(event: KeyboardEvent, { move, moveTo }: RowKeys): void {
  const row = event.target;
  if (!(row instanceof HTMLTableRowElement)) return;
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Home: () => moveTo('first'),
    End: () => moveTo('last'),
    Enter: () => openRow(row),
    ' ': () => row.querySelector<HTMLInputElement>('.cell-select input')?.click(),
  };
  const action = actions[event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action();
}

function openRow(row: Element): void {
  row.querySelector<HTMLElement>('.row-link')?.click();
}

type RowKeys = ReturnType<typeof useRowKeys>;

function useRowKeys<Row>(
  table: RefObject<HTMLTableElement | null>,
  { rows = [], keyOf, hrefOf, selection, openKey = null }: TableProps<Row>,
) {
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
    if (openKey !== null && element) openRow(element);
  }

  return {
    isActing,
    active,
    move(by: number): void {
      const focused = table.current?.querySelector<HTMLElement>('tr:focus')?.dataset.row;
      const from = indexOf(focused ?? openKey);
      // The first press only shows where the focus is.
      focus(from < 0 ? active : Math.min(Math.max(from + by, 0), rows.length - 1));
    },
    moveTo: (end: 'first' | 'last') => focus(end === 'first' ? 0 : rows.length - 1),
  };
}
