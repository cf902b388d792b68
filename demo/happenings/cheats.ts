/** Members who invite themselves, and what became of the credits. */
import { SOURCELESS } from '../../server/line/sources/source-rules.ts';
import { decideAll } from '../demo-store.ts';
import { type Joined, joinLine } from '../play-joins.ts';
import { OWNER } from '../stage.ts';
import { change } from './office.ts';
import { days, type Happening, hours, type Plot } from './plot.ts';

/** Other spellings of one mailbox that joined by its first one. */
const ALIASES = 14;
const REFUSED = 9;
/** Addresses that a script made up. */
const BOTS = 24;

const VIA_LINK = { ...SOURCELESS, via: 'copy' };

export function cheats({ stage, join }: Plot): Happening[] {
  const { database } = stage;
  let first: Joined;
  let aliases: Joined[];
  let inviting: Joined;

  return [
    {
      agoMs: days(8),
      async happen() {
        first = await joinLine(join, {
          email: 'vex.turbo@mail.example',
          source: null,
          inviting: null,
        });
        aliases = [];
        for (let number = 1; number <= ALIASES; number += 1)
          aliases.push(
            await joinLine(join, {
              email: `vex.turbo+${number}@mail.example`,
              source: VIA_LINK,
              inviting: first,
            }),
          );
        const ids = aliases.map(({ id }) => id);
        await decideAll(database, ids.slice(0, REFUSED), { state: 'refused' });
        await decideAll(database, ids.slice(REFUSED), { state: 'held', rule: 'own-mailbox' });
      },
    },
    {
      agoMs: days(7),
      async happen() {
        const ask = await stage.signIn(OWNER);
        const body = 'Fourteen spellings of one mailbox in four minutes. Asked them on Monday.';
        await ask('POST', `/operator/api/members/${first.id}/notes`, { body });
      },
    },
    {
      agoMs: days(2),
      async happen() {
        inviting = await joinLine(join, {
          email: 'lucky.strider@inbox.example',
          source: null,
          inviting: null,
        });
        const bots: Joined[] = [];
        for (let number = 0; number < BOTS; number += 1)
          bots.push(
            await joinLine(join, {
              email: `user${7841 + 13 * number}@throwaway.example`,
              source: VIA_LINK,
              inviting,
            }),
          );
        await decideAll(
          database,
          bots.map(({ id }) => id),
          { state: 'held', rule: 'disposable-friends' },
        );
      },
    },
    {
      agoMs: hours(6),
      async happen() {
        const ask = await stage.signIn(OWNER);
        const filter = { text: '@throwaway.example' };
        const reason = 'made up by a script, no mail arrives';
        await change(ask, { kind: 'remove-members', input: { filter }, reason });
      },
    },
  ];
}
