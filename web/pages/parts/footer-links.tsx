import { brand } from '../../../brand/brand.ts';

/** Whom to write to, and what happens with an address: as far as the brand says it. */
export function FooterLinks() {
  const { contact, privacy } = brand.links;
  if (!contact && !privacy) return null;
  return (
    <p className="label footer-links">
      {contact && <a href={contact}>Contact</a>}
      {privacy && <a href={privacy}>Privacy</a>}
    </p>
  );
}
