import { Type } from 'typebox';
import { TopInviters, TopInvitersRequest } from '../../../contract/operator/inviters.ts';
import {
  CountMembersRequest,
  MemberCount,
  MemberListRequest,
  MemberPage,
} from '../../../contract/operator/member-list.ts';
import {
  Friends,
  FriendsRequest,
  MemberSheet,
  Note,
  NoteRequest,
} from '../../../contract/operator/member-sheet.ts';
import { FindMembersRequest, FoundMembers } from '../../../contract/operator/members.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { NOTHING, operatorRoutes } from '../../access/route-schemas.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { keepAnswers } from '../../http/recent-answers.ts';
import { listTopInviters } from './list-inviters.ts';
import { countMembers, listMembers } from './list-members.ts';
import { getMemberMail, getMemberSheet, listFriends, type SheetOptions } from './member-sheet.ts';
import { findMembers } from './read-members.ts';
import { addNote, editNote, removeNote } from './sheet-store.ts';

const route = operatorRoutes('Members');
const KEPT_INVITERS = { forMs: 10_000, maxKeys: 20 };
const MemberParams = Type.Object({ memberId: Type.String() });
const NoteParams = Type.Object({ memberId: Type.String(), noteId: Type.String() });

export function addMemberListRoutes(server: HttpServer, options: SheetOptions): void {
  const { database, brand, secretKey } = options;

  server.post(
    operatorPaths.listMembers,
    route('read', 'Members that match a filter, in pages', {
      body: MemberListRequest,
      response: { 200: MemberPage, ...REFUSED_BODY },
    }),
    ({ body }) => listMembers(options, body),
  );
  server.post(
    operatorPaths.countMembers,
    route('read', 'How many members match a filter', {
      body: CountMembersRequest,
      response: { 200: MemberCount, ...REFUSED_BODY },
    }),
    ({ body }) => countMembers(options, body.filter ?? {}),
  );
  const inviters = keepAnswers<TopInviters>(KEPT_INVITERS);
  server.get(
    operatorPaths.topInviters,
    route('read', 'Who brought the most friends in a time, and from where', {
      querystring: TopInvitersRequest,
      response: { 200: TopInviters, 422: ErrorBody },
    }),
    ({ query }) => inviters(JSON.stringify(query), () => listTopInviters(options, query)),
  );
  server.get(
    operatorPaths.member,
    route('read', 'All about one member', {
      params: MemberParams,
      response: { 200: MemberSheet, 404: ErrorBody },
    }),
    ({ params, actor }) => getMemberSheet(options, { memberId: params.memberId, actor }),
  );
  server.get(
    operatorPaths.friends,
    route('read', 'Friends that a member brought, in pages', {
      params: MemberParams,
      querystring: FriendsRequest,
      response: { 200: Friends, 404: ErrorBody, 422: ErrorBody },
    }),
    ({ params, query }) => listFriends(options, { memberId: params.memberId, after: query.after }),
  );
  server.post(
    operatorPaths.notes,
    route('write', 'Add a note about a member', {
      params: MemberParams,
      body: NoteRequest,
      response: { 201: Note, 404: ErrorBody, ...REFUSED_BODY },
    }),
    async ({ params, body, actor }) =>
      await addNote(database, { memberId: params.memberId, actor, body: body.body }),
  );
  server.put(
    operatorPaths.note,
    route('write', 'Change a note of one’s own', {
      params: NoteParams,
      body: NoteRequest,
      response: { 200: Note, 404: ErrorBody, ...REFUSED_BODY },
    }),
    ({ params, body, actor }) => editNote(database, { ...params, actor, body: body.body }),
  );
  server.delete(
    operatorPaths.note,
    route('write', 'Delete a note of one’s own', {
      params: NoteParams,
      response: { 204: NOTHING, 404: ErrorBody },
    }),
    async ({ params, actor }) => {
      await removeNote(database, { ...params, actor });
    },
  );
  server.post(
    operatorPaths.findMembers,
    route('read', 'Find a member by id, e-mail address or referral code', {
      body: FindMembersRequest,
      response: { 200: FoundMembers, ...REFUSED_BODY },
    }),
    async ({ body }) => {
      const found = await findMembers(database, brand, body);
      const members = found.map(async (member) => {
        return { ...member, mail: await getMemberMail(database, secretKey, member) };
      });
      return { members: await Promise.all(members) };
    },
  );
}
