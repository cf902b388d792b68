import { type SeededRandom, seedRandom } from '../../brand/art/seeded-random.ts';
import {
  browser,
  carrierAddress,
  firstName,
  homeNetwork,
  humanSeconds,
  lastName,
  ownAddress,
  ownName,
  pickWhole,
  randomText,
  words,
} from './people.ts';
import { DAY, HOUR, MINUTE, type Visit, type World } from './visit.ts';

export type Attack = {
  readonly friends: number;
  make(world: World, friends: number): Visit[];
};

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const THROWAWAY = words('mailinator.com yopmail.com guerrillamail.com moakt.cc maildrop.cc');
const COSTLY = words('gmail.com gmail.com gmail.com icloud.com yahoo.com gmx.de web.de');
const ALIASES = words('duck.com simplelogin.com mozmail.com anonaddy.com');
const OPEN = words('outlook.com hotmail.com proton.me mail.com');

type Forged = Partial<Visit>;
type Forge = (own: Visit, random: SeededRandom) => (number: number, random: SeededRandom) => Forged;

function newAccount(person: string, random: SeededRandom, given: Forged): Visit {
  return {
    isHonest: false,
    person,
    referrer: null,
    email: ownAddress(random),
    ip: homeNetwork(random),
    ...browser(random),
    referringHost: null,
    secondsOnPage: humanSeconds(random),
    confirms: true,
    at: 0,
    ...given,
  };
}

function star(forge: Forge): Attack['make'] {
  return ({ seed, start }, friends) => {
    const random = seedRandom(seed);
    const own = newAccount(`${seed}/0`, random, { at: start });
    const forgeOne = forge(own, random);
    let at = start;
    return [
      own,
      ...Array.from({ length: friends }, (_, number) => {
        at += pickWhole(random, 1, 4) * MINUTE;
        const given = { ip: own.ip, referrer: own.person, at, ...forgeOne(number, random) };
        return newAccount(`${seed}/${number + 1}`, random, given);
      }),
    ];
  };
}

const inventDomain = (random: SeededRandom) => `${randomText(random, LETTERS, 9)}.example`;

const catchAll =
  (ipOf: (own: Visit, random: SeededRandom) => string, domainOf = inventDomain): Forge =>
  (own, random) => {
    const domain = domainOf(random);
    return (_, each) => ({ email: `${ownName(each)}@${domain}`, ip: ipOf(own, each) });
  };

const mailboxes =
  (ipOf: (own: Visit, random: SeededRandom) => string, isOpen = (_: number) => false): Forge =>
  (own) =>
  (number, each) => ({
    email: `${ownName(each)}${pickWhole(each, 1, 99)}@${each.pick(isOpen(number) ? OPEN : COSTLY)}`,
    ip: ipOf(own, each),
  });

const atHome = ({ ip }: Visit) => ip;
const anyHome = (_: Visit, random: SeededRandom) => homeNetwork(random);

function bringEachOther(
  inviterOf: (number: number, random: SeededRandom) => number,
  domainOf = inventDomain,
) {
  return ({ seed, start }: World, accounts: number): Visit[] => {
    const random = seedRandom(seed);
    const domain = domainOf(random);
    let at = start;
    return Array.from({ length: accounts }, (_, number) => {
      at += pickWhole(random, 5, 15) * MINUTE;
      return newAccount(`${seed}/${number}`, random, {
        referrer: number === 0 ? null : `${seed}/${inviterOf(number, random)}`,
        email: `${ownName(random)}${number}@${domain}`,
        at,
      });
    });
  };
}

const HOSTILE: readonly ((victim: Visit, number: number, random: SeededRandom) => Forged)[] = [
  () => ({}),
  () => ({ userAgent: 'python-requests/2.32.5', language: '' }),
  () => ({ secondsOnPage: null }),
  () => ({ secondsOnPage: 1 }),
  (_, number, random) => ({ email: `${randomText(random, LETTERS, 9)}${number}@mailinator.com` }),
  ({ email }, number) => ({ email: email.replace('@', `+${number}@`) }),
  ({ ip }) => ({ ip }),
  ({ userAgent, language }) => ({ userAgent, language }),
  (_, number) => ({ email: `serial${number}@gmail.com` }),
  (_, __, random) => ({ email: `${randomText(random, LETTERS, 12)}@gmail.com` }),
  (_, number) => ({ email: `someone${number}@nowhere.invalid` }),
  (_, __, random) => ({ ip: `185.33.7.${pickWhole(random, 1, 4)}` }),
];

/** An honest member, and 40 friends of whom 28 confirm. */
function honestCircle({ seed, start }: World, random: SeededRandom): [Visit, ...Visit[]] {
  const member = newAccount(`${seed}/0`, random, { isHonest: true, at: start });
  const friends = Array.from({ length: 40 }, (_, number) => {
    const at = start + pickWhole(random, 1, 3 * 24) * HOUR;
    const given = { isHonest: true, referrer: member.person, at, confirms: number % 10 < 7 };
    return newAccount(`${seed}/${number + 1}`, random, given);
  });
  return [member, ...friends];
}

/** A rival joins by the code of an honest member. */
function sabotage(world: World, friends: number): Visit[] {
  const { seed, start } = world;
  const random = seedRandom(seed);
  const [victim, ...honest] = honestCircle(world, random);
  const hostile = Array.from({ length: friends }, (_, number) =>
    newAccount(`${seed}/hostile-${number}`, random, {
      referrer: victim.person,
      confirms: false,
      referringHost: 'coupons-daily.example',
      at: start + 4 * DAY + number * MINUTE,
      ...HOSTILE[number % HOSTILE.length]?.(victim, number, random),
    }),
  );
  return [victim, ...honest, ...hostile];
}

/** A rival enters the addresses of honest friends by a code of their own, before or after them. */
function enterOthers(world: World, friends: number): Visit[] {
  const { seed, start } = world;
  const random = seedRandom(seed);
  const [victim, ...honest] = honestCircle(world, random);
  const rival = newAccount(`${seed}/rival`, random, { at: start });
  const entered = honest.slice(0, friends).map(({ email, at }, number) =>
    newAccount(`${seed}/entered-${number}`, random, {
      email,
      referrer: rival.person,
      ip: rival.ip,
      at: at + (number % 2 === 0 ? -MINUTE : MINUTE),
      confirms: false,
      isOfOther: true,
    }),
  );
  return [victim, ...honest, rival, ...entered];
}

/** People who have some mailboxes each, and bring the mailboxes of the others. */
function swap({ seed, start }: World, people: number): Visit[] {
  const random = seedRandom(seed);
  const own = Array.from({ length: people }, (_, number) =>
    newAccount(`${seed}/${number}`, random, { at: start + number * HOUR }),
  );
  const further = own.flatMap(({ ip, at }, number) =>
    [1, 2, 3, 4].map((step) =>
      newAccount(`${seed}/${number}-${step}`, random, {
        ip,
        referrer: `${seed}/${(number + step) % people}`,
        at: at + DAY + people * HOUR + step * MINUTE,
      }),
    ),
  );
  return [...own, ...further];
}

export const SABOTAGE = 'sabotage';
export const OTHERS = 'addresses of strangers';

export const BY_CARD = 'mailboxes for cards';
/** What 500 EUR hold at a price of 80 EUR for a mask, with mailboxes for the heaviest tickets. */
export const CARDS = 6;

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'invented at home': {
    friends: 30,
    make: star((_, random) => {
      const devices = [browser(random), browser(random)];
      return (number, each) => ({
        email: `${firstName(each)}.${lastName(each)}${pickWhole(each, 10, 99)}@gmail.com`,
        confirms: false,
        ...devices[number % 2],
      });
    }),
  },
  aliases: {
    friends: 60,
    make: star((_, random) => {
      const owner = `${firstName(random)}${lastName(random)}${pickWhole(random, 100, 999)}`;
      return (number, each) => ({
        email: each.pick([
          `${owner}+${number}@gmail.com`,
          `${owner.slice(0, 3)}.${owner.slice(3)}+x${number}@googlemail.com`,
        ]),
        ip: homeNetwork(each),
      });
    }),
  },
  disposable: {
    friends: 40,
    make: star(() => (_, each) => ({ email: `${ownName(each)}@${each.pick(THROWAWAY)}` })),
  },
  'own domain at home': {
    friends: 100,
    make: star(catchAll(atHome)),
  },
  'own domain at a hoster': {
    friends: 100,
    make: star(catchAll(atHome, (random) => `${randomText(random, LETTERS, 9)}-hosted.example`)),
  },
  'own domain, residential': {
    friends: 150,
    make: star(catchAll(anyHome)),
  },
  'own domain, IPv6 data centre': {
    friends: 100,
    make: star(
      catchAll((own, random) => {
        const group = () => pickWhole(random, 1, 65_535).toString(16);
        return `2a01:4f8:${((own.at % 60_000) + 1).toString(16)}:${group()}::${group()}`;
      }),
    ),
  },
  'own domain, flight mode': {
    friends: 100,
    make: star(catchAll((_, random) => carrierAddress(random))),
  },
  'sub-domains': {
    friends: 100,
    make: star((_, random) => {
      const domain = inventDomain(random);
      return (number, each) => ({
        email: `${ownName(each)}@${number}.${domain}`,
        ip: homeNetwork(each),
      });
    }),
  },
  /** Each is a registrable name of its own: the suffix is in the public suffix list. */
  'names given away': {
    friends: 100,
    make: star(() => (_, each) => ({
      email: `${ownName(each)}@${randomText(each, LETTERS, 7)}.duckdns.org`,
      ip: homeNetwork(each),
    })),
  },
  'mailboxes at home': {
    friends: 150,
    make: star(mailboxes(atHome)),
  },
  'mailboxes, residential': {
    friends: 180,
    make: star((own, random) => {
      const forge = mailboxes(anyHome)(own, random);
      return (number, each) => ({ ...forge(number, each), at: own.at + (number + 1) * MINUTE });
    }),
  },
  'mailboxes, one VPN': {
    friends: 150,
    make: star(mailboxes((own, random) => `193.${own.at % 250}.12.${pickWhole(random, 1, 40)}`)),
  },
  'click farm': {
    friends: 100,
    make: star((_, random) => {
      const workers = Array.from({ length: 8 }, () => homeNetwork(random));
      return (number, each) => ({ email: ownAddress(each), ip: workers[number % 8] as string });
    }),
  },
  'ring of 30': {
    friends: 30,
    make: bringEachOther((number, random) => pickWhole(random, 0, number - 1)),
  },
  'tree of 150': {
    friends: 150,
    make: bringEachOther((number) => Math.floor((number - 1) / 5)),
  },
  'chain of 100': {
    friends: 100,
    make: bringEachOther(
      (number) => number - 1,
      (random) => random.pick(COSTLY),
    ),
  },
  swaps: { friends: 30, make: swap },
  'services of aliases': {
    friends: 100,
    make: star((_, random) => {
      const service = random.pick(ALIASES);
      return (_number, each) => ({ email: `${randomText(each, LETTERS, 10)}@${service}` });
    }),
  },
  [SABOTAGE]: { friends: 28, make: sabotage },
  [OTHERS]: { friends: 40, make: enterOthers },
  'open mailboxes at home': {
    friends: 65,
    make: star(mailboxes(atHome, () => true)),
  },
  /** One mailbox in three is open: so many count whole beside the others. */
  'mixed mailboxes at home': {
    friends: 150,
    make: star(mailboxes(atHome, (number) => number % 3 === 2)),
  },
  /** Some mailboxes are spare, since somebody in line may have their address: 25 friends count. */
  [BY_CARD]: {
    friends: 27,
    make: ({ seed, start }, friends) => {
      const makeOne = star(mailboxes(anyHome));
      const cards = Array.from({ length: CARDS + 2 }, (_, card) => `${seed}-${card}`);
      return cards.flatMap((each) => makeOne({ seed: each, start }, friends));
    },
  },
};
