import type { Allocation, MaskSize } from '../../contract/operator/masks.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Commands } from '../command-line/command.ts';
import { list } from './api-commands.ts';
import { change } from './changes.ts';

export const stockCommands: Commands = {
  sizes: list<MaskSize>(operatorPaths.sizes, {
    about: 'Stock, allocated and available masks per size.',
    isBare: true,
    none: 'There are no sizes.',
    columns: [['Size', 'name'], 'stock', 'allocated', 'offered', 'available'],
  }),
  allocations: list<Allocation>(operatorPaths.allocations, {
    about: 'Masks set aside: for whom, when, and whether they are released.',
    isBare: true,
    none: 'No masks are set aside.',
    columns: [
      'id',
      'size',
      'quantity',
      'allocated_at',
      'note',
      ['Released', (one) => one.released_at && `${one.released_at} (${one.release_note ?? ''})`],
    ],
  }),
  stock: change('set-stock', {
    about: 'Sets how many masks of a size exist. All sizes together hold what the site promises.',
  }),
  'rename-size': change('rename-size', {
    about: 'Gives a size another name, with its stock and allocations. Change brand.ts too.',
  }),
  'remove-size': change('remove-size', {
    about: 'Removes a size that is no longer in brand.ts. Its allocations must be released.',
  }),
  allocate: change('allocate-masks', {
    about: 'Sets masks aside: the site then shows fewer remaining.',
  }),
  release: change('release-masks', { about: 'Returns masks that were set aside to the stock.' }),
};
