import { addCall } from '../access/add-call.ts';
import type { Subject } from '../access/audit/audit-store.ts';
import type { HttpServer } from '../http/http-server.ts';
import { invalidField } from '../problem.ts';
import {
  applyChange,
  type ChangeOptions,
  listChanges,
  previewChange,
  undoChange,
} from './make-changes.ts';

export function addChangeRoutes(server: HttpServer, options: ChangeOptions): void {
  addCall(server, 'POST previewChange', ({ body, may }) => previewChange(options, body, { may }));

  addCall(server, 'POST changes', async ({ actor, body, may }, reply) => {
    const { reason, seen = null, ...wanted } = body;
    reply.raw.socket?.setTimeout?.(0);
    return await applyChange(options, wanted, { actor, may, reason, seen });
  });

  addCall(server, 'POST undoChange', async ({ actor, body, may, params }, reply) => {
    reply.raw.socket?.setTimeout?.(0);
    return await undoChange(options, Number(params.change), { ...body, actor, may });
  });

  addCall(server, 'GET changes', ({ query, may }) => {
    const before = query.before === undefined ? null : Number(query.before);
    const subject = readSubject(query.subject_kind, query.subject_id);
    return listChanges(options, { before, subject }, { may });
  });
}

function readSubject(kind: string | undefined, id: string | undefined): Subject | null {
  if ((kind === undefined) !== (id === undefined))
    throw invalidField('A subject needs both subject_kind and subject_id.');
  return kind === undefined || id === undefined ? null : { kind, id };
}
