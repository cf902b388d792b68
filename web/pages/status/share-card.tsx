import { useRef, useState } from 'react';
import { brand } from '../../../brand/brand.ts';
import { fillPath, pagePaths } from '../../../contract/paths.ts';
import type { Member } from '../../../contract/schemas.ts';
import { copyText } from '../../browser/clipboard.ts';
import { shareInvite } from '../../browser/share.ts';
import { toasts } from '../../toasts.ts';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CopyField } from '../../ui/controls/copy-field.tsx';
import { toastStore } from '../../ui/toast/toast-store.ts';
import { shareReason } from '../parts/share-reason.ts';
import type { ShareKit } from './share-kit.tsx';
import { useTemporaryFlag } from './use-temporary-flag.ts';

/** docs/behaviour.md 9 */
const COPY_TICK_MS = 2000;

type ShareCardProps = {
  readonly member: Member;
  readonly Kit: typeof ShareKit | undefined;
};

export function ShareCard({ member, Kit }: ShareCardProps) {
  const url = location.origin + fillPath(pagePaths.invite, member.referral_code);
  const link = useRef<HTMLInputElement>(null);
  const [isSharing, setIsSharing] = useState(false);
  const copied = useTemporaryFlag(COPY_TICK_MS);

  function showCopied(isCopied: boolean): void {
    if (isCopied) {
      copied.raise();
      toastStore.show(toasts.linkCopied);
      return;
    }
    link.current?.focus();
    link.current?.select();
    toastStore.show(toasts.copyFailed);
  }

  async function share(picture?: File): Promise<void> {
    if (isSharing) return;
    setIsSharing(true);
    const { shareTitle: title, shareText: text } = brand.copy;
    const outcome = await shareInvite({ title, text, url, ...(picture && { files: [picture] }) });
    setIsSharing(false);
    if (outcome === 'copied' || outcome === 'failed') showCopied(outcome === 'copied');
  }

  return (
    <Card title="Your invite" id="your-invite" className="share-card">
      <CopyField
        id="invite-link"
        label="Invite link"
        value={url}
        inputRef={link}
        isCopied={copied.isRaised}
        onCopy={async () => showCopied(await copyText(url))}
      />
      <Button disabled={isSharing} onClick={() => share()}>
        Share & Climb the Ranks
      </Button>
      <p className="quiet">{shareReason(brand.lineRule, member.referral_count)}</p>
      {Kit ? (
        <Kit member={member} url={url} onShare={share} />
      ) : (
        <div className="share-kit-loading" />
      )}
    </Card>
  );
}
