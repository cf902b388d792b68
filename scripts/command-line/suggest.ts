import { nearestName } from '../../server/nearest-name.ts';

/** " Did you mean --json?", or nothing where no name is near. `prefix` goes before the name. */
export function suggestName(name: string, names: readonly string[], prefix = ''): string {
  const nearest = nearestName(name, names);
  return nearest === null ? '' : ` Did you mean ${prefix}${nearest}?`;
}
