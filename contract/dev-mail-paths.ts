/** Paths for reading kept mail. Not in paths.ts, because that ends up in the visitors' scripts. */

/** `name` is a path below the folder of kept mails, so it may contain slashes. */
export const devMailPaths = {
  /** Pages count from 1. */
  list: (page = 1) => (page === 1 ? '/dev/mail' : `/dev/mail?page=${page}`),
  /** The first page of the list, for a browser that does not have the key yet. */
  withKey: (key: string) => `/dev/mail?key=${key}`,
  mail: (name: string) => `/dev/mail/kept/${encodeURIComponent(name)}`,
  mailHtml: (name: string) => `/dev/mail/kept/${encodeURIComponent(name)}/html`,
  mailSource: (name: string) => `/dev/mail/kept/${encodeURIComponent(name)}/source`,
  samples: () => '/dev/mail/preview',
  sampleHtml: (sample: string) => `/dev/mail/preview/${encodeURIComponent(sample)}`,
  sampleGhost: () => '/dev/mail/preview/ghost.jpg',
};

export const devMailRoutes = {
  list: '/dev/mail',
  mail: '/dev/mail/kept/:name',
  mailHtml: '/dev/mail/kept/:name/html',
  mailSource: '/dev/mail/kept/:name/source',
  samples: '/dev/mail/preview',
  sampleHtml: '/dev/mail/preview/:sample',
  sampleGhost: '/dev/mail/preview/ghost.jpg',
} as const;
