import idempotency from '../../../db/staffing/migrations/0005_idempotency.sql' with { type: 'text' };
import captureIdempotency from '../../../db/staffing/migrations/0009_capture_idempotency.sql' with {
  type: 'text',
};
import { idempotencyModule } from '../../platform/http/idempotency/module.ts';
import { accountsModule } from '../accounts/module.ts';
import { adminModule } from '../admin/module.ts';
import { cliniciansModule } from '../clinicians/module.ts';
import { discoveryModule } from '../discovery/module.ts';
import { importsModule } from '../imports/module.ts';
import { nppesModule } from '../nppes/module.ts';
import { pagesModule } from '../pages/module.ts';
import { registryModule } from '../registry/module.ts';
import { requisitionsModule } from '../requisitions/module.ts';
import { suppressionsModule } from '../suppressions/module.ts';
import { webhooksModule } from '../webhooks/module.ts';
import type { StaffingModule, StaffingRunning } from './module.ts';

/**
 * The modules of the staffing service, in the order of the documentation. Routes, settings and tasks are
 * registered nowhere else.
 */
export const staffingModules = [
  accountsModule,
  cliniciansModule,
  requisitionsModule,
  webhooksModule,
  adminModule,
  discoveryModule,
  registryModule,
  nppesModule,
  suppressionsModule,
  importsModule,
  idempotencyModule(
    [
      { name: '0005_idempotency', sql: idempotency },
      { name: '0009_capture_idempotency', sql: captureIdempotency },
    ],
    ({ staffing }: StaffingRunning) => staffing,
  ),
  pagesModule,
] as const satisfies readonly StaffingModule[];
