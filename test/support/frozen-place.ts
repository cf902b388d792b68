import type { DropPlaceView } from '../../contract/drop/drop-views.ts';

/** The place of a member whose line was just frozen. */
export const FROZEN_PLACE: DropPlaceView = {
  words: null,
  drop: 1,
  state: 'frozen',
  position: 12,
  place: null,
  size: null,
  edition: null,
  odds: null,
  can_return: true,
  is_mailed: true,
  is_paused: false,
  card_entry: null,
  hash: 'ab',
};
