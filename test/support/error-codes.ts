import { errorTable } from '../../src/platform/module.ts';
import { commonErrors as staffingErrors } from '../../src/staffing/http/errors.ts';
import { staffingModules } from '../../src/staffing/service/modules.ts';
import { commonErrors as trustErrors } from '../../src/trust/http/errors.ts';
import { trustModules } from '../../src/trust/service/modules.ts';
import type { ErrorsOfAll } from './module-types.ts';

/** Every reason_code of the trust service. */
export type TrustCode = keyof (typeof trustErrors & ErrorsOfAll<typeof trustModules>) & string;

/** Every code of the staffing service's errors. */
export type StaffingCode = keyof (typeof staffingErrors & ErrorsOfAll<typeof staffingModules>) & string;

/** All errors of both services, by code. */
export const ERRORS = {
  trust: errorTable([{ name: 'common', errors: trustErrors }, ...trustModules]),
  staffing: errorTable([{ name: 'common', errors: staffingErrors }, ...staffingModules]),
};
