import { Type } from '@sinclair/typebox';

/** What is searched for. */
export const SearchQuery = Type.Object({
  q: Type.Optional(
    Type.String({ maxLength: 300, 'x-message': 'must have at most 300 characters: one value, or two' }),
  ),
});
