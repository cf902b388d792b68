import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import {
  type DnsAnswer,
  NXDOMAIN,
  SERVFAIL,
  startDnsServer,
} from '../../../test/support/dns-server.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { insertFriends } from '../../../test/support/settled-friends.ts';
import { prepareSizes } from '../../drop/stock/stock.ts';
import { openDomainLookups } from './look-up-domains.ts';

const TIMEOUT_MS = 100;

const GOOGLE = ['aspmx.l.google.com', 'alt1.ASPMX.l.google.com'];
const MICROSOFT = ['school-example.mail.protection.outlook.com'];

let place: TestDatabase;
let dns: Awaited<ReturnType<typeof startDnsServer>>;
const answers = new Map<string, DnsAnswer>();

beforeAll(async () => {
  place = await openTestDatabase('postgres');
  await prepareSizes(place.database, brand);
});
beforeEach(async () => {
  dns = await startDnsServer(answers);
});
afterEach(async () => {
  dns.close();
  answers.clear();
  await place.database.runSql('delete from member');
  await place.database.runSql('delete from mail_domain');
});
afterAll(() => place.close());

async function lookUp(dnsServers: readonly string[] = [dns.address]) {
  const lookups = openDomainLookups({
    database: place.database,
    dnsServers,
    timeoutMs: TIMEOUT_MS,
  });
  await lookups.run();
  lookups.close();
}

/** A member with friends at these domains, who have confirmed. */
async function bring(...domains: string[]) {
  await insertFriends(place.database, [
    { domain: 'gmail.com', referrer: null, confirmedMinute: null },
    ...domains.map((domain) => ({ domain, referrer: 0, confirmedMinute: 0 })),
  ]);
}

async function readKinds(): Promise<Record<string, string>> {
  const { rows } = await sql<{ domain: string; kind: string; days: number }>`
    select domain, kind, round(extract(epoch from check_at - now()) / 86400)::integer as days
    from mail_domain`.execute(place.database.kysely);
  return Object.fromEntries(rows.map(({ domain, kind, days }) => [domain, `${kind} ${days}`]));
}

test('a domain is hosted when all its mail servers are those of a hoster', async () => {
  answers.set('firm.example', GOOGLE);
  answers.set('school.example', MICROSOFT);
  answers.set('own.example', ['mail.own.example']);
  answers.set('both.example', [...GOOGLE, 'mail.both.example']);
  answers.set('liar.example', ['aspmx.l.google.com.liar.example', 'notgoogle.com']);
  answers.set('nomail.example', ['']);
  answers.set('empty.example', []);
  answers.set('gone.example', NXDOMAIN);
  await bring(...answers.keys());
  await lookUp();
  expect(await readKinds()).toEqual({
    'firm.example': 'hosted 30',
    'school.example': 'hosted 30',
    'own.example': 'open 30',
    'both.example': 'open 30',
    'liar.example': 'open 30',
    'nomail.example': 'open 30',
    'empty.example': 'open 30',
    'gone.example': 'open 30',
  });
});

test('a domain that nobody answers for is asked about again within the day', async () => {
  answers.set('slow.example', 'silent');
  answers.set('broken.example', SERVFAIL);
  answers.set('forged.example', 'mismatched');
  await bring(...answers.keys());
  await lookUp();
  expect(await readKinds()).toEqual({
    'slow.example': 'open 0',
    'broken.example': 'open 0',
    'forged.example': 'open 0',
  });
  answers.set('slow.example', GOOGLE);
  await lookUp();
  expect(await readKinds()).toMatchObject({ 'slow.example': 'open 0' });
  await place.database.runSql(`update mail_domain set check_at = now()`);
  await lookUp();
  expect(await readKinds()).toMatchObject({ 'slow.example': 'hosted 30' });
});

test('an answer that has become old stays while nobody gives a new one', async () => {
  await bring('firm.example');
  await place.database.runSql(`insert into mail_domain values ('firm.example', 'hosted', now())`);
  answers.set('firm.example', SERVFAIL);
  await lookUp();
  expect(await readKinds()).toEqual({ 'firm.example': 'hosted 0' });
});

test('only domains of confirmed friends are asked about, each once', async () => {
  answers.set('firm.example', GOOGLE);
  await bring('firm.example', 'firm.example', 'gmail.com');
  await insertFriends(place.database, [
    { domain: 'alone.example', referrer: null, confirmedMinute: 0 },
    { domain: 'later.example', referrer: 0, confirmedMinute: null },
    { domain: 'held.example', referrer: 0, credit: 'held', confirmedMinute: 0 },
  ]);
  await lookUp();
  await lookUp();
  expect(dns.asked.toSorted()).toEqual(['firm.example']);
});

test('the answer about a domain that nobody uses is deleted', async () => {
  await bring('firm.example');
  await place.database.runSql(`insert into mail_domain values
    ('left.example', 'open', now() - interval '2 days'), ('new.example', 'open', now())`);
  await lookUp();
  expect(Object.keys(await readKinds()).toSorted()).toEqual(['firm.example', 'new.example']);
});

test('every domain of a long list is asked about', async () => {
  for (let number = 0; number < 600; number += 1) answers.set(`d${number}.example`, GOOGLE);
  await bring(...answers.keys());
  await lookUp();
  const kinds = Object.values(await readKinds());
  expect(kinds).toEqual(Array.from({ length: 600 }, () => 'hosted 30'));
});

test('look-ups end when the server stops', async () => {
  answers.set('slow.example', 'silent');
  await bring('slow.example');
  const lookups = openDomainLookups({ database: place.database, dnsServers: [dns.address] });
  const running = lookups.run();
  await expect.poll(() => dns.asked).toContain('slow.example');
  lookups.close();
  await running;
  expect(await readKinds()).toEqual({});
});
