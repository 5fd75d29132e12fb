import { InvalidArgumentError } from 'commander';
import { parseDecimal } from '../../proof/encoding/decimal.ts';

/**
 * Parses an argument of a command that is an integer from 1 to 2^53 − 1. @throws InvalidArgumentError for any
 * other text
 */
export function positiveInteger(text: string): number {
  const number = parseDecimal(text);
  if (number === null || number === 0)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}.`);
  return number;
}

/**
 * Parses an argument of a command that is an integer from −(2^53 − 1) to 2^53 − 1, but not 0. @throws
 * InvalidArgumentError for any other text
 */
export function nonZeroInteger(text: string): number {
  const number = parseDecimal(text.replace(/^-/, ''));
  if (number === null || number === 0)
    throw new InvalidArgumentError(
      `It must be a whole number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, but not 0.`,
    );
  return text.startsWith('-') ? -number : number;
}

/**
 * Parses an argument of a command that is an integer from 0 to 2^53 − 1. @throws InvalidArgumentError for any
 * other text
 */
export function wholeNumber(text: string): number {
  const number = parseDecimal(text);
  if (number === null)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
  return number;
}
