import { describe, expect, test } from 'vitest';
import { oneEngine } from '../../test/support/engines.ts';
import { provideLine } from '../../test/support/provide-line.ts';
import { mayAct, noteHome } from './possible-copy.ts';

describe.each(oneEngine)('a line on %s', (engine) => {
  const place = provideLine(engine);

  const start = (name: string) =>
    noteHome(place.database, { dataDir: place.dataDir, publicUrl: `https://${name}.example.com` });
  /** Makes the database or folder look like another one than at the last start. */
  const move = () => place.database.runSql(`update line_home set place = 'elsewhere ' || place`);

  test('may be a copy when place and address changed at once, and stays one', async () => {
    await start('line');
    expect(await mayAct(place.database)).toBe(true);
    await move();
    await start('trial');
    expect(await mayAct(place.database)).toBe(false);
    await start('trial');
    expect(await mayAct(place.database)).toBe(false);
  });

  test('acts on after a move, a new address, and one after the other', async () => {
    await start('line');
    await move();
    await start('line');
    await start('shop');
    await move();
    await start('shop');
    expect(await mayAct(place.database)).toBe(true);
  });

  test('acts where its place was or is not known', async () => {
    await start('line');
    await place.database.runSql('update line_home set place = null');
    await start('shop');
    expect(await mayAct(place.database)).toBe(true);
    const { rows } = await place.database.runSql('select place from line_home');
    expect(rows).toEqual([{ place: expect.stringMatching(/^\d+:\d+$/) }]);
  });
});
