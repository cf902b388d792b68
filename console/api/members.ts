/** Calls about members. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { MemberFilter } from '../../contract/operator/member-filter.ts';
import type {
  MemberCount,
  MemberPage,
  MemberSort,
  Order,
} from '../../contract/operator/member-list.ts';
import type { Friends, MemberSheet, Note } from '../../contract/operator/member-sheet.ts';
import type { ExportFormat } from '../../contract/operator/members.ts';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import { request, requestFile } from './request.ts';

const membersKey = ['members'];

export type MemberQuestion = {
  readonly filter: MemberFilter;
  readonly sort: MemberSort;
  readonly order: Order;
};

/** Pages by key. A page may end before it is full: `is_partial`. */
export const memberPagesQuery = (question: MemberQuestion) =>
  infiniteQueryOptions({
    queryKey: [...membersKey, 'list', question],
    queryFn: ({ pageParam, signal }) =>
      request<MemberPage>({
        path: operatorPaths.listMembers,
        method: 'POST',
        body: { ...question, ...(pageParam !== null && { after: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // A refetch would load every page again, and move the rows while they are read.
    refetchOnWindowFocus: false,
  });

export const memberCountQuery = (filter: MemberFilter) =>
  queryOptions({
    queryKey: [...membersKey, 'count', filter],
    queryFn: ({ signal }) =>
      request<MemberCount>({
        path: operatorPaths.countMembers,
        method: 'POST',
        body: { filter },
        signal,
      }),
  });

export const memberSheetQuery = (id: string) =>
  queryOptions({
    queryKey: [...membersKey, 'sheet', id],
    queryFn: ({ signal }) =>
      request<MemberSheet>({ path: fillPath(operatorPaths.member, id), signal }),
  });

export const friendsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...membersKey, 'friends', id],
    queryFn: ({ pageParam, signal }) =>
      request<Friends>({
        path: `${fillPath(operatorPaths.friends, id)}${pageParam && `?after=${pageParam}`}`,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

export async function addNote(memberId: string, body: string): Promise<Note> {
  const path = fillPath(operatorPaths.notes, memberId);
  return await request<Note>({ path, method: 'POST', body: { body } });
}

export async function editNote(memberId: string, noteId: string, body: string): Promise<Note> {
  const path = fillPath(operatorPaths.note, memberId, noteId);
  return await request<Note>({ path, method: 'PUT', body: { body } });
}

export async function deleteNote(memberId: string, noteId: string): Promise<void> {
  await request<void>({ path: fillPath(operatorPaths.note, memberId, noteId), method: 'DELETE' });
}

/** The members that match, as a file, which the browser keeps on its disk when it is large. */
export async function exportMembers(filter: MemberFilter, format: ExportFormat): Promise<Blob> {
  return await requestFile({
    path: operatorPaths.exportMembers,
    method: 'POST',
    body: { filter, format },
  });
}
