/** Honest people who look alike to a careless rule: offices, families, campuses, audiences. */
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
} from './people.ts';
import { DAY, type Given, HOUR, type MakeVisits, MINUTE, type Visit, type World } from './visit.ts';

/** Share of honest people who confirm their address before the freeze: assumed. */
const CONFIRMING = 0.7;

function honest(
  { seed }: World,
  random: SeededRandom,
  number: number,
  given: Pick<Visit, 'referrer' | 'at'> & Partial<Visit>,
): Visit {
  return {
    isHonest: true,
    person: `${seed}/${number}`,
    email: ownAddress(random),
    ip: homeNetwork(random),
    ...browser(random),
    referringHost: null,
    secondsOnPage: random.chance(0.96) ? humanSeconds(random) : null,
    confirms: random.chance(CONFIRMING),
    ...given,
  };
}

function tree(world: World, size: number, given: Given, invited = 0.97): Visit[] {
  const random = seedRandom(world.seed);
  return Array.from({ length: size }, (_, number) => {
    // The exponent makes early members bring more friends.
    const inviter = Math.floor(random.between(0, 1) ** 1.6 * number);
    const referrer = number > 0 && random.chance(invited) ? `${world.seed}/${inviter}` : null;
    return honest(world, random, number, { referrer, ...given(random, number) });
  });
}

function circle(
  world: World,
  size: number,
  given: Given,
  random = seedRandom(world.seed),
): Visit[] {
  const owner = honest(world, random, 0, { referrer: null, at: world.start });
  const friends = Array.from({ length: size }, (_, number) =>
    honest(world, random, number + 1, { referrer: owner.person, ...given(random, number) }),
  );
  return [owner, ...friends];
}

export const strangers: MakeVisits = (world) =>
  tree(world, 870, (_, number) => ({ at: (number * 28 * DAY) / 870 }), 0.4);

export const office: MakeVisits = (world) => {
  const random = seedRandom(`${world.seed} place`);
  const ip = homeNetwork(random);
  const firm = `${lastName(random)}-${lastName(random)}.example`;
  const fleet = browser(random);
  return tree(world, 40, (each, number) => ({
    ip,
    at: world.start + (number * 2 * DAY) / 40,
    ...(each.chance(0.5) && {
      email: `${firstName(each)}.${lastName(each)}@${firm}`,
    }),
    ...(each.chance(0.5) && fleet),
  }));
};

export const family: MakeVisits = (world) => {
  const random = seedRandom(`${world.seed} place`);
  const ip = homeNetwork(random);
  const name = lastName(random);
  return tree(world, pickWhole(random, 3, 6), (each, number) => ({
    ip,
    at: world.start + number * pickWhole(each, 2, 400) * MINUTE,
    ...(each.chance(0.6) && { email: `${firstName(each)}.${name}@gmail.com` }),
  }));
};

export const campus: MakeVisits = (world) => {
  const ip = homeNetwork(seedRandom(`${world.seed} place`));
  return tree(world, 150, (each, number) => ({
    ip,
    at: world.start + (number * 6 * DAY) / 150,
    ...(each.chance(0.6) && {
      email: `${ownName(each)}@${each.pick(['north', 'south'])}.campus.example`,
    }),
  }));
};

export const carrier: MakeVisits = (world) =>
  tree(
    world,
    200,
    (each, number) => ({
      ip: carrierAddress(each),
      at: world.start + (number * 10 * DAY) / 200,
    }),
    0.6,
  );

/** A video brings 250 friends in an hour, a third of them on phones. */
export const creator: MakeVisits = (world) =>
  circle(world, 250, (random, number) => ({
    at: world.start + HOUR + (number * HOUR) / 250,
    ...(random.chance(0.33) && { ip: carrierAddress(random) }),
    referringHost: random.chance(0.7) ? 'youtube.com' : null,
  }));

export const meetUp: MakeVisits = (world) => {
  const random = seedRandom(world.seed);
  const ip = homeNetwork(random);
  return Array.from({ length: 61 }, (_, number) => {
    const inviter = () => (random.chance(0.7) ? 0 : pickWhole(random, 0, number - 1));
    const referrer = number === 0 ? null : `${world.seed}/${inviter()}`;
    const at = world.start + (number * 2 * HOUR) / 60;
    return honest(world, random, number, { referrer, at, ip });
  });
};

/** 40 people of one firm follow a colleague's post in a day: at home, in the office, on phones. */
export const firm: MakeVisits = (world) => {
  const random = seedRandom(world.seed);
  const domain = `${lastName(random)}-${lastName(random)}.example`;
  const officeIp = homeNetwork(random);
  const given = (_: SeededRandom, number: number) => ({
    email: `${firstName(random)}.${lastName(random)}@${domain}`,
    at: world.start + HOUR + number * pickWhole(random, 5, 15) * MINUTE,
    ...(random.chance(0.5) && { ip: officeIp }),
  });
  return circle(world, 40, given, random);
};

/** 30 friends from everywhere with names as players take them: with a year or a number. */
export const numbers: MakeVisits = (world) =>
  circle(world, 30, (random, number) => {
    const first = firstName(random);
    const year = pickWhole(random, 1975, 2009);
    const three = pickWhole(random, 100, 999);
    const name = random.pick([
      `${first}.${lastName(random).charAt(0)}${String(year).slice(2)}`,
      `${first}${year}`,
      `${first}${three}`,
      `${first}${three}`,
      `${lastName(random)}${three}`,
      `${firstName(random)}${three}`,
    ]);
    return {
      email: `${name}@${random.pick(['gmail.com', 'gmail.com', 'outlook.com', 'gmx.de'])}`,
      at: world.start + number * pickWhole(random, 1, 9) * HOUR,
    };
  });

export const mistyped: MakeVisits = (world) => {
  const random = seedRandom(world.seed);
  const owner = honest(world, random, 0, { referrer: null, at: world.start });
  const name = ownName(random);
  const friend = { referrer: owner.person, ip: homeNetwork(random), ...browser(random) };
  const wrong = random.pick([
    `${name}@gmial.com`,
    `${name.slice(0, -1)}@gmail.com`,
    `${name}@gmail.con`,
    `${name.slice(1)}@gmail.com`,
  ]);
  const at = world.start + HOUR;
  return [
    owner,
    honest(world, random, 1, { ...friend, email: wrong, at, confirms: false }),
    honest(world, random, 2, { ...friend, email: `${name}@gmail.com`, at: at + 50 }),
  ];
};

/** A tablet at the door of a gym, on which 45, 40 and 15 members join on three days. */
export const gym: MakeVisits = (world) => {
  const random = seedRandom(world.seed);
  const tablet = { ip: homeNetwork(random), ...browser(random) };
  return circle(world, 100, (each, number) => {
    const day = number < 45 ? 0 : number < 85 ? 1 : 2;
    const since = pickWhole(each, 1, 10 * 60) * MINUTE;
    return { ...tablet, at: world.start + day * DAY + since };
  });
};

export const schoolClass: MakeVisits = (world) => {
  const random = seedRandom(world.seed);
  const school = homeNetwork(random);
  const domain = `${lastName(random)}-school.example`;
  return circle(world, 28, (each, number) => ({
    email: `${firstName(each)}.${lastName(each)}.2027@${domain}`,
    at: world.start + HOUR + number * pickWhole(each, 2, 30) * MINUTE,
    ...(each.chance(0.6) && { ip: school }),
  }));
};
