import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../../startup-error.ts';
import { findBrandFaults } from './brand-rules.ts';
import { findTokenFaults } from './token-rules.ts';

export function checkBrand(brand: unknown, brandDir: string): void {
  const faults = findFaults(brand, brandDir);
  if (faults.length > 0) throw new StartupError(faults.join('\n'));
}

export function findFaults(brand: unknown, brandDir: string): string[] {
  const path = join(brandDir, 'tokens.css');
  const tokenFaults = existsSync(path)
    ? findTokenFaults(readFileSync(path, 'utf8'))
    : ['the file is missing.'];
  return [
    ...findBrandFaults(brand).map((fault) => `brand.ts: ${fault}`),
    ...tokenFaults.map((fault) => `tokens.css: ${fault}`),
  ];
}
