/** Members of the demo who answer the offers that they are mailed. */
import { apiPaths } from '../contract/paths.ts';
import type { Mailbox } from '../test/support/smtp-mailbox.ts';

const LOOK_MS = 500;
/** Of ten members six accept and one declines; the others have not decided. */
const ANSWERS: readonly (string | null)[] = [
  ...Array<string>(6).fill(apiPaths.acceptOffer()),
  apiPaths.declineOffer(),
  ...Array<null>(3).fill(null),
];

/** For as long as the process runs. `url`: of the demo's server. */
export function answerOffers(mailbox: Pick<Mailbox, 'mails'>, url: string): void {
  let looked = 0;
  let offers = 0;
  setInterval(() => {
    for (const { raw } of mailbox.mails.slice(looked)) {
      looked += 1;
      const [, token] = /#offer=3D([\w-]+)/.exec(raw.replaceAll('=\r\n', '')) ?? [];
      if (token === undefined) continue;
      const path = ANSWERS[(offers * 7) % ANSWERS.length];
      offers += 1;
      if (path) void answer(url + path, token);
    }
  }, LOOK_MS).unref();
}

async function answer(path: string, token: string): Promise<void> {
  await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  }).catch(() => undefined); // The demo is being ended.
}
