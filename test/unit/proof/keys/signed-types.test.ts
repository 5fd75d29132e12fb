import { expect, test } from 'bun:test';
import {
  otherSignedObject,
  PRESENTATION_MEMBERS,
  SIGNED_TYPES,
} from '../../../../src/proof/keys/signed-types.ts';

test.each(SIGNED_TYPES.map((type) => [type]))(
  'an object of type %s is that, whatever else it has',
  (type) => {
    expect(otherSignedObject({ type })).toBe(type);
    expect(otherSignedObject({ sha: 'x', type, commit: {} })).toBe(type);
  },
);

test('an object with the four members of a presentation is one, and with three of them none', () => {
  const presentation = Object.fromEntries(PRESENTATION_MEMBERS.map((member) => [member, null]));
  expect(otherSignedObject(presentation)).toBe('presentation');
  expect(otherSignedObject({ ...presentation, sha: 'x' })).toBe('presentation');
  for (const member of PRESENTATION_MEMBERS) {
    const { [member]: _, ...less } = presentation;
    expect(otherSignedObject(less)).toBeNull();
  }
});

test('an object of any other type is none, and neither is one that says so further down', () => {
  for (const object of [
    {},
    { type: 'push' },
    { type: ['passport'] },
    { type: null },
    { a: { type: 'passport' } },
  ])
    expect(otherSignedObject(object)).toBeNull();
});
