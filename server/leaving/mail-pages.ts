/** The pages that mails link to, filled in from their templates. */
import type { BrandArt } from '../../brand/brand-shape.ts';
import type { MailPageName } from '../../contract/mail-pages.ts';
import { openGhostDrawer } from '../pages/draw-ghost.ts';
import { fillGhost, fillPlaces, type Templates } from '../pages/templates.ts';
import { maskEmail } from '../referrals/mask-email-rules.ts';
import type { Recipient } from '../waitlist/get-recipients.ts';

export type MailPages = {
  /** The address is masked: a mail is forwarded more easily than one thinks. */
  ofMember(name: MailPageName, shown: { token: string; member: Recipient }): string;
  /** Of nobody. `detail` is why something was turned down. */
  plain(name: MailPageName, detail?: string): string;
};

export function openMailPages({ art, templates }: { art: BrandArt; templates: Templates }): MailPages {
  const drawGhost = openGhostDrawer(art);
  return {
    ofMember: (name, { token, member }) =>
      fillGhost(
        fillPlaces(templates[name], {
          token,
          email: maskEmail(member.address),
          position: String(member.position),
          'member-id': member.id,
        }),
        drawGhost(member.referralCode),
      ),
    plain: (name, detail = '') => fillPlaces(templates[name], { detail }),
  };
}
