/** The operator's commands that change members, against a real server. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { joinOverHttp } from '../faults/join-load.ts';
import { confirmByLink } from '../support/confirm-by-link.ts';
import { oneEngine } from '../support/engines.ts';
import { FakeShopify } from '../support/fake-shopify.ts';
import { type OwnSite, openOwnSite } from '../support/own-site.ts';
import { runCommand } from '../support/run-command.ts';
import { runProgram } from '../support/run-program.ts';
import { tellStory } from '../support/tell-story.ts';

const VERIFY_DRAW = fileURLToPath(new URL('../../scripts/drop/verify-draw.ts', import.meta.url));

const SECRET_KEY = 'the secret key of a site that commands change';

describe.each(oneEngine)('commands that change members with %s', (engine) => {
  let site: OwnSite;
  beforeAll(async () => {
    site = await openOwnSite({ SECRET_KEY }, engine);
  });
  afterAll(() => site.close());

  const run = (...words: string[]) => runCommand({ DATA_DIR: site.place.dataDir }, ...words);
  const verifyDraw = (...words: string[]) =>
    runProgram([process.execPath, VERIFY_DRAW, ...words], {});
  async function joinLine(email: string): Promise<{ id: string }> {
    const answer = await joinOverHttp(site.url, email, null);
    expect(answer.status).toBe(201);
    return (await answer.json()) as { id: string };
  }

  const step = tellStory('goes through one step after the other');

  step('each change of a member has a preview and an undo', async () => {
    const { id } = await joinLine('edith@example.com');
    for (const [words, output] of [
      [['remove', '--text', 'edith@', '--preview'], /^edith@.* at position 1 leaves the line\.\n/],
      [['remove', '--text', 'edith@'], '1 member was removed, 0 credits taken back.\n'],
      [['undo', '1'], '1 member came back.\n'],
      [['adjust-points', id, 'add', '2'], 'A member got 2 points.\n'],
      [['correct-address', id, 'Edith@Example.org'], 'The address of a member was corrected.\n'],
      [['find', 'edith@example.org'], /Points +2\n/],
      [['resend-link', 'edith@example.org'], /./],
      [['erase', id, '--yes'], 'A member was erased.\n'],
    ] as const) {
      const reason = words[0] === 'find' ? [] : ['--reason', 'a test'];
      const { stdout, exitCode } = await run(...words, ...reason);
      expect([words[0], exitCode]).toEqual([words[0], 0]);
      if (typeof output === 'string') expect(stdout).toBe(output);
      else expect(stdout).toMatch(output);
    }
    expect((await run('find', id)).exitCode).toBe(1);
  });

  step('a drop from its list to the draw, by a seed and by a round', async () => {
    const why = ['--reason', 'launch day'];
    const { id } = await joinLine('edgar@example.com');
    expect((await run('drop', 'freeze', '10', ...why)).stderr).toContain(
      'Nobody in line has confirmed their address.',
    );
    await confirmByLink(site.url, SECRET_KEY, id);
    expect((await run('drop')).stdout).toMatch(/^Drop +1\nState +open$/m);
    expect((await run('drop', 'freeze', '10', ...why)).stdout).toBe(
      '1 entrant was frozen for drop 1.\n',
    );
    const masks = ['--masks', 'Small=2,Large=1'];
    expect(
      (await run('drop', 'announce', '1', '1', ...masks, '--source', 'seed', ...why)).exitCode,
    ).toBe(0);
    expect((await run('drop', 'select', ...why)).stdout).toBe('1 entrant was chosen for drop 1.\n');
    const record = `${site.url}/api/drop/1/draw`;
    const { announcement_hash: hash } = JSON.parse((await run('drop', '--json')).stdout);
    const verified = await verifyDraw(record, hash);
    expect([verified.exitCode, verified.stdout]).toEqual([
      0,
      expect.stringMatching(
        /1 entrants are chosen\.\nEverything fits\. It has the hash that you noted\.\n$/,
      ),
    ]);
    expect((await verifyDraw(record)).stdout).toMatch(/compared with nothing: enter a hash/);
    expect((await verifyDraw(record, 'another')).exitCode).toBe(1);
    expect((await run('drop', 'amend', 'small', '1', 'One was torn.', ...why)).stdout).toBe(
      '1 mask of size Small instead of 2 in drop 1.\n',
    );
    expect((await verifyDraw(`${site.url}/api/drop/2/draw`)).exitCode).toBe(2);
    expect((await run('drop', 'close', ...why)).exitCode).toBe(0);
    expect((await run('drop', 'open', ...why)).stdout).toBe('Drop 2 was opened.\n');
    await run('drop', 'freeze', '10', ...why);
    const at = new Date(Date.now() + 600_000).toISOString();
    expect((await run('drop', 'announce', '0', '1', '--at', at, ...why)).exitCode).toBe(0);
    expect((await run('drop')).stdout).toMatch(/^Draw +quicknet\nRound +\d+\nRound +\d\d\d\d-/m);
    expect((await run('drop', 'select', ...why)).stderr).toMatch(
      /It is public at .*\. Any relay of drand shows the signature of round \d+: paste it instead/,
    );
  });

  step('a drop is handed over as files, and the orders of the shop are compared', async () => {
    const why = ['--reason', 'a test'];
    const pathOf = (name: string) => join(site.place.dataDir, name);
    expect((await run('drop', 'make-codes', '2', '--size', 'small', ...why)).stdout).toContain(
      '2 codes for size Small were made.',
    );
    await run('drop', 'export', 'shopify-codes', '--output', pathOf('codes.csv'));
    const [head, ...codes] = readFileSync(pathOf('codes.csv'), 'utf8').trimEnd().split('\r\n');
    expect([head, codes.length]).toEqual(['Title,Command,Code,Limit Total Times', 2]);
    writeFileSync(pathOf('orders.csv'), 'code,order,email,state\nNOPE,#7,,paid\n,#8,,lost\n');
    const looked = await run('drop', 'orders', pathOf('orders.csv'), '--output', pathOf('all.csv'));
    expect(looked.stdout).toMatch(/\nunknown_code +1 +Orders with a code that is no pass\n/);
    expect(looked.stdout).toMatch(/\nunknown_code +2 +#7 +NOPE\n/);
    expect(looked.stdout).toMatch(/\nunreadable +3 +#8 +Its state "lost" is not known\./);
    expect(readFileSync(pathOf('all.csv'), 'utf8').trimEnd().split('\r\n')).toHaveLength(3);
    const applied = await run('drop', 'reconcile', pathOf('orders.csv'), ...why);
    expect(applied.stdout).toContain('0 passes were marked as paid, 0 passes were cancelled');
    // The file is gone from the server.
    expect(JSON.parse((await run('imports', '--json')).stdout).imports).toEqual([]);
    const till = { shop: 'ghost.myshopify.com', client_id: 'an-app-of-ours', product: '8001' };
    writeFileSync(pathOf('till.json'), JSON.stringify({ shopify: till }));
    const setTill = async () => await run('drop', 'set-till', pathOf('till.json'), ...why);
    expect((await setTill()).stderr).toContain('Shopify needs its secret key.');
    const shopify = new FakeShopify();
    const realFetch = globalThis.fetch;
    globalThis.fetch = (url, init) =>
      String(url).includes(till.shop) ? shopify.fetch(url, init) : realFetch(url, init);
    const keys = { secret_key: 'shpss_0123456789' };
    writeFileSync(pathOf('till.json'), JSON.stringify({ shopify: till, ...keys }));
    expect((await setTill()).stdout).toBe('Shopify became the till.\n');
    globalThis.fetch = realFetch;
    expect(JSON.parse((await run('drop', 'money', '--json')).stdout)).toMatchObject({ sums: [] });
    expect((await run('drop', 'money')).stdout).toMatch(/^(.*\n)*Masks:\n.*\nPasses +0\n/);
    expect((await run('drop', 'till')).stdout).toMatch(
      /\nShopify:\n.*\nShop +ghost\.myshopify\.com\n/,
    );
    const settled = await run('drop', 'settle-payment', 'pi_1', ...why);
    expect(settled.stderr).toContain('There is no payment pi_1.');
    expect((await run('drop', 'till', '--json')).stdout).not.toContain(keys.secret_key);
    writeFileSync(pathOf('till.json'), 'shopify');
    expect((await setTill()).stderr).toContain('It is not JSON');
    writeFileSync(pathOf('gifts.txt'), 'GIFT-1\nGIFT-2\n');
    const gifts = await run('rewards', 'import-codes', '1', pathOf('gifts.txt'), ...why);
    expect(gifts.stdout).toContain('2 codes for tier 1 were imported.');
    expect((await run('rewards', 'send-codes', '1', ...why)).stderr).toContain('Nobody would be');
  });
});
