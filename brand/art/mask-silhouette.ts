/** The mask's outline as one path, for the cells of The Hundred. Draw it in this view box. */
export const MASK_SILHOUETTE_VIEW_BOX = '0 0 20 28';

export const MASK_SILHOUETTE_PATH =
  'M10 .5c5.6 0 9.5 3.4 9.5 9.7 0 7.6-4 17.3-9.5 17.3S.5 17.8.5 10.2C.5 3.9 4.4.5 10 .5Z';
