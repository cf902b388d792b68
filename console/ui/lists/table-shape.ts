/** The props of a table: its columns and rows, and what can be done with them. */
import type { ReactNode } from 'react';

export type Column<Row> = {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Aligned to the end, for numbers. */
  readonly align?: 'start' | 'end';
  /** As wide as its content; the others share the rest. */
  readonly isNarrow?: boolean;
  /** Left out below the width of a desk, where a row has no room for it. */
  readonly isMinor?: boolean;
  readonly isSortable?: boolean;
  /** Holds a button or a menu for the row; its header is only announced. One, the last. */
  readonly isAction?: boolean;
};

export type Sort = { readonly by: string; readonly isDescending: boolean };

type Selection = {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
};

export type TableProps<Row> = {
  /** What the rows are, for assistive technology. */
  readonly label: string;
  /** The first one names the row, and holds its link. */
  readonly columns: readonly Column<Row>[];
  /** undefined: on their way. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** Names a row where its content cannot, such as beside its checkbox. */
  readonly nameOf: (row: Row) => string;
  /** Path of a row below /console; without it rows cannot be opened. */
  readonly hrefOf?: (row: Row) => string;
  /** The row that is open in a sheet: j and k then walk from row to row. */
  readonly openKey?: string | null;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly selection?: Selection;
  /** Shown without rows. */
  readonly empty: ReactNode;
  /** Shown in place of the rows. */
  readonly error?: ReactNode;
  /** The rows answer an earlier query, and new ones are loading. */
  readonly isStale?: boolean;
};
