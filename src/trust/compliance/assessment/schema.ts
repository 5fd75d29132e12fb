import { type Static, Type } from '@sinclair/typebox';
import { oneOf, strictObject } from '../../../platform/http/schema.ts';
import { ASSESSMENT_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';
import { periodQuery } from '../packages/schema.ts';

export const PackageQuery = strictObject({
  framework: Type.Optional(
    oneOf(ASSESSMENT_FRAMEWORKS, { description: 'The framework. By default NIST_AI_RMF.' }),
  ),
  ...periodQuery,
});

export type PackageQuery = Static<typeof PackageQuery>;
