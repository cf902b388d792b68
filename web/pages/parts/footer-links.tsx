import type { Brand } from '../../../brand/brand-shape.ts';
import { isExampleLink } from '../../../contract/example-links.ts';

export function FooterLinks({ contact, privacy }: Brand['links']) {
  const [isContact, isPrivacy] = [contact, privacy].map((link) => link && !isExampleLink(link));
  if (!isContact && !isPrivacy) return null;
  return (
    <p className="label footer-links">
      {isContact && <a href={contact}>Contact</a>}
      {isPrivacy && <a href={privacy}>Privacy</a>}
    </p>
  );
}
