import { Type } from '@sinclair/typebox';

/** Which entries the page shows: the one with this index, and those before it. */
export const EntryQuery = Type.Object({
  index: Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}$',
      'x-message': 'must be the index of an entry: 0 or a whole number',
    }),
  ),
});
