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
      await environment.clipboard.writeText(text);
      return true;
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
    field.select();
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
