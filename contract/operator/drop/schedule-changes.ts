import { type Static, Type } from 'typebox';
import { Text } from '../../fields.ts';
import { dropInputs } from './drop-changes.ts';
import { offerInputs } from './offer-changes.ts';

export const SCHEDULED_STEPS = [
  'freeze-drop',
  'announce-draw',
  'select-entrants',
  'start-offers',
  'close-drop',
] as const;
export type ScheduledStep = (typeof SCHEDULED_STEPS)[number];

export const scheduleInputs = {
  'schedule-step': Type.Object({
    at: Type.String({ maxLength: 40, description: 'ISO 8601, with its offset from UTC' }),
    time_zone: Text(100, 'In which people read this time, such as Europe/Berlin'),
    step: Type.Object(
      {
        'freeze-drop': Type.Optional(dropInputs['freeze-drop']),
        'announce-draw': Type.Optional(dropInputs['announce-draw']),
        'select-entrants': Type.Optional(dropInputs['select-entrants']),
        'start-offers': Type.Optional(offerInputs['start-offers']),
        'close-drop': Type.Optional(dropInputs['close-drop']),
      },
      { description: 'One step, with the input that it has as a change of its own' },
    ),
  }),
  'unschedule-step': Type.Object({ step: Type.Enum(SCHEDULED_STEPS) }),
  'publish-schedule': Type.Object({
    is_public: Type.Boolean({ description: 'Whether the site shows it; false takes it back' }),
  }),
} as const;

export type ScheduleInput = Static<(typeof scheduleInputs)['schedule-step']>;
