/** People who invite themselves, and by which signs each kind can be found. */
import { seedRandom } from '../../brand/art/seeded-random.ts';
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
import { DAY, type Given, HOUR, type MakeVisits, MINUTE, type Visit, type World } from './visit.ts';

const THROWAWAY = words(
  'mailinator.com yopmail.com guerrillamail.com sharklasers.com moakt.cc emailondeck.com ' +
    'getnada.com maildrop.cc',
);
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

function attack({ seed, start }: World, size: number, prepare: (own: Visit) => Given) {
  const random = seedRandom(seed);
  const own: Visit = {
    isHonest: true,
    person: `${seed}/0`,
    referrer: null,
    email: ownAddress(random),
    ip: homeNetwork(random),
    ...browser(random),
    referringHost: null,
    secondsOnPage: humanSeconds(random),
    at: start,
  };
  const forge = prepare(own);
  const friends = Array.from(
    { length: size },
    (_, number): Visit => ({
      ...own,
      isHonest: false,
      person: `${seed}/${number + 1}`,
      referrer: own.person,
      secondsOnPage: humanSeconds(random),
      ...forge(random, number),
    }),
  );
  return [own, ...friends];
}

const minutesAfter = (own: Visit, number: number, minutes = 2) =>
  own.at + (number + 1) * minutes * MINUTE;

export const aliases: MakeVisits = (world) => {
  const owner = `${seedRandom(`${world.seed} name`).pick(['ann', 'bob'])}marlow`;
  const [own, ...friends] = attack(world, 60, (own) => (random, number) => ({
    email: random.pick([
      `${owner}+${number}@gmail.com`,
      `${owner.slice(0, 3)}.${owner.slice(3)}+x${number}@gmail.com`,
      `${owner}+${number}@googlemail.com`,
    ]),
    ip: homeNetwork(random),
    at: minutesAfter(own, number),
  }));
  return [{ ...(own as Visit), email: `${owner}@gmail.com` }, ...friends];
};

/** Any names at one domain of the attacker, from networks that are sold by the day. */
export const catchAll: MakeVisits = (world) => {
  const domain = `${randomText(seedRandom(`${world.seed} name`), LETTERS, 9)}.example`;
  return attack(world, 80, (own) => (random, number) => ({
    email: `${ownName(random)}@${domain}`,
    ip: random.chance(0.5) ? homeNetwork(random) : own.ip,
    ...browser(random),
    at: minutesAfter(own, number, 20),
  }));
};

export const disposable: MakeVisits = (world) =>
  attack(world, 80, (own) => (random, number) => ({
    email: `${ownName(random)}@${random.pick(THROWAWAY)}`,
    ip: homeNetwork(random),
    ...browser(random),
    at: minutesAfter(own, number, 7),
  }));

export const oneNetwork: MakeVisits = (world) =>
  attack(world, 100, (own) => (random, number) => ({
    email: `${firstName(random)}.${lastName(random)}${pickWhole(random, 10, 99)}@gmail.com`,
    at: minutesAfter(own, number),
  }));

/** A phone that is switched to flight mode and back for each friend. */
export const rotatingMobile: MakeVisits = (world) =>
  attack(world, 60, (own) => (random, number) => ({
    email: `${firstName(random)}${lastName(random)}${pickWhole(random, 100, 999)}@gmail.com`,
    ip: carrierAddress(random),
    at: minutesAfter(own, number, 5),
  }));

/** One friend a day, at home, where the address changes within the provider's network. */
export const slowDrip: MakeVisits = (world) => {
  const network = `91.${pickWhole(seedRandom(`${world.seed} net`), 1, 250)}.7`;
  return attack(world, 28, (own) => (random, number) => ({
    email: `${firstName(random)}${pickWhole(random, 100, 999)}@outlook.com`,
    ip: `${network}.${pickWhole(random, 2, 30)}`,
    at: own.at + number * DAY + random.between(0, 6 * HOUR),
  }));
};

/** Joins sold by the hundred: other networks and browsers each time, names by a recipe. */
export const boughtClicks: MakeVisits = (world) =>
  attack(world, 150, (own) => (random, number) => ({
    email: random.chance(0.5)
      ? `${firstName(random)}${randomText(random, '0123456789', 4)}@gmail.com`
      : `${randomText(random, LETTERS, 10)}@outlook.com`,
    ip: homeNetwork(random),
    ...browser(random),
    secondsOnPage: random.chance(0.5) ? null : 1,
    at: minutesAfter(own, number, 1),
  }));

/** Each member of a ring brings friends for the others, from the networks that they share. */
function makeRing({ seed, start }: World, members: number, each: number): Visit[] {
  const random = seedRandom(seed);
  const devices = Array.from({ length: members }, () => ({
    ip: homeNetwork(random),
    stem: `${firstName(random)}${lastName(random)}`,
    ...browser(random),
  }));
  const owners = devices.map(
    ({ stem, ...device }, number): Visit => ({
      isHonest: true,
      person: `${seed}/owner-${number}`,
      referrer: null,
      email: `${stem}@gmail.com`,
      ...device,
      referringHost: null,
      secondsOnPage: humanSeconds(random),
      at: start + number * HOUR,
    }),
  );
  const friends = Array.from({ length: members * each }, (_, number): Visit => {
    const { stem, ...device } = devices[number % members] as (typeof devices)[number];
    // At least 1, so that nobody uses their own code.
    const step = 1 + pickWhole(random, 0, Math.min(4, members - 2));
    return {
      isHonest: false,
      person: `${seed}/${number}`,
      referrer: `${seed}/owner-${(number + step) % members}`,
      email: random.chance(0.7)
        ? `${stem}${pickWhole(random, 1, 999)}@gmail.com`
        : ownAddress(random),
      ...device,
      referringHost: null,
      secondsOnPage: humanSeconds(random),
      at: start + members * HOUR + number * 9 * MINUTE,
    };
  });
  return [...owners, ...friends];
}

export const ringOf5: MakeVisits = (world) => makeRing(world, 5, 15);
export const ringOf50: MakeVisits = (world) => makeRing(world, 50, 8);

/** Opens the page, types and pauses like a person, from eight addresses of one data centre. */
export const honestTiming: MakeVisits = (world) => {
  const network = `185.${pickWhole(seedRandom(`${world.seed} net`), 1, 250)}.33`;
  let at = world.start;
  return attack(world, 90, () => (random) => {
    at += Math.round(random.between(3, 50)) * MINUTE;
    return { email: ownAddress(random), ip: `${network}.${pickWhole(random, 1, 8)}`, at };
  });
};

export const noPage: MakeVisits = (world) => {
  const network = `194.${pickWhole(seedRandom(`${world.seed} net`), 1, 250)}.5`;
  return attack(world, 120, (own) => (random, number) => ({
    email: `${randomText(random, `${LETTERS}0123456789`, 9)}@gmail.com`,
    ip: `${network}.${pickWhole(random, 1, 200)}`,
    userAgent: 'python-requests/2.32.5',
    language: '',
    secondsOnPage: null,
    at: own.at + HOUR + number,
  }));
};

export const mixed: MakeVisits = (world) =>
  attack(world, 60, (own) => (random, number) => {
    const at = own.at + number * 3 * HOUR;
    if (number % 6 !== 5)
      return { email: `${lastName(random)}${pickWhole(random, 1000, 9999)}@gmail.com`, at };
    const [email, ip] = [ownAddress(random), homeNetwork(random)];
    return { isHonest: true, email, ip, ...browser(random), at };
  });

/** A member's code, posted where people look for discounts: none of them is a friend. */
export const couponSite: MakeVisits = (world) =>
  attack(world, 150, (own) => (random, number) => ({
    email: ownAddress(random),
    ip: random.chance(0.3) ? carrierAddress(random) : homeNetwork(random),
    ...browser(random),
    referringHost: random.chance(0.95) ? 'www.bestcoupons.example' : null,
    at: minutesAfter(own, number, 30),
  }));

// The kinds below can be found by a single sign.

/** Spellings of a mailbox other than the inviting member's, from sold networks. */
export const secondMailbox: MakeVisits = (world) =>
  attack(world, 40, (own) => (random, number) => ({
    email: `spare.${own.email.replace(/@.*/, `+${number}@outlook.com`)}`,
    ip: homeNetwork(random),
    ...browser(random),
    at: minutesAfter(own, number, 25),
  }));

export const numbered: MakeVisits = (world) =>
  attack(world, 40, (own) => {
    const name = own.email.replace(/[\W\d_].*/, '');
    return (random, number) => ({
      email: `${name}fan${number + 1}@${random.pick(['gmail.com', 'outlook.com', 'web.de'])}`,
      ip: homeNetwork(random),
      ...browser(random),
      at: minutesAfter(own, number, 25),
    });
  });

export const unreachable: MakeVisits = (world) =>
  attack(world, 40, (own) => (random, number) => ({
    email: `${ownName(random)}@${firstName(random)}-${lastName(random)}.invalid`,
    ip: homeNetwork(random),
    ...browser(random),
    at: minutesAfter(own, number, 25),
  }));

/** Random strings from rented servers of one data centre, by a browser that poses as many. */
export const randomNames: MakeVisits = (world) =>
  attack(world, 60, (own) => (random, number) => ({
    email: [
      randomText(random, LETTERS, 11),
      random.pick(['gmail.com', 'outlook.com', 'gmx.de']),
    ].join('@'),
    ip: `193.${200 + (own.at % 50)}.12.${pickWhole(random, 1, 250)}`,
    ...browser(random),
    at: minutesAfter(own, number, 25),
  }));

/** At home, an hour apart, with a new browser for each; in all else they look like real friends. */
export const carefulHome: MakeVisits = (world) =>
  attack(world, 140, (own) => (random, number) => ({
    email: ownAddress(random),
    ...browser(random),
    at: own.at + number * HOUR + pickWhole(random, 1, 50) * MINUTE,
  }));
