import 'react';

/** Properties that Outlook for Windows alone reads. */
declare module 'react' {
  interface CSSProperties {
    msoHide?: 'all';
    msoPaddingAlt?: string;
  }
}
