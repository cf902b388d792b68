import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type MemberQuestion, memberPagesQuery } from '../../api/members.ts';

/** As many as the server puts on a page. */
const STEP_ROWS = 50;

/**
 * The members that were loaded, in their order. A page that ended before it was full is followed
 * by the next without being asked for.
 */
export function useMemberPages(question: MemberQuestion) {
  const query = useInfiniteQuery(memberPagesQuery(question));
  const key = JSON.stringify(question);
  const [asked, setAsked] = useState({ key, rows: STEP_ROWS });
  const wanted = asked.key === key ? asked.rows : STEP_ROWS;

  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const rows = data?.pages.flatMap(({ members }) => members);
  const isShort = rows !== undefined && rows.length < wanted && hasNextPage && !isError;
  useEffect(() => {
    if (isShort && !isFetching) void fetchNextPage();
  }, [isShort, isFetching, fetchNextPage]);

  return {
    query,
    rows,
    hasMore: hasNextPage,
    isSearching: isShort,
    showMore: () => setAsked({ key, rows: (rows?.length ?? 0) + STEP_ROWS }),
  };
}
