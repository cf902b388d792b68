import { SOURCELESS } from '../../server/line/sources/source-rules.ts';
import { decideAll } from '../demo-store.ts';
import { type Joined, joinLine } from '../play-joins.ts';
import { change, days, type Happening, hours, operatorsOf, type Plot } from './plot.ts';

const ALIASES = 14;
const REFUSED = 9;
const BOTS = 24;

const VIA_LINK = { ...SOURCELESS, via: 'copy' };

export function cheats(plot: Plot): Happening[] {
  const { join } = plot;
  const { database } = plot.stage;
  const by = operatorsOf(plot);
  let first: Joined;
  const joinAlone = (email: string) => joinLine(join, { email, source: null, inviting: null });
  async function joinBy(inviting: Joined, count: number, addressOf: (index: number) => string) {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push((await joinLine(join, { email: addressOf(index), source: VIA_LINK, inviting })).id);
    return ids;
  }

  return [
    {
      agoMs: days(8),
      async happen() {
        first = await joinAlone('vex.turbo@mail.example');
        const ids = await joinBy(first, ALIASES, (index) => `vex.turbo+${index + 1}@mail.example`);
        await decideAll(database, ids.slice(0, REFUSED), { state: 'refused' });
        await decideAll(database, ids.slice(REFUSED), { state: 'held', rule: 'own-mailbox' });
      },
    },
    by(days(7), async (ask) => {
      const body = 'Fourteen spellings of one mailbox in four minutes. Asked them on Monday.';
      await ask('POST', `/operator/api/members/${first.id}/notes`, { body });
    }),
    {
      agoMs: days(2),
      async happen() {
        const inviting = await joinAlone('lucky.strider@inbox.example');
        const addressOf = (index: number) => `user${7841 + 13 * index}@throwaway.example`;
        const ids = await joinBy(inviting, BOTS, addressOf);
        await decideAll(database, ids, { state: 'held', rule: 'disposable' });
      },
    },
    by(hours(6), async (ask) => {
      const filter = { text: '@throwaway.example' };
      const reason = 'made up by a script, no mail arrives';
      await change(ask, { kind: 'remove-members', input: { filter }, reason });
    }),
  ];
}
