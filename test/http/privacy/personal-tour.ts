/** A tour through everything that handles personal data, and through every kind of bad request. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { DROP_FILE_NAMES } from '../../../contract/operator/drop/drop-files.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import {
  apiPaths,
  fillPath,
  IDEMPOTENCY_KEY_HEADER,
  imagePaths,
  landingWithReferral,
  mailPagePaths,
  pagePaths,
} from '../../../contract/paths.ts';
import { openEventStream } from '../../support/event-stream.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Mailbox } from '../../support/smtp-mailbox.ts';

/** Words that appear in no text of the server's own. */
const NAMES = [
  'quokkalovelace',
  'numbatturing',
  'wombathopper',
  'bilbyclarke',
  'dingofrancis',
  'possumborg',
];
/** Recipients that the mail server rejects permanently, and temporarily. */
export const REFUSED = `${NAMES[4]}@example.com`;
export const DEFERRED = `${NAMES[5]}@example.com`;

export const WEBHOOK_KEY = Buffer.from('a key of the tour of thirty-two b');
const PROXIED = '203.0.113.77';

type Member = { readonly id: string; readonly referral_code: string };
type Tour = { readonly server: ServerProcess; readonly box: Mailbox; readonly dataDir: string };

/** Returns every personal datum and secret that was sent, created or shown on the way. */
export async function tourEverything({ server, box, dataDir }: Tour): Promise<ReadonlySet<string>> {
  const operatorToken = readFileSync(join(dataDir, 'operator-token'), 'utf8').trim();
  const secrets = new Set([...NAMES, operatorToken, PROXIED, WEBHOOK_KEY.toString('base64')]);
  const note = (secret: string) => {
    secrets.add(secret);
    return secret;
  };
  const ask = async (
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ) => {
    const answer = await fetch(server.url + path, {
      method,
      headers: { 'x-forwarded-for': PROXIED, accept: 'text/html', ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const call = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    ask(method, path, body === undefined ? undefined : JSON.stringify(body), {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    });
  const submit = (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) =>
    ask('POST', path, new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...headers,
    });

  // Joins.
  const members: Member[] = [];
  for (const [index, name] of NAMES.entries()) {
    const key = note(`tour-key-${index}-${Date.now()}`);
    const body = { email: `${name}@example.com`, referred_by: members[0]?.referral_code ?? null };
    const { text } = await call('POST', apiPaths.join, body, { [IDEMPOTENCY_KEY_HEADER]: key });
    const member = JSON.parse(text) as Member;
    members.push(member);
    note(member.id);
    note(member.referral_code);
    await call('POST', apiPaths.join, body, { [IDEMPOTENCY_KEY_HEADER]: key });
    await call('POST', apiPaths.join, { ...body, email: `${name}@EXAMPLE.com` });
    await call('POST', apiPaths.join, { ...body, email: `${name}@example.com x` });
    await submit('/', { email: `${name}@example.com`, referred_by: member.referral_code });
    await submit(fillPath(pagePaths.invite, member.referral_code), {
      email: `form.${name}@example.com`,
    });
  }
  const [ada, grace, edith] = members as [Member, Member, Member];

  await call('POST', fillPath(apiPaths.inviter, ada.id), { invite: edith.referral_code });
  const stream = await openEventStream(server.url + fillPath(apiPaths.live, ada.id));
  await stream.next();
  stream.close();
  // Every page, picture and call, of a member and of nobody.
  const places: Readonly<Record<string, string>> = {
    memberId: ada.id,
    code: ada.referral_code,
    number: '1',
    version: 'older',
    picture: 'jacket',
    format: 'wide',
  };
  for (const path of [apiPaths, pagePaths, imagePaths].flatMap<string>(Object.values))
    if (path !== apiPaths.live)
      await ask(
        'GET',
        path.replaceAll(/:(\w+)/g, (_, name: string) => places[name] ?? 'x'),
      );
  await ask('GET', landingWithReferral(ada.referral_code));
  await ask('GET', fillPath(apiPaths.status, note('11111111-2222-4333-8444-555555555555')));
  await ask('GET', fillPath(apiPaths.verifyReferral, note('QQQQQQQQQ7')));

  const mailed = await box.waitFor(2 * NAMES.length - 2);
  const links = mailed.flatMap(({ to, raw }) => {
    const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const found = text.matchAll(/\/(confirm|preferences)\/([\w-]{20,})/g);
    return [...found].map(([, kind, token = '']) => ({ to: to[0], kind, token: note(token) }));
  });
  const tokenOf = (kind: string) =>
    links.find((link) => link.kind === kind && link.to === `${NAMES[1]}@example.com`)?.token ?? '';
  const [confirm, preferences] = [tokenOf('confirm'), tokenOf('preferences')];
  await ask('GET', fillPath(mailPagePaths.confirm, confirm));
  expect((await submit(fillPath(mailPagePaths.confirm, confirm), {})).status).toBe(200);
  expect(
    (await submit(fillPath(mailPagePaths.confirm, `${confirm.slice(0, -5)}wrong`), {})).status,
  ).toBe(404);
  expect((await ask('GET', fillPath(mailPagePaths.preferences, preferences))).status).toBe(200);
  await submit(fillPath(mailPagePaths.preferences, preferences), { mail: 'stopped' });
  await submit(fillPath(mailPagePaths.preferences, preferences), { mail: 'sending' });
  await submit(fillPath(mailPagePaths.preferences, preferences), {
    mail: `${NAMES[0]}@example.com`,
  });
  await submit(fillPath(mailPagePaths.leave, preferences), {}, { 'sec-fetch-site': 'cross-site' });
  await submit(fillPath(mailPagePaths.unsubscribe, preferences), {
    'List-Unsubscribe': 'One-Click',
  });
  expect((await submit(fillPath(mailPagePaths.downloadData, preferences), {})).text).toContain(
    '@example.com',
  );
  await submit(fillPath(mailPagePaths.reward, preferences, 1), { name: `${NAMES[0]}` });
  await submit(fillPath(mailPagePaths.offer, preferences), { act: 'accept' });
  const noPlaces = Object.values(apiPaths).filter((path) => !path.includes(':'));
  for (const path of [...noPlaces, fillPath(apiPaths.offerLink, ada.id)])
    await call('POST', path, { token: preferences, size: 'Small' });
  await ask('GET', fillPath(mailPagePaths.leave, preferences));
  expect((await submit(fillPath(mailPagePaths.leave, preferences), {})).status).toBe(200);

  // A provider's reports.
  const report = JSON.stringify({ type: 'complaint', email: `${NAMES[2]}@example.com` });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', WEBHOOK_KEY)
    .update(`tour.${timestamp}.${report}`)
    .digest('base64');
  const signed = {
    'webhook-id': 'tour',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${note(signature)}`,
  };
  const type = { 'content-type': 'application/json' };
  expect((await ask('POST', apiPaths.mailEvents, report, { ...signed, ...type })).status).toBe(202);
  await ask('POST', apiPaths.mailEvents, `${report} `, { ...signed, ...type });
  await ask('POST', fillPath(apiPaths.tillNotices, 'stripe'), report, { ...signed, ...type });

  // The operator.
  const operator = { authorization: `Bearer ${operatorToken}` };
  await call('GET', operatorPaths.counts, undefined, operator);
  await call('GET', operatorPaths.counts, undefined, {
    authorization: `Bearer ${note('wrong-operator-token')}`,
  });
  for (const text of [`${NAMES[0]}@example.com`, ada.id, ada.referral_code])
    await call('POST', operatorPaths.findMembers, { text }, operator);
  await call('GET', `${operatorPaths.exportMembers}?format=csv`, undefined, operator);
  for (const path of [operatorPaths.importOrders, operatorPaths.exportOrders])
    await call('GET', fillPath(path, ada.id), undefined, operator);
  for (const file of DROP_FILE_NAMES)
    await call('GET', fillPath(operatorPaths.exportDrop, file), undefined, operator);
  for (const path of [
    operatorPaths.waitingMails,
    operatorPaths.failedMails,
    operatorPaths.suppressedAddresses,
    operatorPaths.drop,
    fillPath(operatorPaths.memberDrop, ada.id),
  ])
    await call('GET', path, undefined, operator);
  await call('POST', operatorPaths.listOffers, { text: `${NAMES[0]}@example.com` }, operator);
  for (const email of [REFUSED, DEFERRED])
    expect((await call('POST', operatorPaths.testMail, { email }, operator)).text).toContain(
      '"outcome":"failed"',
    );
  await call(
    'POST',
    operatorPaths.allocations,
    { size: 'Small', quantity: 1, note: `for ${NAMES[0]}` },
    operator,
  );
  const change = async (kind: string, input: object) => {
    const wanted = { kind, input, reason: 'a tour' };
    return (await call('POST', operatorPaths.changes, wanted, operator)).status;
  };
  await change('allocate-masks', { size: NAMES[0], quantity: 1, note: 'x' });
  const corrected = { member_id: edith.id, email: `${NAMES[0]}.corrected@example.com` };
  expect(await change('correct-address', corrected)).toBe(201);
  expect(await change('remove-members', { filter: { text: corrected.email } })).toBe(201);
  expect(await change('erase-member', { member: edith.id })).toBe(201);
  await change('erase-member', { member: corrected.email });
  await call('POST', operatorPaths.verify, undefined, operator);
  await call('GET', '/metrics', undefined, operator);

  // Operators, with all that lets them in.
  const email = note('operator-olga@example.com');
  const makeLink = async () => {
    const made = await call('POST', operatorPaths.signInLinks, {}, operator);
    return note(new URL((JSON.parse(made.text) as { link: string }).link).hash.slice(1));
  };
  const enter = { token: await makeLink(), owner: { name: note('Olga Operator'), email } };
  const entered = await call('POST', operatorPaths.signIn, enter);
  expect(entered.status).toBe(200);
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const console = { cookie, 'sec-fetch-site': 'same-origin' };
  note(cookie.split('=')[1] ?? '');
  await call('GET', operatorPaths.me, undefined, console);
  await call('POST', operatorPaths.signIn, { token: note('wrong-sign-in-token') });
  await call('POST', operatorPaths.signIn, { token: await makeLink() });
  await call('POST', operatorPaths.signInMail, { email });
  const invited = { name: note('Ines Invited'), email: note('ines@example.com'), role: 'viewer' };
  await call('POST', operatorPaths.operators, invited, console);
  const made = await call('POST', operatorPaths.keys, { name: 'n', scopes: ['read'] }, console);
  const key = note((JSON.parse(made.text) as { key: string }).key);
  await call('GET', operatorPaths.counts, undefined, { authorization: `Bearer ${key}` });
  await call('GET', operatorPaths.counts, undefined, {
    authorization: `Bearer ${note(`${key}x`)}`,
  });

  // Broken requests.
  await ask('POST', apiPaths.join, `{"email":"${NAMES[0]}@example.com"`, type);
  await ask('POST', apiPaths.join, `email=${NAMES[0]}%40example.com`, {
    'content-type': NAMES[0] ?? '',
  });
  await ask('POST', apiPaths.join, JSON.stringify({ email: NAMES[0]?.repeat(2000) }), type);
  for (const path of [
    `/unknown/${NAMES[0]}@example.com`,
    `/invite/${ada.referral_code}%E0`,
    `/${grace.id}?${ada.id}`,
  ])
    for (const method of ['GET', 'POST', 'PROPFIND']) await ask(method, path);
  const host = 'Host: a\r\n';
  for (const text of [
    `GET /thank-you/${ada.id} HTTP/1.1\r\n${host}X: ${NAMES[0]}\0\r\n\r\n`,
    `${NAMES[0]}@example.com ${ada.id}\r\n\r\n`,
    `POST ${apiPaths.join} HTTP/1.1\r\n${host}Content-Type: application/json\r\n` +
      `Content-Length: 900\r\n\r\n{"email":"${NAMES[0]}`,
    `GET /invite/${ada.referral_code} HTTP/1.1\r\n${host}` +
      `X: ${(NAMES[0] ?? '').repeat(2000)}\r\n\r\n`,
  ])
    await sendAndLeave(server.url, text);
  return secrets;
}

/** Sends the text and hangs up; resolves when the server, which has read it all, does so too. */
function sendAndLeave(url: string, text: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(text));
    socket.resume();
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}
