import type { ReactNode } from 'react';
import { RelativeTime } from './facts.tsx';
import { formatCount } from './formats.ts';

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
