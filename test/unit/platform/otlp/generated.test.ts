import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { GENERATED, generateOtlp, textsIn } from '../../../../scripts/otlp.ts';
import { scratch } from '../../../support/process.ts';

test('The code for messages of OTLP is what the generator makes of the descriptions', () => {
  const directory = scratch();
  const made = join(directory.path, 'generated');
  generateOtlp(made);
  const texts = textsIn(made);
  expect(Object.keys(texts)).toHaveLength(4);
  expect(textsIn(GENERATED)).toEqual(texts);
  directory.dispose();
});
