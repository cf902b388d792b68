import { setTimeout as pause } from 'node:timers/promises';
import type { ListImport } from '../../contract/operator/imports/list-import.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import type { Ask } from '../stage.ts';
import { change, type Happening, hours, minutes, operatorsOf, type Plot } from './plot.ts';

const POLL_MS = 20;

export function imports(plot: Plot): Happening[] {
  const by = operatorsOf(plot);
  return [
    by(hours(5) - minutes(20), async (ask) => {
      const rows = Array.from({ length: 64 }, (_, index) => {
        const inviter = index % 5 === 0 ? '' : `runner${index - (index % 5)}@marathon.example`;
        return `runner${index}@marathon.example,${inviter},2026-10-04`;
      });
      const header = 'Email,Referred by,Signed up';
      const checked = await checkList(ask, 'marathon-booth.csv', [header, ...rows]);
      await change(ask, {
        kind: 'import-members',
        input: { import_id: checked.id, may_mail: true, confirmed: true, mail: 'none' },
        reason: 'signed up on paper at the city marathon',
      });
    }),
    by(minutes(25), async (ask) => {
      const known = plot.line.joined.slice(0, 6).map(({ email }) => `${email},`);
      const rows = Array.from({ length: 40 }, (_, index) => `lifter${index}@gym.example,`);
      const odd = [
        'not an address,',
        'lifter3@gym.example,',
        'lone@gym.example,nobody@gym.example',
      ];
      await checkList(ask, 'gym members, autumn 2026 (final).csv', [
        'Email,Referred by',
        ...rows,
        ...known,
        ...odd,
      ]);
    }),
  ];
}

async function checkList(ask: Ask, name: string, lines: readonly string[]): Promise<ListImport> {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const begun = { file_name: name, bytes: bytes.length };
  const { id } = await ask<ListImport>('POST', operatorPaths.imports, begun);
  const chunk = { first_byte: 0, base64: bytes.toString('base64') };
  const { file } = await ask<ListImport>('POST', fillPath(operatorPaths.importChunks, id), chunk);
  const columns = Object.fromEntries(
    file?.columns.flatMap(({ suggested }, index) => (suggested ? [[suggested, index]] : [])) ?? [],
  );
  await ask('PUT', fillPath(operatorPaths.importMapping, id), { columns, order: 'file' });
  for (;;) {
    const now = await ask<ListImport>('GET', fillPath(operatorPaths.listImport, id));
    if (now.state !== 'checking') return now;
    await pause(POLL_MS);
  }
}
