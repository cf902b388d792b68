/**
 * The operator's commands over a running server, called within the test's own process: what the
 * process adds is tested in command-line.test.ts, and what engines add with the API.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { createProgram, run as runProgram } from '../../scripts/command-line/program.ts';
import { callOperator } from '../../scripts/operator/call-operator.ts';
import { commands } from '../../scripts/operator/commands.ts';
import { readConfig } from '../../server/config.ts';
import { openDatabase } from '../../server/db/open.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { type OwnSite, openOwnSite } from '../support/own-site.ts';
import { tellStory } from '../support/tell-story.ts';

let site: OwnSite;
beforeAll(async () => {
  site = await openOwnSite();
});
afterAll(() => site.close());

const WHY = ['--reason', 'a test'];

/** What the command prints on stdout. Rejects with the sentence of its failure. */
async function run(...args: string[]): Promise<string> {
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((text) => void printed.push(text));
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    const readSettings = () => readConfig({ DATA_DIR: site.place.dataDir });
    await runProgram(createProgram(commands, readSettings), args);
    return printed.join('\n');
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

const runJson = async (...args: string[]) => JSON.parse(await run(...args, '--json'));

async function post(path: string, body: object): Promise<Response> {
  return await fetch(site.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function joinLine(email: string, referredBy: string | null = null) {
  const response = await post('/api/waitlist/join', { email, referred_by: referredBy });
  return (await response.json()) as { id: string; referral_code: string };
}

function writeFile(name: string, text: string): string {
  const path = join(site.place.dataDir, name);
  writeFileSync(path, text);
  return path;
}

const step = tellStory('one command after the other');

step('members are listed, filtered, shown with their friends, and noted', async () => {
  const grace = await joinLine('grace@example.com');
  await joinLine('friend@example.com', grace.referral_code);
  expect(await run('members', '--text', 'grace@')).toMatch(/^Position .*\n.*grace@example\.com/);
  expect(await run('members', '--tier', '5')).toBe('There are no members.');
  const positionsOf = async (...words: string[]) =>
    (await runJson('members', ...words)).members.map((one: { position: number }) => one.position);
  expect(await positionsOf('--positions', '2-2')).toEqual([2]);
  expect(await positionsOf('--text', 'first 1')).toEqual([1]);
  const file = join(site.place.dataDir, 'first.csv');
  await run('export', '--positions', '1-1', '--output', file);
  expect(readFileSync(file, 'utf8')).toMatch(/^.?position,[^\n]*\n1,.?grace@[^\n]*\n$/);
  await expect(run('members', '--positions', 'all')).rejects.toThrow('positions must be such as');
  expect(await run('inviters')).toMatch(
    /^Member .*\ngrace@example\.com +1 +0 +friends 1 waiting 0$/,
  );
  expect(await run('inviters', '--source', 'qr')).toBe('There are no inviters.');
  expect(await run('note', 'grace@example.com', 'Met at the fair.')).toMatch(/\nIs own +yes\n/);
  const sheet = await run('show', grace.referral_code);
  expect(sheet).toMatch(/\nWhy +1 friend × 2 = 2 points\. Joined as number 1\.\n/);
  expect(sheet).toMatch(/\nNotes:\n.*\n\S+ +operator token +yes +Met at the fair\. /);
  expect(await run('show', 'friend@example.com')).toMatch(/\nBrought by +grace@example\.com\n/);
  expect((await runJson('friends', grace.id)).members).toMatchObject([
    { email: 'friend@example.com' },
  ]);
  expect(await run('friends', 'friend@example.com')).toBe('There are no members.');
});

step('the first are listed, and credits are decided by name, domain and network', async () => {
  const iris = await joinLine('iris@example.com');
  for (const name of ['jo', 'kim', 'lee'])
    await joinLine(`${name}@own.example`, iris.referral_code);
  expect(await run('first')).toBe('There are no members.');
  const database = await openDatabase({ ...site.place, log: () => {} });
  await confirmEverybody(database);
  await database.close();
  await run('credits', 'look-at', 'iris@example.com', ...WHY);
  expect(await run('first')).toMatch(/\n +1 +iris@example\.com +.*3 +3 +3 +3 +operator token/);
  expect(await run('credits', 'refuse', 'jo@own.example', '--preview')).toContain(
    '1 friend is refused.',
  );
  expect((await runJson('credits', 'refuse', 'jo@own.example', ...WHY)).summary).toMatch(
    /^1 friend was refused, /,
  );
  const code = ['--code', iris.referral_code];
  expect(await run('credits', 'hold-domain', 'own.example', ...code, ...WHY)).toMatch(/^2 friends/);
  expect(await run('credits', 'approve-code', iris.referral_code, ...WHY)).toMatch(
    /^3 friends were/,
  );
  await expect(run('credits', 'hold-network', 'kim@own.example', ...WHY)).rejects.toThrow(
    'all of them are so already',
  );
});

step('rewards are listed, given a budget, marked as sent, and written to a file', async () => {
  const otto = await joinLine('otto@example.com');
  for (const name of ['pia', 'quin', 'rosa'])
    await joinLine(`${name}@example.com`, otto.referral_code);
  await run('rewards', 'budget', '1', '2', '4.50', ...WHY);
  const table = await run('rewards');
  expect(table).toMatch(/\n *1 +Glow sticker set +address +2 +0 +0 +0 +2 +2 +9[.]00 +2 +9[.]00\n/);
  expect(await run('rewards', 'list', '1')).toMatch(/ otto@example\.com +\S+ +3 +owed/);
  await run('rewards', 'sent-to', '1', 'otto@example.com', ...WHY);
  const file = join(site.place.dataDir, 'rewards.csv');
  expect(await run('rewards', 'export', '1', '--state', 'sent', '--output', file)).toMatch(
    /^The rewards are in .*rewards\.csv \(/,
  );
  expect(readFileSync(file, 'utf8').split('\r\n')[1]).toContain('otto@example.com');
  await expect(run('rewards', 'sent', '1', ...WHY)).rejects.toThrow('No reward of tier 1');
  await expect(run('rewards', 'budget', '1', '2', '4,50', ...WHY)).rejects.toThrow('4,50 is not');
});

step('a drop is walked through from the freeze to the next one', async () => {
  for (const [size, stock] of [
    ['Small', '1'],
    ['Medium', '0'],
    ['Large', '0'],
  ] as const)
    await run('stock', size, stock, ...WHY);
  const drop = (...words: string[]) => run('drop', ...words, ...WHY);
  expect(await run('drop')).toMatch(/^What .*\nDrop +1\nState +open$/);
  await expect(drop('freeze', 'all')).rejects.toThrow('all is not a whole number');
  expect(await run('drop', 'freeze', '2', '--preview')).toContain('The first 2 members of');
  expect(await drop('freeze', '9')).toContain('4 entrants were frozen for drop 1.');
  expect(await drop('unfreeze')).toContain('Drop 1 was opened again, without a list.');
  expect(await drop('freeze', '9', '--domains', 'example.com,own.example')).toContain(
    '6 entrants were frozen for drop 1.',
  );
  expect(await drop('unfreeze')).toContain('Drop 1 was opened again, without a list.');
  expect(await drop('freeze', '2')).toContain('2 entrants were frozen for drop 1.');
  expect(await drop('announce', '--source', 'seed', '--masks', 'Small=1')).toContain(
    'The draw of drop 1 was announced, with the hash ',
  );
  expect(await run('drop', 'show')).toMatch(/\nState +frozen\n.*\nDraw +seed$/s);
  expect(await drop('select')).toContain('1 entrant was chosen for drop 1.');
  const codes = writeFile('codes.txt', 'GHOST-ONE\nGHOST-TWO\n');
  expect(await drop('import-codes', codes)).toContain('2 codes for any size were imported.');
  expect(await drop('offer', '12', '--time-zone', 'UTC', '--pay', '48')).toContain('drop 1 began.');
  await expect
    .poll(async () => (await runJson('drop', 'offers')).open, { timeout: 60_000 })
    .toBe(1);
  expect(await run('drop', 'offers')).toMatch(/\nCodes free +2$/);
  for (const words of [['cancel-pass'], ['swap-passes'], ['reissue-pass'], ['sent', 'DHL']])
    await expect(drop(...words.toSpliced(1, 0, codes))).rejects.toThrow(/no pass with|A line is/);
  expect(await drop('tell-others')).toContain('told about drop 1.');
  expect(await drop('close')).toContain('Drop 1 was closed, which was offering.');
  expect(await drop('open')).toContain('Drop 2 was opened.');
  expect((await runJson('drop')).number).toBe(2);
});

step('joining is paused, shown as such, and reopened', async () => {
  expect(await run('joining')).toBe('Everybody can join.');
  await run('pause', 'Back on Friday.', ...WHY);
  expect(await run('joining')).toMatch(/\nMessage +Back on Friday\.\nSince +2\S+Z$/);
  await run('reopen', ...WHY);
  expect(await runJson('joining')).toEqual({ paused: null });
});

step('the first owner enters by a link, and manages operators and keys', async () => {
  expect(await run('operators')).toBe('There are no operators.');
  const { link } = await runJson('sign-in');
  const owner = { name: 'Ada', email: 'ada@example.com' };
  const token = new URL(link).hash.slice(1);
  expect((await post(operatorPaths.signIn, { token, owner })).status).toBe(200);
  expect(await run('sign-in')).toMatch(/^http\S+#\S+$/);
  expect(await run('operators', 'invite', 'Vera', 'vera@example.com', 'viewer')).toMatch(
    /\nName +Vera\n.*\nRole +viewer$/,
  );
  expect(await run('operators', 'role', 'VERA@example.com', 'owner')).toMatch(/\nRole +owner$/);
  expect(await run('operators')).toMatch(/\nvera@example\.com +Vera +owner +0$/);
  expect(await run('operators', 'end-sessions', 'ada@example.com')).toBe('Done.');
  expect(await run('operators', 'remove', 'ada@example.com')).toBe('Done.');
  await expect(run('operators', 'remove', 'vera@example.com')).rejects.toThrow('the only owner');
  await expect(run('operators', 'remove', 'ada@example.com')).rejects.toThrow(
    'No operator has the address ada@example.com.',
  );

  expect(await run('keys')).toBe('There are no keys.');
  const key = await run('keys', 'add', 'nightly', 'read,export');
  const ask = async () =>
    (
      await fetch(site.url + operatorPaths.counts, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).status;
  expect(await ask()).toBe(200);
  const [made] = (await runJson('keys')).keys;
  expect(await run('keys')).toContain('read export');
  expect(await run('keys', 'revoke', made.id)).toBe('Done.');
  expect(await ask()).toBe(401);
});

step('a campaign is looked at, tried, sent, counted, and cancelled no more', async () => {
  const file = writeFile('news.md', '# Soon\n\nYou stand at **{position}**.');
  const mail = [file, '--subject', 'News for #{position}'];
  expect(await run('campaign', 'preview', ...mail)).toMatch(
    /\nSubject +News for #128\n\nText:\n[\s\S]*You stand at 128\./,
  );
  expect(await run('campaign', 'test', ...mail, '--to', 'me@example.com')).toMatch(
    /\nOutcome +kept\n/,
  );
  const preview = await run('campaign', 'send', ...mail, '--preview');
  expect(preview).toMatch(/members get .*Only members who have confirmed their address/s);
  expect(await run('campaign', 'send', ...mail, '--confirmed', 'no', '--preview')).toContain(
    'anybody may have typed them',
  );
  expect(await run('campaign', 'list')).toBe('There are no campaigns.');
  const narrow = ['--text', 'grace@example.com'];
  const sent = await runJson('campaign', 'send', ...mail, ...narrow, ...WHY);
  const { campaigns } = await runJson('campaign', 'list');
  const number = String(campaigns[0].campaign);
  expect(sent.summary).toBe(`Campaign ${number} began to be sent.`);
  await expect
    .poll(() => run('campaign', 'show', number), { timeout: 30_000 })
    .toMatch(/State +sent\n[\s\S]*\nKept +1\n/);
  await expect(run('campaign', 'cancel', number, ...WHY)).rejects.toThrow('is not being sent');
});

step('mails that wait are listed, and what never arrived is sent again', async () => {
  await expect(run('mails', 'retry', ...WHY)).rejects.toThrow('Every mail of the last 30 days');
  await expect.poll(() => run('mails')).toBe('There are no entries.');
  await expect.poll(() => run('mails', 'waiting')).toBe('There are no entries.');
});

step('a webhook is added, shown, edited, switched, tested, logged and removed', async () => {
  expect(await run('webhooks')).toBe('There are no endpoints.');
  const added = await runJson('webhooks', 'add', 'https://webhook.test/one', 'all', ...WHY);
  const { id } = added;
  await run('webhooks', 'edit', id, 'https://webhook.test/two', 'member.left', ...WHY);
  expect(await run('webhooks', 'off', id, ...WHY)).toMatch(/\nIs on +no\n/);
  expect(await run('webhooks', 'show', id)).toMatch(
    /\nEvents +member\.left\nIs on +no\n.*\nUrl +https:\/\/webhook\.test\/two$/s,
  );
  expect(await run('webhooks', 'on', id, ...WHY)).toMatch(/\nIs on +yes\n/);
  const rotated = await run('webhooks', 'rotate', id, ...WHY);
  expect(rotated).toMatch(/^What .*\nId .*\nUrl +https:.*\nSecret +whsec_\S+$/s);
  expect(rotated).not.toContain(added.secret);
  await expect(run('webhooks', 'test', id)).rejects.toThrow('Not delivered: host not found.');
  const [delivery] = (await runJson('webhooks', 'log', id)).entries;
  await expect(run('webhooks', 'replay', delivery.id)).rejects.toThrow('host not found');
  expect(await run('webhooks', 'log', id)).toContain('given_up');
  expect(await run('webhooks', 'remove', id, ...WHY)).toBe('Done.');
  await expect(run('webhooks', 'show', id)).rejects.toThrow('There is no such webhook.');
});

step('a list is checked, imported, undone, and its file deleted', async () => {
  const file = writeFile('list.csv', 'Email,Code\nida@example.com,\nnobody,\n');
  expect(await run('import', file, '--dry-run')).toMatch(/\n +3 +nobody +This is not/);
  expect(await run('imports')).toBe('There are no imports.');
  const made = await runJson('import', file, '--may-mail', ...WHY);
  expect(made.summary).toBe('1 member joined from list.csv, 1 row of it was left out.');
  expect(await run('undo', String(made.change), ...WHY)).toContain('left the line again');

  await callOperator(readConfig({ DATA_DIR: site.place.dataDir }), 'POST imports', {
    body: { file_name: 'half.csv', bytes: 100 },
  });
  expect(await run('imports')).toMatch(/half\.csv +receiving/);
  const half = (await runJson('imports')).imports[0];
  expect(await run('imports', 'delete', half.id)).toBe('Done.');
  expect((await runJson('imports')).imports).not.toContainEqual(half);
});

test.each([
  [['webhooks', 'ad'], 'webhooks has no command "ad". It has add, show, edit, on, off, rotate,'],
  [['keys', 'xyz'], 'keys has no command "xyz". It has add, revoke.'],
  [['webhooks', 'add'], "missing required argument 'url'"],
  [['operators', 'role', 'ada@example.com', 'boss'], 'Allowed choices are owner, viewer, door.'],
  [['note', 'nobody@example.com', 'x'], 'No member matches nobody@example.com.'],
])('%j is refused with one sentence', async (args, sentence) => {
  await expect(run(...args)).rejects.toThrow(sentence);
});

test('a number, folder or file that does not fit is refused in a sentence', async () => {
  const { dataDir } = site.place;
  await expect(run('adjust-points', 'ada', 'add', '-3', ...WHY)).rejects.toThrow(
    '-3 is not a whole number from 1 to 10000.',
  );
  const missing = join(dataDir, 'no folder', 'line.csv');
  for (const words of [['export'], ['rewards', 'export', '1']])
    await expect(run(...words, '--output', missing)).rejects.toThrow(
      `${missing} was not written to the folder ${dirname(missing)}: it does not exist.`,
    );
  const file = writeFile('a file', '');
  await expect(run('export', '--output', join(file, 'x'))).rejects.toThrow(': it is not a folder.');
  await expect(run('export', '--output', file)).rejects.toThrow(`${file} exists already.`);
  for (const words of [
    ['import', dataDir, '--dry-run'],
    ['drop', 'import-codes', dataDir, ...WHY],
    ['drop', 'set-till', dataDir, ...WHY],
    ['campaign', 'preview', dataDir, '--subject', 'x'],
  ])
    await expect(run(...words)).rejects.toThrow(`${dataDir} cannot be read: it is a folder.`);
});
