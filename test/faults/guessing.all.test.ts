/**
 * A guesser with many addresses asks for codes as fast as the server answers: no e-mail address
 * leaks.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { REFERRAL_CODE_LENGTH, referralCode } from '../../contract/referral-code-rules.ts';
import { type LimitedServer, startLimitedServer } from '../limits/limited-server.ts';
import { type Answered, addressOf, askAs, askMany, joinOf } from '../limits/visitor.ts';
import { oneEngine } from '../support/engines.ts';
import { isLong } from '../support/test-form.ts';
import { recordFault } from './fault-record.ts';

const GUESSES = isLong ? 100_000 : 1_000;
const ADDRESSES = isLong ? 1_000 : 10;
const MEMBERS = isLong ? 1_000 : 20;
const MANY_ADDRESSES = `${ADDRESSES.toLocaleString('en')} addresses`;
const TRIALS = `guesses: ${GUESSES.toLocaleString('en')}, from ${MANY_ADDRESSES}`;
/** Wrong codes that one address is told of in ten minutes. */
const TOLD = 60;
/** Two windows of the limit over all addresses, which only the long form reaches. */
const ALL_GUESSES_PASS_MS = 120_000;

describe.each(oneEngine)('on %s', (engine) => {
  let limited: LimitedServer;
  const codes: string[] = [];
  beforeAll(async () => {
    limited = await startLimitedServer(engine);
    await askMany(
      MEMBERS,
      (index) => askAs(limited.url(), addressOf(5_000 + index), joinOf(`m${index}@example.com`)),
      {
        onAnswer: ({ text }) => codes.push(JSON.parse(text).referral_code),
      },
    );
  });
  afterAll(() => limited.remove());

  test(`guesses leak no e-mail address, and a valid code after them is answered (${TRIALS})`, {
    timeout: 1_800_000,
  }, async () => {
    const told = { wrong: 0, refused: 0, others: [] as Answered[] };
    const spent = Date.now();
    await askMany(GUESSES, (index) => guess(addressOf(index % ADDRESSES), randomCode()), {
      onAnswer(answer) {
        if (answer.status === 200 && /^\{"valid":false,"referrer_email":null\}$/.test(answer.text))
          told.wrong += 1;
        else if (answer.status === 429 && !answer.text.includes('@')) told.refused += 1;
        else told.others.push(answer);
      },
    });
    const minutes = (Date.now() - spent) / 60_000;
    expect(told.others).toEqual([]);
    expect(told.wrong + told.refused).toBe(GUESSES);
    expect(told.wrong).toBeGreaterThan(0);
    // The limit refills by one every ten seconds.
    expect(told.wrong).toBeLessThanOrEqual(ADDRESSES * (TOLD + (TOLD / 10) * minutes + 1));

    // Members behind the same addresses lose nothing by it, once all together guess less.
    if (isLong) await delay(ALL_GUESSES_PASS_MS);
    for (let address = 0; address < Math.min(ADDRESSES, 100); address++) {
      await spend(addressOf(address));
      const answer = await guess(addressOf(address), codes[address % codes.length] ?? '');
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('@example.com')]);
    }
    recordFault({
      fault: `Codes guessed from ${MANY_ADDRESSES} (acknowledged: told to be wrong), ${engine}`,
      trials: GUESSES,
      acknowledged: told.wrong,
    });
    if (isLong)
      console.log(
        `${engine}: ${told.wrong} told to be wrong, ${told.refused} refused ` +
          `in ${minutes.toFixed(1)} min`,
      );
  });

  const guess = (address: string, code: string) =>
    askAs(limited.url(), address, { path: fillPath(apiPaths.verifyReferral, code) });

  async function spend(address: string): Promise<void> {
    while ((await guess(address, randomCode())).status === 200);
  }
});

function randomCode(): string {
  return referralCode(randomBytes(REFERRAL_CODE_LENGTH));
}
