/** Px. With 20 on each side the mail is 600 wide, which every client's pane holds. */
export const CONTENT_WIDTH = 560;
/** Px, both sides. */
export const GHOST_SIDE = 200;
