/** The mask as a flat icon. Draw outline and eyes in this view box with the even-odd rule. */
export const MASK_SILHOUETTE_VIEW_BOX = '0 0 20 28';

export const MASK_SILHOUETTE_PATH =
  'M10 .5c5.6 0 9.5 3.4 9.5 9.7 0 7.6-4 17.3-9.5 17.3S.5 17.8.5 10.2C.5 3.9 4.4.5 10 .5Z';

export const MASK_EYES_PATH =
  'M8.6 13 3.4 10.2c.3 2.8 2.4 4 5.2 2.8Zm2.8 0 5.2-2.8c-.3 2.8-2.4 4-5.2 2.8Z';
