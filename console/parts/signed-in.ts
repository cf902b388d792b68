import { createContext, useContext } from 'react';
import type { Me } from '../../contract/operator/access.ts';

export const SignedIn = createContext<Me | null>(null);

export function useMayWrite(): boolean {
  return useContext(SignedIn)?.role === 'owner';
}
