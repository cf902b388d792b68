import { STEP_WORDS } from '../../../contract/drop/step-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { dropSubject } from '../steps/drop-subject.ts';
import { publishSchedule } from './schedule.ts';
import { describeTime } from './schedule-rules.ts';

/** The site shows when the next step is, or stops showing it. */
export const publishScheduleOperation: Operation<'publish-schedule'> = {
  kind: 'publish-schedule',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { is_public: isPublic }) {
    const { drop, steps } = await publishSchedule(transaction, isPublic);
    const coming = steps.filter(({ state }) => state === 'scheduled');
    return {
      effects: {
        sentences: isPublic
          ? [
              'The site counts down to the next step, and has a calendar file of all of them.',
              'What is scheduled from now on is public at once.',
              ...coming.map(
                ({ step, due_at, time_zone }) =>
                  `${STEP_WORDS[step]} on ${describeTime(due_at, time_zone)}.`,
              ),
            ]
          : ['The site stops showing the schedule. Steps are taken all the same.'],
        counts: { steps: coming.length },
      },
      summary: `The schedule of drop ${drop.number} is ${isPublic ? 'public' : 'hidden'} now.`,
      subject: dropSubject(drop.number),
      details: { is_public: isPublic },
      undo: null,
    };
  },
};
