import { useState } from 'react';

type Task = () => Promise<string | undefined>;

/** Does one task at a time, and keeps the sentence that it returned or threw at its end. */
export function useTask() {
  const [busy, setBusy] = useState<string | null>(null);
  const [message, setMessage] = useState('');

  async function perform(name: string, task: Task, onFailure?: () => Promise<void>): Promise<void> {
    if (busy !== null) return;
    setBusy(name);
    setMessage('');
    try {
      setMessage((await task()) ?? '');
    } catch (error) {
      setMessage(error instanceof Error ? error.message : String(error));
      await onFailure?.();
    }
    setBusy(null);
  }

  return { busy, message, perform };
}
