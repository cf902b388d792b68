/** Layout tables, the only layout that Outlook for Windows supports. Screen readers skip them. */
import type { CSSProperties, ReactNode } from 'react';

type TableProps = {
  readonly style?: CSSProperties;
  readonly className?: string;
  readonly children: ReactNode;
};

export function Blocks({ children, ...rest }: TableProps) {
  return (
    <table role="presentation" width="100%" border={0} cellPadding={0} cellSpacing={0} {...rest}>
      <tbody>{children}</tbody>
    </table>
  );
}

export function Block({ children, ...rest }: TableProps) {
  return (
    <tr>
      <td {...rest}>{children}</td>
    </tr>
  );
}
