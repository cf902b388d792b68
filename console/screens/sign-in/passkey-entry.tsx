import { useMutation } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import { signInByPasskey } from '../../api/access.ts';
import { messageOf, RequestError } from '../../api/request-error.ts';
import { Button } from '../../ui/controls/button.tsx';

/** Nothing where the browser or the address allows no passkeys. */
export function PasskeyEntry({ onEnter }: { onEnter: () => Promise<void> }) {
  const entering = useMutation({ mutationFn: signInByPasskey, onSuccess: onEnter });
  if (!allowsPasskeys()) return null;
  return (
    <div className="gate-form">
      <Button
        icon={<KeyRound aria-hidden="true" size={16} />}
        isBusy={entering.isPending}
        onClick={() => entering.mutate()}
      >
        Use a passkey
      </Button>
      <p className="field-error" role="alert">
        {entering.isError && explainPasskey(entering.error)}
      </p>
    </div>
  );
}

/** A domain over HTTPS, or localhost: an IP address is no domain. */
function allowsPasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(window.location.hostname);
  return window.isSecureContext && 'PublicKeyCredential' in window && !isAddress;
}

/** A person who stops the browser's own dialog knows that they did. */
export function explainPasskey(error: unknown): string {
  return error instanceof RequestError ? messageOf(error) : 'The passkey was not used.';
}
