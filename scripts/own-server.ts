import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** Settings of a real server, from the shell or `.env`, would show other pages or send mail. */
const OTHER_SETTINGS = [
  'DATABASE_URL',
  'BACKUP_DIR',
  'TRUST_PROXY',
  'INVITER_EMAIL',
  'REFERRAL_CREDIT',
  'SMTP_URL',
  'SMTP_CA',
  'MAIL_FROM',
  'MAIL_RATE',
  'DKIM_DOMAIN',
  'DKIM_SELECTOR',
  'DKIM_KEY_FILE',
  'MAIL_WEBHOOK_SECRET',
  'WEBHOOK_NETWORKS',
  'DNS_SERVERS',
  'SECRET_KEY',
  'OPERATOR_TOKEN',
  'PUBLIC_URL',
];

type OwnSettings = { readonly DATA_DIR: string; readonly PORT: string } & Readonly<
  Record<string, string>
>;

export function setOwnSettings(settings: OwnSettings): void {
  Object.assign(process.env, {
    ...Object.fromEntries(OTHER_SETTINGS.map((name) => [name, ''])),
    HOST: '127.0.0.1',
    LIMITS: '',
    NODE_ENV: 'production',
    ...settings,
  });
}

/** The server ends with the script; its start has no time limit. */
export async function startOwnServer(settings: OwnSettings): Promise<string> {
  setOwnSettings(settings);
  await import('../server/process.ts');
  return `http://127.0.0.1:${settings.PORT}`;
}

/** The wanted port of loopback if it is free, otherwise any. */
export async function freePort(wanted = 0): Promise<number> {
  const probe = createServer().listen(wanted, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    if (wanted === 0) throw error;
    return await freePort();
  }
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
