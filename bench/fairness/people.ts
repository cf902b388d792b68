import type { SeededRandom } from '../../brand/art/seeded-random.ts';

type Choices = readonly [string, ...string[]];
export const words = (text: string) => text.split(' ') as unknown as Choices;

const FIRST = words(
  'ada amir anna ben bo carla chidi clara dana david elif emma emre eva fatou felix finn ' +
    'gio hana hugo ida ines ivan jan jonas julia kai lara lena leo liam lina luca luz maja ' +
    'marco maria max maya mia mina nico nils nina noah noor nora olga olu omar oskar paul ' +
    'paula pia priya rosa sam sara simon sofia tariq theo tim timo tom uma vera viktor wei ' +
    'yara yuki zoe zuri',
);
const LAST = words(
  'abe ahmed andersen bauer becker berg bianchi costa diallo dubois evans ferrari fischer ' +
    'garcia gupta haddad hansen hoffmann ito jansen johnson kaya keller khan kim klein ' +
    'kowalski lang larsen lopez martin mensah meyer miller moreau nguyen novak okafor park ' +
    'patel peters richter rossi santos sato schmidt schneider silva singh smith tanaka torres ' +
    'vogel wagner weber wolf',
);
const NICKNAMES = words(
  'runner nightowl skate mountain coffee pixel river sunny drums lifter climber tiger moon ' +
    'pepper rocket vinyl bike wave ninja fox',
);
const PROVIDERS = words(
  'gmail.com gmail.com gmail.com gmail.com gmail.com outlook.com hotmail.com yahoo.com ' +
    'icloud.com icloud.com gmx.de web.de proton.me live.com mail.com',
);

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15';
const BROWSERS: Choices = [
  `${PHONE} (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1`,
  `${PHONE} (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1`,
  `${PHONE} (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1`,
  `${PHONE} (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1`,
  `${CHROME} Chrome/142.0.0.0 Safari/537.36`,
  `${CHROME} Chrome/142.0.0.0 Safari/537.36`,
  `${CHROME} Chrome/141.0.0.0 Safari/537.36`,
  `${CHROME} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 ' +
    'Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
];
const LANGUAGES: Choices = [
  'en-US,en;q=0.9',
  'en-US,en;q=0.9',
  'en-GB,en;q=0.9',
  'de-DE,de;q=0.9,en;q=0.8',
  'fr-FR,fr;q=0.9,en;q=0.8',
  'es-ES,es;q=0.9',
];

export const pickWhole = (random: SeededRandom, low: number, high: number) =>
  Math.floor(random.between(low, high + 1));

export const firstName = (random: SeededRandom) => random.pick(FIRST);
export const lastName = (random: SeededRandom) => random.pick(LAST);

export function ownName(random: SeededRandom): string {
  const first = firstName(random);
  const last = lastName(random);
  const year = pickWhole(random, 1965, 2008);
  const short = String(year).slice(2);
  return random.pick([
    `${first}.${last}`,
    `${first}.${last}`,
    `${first}.${last}${short}`,
    `${first}${last}`,
    `${first}${last}${pickWhole(random, 1, 99)}`,
    `${first.charAt(0)}.${last}`,
    `${first.charAt(0)}${last}${year}`,
    `${first}_${last}`,
    `${last}.${first}`,
    `${first}${random.pick(NICKNAMES)}`,
    `${random.pick(NICKNAMES)}.${first}${short}`,
    `${first}${short}`,
    `hello.${first}${last}`,
  ]);
}

export const ownAddress = (random: SeededRandom) => `${ownName(random)}@${random.pick(PROVIDERS)}`;

export function browser(random: SeededRandom): { userAgent: string; language: string } {
  return { userAgent: random.pick(BROWSERS), language: random.pick(LANGUAGES) };
}

export function homeNetwork(random: SeededRandom): string {
  if (random.chance(0.35)) {
    const group = () => pickWhole(random, 1, 65_535).toString(16);
    return `2a02:${group()}:${group()}:${group()}::${group()}`;
  }
  const byte = () => pickWhole(random, 1, 254);
  return `${pickWhole(random, 60, 95)}.${byte()}.${byte()}.${byte()}`;
}

const CARRIER_ADDRESSES = ['100.64.3', '100.72.9', '100.80.4'].flatMap((network, carrier) =>
  Array.from({ length: carrier === 0 ? 8 : 6 }, (_, number) => `${network}.${10 + number}`),
);

export const carrierAddress = (random: SeededRandom) =>
  CARRIER_ADDRESSES[pickWhole(random, 0, CARRIER_ADDRESSES.length - 1)] as string;

/** Seconds that people take from opening the page to sending the form. */
export const humanSeconds = (random: SeededRandom) => Math.round(random.between(9, 180));

export function randomText(random: SeededRandom, alphabet: string, length: number): string {
  return Array.from({ length }, () =>
    alphabet.charAt(pickWhole(random, 0, alphabet.length - 1)),
  ).join('');
}
