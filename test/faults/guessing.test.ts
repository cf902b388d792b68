/**
 * A guesser with many addresses asks for codes as fast as the server answers: no e-mail address
 * leaks.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths } from '../../contract/paths.ts';
import {
  REFERRAL_CODE_LENGTH,
  referralCode,
} from '../../server/line/referrals/referral-code-rules.ts';
import { type LimitedServer, startLimitedServer } from '../limits/limited-server.ts';
import { type Answered, addressOf, askAs, askMany, joinOf } from '../limits/visitor.ts';
import { engines } from '../support/engines.ts';
import { recordFault } from './fault-record.ts';

const isFull = process.env.FAULTS === 'full';
const GUESSES = isFull ? 100_000 : 1_000;
const ADDRESSES = isFull ? 1_000 : 10;
const MEMBERS = isFull ? 1_000 : 20;
/** Look-ups that one address has in ten minutes. */
const LOOKED_UP = 60;

describe.each(engines)('on %s', (engine) => {
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

  test(`${GUESSES.toLocaleString('en')} guesses from ${ADDRESSES.toLocaleString('en')} addresses leak no e-mail address, and neither does a valid code after them`, {
    timeout: 1_800_000,
  }, async () => {
    const told = { lookedUp: 0, refused: 0, others: [] as Answered[] };
    const spent = Date.now();
    await askMany(GUESSES, (index) => guess(addressOf(index % ADDRESSES), randomCode()), {
      onAnswer(answer) {
        if (answer.status === 200 && /^\{"valid":false,"referrer_email":null\}$/.test(answer.text))
          told.lookedUp += 1;
        else if (answer.status === 429 && !answer.text.includes('@')) told.refused += 1;
        else told.others.push(answer);
      },
    });
    const minutes = (Date.now() - spent) / 60_000;
    expect(told.others).toEqual([]);
    expect(told.lookedUp + told.refused).toBe(GUESSES);
    expect(told.lookedUp).toBeGreaterThan(0);
    // The limit refills by one every ten seconds.
    expect(told.lookedUp).toBeLessThanOrEqual(
      ADDRESSES * (LOOKED_UP + (LOOKED_UP / 10) * minutes + 1),
    );

    // An address that is out of guesses is refused a valid code as well.
    const known = { told: 0, refused: 0 };
    for (let address = 0; address < Math.min(ADDRESSES, 100); address++) {
      await spend(addressOf(address));
      const answer = await guess(addressOf(address), codes[address % codes.length] ?? '');
      if (answer.status === 429) known.refused += 1;
      else known.told += 1;
    }
    // One of them may have come right after a refill.
    expect(known.told).toBeLessThanOrEqual(1);
    expect((await guess(addressOf(9_000), codes[0] ?? '')).text).toContain('@example.com');
    recordFault({
      fault: `Codes guessed from ${ADDRESSES.toLocaleString('en')} addresses (acknowledged: looked up), ${engine}`,
      trials: GUESSES,
      acknowledged: told.lookedUp,
      lost: 0,
      duplicated: 0,
      readyMs: [0],
    });
    if (isFull)
      console.log(
        `${engine}: ${told.lookedUp} looked up, ${told.refused} refused in ${minutes.toFixed(1)} min`,
      );
  });

  const guess = (address: string, code: string) =>
    askAs(limited.url(), address, { path: apiPaths.verifyReferral(code) });

  async function spend(address: string): Promise<void> {
    while ((await guess(address, randomCode())).status === 200);
  }
});

function randomCode(): string {
  return referralCode(randomBytes(REFERRAL_CODE_LENGTH));
}
