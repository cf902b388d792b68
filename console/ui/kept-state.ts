import { createContext, useContext, useState } from 'react';
import { createBrowserMemory } from '../../web/ui/browser-memory.ts';

const memory = createBrowserMemory(() => localStorage);
const STORAGE_KEY = 'console-kept';
const KEPT_FOR_MS = 24 * 3_600_000;

type Kept = Readonly<Record<string, { readonly at: number; readonly value: unknown }>>;

/** The operator whose forms are kept: nobody else who uses this browser finds them. */
export const KeptFor = createContext('');

export function useFormName(title: string): string {
  const owner = useContext(KeptFor);
  const [place] = useState(() => location.pathname + location.search);
  return `${owner} ${place} ${title}:`;
}

/** The browser stores the state for a day while it differs from `initial`, until `forgetKept`. */
export function useKept<T>(name: string, initial: T): readonly [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => readKept<T>(name) ?? initial);
  const keep = (next: T) => {
    setValue(next);
    if (JSON.stringify(next) === JSON.stringify(initial)) forgetKept(name);
    else writeKept(name, next);
  };
  return [value, keep];
}

export function useKeptFields<Fields extends object>(title: string, initial: Fields) {
  const name = useFormName(title);
  const [kept, setKept] = useKept<Partial<Fields>>(`${name} fields`, initial);
  const fields = { ...initial, ...kept };
  return {
    fields,
    change: (part: Partial<Fields>) => setKept({ ...fields, ...part }),
    forget: () => forgetKept(name),
  };
}

export function readKept<T>(name: string): T | null {
  return (readAll()[name]?.value as T | undefined) ?? null;
}

export function writeKept(name: string, value: unknown): void {
  writeAll({ ...readAll(), [name]: { at: Date.now(), value } });
}

export function forgetKept(start: string): void {
  const others = Object.entries(readAll()).filter(([name]) => !name.startsWith(start));
  writeAll(Object.fromEntries(others));
}

function readAll(): Kept {
  try {
    const all: Kept = JSON.parse(memory.read(STORAGE_KEY) ?? '{}');
    const since = Date.now() - KEPT_FOR_MS;
    return Object.fromEntries(Object.entries(all).filter(([, { at }]) => at > since));
  } catch {
    return {};
  }
}

function writeAll(all: Kept): void {
  memory.write(STORAGE_KEY, Object.keys(all).length === 0 ? null : JSON.stringify(all));
}
