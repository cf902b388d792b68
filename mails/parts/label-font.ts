import type { CSSProperties } from 'react';
import type { MailStyle } from '../mail-style.ts';

/** Small capitals of the machine: captions. */
export function labelFont({ faces }: MailStyle): CSSProperties {
  return { font: `400 12px/18px ${faces.mono}`, letterSpacing: '0.06em', textTransform: 'uppercase' };
}
