/** The easiest ways to a better position: friends by the hundred that one script invents. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seedRandom } from '../../../brand/art/seeded-random.ts';
import { ask, askMany } from '../../../test/limits/visitor.ts';
import { ownAddress } from '../people.ts';
import type { FairServer } from './fair-server.ts';
import { sendJoin } from './send-visit.ts';

export type CheatFigures = {
  readonly name: string;
  readonly friends: number;
  readonly refused: number;
  readonly neededProof: number;
  readonly given: number;
  readonly held: number;
  readonly pending: number;
  readonly position: number;
  readonly line: number;
};

type Cheat = {
  readonly name: string;
  readonly owner: string;
  friend(number: number): { readonly email: string; readonly ip: string };
};

const SCRIPT = { userAgent: 'curl/8.14.1', language: '', referringHost: null };
const AT_ONCE = 16;
const OWNER_IP = '203.0.113.9';
const CONFIRM_HEADERS = {
  'content-type': 'application/x-www-form-urlencoded',
  origin: 'null',
  'sec-fetch-site': 'same-origin',
};

export function oneProvider(seed: string): Cheat {
  const random = seedRandom(seed);
  return {
    name: 'From 20 /64s of one /48',
    owner: 'owner.of.48@example.com',
    friend: (number) => ({
      email: ownAddress(random).replace('@', `.${number}@`),
      ip: `2001:db8:7:${(number % 20).toString(16)}::${(number + 1).toString(16)}`,
    }),
  };
}

export const unreachable: Cheat = {
  name: 'Addresses at .invalid, from one IPv4',
  owner: 'owner.of.invalid@example.com',
  friend: (number) => ({ email: `user${number}@nowhere.invalid`, ip: '198.51.100.7' }),
};

export const spellings: Cheat = {
  name: 'Spellings me+N@ of one mailbox, where friends confirm',
  owner: 'owner.of.spellings@example.com',
  friend: (number) => ({ email: `me+${number}@example.org`, ip: `198.51.${number % 250}.9` }),
};

/** `isConfirming`: friends get a mail with a link, and all links that arrive are followed. */
export async function cheat(
  server: FairServer,
  { name, owner, friend }: Cheat,
  { friends, isConfirming = false }: { friends: number; isConfirming?: boolean },
): Promise<CheatFigures> {
  const { member } = await sendJoin(server.url, { ...SCRIPT, email: owner, ip: OWNER_IP }, null);
  if (member === null) throw new Error(`${owner} was refused.`);
  const invented = Array.from({ length: friends }, (_, number) => ({
    ...SCRIPT,
    ...friend(number),
  }));
  const ids = new Set<string>();
  let neededProof = 0;
  await askMany(
    friends,
    async (number) => {
      const one = invented[number] as (typeof invented)[number];
      const joined = await sendJoin(server.url, one, member.referral_code);
      if (joined.member !== null) ids.add(joined.member.id);
      if (joined.neededProof) neededProof += 1;
      return { status: joined.status, text: '', retryAfter: 0 };
    },
    { atOnce: AT_ONCE },
  );
  if (isConfirming) await confirmAll(server, ids);
  const members = await server.readMembers();
  const own = members.find(({ id }) => id === member.id);
  const count = (state: string) =>
    members.filter(({ id, credit }) => ids.has(id) && credit === state).length;
  return {
    name,
    friends,
    refused: friends - ids.size,
    neededProof,
    given: own?.referral_count ?? 0,
    held: count('held'),
    pending: count('pending'),
    position: own?.position ?? 0,
    line: members.length,
  };
}

/** At least one mail is sent; a limit decides how many more go to one mailbox. */
async function confirmAll({ url, dataDir }: FairServer, ids: ReadonlySet<string>): Promise<void> {
  const known = new Set<string>();
  for (let quiet = 0; quiet < 30; quiet += 1) {
    const links = readLinks(join(dataDir, 'mail'), ids).filter((link) => !known.has(link));
    for (const link of links) {
      known.add(link);
      quiet = 0;
      const { status } = await ask(url, { path: link, method: 'POST', headers: CONFIRM_HEADERS });
      if (status !== 200) throw new Error(`The confirmation was answered ${status}.`);
    }
    await pause(100);
  }
}

function readLinks(folder: string, ids: ReadonlySet<string>): string[] {
  if (!existsSync(folder)) return []; // No mail was sent yet.
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const own = names.filter((name) => ids.has(dirname(name)));
  return own.flatMap((name) => {
    const mail = readFileSync(join(folder, name), 'utf8').replaceAll(/=\r?\n/g, '');
    return /\/confirm\/[\w-]{55}/.exec(mail)?.[0] ?? [];
  });
}
