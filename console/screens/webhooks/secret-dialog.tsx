import { Button } from '../../ui/controls/button.tsx';
import { CodeText } from '../../ui/data/code-text.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';

/** Shows a secret, which is never shown again. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      title="The secret of this webhook"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <p>Your service checks signatures with it. It is not shown again.</p>
      <CodeText label="the secret" value={secret} />
    </Dialog>
  );
}
