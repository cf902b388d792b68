/** One webhook that works, and one whose receiver is down. */
import { operatorPaths } from '../../contract/operator/paths.ts';
import { OWNER } from '../stage.ts';
import { days, type Happening, hours, type Plot } from './plot.ts';

export function webhooks({ stage, receivers }: Plot): Happening[] {
  return [
    {
      agoMs: days(1.5),
      async happen() {
        const ask = await stage.signIn(OWNER);
        await ask('POST', operatorPaths.webhooks, {
          url: receivers.newsletter,
          events: ['member.joined', 'member.credited', 'tier.reached', 'member.left'],
          reason: 'the newsletter follows the line',
        });
      },
    },
    {
      agoMs: hours(5),
      async happen() {
        const ask = await stage.signIn(OWNER);
        await ask('POST', operatorPaths.webhooks, {
          url: receivers.shop,
          events: ['tier.reached'],
          reason: 'the shop prepares rewards',
        });
      },
    },
  ];
}
