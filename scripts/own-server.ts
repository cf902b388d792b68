import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { readConfig } from '../server/config.ts';

type OwnSettings = { readonly DATA_DIR: string; readonly PORT: string } & Readonly<
  Record<string, string>
>;

/** Settings of a real server, from the shell or `.env`, would show other pages or send mail. */
export function setOwnSettings(settings: OwnSettings): void {
  Object.assign(process.env, {
    ...Object.fromEntries(listSettings().map((name) => [name, ''])),
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    ...settings,
  });
}

function listSettings(): readonly string[] {
  const names: string[] = [];
  readConfig(new Proxy({}, { get: (_, name) => void names.push(String(name)) }));
  return names;
}

export async function startOwnServer(settings: OwnSettings): Promise<string> {
  setOwnSettings(settings);
  await import('../server/process.ts');
  return `http://127.0.0.1:${settings.PORT}`;
}

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
