/**
 * Addresses with special meaning to mail servers, HTML, shells or templates get their own mail
 * only.
 */
import PostalMime from 'postal-mime';
import { beforeAll, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import { deliverableAddress } from '../../server/mail/email-rules.ts';
import { readKeptMail, settleMail } from '../http/mail-links.ts';
import { AS_OWNER, provideApp } from '../http/provide-app.ts';
import { tellStory } from '../support/tell-story.ts';
import { post, structureOf } from './hostile-ask.ts';
import { HOSTILE_ADDRESSES, HOSTILE_STRINGS } from './hostile-strings.ts';

type Joined = { readonly id: string; readonly email: string };

const app = provideApp('postgres');
const joined: Joined[] = [];
beforeAll(async () => {
  for (const email of [
    'plain@example.com',
    ...HOSTILE_ADDRESSES,
    ...HOSTILE_STRINGS.flatMap(asAddresses),
  ]) {
    const answer = await post(app, apiPaths.join, { email });
    expect([201, 409, 422]).toContain(answer.statusCode);
    if (answer.statusCode === 201)
      joined.push({ id: answer.json().id, email: answer.json().email });
  }
  await settleMail(app);
});

/** None is another spelling of the mailbox of another: a mailbox gets three mails in a week. */
function asAddresses(text: string, index: number): string[] {
  const tagged = `a${index}+${text}@example.com`;
  return [`${text}@example.com`, `a@${text}`, `a@example.com${text}`, tagged];
}

test('unusual valid addresses are accepted and invalid ones are not', () => {
  const accepted = new Set(joined.map(({ email }) => email));
  expect(HOSTILE_ADDRESSES.filter((address) => !accepted.has(address))).toEqual([]);
  expect(joined.length).toBeGreaterThan(100);
  for (const { email } of joined) expect(email).not.toMatch(/[\p{C}<>()[\]\\,;:"\s]/u);
});

const step = tellStory('members with such addresses get their mail, and are found and erased');

step('each accepted address gets one mail, to it alone, headers and markup intact', async () => {
  const like = await readMail(joined[0]);
  expect(like.html).toContain('<a ');
  const faults: string[] = [];
  for (const member of joined) {
    const mail = await readMail(member);
    // The parser decodes IDNA domains.
    const to = mail.to?.map(({ address = '' }) => deliverableAddress(address));
    if (to?.join() !== deliverableAddress(member.email))
      faults.push(`${member.email} is written to as ${to}`);
    if (mail.cc || mail.bcc) faults.push(`${member.email} has copies sent`);
    if (mail.headers.map(({ key }) => key).join() !== like.headers.map(({ key }) => key).join())
      faults.push(`${member.email} changes the headers`);
    if (structureOf(mail.html ?? '') !== structureOf(like.html ?? ''))
      faults.push(`${member.email} becomes markup`);
  }
  expect(faults).toEqual([]);
});

step('members with such addresses are found, exported and removed like others', async () => {
  const csv = await app.fastify.inject({
    url: `${operatorPaths.exportMembers}?format=csv`,
    headers: AS_OWNER,
  });
  const rows = csv.payload.split('\r\n');
  expect(rows).toHaveLength(joined.length + 2);
  expect(rows.filter((row) => /(^|,)"?[=+\-@]/.test(row))).toEqual([]);
  for (const email of HOSTILE_ADDRESSES) {
    const found = await post(app, operatorPaths.findMembers, { text: email }, AS_OWNER);
    expect(found.json().members).toMatchObject([{ email }]);
    const { id } = found.json().members[0];
    expect((await app.fastify.inject(fillPath(pagePaths.status, id))).payload).not.toContain(email);
    for (const [kind, input] of [
      ['remove-members', { filter: { text: id } }],
      ['erase-member', { member: email }],
    ] as const) {
      const change = { kind, input, reason: 'a test' };
      const made = await post(app, operatorPaths.changes, change, AS_OWNER);
      expect(made.statusCode).toBe(201);
    }
  }
});

async function readMail(member: Joined | undefined) {
  const [source = '', ...more] = readKeptMail(app, member?.id);
  expect(more).toEqual([]);
  return await PostalMime.parse(source);
}
