/** What happens in the demo beside joins, and when. */
import { campaigns } from './campaigns.ts';
import { cheats } from './cheats.ts';
import { imports } from './imports.ts';
import { office } from './office.ts';
import type { Happening, Plot } from './plot.ts';
import { silencedAddresses } from './silenced-addresses.ts';
import { slowMail } from './slow-mail.ts';
import { webhooks } from './webhooks.ts';

/** In any order. */
export function happenings(plot: Plot): Happening[] {
  return [office, cheats, silencedAddresses, slowMail, webhooks, imports, campaigns].flatMap(
    (tell) => tell(plot),
  );
}
