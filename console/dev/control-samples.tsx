import Plus from 'lucide-react/icons/plus';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Trash from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { Checkbox } from '../ui/controls/checkbox.tsx';
import { DateTimeField } from '../ui/controls/date-time-field.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { Segmented } from '../ui/controls/segmented.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Tabs } from '../ui/controls/tabs.tsx';
import { TextArea, TextField } from '../ui/controls/text-field.tsx';
import { Section } from '../ui/frame/section.tsx';

const ICON = { 'aria-hidden': true, size: 16 } as const;
const SIZES = ['Small', 'Medium', 'Large'].map((label) => ({ value: label, label }));

export function ControlSamples() {
  const [size, setSize] = useState('Small');
  const [tab, setTab] = useState('friends');
  const [isChecked, setChecked] = useState(true);
  const [time, setTime] = useState('2030-01-31T09:30:00Z');
  return (
    <>
      <Section title="Buttons">
        <div className="sample-stack">
          {(['primary', 'secondary', 'quiet', 'danger'] as const).map((variant) => (
            <div key={variant} className="sample-row">
              <Button variant={variant}>{variant}</Button>
              <Button variant={variant} icon={<Plus {...ICON} />}>
                With icon
              </Button>
              <Button variant={variant} isBusy>
                Busy
              </Button>
              <Button variant={variant} disabled>
                Disabled
              </Button>
            </div>
          ))}
          <div className="sample-row">
            <IconButton label="Refresh" icon={<RefreshCw {...ICON} />} />
            <IconButton label="Live" icon={<RefreshCw {...ICON} />} isPressed />
            <IconButton label="Remove" icon={<Trash {...ICON} />} disabled />
          </div>
        </div>
      </Section>
      <Section title="Fields">
        <div className="sample-row">
          <TextField label="Name" placeholder="Ada Lovelace" />
          <TextField label="With a hint" hint="Shown to nobody else." defaultValue="Press" />
          <TextField
            label="Refused"
            defaultValue="ada@example"
            error="This is no e-mail address."
          />
          <TextField label="Disabled" defaultValue="Fixed" disabled />
          <Select label="Size" options={SIZES} value={size} onChange={setSize} />
          <Select label="Size, disabled" options={SIZES} value={size} onChange={setSize} disabled />
          <DateTimeField label="From" value={time} onChange={setTime} />
          <DateTimeField label="To" value="" onChange={setTime} error="Please choose a time." />
          <TextArea label="Note" defaultValue="For the shoot in March, three athletes." />
        </div>
      </Section>
      <Section title="Choices">
        <div className="sample-row">
          <Checkbox label="Checked" checked={isChecked} onChange={setChecked} />
          <Checkbox label="Partly" checked={false} isPartial onChange={setChecked} />
          <Checkbox label="Unchecked" checked={false} onChange={() => setChecked(false)} />
          <Checkbox label="Disabled" checked disabled onChange={setChecked} />
          <Segmented label="Size" options={SIZES} value={size} onChange={setSize} />
          <Segmented
            label="Size, disabled"
            options={SIZES}
            value={size}
            onChange={setSize}
            disabled
          />
        </div>
        <Tabs
          label="Of a member"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'friends', label: 'Friends', aside: '12', content: 'Friends brought.' },
            { value: 'mails', label: 'Mails', aside: '3', content: 'Mails and their fate.' },
            { value: 'notes', label: 'Notes', content: 'Notes of operators.' },
          ]}
        />
      </Section>
    </>
  );
}
