import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { Checkbox } from '../controls/checkbox.tsx';
import type { Column, Sort, TableProps } from './table-shape.ts';

export function TableHead<Row>({
  columns,
  rows = [],
  keyOf,
  sort,
  onSort,
  selection,
}: TableProps<Row>) {
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
              onChange={(isChecked) => {
                const keys = new Set(selection.keys);
                for (const row of rows) keys[isChecked ? 'add' : 'delete'](keyOf(row));
                selection.onChange(keys);
              }}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeaderCell
            key={column.key}
            column={column}
            sort={sort?.by === column.key ? sort : null}
            onSort={onSort}
          />
        ))}
      </tr>
    </thead>
  );
}

function HeaderCell<Row>({
  column: { key, header, align, isNarrow, isMinor, isSortable, isAction },
  sort,
  onSort,
}: {
  column: Column<Row>;
  /** null: another column orders the rows. */
  sort: Sort | null;
  onSort: ((sort: Sort) => void) | undefined;
}) {
  const Arrow = sort?.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      data-align={align}
      data-narrow={isNarrow}
      data-minor={isMinor}
      aria-sort={sort ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
    >
      {isSortable && onSort ? (
        <button
          type="button"
          className="sort-button"
          onClick={() => onSort({ by: key, isDescending: sort !== null && !sort.isDescending })}
        >
          {header}
          <Arrow aria-hidden="true" size={13} data-shown={sort !== null} />
        </button>
      ) : (
        <span className={isAction ? 'visually-hidden' : ''}>{header}</span>
      )}
    </th>
  );
}
