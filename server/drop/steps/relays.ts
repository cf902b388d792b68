import {
  isSignatureOf,
  quicknetPath,
  timeOfRound,
} from '../../../contract/drop/randomness-rules.ts';
import { Problem } from '../../problem.ts';

const MAX_ANSWER_BYTES = 4096;
const REST_MS = 5_000;

/** A later attempt may find the signature. `publicAt` is in milliseconds since 1970. */
export class RoundMissing extends Problem {
  readonly publicAt: number;

  constructor(round: number, why: string) {
    super(
      'conflict',
      `${why} Any relay of drand shows the signature of round ${round}: paste it instead.`,
    );
    this.publicAt = timeOfRound(round);
  }
}

export type FetchRound = (round: number) => Promise<string>;

/** Asks all relays at once: the first valid signature counts. Throws RoundMissing. */
export function openRelays(relays: readonly string[], timeoutMs = 4_000): FetchRound {
  const hosts = relays.map((relay) => new URL(relay).host).join(', ');
  const why = hosts === '' ? 'No relay is set.' : `No right answer came from ${hosts}.`;
  let restUntil = 0;

  return async (round) => {
    const publicAt = timeOfRound(round);
    if (publicAt > Date.now())
      throw new RoundMissing(round, `It is public at ${new Date(publicAt).toISOString()}.`);
    if (Date.now() < restUntil) throw new RoundMissing(round, why);
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      return await Promise.any(relays.map((relay) => askRelay(relay, round, signal)));
    } catch {
      restUntil = Date.now() + REST_MS;
      throw new RoundMissing(round, why);
    } finally {
      over.abort();
    }
  };
}

async function askRelay(relay: string, round: number, signal: AbortSignal): Promise<string> {
  const { ok, body } = await fetch(relay + quicknetPath(round), { signal, redirect: 'error' });
  if (!ok || body === null) throw new Error('The relay has no such round.');
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.length > MAX_ANSWER_BYTES) throw new Error('The answer is too long.');
  }
  const { signature } = JSON.parse(text);
  if (typeof signature !== 'string' || !isSignatureOf(round, signature))
    throw new Error('The answer has another signature.');
  return signature;
}
