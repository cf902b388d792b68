import { Button } from '../ui/buttons.tsx';
import { Dialog } from '../ui/dialogs.tsx';
import { CodeText } from '../ui/facts.tsx';
import type { Layer } from './changes.tsx';

type Secret = {
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly note: string;
  readonly doneLabel: string;
};

export const secretDialog = ({ title, label, value, note, doneLabel }: Secret): Layer =>
  function show(close) {
    return (
      <Dialog
        title={title}
        onClose={close}
        footer={
          <Button variant="primary" onClick={close}>
            {doneLabel}
          </Button>
        }
      >
        <p>{note}</p>
        <CodeText label={label} value={value} />
      </Dialog>
    );
  };
