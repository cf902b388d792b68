import type { KeyboardEvent, MouseEvent } from 'react';
import { Link } from 'wouter';
import { Checkbox } from '../controls/checkbox.tsx';
import type { TableProps } from './table-shape.ts';
import type { RowKeys } from './use-row-keys.ts';

const SKELETON_ROWS = 8;
/** Elements that handle a press themselves. */
const INTERACTIVE = 'a, button, input, label, select, [role="menu"]';

export function TableBody<Row>({ rowKeys, ...props }: TableProps<Row> & { rowKeys: RowKeys }) {
  const { rows, keyOf } = props;
  if (rows === undefined) return <SkeletonRows {...props} />;
  return (
    <tbody onKeyDown={(event) => handleKey(event, rowKeys)}>
      {rows.map((row, index) => (
        <TableRow key={keyOf(row)} {...props} row={row} isTabStop={index === rowKeys.active} />
      ))}
    </tbody>
  );
}

function TableRow<Row>({
  row,
  isTabStop,
  columns,
  keyOf,
  nameOf,
  hrefOf,
  openKey,
  selection,
}: TableProps<Row> & { row: Row; isTabStop: boolean }) {
  const key = keyOf(row);
  const isSelected = selection?.keys.has(key) ?? false;
  const isActing = hrefOf !== undefined || selection !== undefined;
  return (
    <tr
      data-row={key}
      tabIndex={isActing ? (isTabStop ? 0 : -1) : undefined}
      data-selected={isSelected}
      aria-current={openKey === key || undefined}
      onClick={(event: MouseEvent) => {
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
            onChange={(isChecked) => {
              const keys = new Set(selection.keys);
              keys[isChecked ? 'add' : 'delete'](key);
              selection.onChange(keys);
            }}
          />
        </td>
      )}
      {columns.map(({ key: column, header, cell, align, isNarrow, isMinor, isAction }, index) => (
        <td
          key={column}
          data-label={header}
          data-align={align}
          data-narrow={isNarrow}
          data-minor={isMinor}
          data-action={isAction}
        >
          {index === 0 && hrefOf ? (
            <Link href={hrefOf(row)} className="row-link" tabIndex={-1}>
              {cell(row)}
            </Link>
          ) : (
            cell(row)
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

function SkeletonRows<Row>({ columns, selection }: TableProps<Row>) {
  return (
    <tbody>
      {Array.from({ length: SKELETON_ROWS }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <tr key={index} className="skeleton-row">
          {selection && <td className="cell-select" />}
          {columns.map(({ key, align, isNarrow, isMinor }) => (
            <td key={key} data-align={align} data-narrow={isNarrow} data-minor={isMinor}>
              <i aria-hidden="true" />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
