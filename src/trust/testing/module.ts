import type { TestControl } from '../../platform/test-service/control.ts';
import { testDescriptions } from '../../platform/test-service/description.ts';
import { TEST_TAG } from '../../platform/test-service/paths.ts';
import { testRoutes } from '../../platform/test-service/routes.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import type { TrustModule, TrustServing } from '../service/module.ts';

/** Returns the capability that only a test service has: its clock, its faults and its reset. */
export function testModule(control: TestControl): TrustModule {
  return {
    name: 'test-service',
    tags: [TEST_TAG],
    async server() {
      return {
        server: {
          routes: ({ auth, trust: { principals } }: TrustServing) => [
            testRoutes(control, {
              admin: auth.authenticatedBy<object, true>({
                authenticate: (request) => authenticateAdmin(principals, request),
                authorize: null,
                idempotencyScope: () => null,
              }),
              invalidState: commonErrors.invalid_state,
              scheme: 'apiKey',
            }),
          ],
        },
      };
    },
    descriptions: async () => ({
      default: testDescriptions({ keyed: '*keyed*, *stored*', body: '*body*', state: 'invalid_state' }),
    }),
  };
}

/**
 * Authenticates an admin key, even of an operator that a test suspended.
 * @throws ApiError as `Principals.authenticate`; forbidden for another key
 */
async function authenticateAdmin(principals: Principals, request: Request): Promise<object> {
  const principal = await principals.authenticate(request, 'reading');
  if (principal.admin) return principal;
  throw commonErrors.forbidden({ message: 'Only an admin key controls the test service. Use an admin key.' });
}
