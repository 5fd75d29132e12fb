/**
 * The host in the names of the logs of test services. No host can have this name (RFC 2606 section 2), and no
 * other service may give its logs such a name.
 */
const TEST_HOST = 'test.invalid';

const TEST_ORIGIN = /^test\.invalid(?:[/:]|$)/i;

/** Returns whether a log is that of a test service, whose signatures prove nothing. */
export function isTestOrigin(origin: string): boolean {
  return TEST_ORIGIN.test(origin);
}

/** Returns the name of the logs of a test service. @param random what distinguishes it from others */
export function testOrigin(random: string): string {
  return `${TEST_HOST}/${random}`;
}
