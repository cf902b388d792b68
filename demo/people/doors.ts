import { randomUUID } from 'node:crypto';
import type { DoorPasses, ScannedPass } from '../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Ask } from '../stage.ts';
import { type Player, sendJson } from './answers.ts';

const COMING = 0.85;
const NAMES = ['Vera', 'Jo'] as const;

type Pass = { readonly code: string | null };
type Door = { readonly name: string; readonly key: string };

/** Plays the evening at two doors; returns how many masks they handed over. */
export async function letIn(
  { url, ask, random, answers }: Player & { readonly ask: Ask },
  passes: readonly Pass[],
  { paid, drop }: { readonly paid: Pass | undefined; readonly drop: number },
): Promise<number> {
  const doors: Door[] = [];
  for (const name of NAMES) {
    const wanted = { name, scopes: ['redeem'] };
    doors.push({ name, ...(await ask<{ key: string }>('POST', operatorPaths.keys, wanted)) });
  }
  const [vera, jo] = doors as [Door, Door];
  let handedOver = 0;

  async function post(door: Door, path: string, body: object): Promise<ScannedPass | null> {
    const authorization = `Bearer ${door.key}`;
    const response = await sendJson('POST', url + path, body, { authorization });
    return response.ok ? await response.json() : null;
  }

  async function scan(door: Door, { code }: Pass, more: { drop?: number; scan?: string } = {}) {
    const body = { code, scan: randomUUID(), drop, ...more };
    const found = await post(door, operatorPaths.scanPass, body);
    if (found === null) return '404';
    const { result, used_by: by } = found;
    if (result === 'given') handedOver += 1;
    return `${result} by ${by}`;
  }
  const expectScan = async (what: string, found: Promise<string>, wanted: string) => {
    const said = await found;
    answers.expect(`${what} is "${said}", not "${wanted}"`, said === wanted);
  };

  const [twice, repeated, overtaken, ...others] = passes.filter(() => random.chance(COMING));
  if (!twice || !repeated || !overtaken) throw new Error('Too few members come to the door.');
  const both = await Promise.all([scan(vera, twice), scan(jo, twice)]);
  answers.expect(
    `Of two doors with one pass one wins, and the other says who: ${both.join(', ')}`,
    NAMES.some((name) => both.toSorted().join() === `given by ${name},used by ${name}`),
  );
  const { passes: counted } = await ask<DoorPasses>('GET', operatorPaths.doorPasses);
  const isCounted = counted.some((one) => one.drop === drop && one.used === 1);
  answers.expect('The doors read how many passes are used', isCounted);
  const lost = { scan: randomUUID() };
  await expectScan('A scan whose answer is lost', scan(vera, repeated, lost), 'given by Vera');
  handedOver -= 1;
  await expectScan('The same scan again', scan(vera, repeated, lost), 'given by Vera');
  await expectScan('A scan at one door', scan(jo, overtaken), 'given by Jo');
  await expectScan('A scan after it', scan(vera, overtaken), 'used by Jo');
  for (const pass of others) {
    const door = random.pick([vera, jo]);
    await expectScan('A scan', scan(door, pass), `given by ${door.name}`);
  }
  await expectScan('The same pass again', scan(jo, repeated), 'used by Vera');
  await expectScan('A code of nobody', scan(jo, { code: 'NOBODY' }), '404');
  if (paid === undefined) throw new Error('No pass was paid at the till.');
  await expectScan('A pass of the first drop', scan(jo, paid), 'other_drop by null');
  const tap = { drop: 1, scan: randomUUID() };
  await expectScan('A mask paid online, at its door', scan(jo, paid, tap), 'given by Jo');
  const undone = await post(jo, operatorPaths.undoScan, { code: paid.code, scan: tap.scan });
  answers.expect('A wrong tap is taken back', undone?.result === 'undone');
  handedOver -= 1;
  await expectScan('The same tap once more', scan(jo, paid, tap), 'undone by null');
  await expectScan('Its holder in the end', scan(vera, paid, { drop: 1 }), 'given by Vera');
  return handedOver;
}
