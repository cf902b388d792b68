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

/** A hoster that is one of several may not get the mail at all, so all of them must charge. */
export function kindOfHosts(records: readonly { readonly exchange: string }[]): 'hosted' | 'open' {
  const hosts = records.map(({ exchange }) => `.${exchange.toLowerCase()}`);
  const charges = (host: string) => HOSTERS.some((hoster) => host.endsWith(`.${hoster}`));
  return hosts.length > 0 && hosts.every(charges) ? 'hosted' : 'open';
}
