import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { brand } from '../../brand/brand.ts';
import { hasStatus, isRefused, messageOf } from '../api/request.ts';
import type { ListState } from '../routing/location.ts';
import { Button } from '../ui/buttons.tsx';
import {
  Banner,
  EmptyState,
  ErrorState,
  RelativeTime,
  Section,
  type SectionProps,
  Skeleton,
} from '../ui/facts.tsx';
import { formatCount } from '../ui/formats.ts';
import { type Column, Table, type TableProps } from '../ui/table.tsx';
import { useMayWrite } from './changes.tsx';

type ScreenProps = SectionProps & { readonly name?: string };

export function Screen({ title, name = title, note, actions, children }: ScreenProps) {
  useTitle(name);
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {note && <p className="quiet">{note}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

export function useTitle(screen: string): void {
  useEffect(() => {
    document.title = `${screen} · ${brand.name} console`;
  }, [screen]);
}

type AnyQuery<T = unknown> = UseQueryResult<T> | UseInfiniteQueryResult<T>;

export function errorStateOf(query: AnyQuery): ReactNode {
  if (!query.isLoadingError) return undefined;
  const { error } = query;
  const title = hasStatus(error, 403) ? 'Not for your role' : 'This cannot be shown';
  if (isRefused(error)) return <EmptyState title={title}>{messageOf(error)}</EmptyState>;
  return <ErrorState message={messageOf(error)} onRetry={() => query.refetch()} />;
}

function StaleNotice({ query }: { query: AnyQuery }) {
  if (!query.isRefetchError) return null;
  return (
    <Banner
      tone="ember"
      action={
        <Button onClick={() => query.refetch()} isBusy={query.isFetching}>
          Retry
        </Button>
      }
    >
      <span>{`Not up to date: ${messageOf(query.error)} Shown is what was loaded`}</span>{' '}
      <RelativeTime at={new Date(query.dataUpdatedAt).toISOString()} />.
    </Banner>
  );
}

type QueryContentProps<T> = {
  readonly query: AnyQuery<T>;
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
};

export function QueryContent<T>({ query, lines = 3, children }: QueryContentProps<T>) {
  if (query.data === undefined) return errorStateOf(query) ?? <Skeleton lines={lines} />;
  return (
    <>
      <StaleNotice query={query} />
      {children(query.data)}
    </>
  );
}

type MoreButtonProps = {
  readonly query: UseInfiniteQueryResult;
  readonly label?: string;
  readonly onMore?: (() => void) | undefined;
};

export function MoreButton({ query, label = 'Show more', onMore }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button onClick={onMore ?? (() => query.fetchNextPage())} isBusy={query.isFetchingNextPage}>
      {label}
    </Button>
  );
}

/** The columns that the operator needs: a viewer has nothing to do with a row. */
export function useColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const mayWrite = useMayWrite();
  return columns.filter(({ isAction, isForAll }) => mayWrite || isForAll || !isAction);
}

/** The rows are what the query reads, unless they are given. */
type Listed<Row> =
  | { readonly query: AnyQuery<readonly Row[]>; readonly rows?: never }
  | { readonly query: AnyQuery; readonly rows: readonly Row[] | undefined };

type QueryListProps<Row> = Omit<TableProps<Row>, 'rows' | 'empty' | 'error' | 'isStale'> &
  Pick<MoreButtonProps, 'onMore'> &
  Listed<Row> & {
    readonly list?: ListState;
    readonly emptyTitle?: string;
    readonly empty?: ReactNode;
    readonly emptyAction?: ReactNode;
    readonly summary?: ReactNode;
  };

type ListSectionProps<Row> = QueryListProps<Row> & Pick<SectionProps, 'note' | 'actions'>;

/** A list below a heading, which is its label. */
export function ListSection<Row>({ note, actions, ...list }: ListSectionProps<Row>) {
  return (
    <Section title={list.label} note={note} actions={actions}>
      <QueryList {...list} />
    </Section>
  );
}

export function QueryList<Row>({
  query,
  rows = query.data as readonly Row[] | undefined,
  columns,
  list,
  emptyTitle,
  empty,
  emptyAction,
  summary,
  onMore,
  ...table
}: QueryListProps<Row>) {
  const { keyOf } = table;
  const pages = 'fetchNextPage' in query ? query : null;
  const shown = summary || (rows?.length ? `${formatCount(rows.length)} shown` : '');
  const isRefetching = pages?.isFetching === true && !pages.isFetchingNextPage;
  return (
    <>
      <StaleNotice query={query} />
      <Table<Row>
        hrefOf={list && ((row) => list.hrefWith({ open: keyOf(row) }))}
        openKey={list?.get('open') || null}
        {...table}
        rows={rows}
        columns={useColumns(columns)}
        isStale={isRefetching && rows !== undefined}
        empty={
          emptyTitle !== undefined && (
            <EmptyState title={emptyTitle} action={emptyAction}>
              {empty}
            </EmptyState>
          )
        }
        error={errorStateOf(query)}
      />
      {pages && shown && (
        <div className="list-end">
          <p className="quiet" role="status">
            {shown}
          </p>
          <MoreButton query={pages} onMore={onMore} />
        </div>
      )}
    </>
  );
}
