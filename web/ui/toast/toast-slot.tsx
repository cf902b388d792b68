import { type ComponentType, useEffect, useState } from 'react';
import { untilIdle } from '../when-idle.ts';
import { toastStore } from './toast-store.ts';

export function ToastSlot() {
  const [View, setView] = useState<ComponentType | null>(null);

  useEffect(() => {
    let isWanted = true;
    async function load(): Promise<void> {
      const { ToastView } = await import('./toast-view.tsx');
      if (isWanted) setView(() => ToastView);
    }
    // A failure is silent, because the page shows the message, too.
    const loadQuietly = () => void load().catch(() => undefined);
    const unsubscribe = toastStore.subscribe(loadQuietly);
    void untilIdle().then(loadQuietly);
    if (toastStore.getCurrent()) loadQuietly();
    return () => {
      isWanted = false;
      unsubscribe();
    };
  }, []);

  return View ? <View /> : null;
}
