/**
 * The agent in the documentation's examples. Its key pair is published (RFC 8032 section 7.1, test 1), so the
 * signatures in the examples verify.
 */
export const EXAMPLE_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

/** The subject commitment of EXAMPLE_KEY in the context passport-v1. */
export const EXAMPLE_COMMITMENT = '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73';

/** Another agent of the demonstration, `Route planner`, which another operator sponsors. */
export const OTHER_EXAMPLE_COMMITMENT = '84ea0e0aa0ccc012c4d055ae372bd1b836016fa43df453d2765fa135fb898dbd';
