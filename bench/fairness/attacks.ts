/** People who invite themselves, and what each kind of them has to go by. */
import { type SeededRandom, seedRandom } from '../../brand/art/seeded-random.ts';
import { carrierAddress } from './honest-groups.ts';
import {
  browser,
  drawn,
  firstName,
  homeNetwork,
  humanSeconds,
  lastName,
  ownAddress,
  ownName,
  pickWhole,
} from './people.ts';
import { DAY, HOUR, type Kind, type MakeVisits, MINUTE, type Visit, type World } from './visit.ts';

const THROWAWAY = [
  'mailinator.com',
  'yopmail.com',
  'guerrillamail.com',
  'sharklasers.com',
  'moakt.cc',
  'emailondeck.com',
  'getnada.com',
  'maildrop.cc',
] as const;
export const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** What the attacker sends for friend `number`. */
type Forge = (random: SeededRandom, number: number) => Partial<Visit> & { at: number };

/** The attacker joins honestly, and then as `size` friends. */
export function attack(
  world: World,
  kind: Kind,
  size: number,
  prepare: (own: Visit) => Forge,
): Visit[] {
  const random = seedRandom(world.seed);
  const own: Visit = {
    kind,
    isHonest: true,
    person: `${world.seed}/0`,
    referrer: null,
    email: ownAddress(random),
    ip: homeNetwork(random),
    ...browser(random),
    referringHost: null,
    secondsOnPage: humanSeconds(random),
    at: world.start,
  };
  const forge = prepare(own);
  const friends = Array.from(
    { length: size },
    (_, number): Visit => ({
      ...own,
      isHonest: false,
      person: `${world.seed}/${number + 1}`,
      referrer: own.person,
      secondsOnPage: humanSeconds(random),
      ...forge(random, number),
    }),
  );
  return [own, ...friends];
}

export const minutesAfter = (own: Visit, number: number, minutes = 2) =>
  own.at + (number + 1) * minutes * MINUTE;

/** The attacker's own mailbox in other spellings. */
export const aliases: MakeVisits = (world) => {
  const owner = `${seedRandom(`${world.seed} name`).pick(['ann', 'bob'])}marlow`;
  const visits = attack(world, 'aliases', 60, (own) => (random, number) => ({
    email: random.pick([
      `${owner}+${number}@gmail.com`,
      `${owner.slice(0, 3)}.${owner.slice(3)}+x${number}@gmail.com`,
      `${owner}+${number}@googlemail.com`,
    ]),
    ip: homeNetwork(random),
    at: minutesAfter(own, number),
  }));
  return visits.map((visit, index) =>
    index === 0 ? { ...visit, email: `${owner}@gmail.com` } : visit,
  );
};

/** All names of one domain of the attacker's, from networks that are sold by the day. */
export const catchAll: MakeVisits = (world) => {
  const domain = `${drawn(seedRandom(`${world.seed} name`), LETTERS, 9)}.example`;
  return attack(world, 'catch-all', 80, (own) => (random, number) => ({
    email: `${ownName(random)}@${domain}`,
    ip: random.chance(0.5) ? homeNetwork(random) : own.ip,
    ...browser(random),
    at: minutesAfter(own, number, 20),
  }));
};

export const disposable: MakeVisits = (world) =>
  attack(world, 'disposable', 80, (own) => (random, number) => ({
    email: `${ownName(random)}@${random.pick(THROWAWAY)}`,
    ip: homeNetwork(random),
    ...browser(random),
    at: minutesAfter(own, number, 7),
  }));

/** Invented addresses, entered at home in one evening. */
export const oneNetwork: MakeVisits = (world) =>
  attack(world, 'one-network', 100, (own) => (random, number) => ({
    email: `${firstName(random)}.${lastName(random)}${pickWhole(random, 10, 99)}@gmail.com`,
    at: minutesAfter(own, number),
  }));

/** A phone that is switched to flight mode and back for each friend. */
export const rotatingMobile: MakeVisits = (world) =>
  attack(world, 'rotating-mobile', 60, (own) => (random, number) => ({
    email: `${firstName(random)}${lastName(random)}${pickWhole(random, 100, 999)}@gmail.com`,
    ip: carrierAddress(random),
    at: minutesAfter(own, number, 5),
  }));

/** One a day, at home, where the address changes within the provider's network. */
export const slowDrip: MakeVisits = (world) => {
  const network = `91.${pickWhole(seedRandom(`${world.seed} net`), 1, 250)}.7`;
  return attack(world, 'slow-drip', 28, (own) => (random, number) => ({
    email: `${firstName(random)}${pickWhole(random, 100, 999)}@outlook.com`,
    ip: `${network}.${pickWhole(random, 2, 30)}`,
    at: own.at + number * DAY + random.between(0, 6 * HOUR),
  }));
};

/** Sold by the hundred: other networks and browsers each time, names by a recipe. */
export const boughtClicks: MakeVisits = (world) =>
  attack(world, 'bought-clicks', 150, (own) => (random, number) => ({
    email: random.chance(0.5)
      ? `${firstName(random)}${drawn(random, '0123456789', 4)}@gmail.com`
      : `${drawn(random, LETTERS, 10)}@outlook.com`,
    ip: homeNetwork(random),
    ...browser(random),
    secondsOnPage: random.chance(0.5) ? null : 1,
    at: minutesAfter(own, number, 1),
  }));

/** Each of the ring brings friends for all, from the networks that they have together. */
function makeRing(world: World, kind: Kind, members: number, each: number): Visit[] {
  const random = seedRandom(world.seed);
  const devices = Array.from({ length: members }, () => ({
    ip: homeNetwork(random),
    stem: `${firstName(random)}${lastName(random)}`,
    ...browser(random),
  }));
  const owners = devices.map(
    ({ stem, ...device }, number): Visit => ({
      kind,
      isHonest: true,
      person: `${world.seed}/owner-${number}`,
      referrer: null,
      email: `${stem}@gmail.com`,
      ...device,
      referringHost: null,
      secondsOnPage: humanSeconds(random),
      at: world.start + number * HOUR,
    }),
  );
  const friends = Array.from({ length: members * each }, (_, number): Visit => {
    const { stem, ...device } = devices[number % members] as (typeof devices)[number];
    const turn = 1 + pickWhole(random, 0, Math.min(4, members - 2));
    return {
      kind,
      isHonest: false,
      person: `${world.seed}/${number}`,
      // Never the own code: the ring works by turns.
      referrer: `${world.seed}/owner-${(number + turn) % members}`,
      email: random.chance(0.7)
        ? `${stem}${pickWhole(random, 1, 999)}@gmail.com`
        : ownAddress(random),
      ...device,
      referringHost: null,
      secondsOnPage: humanSeconds(random),
      at: world.start + members * HOUR + number * 9 * MINUTE,
    };
  });
  return [...owners, ...friends];
}

export const ringOf5: MakeVisits = (world) => makeRing(world, 'ring-of-5', 5, 15);
export const ringOf50: MakeVisits = (world) => makeRing(world, 'ring-of-50', 50, 8);

/** Opens the page, types and pauses like a person, from eight addresses of one data centre. */
export const honestTiming: MakeVisits = (world) => {
  const network = `185.${pickWhole(seedRandom(`${world.seed} net`), 1, 250)}.33`;
  let at = world.start;
  return attack(world, 'honest-timing', 90, () => (random) => {
    at += Math.round(random.between(3, 50)) * MINUTE;
    return {
      email: ownAddress(random),
      ip: `${network}.${pickWhole(random, 1, 8)}`,
      at,
    };
  });
};

/** A loop around the API. */
export const noPage: MakeVisits = (world) => {
  const network = `194.${pickWhole(seedRandom(`${world.seed} net`), 1, 250)}.5`;
  return attack(world, 'no-page', 120, (own) => (random, number) => ({
    email: `${drawn(random, `${LETTERS}0123456789`, 9)}@gmail.com`,
    ip: `${network}.${pickWhole(random, 1, 200)}`,
    userAgent: 'python-requests/2.32.5',
    language: '',
    secondsOnPage: null,
    at: own.at + HOUR + number,
  }));
};

/** 50 invented friends among 10 real ones. */
export const mixed: MakeVisits = (world) =>
  attack(
    world,
    'mixed',
    60,
    (own) => (random, number) =>
      number % 6 === 5
        ? {
            isHonest: true,
            email: ownAddress(random),
            ip: homeNetwork(random),
            ...browser(random),
            at: own.at + number * 3 * HOUR,
          }
        : {
            email: `${lastName(random)}${pickWhole(random, 1000, 9999)}@gmail.com`,
            at: own.at + number * 3 * HOUR,
          },
  );

/** A member's code, posted where people look for discounts: none of them is a friend. */
export const couponSite: MakeVisits = (world) =>
  attack(world, 'coupon-site', 150, (own) => (random, number) => ({
    email: ownAddress(random),
    ip: random.chance(0.3) ? carrierAddress(random) : homeNetwork(random),
    ...browser(random),
    referringHost: random.chance(0.95) ? 'www.bestcoupons.example' : null,
    at: minutesAfter(own, number, 30),
  }));
