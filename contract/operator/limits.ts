export const MAX_NAMED_MEMBERS = 300;

export const MAX_PAUSE_MESSAGE = 300;

/** Characters of the text. */
export const MAX_CAMPAIGN_LENGTH = 20_000;
