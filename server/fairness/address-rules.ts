export function addressTraits(mailbox: string) {
  const at = mailbox.lastIndexOf('@');
  const name = mailbox.slice(0, at);
  const domain = mailbox.slice(at + 1);
  return {
    domain,
    /** Name without its digits, empty without any: ada1 and ada2 have one stem. */
    stem: /\d/.test(name) ? name.replace(/[\d._+-]/g, '') : '',
    isRandom: looksRandom(name),
    isUnreachable: UNREACHABLE.test(domain),
  };
}

/** Reserved by RFC 2606 and RFC 6761: nothing is ever there. */
const UNREACHABLE = /\.(?:invalid|localhost|onion|local)$/;

const MIN_JUDGED_LENGTH = 7;
const MAX_CHANGES = 3;
const MAX_RARE_SHARE = 0.2;
const MIN_VOWEL_SHARE = 0.21;

function looksRandom(name: string): boolean {
  if (name.length < MIN_JUDGED_LENGTH || /[^\x21-\x7e]/.test(name)) return false;
  const runs = name.match(/[a-z]+|\d+/g) ?? [];
  if (runs.length > MAX_CHANGES && !/[._-]/.test(name)) return true;
  let pairs = 0;
  let rare = 0;
  for (const run of runs)
    for (let index = 1; index < run.length; index += 1) {
      const followers = FOLLOWERS[run.charAt(index - 1)];
      if (followers === undefined) continue; // A vowel, or a digit: anything may follow.
      pairs += 1;
      if (!VOWELS.includes(run.charAt(index)) && !followers.includes(run.charAt(index))) rare += 1;
    }
  const letters = name.replace(/[^a-z]/g, '');
  const vowels = letters.replace(/[^aeiouy]/g, '').length;
  return (
    (rare >= 2 && rare / pairs >= MAX_RARE_SHARE) ||
    (letters.length >= MIN_JUDGED_LENGTH && vowels / letters.length < MIN_VOWEL_SHARE)
  );
}

const VOWELS = 'aeiouy';

/** Consonants that follow a consonant in European names and romanized other names. */
const FOLLOWERS: Readonly<Record<string, string>> = {
  b: 'bhlrst',
  c: 'chklrstz',
  d: 'dhjlmnrstvwz',
  f: 'flmrst',
  g: 'ghlmnrstw',
  h: 'hlmnrstvw',
  j: 'kdl',
  k: 'hklmnrstvwz',
  l: 'bcdfghklmnpqrstvwz',
  m: 'bcmnpqrst',
  n: 'bcdfghjklmnpqrstvwxz',
  p: 'fhlprstz',
  q: '',
  r: 'bcdfghjklmnpqrstvwz',
  s: 'bcdfghjklmnpqrstvwz',
  t: 'chjlmnrstvwz',
  v: 'lnrs',
  w: 'dhklnrstz',
  x: 'cpt',
  z: 'bdhlmnrstwz',
};
