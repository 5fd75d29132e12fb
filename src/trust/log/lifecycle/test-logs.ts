import { Failure } from '../../../platform/failure.ts';
import { isTestOrigin } from '../../../proof/log/test-origin.ts';

/**
 * Checks that the logs of a test service, and only these, are named as such. What a test service signed must
 * never be continued by a service that is none.
 * @param names of the logs of a data directory, closed ones included, and the names that they would get
 * @param isTest whether this is a test service
 * @throws Failure (exit code 2)
 */
export function refuseTestLogs(names: readonly string[], isTest: boolean): void {
  const wrong = names.find((name) => isTestOrigin(name) !== isTest);
  if (wrong === undefined) return;
  throw new Failure(
    isTest ? `the log ${wrong} is no log of a test service` : `the log ${wrong} is that of a test service`,
    isTest
      ? 'start the test service without --data'
      : 'names that begin with test.invalid are for serve --test: use another data directory, and another log.origin and base_url',
    2,
  );
}
