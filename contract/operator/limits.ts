export const MAX_NAMED_MEMBERS = 300;

export const MAX_PAUSE_MESSAGE = 300;

export const MAX_SOURCE_LINK = 2_000;

export const MAX_CAMPAIGN_LENGTH = 20_000;

/** Entrants of a drop: the most that a browser can recompute. */
export const MAX_ENTRANTS = 10_000;
