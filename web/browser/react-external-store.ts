/** Stands in for the package that wouter brings along for React before 18: the build resolves it to this file. */
export { useSyncExternalStore } from 'react';
