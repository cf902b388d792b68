/** Addresses that get no mail: unsubscribed, bounced, complained. */
import { suppressAddress } from '../../server/mail/suppression/store.ts';
import { days, type Happening, type Plot } from './plot.ts';

/** Every so many members one is silenced, each time for the next of the reasons. */
const EVERY = 40;
const REASONS = ['stopped', 'bounced', 'stopped', 'complained', 'stopped'] as const;
const AT = [days(25), days(10), days(1)];

export function silencedAddresses({ stage, line }: Plot): Happening[] {
  let next = EVERY;
  return AT.map((agoMs) => ({
    agoMs,
    async happen() {
      for (; next < line.joined.length; next += EVERY) {
        const reason = REASONS[(next / EVERY) % REASONS.length] ?? 'stopped';
        const identity = line.joined[next]?.email ?? '';
        await suppressAddress(stage.database, stage.secretKey, { identity, reason });
      }
    },
  }));
}
