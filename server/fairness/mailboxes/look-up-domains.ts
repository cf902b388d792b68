/** Asks DNS which hoster has the mailboxes of confirmed friends, and stores the answers. */
import { Resolver } from 'node:dns/promises';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { DAY_MS, HOUR_MS } from '../../durations.ts';
import { codeOf } from '../../startup-error.ts';
import { deleteUnusedDomains, readDueDomains, storeMailDomain } from './mail-domain-store.ts';

const ANSWER_IS_GOOD_FOR_MS = 30 * DAY_MS;
const RETRY_AFTER_MS = HOUR_MS;
const AT_ONCE = 8;
const HAS_NONE = new Set(['ENOTFOUND', 'ENODATA']);
/** Google Workspace, Microsoft 365 and others that charge for each mailbox. */
const HOSTERS = [
  'google.com',
  'googlemail.com',
  'mail.protection.outlook.com',
  'mx.microsoft',
  'mail.icloud.com',
  'messagingengine.com', // Fastmail
  'protonmail.ch',
  'tutanota.de',
  'mailbox.org',
  'emailsrvr.com', // Rackspace
  'pphosted.com', // Proofpoint
  'mimecast.com',
];

type Options = {
  readonly database: Database;
  readonly dnsServers: readonly string[];
  readonly timeoutMs?: number;
};

export function openDomainLookups({ database, dnsServers, timeoutMs = 2_000 }: Options) {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  let isClosed = false;

  async function findKind(domain: string): Promise<'hosted' | 'open' | null> {
    try {
      return kindOfHosts(await resolver.resolveMx(domain));
    } catch (error) {
      return HAS_NONE.has(codeOf(error)) ? 'open' : null;
    }
  }

  async function lookUp(domain: string): Promise<void> {
    const kind = await findKind(domain);
    if (isClosed) return;
    const againInMs = kind === null ? RETRY_AFTER_MS : ANSWER_IS_GOOD_FOR_MS;
    await storeMailDomain(database, { domain, kind, againInMs });
  }

  return {
    async run(): Promise<void> {
      for (let after: string | null = ''; after !== null; ) {
        const { due, end } = await readDueDomains(database, after);
        for (let first = 0; first < due.length && !isClosed; first += AT_ONCE)
          await Promise.all(due.slice(first, first + AT_ONCE).map(lookUp));
        after = isClosed ? null : end;
        if (after !== null) await letOthersIn();
      }
      if (!isClosed) await deleteUnusedDomains(database);
    },
    close(): void {
      isClosed = true;
      resolver.cancel();
    },
  };
}

/** A hoster that is one of several may not get the mail at all, so all of them must charge. */
function kindOfHosts(records: readonly { readonly exchange: string }[]): 'hosted' | 'open' {
  const hosts = records.map(({ exchange }) => `.${exchange.toLowerCase()}`);
  const charges = (host: string) => HOSTERS.some((hoster) => host.endsWith(`.${hoster}`));
  return hosts.length > 0 && hosts.every(charges) ? 'hosted' : 'open';
}
