import { PUBLIC_RELAY, quicknetPath } from '../../../contract/drop/randomness-rules.ts';
import { OperatorError } from '../call-operator.ts';

/** The signature of a round of quicknet, from a relay of drand. Throws OperatorError. */
export async function fetchSignature(round: number, relay: string = PUBLIC_RELAY): Promise<string> {
  const url = relay + quicknetPath(round);
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    const { signature } = (await response.json()) as { signature?: unknown };
    if (typeof signature === 'string') return signature;
  } catch {
    // Said below, as for an answer without a signature.
  }
  throw new OperatorError(
    `${url} did not answer with a signature: is the round public yet? ` +
      'Another relay is --relay <url>, and --signature takes what any of them answers.',
  );
}
