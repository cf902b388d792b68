import { Type } from 'typebox';

export const SourceFields = Type.Object({
  utm_source: Type.String({ description: 'Empty when it is not known, like the next ones' }),
  utm_medium: Type.String(),
  utm_campaign: Type.String(),
  via: Type.String({ description: 'How the invite link that they followed was shared' }),
  referring_host: Type.String({ description: 'The host of the page that linked to us' }),
});
