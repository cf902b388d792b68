export const MAX_NAMED_MEMBERS = 300;

export const MAX_PAUSE_MESSAGE = 300;
