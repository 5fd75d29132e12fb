import { type Static, Type } from '@sinclair/typebox';
import { oneOf, strictObject } from '../../../platform/http/schema.ts';
import { AUDIT_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';
import { periodQuery } from '../packages/schema.ts';

export const AuditPackageQuery = strictObject({
  framework: Type.Optional(oneOf(AUDIT_FRAMEWORKS, { description: 'The framework. By default SOC2_TYPE2.' })),
  ...periodQuery,
});

export type AuditPackageQuery = Static<typeof AuditPackageQuery>;
