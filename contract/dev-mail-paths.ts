/** Paths for reading kept mail, apart from paths.ts, which is part of the visitors' scripts. */

/** `name` is a path below the folder of kept mails, so it may contain slashes. */
export const devMailPaths = {
  list: '/dev/mail',
  mail: '/dev/mail/kept/:name',
  mailHtml: '/dev/mail/kept/:name/html',
  mailSource: '/dev/mail/kept/:name/source',
  samples: '/dev/mail/preview',
  sampleHtml: '/dev/mail/preview/:sample',
  sampleGhost: '/dev/mail/preview/ghost.jpg',
  sampleReward: '/dev/mail/preview/reward.jpg',
} as const;

export const devMailWithKey = (key: string) => `${devMailPaths.list}?key=${key}`;
