import { keyed } from '../../platform/http/auth/keyed.ts';
import { idempotencyStore } from '../../platform/http/idempotency/service.ts';
import type { TestControl } from '../../platform/test-service/control.ts';
import { testDescriptions } from '../../platform/test-service/description.ts';
import { TEST_TAG } from '../../platform/test-service/paths.ts';
import { testRoutes } from '../../platform/test-service/routes.ts';
import { authenticateAdmin } from '../admin/token.ts';
import { commonErrors } from '../http/errors.ts';
import type { StaffingModule, StaffingServing } from '../service/module.ts';

/** Returns the capability that only a test service has: its clock, its faults and its reset. */
export function testModule(control: TestControl): StaffingModule {
  return {
    name: 'test-service',
    tags: [TEST_TAG],
    async server() {
      return {
        server: {
          routes: ({ staffing: { adminTokenHash, clock, clockWatch } }: StaffingServing) => [
            testRoutes(control, {
              admin: keyed<object, true>({
                authenticate: async (request) => authenticateAdmin(adminTokenHash, request),
                authorize: null,
                idempotencyScope: () => null,
                idempotency: idempotencyStore(clock, clockWatch),
              }),
              invalidState: commonErrors.INVALID_STATE,
              scheme: 'adminToken',
            }),
          ],
        },
      };
    },
    descriptions: async () => ({
      default: testDescriptions({ keyed: '*admin token*', body: '*body*', state: 'INVALID_STATE' }),
    }),
  };
}
