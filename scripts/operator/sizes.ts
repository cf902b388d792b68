/** Renaming and removing sizes from the command line. */
import type { MaskSize } from '../../contract/operator/masks.ts';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import type { Config } from '../../server/config.ts';
import type { Options } from '../command-line/command.ts';
import { print, say } from '../command-line/output.ts';
import { callOperator } from './call-operator.ts';
import { findSizeName, renderSizes } from './masks.ts';
import { printable } from './table.ts';

export async function renameSize(
  config: Config,
  [text = '', name = '']: readonly string[],
  { json }: Options,
): Promise<void> {
  const size = await findSizeName(config, text);
  const path = fillPath(operatorPaths.renameSize, size);
  const renamed = await callOperator<MaskSize>(config, { method: 'POST', path, body: { name } });
  print(json, renamed, () => renderSizes([renamed]));
  say(json, `The size ${printable(size)} is called ${printable(name)} now.`);
}

export async function removeSize(
  config: Config,
  [text = '']: readonly string[],
  { json }: Options,
): Promise<void> {
  const path = fillPath(operatorPaths.size, await findSizeName(config, text));
  const removed = await callOperator<MaskSize>(config, { method: 'DELETE', path });
  print(json, removed, () => renderSizes([removed]));
  say(json, `The size ${printable(removed.name)} and its stock are removed.`);
}
