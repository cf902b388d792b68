import { type Brand, brandShape } from '../../../brand/brand-shape.ts';
import { expected } from '../../../brand/value-checks.ts';

export function findBrandFaults(brand: unknown): string[] {
  if (typeof brand !== 'object' || brand === null || Array.isArray(brand))
    return ['it must export an object named brand.'];
  const faults = brandShape(brand, '');
  return faults.length > 0 ? faults : findContradictions(brand as Brand);
}

function findContradictions({ links, sizes, tiers, maskCount }: Brand): string[] {
  const faults = [
    ...findWrongLink('contact', links, ['mailto:', 'https:']),
    ...findWrongLink('privacy', links, ['https:']),
    ...findTwins(sizes),
    ...findDisorder(tiers),
  ];
  return faults.length > 0 ? faults : findWrongSum(sizes, maskCount);
}

/** A page must not link to an address that a browser would run. */
function findWrongLink(
  name: keyof Brand['links'],
  { [name]: link }: Brand['links'],
  protocols: readonly string[],
): string[] {
  if (link === undefined) return [];
  const check = expected(
    `an address that begins with ${protocols.join(' or ')}`,
    () => URL.canParse(link) && protocols.includes(new URL(link).protocol),
  );
  return check(link, `links.${name}`);
}

function findTwins(sizes: Brand['sizes']): string[] {
  const names = sizes.map(({ name }) => name.toLowerCase());
  return sizes.flatMap(({ name }, index) => {
    const first = names.indexOf(name.toLowerCase());
    if (first === index) return [];
    return [`sizes[${index}].name is ${name}, which sizes[${first}] is called already.`];
  });
}

function findDisorder(tiers: Brand['tiers']): string[] {
  return tiers.flatMap(({ requiredReferrals }, index) => {
    const before = tiers[index - 1];
    if (before === undefined || before.requiredReferrals < requiredReferrals) return [];
    return [
      `tiers[${index}].requiredReferrals is ${requiredReferrals}, but must be more than ` +
        `the ${before.requiredReferrals} of the tier before it.`,
    ];
  });
}

function findWrongSum(sizes: Brand['sizes'], maskCount: number): string[] {
  const sum = sizes.reduce((total, { stock }) => total + stock, 0);
  if (sum === maskCount) return [];
  return [`maskCount is ${maskCount}, but the stock of all sizes adds up to ${sum}.`];
}
