import type { Brand } from '../../brand/brand-shape.ts';
import { pagePaths } from '../../contract/paths.ts';
import { escapeHtml } from '../pages/escape-html.ts';
import type { Letter } from './transport.ts';

/** The letter to a member whose address was given to the join form again. */
export function statusLinkLetter(
  { name }: Brand,
  { publicUrl, memberId, email }: { publicUrl: string; memberId: string; email: string },
): Letter {
  const link = publicUrl + pagePaths.status(memberId);
  const opening = `You are on the ${name} waitlist. This is your status link:`;
  const closing = 'If it was not you who asked for it, there is nothing to do.';
  return {
    to: email,
    subject: `Your ${name} status link`,
    text: `${opening}\n\n${link}\n\n${closing}\n`,
    html: `<p>${escapeHtml(opening)}</p><p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p><p>${escapeHtml(closing)}</p>`,
  };
}
