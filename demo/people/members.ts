import { brand } from '../../brand/brand.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { HOUR_MS } from '../../server/durations.ts';
import type { ReceivedMail } from '../../test/support/smtp-mailbox.ts';
import { actOnOffer, type Player, sendJson } from './answers.ts';

type MemberOptions = Player & { readonly mails: readonly ReceivedMail[] };

/** What a member does about an offer: each is as likely as another. */
const KINDS = ['accept', 'accept', 'accept', 'change', 'decline', 'nothing'] as const;
const HOURS = 11;

/** `at` counts in hours from the mail of the offer. */
type Plan = { readonly token: string; readonly kind: (typeof KINDS)[number]; readonly at: number };

/** Members who follow the links of their mails. */
export function openMembers({ url, mails, random, answers }: MemberOptions) {
  const { expectStatus } = answers;
  const sizes = brand.sizes.map(({ name }) => name);
  const tokens = new Map<string, string>();
  const known = new Set<string>();
  let plans: Plan[] = [];
  let read = 0;

  async function readMails(now: number): Promise<void> {
    while (read < mails.length) {
      const { to, raw } = mails[read] as ReceivedMail;
      read += 1;
      const [, token] = /#offer=3D([\w-]+)/.exec(raw.replaceAll('=\r\n', '')) ?? [];
      if (token === undefined) continue;
      tokens.set(to[0] ?? '', token);
      const { offer } = await actOnOffer(url, apiPaths.offer, { token });
      const key = `${to[0]} ${offer?.drop}`;
      if (offer?.state !== 'open' || known.has(key)) continue;
      known.add(key);
      const at = now + Math.floor(random.between(0, HOURS)) * HOUR_MS;
      plans.push({ token, kind: random.pick(KINDS), at });
    }
  }

  async function accept(token: string): Promise<void> {
    const { status } = await actOnOffer(url, apiPaths.acceptOffer, { token });
    expectStatus('Accepting', status, 200);
  }

  async function takeOtherSize(token: string): Promise<void> {
    const { offer } = await actOnOffer(url, apiPaths.offer, { token });
    const free = offer?.free_sizes[0];
    const size = free ?? sizes.find((other) => other !== offer?.size) ?? '';
    const { status } = await actOnOffer(url, apiPaths.changeOffer, { token, size });
    expectStatus('A change of size', status, free === undefined ? 409 : 200);
  }

  async function follow({ token, kind }: Plan): Promise<void> {
    if (kind === 'decline') {
      const { status } = await actOnOffer(url, apiPaths.declineOffer, { token });
      return expectStatus('Declining', status, 200);
    }
    if (kind === 'change') await takeOtherSize(token);
    await accept(token);
  }

  return {
    /** The last link that was mailed to an address, or null. */
    tokenOf: (email: string) => tokens.get(email) ?? null,
    /** The addresses that links were mailed to. */
    addresses: () => [...tokens.keys()],
    async wish(memberIds: readonly string[]): Promise<number> {
      const wishing = memberIds.filter(() => random.chance(1 / 3));
      for (const id of wishing) {
        const first = Math.floor(random.between(0, sizes.length));
        const wished = sizes.slice(first, first + (random.chance(0.5) ? 1 : 2));
        const wish = { sizes: wished, takes_any: random.chance(0.5) };
        const response = await sendJson('PUT', url + fillPath(apiPaths.sizes, id), wish);
        await response.arrayBuffer();
        expectStatus('Naming sizes', response.status, 200);
      }
      return wishing.length;
    },
    /** Reads new mails, and answers offers whose hour has come by `now`; returns how many. */
    async answer(now: number): Promise<number> {
      await readMails(now);
      const due = plans.filter(({ at }) => at <= now);
      plans = plans.filter(({ at }) => at > now);
      const answered = due.filter(({ kind }) => kind !== 'nothing');
      for (const plan of answered) await follow(plan);
      return answered.length;
    },
  };
}
