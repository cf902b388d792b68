import { losePatience } from './patience.ts';

type Environment = {
  readonly clipboard: Pick<Clipboard, 'writeText'> | undefined;
  readonly copySelected: (text: string) => boolean;
};

export async function copyText(
  text: string,
  environment: Environment = browser(),
): Promise<boolean> {
  try {
    if (environment.clipboard) {
      const written = environment.clipboard.writeText(text).then(() => true);
      if (await Promise.race([written, losePatience()])) return true;
    }
  } catch {
    // Permission or focus refused it; the deprecated command may still be allowed.
  }
  try {
    return environment.copySelected(text);
  } catch {
    return false;
  }
}

/** Browsers offer no clipboard over plain HTTP. */
function browser(): Environment {
  return { clipboard: navigator.clipboard as Clipboard | undefined, copySelected };
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  document.body.append(field);
  try {
    field.focus({ preventScroll: true });
    field.select();
    // Under a modal dialog it gets no focus, and another selection would be copied.
    return document.activeElement === field && document.execCommand('copy');
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
