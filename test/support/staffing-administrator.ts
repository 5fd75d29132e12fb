import pino from 'pino';
import { operationAction } from '../../src/platform/control/operation.ts';
import { localStaffingApp } from '../../src/staffing/service/local-app.ts';
import type { StaffingService } from '../../src/staffing/service/service.ts';

/** Calls operations of a staffing service as the local administrator, like a command. */
export function staffingAdministrator({ staffing }: Pick<StaffingService, 'staffing'>) {
  const app = localStaffingApp(staffing, pino({ level: 'silent' }));
  return async (operation: string, values: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
    Object(await operationAction.handle(app, { operation, operator: null, arguments: values }));
}
