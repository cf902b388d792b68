import { table, whole } from '../../bench/report/markdown.ts';
import type { MaskSize } from '../../contract/operator/masks.ts';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import type { Check } from './checks.ts';
import type { Played } from './play-drop.ts';
import type { MailRow, OfferRow } from './rehearsal-store.ts';

export type Report = {
  readonly at: Date;
  readonly seconds: number;
  readonly members: number;
  readonly seed: string;
  readonly url: string;
  readonly played: Played;
  readonly checks: readonly Check[];
  readonly offers: readonly OfferRow[];
  readonly mails: readonly MailRow[];
  readonly sizes: readonly MaskSize[];
  readonly pictures: readonly string[];
};

export function reportOf(report: Report): string {
  const { at, seconds, members, seed, played, checks, pictures } = report;
  const failed = checks.filter(({ problems }) => problems.length > 0).length;
  return `# A rehearsed drop

${whole(members)} made-up members, seed \`${seed}\`, ${at.toISOString().slice(0, 10)}, in
${whole(seconds)} s. ${whole(played.answers)} answers of the server were compared with what they
should be. **${failed === 0 ? 'Everything adds up.' : `${failed} checks failed.`}**

## Checks

${checks.map(describeCheck).join('\n')}

## Masks

${masksTable(report)}

## Mails

${mailsTable(report)} They are in [mails/](mails).

## Timeline

Times of the drop, in UTC. Its clock jumps from hour to hour.

${table(
  ['time', 'open', 'passes', 'redeemed', 'free', 'what happens'],
  played.timeline.map((moment) => [
    moment.at.toISOString().slice(0, 16).replace('T', ' '),
    ...[moment.open, moment.accepted, moment.redeemed, moment.free].map(whole),
    moment.what,
  ]),
)}

## Pages

${pagesOf(report)}
${pictures.map((name) => `\n![${name}](${name})`).join('\n')}
`;
}

function describeCheck({ what, problems }: Check): string {
  if (problems.length === 0) return `- ${what}: yes.`;
  const SHOWN = 5;
  return `- ${what}: **no**. ${problems.slice(0, SHOWN).join(' ')}`;
}

function masksTable({ sizes, offers }: Report): string {
  const STATES = ['redeemed', 'accepted', 'open', 'declined', 'expired', 'cancelled'];
  const rows = sizes.map(({ name, stock, available }) => [
    name,
    whole(stock),
    ...STATES.map((state) =>
      whole(offers.filter((offer) => offer.size === name && offer.state === state).length),
    ),
    whole(available),
  ]);
  return table(['size', 'stock', ...STATES, 'free'], rows);
}

function mailsTable({ mails }: Report): string {
  const kinds = [...new Set(mails.map(({ kind }) => kind))].sort();
  const rows = kinds.map((kind) => {
    const own = mails.filter((mail) => mail.kind === kind);
    const sent = own.filter(({ outcome }) => outcome === 'sent').length;
    return [kind, whole(own.length), whole(sent)];
  });
  return `${table(['kind', 'queued', 'sent'], rows)}

Mails that are no longer true when their turn comes are not sent.`;
}

function pagesOf({ url, offers }: Report): string {
  const states = [...new Set(offers.map(({ state }) => state))].sort();
  const links = states.map((state) => {
    const id = offers.find((offer) => offer.state === state)?.member_id ?? '';
    return `- of a member whose offer is ${state}: ${url}${fillPath(pagePaths.status, id)}`;
  });
  return `They answer while the rehearsal is kept open with \`--keep\`.

- the line: ${url}${pagePaths.landing}
- the draw, which the browser works out anew: ${url}${pagePaths.draw}
${links.join('\n')}`;
}
