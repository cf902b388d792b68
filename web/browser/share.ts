/** The share button (docs/behaviour.md 8): the device's share sheet, otherwise a copied link. */
import { copyText } from '../ui/clipboard.ts';
import { losePatience } from '../ui/patience.ts';

export type Invite = {
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly files?: File[];
};

export type ShareOutcome = 'shared' | 'cancelled' | 'copied' | 'failed';

type Environment = {
  readonly share: ((invite: Invite) => Promise<void>) | undefined;
  readonly copy: (text: string) => Promise<boolean>;
  /** Gets the focus back when the sheet closes. */
  readonly window: EventTarget;
};

export async function shareInvite(
  invite: Invite,
  environment: Environment = browser(),
): Promise<ShareOutcome> {
  if (environment.share) {
    try {
      await Promise.race([environment.share(invite), losePatience(environment.window)]);
      return 'shared';
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return 'cancelled';
    }
  }
  return (await environment.copy(invite.url)) ? 'copied' : 'failed';
}

function browser(): Environment {
  const canShare = typeof navigator.share === 'function';
  return {
    share: canShare ? (invite) => navigator.share(invite) : undefined,
    copy: (text) => copyText(text),
    window,
  };
}
