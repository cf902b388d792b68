import {
  AuditPage,
  ChangeNumber,
  ChangePreview,
  MadeChange,
} from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../contract/schemas.ts';
import type { Subject } from '../access/audit/audit-store.ts';
import { operatorRoutes } from '../access/route-schemas.ts';
import type { HttpServer } from '../http/http-server.ts';
import { invalidField } from '../problem.ts';
import {
  applyChange,
  type ChangeOptions,
  listChanges,
  previewChange,
  undoChange,
} from './make-changes.ts';

const route = operatorRoutes('Changes');
const REFUSED = { ...REFUSED_BODY, 404: ErrorBody, 409: ErrorBody } as const;

export function addChangeRoutes(server: HttpServer, options: ChangeOptions): void {
  server.post(
    operatorPaths.previewChange,
    route('write', 'POST previewChange', {
      description: 'Changes nothing. Shows addresses, so a key needs the scope read, too.',
      response: { 200: ChangePreview, ...REFUSED },
    }),
    ({ body, may }) => previewChange(options, body, { may }),
  );

  server.post(
    operatorPaths.changes,
    route('write', 'POST changes', {
      description:
        'With its entry in the audit log, in one transaction. An import, which is for owners ' +
        'alone, or a decision about many credits goes on after it, and is then answered.',
      response: { 201: MadeChange, ...REFUSED },
    }),
    async ({ actor, body, may }, reply) => {
      const { reason, seen = null, ...wanted } = body;
      reply.raw.socket?.setTimeout?.(0);
      return await applyChange(options, wanted, { actor, may, reason, seen });
    },
  );

  server.post(
    operatorPaths.undoChange,
    route('write', 'POST undoChange', {
      description: 'The undo is an entry of the audit log, too.',
      params: ChangeNumber,
      response: { 201: MadeChange, ...REFUSED },
    }),
    async ({ actor, body, may, params }, reply) => {
      reply.raw.socket?.setTimeout?.(0);
      return await undoChange(options, Number(params.change), { ...body, actor, may });
    },
  );

  server.get(
    operatorPaths.changes,
    route('read', 'GET changes', {
      response: { 200: AuditPage, 422: ErrorBody },
    }),
    ({ query, may }) => {
      const before = query.before === undefined ? null : Number(query.before);
      const subject = readSubject(query.subject_kind, query.subject_id);
      return listChanges(options, { before, subject }, { may });
    },
  );
}

function readSubject(kind: string | undefined, id: string | undefined): Subject | null {
  if ((kind === undefined) !== (id === undefined))
    throw invalidField('A subject needs both subject_kind and subject_id.');
  return kind === undefined || id === undefined ? null : { kind, id };
}
