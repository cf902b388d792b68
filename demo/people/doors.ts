import { randomUUID } from 'node:crypto';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Ask } from '../stage.ts';
import { type Player, sendJson } from './answers.ts';

const COMING = 0.85;

/** Plays the evening at two doors; returns how many masks they handed over. */
export async function letIn(
  { url, ask, random, answers }: Player & { readonly ask: Ask },
  passes: readonly { readonly code: string | null }[],
): Promise<number> {
  const openDoor = async (name: string) => {
    const wanted = { name, scopes: ['redeem'] };
    const { key } = await ask<{ key: string }>('POST', operatorPaths.keys, wanted);
    return { authorization: `Bearer ${key}` };
  };
  const doors = [await openDoor('Vera'), await openDoor('Jo')] as const;
  const coming = passes.filter(() => random.chance(COMING));
  for (const { code } of coming) {
    const scanned = { code, scan: randomUUID() };
    const door = random.pick(doors);
    const answer = await sendJson('POST', url + operatorPaths.scanPass, scanned, door);
    const { result } = (await answer.json()) as { result?: string };
    answers.expect(`A pass that is scanned at a door is "${result}"`, result === 'given');
  }
  return coming.length;
}
