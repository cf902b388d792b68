import { Content, Item, Root, Separator, Trigger } from '@radix-ui/react-dropdown-menu';
import { Fragment, type ReactElement, type ReactNode } from 'react';

type MenuItem = {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDanger?: boolean;
  readonly onSelect: () => void;
};

type DropdownMenuProps = {
  readonly trigger: ReactElement;
  readonly groups: readonly (readonly MenuItem[])[];
};

/**
 * Not modal: Radix locks scrolling by a style element, which our CSP forbids. Not in a portal: it
 * would lie below a dialog, and be inert with the frame while it belongs to a sheet.
 */
export function DropdownMenu({ trigger, groups }: DropdownMenuProps) {
  return (
    <Root modal={false}>
      <Trigger asChild>{trigger}</Trigger>
      <Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
        {groups.map((group, index) => (
          <Fragment key={group.map(({ label }) => label).join()}>
            {index > 0 && <Separator className="menu-line" />}
            {group.map(({ label, icon, isDanger, onSelect }) => (
              <Item
                key={label}
                className={`menu-item ${isDanger ? 'menu-danger' : ''}`}
                onSelect={onSelect}
              >
                {icon}
                {label}
              </Item>
            ))}
          </Fragment>
        ))}
      </Content>
    </Root>
  );
}
