import { brand } from '../../../brand/brand.ts';

/** Before an address is given: what will be sent to it. */
export function MailNote() {
  return <p className="mail-note">{brand.copy.mailNote}</p>;
}
