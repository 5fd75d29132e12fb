import { Type } from '@sinclair/typebox';
import { dateTime, named, nullable, reasonText, strictObject } from '../../platform/http/schema.ts';

/** The freeze of an agent, which its sponsor and administrators see. */
export const Frozen = nullable(
  strictObject(
    {
      since: dateTime('When it began.'),
      reason: Type.String({ description: 'Why, as the administrator wrote.' }),
    },
    { description: 'The freeze of the agent; null if it is not frozen.' },
  ),
);

export const FreezeRequest = named(
  'FreezeAgentRequest',
  strictObject(
    { reason: reasonText('The reason, which the sponsor of the agent sees.') },
    { examples: [{ reason: 'disputed payment' }] },
  ),
);
