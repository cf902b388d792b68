/** People who invite themselves and give themselves away in one respect alone. */
import { attack, LETTERS, minutesAfter } from './attacks.ts';
import {
  browser,
  drawn,
  firstName,
  homeNetwork,
  lastName,
  ownAddress,
  ownName,
  pickWhole,
} from './people.ts';
import { HOUR, type MakeVisits, MINUTE } from './visit.ts';

/** Spellings of one mailbox that is not the inviting member's, from sold networks. */
export const secondMailbox: MakeVisits = (world) =>
  attack(world, 'second-mailbox', 40, (own) => (random, number) => ({
    email: `spare.${own.email.replace(/@.*/, `+${number}@outlook.com`)}`,
    ip: homeNetwork(random),
    ...browser(random),
    at: minutesAfter(own, number, 25),
  }));

/** One name with a number that counts, from sold networks. */
export const numbered: MakeVisits = (world) =>
  attack(world, 'numbered', 40, (own) => {
    const name = own.email.replace(/[\W\d_].*/, '');
    return (random, number) => ({
      email: `${name}fan${number + 1}@${random.pick(['gmail.com', 'outlook.com', 'web.de'])}`,
      ip: homeNetwork(random),
      ...browser(random),
      at: minutesAfter(own, number, 25),
    });
  });

/** A new domain that cannot exist for each friend. */
export const unreachable: MakeVisits = (world) =>
  attack(world, 'unreachable', 40, (own) => (random, number) => ({
    email: `${ownName(random)}@${firstName(random)}-${lastName(random)}.invalid`,
    ip: homeNetwork(random),
    ...browser(random),
    at: minutesAfter(own, number, 25),
  }));

/** Random strings from rented servers of one data centre, by a browser that poses as many. */
export const randomNames: MakeVisits = (world) =>
  attack(world, 'random-names', 60, (own) => (random, number) => ({
    email: `${drawn(random, LETTERS, 11)}@${random.pick(['gmail.com', 'outlook.com', 'gmx.de'])}`,
    ip: `193.${200 + (own.at % 50)}.12.${pickWhole(random, 1, 250)}`,
    ...browser(random),
    at: minutesAfter(own, number, 25),
  }));

/** At home, an hour apart, with a new browser for each; in all else they look like real friends. */
export const carefulHome: MakeVisits = (world) =>
  attack(world, 'careful-home', 140, (own) => (random, number) => ({
    email: ownAddress(random),
    ...browser(random),
    at: own.at + number * HOUR + pickWhole(random, 1, 50) * MINUTE,
  }));
