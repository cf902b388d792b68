/** Referral codes: 10 characters of Crockford's base 32, which has no I, L, O and U to misread. */

export const REFERRAL_CODE_LENGTH = 10;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE = new RegExp(`^[${ALPHABET}]{${REFERRAL_CODE_LENGTH}}$`);

/** A code of the low 5 bits of each byte, of which there is one per character. */
export function referralCode(randomBytes: Uint8Array): string {
  if (randomBytes.length !== REFERRAL_CODE_LENGTH)
    throw new RangeError(`${REFERRAL_CODE_LENGTH} bytes make a code.`);
  return Array.from(randomBytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** Upper case, O read as 0, I and L as 1, without white space around; null for no code. */
export function readReferralCode(text: string): string | null {
  const code = text.trim().toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return CODE.test(code) ? code : null;
}
