/** Members as operators see and change them, and the links of mails that members act by. */

import type { MemberFilter } from '../../contract/operator/member-filter.ts';
import type { MemberCount } from '../../contract/operator/member-list.ts';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import type { Line } from '../line/module.ts';
import type { Module, Platform } from '../module.ts';
import type { Mail } from '../notifications/open-mail.ts';
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
import { continueImports } from './imports/import-runs.ts';
import { deleteOldImports } from './imports/receive-import.ts';
import { addImportRoutes } from './imports/routes.ts';
import { sweepKeptMail } from './links/kept-mail.ts';
import { type Links, openLinks } from './links/links.ts';
import { addMemberLinkRoutes } from './links/routes.ts';
import { openAddressSearch } from './list/addresses/address-search.ts';
import { countMembers } from './list/list-members.ts';
import { addMemberListRoutes } from './list/routes.ts';

type MemberOptions = {
  readonly templates: Templates;
  readonly line: Line;
  readonly site: Site;
  readonly mail: Pick<Mail, 'wake'>;
};

export type Members = Module & {
  readonly links: Links;
  countMembers(filter: MemberFilter): Promise<MemberCount>;
};

export function openMembers(platform: Platform, options: MemberOptions): Members {
  const { config, brand, database } = platform;
  const { dataDir, referralCredit } = config;
  const { getStatus } = options.line;
  const addresses = openAddressSearch(database);
  let isStopping = false;
  const change = { ...platform, dataDir, mail: options.mail };
  const links = openLinks({
    ...platform,
    publicUrl: config.publicUrl,
    ghosts: options.site.ghosts,
    templates: options.templates,
  });
  return {
    links,
    countMembers: (filter) => countMembers({ database, brand, addresses }, filter),
    addRoutes: (server) => addMemberLinkRoutes(server, links, { ...platform, dataDir }),
    addOperatorRoutes(operator, openDownload) {
      operator.addHook('preClose', async () => {
        isStopping = true;
      });
      addMemberListRoutes(operator, { ...platform, getStatus, addresses });
      addJoiningRoute(operator, database);
      addExportRoutes(operator, { database, brand, dataDir, openDownload });
      addImportRoutes(operator, database);
    },
    operations: {
      'remove-members': openRemoveMembers(change),
      'adjust-points': adjustPointsOperation,
      'correct-address': openCorrectAddress(change),
      'resend-link': openResendLink(change),
      'erase-member': openEraseMember(change),
      'pause-joining': pauseJoiningOperation,
      'reopen-joining': reopenJoiningOperation,
      'import-members': openImportMembers({
        database,
        brand,
        referralCredit,
        isStopping: () => isStopping,
      }),
    },
    work: [
      {
        name: 'deleting expired undo records',
        everyMs: MINUTE_MS,
        run: () => deleteExpiredUndo(database),
      },
      {
        name: 'going on with imports',
        everyMs: 5_000,
        run: () => continueImports(database, { maxMs: 4_000 }),
      },
      { name: 'deleting old imports', everyMs: MINUTE_MS, run: () => deleteOldImports(database) },
      { name: 'deleting old mail', everyMs: HOUR_MS, run: () => sweepKeptMail(database, config) },
    ],
    close: () => addresses.close(),
  };
}
