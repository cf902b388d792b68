import type { TopInviters } from '../../../contract/operator/inviters.ts';
import { addCall } from '../../access/add-call.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { keepAnswers } from '../../http/recent-answers.ts';
import { listTopInviters } from './list-inviters.ts';
import { countMembers, listMembers } from './list-members.ts';
import { getMemberMail, getMemberSheet, listFriends, type SheetOptions } from './member-sheet.ts';
import { findMembers } from './read-members.ts';
import { addNote, editNote, removeNote } from './sheet-store.ts';

const KEPT_INVITERS = { forMs: 10_000, maxKeys: 20 };

export function addMemberListRoutes(server: HttpServer, options: SheetOptions): void {
  const { database, brand, secretKey } = options;

  addCall(server, 'POST listMembers', ({ body }) => listMembers(options, body));
  addCall(server, 'POST countMembers', ({ body }) => countMembers(options, body.filter ?? {}));
  const inviters = keepAnswers<TopInviters>(KEPT_INVITERS);
  addCall(server, 'GET topInviters', ({ query }) =>
    inviters(JSON.stringify(query), () => listTopInviters(options, query)),
  );
  addCall(server, 'GET member', ({ params, actor }) =>
    getMemberSheet(options, { memberId: params.memberId, actor }),
  );
  addCall(server, 'GET friends', ({ params, query }) =>
    listFriends(options, { memberId: params.memberId, after: query.after }),
  );
  addCall(
    server,
    'POST notes',
    async ({ params, body, actor }) =>
      await addNote(database, { memberId: params.memberId, actor, body: body.body }),
  );
  addCall(server, 'PUT note', ({ params, body, actor }) =>
    editNote(database, { ...params, actor, body: body.body }),
  );
  addCall(server, 'DELETE note', async ({ params, actor }) => {
    await removeNote(database, { ...params, actor });
  });
  addCall(server, 'POST findMembers', async ({ body }) => {
    const found = await findMembers(database, brand, body);
    const members = found.map(async (member) => {
      return { ...member, mail: await getMemberMail(database, secretKey, member) };
    });
    return { members: await Promise.all(members) };
  });
}
