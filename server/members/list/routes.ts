import { Type } from 'typebox';
import { TopInviters } from '../../../contract/operator/inviters.ts';
import { MemberCount, MemberPage } from '../../../contract/operator/member-list.ts';
import { Friends, MemberSheet, Note } from '../../../contract/operator/member-sheet.ts';
import { FoundMembers } from '../../../contract/operator/members.ts';
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
    route('read', 'POST listMembers', {
      response: { 200: MemberPage, ...REFUSED_BODY },
    }),
    ({ body }) => listMembers(options, body),
  );
  server.post(
    operatorPaths.countMembers,
    route('read', 'POST countMembers', {
      response: { 200: MemberCount, ...REFUSED_BODY },
    }),
    ({ body }) => countMembers(options, body.filter ?? {}),
  );
  const inviters = keepAnswers<TopInviters>(KEPT_INVITERS);
  server.get(
    operatorPaths.topInviters,
    route('read', 'GET topInviters', {
      response: { 200: TopInviters, 422: ErrorBody },
    }),
    ({ query }) => inviters(JSON.stringify(query), () => listTopInviters(options, query)),
  );
  server.get(
    operatorPaths.member,
    route('read', 'GET member', {
      params: MemberParams,
      response: { 200: MemberSheet, 404: ErrorBody },
    }),
    ({ params, actor }) => getMemberSheet(options, { memberId: params.memberId, actor }),
  );
  server.get(
    operatorPaths.friends,
    route('read', 'GET friends', {
      params: MemberParams,
      response: { 200: Friends, 404: ErrorBody, 422: ErrorBody },
    }),
    ({ params, query }) => listFriends(options, { memberId: params.memberId, after: query.after }),
  );
  server.post(
    operatorPaths.notes,
    route('write', 'POST notes', {
      params: MemberParams,
      response: { 201: Note, 404: ErrorBody, ...REFUSED_BODY },
    }),
    async ({ params, body, actor }) =>
      await addNote(database, { memberId: params.memberId, actor, body: body.body }),
  );
  server.put(
    operatorPaths.note,
    route('write', 'PUT note', {
      params: NoteParams,
      response: { 200: Note, 404: ErrorBody, ...REFUSED_BODY },
    }),
    ({ params, body, actor }) => editNote(database, { ...params, actor, body: body.body }),
  );
  server.delete(
    operatorPaths.note,
    route('write', 'DELETE note', {
      params: NoteParams,
      response: { 204: NOTHING, 404: ErrorBody },
    }),
    async ({ params, actor }) => {
      await removeNote(database, { ...params, actor });
    },
  );
  server.post(
    operatorPaths.findMembers,
    route('read', 'POST findMembers', {
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
