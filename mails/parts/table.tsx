/** The tables that hold a mail together: Outlook for Windows lays out nothing else. They mean nothing to a screen reader. */
import type { CSSProperties, ReactNode } from 'react';

type TableProps = { readonly style?: CSSProperties; readonly className?: string; readonly children: ReactNode };

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
