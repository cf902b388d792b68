import { operatorPaths } from '../../contract/operator/paths.ts';
import { suppressAddress } from '../../server/mail/suppression/store.ts';
import { SLOW_DOMAIN } from '../draw/draw-joins.ts';
import { joinLine } from '../play-joins.ts';
import { campaigns } from './campaigns.ts';
import { cheats } from './cheats.ts';
import { imports } from './imports.ts';
import { office } from './office.ts';
import {
  days,
  type Happening,
  hours,
  minutes,
  operatorsOf,
  type Plot,
  SILENCED_EVERY,
} from './plot.ts';

const REASONS = ['stopped', 'bounced', 'stopped', 'complained', 'stopped'] as const;
const SILENCED_AT = [days(25), days(10), days(1)];

const SLOW = ['lena.abe', 'timo.costa', 'zuri.haddad'];

export function happenings(plot: Plot): Happening[] {
  return [office, cheats, silencedAddresses, slowMail, webhooks, imports, campaigns].flatMap(
    (make) => make(plot),
  );
}

function silencedAddresses({ stage, line }: Plot): Happening[] {
  let next = SILENCED_EVERY;
  return SILENCED_AT.map((agoMs) => ({
    agoMs,
    async happen() {
      for (; next < line.joined.length; next += SILENCED_EVERY) {
        const reason = REASONS[(next / SILENCED_EVERY) % REASONS.length] ?? 'stopped';
        const identity = line.joined[next]?.email ?? '';
        await suppressAddress(stage.database, stage.secretKey, { identity, reason });
      }
    },
  }));
}

function slowMail({ stage, line }: Plot): Happening[] {
  return SLOW.map((name, index) => ({
    agoMs: minutes(100 - index),
    async happen() {
      const email = `${name}@${SLOW_DOMAIN}`;
      await joinLine(stage.join, { email, source: null, inviting: line.joined[index] ?? null });
    },
  }));
}

function webhooks(plot: Plot): Happening[] {
  const by = operatorsOf(plot);
  const { newsletter, shop } = plot.receivers;
  return [
    by(days(1.5), (ask) =>
      ask('POST', operatorPaths.webhooks, {
        url: newsletter,
        events: ['member.joined', 'member.credited', 'tier.reached', 'member.left'],
        reason: 'the newsletter follows the line',
      }),
    ),
    by(hours(5), (ask) =>
      ask('POST', operatorPaths.webhooks, {
        url: shop,
        events: ['tier.reached'],
        reason: 'the shop prepares rewards',
      }),
    ),
  ];
}
