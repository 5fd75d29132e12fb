/** The path of all that only a test service has. */
export const TEST_PATH = '/_test/';

/** The tag of these routes. */
export const TEST_TAG = {
  name: 'Test service',
  description:
    'The clock, the faults and the reset of a service that was started with `--test`. No other has them.',
};
