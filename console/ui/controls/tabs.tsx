import { Content, List, Root, Trigger } from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

type Tab = {
  readonly value: string;
  readonly label: string;
  /** Shown behind the label, such as a count. */
  readonly aside?: ReactNode;
  readonly content: ReactNode;
};

type TabsProps = {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** Parts of one subject. Keep the chosen one in the URL. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  return (
    <Root value={value} onValueChange={onChange} className="tabs">
      <List className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Trigger key={tab.value} value={tab.value} className="tab">
            {tab.label}
            {tab.aside !== undefined && <span className="tab-aside">{tab.aside}</span>}
          </Trigger>
        ))}
      </List>
      {tabs.map((tab) => (
        <Content key={tab.value} value={tab.value} className="tab-content">
          {tab.content}
        </Content>
      ))}
    </Root>
  );
}
