import { Content, Item, Root, Separator, Trigger } from '@radix-ui/react-dropdown-menu';
import Ellipsis from 'lucide-react/icons/ellipsis';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import { IconButton } from './buttons.tsx';

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

/** A modal menu of Radix violates our CSP by a style element; a portal would lie below dialogs. */
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

export function ActionsMenu({
  label,
  groups,
}: Pick<DropdownMenuProps, 'groups'> & { label: string }) {
  const icon = <Ellipsis aria-hidden="true" size={16} />;
  return <DropdownMenu trigger={<IconButton label={label} icon={icon} />} groups={groups} />;
}
