import type { MemberFilter } from '../../contract/operator/member-filter.ts';
import type { OpenDownload } from '../backup/downloads.ts';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { MailSending } from '../line/mails/mail-kinds.ts';
import type { Line } from '../line/module.ts';
import type { Platform } from '../module.ts';
import type { Site } from '../site/module.ts';
import type { Templates } from '../site/pages/templates.ts';
import { openCorrectAddress } from './changes/address-change.ts';
import { openEraseMember } from './changes/erasure-change.ts';
import {
  addJoiningRoute,
  pauseJoiningOperation,
  reopenJoiningOperation,
} from './changes/joining.ts';
import { adjustPointsOperation } from './changes/points-change.ts';
import { deleteExpiredUndo, openRemoveMembers } from './changes/removal-change.ts';
import { openResendLink } from './changes/resend-link.ts';
import { addExportRoutes } from './exports/routes.ts';
import { openImportMembers } from './imports/import-members.ts';
import { addImportRoutes, deleteOldImports } from './imports/receive-import.ts';
import { openWalks } from './imports/walk-import.ts';
import { sweepKeptMail } from './links/kept-mail.ts';
import { openLinks } from './links/links.ts';
import { addMemberLinkRoutes } from './links/routes.ts';
import { countMembers } from './list/list-members.ts';
import { addMemberListRoutes } from './list/routes.ts';

type MemberOptions = {
  readonly templates: Templates;
  readonly line: Line;
  readonly site: Site;
  readonly mail: Pick<MailSending, 'wake'>;
};

export type Members = ReturnType<typeof openMembers>;

export function openMembers(platform: Platform, { line, mail, ...pages }: MemberOptions) {
  const { config, database } = platform;
  const links = openLinks(platform, pages);
  const walks = openWalks(platform);
  return {
    links,
    countMembers: (filter: MemberFilter) => countMembers(platform, filter),
    addRoutes: (server: HttpServer) => addMemberLinkRoutes(server, links, platform),
    addOperatorRoutes(operator: HttpServer, openDownload: OpenDownload) {
      addMemberListRoutes(operator, { ...platform, getStatus: line.getStatus });
      addJoiningRoute(operator, database);
      addExportRoutes(operator, platform, openDownload);
      addImportRoutes(operator, walks);
    },
    operations: {
      'remove-members': openRemoveMembers(platform),
      'adjust-points': adjustPointsOperation,
      'correct-address': openCorrectAddress(platform),
      'resend-link': openResendLink(platform, mail),
      'erase-member': openEraseMember(platform),
      'pause-joining': pauseJoiningOperation,
      'reopen-joining': reopenJoiningOperation,
      'import-members': openImportMembers(platform, walks.imports),
    },
    work: [
      {
        name: 'deleting expired undo records',
        everyMs: MINUTE_MS,
        run: () => deleteExpiredUndo(database),
      },
      { name: 'deleting old imports', everyMs: MINUTE_MS, run: () => deleteOldImports(database) },
      { name: 'deleting old mail', everyMs: HOUR_MS, run: () => sweepKeptMail(database, config) },
    ],
  };
}
