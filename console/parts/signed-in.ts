import { createContext, useContext } from 'react';
import type { Me } from '../../contract/operator/access.ts';

/** Whose screen it is; stays the same while they sign in again. */
export const SignedIn = createContext<Me | null>(null);

export function useMayWrite(): boolean {
  return useContext(SignedIn)?.role === 'owner';
}
