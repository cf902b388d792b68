/** Members whose mail server puts mail off. */
import { SLOW_DOMAIN } from '../draw/draw-joins.ts';
import { joinLine } from '../play-joins.ts';
import { type Happening, minutes, type Plot } from './plot.ts';

const NAMES = ['lena.abe', 'timo.costa', 'zuri.haddad'];

export function slowMail({ stage, line }: Plot): Happening[] {
  return NAMES.map((name, index) => ({
    agoMs: minutes(100 - index),
    async happen() {
      const email = `${name}@${SLOW_DOMAIN}`;
      await joinLine(stage.join, { email, source: null, inviting: line.joined[index] ?? null });
    },
  }));
}
